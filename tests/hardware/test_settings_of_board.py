"""One truth: the firmware's settings say what board.toml does, and keep what the maker wrote."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from cribboard.hardware.budget import best_limit_ma
from cribboard.hardware.description import DescriptionError
from cribboard.hardware.feed import overfed
from cribboard.hardware.settings import settings_toml, values
from cribboard_fw.settings import Settings, SettingsError
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
    source = settings.supply_ma or settings.usb_ma
    assert (source, settings.fuse_ma) == (board.supply.current_ma, board.supply.fuse_ma)
    assert bool(settings.supply_ma) is not board.on_usb
    assert (settings.players, settings.teams, settings.target) == (
        board.game.players,
        board.game.teams,
        board.game.target,
    )


def test_every_setting_is_the_descriptions_or_named_here_as_the_makers_own() -> None:
    own = {"SKIP_PIXELS", "SKUNK_LINE", "DOUBLE_SKUNK_LINE", "COMMIT_AFTER_S"}
    from cribboard_fw.settings import NUMBERS, PIN_KEYS

    assert {*values(ready())} | own == {*NUMBERS, *PIN_KEYS, "PIXEL_ORDER"}


def test_the_makers_own_lines_stay() -> None:
    mine = (
        "# my board\nCIRCUITPY_BLE_NAME = \"pub\"\nCOMMIT_AFTER_S = 5 # mine\n  BRIGHTNESS=99 # too bright\n"
        '# PIEZO_PIN = "GP20"\n\n[web]\nBRIGHTNESS = 1\n'
    )  # fmt: skip
    made = settings_toml(ready(), mine)
    assert made.startswith('# my board\nCIRCUITPY_BLE_NAME = "pub"\nCOMMIT_AFTER_S = 5 # mine\n  BRIGHTNESS=30 # too')
    assert '# PIEZO_PIN = "GP20"\n\nSTRIP_PINS = "GP2 GP3"\n' in made
    assert made.endswith("\n[web]\nBRIGHTNESS = 1\n")
    assert Settings(made).commit_s == 5
    assert settings_toml(ready(), made) == made


def test_quotes_within_a_value_are_a_part_of_it() -> None:
    assert 'STRIP_PINS = "GP2 GP3" # "mine"\n' in settings_toml(ready(), 'STRIP_PINS = "GP\\"0\\"" # "mine"\n')


def test_a_file_that_begins_with_an_editors_mark_is_read() -> None:
    assert settings_toml(ready(), "\ufeff" + SHIPPED) == SHIPPED


def test_what_the_firmware_refuses_is_said() -> None:
    with pytest.raises(DescriptionError, match=r"cannot run with these settings: .*it appears twice") as caught:
        settings_toml(ready(), "BRIGHTNESS = 1\nBRIGHTNESS = 2\n")
    assert caught.value.hint == "correct these lines of your settings.toml"


@pytest.mark.parametrize(
    ("of", "old", "new", "said"),
    [
        (
            "board.toml",
            "limit_ma = 450",
            "limit_ma = 300",
            "limit_ma = 300: the dark pixels and the controller take 292",
        ),
        ("board.toml", "limit_ma = 450", "limit_ma = 5000", "limit_ma = 5000: more than 90%"),
        ("board.toml", "current_a = 0.5", "current_a = 20", "current_a = 20: USB gives 3 A at 5 V at the most"),
        ("boards/oval.toml", "current_a = 4.0", "current_a = 39", "current_a = 39: this much sets a wire on fire"),
        ("boards/oval.toml", "fuse_a = 2.0", "fuse_a = 4.0", "fuse_a = 4: it opens at 8 A, and the supply gives 4"),
    ],
)
def test_no_settings_are_made_of_a_board_that_must_not_be_built(of: str, old: str, new: str, said: str) -> None:
    with pytest.raises(DescriptionError, match="cannot be made") as caught:
        settings_toml(changed((old, new), of=of))
    assert f"[supply] {said}" in caught.value.hint


def test_the_firmware_takes_what_the_check_takes_and_nothing_more() -> None:
    for of in READY:
        board = ready(of)
        most = replace(board, supply=replace(board.supply, limit_ma=best_limit_ma(board)))
        text = settings_toml(most)
        limit = most.supply.limit_ma
        with pytest.raises(SettingsError, match=f"CURRENT_LIMIT_MA = {limit + 50}: .* carry {limit}"):
            Settings(text.replace(f"LIMIT_MA = {limit}", f"LIMIT_MA = {limit + 50}"))


@pytest.mark.parametrize("supply_ma", [1000, 2000, 3000, 4000])
def test_the_fuse_and_the_limit_that_are_advised_for_a_supply_are_right_then(supply_ma: int) -> None:
    def text(fuse_ma: float, limit_ma: int) -> str:
        given = {"USB_MA": 0, "SUPPLY_MA": supply_ma, "FUSE_MA": round(fuse_ma), "CURRENT_LIMIT_MA": limit_ma}
        return re.sub(r"^(\w+) = .*", lambda line: f"{line[1]} = {given[line[1]]}" if line[1] in given else line[0],
                      SHIPPED, flags=re.MULTILINE)  # fmt: skip

    [advice] = overfed(Settings(text(supply_ma, 400)), "raspberry_pi_pico")
    [(fuse, limit)] = re.findall(r"use a fuse of ([\d.]+) A and a limit of (\d+) mA", advice)
    mended = text(1000 * float(fuse), int(limit))
    assert not [*overfed(Settings(mended), "raspberry_pi_pico")]
