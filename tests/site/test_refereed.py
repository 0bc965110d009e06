"""The referee and the computer in a page's MicroPython: they choose and say what the host's do."""

from __future__ import annotations

import bisect
import importlib.util
import itertools
import json
import math
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cribboard.board.messages import Standing
from cribboard.players import dealers_act, own_act
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import legal_cards, turn_of
from cribboard.site.folder import firmware
from cribboard.site.translated import TABLES, modules, translated
from cribboard_core.cards import card_name, cards_text
from cribboard_core.match import Match

HERE = Path(__file__).parent
STATIC = Path(__file__).parents[2] / "host" / "cribboard" / "site" / "static"
RUNTIME = HERE.parent / "vm" / "node_modules"


def host_game(level: str, seed: int) -> tuple[list[Any], list[Any]]:
    """A game of the host's computer against a player who lays his first cards: its acts, and what was said."""
    chance = random.Random(seed)
    start = Match(61, 3, 2, 0, (31, 15))
    setup = Setup(("You", "The computer"), (0, 1), target=61, dealt=True, computers=(1,), levels=(level,))
    referee = Referee(setup, pack_match(start, 7))
    said = []
    while referee.phase != "won":
        act = dealers_act(referee, chance)
        if act is None and turn_of(referee) == 1:
            act = own_act(referee)
        if act is None and referee.phase == "discard":
            assert referee.table.round is not None
            act = ["discard", 0, cards_text(sorted(referee.table.round.deal.hands[0])[:2])]
        act = act or ["play", 0, card_name(legal_cards(referee)[0])]
        referee.act(act)
        said.append(referee.said)
    return referee.acts, said


def test_the_page_plays_the_same_cards_and_says_the_same(tmp_path: Path) -> None:
    if not (RUNTIME / "@micropython").is_dir():
        pytest.skip("MicroPython is not installed: run `npm ci --prefix tests/vm`")
    games = {level: host_game(level, seed) for seed, level in enumerate(("expert", "club", "learner"))}
    told = json.dumps(Standing.of(Match(61, 3, 2, 0, (31, 15))).told())
    asked = [{"level": level, "told": told, "acts": acts} for level, (acts, _) in games.items()]
    files = {**firmware(), **modules(), **{f"lib/{path.name}": path.read_text("utf-8") for path in STATIC.glob("*.py")}}
    (tmp_path / "asked.json").write_text(json.dumps({"files": files, "games": asked, "tables": str(TABLES)}), "utf-8")
    node = shutil.which("node")
    assert node
    command = [node, str(HERE / "refereed.mjs"), str(RUNTIME), str(tmp_path / "asked.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    for (level, (acts, said)), played in zip(games.items(), json.loads(done.stdout), strict=True):
        assert played["acts"] == acts, level
        assert played["said"] == said, level
        assert sum(act[:2] in (["discard", 1], ["play", 1]) for act in acts) > 15


def test_what_micropython_has_not_is_put_otherwise() -> None:
    plain = (
        "from typing import NamedTuple, cast\nclass A(NamedTuple):\n    'Doc.'\n    x: int\ny = sorted([*a, 1])[::2]\n"
    )
    text = translated(plain)
    assert "NamedTuple" not in text and "Doc." not in text and "*" not in text
    assert "__fields__ = ['x']" in text and "ordered(" in text and "stepped(" in text


def test_what_stands_in_for_the_standard_library_does_the_same() -> None:
    spec = importlib.util.spec_from_file_location("standard", STATIC / "standard.py")
    assert spec and spec.loader
    standard: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(standard)
    chance = random.Random(5)
    for _ in range(50):
        values = [(chance.randrange(4), at) for at in range(chance.randrange(12))]
        for backwards in (False, True):
            same = sorted(values, key=lambda value: value[0], reverse=backwards)
            assert standard.ordered(values, key=lambda value: value[0], reverse=backwards) == same
        numbers = sorted(value for value, _ in values)
        assert standard.bisect_right(numbers, 2) == bisect.bisect_right(numbers, 2)
        assert standard.stepped(numbers, 1, None, 2) == numbers[1::2]
        assert list(standard.accumulate(numbers)) == list(itertools.accumulate(numbers))
    for name in ("combinations", "combinations_with_replacement"):
        assert list(getattr(standard, name)("ABCD", 2)) == list(getattr(itertools, name)("ABCD", 2))
    assert list(standard.product("AB", "CD")) == list(itertools.product("AB", "CD"))
    assert [standard.comb(4, number) for number in range(6)] == [math.comb(4, number) for number in range(6)]
