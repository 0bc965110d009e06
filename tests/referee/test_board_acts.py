"""What happens on the board alone comes in as acts of its own."""

from __future__ import annotations

from referee.tables import Table, fingerprint

from cribboard.referee.answers import answer
from cribboard.referee.pegs import pack_match
from cribboard_core.events import NEW, PEG, SET, UNDO
from cribboard_core.match import Match

PONE, DEALER = "4C 5C 6C JC", "4D 5D 6D QH"


def test_what_buttons_do_comes_in_and_is_taken_back_first() -> None:
    table = Table()
    table.deal()
    table.lay("5C", "TD")
    table.act("board", PEG, 1, 3, 0, 0)
    assert (table.outcomes, table.scores) == ([], [2, 3])
    assert table.referee.newest() == "what happened on the board"
    table.act("undo")
    assert (table.said, table.scores) == (["Taken back: what happened on the board."], [2, 0])
    table.act("undo")
    assert (table.said, table.scores) == (["Taken back: Ann plays TD: fifteen for two."], [0, 0])


def test_the_boards_own_undo_takes_points_and_leaves_the_card() -> None:
    table = Table(rev=10)
    table.deal("JS")
    table.lay("5C", "TD")
    table.act("board", UNDO, 0, 0, 13, 0)
    assert table.scores == [2, 0]
    table.act("board", UNDO, 0, 0, 12, 0)
    assert table.scores == [0, 0]
    table.act("undo")
    assert (table.said, table.commands) == (["Taken back: Ann plays TD: fifteen for two."], [])
    table.lay("TD")
    table.act("undo")
    table.act("undo")
    table.act("undo")
    assert table.said == ["Taken back: The starter is JS."]


def test_a_board_that_goes_on_to_another_game_puts_this_one_aside() -> None:
    table = Table()
    table.deal("JS")
    table.act("board", NEW, 0, 91, 3 | 2 << 6 | 2 << 9, 61)
    assert table.referee.phase == "left"
    for act in (("play", 1, "5H"), ("undo",)):
        assert table.refused(*act) == "the board has started another game"
    assert answer(table.referee, "S") == "The board has started another game."
    table.act("board", UNDO, 0, 0, table.referee.match.rev & 0xFFFF, 0)
    assert table.referee.phase == "play"


def test_no_event_of_the_board_is_taken_that_cannot_be() -> None:
    table = Table()
    assert table.refused("board", PEG, 0, 99, 0, 0).startswith("99 points for peg cannot be")
    assert "is not an event of the board" in table.refused("board", 13, 0, 0, 0, 0)
    assert table.refused("board", PEG) == "there is no act ['board', 2]"
    assert "is not an event of the board" in table.refused("board", PEG, 0, "2", 0, 0)


def test_events_that_came_in_another_order_are_put_so() -> None:
    table = Table(rev=5)
    table.deal("JS")
    table.lay("5C", "TD")
    table.act("order", 1, [[0, PEG, 1, 7, 0, 0], [1, PEG, 0, 2, 0, 0]])
    assert [pegged.event[:3] for pegged in table.referee.pegs.events[2:]] == [(PEG, 1, 7), (PEG, 0, 2)]
    assert table.scores == [4, 7]
    table.act("undo")
    assert (table.said, table.scores) == (["Taken back: Ann plays TD: fifteen for two."], [2, 7])
    table.act("undo")
    assert (table.said, table.scores) == (["Taken back: what happened on the board."], [2, 0])


def test_what_was_still_to_be_pegged_falls_away_when_the_game_was_won_before_it() -> None:
    table = Table(target=61)
    table.act("set", 1, 58, 50)
    table.deal()
    table.lay("5C", "TD")
    table.act("order", 1, [[0, PEG, 1, 3, 0, 0], [2, PEG, 0, 2, 0, 0]])
    assert (table.scores, table.referee.phase) == ([0, 61], "won")
    assert table.referee.pegs.pending(0) == table.referee.pegs.pending(table.referee.pegs.base_rev)
    assert len(table.referee.pegs.pending(3)) == 0


def test_an_undo_that_came_too_late_takes_nothing_from_the_board() -> None:
    table = Table(rev=5)
    table.deal()
    table.lay("5C", "TD")
    table.act("undo")
    table.act("order", 1, [[0, PEG, 1, 3, 0, 0], [2, UNDO, 0, 0, 7, 0]])
    assert table.scores == [2, 3]
    table.act("undo")
    assert table.scores == [2, 0]
    table.act("undo")
    assert table.scores == [0, 0]


def test_an_order_that_cannot_be_changes_nothing() -> None:
    table = Table()
    table.deal("JS")
    table.lay("5C", "TD")
    for last, rows in ((2, []), (0, []), (9, []), (1, [[0, PEG, 0, 99, 0, 0]]), (1, [[1, PEG, 0, 2, 0, 0]] * 2)):
        table.refused("order", last, rows)
    assert table.refused("order", 1, [[1]]) == "[[1]] are not rows of the board"
    assert table.refused("base", 1, 2, 3, 4) == "[1, 2, 3, 4] is not a base"


def test_a_base_takes_the_boards_pegs_and_ends_what_can_be_taken_back() -> None:
    table = Table()
    table.deal()
    table.lay("5C", "TD")
    other = Match(121, 3, 2)
    other.apply(1, (SET, 1, 30, 20, 0))
    rev, _, packed, _ = pack_match(other)
    table.act("base", rev, 0, packed, 7)
    assert table.referee.pegs.base[3] == 7
    assert (table.scores, table.referee.match.rev, table.referee.phase) == ([0, 30], 1, "play")
    assert table.refused("undo") == "there is nothing to take back in this game"
    table.lay("5D")
    table.act("undo")
    table.act("set", 1, 121, 0)
    table.act("new", 0)
    table.act("undo")
    assert (table.referee.phase, table.scores) == ("won", [0, 121])
    assert fingerprint(table.replayed()) == fingerprint(table.referee)
    wrong = pack_match(Match(61, 3, 2))
    assert table.refused("base", *wrong) == "the board's game has other players or another target"
