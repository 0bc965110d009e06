"""A game: its state, its history, and both as bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard_core.events import PEG, Refused
from cribboard_core.game import MOST_WON, NOBODY, Game, unpack


def game(sides: int = 2) -> Game:
    return Game(7, 121, (1 << sides) - 1, sides, 0, 91, 61)


def test_a_game_begins_with_all_pegs_at_the_start() -> None:
    fresh = game(3)
    assert list(fresh.now) == [0] * 6 + [0, NOBODY]
    assert (fresh.depth, fresh.top, fresh.trimmed, fresh.won) == (0, 0, False, [0, 0, 0])


def test_a_game_of_seats_that_cannot_be_is_refused() -> None:
    with pytest.raises(Refused, match="cannot deal"):
        Game(0, 121, 3, 2, 5, 91, 61)


@given(st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 65535), st.integers(0, 255)), max_size=70))
def test_the_history_gives_back_what_it_was_given(rows: list[tuple[int, int, int]]) -> None:
    played = game(6)
    for rev, b, number in rows:
        played.remember(rev, (PEG, 5, number, b, number))
        played.now[0] = number
    assert played.depth == len(rows)
    for index, (rev, b, number) in enumerate(rows):
        assert played.entry(index) == ((PEG, 5, number, b, number), rev)
        assert played.before(index)[0] == (rows[index - 1][2] if index else 0)


def test_taking_back_sets_the_state_that_was_before() -> None:
    played = game()
    played.remember(8, (PEG, 0, 5, 0, 0))
    played.now[0] = 5
    played.take_back()
    assert (played.depth, played.now[0]) == (0, 0)


def test_a_new_event_takes_the_place_of_one_taken_back() -> None:
    played = game()
    for rev in (8, 9):
        played.remember(rev, (PEG, 0, rev, 0, 0))
    played.take_back()
    played.remember(10, (PEG, 1, 1, 0, 0))
    assert [played.entry(index)[1] for index in range(played.depth)] == [8, 10]


@pytest.mark.parametrize("keep", [0, 1, 19, 20])
def test_trimming_keeps_the_newest_events(keep: int) -> None:
    played = game()
    for number in range(20):
        played.remember(100 + number, (PEG, 0, number, 0, 0))
        played.now[0] = number + 1
    played.trim(keep)
    assert (played.depth, played.top, played.trimmed) == (keep, keep, keep < 20)
    assert [played.entry(index)[1] for index in range(keep)] == list(range(120 - keep, 120))
    assert [played.before(index)[0] for index in range(keep)] == list(range(20 - keep, 20))
    played.remember(200, (PEG, 1, 1, 0, 0))
    assert played.entry(keep) == ((PEG, 1, 1, 0, 0), 200)


def test_trimming_lets_go_of_what_redo_could_bring_back() -> None:
    played = game()
    played.remember(8, (PEG, 0, 5, 0, 0))
    played.top = 1
    played.take_back()
    played.trim(0)
    assert (played.top, played.trimmed) == (0, False)


def test_the_counter_of_games_won_counts_this_game_and_stops_at_999() -> None:
    played = game()
    played.won = [3, MOST_WON]
    assert [played.games_won(0), played.games_won(1)] == [3, 999]
    played.now[-1] = 1
    assert played.games_won(1) == 999
    played.now[-1] = 0
    assert played.games_won(0) == 4


def test_a_packed_game_comes_back_whole() -> None:
    played = Game(7, 241, 0b101101, 2, 3, 200, 100)
    played.now[0:4] = bytes([40, 30, 7, 0])
    played.won = [300, 2]
    back = unpack(played.pack())
    assert back.pack() == played.pack()
    assert (back.target, back.mask, back.sides, back.seats) == (241, 0b101101, (0, 2), (0, 2, 3, 5))
    assert (back.skunk, back.double, back.won, list(back.now)) == (200, 100, [300, 2], list(played.now))


@pytest.mark.parametrize("sides", range(2, 7))
def test_games_of_any_number_of_sides_come_back(sides: int) -> None:
    assert unpack(game(sides).pack()).sides == tuple(range(sides))


def test_a_won_game_comes_back_won() -> None:
    played = game()
    played.now[:] = bytes([121, 110, 90, 80, 1, 0])
    assert unpack(played.pack()).now[-1] == 0


def test_a_game_can_be_packed_as_it_was_before_an_event() -> None:
    played = game()
    fresh = played.pack()
    played.remember(8, (PEG, 0, 5, 0, 0))
    played.now[0] = 5
    assert played.pack(0) == fresh != played.pack()


def packed(*, pegs: tuple[int, ...] = (5, 0, 7, 1), dealer: int = 0, winner: int = NOBODY, sides: int = 2) -> bytes:
    return bytes([61, 3, sides, 31, 0, *pegs, dealer, winner, 0, 0, 0, 0])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "0 bytes are no packed game"),
        (packed()[:-1], "14 bytes are no packed game"),
        (bytes([121, 127, 7, 91, 61]) + bytes(30), "35 bytes are no packed game"),
        (packed() + b"\0", "16 bytes"),
        (packed(sides=1), "15 bytes"),
        (packed(sides=7), "15 bytes"),
        (packed(sides=0), "15 bytes"),
        (packed(dealer=2), "place 2 has no seat"),
        (packed(pegs=(5, 6, 7, 1)), "pegs at 5 and 6 do not fit"),
        (packed(pegs=(62, 6, 7, 1)), "pegs at 62 and 6"),
        (packed(pegs=(61, 6, 7, 1)), "pegs at 61 and 6"),
        (packed(winner=0), "pegs at 5 and 0"),
        (packed(winner=2), "winner 2 of 2 sides"),
        (packed(pegs=(61, 0, 61, 0), winner=0), "pegs at 61 and 0"),
    ],
)
def test_bytes_that_are_no_game_are_refused(data: bytes, said: str) -> None:
    with pytest.raises(Refused, match=said):
        unpack(data)


@given(st.binary(max_size=40))
def test_no_bytes_make_anything_but_a_game_or_a_refusal(data: bytes) -> None:
    try:
        assert unpack(data).pack() == data
    except Refused as refused:
        assert refused.code in ("args", "seats")
