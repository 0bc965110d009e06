"""A card is said at a table of phones as the referee of `cribboard play` says them."""

from __future__ import annotations

from pathlib import Path

import pytest
from service.room import Room

from cribboard.referee.options import Options
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.wording import in_words

CARDS = (("Ann", "7C"), ("Bob", "8S"), ("Ann", "8D"), ("Bob", "8H"))


@pytest.mark.parametrize("claims", [False, True])
def test_phones_and_terminal_say_the_same_of_a_card(tmp_path: Path, claims: bool) -> None:
    rules = {"counting": "manual"} if claims else {}
    room = Room(tmp_path)
    room.do("new", names=["Ann", "Bob"], dealer=2, rules=rules)
    setup = Setup(("Ann", "Bob"), (0, 1), 0, 121, Options(**rules))
    referee = Referee(setup, pack_match(room.board.match, 7))
    for act in (["new", 1], ["deal", None], ["starter", "9H"]):
        referee.act(act)
    room.do("starter", card="9H")
    for name, card in CARDS:
        seat = setup.names.index(name)
        (said, *_) = referee.act(["play", seat, card, *([0] if claims else [])])
        fields = {"claim": 0} if claims else {}
        answer = room.do("play", f"phone {seat}", side=seat + 1, card=card, **fields)[1]
        assert answer.startswith(in_words(said.text, setup.names)), (answer, said.text)
