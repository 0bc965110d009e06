"""The logic of the pages' modules, under Node, and that it says what Python says."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

import cribboard
from cribboard.board.messages import Standing
from cribboard.names import Names
from cribboard.service.view import match_entry
from cribboard.words import Words
from cribboard_core.events import PEG
from cribboard_core.match import Match

HERE = Path(__file__).parent
HOST = Path(cribboard.__file__).parent
SHARED = ("rev", "game", "target", "skunk", "double", "winner", "sides", "dealer", "crib")
READ = """
import { readFileSync } from "node:fs";
import { standing } from "./standing.js";
import { scores } from "./words.js";
const cards = { crib_counted: false, pile: [] };
const NAMES = ["rev", "game", "target", "seats", "sides", "dealer", "skunk", "double", "winner", "pegs", "won"];
const known = (names) => ({ names, waiting: {}, me: 1, table: cards, undo: null, redo: null });
const results = JSON.parse(readFileSync(0, "utf8")).map(({ state, names }) =>
  standing(Object.fromEntries(NAMES.map((name, at) => [name, state[at]])), known(names)));
console.log(JSON.stringify(results.map((one) => [one, scores(one)])));
"""

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None, reason="Node is not installed: it runs the pages' modules"
)


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All modules of the pages in one folder, where Node takes them for what they are."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    for path in (
        *(HOST / "web" / "static").glob("*.js"),
        *(HOST / "site" / "static").glob("*.js"),
        *HERE.glob("*.mjs"),
    ):
        shutil.copy(path, folder)
    return folder


@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("*.test.mjs")))
def test_modules_do_what_their_tests_say(modules: Path, name: str) -> None:
    done = subprocess.run(
        ["node", "--test", name], cwd=modules, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout


def test_a_match_of_the_wire_is_for_pages_what_the_kiosk_makes_of_it(modules: Path) -> None:
    matches = [played(seed) for seed in range(60)]
    asked = [{"state": Standing.of(match).fields(), "names": {1: "Ann"}} for match in matches]
    (modules / "read.mjs").write_text(READ, encoding="utf-8")
    command = ["node", str(modules / "read.mjs")]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, timeout=60, check=True)
    for match, (shown, said) in zip(matches, json.loads(done.stdout), strict=True):
        names = Names(match, {0: "Ann"})
        ours = match_entry(match, names, {}, lambda owner: "", {side: match.won(side) for side in match.sides})
        assert {name: shown[name] for name in SHARED} == {name: ours[name] for name in SHARED}
        assert said.startswith(f"{Words(match, names).scores(match.sides)}.")


def played(seed: int) -> Match:
    """A match of any size after some scores, won or not."""
    draw = random.Random(seed)
    seats, sides = draw.choice([(2, 2), (3, 3), (4, 2), (4, 4), (6, 2), (6, 3)])
    match = Match(draw.choice([61, 121]), (1 << seats) - 1, sides, draw.randrange(seats))
    for rev in range(1, draw.randrange(1, 60)):
        if match.winner >= 0:
            break
        match.apply(rev, (PEG, draw.choice(match.sides), draw.randrange(1, 13), 0, 0))
    return match
