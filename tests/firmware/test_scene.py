"""The set-up, a won game and its comets, the red pictures."""

import pytest
from firmware.strips import Board, game, set_up

from cribboard_core.events import PEG, SET
from cribboard_fw.clock import WRAP
from cribboard_fw.scene import DARK, FRAME_MS, WON

START = game([(0, 0), (0, 0)])


def won_board(tracks: int = 2, leds: int = 121, loser: int = 95, won: tuple[int, int] = (0, 0)) -> Board:
    """A board just before the last peg of side 0, and that peg."""
    board = Board(tracks, leds)
    match = game([(117, 110), (loser, loser - 5)])
    match.play.won = list(won)
    board.show(match)
    match.apply(9, (PEG, 0, 4, 0, 0))
    board.update(match)
    board.match = match
    return board


def test_who_has_joined_has_a_street_and_who_has_not_one_dim_light():
    board = Board()
    board.show(START, setup=set_up(START, [0, 1, 2], 3, 121, -1), ms=750)
    one, other = board.text(0), board.text(1)
    assert one[:34].replace(".", "") == "O" + "o" * 15 and one[34:68].replace(".", "") == "G" + "g" * 15
    assert other[:34].replace(".", "") == "B" + "b" * 15 and other[34:68].replace(".", "") == "y"
    assert one[68:102].replace(".", "") == "r"


def test_the_dealers_street_ends_in_a_white_light():
    board = Board()
    board.show(START, setup=set_up(START, [0, 1], 2, 121, 1))
    assert board.text(0)[31] == "." and board.text(1)[31] == "W"


@pytest.mark.parametrize(("target", "dots"), [(61, 2), (91, 3), (121, 4), (241, 8)])
@pytest.mark.parametrize("leds", [61, 121])
def test_white_dots_at_the_far_end_count_the_streets_to_go(target, dots, leds):
    board = Board(leds=leds)
    board.show(START, setup=set_up(START, [0, 1], 2, target, 0))
    for track in (0, 1):
        assert board.text(track)[leds - 17 :] == ("." * 17 + ".w" * dots)[-17:].replace("w", board.text(track)[-1])
        assert board.text(track)[-1] in "wW"


def test_partners_have_a_gap_and_the_colour_of_their_pegs_behind_it():
    board = Board()
    board.show(START, setup=set_up(START, [0, 1, 2, 3], 2, 121, -1))
    assert board.text(0)[34:68] == "G" + ".g" * 6 + "..." + "o." * 8 + ".."
    assert board.text(1)[34:68] == "Y" + ".y" * 6 + "..." + "b." * 8 + ".."


@pytest.mark.parametrize("leds", [61, 121])
@pytest.mark.parametrize(("reached", "steps"), [(1, 4), (2, 4), (4, 4), (0, 2), (1, 2), (2, 2)])
def test_a_level_that_is_being_chosen_is_groups_of_three_white_lights_dim_ones_for_more(leds, reached, steps):
    board = Board(leds=leds, brightness=100)
    setup = set_up(START, [0, 1], 2, 121, 0)
    setup.level = (reached, steps)
    board.show(START, setup=setup)
    room = (leds - 1) // steps
    want = "".join(("W.W.W" if step < reached else "w.w.w").ljust(room, ".") for step in range(steps)) + "."
    assert [board.text(0), board.text(1)] == [want] * 2


def test_any_other_choice_shows_the_places_again():
    board = Board()
    setup = set_up(START, [0, 1], 2, 121, 0)
    board.show(START, setup=setup)
    places = [board.text(0), board.text(1)]
    setup.level = (2, 4)
    setup.teams()
    board.show(START, setup=setup)
    assert [board.text(0), board.text(1)] == places


def test_the_dark_is_dark_on_every_track_and_ends_as_it_was():
    board = Board(3)
    match = game([(43, 37), (58, 50), (3, 0)])
    board.show(match, ms=750)
    before = [list(strip) for strip in board.strips]
    board.show(match, view=DARK, ms=750)
    assert board.strips == [[0] * 121] * 3
    board.show(match, ms=750)
    assert board.strips == before


def test_games_won_are_shown_in_the_middle_of_a_game_without_a_winner():
    board = Board()
    match = game([(60, 50), (70, 65)])
    match.play.won = [2, 7]
    board.show(match, view=WON, ms=750)
    assert board.text(0)[:30].strip(".").upper() == "OO"
    assert board.text(1)[:30].strip(".").upper() == "BBBBB.BB"
    assert board.text(0)[30:].replace(".", "") == "oO", "both pegs as in play, and no track that glows"


@pytest.mark.parametrize("tracks", [1, 2, 3, 4])
@pytest.mark.parametrize("leds", [61, 121])
@pytest.mark.parametrize("sides", [2, 3, 6])
def test_six_places_fit_any_board(tracks, leds, sides):
    board = Board(tracks, leds)
    board.show(START, setup=set_up(START, [0, 1, 2, 3, 4, 5], sides, 241, 5), ms=875)
    seen = "".join(board.text(track) for track in range(tracks)).upper()
    lit = [seen.count(letter) for letter in "OBGYRP"]
    assert seen.count("W") == 8 * tracks + 1
    assert min(lit) >= (3 if sides == 6 else 2)
    if sides < 6:  # the colours of pegs are on the partners' streets too
        assert min(lit[:sides]) > max(lit[sides:])


def test_nobody_joined_is_shown_too():
    board = Board()
    board.show(START, setup=set_up(START, [], 0, 121, -1), ms=875)
    assert (board.text(0) + board.text(1)).replace(".", "").lower() == "ogrwwwwbypwwww"


@pytest.mark.parametrize(("eighths", "dots"), [(0, 0), (1, 3), (4, 12), (8, 24)])
def test_holding_deal_grows_white_dots_five_holes_apart_under_the_pegs(eighths, dots):
    board = Board()
    board.show(game([(0, 0), (0, 0)], lines=(0, 0), dealer=1), eighths=eighths)
    lit = [led for led, letter in enumerate(board.text(0)[:120]) if letter == "w"]
    assert lit == [5 * n + 4 for n in range(dots)]


def test_the_win_show_runs_six_seconds_at_more_than_thirty_frames():
    board = won_board()
    sent = list(board.sent)
    started = board.now
    for _ in range(60):  # a step takes 5 ms or a frame's 10
        board.run(100, 10)
        if any(board.text(0)[led] == "O" and board.text(0)[led - 1] == "o" for led in range(1, 121)):
            lasted = board.now - started
    assert 4000 < lasted <= 6100
    assert all(after - was > 30 * 5.5 for after, was in zip(board.sent, sent, strict=True))
    assert FRAME_MS <= 33


def shown_from(start: int) -> list[list[list[int]]]:
    """The strips at each step of a second of comets; the first step is at this time."""
    board = won_board()
    board.now = start % WRAP
    frames = []
    for _ in range(200):
        board.step()
        frames.append(list(board.strips))
        board.now = (board.now + 5) % WRAP
    return frames


@pytest.mark.parametrize("steps", range(8))
def test_comets_run_alike_whenever_they_begin(steps):
    assert shown_from(-5 * steps) == shown_from(6000)


def test_each_track_of_a_won_game_is_painted_in_one_step_and_sent_in_the_next():
    board = won_board()
    steps = [board.step() for _ in range(6)]
    assert steps[:3] == [-1, -1, -1] and steps[4] == -1
    assert sorted(steps[3::2]) == [0, 1]


def test_a_change_between_paint_and_send_is_painted_before_it_is_sent():
    board = won_board()
    board.run(6500)
    board.at(0)
    board.match.apply(10, (SET, 1, 50, 40, 0))
    board.update(board.match)
    assert [board.step(), board.step()] == [-1, -1]  # laid out, painted
    board.match.apply(11, (SET, 1, 60, 50, 0))
    board.update(board.match)
    assert [board.step() for _ in range(3)] == [-1, -1, 1]
    assert board.text(1)[49].upper() == board.text(1)[59].upper() == "B"
    assert not board.strips[1][39]


def test_comets_run_on_every_track_in_the_winners_colour():
    board = won_board()
    board.run(1000)
    for track in (0, 1):
        assert set(board.text(track).upper()) == {".", "O"}
        assert board.text(track).count("O") in (2, 3, 4)


@pytest.mark.parametrize(("loser", "comets"), [(95, 2), (88, 4), (40, 6)])
def test_a_skunk_runs_twice_and_a_double_skunk_three_times_the_comets(loser, comets):
    board = won_board(loser=loser)
    board.run(300)
    heads = [led for led in range(121) if board.strips[1][led] and not board.strips[1][(led + 1) % 121]]
    assert len(heads) == comets


def test_after_the_show_blinking_lights_are_pegs_and_steady_ones_games_won():
    board = won_board(won=(6, 12), loser=70)
    board.run(6500)
    board.at(0)
    on = [board.text(0), board.text(1)]
    board.at(500)
    off = [board.text(0), board.text(1)]
    assert on[0][:12].replace("o", ".") == "OOOOO.OO...." and off[0][:8] == on[0][:8]
    assert on[1][:18] == off[1][:18] == "BBBBB.BBBBB.BB...."
    assert [led for led in range(121) if on[0][led] == "O" and off[0][led] != "O"] == [116, 120]
    assert [led for led in range(121) if on[1][led] != off[1][led]] == [64, 69]


def test_the_winners_track_glows_and_the_others_do_not():
    board = won_board()
    board.run(6500)
    board.at(500)
    assert board.text(0)[20:100] == "o." * 40
    assert board.text(1)[20:] == "." * 101


def test_games_won_that_do_not_fit_are_as_many_as_fit():
    board = won_board(1, 61, won=(400, 400))
    board.run(6500)
    board.at(500)
    assert board.text(0)[:60].upper().count("O") >= 24
    assert board.text(0)[30:59].count("B") >= 20


def test_after_a_cut_in_power_a_won_game_is_shown_without_comets():
    board = Board()
    match = game([(121, 110), (95, 90)])
    board.update(match)
    board.run(800)
    board.at(500)
    assert board.text(0)[20:100] == "o." * 40


def test_undo_in_the_middle_of_the_show_brings_the_game_back_at_once():
    board = won_board()
    board.run(1500)
    board.update(board.match, undoing=True)
    for _ in range(6):
        board.step()
    board.at(0)
    assert board.over_time(120) == "O.O.O...O.O.O..."
    board.match.apply(10, (SET, 0, 117, 110, 0))
    board.show(board.match)
    assert board.text(0)[116] == "O" and board.text(0)[120] == "O" and board.text(0)[20] == "."


def test_a_board_that_falls_behind_catches_up_and_still_ends_with_the_picture():
    board = won_board()
    for _ in range(80):
        board.now += 400
        board.step()
    board.at(500)
    assert board.text(0)[20:100] == "o." * 40
