"""`cribboard setup`: a board is set up by options or by answers, and nothing unsafe is written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from install.circuitpy import not_measured, plug_in
from rigs.printed import printed

from cribboard.board.find import probe
from cribboard.cli.main import cli
from cribboard.install.fitting import designs
from cribboard.sim.board import VirtualBoard
from cribboard.toml_lines import values


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    return plug_in(tmp_path / "CIRCUITPY")


def set_up(drive: Path, *words: str, exit_code: int = 0) -> Result:
    done = CliRunner().invoke(cli, ["setup", str(drive), *words], catch_exceptions=False)
    assert done.exit_code == exit_code, done.output
    return done


def has(drive: Path, *keys: str) -> list[str]:
    settings = values((drive / "settings.toml").read_text(encoding="utf-8"))
    return [settings[key] for key in keys]


@pytest.mark.skipif(sys.platform == "win32", reason="the virtual board needs pseudo-terminals")
@pytest.mark.parametrize("design", designs())
def test_every_ready_design_is_set_up_and_runs(drive: Path, design: str, monkeypatch: pytest.MonkeyPatch) -> None:
    not_measured(monkeypatch)
    set_up(drive, "--design", design, "--source")
    with VirtualBoard(drive) as board:
        assert probe(board.port).version


def test_an_option_changes_what_it_names_and_nothing_else(drive: Path) -> None:
    set_up(drive, "--design", "travel", "--brightness", "40")
    file = drive / "settings.toml"
    text = file.read_text(encoding="utf-8").replace("COMMIT_AFTER_S = 0", "COMMIT_AFTER_S = 9")
    file.write_text(text + "CIRCUITPY_MINE = 1\n", encoding="utf-8")
    before = values(file.read_text(encoding="utf-8"))
    said = set_up(drive, "--order", "rgb", "--target", "61").stderr
    after = values(file.read_text(encoding="utf-8"))
    assert {key: (before[key], after[key]) for key in before if before[key] != after[key]} == {
        "PIXEL_ORDER": ('"GRB"', '"RGB"'),
        **({"TARGET": (before["TARGET"], "61")} if before["TARGET"] != "61" else {}),
    }
    assert before.keys() == after.keys()
    assert 'settings.toml had PIXEL_ORDER = "GRB"; it is now "RGB"' in said


@pytest.mark.parametrize("design", designs())
def test_every_ready_design_can_be_changed_later_however_it_is_fed(drive: Path, design: str) -> None:
    set_up(drive, "--design", design, "--source")
    before = values((drive / "settings.toml").read_text(encoding="utf-8"))
    other = "RGB" if before["PIXEL_ORDER"] == '"GRB"' else "GRB"
    set_up(drive, "--order", other, "--source")
    assert values((drive / "settings.toml").read_text(encoding="utf-8")) == {**before, "PIXEL_ORDER": f'"{other}"'}


def test_strips_with_a_supply_of_their_own_are_still_strips_when_they_are_changed(drive: Path) -> None:
    set_up(drive, "--design", "board", "--supply", "4")
    assert "the copper of a strip" in set_up(drive, "--fuse", "4", exit_code=1).stderr


def test_the_commit_time_is_a_choice_and_stays_when_it_is_not_named(drive: Path) -> None:
    set_up(drive, "--design", "travel", "--commit", "7")
    assert has(drive, "COMMIT_AFTER_S") == ["7"]
    set_up(drive, "--design", "board", "--brightness", "20")
    assert has(drive, "COMMIT_AFTER_S", "BRIGHTNESS") == ["7", "20"]
    said = set_up(drive, "--commit", "0").stderr
    assert has(drive, "COMMIT_AFTER_S") == ["0"]
    assert "settings.toml had COMMIT_AFTER_S = 7; it is now 0" in said


def test_teams_that_other_players_cannot_be_are_none(drive: Path) -> None:
    set_up(drive, "--players", "4", "--teams", "2")
    said = set_up(drive, "--players", "3").stderr
    assert (has(drive, "PLAYERS", "TEAMS"), "TEAMS = 2; it is now 0" in said) == (["3", "0"], True)
    set_up(drive, "--players", "6", "--teams", "2")
    set_up(drive, "--players", "4")
    assert has(drive, "PLAYERS", "TEAMS") == ["4", "2"]


def test_a_choice_that_does_not_go_with_lines_of_ones_own_leaves_the_board_playing(drive: Path) -> None:
    set_up(drive, "--brightness", "30")
    file = drive / "settings.toml"
    file.write_text(file.read_text(encoding="utf-8") + "SKUNK_LINE = 91\n", encoding="utf-8")
    before = file.read_bytes()
    said = set_up(drive, "--target", "61", exit_code=1).stderr
    assert "SKUNK_LINE = 91: it is the first score that is safe, at most 61" in said
    assert ("nothing was changed" in said, file.read_bytes() == before) == (True, True)


def test_a_supply_brings_its_fuse_limit_and_wires(drive: Path) -> None:
    said = set_up(drive, "--design", "board", "--supply", "4").stdout
    assert "take out the wire from the controller's USB 5 V (VBUS)" in said, "or the supply would feed the computer"
    supply, usb, fuse, limit = map(int, has(drive, "SUPPLY_MA", "USB_MA", "FUSE_MA", "CURRENT_LIMIT_MA"))
    assert (supply, usb, fuse) == (4000, 0, 2000)
    assert 450 < limit <= 0.75 * fuse + 50
    assert "mm² from the supply to the fuses" in said


@pytest.mark.parametrize(
    ("design", "least"), [("board", "392"), ("travel", "272")], ids=["two tracks of 121", "two tracks of 61"]
)
def test_a_phone_lowers_the_limit_says_why_and_leaves_the_rest_as_it_is(drive: Path, design: str, least: str) -> None:
    set_up(drive, "--design", design, "--fuse", "0.75")
    before = values((drive / "settings.toml").read_text(encoding="utf-8"))
    said = set_up(drive, "--phone").stdout
    assert values((drive / "settings.toml").read_text(encoding="utf-8")) == {**before, "CURRENT_LIMIT_MA": least}
    assert f"current limit {least} mA" in said
    assert "a phone gives 500 mA or less" in said and "powered hub" in said and "supply of its own is better" in said
    set_up(drive, "--brightness", "20")
    assert has(drive, "CURRENT_LIMIT_MA", "BRIGHTNESS") == [least, "20"], "the limit stays when something else changes"
    assert "a phone gives" not in set_up(drive, "--usb", "0.5").stdout
    assert has(drive, "CURRENT_LIMIT_MA", "USB_MA") == ["450", "500"]


def test_a_phone_in_place_of_a_charger_is_no_charger_any_more(drive: Path) -> None:
    set_up(drive, "--design", "board", "--usb", "1.5")
    set_up(drive, "--phone", "--fuse", "0.5")
    assert has(drive, "CURRENT_LIMIT_MA", "USB_MA", "SUPPLY_MA", "FUSE_MA") == ["392", "500", "0", "500"]


@pytest.mark.parametrize(
    ("words", "exit_code", "says"),
    [
        (["--supply", "39"], 2, "not in the range"),
        (["--supply", "12"], 1, "8 A or less"),
        (["--usb", "3"], 1, "1.8 A"),
        (["--usb", "0.2"], 2, "they need"),
        (["--usb", "nan"], 2, "'nan' is no number"),
        (["--supply", "nan"], 2, "'nan' is no number"),
        (["--usb", "1", "--supply", "1"], 2, "exclude each other"),
        (["--usb", "1", "--phone"], 2, "exclude each other"),
        (["--design", "three-tracks", "--phone"], 2, "363 lights: they need a limit of 513 mA"),
        (["--design", "oval", "--phone"], 2, "next to nothing from a phone"),
        (["--supply", "4", "--fuse", "4"], 1, "fuse"),
        (["--commit", "61"], 2, "61 is not in the range 0<=x<=60"),
        (["--commit", "-1"], 2, "-1 is not in the range 0<=x<=60"),
        (["--design", "nosuch"], 2, "there is no design 'nosuch'"),
        (["--players", "3", "--teams", "2"], 2, "3 players cannot be 2 teams\n  take 0 (0: no teams)"),
        (["--piezo", "GP99"], 1, "GP99"),
        (["--piezo", "GP6"], 1, "[piezo] pin: GP6: it is the same pin as GP6 of [buttons] players"),
    ],
)
def test_what_cannot_be_is_refused_in_words_and_nothing_is_written(
    drive: Path, words: list[str], exit_code: int, says: str
) -> None:
    before = sorted(path.name for path in drive.rglob("*"))
    done = set_up(drive, *words, exit_code=exit_code)
    assert says in done.stderr
    assert sorted(path.name for path in drive.rglob("*")) == before


def test_a_dry_run_with_json_says_what_it_would_do(drive: Path) -> None:
    before = {path: path.read_bytes() for path in drive.rglob("*") if path.is_file()}
    entry = printed(set_up(drive, "--design", "travel", "--dry-run", "--json").stdout)
    assert (entry["done"], "settings.toml" in entry["write"]) == (False, True)
    assert {path: path.read_bytes() for path in drive.rglob("*") if path.is_file()} == before


def answered(drive: Path, keys: bytes, exit_code: int = 0) -> str:
    """What setup says to somebody who types this."""
    pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "cribboard", "setup", str(drive)]
    with subprocess.Popen(words, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
        os.write(ours, keys)
        said, _ = running.communicate(timeout=120)
    os.close(ours)
    os.close(theirs)
    assert running.returncode == exit_code, said
    return said


def test_the_end_of_the_input_at_a_question_ends_it_without_a_word_and_writes_nothing(drive: Path) -> None:
    before = sorted(path.name for path in drive.rglob("*"))
    assert "should not have happened" not in answered(drive, b"travel\n\x04", exit_code=130)
    assert sorted(path.name for path in drive.rglob("*")) == before


def test_typed_alone_in_a_terminal_it_asks_and_enter_takes_what_is_usual(drive: Path) -> None:
    said = answered(drive, b"travel\n\n\n40\ny\n\n8\n")
    assert "2 tracks of 61 lights, fed by USB of 0.5 A" in said
    assert has(drive, "BRIGHTNESS", "LEDS_PER_TRACK", "PLAYERS", "COMMIT_AFTER_S") == ["40", "61", "2", "8"]
    assert has(drive, "STRONG_PEGS") == ["1"]


def test_typed_alone_somebody_whose_phone_feeds_the_board_is_not_asked_for_its_amperes(drive: Path) -> None:
    said = answered(drive, b"travel\nphone\n" + b"\n" * 4)
    assert "amperes" not in said and "current limit 272 mA" in said
    assert "current limit 272 mA" in answered(drive, b"\n" * 7), "Enter leaves the limit of a phone"


def test_typed_alone_for_a_board_that_is_set_up_enter_leaves_all_as_it_is(drive: Path) -> None:
    set_up(drive, "--design", "large", "--brightness", "37", "--target", "61", "--commit", "8", "--fuse", "0.75")
    before = (drive / "settings.toml").read_text()
    assert "same: what this board is set up for now" in answered(drive, b"\n" * 7)
    assert (drive / "settings.toml").read_text() == before
    answered(drive, b"\n\n\n12\n\n\n\n")
    assert (drive / "settings.toml").read_text() == before.replace("BRIGHTNESS = 37", "BRIGHTNESS = 12") != before
