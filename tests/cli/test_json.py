"""What `--json` prints: the page that has its shapes, made of the commands' help, and the objects themselves.

To write the page again: `python -m cli.test_json` in `tests`.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from install.circuitpy import not_measured, plug_in
from rigs.typed import Typed

from cribboard import connect
from cribboard.board.find import Found
from cribboard.cli.main import cli
from cribboard.json_types import FORMAT
from cribboard.site import micropython

PAGE = Path(__file__).parents[2] / "host" / "json.md"
TRAVEL = Path(__file__).parents[2] / "hardware" / "boards" / "travel.toml"  # the smallest
HEAD = f"""\
# What the commands print for programs

The keys of each object that `--json` prints, one object a line, as the commands' `--help` has them.
[README.md](README.md#for-programs) has errors and exit statuses.

Each object has the key `format`, now {FORMAT}. It becomes {FORMAT + 1} when a key goes or means something
else; new keys do not change it, so skip those that you do not know. A batch answers as its help says, without it.

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
    match = re.search(r"With --json.*", " ".join(paragraphs))
    return match[0] if match else ""


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


def test_the_page_has_what_the_help_says() -> None:
    assert PAGE.read_text("utf-8") == text()


TRIED = {
    "play": ("play", "Ann", "Bob"),
    "play --options": ("play", "--options"),
    "kiosk": ("kiosk", "--new-pin"),
    "tiles": ("tiles", "Ann", "Bob"),
    "site": ("site", "{folder}/pages"),
    "site --single": ("site", "--single", "{folder}/page.html"),
    "new": ("new", "Ann", "Bob"),
    "peg": ("peg", "Ann", "2"),
    "hand": ("hand", "Bob", "5H5C5SJD", "--starter", "5D"),
    "nibs": ("nibs", "Ann"),
    "go": ("go", "Ann"),
    "next-deal": ("next-deal",),
    "undo": ("undo",),
    "redo": ("redo",),
    "state": ("state",),
    "penalty": ("penalty", "Ann", "2"),
    "muggins": ("muggins", "Bob", "2", "--from", "Ann"),
    "false-claim": ("false-claim", "Ann", "1"),
    "set-score": ("set-score", "Ann", "57"),
    "learn": ("learn", "fifteens", "--seed", "1"),
    "learn --read": ("learn", "fifteens", "--read"),
    "count": ("count", "5H5C5SJD", "--starter", "5D"),
    "discard": ("discard", "5H6C7D8SJHKC", "--crib", "mine"),
    "odds": ("odds", "5H6C7D8S"),
    "cheatsheet": ("cheatsheet", "--into", "{folder}"),
    "sheet": ("sheet", "{folder}/night.txt", "--best-of", "3"),
    "sheet --points": ("sheet", "{folder}/league.txt", "--points", "legs"),
    "history list": ("history", "list"),
    "history show": ("history", "show", "1"),
    "history export": ("history", "export", "{folder}/more.json"),
    "history import": ("history", "import", "{folder}/all.json"),
    "history backup": ("history", "backup", "{folder}/copy.db"),
    "history restore": ("history", "restore", "{folder}/kept.db"),
    "review": ("review", "--worst", "0"),
    "review --duplicate": ("review", "--duplicate"),
    "review --all": ("review", "--all"),
    "boards": ("boards",),
    "sim": ("sim", "--picture", "{folder}/board.svg"),
    "completion": ("completion", "bash"),
    "hardware draw": ("hardware", "draw", "--board", str(TRAVEL), "--into", "{folder}"),
    "hardware template": ("hardware", "template", "--board", str(TRAVEL), "--into", "{folder}"),
    "hardware grid": ("hardware", "grid", "--board", str(TRAVEL), "--into", "{folder}"),
    "hardware settings": ("hardware", "settings"),
    "hardware check": ("hardware", "check", "--controller", "adafruit_qtpy_rp2040"),
    "hardware power": ("hardware", "power"),
    "hardware parts": ("hardware", "parts"),
    "hardware order": ("hardware", "order"),
    "hardware case": ("hardware", "case", "--board", str(TRAVEL), "--into", "{folder}"),
    "hardware model": ("hardware", "model", "--board", str(TRAVEL), "--into", "{folder}"),
    "hardware sheets": ("hardware", "sheets", "--board", str(TRAVEL), "--into", "{folder}"),
    "hardware step": ("hardware", "step", "--board", str(TRAVEL), "--into", "{folder}"),
    "hardware form": ("hardware", "form"),
    "hardware carrier": ("hardware", "carrier", "--into", "{folder}"),
    "hardware pictures": ("hardware", "pictures", "--board", str(TRAVEL), "--into", "{folder}"),
    "setup": ("setup", "--design", "travel", "--dry-run", "{folder}/CIRCUITPY"),
    "setup --now": ("setup", "--now"),
    "install": ("install", "--dry-run", "{folder}/CIRCUITPY"),
    "update": ("update", "--dry-run", "{folder}/CIRCUITPY"),
    "uninstall": ("uninstall", "--dry-run", "{folder}/CIRCUITPY"),
}
if shutil.which("dot"):
    TRIED["hardware wiring"] = ("hardware", "wiring", "--into", "{folder}")
if find_spec("mitsuba"):
    TRIED["hardware render"] = ("hardware", "render", "--width", "16", "--samples", "1", "--into", "{folder}")
GAME = ("Ann", "Bob", "--computer", "Bob", "--seed", "5", "--codes")
GIVEN = {"play": "Ann\nzz\n", "learn": "6\nzz\n", "tiles": "G7 5L5D\nscores\n"}
WRONG = {"hardware check"}  # exits with 1
BEFORE = {
    "undo": (("peg", "Ann", "3"),),
    "redo": (("peg", "Ann", "3"), ("undo",)),
    "false-claim": (("peg", "Ann", "3"),),
    **dict.fromkeys(("history list", "history show", "history export"), (("set-score", "Ann", "121"),)),
    "history import": (("set-score", "Ann", "121"), ("history", "export", "{folder}/all.json")),
    "history restore": (("set-score", "Ann", "121"), ("history", "backup", "{folder}/kept.db")),
    **dict.fromkeys(("review", "review --duplicate", "review --all"), (("play", *GAME),)),
    "update": (("install", "{folder}/CIRCUITPY"),),
}
LIKE = {**dict.fromkeys(("setup", "update", "uninstall"), "install"), "history show": "history list", "watch": "peg"}
ELSEWHERE = {  # where only_named looks at what these print: they need a board that runs
    "demo": "cli/test_demo.py",
    "watch": "cli/test_state.py",
    "doctor": "doctor/test_doctor_typed.py",
    "bringup": "doctor/test_bring_up.py",
    **({} if shutil.which("dot") else {"hardware wiring": "cli/test_json.py"}),
    **({} if find_spec("mitsuba") else {"hardware render": "cli/test_json.py"}),
}
BATCHES = {"count-play", "choose"}  # they print no object of --json


def only_named(name: str, entries: Iterable[dict[str, object]]) -> None:
    """Check that what a command printed has the version, and only keys that the page names."""
    said = {*re.findall(r"\w+", shapes()[name] + shapes().get(LIKE.get(name, ""), "")), "error", "format"}
    entries = list(entries)
    assert entries
    for entry in entries:
        assert entry["format"] == FORMAT
        assert set(entry) <= said, sorted(set(entry) - said)


def test_every_command_is_tried() -> None:
    tried = {name.split(" --")[0] for name in TRIED}
    assert tried | set(ELSEWHERE) | BATCHES == set(shapes())
    for name, path in ELSEWHERE.items():
        refused = f'only_named("{name}"' in (Path(__file__).parents[1] / path).read_text("utf-8")
        assert refused or name in ("hardware wiring", "hardware render")


@pytest.mark.parametrize("name", TRIED)
def test_each_object_has_its_version_and_only_keys_that_the_page_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    monkeypatch.setattr(connect, "list_boards", lambda: [Found("/dev/ttyACM1", "e661", "attached", "a board")])
    monkeypatch.setattr(micropython, "runtime", lambda given: micropython.Runtime(b"export {}", b"\0asm"))
    not_measured(monkeypatch)
    plug_in(tmp_path / "CIRCUITPY")
    (tmp_path / "night.txt").write_text("Ann 121 Bob 88\nAnn 121 Bob 90\n")
    (tmp_path / "league.txt").write_text("Red Lion v Crown\nAnn 121 Bob 88\n")
    typed = Typed(tmp_path, monkeypatch)
    for words in () if name == "new" else (("new", "Ann", "Bob"), *BEFORE.get(name, ())):
        typed(*(word.format(folder=tmp_path) for word in words), given="3D QD\n" if words[0] == "play" else None)
    words = [word.format(folder=tmp_path) for word in TRIED[name]]
    output = typed(*words, "--json", given=GIVEN.get(name), exit_code=int(name in WRONG)).stdout
    only_named(name.split(" --")[0], map(json.loads, output.splitlines()))


def test_an_error_has_the_version_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = Typed(tmp_path, monkeypatch)("peg", "Zed", "2", "--json", exit_code=2).stdout
    assert {name: type(value) for name, value in json.loads(output).items()} == {"error": dict, "format": int}


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
