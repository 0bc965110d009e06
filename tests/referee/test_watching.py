"""What is known at a table that only watches is the fold of its lines, wherever they begin."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, astuple, replace

import pytest

from cribboard.referee import watching
from cribboard.referee.shown import (
    Shown,
    a_card,
    a_card_back,
    a_claim_back,
    a_correction,
    a_hand,
    a_starter,
    more_of,
    no_cards,
    to_json,
)
from cribboard.referee.watched import LATE, Cards, Claim, Correction, Counted, PlayedCard, made_by
from cribboard.referee.watching import Watching
from cribboard_core.events import DEAL, GO, HAND, MUGGINS, NEW, NIBS, PEG, REDO, SET, UNDO
from cribboard_core.pile import LIMIT

FIRST = 65530  # the first event: of the later ones the low halves wrap


class Table:
    """A table at which things happen by chance; `undone` are the revs that redo can bring back, the newest last."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.deal = Watching()
        self.deal.happened(FIRST, (DEAL, 0, 0, 0, 0))
        self.done: list[int] = []
        self.undone: list[int] = []
        self.key = 0

    def claim(self) -> Claim | None:
        chance = self.chance
        return Claim(chance.randrange(5), chance.randrange(3), chance.random() < 0.8) if chance.random() < 0.6 else None

    def shown(self, side: int, kind: int) -> list[Shown]:
        """What an order shows with an event of this kind, 0 for none."""
        chance, self.key = self.chance, self.key + 1
        key, known = f"key {self.key}", self.deal.now
        pile = [laid.card for laid in known.top()]
        if kind == HAND or (not kind and chance.random() < 0.3):
            cards = tuple(chance.sample(range(52), 4))
            late = LATE if chance.random() < 0.2 else ""
            return [a_hand(Counted(0, side, chance.random() < 0.3, cards, 50, late + key, self.claim()))]
        if kind == SET:
            return [a_correction(Correction(self.deal.rev, "peg", side, 0, 3, 2, (("phone", side),)))]
        if kind == MUGGINS:
            return [more_of(known.open.key)] if known.open else []
        if kind in (0, PEG):
            backs = [a_card_back(known.pile[-1].card, key)] if known.pile and not known.pile[-1].rev else []
            backs += [a_claim_back(hand, key) for hand in known.counted if not hand.rev and hand.key]
            others = [a_starter(chance.randrange(-1, 52)), no_cards(key), *backs]
            free = [card for card in range(52) if card not in known.seen and made_by(pile, card)[2] <= LIMIT]
            if not free:
                return [no_cards(key)]
            laid = PlayedCard(chance.choice(free), side, 2, key=key, claim=self.claim())
            return [chance.choice(others) if not kind and chance.random() < 0.4 else a_card(laid)]
        return []

    def step(self) -> None:
        chance, deal, rev = self.chance, self.deal, self.deal.rev + 1
        roll = chance.random()
        side = chance.randrange(2)
        if roll < 0.4:
            deal.showed(*self.shown(side, 0))
        elif roll < 0.55 and self.done:
            self.undone.append(self.done.pop())
            deal.happened(rev, (UNDO, 0, 0, self.undone[-1] & 0xFFFF, 0))
        elif roll < 0.62 and self.undone:
            self.done.append(self.undone.pop())
            deal.happened(rev, (REDO, 0, 0, self.done[-1] & 0xFFFF, 0))
        else:
            kind = chance.choice([PEG, PEG, PEG, HAND, HAND, GO, NIBS, MUGGINS, SET, DEAL])
            deal.happened(rev, (kind, side, 2, 1 - side if kind == MUGGINS else 0, 0), self.shown(side, kind))
            self.done.append(rev)
            self.undone.clear()


def known(deal: Watching) -> object:
    return deal.now, deal.rev, deal.corrections, deal.base[2:], stands(deal)


def stands(deal: Watching) -> list[bool]:
    return [deal.stands(rev) for rev in range(FIRST, max(FIRST, deal.rev) + 1)]


def read_again(deal: Watching) -> Watching:
    """What a kiosk knows that reads its file after a restart."""
    again = Watching()
    again.start(json.loads(json.dumps(deal.base)))
    assert (again.base, again.rev) == (deal.base, deal.base[0])
    for line in json.loads(json.dumps(deal.lines)):
        again.take(line)
    return again


@pytest.mark.parametrize("seed", range(5))
def test_lines_that_are_read_again_lead_to_what_is_known_and_undo_to_what_was(seed: int) -> None:
    table = Table(seed)
    deal = table.deal
    for _ in range(35):
        before, stood = deal.now, stands(deal)
        table.step()
        if deal.lines[-1][0] == "shown" or deal.lines[-1][2] in ("undo", "redo"):
            continue
        again = read_again(deal)
        assert known(again) == known(deal)
        uncalled = list(again.uncalled)
        again.happened(deal.rev + 1, (UNDO, 0, 0, deal.rev & 0xFFFF, 0))
        assert replace(again.now, open=None) == replace(before, open=None)
        assert again.now.open in (None, before.open)
        assert (again.uncalled, again.rev) == (uncalled, deal.rev + 1)
        assert stands(again)[:-1] == [*stood, False]
        again.happened(deal.rev + 2, (REDO, 0, 0, deal.rev & 0xFFFF, 0))
        assert replace(again.now, open=None) == replace(deal.now, open=None)
        assert (again.uncalled, stands(again)[:-2]) == (uncalled, stands(deal))


@pytest.mark.parametrize("seed", range(2))
def test_a_file_that_was_shortened_leads_to_what_is_known(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "KEPT", 10)
    table = Table(seed)
    sizes = set()
    for _ in range(40):
        table.step()
        sizes.add(len(table.deal.lines))
        again = read_again(table.deal)
        assert (again.now, again.rev, again.corrections) == (table.deal.now, table.deal.rev, table.deal.corrections)
        lines, ahead = table.deal.lines, table.deal.base[0]
        assert 10 <= len(lines) <= 20 or not ahead
        assert ahead in (0, next((line[1] for line in lines if line[0] == "event"), table.deal.rev + 1) - 1)
    assert max(sizes) == 20


def test_nothing_is_known_at_first_and_but_the_starter_in_another_journal() -> None:
    fresh = Watching()
    assert (fresh.rev, fresh.base) == (0, [0, to_json(asdict(Cards())), [], {}, []])
    assert astuple(Cards()) == (-1, (), (), (), 0, 0, None, 0, None, (), ())
    assert astuple(PlayedCard(1, 0)) == (1, 0, 0, "", 0, 0, "", None, 0, "")
    assert Cards(starter=0).seen == [0]
    table = Table(1)
    for _ in range(40):
        table.step()
    deal = table.deal
    deal.showed(a_starter(7))
    assert deal.corrections
    began, pegged = deal.rev + 1, deal.rev + 3
    for rev, event in enumerate(((NEW, 0, 0, 0), (UNDO, 0, 0, began), (PEG, 0, 2, 0), (UNDO, 0, 0, pegged)), began):
        deal.happened(rev, (*event[:3], event[3] & 0xFFFF, 0))
    assert not any(map(deal.stands, (began, pegged)))
    deal.begin()
    assert (deal.now, deal.lines, deal.rev, deal.corrections) == (Cards(starter=7), [], 0, {})
    assert [*deal.base[:2], deal.base[4]] == [0, to_json(asdict(Cards(starter=7))), []]
    assert all(map(deal.stands, (began, pegged)))


def test_what_a_line_ahead_has_shown_is_taken_back_alone() -> None:
    deal = Watching()
    for at, key in enumerate("ab"):
        deal.showed(
            a_card(PlayedCard(at, 0, key=key)), a_hand(Counted(0, at, False, (8, 9, 10, 11), 12, "hand " + key))
        )
    again = Watching()
    nibs = FIRST + 10  # its low half is 4
    ahead = to_json(asdict(replace(deal.now, nibs=nibs)))
    with pytest.raises(ValueError, match="52"):
        again.start([nibs, ahead, [], {"a": 52}, []])
    again.start([nibs, ahead, [], {"a": 0, "b": 1}, []])
    for low, left in ((3, nibs), (4, 0)):
        again.happened(again.rev + 1, (UNDO, 0, 0, low, 0))
        assert again.now.nibs == left
    again.showed(a_card_back(1, "back"), a_claim_back(Counted(0, 1, False, key="hand b"), "other"))
    assert [laid.key for laid in again.now.pile] == [laid.key for laid in again.now.played] == ["a"]
    assert [hand.key for hand in again.now.counted] == ["hand a"]
    assert [again.counted_by(key) for key in ("hand a", "hand b", "")] == [again.now.counted[0], None, None]
    assert [again.played_by(key) for key in "abc"] == [0, 1, -1]
    assert [again.has_taken_back(key) for key in ("a", "c", "back", "other")] == [False, False, True, True]


@pytest.mark.parametrize("late", [a_starter(18), a_card(PlayedCard(18, 1, key="late"))], ids=["starter", "card"])
@pytest.mark.parametrize("first", [a_starter(18), a_card(PlayedCard(18, 0, key="first"))], ids=["starter", "card"])
def test_a_card_that_undo_brings_back_does_not_lie_there_twice(first: Shown, late: Shown) -> None:
    """What a phone has shown on an empty table, while a button took the new game back."""
    deal = Watching()
    deal.happened(1, (DEAL, 0, 0, 0, 0))
    deal.showed(first)
    before = deal.now
    deal.happened(2, (NEW, 0, 0, 0, 0))
    deal.happened(3, (UNDO, 0, 0, 2, 0))
    deal.happened(4, (HAND, 1, 8, 0, 0), [late])
    assert (deal.now.starter, deal.now.played) == (before.starter, before.played)


def test_what_was_shown_last_and_is_taken_back_leaves_nothing_and_points_end_a_call() -> None:
    deal = Watching()
    deal.happened(1, (PEG, 1, 2, 0, 0), [a_card(PlayedCard(0, 1, 2, key="a", claim=Claim(2, 1, True)))])
    before, open_claim = deal.now, deal.now.open
    hand = Counted(0, 0, False, (4, 5, 6, 7), 8, "b", Claim(0, 2, True))
    for shown, back in (
        (a_card(PlayedCard(1, 0, key="b")), a_card_back(1, "c")),
        (a_hand(hand), a_claim_back(hand, "d")),
    ):
        deal.showed(shown)
        assert deal.now != before
        deal.showed(back)
        assert replace(deal.now, open=open_claim) == before
        assert deal.now.open in (None, open_claim)
    deal.showed(a_hand(hand))
    deal.uncalled.clear()
    for rev, side in ((2, 1), (3, 0)):
        deal.happened(rev, (PEG, side, 2, 0, 0))
    assert (deal.now.open, deal.now.pegged, deal.now.points) == (None, (1, 0), 6)
    assert deal.uncalled == [deal.now.counted[-1]]
    deal.happened(4, (HAND, 0, 2, 1, 0))
    assert deal.now.points == 0


@pytest.mark.parametrize("late", ["", LATE])
def test_another_event_of_a_claim_is_the_newest_of_that_claim_alone(late: str) -> None:
    deal = Watching()
    deal.happened(1, (PEG, 0, 2, 0, 0), [a_card(PlayedCard(0, 0, 2, key="a", claim=Claim(2)))])
    deal.happened(2, (HAND, 1, 2, 0, 0), [a_hand(Counted(0, 1, False, (4, 5, 6, 7), 8, late + "b", Claim(2, 1, True)))])
    deal.showed(a_card(PlayedCard(1, 0, key="c")))
    deal.showed(a_hand(Counted(0, 0, False, (20, 21, 22, 23), 8, "d", Claim(0, 2, True))))
    for rev, key in ((3, "a"), (4, "b"), (5, "c"), (6, "d")):
        deal.happened(rev, (PEG, 0, 0, 0, 0), [more_of(key)])
    now = deal.now
    assert [laid.at for laid in now.played] == [laid.at for laid in now.pile] == [3, 2]
    assert [hand.at for hand in now.counted] == [4, 6]
    assert [hand.late for hand in now.counted] == [bool(late), False]
    assert now.last == now.counted[1]


def test_a_claim_that_is_still_open_has_its_newest_event_too() -> None:
    for shown in (
        a_card(PlayedCard(1, 0, 2, key="a", claim=Claim(2, 2, True))),
        a_hand(Counted(0, 0, False, (20, 21, 22, 23), 8, "a", Claim(0, 2, True))),
    ):
        deal = Watching()
        deal.showed(shown)
        deal.happened(1, (NIBS, 0, 2, 0, 0), [more_of("a")])
        deal.happened(2, (NIBS, 0, 2, 0, 0), [more_of("b")])
        assert deal.now.open is not None
        assert deal.now.open.at == 1
        assert deal.now.open in deal.now.claimed
        assert not deal.uncalled
        deal.happened(3, (SET, 0, 1, 0, 0), [a_correction(Correction(0, "peg", 0, 0, 2, 4, (("phone", 0),)))])
        assert [one.claim for one in deal.now.claimed] == [Claim(4, 0, False)]
        assert deal.now.open is None


def test_a_card_beyond_the_limit_or_under_others_makes_nothing() -> None:
    assert made_by([36, 40, 44], 48) == (0, "", 40, "forty")
    assert made_by([0, 4], 0) == (0, "", 4, "four")
    tens = range(36, 51)
    assert made_by(tens[:9], tens[9])[2:] == (100, "100")


def test_on_another_board_a_hand_without_cards_has_no_event_that_could_teach_them() -> None:
    there = Cards(counted=(Counted(5, 0, False), Counted(6, 1, False, (0, 1, 2, 3)), Counted(0, 1, True, (4, 5, 6, 7))))
    assert [hand.rev for hand in there.moved(9).counted] == [0, 9, 0]
