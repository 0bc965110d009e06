"""Whole games by the buttons alone, with no host: set-up, deals, mistakes undone, wins, the next game."""

import random

from firmware.rig import OK, PLUS_1, PLUS_5, Rig


def play_to_the_end(rig: Rig, seed: int) -> list[tuple[int, int]]:
    """Peg at random, with slips that are undone, until somebody has won; returns what was pegged."""
    rng = random.Random(seed)
    pegged = []
    front = {side: rig.match.front(side) for side in rig.match.sides}
    turn = 0
    while rig.match.winner < 0:
        for _ in range(rng.randint(3, 6)):
            place = rng.choice(rig.match.seats)
            side = rig.match.side_of(place)
            points = rng.randint(1, 12)
            if rng.random() < 0.15:
                rig.peg(place, points + 1)
                rig.undo()
                if rng.random() < 0.5:
                    rig.redo()
                    rig.undo()
            assert rig.match.front(side) == front[side]
            rig.peg(place, points)
            front[side] = min(front[side] + points, rig.match.target)
            assert rig.match.front(side) == front[side]
            pegged.append((side, points))
            if rig.match.winner >= 0:
                return pegged
        dealer = rig.match.dealer
        rig.deal()
        turn += 1
        assert rig.match.dealer != dealer
    return pegged


def test_two_games_and_then_three_players_to_61_without_any_host():
    rig = Rig(3)
    rig.port.connected = False
    rig.run(500)
    play_to_the_end(rig, 1)
    first_winner = rig.match.winner
    loser = 1 - first_winner
    assert rig.match.won(first_winner) == 1

    rig.open_setup()
    rig.deal()
    assert rig.scores() == [0, 0]
    assert rig.match.dealer == loser
    play_to_the_end(rig, 2)
    assert sum(rig.match.won(side) for side in rig.match.sides) == 2

    rig.open_setup()
    rig.tap(3 * 2 + OK)
    while rig.setup.target != 61:
        rig.tap(PLUS_1)
    rig.tap(3 * 2 + PLUS_5)
    rig.deal()
    assert rig.match.sides == (0, 1, 2)
    assert (rig.match.target, rig.match.skunk, rig.match.double) == (61, 31, 0)
    assert rig.match.dealer == 2
    play_to_the_end(rig, 3)
    assert max(rig.scores()) == 61

    rig.boot()
    assert max(rig.scores()) == 61, "the game is still there after the power was cut"


def test_a_win_can_be_undone_and_brought_back():
    rig = Rig()
    rig.peg(0, 40)
    rig.peg(0, 40)
    rig.peg(0, 40)
    rig.peg(0, 1)
    assert rig.match.winner == 0
    rig.undo()
    assert rig.match.winner == -1
    assert (rig.match.front(0), rig.match.back(0)) == (120, 80)
    rig.redo()
    assert rig.match.winner == 0


def test_a_new_game_can_be_undone_until_its_first_peg():
    rig = Rig()
    rig.peg(1, 9)
    rig.open_setup()
    rig.deal()
    assert rig.scores() == [0, 0]
    rig.undo()
    assert rig.scores() == [0, 9]
    rig.redo()
    rig.peg(0, 2)
    rig.undo()
    rig.undo()
    assert rig.scores() == [0, 0]


def test_set_up_closes_by_itself_after_a_minute_and_the_old_game_stands():
    rig = Rig()
    rig.peg(1, 9)
    rig.open_setup()
    assert rig.setup
    rig.run(60_100, 50)
    assert rig.setup is None
    assert rig.scores() == [0, 9]


def test_undo_closes_the_set_up():
    rig = Rig()
    rig.open_setup()
    rig.undo()
    assert rig.setup is None


def test_four_places_can_play_as_two_teams_and_partners_peg_for_their_side():
    rig = Rig(4)
    rig.open_setup()
    rig.tap(3 * 2 + OK)
    rig.tap(3 * 3 + OK)
    rig.redo()
    rig.deal()
    assert rig.match.sides == (0, 1)
    assert rig.match.seats == (0, 1, 2, 3)
    rig.peg(2, 7)
    rig.peg(3, 4)
    assert rig.scores() == [7, 4]


def test_points_of_two_sides_can_wait_at_once_and_undo_takes_the_press_touched_last():
    rig = Rig()
    rig.tap(PLUS_5)
    rig.tap(3 + PLUS_1)
    rig.tap(PLUS_1)
    assert (rig.app.entry.points(0), rig.app.entry.points(1)) == (6, 1)
    rig.undo()
    assert (rig.app.entry.points(0), rig.app.entry.points(1)) == (5, 1)
    rig.tap(OK)
    rig.tap(3 + OK)
    assert rig.scores() == [5, 1]


def test_what_undo_takes_blinks_before_it_goes():
    rig = Rig()
    rig.peg(0, 8)
    rig.run(2000)
    rig.edge(6, True)
    rig.run(30)
    rig.edge(6, False)
    rig.run(300)
    assert rig.scores() == [8, 0]
    rig.run(400)
    assert rig.scores() == [0, 0]


def test_what_undo_would_take_blinks_no_longer_when_it_is_held_and_there_is_nothing_to_bring_back():
    rig = Rig()
    rig.peg(0, 8)
    rig.edge(6, True)
    rig.run(500)
    assert rig.app.picture.undoing
    rig.run(2000)
    assert not rig.app.picture.undoing
    rig.edge(6, False)
    rig.run(700)
    assert rig.scores() == [8, 0]


def test_a_second_tap_undoes_the_first_score_at_once_and_takes_the_one_before():
    rig = Rig()
    rig.peg(0, 8)
    rig.peg(0, 3)
    rig.tap(6)
    rig.tap(6)
    rig.run(700)
    assert rig.scores() == [0, 0]


def test_holding_deal_shows_how_far_it_is():
    rig = Rig()
    rig.run(2000)
    dark = sum(1 for light in rig.strips[0] if light)
    rig.edge(7, True)
    rig.run(1500)
    assert sum(1 for light in rig.strips[0] if light) > dark
    rig.edge(7, False)
    assert rig.setup is None


def test_idle_points_commit_by_themselves_only_when_the_setting_says_so():
    rig = Rig(settings="COMMIT_AFTER_S = 3")
    rig.tap(PLUS_5)
    rig.run(2500)
    assert rig.scores() == [0, 0]
    rig.run(700)
    assert rig.scores() == [5, 0]
    still = Rig()
    still.tap(PLUS_5)
    still.run(20_000, 50)
    assert still.scores() == [0, 0]


def test_pending_points_are_gone_after_a_power_cut_and_nothing_else():
    rig = Rig()
    rig.peg(0, 8)
    rig.tap(PLUS_5)
    rig.boot()
    rig.run(100)
    assert rig.scores() == [8, 0]
    assert not rig.app.entry.any


def test_after_a_win_what_others_had_pending_is_dropped():
    rig = Rig()
    for _ in range(3):
        rig.peg(0, 40)
    rig.tap(3 + PLUS_5)
    rig.peg(0, 1)
    assert rig.match.winner == 0
    assert rig.app.entry.points(1) == 0
    rig.tap(3 + OK)
    assert rig.scores() == [121, 0]


def test_the_clock_wraps_in_the_middle_of_a_game():
    rig = Rig(start=(1 << 29) - 900)
    rig.tap(PLUS_5)
    rig.tap(PLUS_1)
    rig.run(1000)
    rig.tap(OK)
    assert rig.scores() == [6, 0]
    rig.undo()
    assert rig.scores() == [0, 0]
