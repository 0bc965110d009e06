"""What is taken back, and what stays known although it was."""

from __future__ import annotations

from referee.tables import Table, fingerprint

from cribboard.referee.state import answer
from cribboard_core.events import UNDO

PONE, DEALER = "4C 5C 6C JC", "4D 5D 6D QH"


def test_undo_takes_an_act_back_with_all_that_it_pegged() -> None:
    table = Table(rev=70_000)
    table.deal("JS")
    table.lay("5C", "TD", "5H", "4C", "3D", "go", "go", "6D")
    for text in ("Ann plays 6D: six.", "Bob says go.", "Ann says go."):
        table.act("undo")
        assert table.said == [f"Taken back: {text}"]
    table.act("undo")
    assert (table.said, table.scores) == (["Taken back: Bob plays 3D: twenty-seven, a run of three for three."], [4, 0])
    table.act("undo")
    table.act("undo")
    assert answer(table.referee, "V") == "On the table: five of clubs, ten of diamonds; fifteen."
    rev = table.referee.match.rev
    table.act("undo")
    assert table.said == ["Taken back: Ann plays TD: fifteen for two."]
    assert table.referee.match.rev == rev + 1
    assert table.commands == [("undo", 70_003)]
    assert table.events == [(UNDO, 0, 0, 70_003 & 0xFFFF, 0)]
    table.act("undo")
    table.act("undo")
    assert (table.said, table.scores) == (["Taken back: The starter is JS."], [0, 0])
    table.act("undo")
    assert table.said == ["Taken back: Deal 1: Ann deals."]
    table.act("undo")
    assert (table.said, table.referee.phase) == (["Taken back: New game to 121: Ann deals first."], "cut")
    assert table.refused("undo") == "there is nothing to take back in this game"
    assert fingerprint(table.replayed()) == fingerprint(table.referee)


def test_undo_opens_a_won_game_again() -> None:
    table = Table(target=61)
    table.act("set", 0, 59, 50)
    table.deal("JS")
    assert table.referee.phase == "won"
    assert table.said == ["The starter is JS.", "A jack: nibs for Ann, two."]
    table.act("undo")
    assert (table.referee.phase, table.scores) == ("starter", [59, 0])
    table.act("starter", "QS")
    assert table.referee.phase == "play"
