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
from cribboard.players import call, can_take_back, due, reason, take_back
from cribboard.referee.options import read_options
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import legal_cards, turn_of, turned_over
from cribboard.site.folder import firmware
from cribboard.site.micropython import TABLES, modules, translated
from cribboard_core.cards import card_name, cards_text
from cribboard_core.match import Match

HERE = Path(__file__).parent
STATIC = Path(__file__).parents[2] / "host" / "cribboard" / "site" / "static"
RUNTIME = HERE.parent / "vm" / "node_modules"


BY_HAND = ["counting=manual", "muggins=on"]
GAMES: list[tuple[str, list[str]]] = [("expert", []), ("club", BY_HAND), ("learner", BY_HAND)]


class HostGame:
    """A game of the host's computer against a player who lays his first cards, claims nothing, and takes back twice.

    `acts` are its acts, `sentences` is what was said after each, `why` what a learner gave as its reason, `turned`
    which cards were turned over last when none is on the table.
    """

    def __init__(self, level: str, words: list[str], seed: int) -> None:
        self.level, self.words, chance = level, words, random.Random(seed)
        setup = Setup(
            ("You", "The computer"),
            (0, 1),
            target=61,
            options=read_options(words),
            dealt=True,
            computers=(1,),
            levels=(level,),
        )
        self._referee = referee = Referee(setup, pack_match(Match(61, 3, 2, 0, (31, 15)), 7))
        self.acts, self.sentences, self.why, self.turned, backs = referee.acts, [], [], [], 0  # type: ignore[var-annotated]
        while referee.phase != "won":
            persons = turn_of(referee) == 0 and referee.phase in ("discard", "play", "claim")
            if persons and backs < 2 and referee.table.deals == backs + 1 and can_take_back(referee, False):
                backs += 1
                take_back(referee, False, self._do)
            else:
                self._do((call(referee) or self._person()) if persons else due(referee, chance))

    def _do(self, act: Any) -> None:
        self.why.append(reason(self._referee, act))
        self._referee.act(act)
        self.sentences.append(self._referee.said)
        round_ = self._referee.table.round
        game = round_.deal.game if round_ and self._referee.phase not in ("deal", "won") else None
        self.turned.append([card_name(row[1]) for row in turned_over(game)] if game and not game.pile else [])

    def _person(self) -> Any:
        referee = self._referee
        if referee.phase == "discard":
            assert referee.table.round is not None
            return ["discard", 0, cards_text(sorted(referee.table.round.deal.hands[0])[:2])]
        return ["claim", 0, 0] if referee.phase == "claim" else ["play", 0, card_name(legal_cards(referee)[0])]


def test_the_page_plays_the_same_cards_and_says_the_same(tmp_path: Path) -> None:
    if not (RUNTIME / "@micropython").is_dir():
        pytest.skip("MicroPython is not installed: run `npm ci --prefix tests/vm`")
    games = [HostGame(level, words, seed) for seed, (level, words) in enumerate(GAMES)]
    standing = json.dumps(Standing.of(Match(61, 3, 2, 0, (31, 15))).fields())
    asked = [
        {"level": one.level, "rules": json.dumps(one.words), "standing": standing, "acts": one.acts} for one in games
    ]
    files = {**firmware(), **modules(), **{f"lib/{path.name}": path.read_text("utf-8") for path in STATIC.glob("*.py")}}
    (tmp_path / "asked.json").write_text(json.dumps({"files": files, "games": asked, "tables": str(TABLES)}), "utf-8")
    node = shutil.which("node")
    assert node
    command = [node, str(HERE / "refereed.mjs"), str(RUNTIME), str(tmp_path / "asked.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    for one, played in zip(games, json.loads(done.stdout), strict=True):
        assert played["acts"] == one.acts, (one.level, one.words)
        assert played["said"] == one.sentences, (one.level, one.words)
        assert played["turned"] == one.turned, (one.level, one.words)
        assert any(one.turned)
        for why, heard in zip(one.why, played["heard"], strict=True):
            assert not why or heard[-1] == why, "the learner gives its reasons"
        assert any(one.why) == (one.level == "learner")
        assert ["undo"] in one.acts
        assert sum(act[:2] in (["discard", 1], ["play", 1]) for act in one.acts) > 15
    assert any(act[:2] == ["muggins", 1] for one in games for act in one.acts)


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
