"""The worked examples: what is in their files, as the package has it."""

from __future__ import annotations

import json
from pathlib import Path

from cribboard.league.reading import read_played
from cribboard.league.rules import as_number

FOLDER = Path(__file__).parent / "examples"


def files(*kinds):
    """The examples of these kinds, by the names of their files."""
    entries = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))}
    return {name: entry for name, entry in entries.items() if entry["kind"] in kinds}


def cases(kind):
    """The cases of the one example of a kind."""
    ((_, entry),) = files(kind).items()
    return entry["cases"]


def played(entry):
    """The results of an example."""
    return [read_played(result) for result in entry["results"]]


def as_expected(rows, expected):
    """The rows by what an example says of them: only the columns that it has."""
    names = {"name": "who", "played": "games"}
    lines = []
    for row, wanted in zip(rows, expected, strict=True):
        line = {column: getattr(row, names.get(column, column)) for column in wanted}
        for column in {"points", "best_night"} & set(line):
            line[column] = as_number(line[column])
        lines.append(line)
    return lines
