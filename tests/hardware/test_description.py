"""board.toml: what is read, and every mistake with its section, its key, its value and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from cribboard.hardware.description import DescriptionError, folder, load, read
from hardware.boards import HARDWARE, READY, changed, ready

DEFAULT = (HARDWARE / "board.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", READY)
def test_the_ready_boards_can_be_read(name: str) -> None:
    board = ready(name)
    assert board.pixels == board.tracks.count * board.tracks.leds
    assert len(board.tracks.pins) == board.tracks.count


def test_without_a_file_it_is_the_default_board() -> None:
    assert load() == ready("board.toml")
    assert load().name == "Three streets"


@pytest.mark.parametrize(("strip", "pitch"), [("30/m", 33.333), ("60/m", 16.667), ("144/m", 6.944)])
def test_a_strips_pitch_is_its_own(strip: str, pitch: float) -> None:
    board = changed(('"144/m"', f'"{strip}"'))
    assert board.shape.pitch_mm == pytest.approx(pitch, abs=0.001)
    assert board.track_m == pytest.approx(121 * pitch / 1000, abs=0.001)


def test_a_pitch_that_is_the_strips_may_be_given() -> None:
    assert changed(("streets = 3", "streets = 3\npitch_mm = 6.944")).shape.pitch_mm == 1000 / 144


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("streets = 3", "streets = 3\npitch_mm = 15", "pitch_mm = 15: the pixels of a 144/m strip are 6.944 apart"),
        ("streets = 3", "streets = 7", "[shape] streets = 7: 120 holes cannot be shared out evenly"),
        ('"144/m"', '"61/m"', '[shape] strip = "61/m": choose one of "30/m", "60/m", "144/m", "5mm"'),
        ('"144/m"', '"5mm"', "[shape] pitch_mm is missing: choose a number from 1 to 3000"),
        ("margin_mm = 16", "margin_mm = 3", "[shape] margin_mm = 3: choose a number from 14 to 3000"),
        ("margin_mm = 16", "margin_mm = nan", "[shape] margin_mm = nan: choose a number"),
        ("[400, 400]", "900", "[shape] bed_mm = 900: write width and height in millimetres, such as [600, 400]"),
        ("leds = 121", "leds = 90", "[tracks] leds = 90: a track has 61 or 121"),
        ("count = 2", "count = 3", "[tracks] pins = ['GP2', 'GP3']: name one pin for each of the 3 tracks"),
        ("count = 2", "count = true", "[tracks] count = True: choose a whole number from 1 to 4"),
        ('["GP2", "GP3"]', '"GP2"', '[tracks] pins = "GP2": name pins, such as ["GP2", "GP3"]'),
        ("top left", "left", '[tracks] data_enters = "left": choose one of "top left"'),
        ("serpentine = true", "serpentine = 1", "[tracks] serpentine = 1: write true or false"),
        ('undo = "GP12"', 'undo = "GP 12"', '[buttons] undo = "GP 12": name a pin'),
        ('undo = "GP12"', 'undo = "gp2"', "[buttons] undo: gp2 is in [tracks] pins too"),
        ('"GP7", "GP8"]', '"GP7"]', "name three pins, for +1, +5 and OK, or none"),
        ('[["GP6"', '["GP6"', "is not TOML"),
        ('[["GP6", "GP7", "GP8"], ["GP9", "GP10", "GP11"]]', '"GP6"', 'players = "GP6": name pins in lists'),
        ('pin = ""', "pin = 14", "[piezo] pin = 14: name a pin"),
        ("far_edge = [2]", "far_edge = [3]", "[buttons] far_edge = [3]: name only places that have buttons"),
        ("far_edge = [2]", "far_edge = [true]", "far_edge = [True]: number places from 1 to 6, such as [2]"),
        ("screw_mm = 3.2", "screw_mm = 3.2\nkerf_mm = 2", "[shape] kerf_mm = 2: choose a number from 0 to 1"),
        ("dots_mm = 1.5", "dots_mm = 5.5", "[shape] dots_mm = 5.5: choose a number from 0 to 5"),
        ("players = 2", "players = 7", "[game] players = 7: choose a whole number from 2 to 6"),
        ("teams = 0", "teams = 2", "[game] teams = 2: 2 players can have 0 (0: no teams)"),
        ("target = 121", "target = 100", "[game] target = 100: a game is to 61, 91, 121 or 241"),
        ("limit_ma = 450", f'limit_ma = "{"a lot " * 12}"', "...: choose a whole number"),
        ("[piezo]", "[piezoo]", "piezo is missing: start a section with [piezo]"),
        ("limit_ma", "limit_mA", "[supply] limit_mA = 450: there is no such key; there are brightness, current_a"),
        ('name = "Three streets"', "name = 3", "name = 3: write text in quotes"),
        ('"Three streets"', '"\u4e09"', "take letters of Latin-1"),
        ('"Three streets"', '"A\\u001b[2J"', "name = 'A\\x1b[2J': take letters of Latin-1"),
        ('"Three streets"', f'"{"A" * 5000}"', f'name = "{"A" * 55} ...: use at most 60 letters'),
        ('"Three streets"', f'"{"A" * 41}"', "use a name of at most 40 letters"),
        ("[piezo]", f"{'k' * 5000} = 1\n[piezo]", f"{'k' * 60} ... = 1: there is no such key"),
        ('undo = "GP12"', f'undo = "{"G" * 5000}"', "name a pin"),
        ("limit_ma = 450", f"limit_ma = 0x{'f' * 5000}", "limit_ma = (thousands of digits): choose a whole number"),
        ("limit_ma = 450", f"limit_ma = {'9' * 5000}", "has a number of thousands of digits; write a shorter one"),
        ("limit_ma = 450", f"limit_ma = {'[' * 5000}{']' * 5000}", "has too many nested brackets"),
        ("main_wire_mm2 = 0", "main_wire_mm2 = 1", '[supply] main_wire_mm2 = 1: write 0; only kind = "5v" has it'),
        ("main_wire_mm2 = 0", "main_wire_mm2 = 0\nmain_fuse_a = 4", "main_fuse_a = 4: remove this line and that fuse"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_key_its_value_and_what_to_do(old: str, new: str, message: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        changed((old, new))
    assert message in str(caught.value)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("name", ["game", "controller", "tracks", "shape", "buttons", "piezo", "interface", "supply"])
def test_a_key_that_a_section_does_not_have_is_said_with_those_it_has(name: str) -> None:
    with pytest.raises(DescriptionError, match=rf"\[{name}\] colour = 1: there is no such key; there are \w+"):
        changed((f"[{name}]", f"[{name}]\ncolour = 1"))


def test_a_main_fuse_of_zero_amperes_is_none() -> None:
    assert changed(("main_wire_mm2 = 0", "main_wire_mm2 = 0\nmain_fuse_a = 0")) == ready()


def test_several_mistakes_are_told_at_once() -> None:
    with pytest.raises(DescriptionError) as caught:
        changed(("count = 2", "count = 9"), ("screw_mm = 3.2", "screw_mm = -1"))
    assert "[tracks] count = 9" in str(caught.value)
    assert "[shape] screw_mm = -1" in str(caught.value)


def test_an_oval_takes_no_strip_and_has_room_for_all() -> None:
    with pytest.raises(DescriptionError, match="no strip goes round bends"):
        changed(('"5mm"', '"144/m"'), ("pitch_mm = 10", "# pitch"), of="boards/oval.toml")
    with pytest.raises(DescriptionError, match=r"give 124 places; 121 LEDs and the start want 125 or more"):
        changed(("bend = 18", "bend = 17"), of="boards/oval.toml")


def test_a_29_takes_121_pixels_and_begins_at_the_top_left() -> None:
    of = "boards/twenty-nine.toml"
    with pytest.raises(DescriptionError, match='leds = 61: too few for kind = "29"; it takes 121'):
        changed(("leds = 121", "leds = 61"), of=of)
    with pytest.raises(DescriptionError, match='data_enters = "top right": a 29 begins at the "top left"'):
        changed(("top left", "top right"), of=of)


def test_a_file_that_cannot_be_read_is_said_with_where_ready_ones_are(tmp_path: Path) -> None:
    with pytest.raises(DescriptionError, match=r"no\.toml cannot be read: No such file") as caught:
        load(tmp_path / "no.toml")
    assert str(folder()) in caught.value.hint
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(DescriptionError, match=r"bad\.toml is not text"):
        load(tmp_path / "bad.toml")


def test_a_wheel_carries_the_ready_boards(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "cribboard"
    assert folder(package) == package / "_hardware"
    assert folder() == HARDWARE


def test_a_section_that_is_no_section_is_one_mistake() -> None:
    with pytest.raises(DescriptionError) as caught:
        read(DEFAULT.split("[game]")[0] + "game = 3\n" + DEFAULT.split("target = 121\n")[1])
    assert str(caught.value) == "board.toml: game = 3: start a section with [game]"


def test_a_number_of_tracks_that_cannot_be_is_not_held_against_the_pins() -> None:
    with pytest.raises(DescriptionError) as raised:
        changed(("count = 2", "count = 5"))
    assert raised.value.message == "board.toml: [tracks] count = 5: choose a whole number from 1 to 4"
