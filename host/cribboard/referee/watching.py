"""The cards of a deal at a table that only watches: what players show is noted, and no rule of the play is checked.

All that is known is the fold of lines. Each is an event of the board with what an order has shown together with it, or
what was shown without an event. So points and cards are one line, and undo leaves a line out and folds the rest again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, astuple, replace
from typing import Any

from cribboard.json_types import Json
from cribboard.referee.shown import (
    Record,
    Shown,
    as_shown,
    cards_of,
    claim_of,
    correction_of,
    counted_of,
    in_part,
    to_json,
)
from cribboard.referee.watched import LATE, Cards, Correction, Counted, Item, PlayedCard, made_by
from cribboard.typed import (
    WORD,
    as_list,
    as_list_of,
    as_named,
    as_string,
    as_whole,
)
from cribboard_core.cards import PACK_SIZE, parse_card
from cribboard_core.events import DEAL, GO, HAND, KINDS, MUGGINS, NEW, NIBS, PEG, REDO, RESTORE, SCORES, UNDO

KEPT = 200  # lines, or up to twice as many; a deal has about thirty, and undo folds all of them again
KEYS = 400  # orders that have laid cards, or taken something back
BACK = -2  # stands for a card where one of those has laid none
CORRECTIONS = 100  # of lines
BEGINS = (DEAL, NEW, RESTORE)  # events that take the cards off the table


class Watching:
    """What is known `now`, and what can no longer be called (`uncalled`), until it was said.

    `lines` are the newest, which lead here from the cards and claims before them; undo of an event before these takes
    back what it brought, and no more.
    """

    def __init__(self) -> None:
        self.now = Cards()
        self.uncalled: list[Item] = []
        self.rev = 0  # of the newest event
        self.lines: list[Record] = []
        self._before, self._first = Cards(), 0  # ahead of them: the cards, and the newest event
        self._live: list[Record] = []  # those that count, without what was taken back with a deal
        self._undone: set[int] = set()  # the low halves of events that do not count
        self._gone: dict[int, list[Record]] = {}  # what was taken back with a deal, by the low half of its event
        self._said: set[tuple[int, str]] = set()  # claims of which all have heard what was missed
        self._keys: dict[str, int] = {}  # cards by the orders that laid them, the oldest first
        self.corrections: dict[int, Correction] = {}  # by the event that has set the score, the oldest first

    def played_by(self, key: str) -> int:
        """The card that the order with this key has laid, even if it was taken back; negative for none."""
        return self._keys.get(key, -1)

    def has_taken_back(self, key: str) -> bool:
        """Whether the order with this key has taken cards or a claim back."""
        return self._keys.get(key) == BACK

    def counted_by(self, key: str) -> Counted | None:
        """The hand of the claim with this key, None for none or one that was taken back."""
        return next((hand for hand in self.now.counted if key and hand.key == key), None)

    def card_of(self, rev: int) -> int:
        """The card of the play that has pegged an event, even if it was undone; negative for none."""
        shown = next((_shown(line) for line in self.lines if line[0] == "event" and line[1] == rev), [])
        return next((parse_card(fields[0]) for what, *fields in shown if what == "card"), -1)

    def stands(self, rev: int) -> bool:
        """Whether an event was not taken back since."""
        low = rev & 0xFFFF
        return low not in self._undone and low not in self._gone

    def happened(self, rev: int, event: Sequence[int], shown: Sequence[Shown] = ()) -> None:
        """Follow an event of the board, with what the order has shown that made it."""
        kind, side, a, b = event[:4]
        self.take(["event", rev, KINDS[kind], side, a, b, *shown])

    def showed(self, *shown: Shown) -> None:
        """Take in what was shown without an event."""
        self.take(["shown", self.rev, *shown])

    def missed(self) -> None:
        """Follow that nobody knows what happened."""
        self.take(["missed"])

    def take(self, line: Record) -> None:
        """Take in a line, the next one."""
        self.lines.append(line)
        kind, low = _event(line)
        # Undo is no step back from what is known now: the lines that still count are folded again from the beginning.
        if kind in (UNDO, REDO) and self._walk(low, back=kind == UNDO):
            self.rev = int(line[1])
            self._fold_again()
        elif self._left_out(line):
            self._fold_again()
        else:
            self._live.append(line)
            self.now = self._folded(self.now, line)
        self._note_keys(line)
        if len(self.lines) > 2 * KEPT:
            self._shorten()

    def begin(self) -> None:
        """Forget all but the starter: the events have other numbers now."""
        self.rev = self._first = 0
        self.now = self._before = Cards(starter=self.now.starter)
        self.lines, self._live = [], []
        self.corrections.clear()
        self._undone.clear()
        self._gone.clear()

    @property
    def base(self) -> list[Any]:
        """What is known ahead of the lines, as JSON: newest event, cards, claims that were said, keys, corrections."""
        corrected = [[rev, *astuple(line)] for rev, line in self.corrections.items()]
        base = [self._first, asdict(self._before), sorted(self._said), self._keys, corrected]
        return [to_json(part) for part in base]

    def start(self, base: Json) -> None:
        """Start with what was known ahead of the lines that are to come; an error says what in it is wrong."""
        rev, cards, said, keys, corrected = as_list(base)
        first, before = as_whole(rev, WORD), in_part("cards", cards_of, cards)
        marks, corrections = as_list_of("claim", said, _read_mark), as_list_of("correction", corrected, _read_corrected)
        noted = as_named(keys, lambda card: as_whole(card, PACK_SIZE - 1, BACK))
        self.rev = self._first = first
        self.now = self._before = before
        self._said, self._keys, self.corrections = set(marks), noted, dict(corrections)

    def _shorten(self) -> None:
        """Keep the newest lines; what was taken back before them does not come back."""
        cut = self.lines[-KEPT:]
        kept = set(map(id, cut))
        first = next((at for at, line in enumerate(self._live) if id(line) in kept), len(self._live))
        # Only lines that count: those that were taken back before the cut can't be brought back any more.
        self._before = self._fold(self._before, self._live[:first])
        self._first = max([self._first, *(int(line[1]) for line in self.lines[:-KEPT] if line[0] == "event")])
        self.lines, self._live = cut, self._live[first:]

    def _walk(self, low: int, *, back: bool) -> bool:
        """Leave an event out, or take it in again, with all that was shown in the deal if it began one.

        Returns whether it is known.
        """
        if back:
            at = next((at for at, line in enumerate(self._live) if _is(line, low)), -1)
            if at >= 0 and _event(self._live[at])[0] in BEGINS:
                # With a deal goes all that was shown since, cards without an event too; its redo brings that back.
                self._live, self._gone[low] = self._live[:at], self._live[at:]
            elif at >= 0:
                self._undone.add(low)
            return at >= 0
        if low in self._gone:
            self._live += self._gone.pop(low)
            return True
        known = low in self._undone
        self._undone.discard(low)
        return known

    def _left_out(self, line: Record) -> bool:
        """Leave out the card or claim that this line takes back, as if it was never shown; returns whether it did."""
        backs = [(what, fields[0]) for what, *fields in _shown(line) if what in ("back", "uncount")]
        for at in range(len(self._live) - 1, -1, -1):
            all_shown = _shown(self._live[at])
            others = [one for one in all_shown if _back(one) not in backs]
            if len(others) < len(all_shown):
                self._live[at] = [*self._live[at][: -len(all_shown)], *others]
                return True
        return False

    def _fold_again(self) -> None:
        """After undo and redo; nobody can call what everybody was told."""
        self.now = self._fold(self._before, self._live)
        if self.now.open and _mark(self.now.open) in self._said:
            self.now = replace(self.now, open=None)

    def _fold(self, cards: Cards, lines: Sequence[Record]) -> Cards:
        """The cards after lines that were taken in before: what was to be said of them was said."""
        uncalled, rev = list(self.uncalled), self.rev
        for line in lines:
            if _event(line)[0] < 0 or int(line[1]) & 0xFFFF not in self._undone:
                cards = self._folded(cards, line)
        self.uncalled, self.rev = uncalled, rev
        return cards

    def _folded(self, cards: Cards, line: Record) -> Cards:
        """The cards after one more line."""
        what, *fields = line
        if what == "missed":
            return Cards(starter=cards.starter, last=cards.last)
        rev, at, shown = 0, int(fields[0]), fields[1:]
        if what == "event":
            rev, shown = at, fields[5:]
            self.rev = rev
            cards = self._after(cards, rev, KINDS.index(fields[1]), int(fields[2]), int(fields[3]), int(fields[4]))
        for one in shown:
            cards = self._with(cards, one, rev, at)
        return cards

    def _after(self, cards: Cards, rev: int, kind: int, side: int, a: int, b: int) -> Cards:
        """The cards after an event of the board."""
        if kind in BEGINS:
            fresh = Cards(begun=rev)
            if kind == DEAL:
                self._closed(cards)
                fresh = replace(fresh, last=cards.last, before=tuple(cards.claimed))
            return fresh
        if kind == UNDO:
            return cards.without(b)
        if kind not in SCORES:
            return cards
        now = replace(cards, points=cards.points + a)
        if kind in (PEG, HAND):
            now = replace(self._closed(now), pegged=(*now.pegged, side))
        if kind == MUGGINS and now.open and now.open.side == b:
            return replace(now, open=None)
        if kind == GO:
            return replace(now, pile=())
        if kind == NIBS:
            return replace(now, nibs=rev)
        return now.with_hand(Counted(rev, side, bool(b))) if kind == HAND else now

    def _with(self, cards: Cards, shown: Shown, rev: int, at: int) -> Cards:
        """The cards with what was shown, with the event `rev` or without one, when `at` was the newest."""
        what, *fields = shown
        if what == "card":
            name, side, points, key, claim = fields
            card = parse_card(name)
            if card in cards.up:  # undo has brought it back after this one was shown
                return self._closed(cards)
            _, text, total, says = made_by([laid.card for laid in cards.top()], card)
            laid = PlayedCard(card, int(side), int(points), text, rev, total, str(key), claim_of(claim), at, says)
            return self._closed(cards).with_played(laid)
        if what == "hand":
            return self._closed(cards).with_hand(counted_of(fields, rev, at))
        if what == "starter":
            card = parse_card(fields[0]) if fields else -1
            return cards if card in cards.up else replace(cards, starter=card)
        if what == "back":
            return replace(cards, pile=cards.pile[:-1], played=cards.played[:-1])
        if what == "uncount":
            return replace(cards, counted=tuple(hand for hand in cards.counted if hand.key != fields[0]))
        if what == "clear":
            counted = tuple(replace(hand, cards=()) for hand in cards.counted)
            claimed = (*cards.before, *cards.claimed)
            return replace(cards, starter=-1, pile=(), played=(), counted=counted, open=None, before=claimed)
        if what == "line":
            line = correction_of(fields)
            return cards.corrected(line.rev, line.points)
        if what == "more":
            return _later(cards, str(fields[0]), rev)
        return cards_of(fields[0]).moved(rev)  # other_cards

    def _closed(self, cards: Cards) -> Cards:
        """Without the claim that could be called until now; what was missed is to be said once."""
        claim = cards.open.claim if cards.open else None
        if cards.open and claim and claim.missed:
            self.uncalled.append(cards.open)
            self._said.add(_mark(cards.open))
        return replace(cards, open=None)

    def _note_keys(self, line: Record) -> None:
        for what, *fields in _shown(line):
            if what == "line" and line[0] == "event":
                self.corrections[int(line[1])] = correction_of(fields)
            if what in ("back", "uncount", "clear"):
                self._keys[str(fields[-1])] = BACK
            elif what == "card":
                self._keys[str(fields[3])] = parse_card(fields[0])
            elif what == "moved":
                self._keys.update({laid.key: laid.card for laid in cards_of(fields[0]).played if laid.key})
        while len(self._keys) > KEYS:
            del self._keys[next(iter(self._keys))]
        while len(self.corrections) > CORRECTIONS:
            del self.corrections[next(iter(self.corrections))]


def _event(line: Record) -> tuple[int, int]:
    """The kind of a line's event, -1 for none, and the event that it is about: the low half of its rev."""
    return (KINDS.index(line[2]), int(line[5])) if line[0] == "event" else (-1, 0)


def _is(line: Record, low: int) -> bool:
    return line[0] == "event" and int(line[1]) & 0xFFFF == low


def _shown(line: Record) -> list[Shown]:
    return line[6:] if line[0] == "event" else line[2:]


def _back(shown: Shown) -> tuple[str, object]:
    """What takes this back; nothing but cards and claims can be."""
    what, *fields = shown
    return ("back", fields[0]) if what == "card" else ("uncount", fields[4]) if what == "hand" else ("", None)


def _mark(item: Item) -> tuple[int, str]:
    return item.rev, item.key


def _later(cards: Cards, key: str, rev: int) -> Cards:
    """After another event of a claim: that is the newest when it was claimed."""

    def played(one: PlayedCard) -> PlayedCard:
        return replace(one, at=rev) if one.key in (key, LATE + key) and one.claim else one

    def counted(one: Counted) -> Counted:
        return replace(one, at=rev) if one.key in (key, LATE + key) and one.claim else one

    opened = cards.open
    if opened is not None:
        opened = played(opened) if isinstance(opened, PlayedCard) else counted(opened)
    return replace(
        cards,
        pile=tuple(map(played, cards.pile)),
        played=tuple(map(played, cards.played)),
        counted=tuple(map(counted, cards.counted)),
        last=counted(cards.last) if cards.last else None,
        open=opened,
    )


def _read_mark(value: Json) -> tuple[int, str]:
    rev, key = as_list(value)
    return as_whole(rev, WORD), as_string(key)


def _read_corrected(value: Json) -> tuple[int, Correction]:
    rev, *line = as_list(value)
    return as_whole(rev, WORD), correction_of(as_shown(["line", *line])[1:])
