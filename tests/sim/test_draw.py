"""The board as text: every light in its hole, in its colour, at any width."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console
from rich.text import Text

from cribboard.sim.draw import FIVE, Colour, DrawOptions, hue, letter, row_width, seen, track_lines
from cribboard.sim.keys import Layout
from cribboard.sim.scores import read_match, score_lines
from cribboard.sim.screen import BEGIN, END, Screen
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_fw.paint import BACK, FRONT, GLOW, PENDING, RGB, WHITE, Palette

DARK: Colour = (0, 0, 0)
COLOURS = DrawOptions(letters=False, brightness=30, width=80, height=24)
LETTERS = DrawOptions(letters=True, brightness=30, width=80, height=24)


def lights(**on: Colour) -> list[Colour]:
    pixels = [DARK] * 121
    for name, colour in on.items():
        pixels[int(name[1:]) - 1] = colour
    return pixels


def painted(who: int, kind: int, brightness: int = 30) -> Colour:
    packed = max(Palette(brightness).pattern(kind << 3 | who))
    return packed >> 16, packed >> 8 & 255, packed & 255


def places_of(lines: list[Text]) -> list[tuple[int, int]]:
    """Row and column of each lit hole."""
    return [(row, at.start()) for row, line in enumerate(lines) for at in re.finditer("\u25cf", line.plain)]


def test_every_hole_is_drawn_once() -> None:
    for shape in ((30, 2), (60, 1), (15, 1)):
        lines = track_lines("1", lights(), COLOURS, shape)
        assert sum(line.plain.count("\u00b7") for line in lines) == 121
        assert len(lines) == 1 + 120 // shape[0]


@pytest.mark.parametrize("leds", [61, 121])
def test_the_game_hole_ends_the_last_row(leds: int) -> None:
    pixels = [DARK] * (leds - 1) + [(9, 9, 9)]
    lines = track_lines("1", pixels, COLOURS, (30, 2))
    assert lines[-1].plain.endswith("|\u25cf")
    assert len(lines) == 1 + (leds - 1) // 30


def test_the_rulers_numbers_stand_above_their_holes() -> None:
    for shape in ((30, 2), (30, 1), (60, 1)):
        ruler = track_lines("1", lights(), COLOURS, shape)[0].plain
        for hole in range(FIVE, shape[0] + 1, FIVE):
            [(row, column)] = places_of(track_lines("1", lights(**{f"h{hole}": (9, 9, 9)}), COLOURS, shape))
            assert row == 1
            assert ruler[: column + 1].endswith(f" {hole}")


def test_a_row_is_labelled_with_its_first_hole() -> None:
    labels = [line.plain.split()[0] for line in track_lines("1", lights(), COLOURS, (30, 2))[1:]]
    assert labels == ["1", "31", "61", "91"]


def test_no_row_is_wider_than_it_says() -> None:
    for shape in ((30, 2), (60, 1), (5, 1)):
        for line in track_lines("1", lights(h121=(1, 1, 1)), COLOURS, shape):
            assert line.cell_len <= row_width(*shape)


@pytest.mark.parametrize(
    ("width", "height", "tracks", "shape"),
    [
        (80, 12, 2, (30, 2)),
        (200, 4, 2, (60, 2)),
        (80, 6, 3, (60, 1)),
        (50, 99, 2, (30, 1)),
        (40, 99, 2, (15, 2)),
        (30, 99, 2, (15, 1)),
        (10, 99, 4, (5, 1)),
        (80, 1, 4, (60, 1)),
    ],
)
def test_the_holes_are_folded_to_the_room_there_is(
    width: int, height: int, tracks: int, shape: tuple[int, int]
) -> None:
    assert DrawOptions(False, 30, width, height).shape(tracks, 121) == shape


def test_light_is_drawn_as_an_eye_sees_it() -> None:
    assert seen((0, 0, 0), 30) == DARK
    assert seen((77, 77, 77), 30) == (255, 255, 255)
    assert seen((255, 0, 0), 30) == (255, 0, 0)
    assert seen((8, 4, 0), 30)[0] > 80
    for place in range(6):
        assert hue(place).color is not None


@pytest.mark.parametrize("brightness", [10, 30, 100])
@pytest.mark.parametrize("who", range(6))
def test_without_colours_a_letter_names_the_colour_and_how_bright_it_is(who: int, brightness: int) -> None:
    name = "obgyrp"[who]
    assert letter(painted(who, FRONT, brightness), brightness) == name.upper()
    assert letter(painted(who, PENDING, brightness), brightness) == name + "+"
    assert letter(painted(who, BACK, brightness), brightness).lower() == name


def test_a_landmark_is_faint() -> None:
    assert [letter(painted(WHITE, GLOW, percent), percent) for percent in (10, 30, 100)] == [":", ":", ":"]
    assert len(RGB) == 7


def test_letters_stand_where_the_lights_do() -> None:
    line = track_lines("1", lights(h3=painted(1, FRONT), h4=painted(1, PENDING)), LETTERS, (30, 2))[1]
    assert line.plain.startswith("   1 . . B b+. ")


def test_keys_are_neighbours_and_no_two_buttons_share_one() -> None:
    layout = Layout([["a", "b", "c"], None, ["d", "e", "f"]] + [None] * 3, "u", "d")
    assert {place: "".join(button.key for button in three) for place, three in layout.places.items()} == {
        0: "qwe",
        2: "asd",
    }
    full = Layout([[f"{place}{n}" for n in range(3)] for place in range(6)], "u", "d")
    pressed = {key: full.press(key) for key in "qweuioasdjklrtyfghzx"}
    assert len({button.pin for button, _ in filter(None, pressed.values())}) == 20


def test_a_capital_holds_a_button_and_backspace_is_undo() -> None:
    layout = Layout([["a", "b", "c"]], "u", "d")
    assert layout.press("q") == (layout.places[0][0], False)
    assert layout.press("Q") == (layout.places[0][0], True)
    assert layout.press("\x7f") == (layout.undo, False)
    assert layout.press("X") == (layout.deal, True)
    assert layout.press("u") is None
    assert layout.press("?") is None


def screen() -> Screen:
    return Screen(Console(file=io.StringIO(), force_terminal=True, color_system=None))


def test_only_lines_that_changed_are_sent() -> None:
    shown = screen()
    first = shown.update([Text("one"), Text("two")], (20, 5))
    assert "one" in first
    assert "two" in first
    assert first.startswith(BEGIN)
    assert first.endswith(END)
    second = shown.update([Text("one"), Text("2")], (20, 5))
    assert "\x1b[2;1H2" in second
    assert "one" not in second
    assert shown.update([Text("one"), Text("2")], (20, 5)) == ""


def test_a_new_size_draws_anew_and_lines_that_ended_are_wiped() -> None:
    shown = screen()
    shown.update([Text("one"), Text("two")], (20, 5))
    assert "\x1b[2J" in shown.update([Text("one"), Text("two")], (30, 5))
    assert "\x1b[2;1H\x1b[J" in shown.update([Text("one")], (30, 5))
    assert "two" not in shown.update([Text("one"), Text("two")], (20, 1))


def test_a_line_is_cropped_and_never_wraps() -> None:
    assert "\n" not in screen().update([Text("long " * 20)], (20, 5))


def test_a_dumb_terminal_is_as_wide_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert "|o" in screen().update([Text("." * 97 + "|o")], (100, 5))


def test_the_score_is_read_from_the_journal_as_the_board_does() -> None:
    flash = bytearray(b"\xff" * 4096)
    assert read_match(bytes(flash)) is None
    match, journal = Match(), Journal(flash)
    journal.mount(match, 1)
    for rev, points in enumerate((8, 4), 1):
        event = (2, 0, points, 0, 0)
        journal.append(match, event)
        match.apply(rev, event)
    read = read_match(bytes(flash))
    assert read is not None
    assert score_lines(read) == ["orange 12 (8)", "blue 0 (0)", "orange deals, to 121"]


def test_a_win_is_said() -> None:
    match = Match(61)
    for rev in range(1, 3):
        match.apply(rev, (2, 1, 46, 0, 0))
    assert score_lines(match) == ["orange 0 (0), skunked", "blue 61 (46), won 1", "blue has won the game to 61"]
