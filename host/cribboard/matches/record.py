"""The record of finished games on this host: a file of JSON lines, of which the last about a game counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from cribboard.errors import ArgumentError
from cribboard.files import Entry, append_line, home, read_lines
from cribboard.matches.result import Result, of_entry


def results_file() -> Path:
    """Where they are."""
    return home() / "results.jsonl"


def game_id(uid: str, epoch: int, game: int) -> str:
    """What names one game of one board: the board, its journal, the event that began the game."""
    return f"{uid}:{epoch}:{game}"


def record(result: Result, *, anew: bool = True) -> None:
    """Write a finished game down; nothing is written when its last line says so already.

    Without `anew` any line about this game will do, also that it does not count.
    """
    said = _last(result.game)
    if said is None or (anew and (said.get("void") or of_entry(said) != result)):
        when = datetime.now(UTC).isoformat(timespec="seconds")
        append_line(results_file(), replace(result, when=when).entry())


def withdraw(game: str) -> None:
    """Write down that a game does not count: it was not won after all, or it was none of the table's own."""
    said = _last(game)
    if said is None or not said.get("void"):
        append_line(results_file(), {"game": game, "void": True})


def recorded() -> list[Result]:
    """The games that count."""
    lines = []
    for number, entry in read_lines(results_file()):
        try:
            lines.append(read_line(entry))
        except ArgumentError as error:
            raise ArgumentError(f"{results_file()}, line {number}: {error.message}", error.hint) from error
    return counting(lines)


def read_line(entry: Entry) -> tuple[str, Result | None]:
    """What a line of the record says of which game: None that it does not count."""
    if entry.get("void") is True:
        return str(entry.get("game", "")), None
    result = of_entry(entry)
    return result.game, result


def counting(lines: Iterable[tuple[str, Result | None]]) -> list[Result]:
    """Of lines as `read_line` gives them the last about each game, in the order in which the games were first won."""
    found = {game or number: result for number, (game, result) in enumerate(lines)}
    return [result for result in found.values() if result is not None]


def _last(game: str) -> Entry | None:
    lines = read_lines(results_file()) if game else []
    return next((entry for _, entry in reversed(lines) if entry.get("game") == game), None)
