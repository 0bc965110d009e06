"""The cards of a deal at a table that only watches: what players show is noted, and no rule of the play is checked.

All that is known is the fold of lines. Each is an event of the board with what an order has shown together with it, or
what was shown without an event. So points and cards are one line, and undo leaves a line out and folds the rest again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from functools import partial
from typing import Any, TypeVar

from cribboard.json_types import Json
from cribboard.referee.claims import made, part_name
from cribboard.typed import (
    DAMAGE,
    WORD,
    Unfit,
    as_field,
    as_list,
    as_list_of,
    as_named,
    as_object,
    as_string,
    as_truth,
    as_whole,
    optional,
    placed,
)
from cribboard_core.aloud import number_word
from cribboard_core.cards import PACK_SIZE, PIPS, card_name, parse_card, parse_cards, quote
from cribboard_core.events import DEAL, GO, HAND, KINDS, MUGGINS, NEW, NIBS, PEG, PLACES, REDO, RESTORE, SCORES, UNDO
from cribboard_core.pile import LIMIT, pile_points

AVERAGE = 13  # points of a player in a deal: for two, hands of 8.0 and 8.1, a crib of 4.7, and 5 in the play
LATE = "late+"  # begins the key of a hand that nobody has claimed in time
KEPT = 200  # lines, or up to twice as many; a deal has about thirty, and undo folds all of them again
KEYS = 400  # orders that have laid cards, or taken something back
BACK = -2  # stands for a card where one of those has laid none
CORRECTIONS = 100  # of lines
BEGINS = (DEAL, NEW, RESTORE)  # events that take the cards off the table

Record = list[Any]  # as JSON: what it is, then the rest
Shown = list[Any]  # as JSON: what an order shows, like a card or a hand; the functions below make it


@dataclass(frozen=True)
class Claim:
    """Points that a player has said; those that were `missed`, and whether an opponent may call them."""

    points: int
    missed: int = 0
    callable: bool = False


@dataclass(frozen=True)
class PlayedCard:
    """A card of the play: its side, its points and their words, their event's rev (0: none), the count after it.

    `key` is that of the order; `at` is the rev of the newest event when it was laid or claimed. `made` is what its
    player says that it makes.
    """

    card: int
    side: int
    points: int = 0
    text: str = ""
    rev: int = 0
    total: int = 0
    key: str = ""
    claim: Claim | None = None
    at: int = 0
    made: str = ""


@dataclass(frozen=True)
class Counted:
    """A counted hand or crib; without cards if it was not counted through the service.

    `rev` is that of its event, 0 for a claim of nothing; `key` is that of the order, if there was a claim.
    `at` is the rev of the newest event when it was claimed. `right` are its points if they were corrected, else -1.
    """

    rev: int
    side: int
    crib: bool
    cards: tuple[int, ...] = ()
    starter: int = -1
    key: str = ""
    claim: Claim | None = None
    at: int = 0
    right: int = -1

    @property
    def late(self) -> bool:
        """Whether nobody has claimed it in time."""
        return self.key.startswith(LATE)


Item = PlayedCard | Counted


@dataclass(frozen=True)
class Correction:
    """Other points for a line: the event `rev`, with its kind, side and b, what it `was`, and who said so.

    Each of those is a phone with the side that it plays for, -1 for none.
    """

    rev: int
    kind: str
    side: int
    b: int
    was: int
    points: int
    who: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Cards:
    """The known cards of one deal."""

    starter: int = -1
    pile: tuple[PlayedCard, ...] = ()  # of the count that is on
    played: tuple[PlayedCard, ...] = ()  # of the deal
    counted: tuple[Counted, ...] = ()
    nibs: int = 0  # the rev of their pegging
    begun: int = 0  # the rev since which they lie there
    last: Counted | None = None  # the newest of the game whose cards are known
    points: int = 0  # pegged since the deal passed or its crib was counted
    open: Item | None = None  # what was claimed last, while it can be called
    before: tuple[Item, ...] = ()  # what was claimed in the deal before, or until the cards were cleared
    pegged: tuple[int, ...] = ()  # the sides that have pegged points since the last card of the play

    @property
    def running(self) -> int:
        """The running count."""
        return sum(PIPS[laid.card >> 2] for laid in self.pile)

    @property
    def seen(self) -> list[int]:
        """The known cards, each once: starter, cards played, hands counted."""
        known = [laid.card for laid in self.played] + [card for hand in self.counted for card in hand.cards]
        return list(dict.fromkeys(([self.starter] if self.starter >= 0 else []) + known))

    def moved(self, rev: int) -> Cards:
        """The same on a board to which the event `rev` has brought all that was pegged for them."""

        def played(one: PlayedCard) -> PlayedCard:
            return replace(one, rev=rev if one.rev else 0, at=rev if one.at else 0)

        def counted(one: Counted) -> Counted:  # of one without cards they can't be learned any more
            return replace(one, rev=rev if one.rev and one.cards else 0, at=rev if one.at else 0)

        def either(one: Item) -> Item:
            return played(one) if isinstance(one, PlayedCard) else counted(one)

        return replace(
            self,
            pile=tuple(map(played, self.pile)),
            played=tuple(map(played, self.played)),
            counted=tuple(map(counted, self.counted)),
            nibs=rev if self.nibs else 0,
            begun=rev,
            last=counted(self.last) if self.last else None,
            open=either(self.open) if self.open else None,
            before=tuple(map(either, self.before)),
        )

    @property
    def claimed(self) -> list[Item]:
        """What players have claimed in this deal."""
        known: list[Item] = [*self.played, *self.counted]
        return [one for one in known if one.claim]

    @property
    def over(self) -> bool:
        """Whether the crib was counted, which ends the deal."""
        return any(hand.crib for hand in self.counted)

    def doubtful(self, players: int) -> bool:
        """Whether two deals' worth of points was pegged, so that the deal has probably passed unnoticed."""
        return self.points >= 2 * AVERAGE * players

    def elsewhere(self, side: int, crib: bool, again: bool) -> Iterator[tuple[int, int, str]]:
        """The cards that cannot be in this hand, each with its side and where it is: played, or in another hand.

        A hand that is counted `again` is not another.
        """
        for laid in self.played:
            if crib or laid.side != side:
                yield laid.card, laid.side, "play"
        for hand in self.counted:
            if not again or (hand.side, hand.crib) != (side, crib):
                yield from ((card, hand.side, "crib" if hand.crib else "hand") for card in hand.cards)

    def hands(self, side: int, crib: bool) -> int:
        """How many hands or cribs of a side were counted."""
        return sum((hand.side, hand.crib) == (side, crib) for hand in self.counted)

    def top(self) -> tuple[PlayedCard, ...]:
        """The pile on which the next card lies: none at the limit."""
        return () if self.running == LIMIT else self.pile

    def with_played(self, laid: PlayedCard) -> Cards:
        """With this card on the pile; nothing else can be called then."""
        opened = laid if laid.claim and laid.claim.callable else None
        return replace(self, pile=(*self.top(), laid), played=(*self.played, laid), open=opened, pegged=())

    def with_hand(self, hand: Counted) -> Cards:
        """With this hand, in the place of what was known of it."""
        counted = (*(one for one in self.counted if not hand.rev or one.rev != hand.rev), hand)
        opened = hand if hand.claim and hand.claim.callable else self.open
        after = replace(self, counted=counted, last=hand if hand.cards else self.last, open=opened)
        return replace(after, pile=(), points=0) if hand.crib else after

    def corrected(self, rev: int, points: int) -> Cards:
        """With these points for what the event `rev` pegged; nothing of it can be called any more."""

        def played(one: PlayedCard) -> PlayedCard:
            return replace(one, points=points, claim=one.claim and Claim(points)) if one.rev == rev else one

        def counted(one: Counted) -> Counted:
            return replace(one, right=points, claim=one.claim and Claim(points)) if one.rev == rev else one

        return replace(
            self,
            pile=tuple(map(played, self.pile)),
            played=tuple(map(played, self.played)),
            counted=tuple(map(counted, self.counted)),
            last=counted(self.last) if self.last else None,
            open=self.open if self.open and self.open.rev != rev else None,
            before=tuple(played(one) if isinstance(one, PlayedCard) else counted(one) for one in self.before),
        )

    def without(self, low: int) -> Cards:
        """Without what the event brought whose rev has this low half; what lay there before is not known any more."""

        def stays(one: Item) -> bool:
            return not one.rev or one.rev & 0xFFFF != low

        return replace(
            self,
            pile=tuple(filter(stays, self.pile)),
            played=tuple(filter(stays, self.played)),
            counted=tuple(filter(stays, self.counted)),
            nibs=self.nibs if self.nibs & 0xFFFF != low else 0,
            open=self.open if self.open and stays(self.open) else None,
            last=self.last if self.last and stays(self.last) else None,
        )


def made_by(pile: Sequence[int], card: int) -> tuple[int, str, int, str]:
    """The points of a card on such a pile, part by part in words, the count after it, and what its player says.

    None beyond the limit.
    """
    cards = [*pile, card]
    total = sum(PIPS[one >> 2] for one in cards)
    if total > LIMIT or card in pile:  # redo may bring a card back under others that were laid since
        return 0, "", total, made(total)
    points, parts = pile_points(cards)
    return (
        points,
        ", ".join(f"{part_name(kind, len(some))} for {number_word(each)}" for kind, each, some in parts),
        total,
        made(total, [(kind, len(some)) for kind, _, some in parts], points),
    )


def a_card(laid: PlayedCard) -> Shown:
    """A card of the play."""
    return ["card", card_name(laid.card), laid.side, laid.points, laid.key, _claim_entry(laid.claim)]


def a_hand(hand: Counted) -> Shown:
    """A hand or crib that is counted."""
    cards = " ".join(map(card_name, hand.cards))
    return ["hand", hand.side, hand.crib, cards, card_name(hand.starter), hand.key, _claim_entry(hand.claim)]


def a_starter(card: int) -> Shown:
    """The card that was turned up, -1 for none."""
    return ["starter", *([card_name(card)] if card >= 0 else ())]


def a_card_back(card: int, key: str) -> Shown:
    """The last card, which is taken back by the order with this key."""
    return ["back", card_name(card), key]


def a_claim_back(hand: Counted, key: str) -> Shown:
    """A claim of nothing for a hand or crib, which is taken back by the order with this key."""
    return ["uncount", hand.key, key]


def no_cards(key: str) -> Shown:
    """Cards that are cleared away by the order with this key."""
    return ["clear", key]


def other_cards(cards: Cards) -> Shown:
    """The cards of a game that came from another board."""
    return ["moved", _to_json(asdict(cards))]


def a_correction(line: Correction) -> Shown:
    """Other points for a line."""
    return ["line", *_to_json(astuple(line))]


def _to_json(value: Any) -> Any:
    """The same with lists for tuples."""
    if isinstance(value, dict):
        return {name: _to_json(item) for name, item in value.items()}
    return [_to_json(item) for item in value] if isinstance(value, (list, tuple)) else value


def correction_in(shown: Sequence[Shown]) -> Correction | None:
    """The correction that is shown; None without one."""
    return next((_correction(fields) for what, *fields in shown if what == "line"), None)


def _correction(fields: list[Any]) -> Correction:
    rev, kind, side, b, was, points, who = fields
    said = tuple((str(by), int(own)) for by, own in who)
    return Correction(int(rev), KINDS[KINDS.index(kind)], int(side), int(b), int(was), int(points), said)


def more_of(key: str) -> Shown:
    """Another event of the order with this key."""
    return ["more", key]


def hand_in(shown: Sequence[Shown]) -> Counted | None:
    """The hand that is counted by what is shown; None without one."""
    return next((_hand(fields, 0, 0) for what, *fields in shown if what == "hand"), None)


def _claim_entry(claim: Claim | None) -> list[Any] | None:
    return [claim.points, claim.missed, claim.callable] if claim else None


def _claim(entry: list[Any] | None) -> Claim | None:
    return Claim(int(entry[0]), int(entry[1]), bool(entry[2])) if entry else None


def _hand(fields: list[Any], rev: int, at: int) -> Counted:
    side, crib, cards, starter, key, claim = fields
    hand = Counted(rev, int(side), bool(crib), tuple(parse_cards(cards)), parse_card(starter), str(key), _claim(claim))
    return replace(hand, at=at if claim else 0)


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
        return [_to_json(part) for part in base]

    def start(self, base: Json) -> None:
        """Start with what was known ahead of the lines that are to come; an error says what in it is wrong."""
        rev, cards, said, keys, corrected = as_list(base)
        first, before = as_whole(rev, WORD), _in("cards", cards_of, cards)
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
        elif what != "shown":
            raise ValueError(what)
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
            _, text, total, says = made_by([laid.card for laid in cards.top()], card)
            laid = PlayedCard(card, int(side), int(points), text, rev, total, str(key), _claim(claim), at, says)
            return self._closed(cards).with_played(laid)
        if what == "hand":
            return self._closed(cards).with_hand(_hand(fields, rev, at))
        if what == "starter":
            return replace(cards, starter=parse_card(fields[0]) if fields else -1)
        if what == "back":
            return replace(cards, pile=cards.pile[:-1], played=cards.played[:-1])
        if what == "uncount":
            return replace(cards, counted=tuple(hand for hand in cards.counted if hand.key != fields[0]))
        if what == "clear":
            counted = tuple(replace(hand, cards=()) for hand in cards.counted)
            claimed = (*cards.before, *cards.claimed)
            return replace(cards, starter=-1, pile=(), played=(), counted=counted, open=None, before=claimed)
        if what == "line":
            line = _correction(fields)
            return cards.corrected(line.rev, line.points)
        if what == "more":
            return _later(cards, str(fields[0]), rev)
        if what == "moved":
            return cards_of(fields[0]).moved(rev)
        raise ValueError(what)

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
                self.corrections[int(line[1])] = _correction(fields)
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


def as_record(value: Json) -> Record:
    """A record of a file; an error says what in it is wrong."""
    record = as_list(value)
    what, *fields = record
    if what == "event":
        rev, kind, *numbers = fields[:5]
        as_whole(rev, WORD)
        _as_kind(kind)
        side, a, b = numbers
        for number in (side, a, b):
            as_whole(number, WORD, -1)
        as_list_of("item", fields[5:], as_shown)
    elif what == "shown":
        as_whole(fields[0], WORD)
        as_list_of("item", fields[1:], as_shown)
    elif what != "missed" or fields:
        raise Unfit(f"{quote(what)} is neither event, shown nor missed")
    return record


def as_shown(value: Json) -> Shown:
    """What an order shows, from JSON; an error says what in it is wrong."""
    shown = as_list(value)
    what, *fields = shown
    if not isinstance(what, str) or what not in _SHOWN:
        raise Unfit(f"{quote(what)} is nothing that an order shows")
    if what == "starter" and not fields:
        return shown
    readers = _SHOWN[what]
    if len(fields) != len(readers):
        raise Unfit(f"it has {len(fields)} values instead of {len(readers)}", what)
    for at, (read, field) in enumerate(zip(readers, fields, strict=True), 1):
        _in(f"{what} {at}", read, field)
    return shown


def cards_of(value: Json) -> Cards:
    """Cards from JSON; an error says what in them is wrong."""
    entry = as_object(value)
    whole = partial(as_field, entry)

    def rows(name: str, read: Callable[[Json], Read]) -> tuple[Read, ...]:
        return tuple(whole(name, lambda items: as_list_of("item", items, read)))

    return Cards(
        starter=whole("starter", _as_card, -1),
        pile=rows("pile", _as_played),
        played=rows("played", _as_played),
        counted=rows("counted", _as_counted),
        nibs=whole("nibs", as_whole, WORD),
        begun=whole("begun", as_whole, WORD),
        last=whole("last", optional, _as_counted),
        points=whole("points", as_whole, WORD),
        open=whole("open", optional, _as_item),
        before=rows("before", _as_item),
        pegged=rows("pegged", _as_side),
    )


Read = TypeVar("Read")


def _in(where: str, read: Callable[[Json], Read], value: Json) -> Read:
    """What `read` makes of a part; an error says which part."""
    try:
        return read(value)
    except DAMAGE as error:
        raise placed(error, where) from error


def _as_card(value: Json, least: int = 0) -> int:
    return as_whole(value, PACK_SIZE - 1, least)


def _as_side(value: Json) -> int:
    return as_whole(value, PLACES - 1)


def _as_rev(value: Json) -> int:
    return as_whole(value, WORD)


def _as_kind(value: Json) -> str:
    if value not in KINDS:
        raise Unfit(f"{quote(value)} is no kind of event")
    return as_string(value)


def _as_card_name(value: Json) -> int:
    return parse_card(as_string(value))


def _as_claim(value: Json) -> Claim | None:
    """Of what an order shows."""
    if value is None:
        return None
    points, missed, callable_ = as_list(value)
    return Claim(as_whole(points, WORD), as_whole(missed, WORD), as_truth(callable_))


def _as_claim_entry(value: Json) -> Claim:
    """Of cards that were known."""
    entry = as_object(value)
    points, missed = as_field(entry, "points", as_whole, WORD), as_field(entry, "missed", as_whole, WORD)
    return Claim(points, missed, as_field(entry, "callable", as_truth))


def _as_item(value: Json) -> Item:
    return _as_counted(value) if "crib" in as_object(value) else _as_played(value)


def _as_played(value: Json) -> PlayedCard:
    field = partial(as_field, as_object(value))
    return PlayedCard(
        card=field("card", _as_card),
        side=field("side", _as_side),
        points=field("points", _as_rev),
        text=field("text", as_string),
        rev=field("rev", _as_rev),
        total=field("total", _as_rev),
        key=field("key", as_string),
        claim=field("claim", optional, _as_claim_entry),
        at=field("at", _as_rev),
        made=field("made", as_string),
    )


def _as_counted(value: Json) -> Counted:
    field = partial(as_field, as_object(value))
    return Counted(
        rev=field("rev", _as_rev),
        side=field("side", _as_side),
        crib=field("crib", as_truth),
        cards=tuple(field("cards", lambda cards: as_list_of("card", cards, _as_card))),
        starter=field("starter", _as_card, -1),
        key=field("key", as_string),
        claim=field("claim", optional, _as_claim_entry),
        at=field("at", _as_rev),
        right=field("right", as_whole, WORD, -1),
    )


def _read_mark(value: Json) -> tuple[int, str]:
    rev, key = as_list(value)
    return as_whole(rev, WORD), as_string(key)


def _as_who(value: Json) -> list[tuple[str, int]]:
    return as_list_of("phone", value, _as_phone)


def _as_phone(value: Json) -> tuple[str, int]:
    by, own = as_list(value)
    return as_string(by), as_whole(own, PLACES - 1, -1)


_CORRECTION = (_as_rev, _as_kind, _as_side, _as_rev, _as_rev, _as_rev, _as_who)
_SHOWN: dict[str, tuple[Callable[[Json], object], ...]] = {
    "card": (_as_card_name, _as_side, _as_rev, as_string, _as_claim),
    "hand": (_as_side, as_truth, lambda cards: parse_cards(as_string(cards)), _as_card_name, as_string, _as_claim),
    "starter": (_as_card_name,),
    "back": (_as_card_name, as_string),
    "uncount": (as_string, as_string),
    "clear": (as_string,),
    "moved": (cards_of,),
    "line": _CORRECTION,
    "more": (as_string,),
}


def _read_corrected(value: Json) -> tuple[int, Correction]:
    rev, *line = as_list(value)
    return as_whole(rev, WORD), _correction(as_shown(["line", *line])[1:])
