"""What is asked of a person in a game against the computer, and what an answer does, for terminal, kiosk and page."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from cribboard.players import GO_ON, Program, Prompt, due, may_call, own_act, prompt
from cribboard.referee.options import read_options
from cribboard.referee.outcomes import Act
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard_core.cards import cards_text
from cribboard_core.match import Match

YOU, COMPUTER = 0, 1


class Game:
    """A game of a person, who claims nothing, against the computer."""

    def __init__(self, *words: str, seed: int = 1) -> None:
        setup = Setup(("Ann", "Computer"), (0, 1), 0, 61, read_options(words), True, (COMPUTER,), (), 0, ("learner",))
        self.chance = random.Random(seed)
        self.referee = Referee(setup, pack_match(Match(61, 3, 2, 0, (31, 15)), 7))
        self.program = Program(self.chance, lambda: 0.0)

    @property
    def asked(self) -> Prompt:
        return prompt(self.referee, self.program.held, YOU)

    def answer(self, act: Act) -> None:
        self.program.do(self.referee, act, self.referee.act)

    def do(self) -> None:
        """What is asked of the person, or else what the program has to do."""
        asked = self.asked.what
        if asked in ("throw", "play", "count"):
            self.answer(self.own(asked))
        else:
            self.referee.act(due(self.referee, self.chance) or ["new", YOU])

    def own(self, asked: str) -> Act:
        assert self.referee.table.round is not None
        deal = self.referee.table.round.deal
        if asked == "throw":
            return ["discard", YOU, cards_text(sorted(deal.hands[YOU])[:2])]
        return ["claim", YOU, 0] if asked == "count" else own_act(self.referee, "learner")[:3]


@pytest.mark.parametrize("words", [(), ("counting=manual", "muggins=on")])
def test_a_person_is_asked_exactly_when_the_referee_takes_their_act(words: tuple[str, ...]) -> None:
    game, seen = Game(*words), Counter[str]()
    while game.referee.phase != "won":
        asked = game.asked.what
        seen[asked] += 1
        assert asked in ("throw", "play", "count", "call", "wait", "cut", "starter", "deal")
        assert (asked == "call") <= may_call(game.referee, YOU)
        game.do()
    assert game.asked == Prompt("won")
    assert not may_call(game.referee, YOU)
    assert {"throw", "play"} <= set(seen)
    assert ("count" in seen) == bool(words)


def test_both_throw_at_the_same_time_though_one_is_first() -> None:
    for seed in range(1, 9):
        game = Game(seed=seed)
        while game.referee.phase != "discard":
            game.do()
        assert game.asked == Prompt("throw", YOU)
        game.answer(game.own("throw"))
        assert game.asked == Prompt("wait", COMPUTER)


def test_go_on_ends_the_wait_after_an_undo_and_lets_a_miss_go() -> None:
    game = Game()
    while game.asked.what != "play":
        game.do()
    game.program.held = True
    assert game.asked == Prompt("go on")
    assert game.program.act(game.referee) is None
    game.answer(GO_ON)
    assert game.asked.what == "play"

    game = Game("counting=manual", "muggins=on", seed=3)
    for _ in range(400):
        if game.asked.what == "call" and game.program.act(game.referee) is None:
            break
        game.do()
    assert game.asked.what == "call"
    acts = len(game.referee.acts)
    game.answer(GO_ON)
    following = game.program.act(game.referee)
    assert following is not None
    assert len(game.referee.acts) == acts  # the program does it, as soon as it is looked at
    game.referee.act(following)


def test_the_computer_calls_before_an_answer_that_would_let_a_miss_go() -> None:
    game, done = Game("counting=manual", "muggins=on", seed=2), list[str]()
    while game.referee.phase != "won" and "muggins" not in done:
        if game.asked.what in ("play", "count"):
            done.clear()
            game.program.do(
                game.referee, game.own(game.asked.what), lambda act: done.append(act[0]) or game.referee.act(act)
            )
        else:
            game.do()
    assert done[0] == "muggins"


def test_undo_takes_back_to_what_the_person_did_last() -> None:
    game = Game()
    while game.asked.what != "play":
        game.do()
    game.do()
    before = len(game.referee.acts)
    game.answer(["undo"])
    assert game.referee.acts[before:] == [["undo"]] * (len(game.referee.acts) - before)
    assert game.asked.what == "play"
