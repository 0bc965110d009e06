"""How fast the parts are on this machine: `python -m pytest tests/bench --benchmark-enable --benchmark-only`."""

from __future__ import annotations

import random

import pytest
from firmware.rig import Rig

from cribboard_core.cards import parse_cards
from cribboard_core.events import PEG
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_core.play import pile_points
from cribboard_core.show import count
from cribboard_core.wire import decode, encode

HANDS = {"zero": ("2H4D6CKS", "QH"), "double run": ("2H3D3C4S", "TH"), "twenty-nine": ("5H5C5SJD", "5D")}
HANDS["forty-six"] = ("4H4C5S5D6H", "6C")


@pytest.mark.parametrize("name", HANDS)
def test_count_a_hand(benchmark, name):
    hand, starter = HANDS[name]
    cards, turned = parse_cards(hand), parse_cards(starter)[0]
    benchmark(count, cards, turned)


def test_read_a_hand(benchmark):
    benchmark(parse_cards, "5H5C5SJD")


def test_count_a_card_of_the_play(benchmark):
    pile = parse_cards("8H6D4C5S7H")
    benchmark(pile_points, pile)


def pegs(number: int) -> list[tuple[int, ...]]:
    rng = random.Random(1)
    return [(PEG, rng.randrange(2), rng.choice((0, 0, 1)), 0, 0) for _ in range(number)]


def test_fold_a_match_of_300_events(benchmark):
    events = pegs(300)

    def fold() -> None:
        match = Match(241)
        for rev, event in enumerate(events, 1):
            match.check(event)
            match.apply(rev, event)

    benchmark(fold)


def test_write_a_frame(benchmark):
    benchmark(encode, ["hand", 40000, 200, 1, "5H5C5SJD", "5D", 0, 29])


def test_read_a_frame(benchmark):
    frame = encode(["hand", 40000, 200, 1, "5H5C5SJD", "5D", 0, 29])
    benchmark(decode, frame)


def test_append_to_the_journal(benchmark):
    def fresh():
        match = Match()
        journal = Journal(bytearray(b"\xff" * 4096))
        journal.mount(match, 1)
        return (journal,), {}

    def append(journal: Journal) -> None:
        for rev in range(1, 300):
            journal.append(rev, (PEG, 0, 0, 0, 0), 1, rev & 255)

    benchmark.pedantic(append, setup=fresh, rounds=30)


def test_mount_a_journal_of_300_events(benchmark):
    nvm = bytearray(b"\xff" * 4096)
    match = Match()
    journal = Journal(nvm)
    journal.mount(match, 1)
    for rev, event in enumerate(pegs(300), 1):
        journal.append(rev, event)
    benchmark(lambda: Journal(nvm).mount(Match(), 1))


def test_a_step_of_the_app_that_has_nothing_to_do(benchmark):
    rig = Rig()
    rig.run(5000)
    benchmark(rig.app.step, rig.now)


def test_paint_both_tracks_after_a_peg(benchmark):
    rig = Rig()
    rig.run(5000)
    side = [0]

    def peg() -> None:
        side[0] ^= 1
        rig.app.keeper.do((PEG, side[0], 0, 0, 0))
        rig.app.step(rig.now)

    benchmark(peg)
