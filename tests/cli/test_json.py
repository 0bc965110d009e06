"""What `--json` prints: the page that has its shapes, made of the commands' help, and the objects themselves.

To write the page again: `python -m cli.test_json` in `tests`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from rigs.typed import Typed

from cribboard.cli.main import cli
from cribboard.json_types import FORMAT

PAGE = Path(__file__).parents[2] / "host" / "json.md"
HEAD = f"""\
# What the commands print for programs

For whoever writes a program that calls `cribboard`: the keys of each object that `--json` prints, one object a line.
The page is made of the commands' `--help`; [README.md](README.md#for-programs) has errors and exit statuses. A batch
answers in the form that its help has, without a version.

Each object of `--json` has the key `format`, now {FORMAT}. It becomes {FORMAT + 1} when a key goes or means something
else; new keys do not change it, so pass over those that you do not know.

| command | prints |
|---|---|
"""


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """All that are not hidden, by their words."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        elif not command.hidden:
            yield " ".join((*path, name)), command


def keys_in(text: str) -> str:
    """What a help says of --json, as one line."""
    paragraphs = [" ".join(each.split()) for each in text.split("\n\n") if "--json" in each]
    found = re.search(r"With --json.*", " ".join(paragraphs))
    return found[0] if found else ""


def shapes() -> dict[str, str]:
    """What each command prints."""
    pattern = r"With --json every command that changes.*?\(the sentence for people\)\."
    changes = re.search(pattern, keys_in(cli.help or ""))
    assert changes
    return {name: keys_in(command.help or "") or changes[0] for name, command in commands(cli)}


def text() -> str:
    """The page's."""
    alike: dict[str, list[str]] = {}
    for name, says in shapes().items():
        alike.setdefault(says, []).append(f"`{name}`")
    return HEAD + "".join(f"| {', '.join(names)} | {_cell(says)} |\n" for says, names in alike.items())


def _cell(says: str) -> str:
    """The text as a cell: the table's head already says when it is printed."""
    short = re.sub(r"^With --json(?: each line is(?: answered by)? (?:one|an) object)?[:,]? ", "", says)
    return (short[0].upper() + short[1:]).replace("|", "\\|")


def objects(typed: Typed, *words: str, given: str | None = None) -> list[dict[str, object]]:
    """What a command prints for programs."""
    return [json.loads(line) for line in typed(*words, "--json", given=given).stdout.splitlines()]


def test_the_page_has_what_the_help_says() -> None:
    assert PAGE.read_text("utf-8") == text()


TRIED = {
    "new": ("new", "Ann", "Bob"),
    "peg": ("peg", "Ann", "2"),
    "hand": ("hand", "Bob", "5H5C5SJD", "--starter", "5D"),
    "undo": ("undo",),
    "state": ("state",),
    "count": ("count", "5H5C5SJD", "--starter", "5D"),
    "discard": ("discard", "5H6C7D8SJHKC", "--crib", "mine"),
    "odds": ("odds", "5H6C7D8S"),
    "history list": ("history", "list"),
    "hardware power": ("hardware", "power"),
    "hardware settings": ("hardware", "settings"),
    "hardware form": ("hardware", "form"),
    "completion": ("completion", "bash"),
    "play": ("play", "Ann", "Bob"),
    "learn": ("learn", "fifteens", "--seed", "1"),
    "tiles": ("tiles", "Ann", "Bob"),
}
GIVEN = {"play": "Ann\nzz\n", "learn": "6\nzz\n", "tiles": "G7 5L5D\nscores\n"}


@pytest.mark.parametrize("name", TRIED)
def test_each_object_has_its_version_and_only_keys_that_the_page_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    typed = Typed(tmp_path, monkeypatch)
    if name != "new":
        typed("new", "Ann", "Bob")
    if name == "undo":
        typed("peg", "Ann", "3")
    if name == "history list":
        typed("set-score", "Ann", "121")
    found = objects(typed, *TRIED[name], given=GIVEN.get(name))
    assert found
    said = set(re.findall(r"\w+", shapes()[name]))
    for entry in found:
        assert entry.pop("format") == FORMAT
        assert set(entry) <= said | {"error"}, sorted(set(entry) - said)


def test_an_error_has_the_version_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = Typed(tmp_path, monkeypatch)("peg", "Zed", "2", "--json", exit_code=2).stdout
    assert {name: type(value) for name, value in json.loads(told).items()} == {"error": dict, "format": int}


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
