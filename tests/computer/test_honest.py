"""The chance to win that is named late in a deal: against endings of which all is known, and against games' ends."""

from __future__ import annotations

import random
from statistics import mean

import pytest
from computer.calibration import BRIER, played
from computer.endings import OFF, Solved, endings, judged

from cribboard.analyst.points import points
from cribboard.computer.batch import seen_in
from cribboard.computer.discarding import by_points
from cribboard.computer.playing import Seen, _Shows, outlooks
from cribboard.playing.judge import UNSURE
from cribboard_core.cards import PACK_SIZE, card_name

SHOWS_TOO_MUCH = {  # the opponent's three cards and the starter count fourteen, and he is out first with ten
    "hand": ["4H", "JC"],
    "played": [[1, "5S"], [0, "KD"], [1, "5D"], [0, "AH"], [1, "JS"]],
    "seat": 0,
    "dealer": 0,
    "starter": "5C",
    "thrown": ["2C", "8H"],
    "scores": [116, 111],
}
PAIRED_LATER = {  # a nine wins against an eight, and loses against nothing
    "hand": ["9C", "8D"],
    "played": [[0, "3C"], [1, "KS"], [0, "3S"], [1, "TS"], [0, "4D"], [1, None], [0, None]],
    "seat": 1,
    "dealer": 1,
    "starter": "QD",
    "thrown": ["AC", "7C"],
    "scores": [117, 113],
}
COSTS_NOTHING = {
    "hand": ["JD", "4D"],
    "played": [[0, "JH"], [1, "5H"], [0, "JS"], [1, "6S"], [0, "TD"]],
    "seat": 1,
    "dealer": 1,
    "starter": "5D",
    "thrown": ["AD", "3C"],
    "scores": [105, 109],
}
KEEPS_CLUBS = {  # three clubs are shown, and few who have a fourth throw it away
    "hand": ["8D", "TS"],
    "played": [[1, "9C"], [0, "QC"], [1, "KC"], [0, None], [1, None], [0, "8C"], [1, "TC"]],
    "seat": 0,
    "dealer": 0,
    "starter": "5H",
    "thrown": ["2S", "KH"],
    "scores": [113, 108],
}


def said(record):
    return {card_name(each.card): each.win for each in outlooks(seen_in(record), 160)}


def solved(record):
    seen = seen_in(record)
    by_rank = Solved(seen).cards()
    return {card_name(card): by_rank[card >> 2] for card in seen.legal}


def test_nobody_wins_who_lets_out_what_the_other_has_shown():
    assert said(SHOWS_TOO_MUCH) == {"4H": 0, "JC": 0}
    assert solved(SHOWS_TOO_MUCH) == {"4H": 0, "JC": 0}


@pytest.mark.parametrize(("record", "best"), [(PAIRED_LATER, "9C"), (COSTS_NOTHING, "JD")])
def test_what_is_best_against_every_last_card_is_blamed_nowhere(record, best):
    named, true = said(record), solved(record)
    assert max(true.values()) == true[best]
    assert max(named.values()) - named[best] <= UNSURE
    assert named == pytest.approx(true, abs=5 * OFF)


def test_a_jack_of_the_starters_suit_and_a_flush_are_counted():
    """Hearts only: whatever his last card is, with a flush and nobs he counts enough, or he does not."""
    hearts = {**COSTS_NOTHING, "played": [[0, "JH"], [1, "5C"], [0, "2H"], [1, "6S"], [0, "8H"]], "starter": "QH"}
    need_one = {**hearts, "scores": [105, 120], "hand": ["JD", "4D"]}
    assert set(said(need_one).values()) == {0.0}, "nobs alone lets pone out"
    nothing_sure = {**need_one, "starter": "QC"}
    assert all(0 < win < 1 for win in said(nothing_sure).values())


def test_a_flush_is_kept_more_often_than_its_ranks_alone():
    assert said(KEEPS_CLUBS) == pytest.approx(solved(KEEPS_CLUBS), abs=OFF)


def test_two_shown_cards_of_one_suit_are_as_often_a_flush_as_it_is_kept():
    chance, off = random.Random(2), []
    while len(off) < 300:
        cards, role = chance.sample(range(PACK_SIZE), 13), len(off) % 2
        kept = max(by_points(sorted(cards[:6]), role), key=lambda choice: choice.worth(role)).kept
        *shown, low, high = chance.sample(kept, 4)
        if shown[0] & 3 == shown[1] & 3:
            starter, mine = cards[6], cards[7:]
            played = ((1, shown[0]), (0, mine[0]), (1, shown[1]), (0, mine[1]))
            seen = Seen(0, role, tuple(mine[2:4]), tuple(mine[4:]), played, starter, (0, 0))
            ranks = sorted((low >> 2, high >> 2))
            said = sum([made * share for made, share in _Shows(seen, seen.out)(tuple(ranks))])
            off.append(said - points(kept, starter))
    assert abs(mean(off)) < 0.25


@pytest.mark.unmeasured
@pytest.mark.long
def test_a_sample_of_endings_is_as_they_are_solved():
    sample = [judged(seen) for seen, _ in zip(endings(1), range(2), strict=False)]
    assert sum(each.off for each in sample) / len(sample) <= OFF
    assert not [each for each in sample if each.blames]


@pytest.mark.unmeasured
def test_a_sample_of_games_ends_as_the_chances_said():
    result = played(20, 1)
    assert len(result.wins) > 100
    assert result.calibrated, str(result)
    assert result.brier < 2 * BRIER, "of few games; a thousand are a command"
