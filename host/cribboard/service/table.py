"""An open board and what is known about it: the cards of the deal, who did what, what was counted last."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from cribboard.board.client import Board
from cribboard.board.follow import BoardChange
from cribboard.board.ledger import Names as Given
from cribboard.board.link import Message
from cribboard.board.messages import Corrected, Event
from cribboard.errors import CribboardError, TransportError
from cribboard.json_types import Json
from cribboard.names import Names, teams_of
from cribboard.referee.claims import Claimant, claims, counted, in_short, uncalled
from cribboard.referee.options import Options
from cribboard.referee.setup import Setup
from cribboard.referee.shown import Shown, a_hand, hand_in
from cribboard.referee.timer import Timer
from cribboard.referee.watched import Cards, Correction, Counted, PlayedCard
from cribboard.referee.wording import in_words, spoken
from cribboard.service.acts import Act, Step, act_of, shown_with
from cribboard.service.cards import Turns
from cribboard.service.cards_log import KeptDeal
from cribboard.service.computer import Opponent
from cribboard.service.lines import Lines, PeggedEvent
from cribboard.service.restraint import Alone, AskedEntry, Restraint, Wish, is_staff
from cribboard.service.rules import Rules, kept_rules
from cribboard.service.view import (
    CountedEntry,
    DealEntry,
    LastEntry,
    LinesEntry,
    NewsEntry,
    StepEntry,
    TableEntry,
    chances_entry,
    count_entry,
    deal_entry,
    match_entry,
    rules_entry,
    seconds_to,
    table_entry,
)
from cribboard.words import Words, reached
from cribboard_core.cards import card_name, parse_card, parse_cards
from cribboard_core.events import DEAL, HAND, KINDS, NEW, PEG, PENALTY, REDO, RESTORE, SCORES, UNDO
from cribboard_core.show import Show, count

MARKS = 512  # more than a journal keeps
POINTS = (*SCORES, PENALTY)
FIRST_OWNER, MOST_OWNERS = 2, 250  # of points that wait; 1 is another program's
BUTTONS, GUESTS, OTHERS = "the board's buttons", "the command line", "another program"


@dataclass(frozen=True)
class Mark:
    """An event in words, the sides it touched and who made it. For undo, `kind` is that of the event taken back."""

    rev: int
    kind: int
    sides: frozenset[int]
    by: str
    text: str
    undone: bool = False


class TableEvent(NamedTuple):
    """An event with what the table knows of it, None if it was not heard; and its news for listeners."""

    event: Event | None
    news: NewsEntry


class Table:
    """Follows an open board; `fresh` is what happened and was not yet reported. `clock` gives seconds.

    `called` gives what a phone is called in the history, `is_alone` whether nobody could answer it.
    """

    def __init__(
        self,
        board: Board,
        clock: Callable[[], float] = time.monotonic,
        called: Callable[[str], str] = lambda by: by,
        is_alone: Alone = lambda by, own: False,
    ) -> None:
        self.board = board
        self.called = called
        self.restraint = Restraint(clock, is_alone)
        self.chosen: Options | None = None  # the rules of the game that the computer's table is about to begin
        self.clock = clock
        self._timer = Timer(clock)
        self.events = board.events()  # first: the board may come back with another journal
        self.rules = Rules(board.folder, board.hello.epoch)
        if self.rules.broken:
            board.on_notice(self.rules.broken)
        lost = board.losses > 0
        newest = board.standing.rev
        for event in self.events:
            self._note_rules(event)
        shown = lambda event: shown_with(board, event)  # noqa: E731
        self.deal = KeptDeal(board.folder, board.hello.epoch, newest, self.events, shown=shown, lost=lost)
        if self.deal.broken:
            board.on_notice(self.deal.broken)
        self._lines = Lines(self.events, board.standing)
        self.fresh: list[TableEvent] = []
        self.notices: list[NewsEntry] = []  # what listeners hear of cards that moved no peg
        self.last: LastEntry | None = None
        self.marks: deque[Mark] = deque(maxlen=MARKS)
        self.by = ""
        self.opponent = Opponent(self, clock=clock, wake=board.wake)
        self.guests: dict[tuple[int, int], Message] = {}  # the newest commands of guests, by session and id
        self._owners: dict[str, int] = {}
        self._said_go: tuple[str, tuple[int, ...]] = "", ()  # the key of the last card's order, and `goes` since
        self._at_hand: tuple[Event | None, Event | None] = (None, None)
        self._losses = board.losses
        self._lost = False
        self.deal.uncalled.clear()  # it was said before the restart
        self._look_back()
        self._asked: str = self._deal()["text"]  # about the next deal
        board.on_event = self._happened

    @property
    def unwritten(self) -> CribboardError | None:
        """Why something is in memory alone, None when all is on the disk."""
        cards, chosen = self.deal.unwritten, self.rules.slots.unwritten
        return self.board.unwritten or chosen or cards or self.opponent.unwritten

    def keep_again(self) -> None:
        """Write what could not be written; the board's notes try it by themselves."""
        self.rules.slots.keep_again()
        self.deal.keep_again()
        self.opponent.keep_again()

    @property
    def names(self) -> Names:
        """The players' names."""
        return Names(self.board.match, self.board.names)

    @property
    def words(self) -> Words:
        """Sentences about the current match."""
        return Words(self.board.match, self.names, self.board.games_won)

    @property
    def options(self) -> Options:
        """The house rules of the game that is on."""
        return self.rules.of(self.board.match.game)

    @property
    def open(self) -> PlayedCard | Counted | None:
        """The claim that can be called; None after a win."""
        return self.deal.now.open if self.board.match.winner < 0 else None

    def setup(self) -> Setup:
        """Who plays by which rules, as the referee has it."""
        match, names = self.board.match, self.names
        called = tuple(names.player(place, start=True) for place in match.seats)
        return Setup(called, match.seats, teams_of(match), match.target, self.options)

    def claimant(self, side: int) -> Claimant:
        """A side as one that claims its points."""
        return Claimant(self.names.first(side), side, self.names.several(side))

    def counts_next(self, cards: Cards) -> tuple[int, bool] | None:
        """The side that counts next, and whether that is the crib; None when that is not known.

        The hand is known when its cards have been played. Who has pegged points since then, without cards, has counted.
        """
        if cards.starter < 0 or not cards.played or cards.over:
            return None
        counted = [hand.side for hand in cards.counted]
        return Turns(self.board.match, cards).counts_next([*counted, *set(cards.pegged).difference(counted)])

    def due(self) -> tuple[int, float, bool] | None:
        """The side that has to claim in time, when that ends, by `clock`, and whether for its crib; None for nobody."""
        match, cards, limit_s = self.board.match, self.deal.now, self.options.time_limit
        runs = limit_s and match.winner < 0 and self.board.away is None
        following = self.counts_next(cards) if runs else None
        if following is None or len(self.names.members(following[0])) > 1:
            self._timer.stop()
            return None
        side, crib = following
        return side, self._timer.ends_s((match.game, cards.begun, side, crib), limit_s), crib

    def restart_timer(self) -> None:
        """Restart the time limit of the player who counts."""
        self._timer.stop()

    def goes(self, turns: Turns) -> tuple[int, ...]:
        """The goes since the last card, as far as they may be said: for each, the newest rev when it was said."""
        key, goes = self._said_go
        pile = self.deal.now.pile
        return goes[: len(turns.after_go)] if pile and pile[-1].key == key else ()

    def say_go(self, card: int, goes: int) -> str:
        """Note how many have said go since this card, if it is the last one; returns what to say."""
        pile, turns = self.deal.now.pile, self.course()
        if not pile or pile[-1].card != card or not turns.after_go:
            return "Nobody can say go now."
        before, sides = self.goes(turns), [turns.turn, *turns.after_go]
        self._said_go = pile[-1].key, before[:goes] + (self.board.standing.rev,) * (goes - len(before))
        after = self.goes(turns)
        more = len(after) > len(before)
        said = f"{self.claimant(sides[len(after) - 1]).does('say')} go." if more else "Go taken back."
        text = f"{said} {self.names.first(sides[len(after)])} to play."
        if after != before:
            self.tell("say_go", text)
        return text

    def owner(self, by: str) -> int:
        """The owner number under which the board keeps somebody's waiting points."""
        if by not in self._owners:
            if len(self._owners) == MOST_OWNERS:
                self._owners.clear()  # nobody's points wait for so long
            self._owners[by] = FIRST_OWNER + len(self._owners)
        return self._owners[by]

    def whose(self, owner: int) -> str:
        """Who owns waiting points, by the owner's number."""
        return next((by for by, number in self._owners.items() if number == owner), OTHERS) if owner else BUTTONS

    def command(
        self, op: str, *args: Json, by: str, names: Given | None = None, key: str = "", act: Json = None
    ) -> BoardChange:
        """Carry out a command once, in somebody's name; raises the board's error if it is away."""
        if self.board.away is not None:
            raise self.board.away
        self.by = by
        try:
            return self.board.command(op, *args, names=names, key=key, act=act)
        finally:
            self.by = ""

    def step(self, act: Act, step: Step, names: Given | None = None) -> BoardChange:
        """Carry out a step of an act, which is noted as a whole before."""
        return self.command(step.op, *step.args, by=act.by, names=names, key=step.key, act=act.to_json())

    def uncalled(self) -> str:
        """What is said of claims that nobody can call any more, with a blank before it; empty when there is nothing."""
        sentences = [
            f" {uncalled(self.names.first(one.side), one.claim.missed).text}" for one in self.deal.uncalled if one.claim
        ]
        self.deal.uncalled.clear()
        return "".join(sentences)

    def tell(self, kind: str, text: str, side: int = -1, rev: int = 0) -> None:
        """Report a card to listeners: with the first event `rev` of its order, whose others are said with it, or alone
        when it moved no peg.
        """
        if rev:
            session, _ = self.board.tag
            said = {event.rev: "" for event, _ in self.fresh if event and event.rev > rev and event.session == session}
            said[rev] = text
            self.fresh = [
                TableEvent(event, {**news, "full": said[event.rev]} if event and event.rev in said else news)
                for event, news in self.fresh
            ]
            return
        rev, whose = self.board.standing.rev, side + 1 or None
        self.notices.append(
            {"rev": rev, "kind": kind, "side": whose, "points": None, "text": text, "full": text, "win": ""}
        )

    def rename(self, before: Sequence[str], after: str) -> None:
        """Rename the player with one of these names, or remove the name if `after` is empty."""
        self.board.rename(before, after)
        self.marks.clear()  # their words have the name
        if self.last is not None:
            self.last = {**self.last, "text": f"{self.words.scores(self.board.match.sides)}."}

    def line(self, rev: int) -> PeggedEvent | None:
        """The line of an event of the game that is on; None if it does not count, or is not known any more."""
        return self._lines.find(rev, self.deal.corrections)

    def pegs(self, line: PeggedEvent, points: int) -> tuple[int, int]:
        """The front and back peg of a line's side, had it had these points; raises OrderError if more would change."""
        return self._lines.pegs(line, points, self.deal.corrections)

    def lines(self) -> LinesEntry:
        """All lines of the game that is on."""
        known = self._lines.all(self.deal.corrections)
        texts = [reached(self.line_words(line), line.front) for line in known]
        return {
            "lines": [
                {"rev": line.rev, "side": line.side + 1, "points": line.points, "text": text}
                for line, text in zip(known, texts, strict=True)
            ]
        }

    def line_words(self, line: PeggedEvent) -> str:
        """A line in words, without a full stop."""
        if line.set_by:
            return self.corrected_words(replace(self.deal.corrections[line.set_by], was=line.a))
        return self.words.event(self._called(line.kind), line.side, line.a, line.b)

    def corrected_words(self, line: Correction) -> str:
        """A corrected line in words, without a full stop."""
        event = self._called(KINDS.index(line.kind)), line.side, line.was, line.b
        return self.words.corrected(event, line.points, self.correctors(line))

    def correctors(self, line: Correction) -> str:
        """Who has corrected a line: staff, or those who agreed."""
        sides, names = self.board.match.sides, self.names
        who = [
            "staff" if is_staff(by) else names.first(own) if own in sides else self.called(by) for by, own in line.who
        ]
        return " and ".join(dict.fromkeys(who))

    def author(self, rev: int) -> str:
        """Who made an event; empty if nobody knows."""
        return next((mark.by for mark in reversed(self.marks) if mark.rev == rev), "")

    def text(self, rev: int) -> str:
        """The sentence for an event; the current scores for an event that is not known."""
        said = next((mark.text for mark in reversed(self.marks) if mark.rev == rev), "")
        return said or f"{self.words.scores(self.board.match.sides)}."

    def entry(self) -> TableEntry:
        """The match, the cards, and what undo and redo would do."""
        board = self.board
        if board.away is None:
            with contextlib.suppress(TransportError):  # the next look will see that it is away
                self._at_hand = self.at_hand()
        undo, redo = self._at_hand
        options, due = self.options, self.due()
        course = self.course()
        against = self.opponent.cards()  # there the referee knows who goes
        cards, turn = against or (self.deal.now, course.turn)
        last = cards.last
        return {
            **match_entry(board.match, self.names, board.waiting, self.whose, board.games_won),
            "undo": self._claimed_nothing(undo) or self._step(undo),
            "redo": self._step(redo),
            "last": self.last,
            "count": self._counted(last) if last else None,
            "deal": self._deal(),
            "chances": None if options.tournament else chances_entry(board.match, cards),
            "table": table_entry(cards, turn, self._remark, *(() if against else (course.after_go, self.goes(course)))),
            "computer": self.opponent.public(),
            "rules": rules_entry(options),
            "open": self.open.side + 1 if self.open else None,
            "claims": {"side": due[0] + 1, "left_s": seconds_to(due[1], self.clock)} if due else None,
            "asked": self._asked_by(undo),
        }

    def _counted(self, hand: Counted) -> CountedEntry:
        """The newest count; hidden, as long as somebody may call what its player has missed."""
        show, claim = count(list(hand.cards), hand.starter, hand.crib), hand.claim
        entry, said = count_entry(show, self.options.nineteen), ""
        pegged = hand.right if hand.right >= 0 else min(claim.points, show.points) if claim else show.points
        if claim and hand == self.open:
            entry = {**entry, "points": pegged, "parts": [], "text": f"{self.names.first(hand.side)}: {pegged}."}
        elif hand.right >= 0:
            said = f"corrected to {hand.right}"
        elif claim:
            said = in_short(self.setup(), hand.side, claim.points, show.points, late=hand.late)
        claimed = claim.points if claim and not hand.late else None
        return {
            "rev": hand.rev,
            "newest": hand.at or hand.rev,
            "side": hand.side + 1,
            **entry,
            "claimed": claimed,
            "pegged": pegged,
            "remark": said,
        }

    def _remark(self, laid: PlayedCard) -> str:
        """What is to be said of the claim for a card."""
        claim = laid.claim
        return in_short(self.setup(), laid.side, claim.points, laid.points + claim.missed) if claim else ""

    @property
    def passes(self) -> bool:
        """Whether the next card passes the deal: the crib was counted, and the game goes on."""
        return self.deal.now.over and self.board.match.winner < 0

    def course(self) -> Turns:
        """The course of the deal to which the next card belongs, perhaps the next one."""
        match, cards = self.board.match, self.deal.now
        if self.passes:
            match, cards = replace(self.board.standing, dealer=match.next_seat()).match(), Cards()
        return Turns(match, cards)

    def _deal(self) -> DealEntry:
        """Who deals next; against the computer nobody has to be asked."""
        cards = Cards() if self.opponent.on else self.deal.now
        return deal_entry(self.board.match, self.names, cards)

    def has_lost(self) -> bool:
        """Whether the board has lost events since the last call, so that a rev may mean another event."""
        self._begin_again()
        lost, self._lost = self._lost, False
        return lost

    def _begin_again(self) -> None:
        """Forget what was known by rev, if the board has lost events."""
        if self.board.losses != self._losses:
            self._losses = self.board.losses
            self._lost = True
            self.marks.clear()
            self._lines.heard(None)
            self.deal.start_journal(self.board.hello.epoch)
            self.rules.begin(self.board.hello.epoch)

    def _look_back(self) -> None:
        """Make the marks of the events in the board's journal."""
        known = {event.rev & 0xFFFF: event for event in self.events}
        for event in self.events:
            about = known.get(event.b) if event.kind in (UNDO, REDO) else None
            whole = event is self.events[-1] and event.rev == self.board.standing.rev
            entry = self._entry(event, about, whole)
            self._mark(event, about, entry, "")
            self.last = entry if whole else None

    def _happened(self, change: BoardChange) -> None:
        event = change.event
        self._begin_again()
        # Before the event is taken in: the question for the next deal is said once, when it first comes up.
        asked = self._asked
        by, made = BUTTONS, None
        if event is not None and event.session:
            made = self.guests.get((event.session, event.id))
            by = (self.by if (event.session, event.id) == self.board.tag else "") or (GUESTS if made else OTHERS)
        if event is not None and event.kind == NEW and not self._note_rules(event):
            match, before = self.board.match, self.rules.of(change.before.game)
            self.rules.note(event.rev, self.chosen or kept_rules(before, len(match.seats), len(match.sides)))
        shown = self._shown(event, made) if event is not None else ()
        self.deal.heard(event, shown)
        self._lines.heard(event)
        entry = self._entry(event, change.about, True)
        self._asked = self._deal()["text"]
        question = f" {self._asked}" if self._asked and not asked else ""
        text = entry["text"] + self.uncalled()
        entry["text"] = text + question
        self._mark(event, change.about, entry, by)
        self.last = entry
        won = change.before.winner < 0 <= change.after.winner
        full = entry["text"]
        if event is not None:
            hand = hand_in(shown) if event.kind == HAND else None
            event = replace(_with_hand(event, hand), by=self.called(by), text=text, line=self._corrected(event.rev))
            if hand is not None and hand.claim is None:
                show = count(list(hand.cards), hand.starter, hand.crib)
                said = counted(self.setup(), self.claimant(hand.side), show).text
                full = f"{in_words(said, self.setup().names)} {full}"
        self.fresh.append(TableEvent(event, {**entry, "full": full, "win": self.words.win() if won else ""}))

    def _corrected(self, rev: int) -> Corrected | None:
        """The line that this event has corrected, for the history."""
        line = self.deal.corrections.get(rev)
        return Corrected(line.rev, line.was, line.points, self.correctors(line)) if line else None

    def kept_events(self) -> list[Event]:
        """The board's newest events with what the history has to know of them, and may not have heard before a kill."""
        events = [replace(event, line=self._corrected(event.rev)) for event in self.events]
        hand = hand_in(shown_with(self.board, events[-1])) if events and events[-1].kind == HAND else None
        return [*events[:-1], *(_with_hand(event, hand) for event in events[-1:])]

    def _shown(self, event: Event, made: Message | None) -> Sequence[Shown]:
        """What the order has shown that made an event, or the command of a guest (`made`)."""
        show = _show(tuple(made[3:])) if made and made[0] == "hand" and len(made) == 8 else None
        if show is not None:
            return [a_hand(Counted(event.rev, event.side, show.crib, tuple(show.hand), show.starter))]
        return shown_with(self.board, event)

    def _note_rules(self, event: Event) -> bool:
        """Note the rules that came with the order which began this game; returns whether there were any."""
        act = act_of(self.board)
        if act is None or act.rules is None or event.kind != NEW or act.step_of(self.board, event) is None:
            return False
        self.rules.note(event.rev, act.rules)
        return True

    def _entry(self, event: Event | None, about: Event | None, whole: bool) -> LastEntry:
        words = self.words
        if event is None:
            text = f"Something happened that the kiosk missed. {words.scores(self.board.match.sides)}."
            return {"rev": self.board.match.rev, "kind": "unknown", "side": None, "points": None, "text": text}
        kind = KINDS[event.kind]
        if event.kind in (UNDO, REDO):
            text = f"{'Undid' if event.kind == UNDO else 'Redid'} a score. {words.scores(self.board.match.sides)}."
            line = next((one for rev, one in self.deal.corrections.items() if rev & 0xFFFF == event.b), None)
            if line is not None:
                text = f"{text.split()[0]}: {self.corrected_words(line)}. {words.scores([line.side])}."
            elif about is not None:
                text = words.stepped(kind, self._called(about.kind), about.side, about.a, about.b)
                text += self._with_its_card(kind, about)
            return {"rev": event.rev, "kind": kind, "side": None, "points": None, "text": text}
        kind = self._called(event.kind)
        said = (
            words.happened(kind, event.side, event.a, event.b)
            if whole
            else f"{words.event(kind, event.side, event.a, event.b)}."
        )
        line = self.deal.corrections.get(event.rev)
        if line is not None:
            said = self.corrected_words(line)
            said = f"{reached(said, self.board.match.front(line.side)) if whole else said}."
        if event.kind == NEW and self.options.changed():
            said += f" House rules: {', '.join(self.options.in_words())}."
        points = event.a if event.kind in POINTS else None
        return {
            "rev": event.rev,
            "kind": kind,
            "side": None if event.kind in (DEAL, NEW, RESTORE) else event.side + 1,
            "points": points,
            "text": said,
        }

    def _with_its_card(self, op: str, about: Event) -> str:
        """What becomes of the card that has pegged a score, for who cannot see the table; empty without a card."""
        card = self.deal.card_of(about.rev)
        return f" The {spoken(card)} is {'taken back' if op == 'undo' else 'laid again'}." if card >= 0 else ""

    def _called(self, kind: int) -> str:
        """The kind of an event in words; with muggins nobody learns from it whether a claim was too low."""
        return KINDS[PEG if kind == HAND and self.options.muggins else kind]

    def _mark(self, event: Event | None, about: Event | None, entry: LastEntry, by: str) -> None:
        of = about or event
        kind, side, b = (of.kind, of.side, of.b) if of and of.kind not in (UNDO, REDO) else (RESTORE, 0, 0)
        sides = frozenset(self.words.touched(KINDS[kind], side, b))
        undone = event is not None and event.kind == UNDO
        self.marks.append(Mark(entry["rev"], kind, sides, by, entry["text"], undone))

    def at_hand(self) -> tuple[Event | None, Event | None]:
        """The events that undo and redo would act on; asks the board only when the copy does not know."""
        match = self.board.match
        if not match.play.depth:
            return self.board.at_hand()
        last_and_next = match.last(), match.next()
        undo, redo = (
            Event(rev, *event) if known else None for known in last_and_next for event, rev in [known or ((), 0)]
        )
        return undo, redo

    def is_asked(self) -> bool:
        """Whether people are shown a question of a phone that waits for a Yes."""
        return self._asked_by(self.at_hand()[0]) is not None

    def _asked_by(self, undo: Event | None) -> AskedEntry | None:
        """Who wants to take back the newest score, or to correct a line, and needs a Yes for it."""
        wish, step = self.restraint.wish, self._step(undo)
        if wish is None:
            return None
        text = step["text"] if step and step["rev"] == wish.rev else ""
        if wish.points is not None:
            line = self.line(wish.rev)
            text = self.line_words(line) if line else ""
        about: AskedEntry = {
            "phone": wish.by,
            "name": self.asker(wish),
            "side": wish.own + 1 or None,
            "rev": wish.rev,
            "text": text,
            "points": wish.points,
        }
        return about if text else None

    def asker(self, wish: Wish) -> str:
        """Who wants it: the phone by its name, or else the side that it plays for."""
        name = self.called(wish.by)
        return self.names.first(wish.own) if name == wish.by and 0 <= wish.own < len(self.board.match.sides) else name

    def _step(self, event: Event | None) -> StepEntry | None:
        if event is None:
            return None
        line = self.deal.corrections.get(event.rev)
        text = (
            self.corrected_words(line)
            if line
            else self.words.event(self._called(event.kind), event.side, event.a, event.b)
        )
        step: StepEntry = {"rev": event.rev, "text": text}
        if (card := self.deal.card_of(event.rev)) >= 0:
            step["card"] = card_name(card)
        return step

    def _claimed_nothing(self, undo: Event | None) -> StepEntry | None:
        """The claim of nothing that undo would take back."""
        hand = self.nothing(undo)
        if hand is None:
            return None
        text = claims(self.claimant(hand.side), 0)
        return {"rev": self.board.standing.rev, "text": text, "nothing": hand.side + 1}

    def nothing(self, undo: Event | None) -> Counted | None:
        """The claim of nothing for a hand that is newer than the event which undo would act on.

        None when there is none, or when a tournament lets it stand.
        """
        hand = self.deal.now.counted[-1] if self.deal.now.counted else None
        if hand is None or hand.rev or hand.claim is None or (undo is not None and undo.rev > hand.at):
            return None
        return None if self.options.tournament and hand.claim.missed else hand


def _with_hand(event: Event, hand: Counted | None) -> Event:
    """The event with the cards of the hand that was counted with it, for the history."""
    if hand is None:
        return event
    return replace(event, cards="".join(map(card_name, hand.cards)), starter=card_name(hand.starter))


def _show(args: tuple[Json, ...]) -> Show | None:
    _, cards, starter, crib, _ = args
    if not isinstance(cards, str) or not isinstance(starter, str):
        return None
    try:
        return count(parse_cards(cards), parse_card(starter), bool(crib))
    except ValueError:
        return None  # the board says what is wrong
