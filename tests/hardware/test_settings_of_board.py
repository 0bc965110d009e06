"""One truth: the firmware's settings say what board.toml does, and keep what the maker wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from cribboard.hardware.description import DescriptionError
from cribboard.hardware.settings import settings_toml, values
from cribboard_fw.settings import Settings
from hardware.boards import READY, changed, ready

SHIPPED = (Path(__file__).parents[2] / "firmware" / "settings.toml").read_text(encoding="utf-8")


def test_the_shipped_settings_are_those_of_the_default_board() -> None:
    assert settings_toml(ready()) == SHIPPED


@pytest.mark.parametrize("of", READY)
def test_the_firmware_reads_what_the_description_says(of: str) -> None:
    board = ready(of)
    settings = Settings(settings_toml(board))
    assert tuple(settings.strip_pins) == board.tracks.pins
    assert (settings.leds, settings.pixel_order) == (board.tracks.leds, board.tracks.pixel_order)
    assert [tuple(pins) for pins in settings.buttons if pins] == list(board.buttons.players)
    assert (settings.undo_pin, settings.deal_pin) == (board.buttons.undo, board.buttons.deal)
    assert (settings.piezo_pin or "") == board.piezo
    assert (settings.brightness, settings.limit_ma) == (board.supply.brightness, board.supply.limit_ma)
    assert (settings.players, settings.teams, settings.target) == (
        board.game.players,
        board.game.teams,
        board.game.target,
    )


def test_every_setting_is_the_descriptions_or_named_here_as_the_makers_own() -> None:
    own = {"SKUNK_LINE", "DOUBLE_SKUNK_LINE", "COMMIT_AFTER_S"}
    from cribboard_fw.settings import NUMBERS, PIN_KEYS

    assert {*values(ready())} | own == {*NUMBERS, *PIN_KEYS, "PIXEL_ORDER"}


def test_the_makers_own_lines_stay() -> None:
    mine = (
        "# my board\nCIRCUITPY_WIFI_SSID = \"pub\"\nCOMMIT_AFTER_S = 5 # mine\n  BRIGHTNESS=99 # too bright\n"
        '# PIEZO_PIN = "GP20"\n\n[web]\nBRIGHTNESS = 1\n'
    )  # fmt: skip
    made = settings_toml(ready(), mine)
    assert made.startswith('# my board\nCIRCUITPY_WIFI_SSID = "pub"\nCOMMIT_AFTER_S = 5 # mine\n  BRIGHTNESS=30 # too')
    assert '# PIEZO_PIN = "GP20"\n\nSTRIP_PINS = "GP2 GP3"\n' in made
    assert made.endswith("\n[web]\nBRIGHTNESS = 1\n")
    assert Settings(made).commit_after_ms == 5000
    assert settings_toml(ready(), made) == made


def test_quotes_within_a_value_are_a_part_of_it() -> None:
    assert 'STRIP_PINS = "GP2 GP3" # "mine"\n' in settings_toml(ready(), 'STRIP_PINS = "GP\\"0\\"" # "mine"\n')


def test_a_file_that_begins_with_an_editors_mark_is_read() -> None:
    assert settings_toml(ready(), "\ufeff" + SHIPPED) == SHIPPED


def test_what_the_firmware_refuses_is_said() -> None:
    with pytest.raises(DescriptionError, match=r"cannot run with these settings: CURRENT_LIMIT_MA = 300: 242 dark"):
        settings_toml(changed(("limit_ma = 450", "limit_ma = 300")))
    with pytest.raises(DescriptionError, match="it is here a second time"):
        settings_toml(ready(), "BRIGHTNESS = 1\nBRIGHTNESS = 2\n")
