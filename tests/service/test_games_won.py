"""Games won belong to the people who sit at a table, and not to its seats."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from rigs import wired
from service.room import Room

from cribboard.board.ledger import Ledger
from cribboard_core.events import NEW, PEG


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def win(room: Room, side: int) -> None:
    """A side pegs out."""
    while room.board.standing.winner < 0:
        room.do("peg", side=side, points=40)


def play(room: Room, *names: str, winner: int) -> None:
    """These people play a game; a side, from 1, wins it."""
    room.do("new", names=list(names))
    win(room, winner)


def shown(room: Room) -> list[int]:
    return [side["won"] for side in room.entry()["sides"]]


def test_the_next_pair_begins_without_games_won(room: Room) -> None:
    play(room, "Ann", "Bob", winner=1)
    assert shown(room) == [1, 0]
    assert room.entry()["win"]["text"].endswith("Games won: Ann 1, Bob 0.")
    room.do("new", names=["Cid", "Dee"])
    assert shown(room) == [0, 0]
    win(room, 2)
    assert shown(room) == [0, 1]
    assert room.entry()["win"]["text"].endswith("Games won: Cid 0, Dee 1.")
    assert room.table.fresh[-1].news["win"].endswith("Games won: Cid 0, Dee 1.")


def test_who_comes_back_has_their_games_and_who_changes_seats_takes_them_along(room: Room) -> None:
    play(room, "Ann", "Bob", winner=1)
    play(room, "Cid", "Dee", winner=2)
    room.do("new", names=["bob", "ANN"])
    assert shown(room) == [0, 1]
    win(room, 1)
    assert shown(room) == [1, 1]


def test_a_third_player_or_partners_are_another_company(room: Room) -> None:
    play(room, "Ann", "Bob", winner=1)
    play(room, "Ann", "Bob", "Cid", winner=3)
    assert shown(room) == [0, 0, 1]
    room.do("new", names=["Ann", "Bob", "Cid", "Dee"], teams=2)
    win(room, 2)
    room.do("new", names=["Dee", "Cid", "Bob", "Ann"], teams=2)
    assert shown(room) == [1, 0]
    room.do("new", names=["Bob", "Ann"])
    assert shown(room) == [0, 1]


def test_the_boards_own_count_is_shown_where_nobody_has_a_name(room: Room) -> None:
    win(room, 2)
    room.do("new")
    win(room, 2)
    assert shown(room) == [0, 2]
    assert room.entry()["win"]["text"].endswith("Games won: Orange 0, Blue 2.")
    room.do("names", names=["Ann", "Bob"])
    assert shown(room) == [0, 1]  # the game that they have just played


def test_undo_of_a_win_and_of_a_new_game_takes_back_what_was_won(room: Room) -> None:
    play(room, "Ann", "Bob", winner=1)
    room.do("undo", rev=room.rev)
    assert shown(room) == [0, 0]
    room.do("redo", rev=room.entry()["redo"]["rev"])
    assert shown(room) == [1, 0]
    room.do("new", names=["Cid", "Dee"])
    room.do("undo", rev=room.rev)
    assert shown(room) == [1, 0]
    room.do("undo", rev=room.entry()["undo"]["rev"])
    win(room, 2)
    room.do("new", names=["Ann", "Bob"])
    assert shown(room) == [0, 1]


def test_games_of_the_buttons_count_with_the_kiosk_and_without(room: Room) -> None:
    play(room, "Ann", "Bob", winner=1)
    again = next(row.as_folded for row in room.board.events() if row.kind == NEW)

    def pressed() -> None:
        for _ in range(2):
            room.firmware.keeper.do(again)
            for _ in range(4):
                room.firmware.keeper.do((PEG, 1, 40, 0, 0))

    pressed()
    room.board.poll(0.1)
    assert shown(room) == [1, 2]
    room.restart(meanwhile=pressed)
    assert shown(room) == [1, 4]
    room.restart(killed=True)
    assert shown(room) == [1, 4]
    room.do("new", names=["Cid", "Dee"])
    room.restart(killed=True)
    assert shown(room) == [0, 0]


def test_a_board_that_has_lost_its_memory_changes_nothing(room: Room) -> None:
    play(room, "Ann", "Bob", winner=1)
    room.do("new", names=["Bob", "Ann"])
    room.do("peg", side=1, points=2)
    room.restart(meanwhile=room.firmware.wipe)
    assert shown(room) == [0, 1]
    win(room, 1)
    room.do("new")
    assert shown(room) == [1, 1]


def test_a_renamed_player_keeps_their_games_and_an_erased_one_leaves_no_name(room: Room) -> None:
    play(room, "Ann", "Bob", winner=1)
    room.do("new", names=["Ann", "Bob"])
    room.table.rename(["Bob"], "Robert")
    assert shown(room) == [1, 0]
    room.do("names", names=["Ann", "Robert"])
    assert shown(room) == [1, 0]
    room.do("new", names=["Cid", "Dee"])
    room.do("peg", side=1, points=2)
    room.board.close()
    ledger = Ledger(room.wired.folder, wired.UID)
    assert ledger.rename(["Robert"], "")
    ledger.save()
    ledger.close()
    assert "robert" not in ledger.path.read_text().lower()


def test_so_it_is_after_any_evening(room: Room) -> None:
    draw = random.Random(7)
    won: Counter[tuple[frozenset[str], str]] = Counter()
    for _ in range(40):
        names = draw.sample(["Ann", "Bob", "Cid"], draw.choice([2, 2, 3]))
        room.do("new", names=names)
        if draw.random() < 0.2:
            continue  # nobody plays it
        winner = draw.randrange(len(names))
        win(room, winner + 1)
        won[frozenset(names), names[winner]] += 1
        assert shown(room) == [won[frozenset(names), name] for name in names]
        if draw.random() < 0.3:
            room.restart(killed=draw.random() < 0.5)
            assert shown(room) == [won[frozenset(names), name] for name in names]
