"""The game's picture and its rhythm, read from the strips as text."""

import random
from pathlib import Path

import pytest
from firmware.strips import Board, entry, game
from hypothesis import given
from hypothesis import strategies as st

from cribboard_core.events import DEAL, PEG, PENALTY, SET
from cribboard_core.match import Match
from cribboard_core.variants import COLOURS
from cribboard_fw import paint
from cribboard_fw.clock import WRAP
from cribboard_fw.entry import Entry
from cribboard_fw.paint import BACK, CRIB, FRONT, RGB, UNSEATED, WHITE, Palette
from cribboard_fw.scene import led_of

README = (Path(__file__).parents[2] / "firmware/wire/README.md").read_text("utf-8").splitlines()
DARK = "." * 121
MACHADO = {  # Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "no blindness": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}


def track(**leds: str) -> str:
    """A track of 121 LEDs, dark but for these, such as hole40="O"."""
    text = DARK
    for hole, letter in leds.items():
        led = int(hole[4:]) - 1
        text = text[:led] + letter + text[led + 1 :]
    return text


def test_front_peg_is_bright_and_back_peg_dim_in_the_colour_of_the_side():
    board = Board()
    board.show(game([(43, 37), (58, 50)]))
    assert board.text(0) == track(hole37="o", hole43="O", hole61="w", hole91="w", hole121="O")
    assert board.text(1) == track(hole50="b", hole58="B", hole61="w", hole91="w", hole121="w")


def test_at_the_start_both_pegs_are_off_the_strip():
    board = Board()
    board.show(game([(0, 0), (0, 0)], dealer=1))
    assert board.text(0) == track(hole61="w", hole91="w", hole121="w")
    assert board.text(1) == track(hole61="w", hole91="w", hole121="B")


def test_a_side_that_has_scored_once_has_its_back_peg_still_off_the_strip():
    board = Board()
    board.show(game([(4, 0), (0, 0)], dealer=1))
    assert board.text(0)[:60] == "...O" + "." * 56


@pytest.mark.parametrize(("tracks", "track_of_side"), [(1, [0, 0, 0]), (2, [0, 1, 0]), (3, [0, 1, 2]), (4, [0, 1, 2])])
def test_sides_go_round_the_tracks(tracks, track_of_side):
    board = Board(tracks)
    board.show(game([(20, 10), (30, 21), (40, 31)]))
    for side, at in enumerate(track_of_side):
        assert board.text(at)[19 + 10 * side] == "OBG"[side]


def test_a_track_without_a_side_is_dark():
    board = Board(3)
    board.show(game([(20, 10), (30, 21)]))
    assert board.text(2) == DARK


@pytest.mark.parametrize("place", range(6))
def test_the_rhythm_of_a_place_is_its_number_of_dips_in_two_seconds(place):
    board = Board()
    board.show(game([(10 + 3 * side, 8 + 3 * side) for side in range(6)]))
    front = board.over_time(9 + 3 * place, place % 2)
    back = board.over_time(7 + 3 * place, place % 2)
    assert front.count(".") == place and front.count("OBGYRP"[place]) == 16 - place
    assert back == front.lower()
    assert ".." not in front


def test_at_no_step_are_more_than_two_of_six_front_pegs_dark():
    board = Board(1)
    board.show(game([(10 + 3 * side, 8 + 3 * side) for side in range(6)]))
    seen = [board.over_time(9 + 3 * side) for side in range(6)]
    assert max(sum(pegs[step] == "." for pegs in seen) for step in range(16)) <= 2


def test_sides_that_meet_take_turns_of_half_a_second():
    board = Board(1)
    board.show(game([(40, 31), (40, 35)]))
    assert board.over_time(39) == "OOOOBBBBOOOOBBBB"


def test_six_sides_on_one_hole_show_each_for_half_a_second():
    board = Board(1)
    board.show(game([(12, 0)] * 6))
    assert board.over_time(11, steps=12, every_ms=500) == "OBGYRP" * 2


def test_a_front_peg_on_a_rivals_back_peg_takes_turns_with_it():
    board = Board(1)
    board.show(game([(40, 31), (52, 40)]))
    assert board.over_time(39) == "OOOObbbbOOOObbbb"


def test_pending_holes_blink_in_front_of_the_front_peg():
    board = Board()
    match = game([(43, 37), (58, 50)])
    pending = entry(match, side0=3)
    board.show(match, pending)
    assert board.text(0)[36:48] == "o.....OOOO.."
    board.show(match, pending, 250)
    assert board.text(0)[36:48] == "o.....O....."


def test_every_fifth_pending_hole_stays_lit_to_be_counted():
    board = Board()
    match = game([(43, 37), (58, 50)])
    board.show(match, entry(match, side0=12), 250)
    assert board.text(0)[42:57] == "O....O....O...."


def test_every_fifth_pending_hole_is_as_bright_as_those_that_blink():
    board = Board()
    match = game([(43, 37), (58, 50)])
    board.show(match, entry(match, side0=12))
    (colour,) = set(board.strips[0][43:55])
    assert colour


def test_pending_points_of_two_sides_show_together():
    board = Board(1)
    match = game([(43, 37), (70, 65)])
    board.show(match, entry(match, side0=2, side1=1))
    assert board.text(0)[42:46] == "OOO." and board.text(0)[69:72] == "BB."


def test_pending_points_show_up_to_the_game_hole():
    board = Board()
    match = game([(118, 110), (58, 50)], dealer=1)
    board.show(match, entry(match, side0=3))
    assert board.text(0)[116:] == ".OOOO"


def test_a_rival_in_the_pending_holes_stays_visible():
    board = Board(1)
    match = game([(40, 37), (42, 35)])
    board.show(match, entry(match, side0=4))
    assert board.over_time(41) == "OO..BBBBOO..BBBB"


def test_what_undo_would_take_blinks_fast_and_the_rest_does_not():
    board = Board()
    match = game([(37, 30), (58, 50)])
    match.apply(9, (PEG, 0, 6, 0, 0))
    board.show(match, undoing=True)
    assert board.text(0)[36:44] == "oOOOOOO."
    assert board.over_time(42) == board.over_time(39) == "O.O.O...O.O.O..."
    assert board.over_time(36) == "o" * 16
    assert board.over_time(57, 1).count(".") == 1


def test_a_penalty_that_undo_would_take_back_blinks_at_the_front_peg():
    board = Board()
    match = game([(37, 30), (58, 50)])
    match.apply(9, (PENALTY, 0, 4, 1, 0))
    board.show(match, undoing=True)
    assert board.over_time(32) == "O.O.O...O.O.O..."
    assert board.text(0)[33:60] == "." * 27


def test_a_deal_that_undo_would_take_back_blinks_at_the_crib():
    board = Board()
    match = game([(37, 30), (58, 50)])
    match.apply(9, (DEAL, 1, 0, 0, 0))
    board.show(match, undoing=True)
    assert board.over_time(120, 1) == "B.B.B...B.B.B..."
    assert board.over_time(36) == "O" * 16


def test_a_new_game_that_undo_would_take_back_blinks_at_the_crib():
    board = Board()
    board.show(game([(0, 0), (0, 0)]), undoing=True)
    assert board.over_time(120) == "O.O.O...O.O.O..."


@pytest.mark.parametrize("dealer", range(4))
def test_the_crib_of_a_team_is_in_the_colour_of_its_pegs(dealer):
    board = Board()
    board.show(game([(5, 2), (9, 4)], sides=4, dealer=dealer))
    assert board.text(dealer % 2)[120] == "OB"[dealer % 2]
    assert board.text(1 - dealer % 2)[120] == "w"


def test_the_crib_has_the_rhythm_of_its_owner():
    board = Board()
    board.show(game([(0, 0)] * 6, dealer=5))
    assert board.over_time(120, 1) == ".p.p.p.p.ppppppp"


@pytest.mark.parametrize(
    ("target", "leds", "led"),
    [(61, 61, 60), (91, 61, 30), (121, 61, 60), (241, 61, 60), (61, 121, 60), (91, 121, 90), (121, 121, 120)],
)
def test_the_game_hole_is_the_last_led_when_whole_laps_end_there_and_else_the_targets_own(target, leds, led):
    assert led_of(target, target, leds) == led
    board = Board(leds=leds)
    board.show(game([(1, 0), (0, 0)], target, lines=(0, 0)))
    assert board.text(1) == "." * led + "w" + "." * (leds - led - 1)


@given(st.sampled_from([61, 121]), st.sampled_from([61, 91, 121, 241]), st.data())
def test_every_hole_has_an_led_and_two_holes_share_one_only_a_lap_apart(leds, target, data):
    one = data.draw(st.integers(1, target))
    other = data.draw(st.integers(1, target))
    same = led_of(one, target, leds) == led_of(other, target, leds)
    assert 0 <= led_of(one, target, leds) < leds
    if same and one != other:
        assert (one - other) % (leds - 1) == 0


@pytest.mark.parametrize(("front", "tail"), [(60, 0), (61, 1), (70, 1), (125, 2), (190, 3), (240, 3)])
def test_a_lap_done_is_a_blinking_light_behind_the_front_peg(front, tail):
    board = Board(leds=61)
    board.show(game([(front, front - 20), (5, 2)], 241, dealer=1))
    led = (front - 1) % 60
    back = (front - 21) % 60
    tails = [(led - n - 1) % 60 for n in range(tail)]
    for at in range(60):
        seen = board.over_time(at)
        if at in tails:
            assert seen == "oooo....oooo...."
        else:
            assert seen == ("O" if at == led else "o" if at == back else ".") * 16


def test_the_tail_goes_on_behind_pegs_that_stand_in_its_way():
    board = Board(1, leds=61)
    board.show(game([(190, 189), (8, 2)], 241, dealer=1))
    assert [board.over_time(led)[:8] for led in (9, 8, 6, 5, 4)] == ["O" * 8, "o" * 8] + ["oooo...."] * 3


def test_a_peg_on_the_line_is_safe_so_the_line_is_its_first_safe_hole():
    board = Board()
    match = game([(91, 80), (88, 70)])
    board.show(match)
    assert board.text(0)[90] == "O" and board.text(1)[90] == "w"
    match.apply(9, (PEG, 0, 30, 0, 0))
    assert (match.skunked(1), match.winner) == (2, 0)


def test_the_line_swells_for_who_is_behind_it_when_the_leader_is_within_thirty():
    board = Board()
    board.show(game([(91, 80), (58, 50)]))
    assert board.over_time(90, 1) == "wwwwwwwWWWWwwwww" and board.over_time(60, 1) == "wwwwwwwWWWWwwwww"
    assert board.over_time(60, 0) == "w" * 16
    board.show(game([(92, 80), (61, 50)]))
    assert board.over_time(90, 1) == "wwwwwwwWWWWwwwww"
    assert board.over_time(60, 1).count("B") == 15


def test_a_line_begins_to_swell_from_its_glow():
    board = Board()
    board.show(game([(90, 80), (58, 50)]))
    glow = board.strips[1][90]
    board.show(game([(91, 80), (58, 50)]))
    assert board.strips[1][90] == glow


def test_the_line_is_quiet_while_the_leader_has_more_than_thirty_to_go():
    board = Board()
    board.show(game([(90, 80), (58, 50)]))
    assert board.over_time(90, 1) == "w" * 16


def test_a_leader_behind_a_high_line_is_not_warned_for_himself():
    board = Board()
    board.show(game([(95, 80), (58, 50)], lines=(110, 0)))
    assert board.over_time(109, 0) == "w" * 16 and "W" in board.over_time(109, 1)


def test_a_line_of_another_lap_does_not_glow():
    board = Board(leds=61)
    board.show(game([(40, 31), (70, 65)]))
    assert board.text(0)[30] == "o" and board.text(0)[0] == "."
    board.show(game([(45, 38), (70, 65)]))
    assert board.text(0)[30] == "."
    assert board.text(1)[30] == "w"


def test_a_game_without_lines_has_none():
    board = Board()
    board.show(game([(1, 0), (0, 0)], 241))
    assert board.text(1)[:120] == "." * 120


def test_light_is_a_function_of_match_and_time_whatever_was_shown_before():
    one, other = Board(), Board()
    match = game([(101, 80), (58, 50)])
    one.show(game([(0, 0)] * 6, 241))
    one.show(match, entry(match, side1=7), eighths=4)
    one.show(match, ms=375)
    other.show(match, ms=375)
    assert one.strips == other.strips


def test_nothing_is_sent_while_nothing_changes():
    board = Board()
    board.show(game([(43, 37), (0, 0)]))  # place 1 is steady, place 2 has no peg yet
    sent = list(board.sent)
    board.run(4000)
    assert board.sent == sent


def test_blinking_sends_a_track_only_when_a_step_changes_it():
    board = Board()
    board.show(game([(43, 37), (58, 50)]))
    before = list(board.sent)
    board.run(4000)
    assert [after - was for after, was in zip(board.sent, before, strict=True)] == [0, 4]


def test_a_peg_sends_only_its_own_track_in_the_step_after_it_is_laid_out():
    board = Board()
    match = game([(43, 37), (20, 15)])
    board.show(match)
    sent = list(board.sent)
    match.apply(9, (PEG, 0, 6, 0, 0))
    board.update(match)
    assert [board.step(), board.step()] == [-1, 0]
    assert board.strips[0][48]
    assert [board.step() for _ in range(4)] == [-1] * 4
    assert board.sent == [sent[0] + 1, sent[1]]


def test_the_same_update_again_sends_nothing():
    board = Board()
    match = game([(43, 37), (0, 0)])
    board.show(match)
    sent = list(board.sent)
    board.update(match)
    board.run(100)
    assert board.sent == sent


@pytest.mark.parametrize(("darker", "brighter"), [(0, 1), (1, 0)])
def test_the_track_that_grows_darker_is_sent_first_even_if_it_stays_the_brighter_one(darker, brighter):
    board = Board()
    match = game([(43, 37), (45, 39)])
    board.show(match, entry(match, **{f"side{darker}": 45}))
    board.update(match, entry(match, **{f"side{darker}": 35, f"side{brighter}": 2}))
    assert [track for track in (board.step() for _ in range(8)) if track >= 0] == [darker, brighter]


def test_the_deal_passing_sends_the_tracks_of_both_cribs():
    board = Board()
    match = game([(43, 37), (0, 0)])
    board.show(match)
    match.apply(9, (DEAL, 1, 0, 0, 0))
    board.update(match)
    assert sorted(board.step() for _ in range(4)) == [-1, -1, 0, 1]


def test_at_most_one_track_is_painted_in_a_step():
    board = Board(4)
    board.update(game([(9, 4)] * 4), entry(game([(0, 0)] * 4)))
    for _ in range(200):
        before = [list(board.lights.frame(track)) for track in range(4)]
        board.now += 20
        sent = board.lights.step(board.now)
        changed = [track for track in range(4) if board.lights.frame(track) != before[track]]
        assert changed in ([], [sent]) or (sent < 0 and len(changed) == 1)


def test_a_picture_whose_inks_must_be_mixed_is_painted_in_one_step_and_sent_in_the_next():
    board = Board()
    match = game([(10 * side + 20, 10 * side + 15) for side in range(6)])
    board.show(match)
    for points, steps in ((7, [-1, -1, 0]), (8, [-1, 0])):  # laid out, painted, sent; then its inks are known
        board.update(match, entry(match, side0=points, side2=points))
        assert [board.step() for _ in steps] == steps


def test_every_track_is_sent_while_events_pour_in():
    board = Board(2)
    match = game([(1, 0), (1, 0)])
    for front in range(2, 100):
        match.apply(front + 10, (SET, front % 2, front, front - 1, 0))
        if board.lights.settled:
            board.update(match)
        for _ in range(2):  # laid out, sent
            board.now += 5
            board.step()
    assert min(board.sent) > 40


def test_rhythms_go_on_over_the_wrap_of_the_clock():
    board = Board()
    board.now = WRAP - WRAP % 6000 - 6000
    board.show(game([(43, 37), (58, 50)]))
    for board.now in range(WRAP - 500, WRAP, 5):
        board.step()
    sent = list(board.sent)
    for board.now in range(0, 4000, 5):
        board.step()
    assert 4 <= board.sent[1] - sent[1] <= 6


def test_pegs_stand_in_their_holes_with_the_first_frame():
    board = Board()
    match = game([(43, 37), (20, 15)])
    board.update(match)
    while not board.sent[0]:
        board.step()
    assert board.text(0) == track(hole37="o", hole43="O", hole61="w", hole91="w", hole121="O")


def lab(rgb: tuple[float, ...]) -> tuple[float, float, float]:
    """CIE L*a*b* of linear RGB from 0 to 1."""
    red, green, blue = (max(0.0, channel) for channel in rgb)
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("blindness", MACHADO)
@pytest.mark.parametrize("level", [64, 10])
def test_the_six_colours_stay_apart_for_every_eye(blindness, level):
    palette = Palette(30)
    peak = 255 * 30 * level / 6400
    seen = []
    for place in range(6):
        packed = palette.colour(place, level)
        linear = [channel / peak for channel in (packed >> 16, packed >> 8 & 255, packed & 255)]
        mixed = [sum(a * b for a, b in zip(row, linear, strict=True)) for row in MACHADO[blindness]]
        seen.append(lab(tuple(mixed)))
    for one in range(6):
        for other in range(one):
            apart = sum((a - b) ** 2 for a, b in zip(seen[one], seen[other], strict=True)) ** 0.5
            assert apart > 18, (one, other, apart)  # Okabe and Ito's own come down to 16


def test_white_has_as_much_of_each_colour():
    assert len(set(RGB[WHITE])) == 1


LIGHTS = {  # as firmware/wire/README.md names them
    "front peg": paint.FRONT,
    "back peg": paint.BACK,
    "crib, in the game hole": paint.CRIB,
    "waiting points": paint.PENDING,
    "what UNDO would take": paint.UNDO,
    "tail": paint.TAIL,
    "place in the set-up": paint.STREET,
    "place that has not joined": paint.UNSEATED,
    "white dot": paint.DOT,
    "line or game hole at rest": paint.GLOW,
    "line in danger, as it swells": paint.WARN,
}


@pytest.mark.parametrize("light", LIGHTS)
def test_each_light_is_as_bright_as_the_description_says(light):
    row = next(line for line in README if line.startswith(f"| {light} | "))
    palette = Palette(100)
    levels = [int(level) for level in row.split("|")[2].split(",")]
    for who in (0, WHITE):
        shown = set(palette.pattern(LIGHTS[light] << 3 | who)) - {0}
        assert shown == {palette.colour(who, level) for level in levels}


@pytest.mark.parametrize("who", range(7))
def test_each_colour_is_what_the_description_says(who):
    name = "white" if who == WHITE else COLOURS[who]
    row = next(line for line in README if line.startswith(f"| {name} | "))
    assert tuple(int(channel) for channel in row.split("|")[2:5]) == RGB[who]


@pytest.mark.parametrize("place", range(6))
def test_no_colour_has_a_trace_of_another_that_would_tint_it_where_it_is_dim_and_rounded_up(place):
    assert all(channel == 0 or channel > max(RGB[place]) / 20 for channel in RGB[place])


@pytest.mark.parametrize("kind", [FRONT, BACK, CRIB, UNSEATED])
@pytest.mark.parametrize("place", range(6))
def test_between_its_dips_a_rhythm_is_steady_and_in_them_it_is_dark(place, kind):
    colours = Palette(100).pattern(kind << 3 | place)
    assert colours.count(0) == place
    assert len(set(colours) - {0}) == 1


@given(st.integers(1, 100), st.integers(0, WHITE), st.integers(1, 64))
def test_no_lit_channel_is_dark_at_any_brightness(brightness, who, level):
    packed = Palette(brightness).colour(who, level)
    channels = (packed >> 16, packed >> 8 & 255, packed & 255)
    assert [bool(channel) for channel in channels] == [bool(channel) for channel in RGB[who]]
    assert max(channels) <= 255


@pytest.mark.parametrize("who", range(7))
def test_at_full_brightness_a_colour_is_the_palettes_and_no_channel_runs_over_into_the_next(who: int) -> None:
    packed = Palette(100).colour(who, 64)
    channels = (packed >> 16, packed >> 8 & 255, packed & 255)
    assert channels == RGB[who] and max(channels) <= 255


@pytest.mark.parametrize("brightness", [30, 100])
def test_strong_pegs_are_brighter_in_their_own_colours_and_nothing_else_is(brightness: int) -> None:
    usual, strong = Palette(brightness), Palette(brightness, 1)
    for place in range(6):
        front, back = (usual.colour(place, min(level, 6400 // brightness)) for level in (128, 40))
        assert {*strong.pattern(FRONT << 3 | place)} - {0} == {front}
        assert {*strong.pattern(BACK << 3 | place)} - {0} == {back} != {*usual.pattern(BACK << 3 | place)} - {0}
        assert strong.cost(FRONT << 3 | place) == sum(front.to_bytes(3, "big"))
    for kind in {*range(1, 14)} - {FRONT, BACK}:
        assert strong.pattern(kind << 3) == usual.pattern(kind << 3)


@pytest.fixture
def mixed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The inks that are mixed from now on."""
    inks: list[int] = []
    pattern = Palette.pattern
    monkeypatch.setattr(Palette, "pattern", lambda self, ink: inks.append(ink) or pattern(self, ink))
    return inks


def crowd(chance: random.Random) -> tuple[Match, Entry]:
    """Six sides whose pegs and waiting points meet in any way."""
    fronts = [chance.randrange(20, 50) for _ in range(6)]
    match = game([(front, front - chance.randrange(20)) for front in fronts])
    return match, entry(match, **{f"side{side}": chance.randrange(1, 13) for side in range(6)})


def test_a_picture_keeps_the_patterns_of_its_own_inks_and_mixes_none_twice(mixed: list[int]) -> None:
    board, chance = Board(1), random.Random(1)
    sheets = board.lights._sheets
    seen: set[int] = set()
    for _ in range(100):
        before = [set(sheet._patterns) for sheet in sheets]
        mixed.clear()
        board.show(*crowd(chance))
        inks = [{ink for ink, _ in sheet._groups} | {fill[-1] for fill in sheet._fills} for sheet in sheets]
        assert [set(sheet._patterns) for sheet in sheets] == inks
        assert sorted(mixed) == sorted(ink for had, has in zip(before, inks, strict=True) for ink in has - had)
        seen.update(*inks)
    assert len(seen) > 5 * max(map(len, inks)), "the pictures were too much alike to show it"


def test_a_step_mixes_four_inks_at_most_and_another_brightness_mixes_all_again(mixed: list[int]) -> None:
    board, picture = Board(1), crowd(random.Random(2))
    board.show(*picture)
    inks = sorted(board.lights._sheets[0]._patterns)
    before = board.strips[0]
    mixed.clear()
    board.lights.brighten(60)
    steps = []
    while not board.lights.settled:
        board.step()
        steps.append(len(mixed) - sum(steps))
    assert sorted(mixed) == inks
    assert max(steps) == 4 < len(inks)
    assert board.strips[0] != before
    fresh = Board(1, brightness=60)
    fresh.show(*picture)
    assert board.strips[0] == fresh.strips[0]
