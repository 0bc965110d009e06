"""What a command says, as it fits on a terminal."""

from __future__ import annotations

import io

import pytest

from cribboard.cli import output
from cribboard.cli.output import emit, fitted, folded, note, qr_code, say

SENTENCE = "A misdeal is called after the deal and before the starter; undo goes back there."


class Terminal(io.StringIO):
    """Text for a person."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("width", range(12, 90, 7))
def test_lines_end_between_words(width: int) -> None:
    lines = folded(SENTENCE, width).split("\n")
    assert max(map(len, lines)) <= width
    assert " ".join(lines) == SENTENCE


def test_a_word_that_is_too_long_stays_whole() -> None:
    path = "/home/ann/.local/share/cribboard/sim/sim/settings.toml"
    assert path in folded(f"{path} cannot be written", 20).split("\n")


def test_lines_and_blanks_of_its_own_stay() -> None:
    assert folded("one\n\n  two", 40) == "one\n\n  two"


def test_what_follows_is_indented_as_the_line_is() -> None:
    assert folded("      join the group", 16) == "      join the\n      group"


def test_a_second_column_stays_one_where_there_is_room() -> None:
    assert folded("go    you have no card", 18) == "go    you have no\n      card"
    assert folded("counting=auto  (auto)  it counts", 18) == "counting=auto\n         (auto)\n         it counts"


def test_only_a_terminal_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "41")
    assert fitted(SENTENCE, io.StringIO()) == SENTENCE
    assert fitted(SENTENCE, Terminal()) == folded(SENTENCE, 40)


def test_a_code_is_drawn_only_where_it_can_be_scanned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output.sys, "stdout", Terminal())
    for columns, drawn in ("33", True), ("32", False):
        monkeypatch.setenv("COLUMNS", columns)
        assert bool(qr_code("http://192.0.2.2:8121/#k=aaaaaaaaaaaaaaaaaaaaaa", "l")) is drawn
    monkeypatch.setattr(output.sys, "stdout", io.TextIOWrapper(io.BytesIO(), "latin-1"))
    assert not qr_code("http://cribboard.local", "m")


def test_what_is_for_programs_is_never_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "41")
    shown, beside = Terminal(), Terminal()
    monkeypatch.setattr(output.sys, "stdout", shown)
    monkeypatch.setattr(output.sys, "stderr", beside)
    emit({"text": SENTENCE})
    assert shown.getvalue().count("\n") == 1
    say(SENTENCE)
    note(SENTENCE)
    assert shown.getvalue().count("\n") == 4
    assert beside.getvalue().count("\n") == 3
