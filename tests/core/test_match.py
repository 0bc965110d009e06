"""The match: what each event does to pegs, dealer, winner and games won, and how it is taken back."""

from __future__ import annotations

import pytest
from core.moves import Event, deal, do, new, peg, pegs, put, refused, undo, won_by_first

from cribboard_core.events import FALSE, GO, HAND, MUGGINS, NEW, NIBS, PEG, PENALTY, REDO, RESTORE, UNDO, Refused
from cribboard_core.match import Match

# Pegs


def test_a_match_begins_at_the_start_with_nothing_to_undo() -> None:
    match = Match()
    assert (match.rev, match.game, match.target, match.skunk, match.double) == (0, 0, 121, 91, 61)
    assert (match.seats, match.sides, match.dealer, match.crib_side, match.winner) == ((0, 1), (0, 1), 0, 0, -1)
    assert pegs(match) == [(0, 0), (0, 0)]
    assert not match.can_undo
    assert not match.can_redo


def test_the_back_peg_leaps_over_the_front_peg() -> None:
    match = do(Match(), peg(0, 4))
    assert pegs(match)[0] == (4, 0)
    do(match, peg(0, 8))
    assert pegs(match)[0] == (12, 4)
    do(match, peg(0, 1))
    assert pegs(match)[0] == (13, 12)


def test_a_side_pegs_without_moving_the_others() -> None:
    assert pegs(do(Match(), peg(1, 5))) == [(0, 0), (5, 0)]


@pytest.mark.parametrize("kind", [PEG, HAND, MUGGINS])
def test_no_points_move_no_peg_and_can_be_taken_back(kind: int) -> None:
    match = do(Match(), peg(0, 4), (kind, 0, 0, 1 if kind == MUGGINS else 0, 0))
    assert pegs(match)[0] == (4, 0)
    assert match.rev == 2
    undo(match)
    assert match.can_undo
    assert pegs(match)[0] == (4, 0)


@pytest.mark.parametrize(
    ("event", "points"),
    [
        ((PEG, 0, 46, 0, 0), 46),
        ((HAND, 0, 29, 0, 0), 29),
        ((HAND, 0, 12, 1, 0), 12),
        ((NIBS, 0, 2, 0, 0), 2),
        ((GO, 0, 1, 0, 0), 1),
        ((MUGGINS, 0, 6, 1, 0), 6),
    ],
)
def test_each_kind_of_score_pegs_its_points(event: Event, points: int) -> None:
    assert pegs(do(Match(), event)) == [(points, 0), (0, 0)]


def test_muggins_pegs_for_who_called_and_leaves_who_missed() -> None:
    assert pegs(do(Match(), peg(0, 4), (MUGGINS, 1, 6, 0, 0))) == [(4, 0), (6, 0)]


# The end of a game


@pytest.mark.parametrize(("target", "points"), [(121, 11), (121, 30), (61, 1), (91, 46), (241, 2)])
def test_reaching_or_passing_the_target_wins_and_stops_at_it(target: int, points: int) -> None:
    before = max(target - points, target - 11)
    match = do(Match(target), put(0, before, 0), peg(0, points))
    assert match.winner == 0
    assert pegs(match)[0] == (target, before)


def test_one_hole_before_the_target_has_not_won() -> None:
    assert do(Match(), put(0, 110), peg(0, 10)).winner == -1


@pytest.mark.parametrize(
    ("target", "front", "lost"),
    [
        (121, 120, 1),
        (121, 91, 1),
        (121, 90, 2),
        (121, 61, 2),
        (121, 60, 3),
        (121, 0, 3),
        (61, 31, 1),
        (61, 30, 2),
        (61, 0, 2),
        (91, 0, 1),
        (241, 0, 1),
    ],
)
def test_the_skunk_line_is_the_first_score_that_is_safe(target: int, front: int, lost: int) -> None:
    match = do(Match(target), put(1, front), put(0, target))
    assert match.skunked(1) == lost
    assert match.skunked(0) == 0


@pytest.mark.parametrize(("front", "lost"), [(200, 1), (199, 2), (99, 3)])
def test_skunk_lines_that_are_set_count_at_any_target(front: int, lost: int) -> None:
    assert do(Match(241, lines=(200, 100)), put(1, front), put(0, 241)).skunked(1) == lost


def test_nobody_is_skunked_before_the_end() -> None:
    match = do(Match(), put(0, 120))
    assert (match.skunked(0), match.skunked(1)) == (0, 0)


def test_each_losing_side_is_judged_by_itself() -> None:
    match = do(Match(121, 7, 3), put(0, 95), put(1, 80), put(2, 121))
    assert [match.skunked(side) for side in match.sides] == [1, 2, 0]


@pytest.mark.parametrize(
    "event",
    [
        peg(1, 2),
        peg(0, 0),
        (HAND, 1, 8, 0, 0),
        (NIBS, 1, 2, 0, 0),
        (GO, 1, 1, 0, 0),
        (PENALTY, 1, 2, 0, 0),
        (PENALTY, 0, 2, 1, 0),
        (MUGGINS, 1, 2, 0, 0),
        deal(1),
        (FALSE, 1, 3, 0, 0),
        put(1, 121),
    ],
)
def test_after_a_win_scores_and_deals_are_refused(event: Event) -> None:
    assert refused(won_by_first(), event) == (
        "over",
        "the game is won; undo, a new game, set score or a false claim are left",
    )


def test_after_a_win_the_other_sides_score_can_be_set() -> None:
    match = do(won_by_first(), put(1, 40, 30))
    assert (match.winner, pegs(match)[1]) == (0, (40, 30))


def test_setting_the_winners_score_back_reopens_the_game() -> None:
    match = do(won_by_first(), put(0, 115, 110))
    assert (match.winner, match.won(0)) == (-1, 0)
    assert do(match, peg(1, 2)).front(1) == 32


def test_setting_the_winner_to_the_target_again_leaves_it_the_winner() -> None:
    match = do(won_by_first(), put(0, 121, 119))
    assert (match.winner, pegs(match)[0]) == (0, (121, 119))


def test_setting_a_score_to_the_target_wins() -> None:
    assert do(Match(), put(1, 121, 100)).winner == 1


def test_a_score_is_set_with_both_pegs_and_dealer_stays() -> None:
    match = do(Match(), deal(1), peg(0, 9), put(0, 3, 1))
    assert (pegs(match)[0], match.dealer) == ((3, 1), 1)


@pytest.mark.parametrize(("front", "back"), [(122, 0), (5, 6), (255, 255)])
def test_pegs_that_cannot_stand_so_are_refused(front: int, back: int) -> None:
    code, text = refused(Match(), put(0, front, back))
    assert code == "args"
    assert text == f"pegs at {front} and {back}; they lie from 0 to 121, the back one behind"


# Penalty and false claim


def test_a_penalty_is_pegged_by_every_opposing_side() -> None:
    match = do(Match(121, 7, 3), peg(0, 5), peg(2, 4), (PENALTY, 1, 3, 0, 0))
    assert pegs(match) == [(8, 5), (0, 0), (7, 4)]


@pytest.mark.parametrize(
    ("front", "back", "points", "then"),
    [
        (10, 4, 3, (7, 4)),
        (10, 4, 6, (4, 3)),
        (10, 4, 8, (2, 1)),
        (10, 4, 9, (1, 0)),
        (10, 4, 10, (0, 0)),
        (10, 4, 20, (0, 0)),
        (0, 0, 2, (0, 0)),
        (10, 4, 0, (10, 4)),
    ],
)
def test_a_penalty_sends_the_offender_back_with_the_back_peg_behind(
    front: int, back: int, points: int, then: tuple[int, int]
) -> None:
    match = do(Match(), put(0, front, back), peg(1, 6), (PENALTY, 0, points, 1, 0))
    assert pegs(match) == [then, (6, 0)]
    assert pegs(undo(match))[0] == (front, back)


def test_a_penalty_sends_back_no_side_but_the_offender() -> None:
    match = do(Match(121, 7, 3), put(0, 30, 20), put(1, 50, 40), put(2, 70, 60), (PENALTY, 2, 5, 1, 0))
    assert pegs(match) == [(30, 20), (50, 40), (65, 60)]
    assert pegs(do(match, (PENALTY, 1, 4, 1, 0))) == [(30, 20), (46, 40), (65, 60)]


def test_a_penalty_can_win_the_game_for_the_next_side_clockwise_first() -> None:
    match = do(Match(121, 7, 3), put(0, 120), put(2, 120), (PENALTY, 1, 2, 0, 0))
    assert match.winner == 2
    assert pegs(match) == [(120, 0), (0, 0), (121, 120)]


def test_a_false_claim_before_the_end_goes_back_and_the_others_peg_the_overclaim() -> None:
    match = do(Match(121, 7, 3), put(0, 118, 110), peg(1, 4), (FALSE, 0, 112, 0, 0))
    assert pegs(match) == [(112, 110), (10, 4), (6, 0)]


def test_a_false_claim_of_the_game_takes_the_win_back() -> None:
    match = do(won_by_first(), (FALSE, 0, 115, 0, 0))
    assert (match.winner, match.won(0)) == (-1, 0)
    assert pegs(match) == [(115, 110), (36, 30)]
    assert pegs(undo(match)) == [(121, 110), (30, 0)]
    assert match.winner == 0


def test_a_false_claim_below_the_back_peg_sends_that_one_hole_behind() -> None:
    assert pegs(do(won_by_first(), (FALSE, 0, 108, 0, 0)))[0] == (108, 107)


def test_the_overclaim_is_pegged_up_to_the_game_hole_and_can_win() -> None:
    match = do(Match(), put(1, 119, 110), put(0, 121, 111), (FALSE, 0, 111, 0, 0))
    assert match.winner == 1
    assert pegs(match) == [(111, 110), (121, 119)]


@pytest.mark.parametrize("true_score", [121, 122, 200])
def test_a_claim_that_was_not_too_high_is_refused(true_score: int) -> None:
    code, text = refused(won_by_first(), (FALSE, 0, true_score, 0, 0))
    assert (code, text) == ("points", f"the true score {true_score} is not below 121, so nothing was claimed")


# Deal, sides, dealer of the next game


def test_a_deal_moves_the_crib_and_nothing_else() -> None:
    match = do(Match(121, 7, 3), peg(0, 4), deal(2))
    assert (match.dealer, match.crib_side, pegs(match)) == (2, 2, [(4, 0), (0, 0), (0, 0)])
    assert undo(match).dealer == 0


def test_the_next_seat_is_clockwise_and_round_the_table() -> None:
    match = Match(121, 0b101010, 3, 3)
    assert match.next_seat() == 5
    assert do(match, deal(5)).next_seat() == 1


def test_a_deal_to_an_empty_place_is_refused() -> None:
    assert refused(Match(121, 0b101, 2), deal(1)) == ("seats", "2 has no seat; the seats are 1, 3")


@pytest.mark.parametrize(
    ("seats", "sides", "of"),
    [
        ((0, 1, 2, 3), 2, [0, 1, 0, 1, -1, -1]),
        ((0, 1, 2, 3, 4, 5), 3, [0, 1, 2, 0, 1, 2]),
        ((0, 1, 2, 3, 4, 5), 2, [0, 1, 0, 1, 0, 1]),
        ((1, 2, 4, 5), 2, [-1, 1, 2, -1, 1, 2]),
        ((0, 2, 5), 3, [0, -1, 2, -1, -1, 5]),
    ],
)
def test_partners_sit_alternately_and_a_side_has_its_first_seats_name(
    seats: tuple[int, ...], sides: int, of: list[int]
) -> None:
    match = Match(121, sum(1 << place for place in seats), sides, seats[-1])
    assert [match.side_of(place) for place in range(6)] == of
    assert match.sides == seats[:sides]
    assert match.crib_side == of[seats[-1]]


def test_a_partner_is_no_side_of_its_own() -> None:
    assert refused(Match(121, 15, 2), peg(2, 4)) == ("side", "no side 3 here; the sides are 1, 2")


def test_an_unknown_name_of_a_side_is_quoted() -> None:
    with pytest.raises(Refused, match="no side left here; the sides are 1, 2"):
        Match().index("left")  # type: ignore[arg-type]


def test_the_loser_deals_the_next_game() -> None:
    assert won_by_first().next_dealer() == 1
    assert do(Match(), put(1, 121)).next_dealer() == 0


def test_the_lowest_of_several_losers_deals_the_next_game() -> None:
    match = do(Match(121, 15, 4), put(0, 121), put(1, 90), put(2, 60), put(3, 80))
    assert match.next_dealer() == 2


def test_of_equal_losers_the_first_clockwise_of_the_dealer_deals() -> None:
    match = do(Match(121, 15, 4, 2), put(1, 121), put(0, 60), put(2, 60), put(3, 80))
    assert match.next_dealer() == 0
    assert do(Match(121, 15, 4, 3), put(1, 121), put(0, 80), put(2, 60), put(3, 60)).next_dealer() == 2


def test_of_a_losing_team_the_first_clockwise_of_the_dealer_deals() -> None:
    match = do(Match(121, 15, 2, 1), peg(1, 5), put(0, 121))
    assert match.next_dealer() == 3


def test_after_a_game_given_up_the_next_seat_deals() -> None:
    assert do(Match(121, 7, 3, 1), peg(0, 3)).next_dealer() == 2


def test_while_nobody_has_scored_the_dealer_stays() -> None:
    assert Match(121, 7, 3, 1).next_dealer() == 1
    assert new(won_by_first(), 1).next_dealer() == 1


# What cannot be


@pytest.mark.parametrize(
    ("event", "code", "said"),
    [
        ((0, 0, 0, 0, 0), "args", "out of its range"),
        ((RESTORE, 0, 0, 0, 0), "args", "out of its range"),
        ((PEG, 0, 256, 0, 0), "args", "event (2, 0, 256, 0, 0) has a number"),
        ((PEG, 0, -1, 0, 0), "args", "out of its range"),
        ((PEG, 0, 1, -1, 0), "args", "out of its range"),
        ((PEG, 0, 1, 65536, 0), "args", "out of its range"),
        ((PEG, 0, 1, 0, 256), "args", "out of its range"),
        ((PEG, 0, 1, 0, -1), "args", "out of its range"),
        (peg(0, 47), "points", "47 points for peg cannot be; one score is 0 to 46"),
        ((HAND, 0, 47, 0, 0), "points", "47 points for hand"),
        ((PENALTY, 0, 47, 0, 0), "points", "47 points for penalty"),
        ((MUGGINS, 0, 47, 1, 0), "points", "47 points for muggins"),
        ((NIBS, 0, 1, 0, 0), "points", "1 points for nibs"),
        ((GO, 0, 2, 0, 0), "points", "2 points for go"),
        (peg(2, 1), "side", "no side 3 here; the sides are 1, 2"),
        (put(5, 1), "side", "no side 6"),
        ((FALSE, 4, 1, 0, 0), "side", "no side 5"),
        ((FALSE, 0, 0, 0, 0), "points", "the true score 0 is not below 0"),
        ((PENALTY, 0, 2, 2, 0), "args", "penalty way 2; 0 the others peg it, 1 the offender goes back"),
        ((MUGGINS, 0, 2, 0, 0), "side", "a side cannot call muggins on itself"),
        ((MUGGINS, 0, 2, 3, 0), "side", "no side 4"),
        ((NEW, 0, 91, 1 | 2 << 6 | 2 << 9, 61), "seats", "1 seats cannot be 2 sides"),
        ((NEW, 2, 91, 3 | 2 << 6 | 2 << 9, 61), "seats", "place 2 has no seat"),
        ((NEW, 0, 91, 3 | 2 << 6, 61), "args", "skunk line 91"),
        ((UNDO, 0, 0, 0, 0), "nothing", "there is nothing to undo"),
        ((REDO, 0, 0, 0, 0), "nothing", "there is nothing to redo"),
    ],
)
def test_an_event_that_cannot_be_is_refused_and_says_why(event: Event, code: str, said: str) -> None:
    refusal, text = refused(Match(), event)
    assert refusal == code
    assert said in text
