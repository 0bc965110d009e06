"""Carrying an order out: once for each key, by the board's command, with the answer."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from cribboard.amounts import amount
from cribboard.board.commands import ARGUMENTS, back_peg
from cribboard.board.follow import BoardChange
from cribboard.board.messages import Waiting
from cribboard.errors import ArgumentError, CommandError, CribboardError, Notice, TransportError
from cribboard.json_types import Json
from cribboard.names import called, people, seated
from cribboard.referee.claims import called as call
from cribboard.referee.claims import check_call, claims, meant, of_card, of_hand, plays, too_late
from cribboard.referee.claims import made as say_made
from cribboard.referee.options import Options
from cribboard.referee.outcomes import Outcome, RefereeError, outcome
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
)
from cribboard.referee.watched import LATE, Cards, Claim, Correction, Counted, PlayedCard
from cribboard.referee.wording import in_words, spoken
from cribboard.service.acts import Act, Step, act_of, damage_of
from cribboard.service.card_checks import (
    came_with_cards,
    check_card,
    check_claim,
    check_side,
    check_stands,
    counted,
    is_ahead,
    is_cut,
)
from cribboard.service.cards import Deal
from cribboard.service.conflicts import check_seen, is_late, meanwhile, passed
from cribboard.service.double_scores import DuplicateScores
from cribboard.service.lines import PeggedEvent
from cribboard.service.orders import KEYLESS, REFUSED, Order, OrderError
from cribboard.service.restraint import Wish, is_staff
from cribboard.service.rules import check_rules, kept_rules
from cribboard.service.table import Table
from cribboard.service.view import away_words
from cribboard_core.cards import card_name, cards_text
from cribboard_core.events import KINDS, PEG
from cribboard_core.pile import LIMIT
from cribboard_core.play import HIGHEST
from cribboard_core.show import Show, count

log = logging.getLogger(__name__)

ANSWERS_KEPT = 256  # answers, as the ledger keeps them

REST = "+given"  # and of that of the points which go with it to others
PASSING = "+deal"  # what makes of an order's key that of the deal which it passes
BACK = ("unplay", "unclaim", "clear")  # which move no peg
POINTS = {"nibs": 2, "go": 1}
DOUBLED = ("peg", "muggins", *POINTS)  # orders, beside hands, that two phones may give for one score
FAILED = "something in the kiosk has failed", "try again; if it happens again, tell the staff"

Answer = tuple[int, str]  # the rev that it made, or that stands, and what to say


class OrderHandler:
    """Carries out orders at one table, each key once."""

    def __init__(self, table: Table, clock: Callable[[], float] = time.monotonic) -> None:
        self._table = table
        self._duplicates = DuplicateScores(table, clock)
        self._answers: dict[str, Answer] = {}  # also of what the board was not asked to do

    def do(self, order: Order, by: str, address: str = "") -> Answer:
        """Carry out an order, or return the answer that it got before; raises OrderError."""
        self._table.restraint.meet(by, address)
        with _refusing():
            return self._known_answer(order.key) or self._done(order, by)

    def answer(self, key: str) -> Answer | None:
        """The answer to the order with this key; None when it has not counted, or is too old. Raises OrderError."""
        with _refusing():
            return self._known_answer(key)

    def forget(self) -> None:
        """Forget the texts of the answers: a name in them is no longer in use."""
        self._answers = {key: (rev, "Done.") for key, (rev, _) in self._answers.items()}

    def _known_answer(self, key: str) -> Answer | None:
        board = self._table.board
        known = self._answers.get(key) or self._laid(key)
        if known is not None:
            return known
        answer = board.answer(key)
        if answer is None and board.away is not None:
            raise board.away
        # It may be the very command that was left without an answer, and the rest of its act may be missing.
        if board.away is None:
            board.settle()
            self._finish()
        answer = self._laid(key) or board.answer(key)
        if answer is None:
            return None
        rev, text = answer
        if not rev:
            raise CommandError("unknown", "the board has lost its memory, so nobody knows whether this counted")
        return rev, text or self._table.text(rev)

    def _laid(self, key: str) -> Answer | None:
        """The answer for a card that this order has already laid, even if it was taken back since; None for no card."""
        deal, rev = self._table.deal, self._table.board.standing.rev
        card, hand = deal.played_by(key), deal.counted_by(key)
        if hand is not None and not hand.rev:
            return rev, f"{claims(self._table.claimant(hand.side), 0)}."
        if deal.has_taken_back(key):
            return rev, "Done."
        if not key or card < 0:
            return None
        lies = [laid for laid in deal.now.played if laid.key == key]
        if not lies:
            return rev, f"The {spoken(card)} is no longer there."
        return lies[0].rev or rev, self._played(lies[0])

    def _done(self, order: Order, by: str) -> Answer:
        if order.do in KEYLESS:
            return self._table.board.standing.rev, self._aside(order, by)
        before = self._table.board.standing.rev
        answer = self._passed(order, by) or self._acted(order, by)
        if self._table.board.standing.rev != before:
            self._table.restraint.scored(by)
        self._answers[order.key] = answer
        if len(self._answers) > ANSWERS_KEPT:
            del self._answers[next(iter(self._answers))]
        self._table.board.said(order.key, answer[1])
        return answer

    def _passed(self, order: Order, by: str) -> Answer | None:
        """The answer when somebody else has already passed the same deal."""
        mark = passed(self._table, order, by) if order.do == "deal" else None
        return (mark.rev, mark.text) if mark else None

    def _acted(self, order: Order, by: str) -> Answer:
        if order.do in BACK:
            return self._table.board.standing.rev, self._aside(order, by)
        ahead = order.do == "hand" and is_ahead(self._table, order)
        if order.do in DOUBLED:
            self._duplicates.check(order, by, order.values["side"], POINTS.get(order.do) or order.values["points"])
        check_seen(self._table, self._since_passed(order), by)
        if order.do == "new":
            return self._new(order, by)
        if order.do == "play":
            return self._play(order, by)
        if order.do == "muggins":
            return self._muggins(order, by)
        if order.do == "correct":
            return self._correct(order, by)
        if order.do == "allow":
            return self._allow(order, by)
        if order.do in ("undo", "redo"):
            return self._stepped(order, by)
        if order.do == "hand":
            check_side(self._table, order.values["side"])
            order = counted(self._table, order, Cards() if ahead else self._table.deal.now)
            check_claim(self._table, order)
            points = order.values["points"]
            self._duplicates.check(order, by, order.values["side"], min(points, order.values.get("claim", points)))
            if self._table.options.manual:
                return self._claim(order, by, ahead)
        return self._scored(order, by, ahead)

    def _stepped(self, order: Order, by: str) -> Answer:
        """Undo or redo; only the newest score can be taken back."""
        table, rev, undo = self._table, order.values["rev"], order.do == "undo"
        author = table.author(rev)
        if undo:
            check_stands(self._table, order)
            step = table.at_hand()[0]
            if step is not None and step.rev == rev:
                table.restraint.check_undo(rev, order.own, by, author)
        try:
            answer = self._scored(order, by)
        except CommandError as error:
            raise self._older(order, error) from error
        if undo:
            table.restraint.undone(by, author)
            table.restart_timer()
        return answer

    def _older(self, order: Order, error: CommandError) -> CribboardError:
        """Why a score is not the one to undo or redo, when the board says no more than that."""
        last = self._table.marks[-1] if self._table.marks else None
        if error.code not in ("rev", "nothing") or last is None or last.rev <= order.values["rev"]:
            return error
        newest = order.do == "undo" and not last.undone
        hint = "only the newest score can be undone: undo that one first" if newest else REFUSED["rev"][1]
        return OrderError("rev", f"since then: {last.text.rstrip('.')}", hint, 409)

    def _correct(self, order: Order, by: str) -> Answer:
        """Give a line other points: staff at once, players when two phones want the same."""
        table, rev, points = self._table, order.values["rev"], order.values["points"]
        line = self._line(rev)
        if line.set_by and order.seen is not None and line.set_by > order.seen and table.author(line.set_by) != by:
            if line.points == points:
                return line.set_by, table.text(line.set_by)
            raise meanwhile(table.line_words(line))
        if line.points == points:
            said = f"that score has {amount(points, 'point')}"
            raise OrderError("same", said, "choose what it should have been", 409)
        if table.options.tournament and not is_staff(by):
            raise OrderError("stands", "in a tournament a score stands", "ask the staff", 409)
        table.pegs(line, points)
        if not table.is_asked():
            table.restraint.forget()
        wish = table.restraint.check_correction(rev, points, order.own, by)
        return self._corrected(order, by, wish)

    def _line(self, rev: int) -> PeggedEvent:
        line = self._table.line(rev)
        if line is None:
            hint = "it was taken back, or its game is over; set the score if that is wrong"
            raise OrderError("line", "that score cannot be corrected any more", hint, 409)
        return line

    def _corrected(self, order: Order, by: str, wish: Wish | None) -> Answer:
        """Set the pegs as a line's right points have them now: the board may have moved on since somebody asked."""
        table, rev, points = self._table, order.values["rev"], order.values["points"]
        line = self._line(rev)
        who = ((wish.by, wish.own), (by, order.own)) if wish else ((by, order.own),)
        said = Correction(rev, KINDS[line.kind], line.side, line.b, line.points, points, who)
        front, back = table.pegs(line, points)
        step = Step(order.key, "set", [line.side, front, back], [a_correction(said)])
        rev = self._steps(wish.by if wish else by, [step])[-1].after.rev
        return rev, table.text(rev)

    def _allow(self, order: Order, by: str) -> Answer:
        """Say Yes or No to somebody who wants to take back a score of others, or to correct one; it is their act."""
        table, values = self._table, order.values
        wish = table.restraint.answer(values["rev"], values["yes"], order.own, by, values.get("points"))
        if values["yes"] and wish.points is not None:
            return self._corrected(order, by, wish)
        if values["yes"]:
            answer = self._scored(replace(order, do="undo"), wish.by)
            table.restart_timer()
            return answer
        what = "take back" if wish.points is None else "correct"
        text = f"No: the score stays, which {table.asker(wish)} wanted to {what}."
        table.tell("allow", text)
        return table.board.standing.rev, text

    def _scored(self, order: Order, by: str, ahead: bool = False) -> Answer:
        shown = self._shown(order, ahead) if order.do == "hand" else ()
        step = Step(order.key, order.do, self._arguments(order), shown)
        happened = self._steps(by, [*self._passing(order, ahead), step])[-1]
        if happened.event is not None and order.do in (*DOUBLED, "hand"):
            self._duplicates.note(order, by, happened.event.side, happened.event.a)
        rev = happened.after.rev
        return rev, self._table.text(rev)

    def _steps(self, by: str, steps: Sequence[Step]) -> list[BoardChange]:
        """Carry out the steps of an act; those behind a win do not happen."""
        act, table = Act(steps, by), self._table
        done: list[BoardChange] = []
        for step in steps:
            if done and table.board.match.winner >= 0:
                break
            done.append(table.step(act, step))
        table.board.end_act()
        return done

    def _finish(self) -> bool:
        """Do what is missing of an act that a kill, or a board that went away, has cut off; returns whether it did.

        The act stands when its first command counts. The rest goes with it unless that was taken back since, or the
        game is over.
        """
        table, board = self._table, self._table.board
        act = act_of(board)
        if act is None:
            damage = damage_of(board)
            if damage is not None:
                what = "so what was missing of it is not done: look at the score"
                board.on_notice(
                    Notice(
                        f"an order that was cut off cannot be read ({damage}), {what}",
                        f"an order was cut off and cannot be read, {what}",
                    )
                )
            board.end_act()
            return False
        board.settle()
        answers = [board.answer(step.key) for step in act.steps]
        rev = answers[0][0] if answers[0] else 0
        left = [step for step, answer in zip(act.steps, answers, strict=True) if rev and answer is None]
        for step in left:
            match = board.match
            if match.winner >= 0:
                break
            if match.game > rev or not table.deal.stands(rev):
                table.board.on_notice("an order was cut off in its middle, and the game went on: look at the score")
                break
            table.step(act, replace(step, args=self._again(step)))
        board.end_act()
        return bool(left)

    def _again(self, step: Step) -> Sequence[Json]:
        """The arguments of a command that comes later than it was meant: a handicap is added to what was pegged."""
        if step.op != "set":
            return step.args
        side, points, _ = step.args
        assert isinstance(side, int)  # noqa: S101 (it is a handicap)
        assert isinstance(points, int)  # noqa: S101
        match = self._table.board.match
        front, back = match.front(side), match.back(side)
        return [side, front + points, back + points if front else 0]

    def tick(self) -> bool:
        """Count a hand that nobody has claimed in time; half of it goes to the others. Returns whether it has."""
        table = self._table
        if table.board.away is not None:
            return False
        with contextlib.suppress(OrderError), _refusing():
            if self._finish():
                return True
        due = table.due()
        if due is None or due[1] > table.clock() or due[2]:  # a crib is counted late once its cards are known
            return False
        try:
            with _refusing():
                self._count_late(due[0], self._late_key(table.board.standing.rev))
        except OrderError as error:
            table.board.on_notice(f"the time to count is over, but the hand was not counted: {error.message}")
            table.restart_timer()
        return True

    def _count_late(self, side: int, key: str) -> None:
        cards = self._table.deal.now
        show = count([laid.card for laid in cards.played if laid.side == side], cards.starter, False)
        self._claimed(Order("hand", {"side": side}, key), "the clock", show, None)

    def _late_key(self, rev: int) -> str:
        """The key of a hand that is counted late while this is the newest event; no phone can draw it."""
        return f"{LATE}{self._table.board.hello.epoch}+{rev}"

    def _claim(self, order: Order, by: str, ahead: bool) -> Answer:
        values = order.values
        show, due = count(values["cards"], values["starter"], values["crib"]), self._table.due()
        late = values["crib"] and due is not None and due[2] and due[1] <= self._table.clock()
        return self._claimed(order, by, show, None if late else values["claim"], ahead)

    def _claimed(self, order: Order, by: str, show: Show, claim: int | None, ahead: bool = False) -> Answer:
        """Peg what a claim for a hand comes to, None for one that was not made in time; `ahead` of the next deal."""
        table, side = self._table, order.values["side"]
        setup, who = table.setup(), table.claimant(side)
        if claim is None:
            outcomes, said = too_late(setup, who, show), Claim(show.points - show.points // 2)
        else:
            claim = meant(setup, show, claim)
            outcomes = of_hand(setup, who, show, claim)
            said = _claim(claim, show.points, setup.options)
        key = order.key if claim is not None or order.key.startswith(LATE) else LATE + order.key
        hand = Counted(0, side, show.crib, tuple(show.hand), show.starter, key, said)
        cut = [] if claim is None else self._cut(show.starter, Cards() if ahead else table.deal.now)
        rev, text = self._pegged(order, by, outcomes, [a_hand(hand), *cut], ahead=ahead)
        text += table.uncalled()
        table.tell("hand", text, side, rev)
        self._duplicates.note(order, by, side, min(said.points, show.points))
        return rev or table.board.standing.rev, text

    def _pegged(
        self, order: Order, by: str, outcomes: Sequence[Outcome], shown: Sequence[Shown] = (), *, ahead: bool = False
    ) -> Answer:
        """Peg what the referee has decided, with what the order shows, `ahead` of the next deal.

        Returns the rev of the first event, 0 for none, and what to say.
        """
        table, passing = self._table, self._passing(order, ahead)
        steps: list[Step] = []
        for one in outcomes:
            if one.command:
                op, *args = one.command
                rest = [more_of(order.key)] if shown else []
                step = Step(order.key + REST, str(op), args, rest) if steps else Step(order.key, str(op), args, shown)
                steps.append(step)
        if passing and not steps:  # the cards are those of the next deal
            passing = [replace(passing[0], shown=shown)]
        revs = [happened.after.rev for happened in self._steps(by, [*passing, *steps])[len(passing) :]]
        if not passing and not steps:
            table.deal.showed(*shown)
        texts, left = list[str](), list(revs)
        for one in outcomes:
            if one.command and not left:  # the game was won before
                break
            texts.append(in_words(one.text, table.setup().names))
            if one.command:
                texts.append(table.text(left.pop(0)))
        return revs[0] if revs else 0, " ".join(texts)

    def _muggins(self, order: Order, by: str) -> Answer:
        """A call of points that somebody missed: compared where cards have told what they were, else as it is said."""
        table, values = self._table, order.values
        side, other, points = values["side"], values["from"], values["points"]
        if not table.options.muggins:
            raise OrderError("rules", "muggins is not played here", "it is a house rule, chosen with a new game", 409)
        check_call(table.setup(), side, other, points)
        opened = table.open
        if opened and opened.claim and opened.side == other:
            given = call(table.claimant(side), table.claimant(other), points, opened.claim.missed)
            rev, text = self._pegged(order, by, [given])
            if points <= opened.claim.missed:
                self._duplicates.note(order, by, side, points)
            else:
                table.tell("muggins", text, other, rev)
                text = f"{in_words(given.text, table.setup().names)} {table.words.scores(table.board.match.sides)}."
            return rev or table.board.standing.rev, text
        # Without cards nobody but the table knows what was missed, so a call counts as it is said. With cards it was
        # compared above, or is too late.
        if came_with_cards(self._table, other):
            hint = "it can be called until the next card, count or deal"
            raise OrderError("closed", "there is nothing to call muggins on", hint, 409)
        return self._scored(order, by)

    def _passing(self, order: Order, ahead: bool) -> list[Step]:
        """The step that passes the deal whose crib was counted, if this order starts the next one; once for a key."""
        if not ahead:
            return []
        board = self._table.board
        key = f"{order.key or f'{order.do}+{board.hello.epoch}+{board.standing.rev}'}{PASSING}"
        if board.answer(key) is not None:  # and that was undone
            raise OrderError("seen", "meanwhile: the deal was taken back", "send it again if it is still right", 409)
        return [Step(key, "deal", [-1])]

    def _since_passed(self, order: Order) -> Order:
        """The order with `seen` after the deal that it passed itself, if the kiosk ended before it did the rest."""
        passing = self._table.board.answer(order.key + PASSING)
        if passing is None or order.seen is None:
            return order
        return replace(order, seen=max(order.seen, passing[0]))

    def _shown(self, order: Order, ahead: bool) -> list[Shown]:
        """A hand that the kiosk counts, with its starter if none was named before."""
        values = order.values
        cards = Cards() if ahead else self._table.deal.now
        hand = Counted(0, values["side"], values["crib"], tuple(values["cards"]), values["starter"])
        return [a_hand(hand), *self._cut(values["starter"], cards)]

    def _cut(self, starter: int, cards: Cards) -> list[Shown]:
        """The starter of a counted hand, if none was named before."""
        return [a_starter(starter)] if cards.starter < 0 and starter not in cards.seen else []

    def _wait(self, order: Order, by: str) -> str:
        """Show as many points as fit in front of the peg: the last count of a game mostly goes past its last hole."""
        table, side, points = self._table, order.values["side"], order.values["points"]
        if not is_late(table, order):
            if points:
                check_side(table, side)
                points = min(points, table.board.match.target - table.board.match.front(side))
            self._pend(side, points, by)
        return f"{points} wait."

    def _pend(self, side: int, points: int, by: str) -> None:
        """Show what somebody is about to peg; refused while somebody else's points wait there."""
        table = self._table
        try:
            table.board.pend(side, points, table.owner(by))
        except CommandError as error:
            if error.code != "waiting":
                raise
            there = table.board.waiting.get(side, Waiting(0, 0))
            whose, name = table.called(table.whose(there.owner)), table.names.first(side)
            raise OrderError(
                "waiting", f"{there.points} already wait for {name}, entered by {whose}", "your number is kept", 409
            ) from error
        if points or table.board.waiting.get(side, Waiting(0, 0)).owner == table.owner(by):
            table.board.waiting[side] = Waiting(points, table.owner(by))

    def leave(self, by: str) -> None:
        """Remove the waiting points of somebody who has gone."""
        for side, there in list(self._table.board.waiting.items()):
            if there.points and there.owner == self._table.owner(by):
                self._pend(side, 0, by)

    def _arguments(self, order: Order) -> list[Json]:
        """The arguments of the board's command for an order."""
        fields: dict[str, Any] = {"place": -1, "back": False, **order.values}
        if order.do == "hand":
            fields["cards"] = cards_text(fields["cards"]).replace(" ", "")
            fields["starter"] = card_name(fields["starter"])
        elif order.do == "set":
            fields["back"] = back_peg(
                self._table.board.match, fields["side"], fields["front"], order.values.get("back")
            )
        values = [fields[name] for name in ARGUMENTS[order.do]]
        return [int(value) if isinstance(value, bool) else value for value in values]

    def _play(self, order: Order, by: str) -> Answer:
        table = self._table
        side, card = order.values["side"], order.values["card"]
        check_side(self._table, side)
        course, passes = table.course(), table.passes
        if not course.left(side):
            raise OrderError(
                "played", f"{table.names.first(side)} has played all cards", "pass the deal, or take a card back", 409
            )
        laid = (Deal() if passes else table.deal).play(card, side, order.key)
        if course.is_out_of_turn(side) and not order.again:
            due = table.names.first(course.turn)
            raise OrderError("turn", f"it is {due}'s turn", "play it only if somebody forgot to tap a card", 409)
        check_claim(self._table, order)
        if table.options.manual:
            return self._laid_down(order, by, laid, passes)
        outcomes = [outcome("", PEG, side, laid.points)] if laid.points else []
        rev, _ = self._pegged(order, by, outcomes, [a_card(laid)], ahead=passes)
        if rev:
            self._duplicates.note(order, by, side, laid.points)
        text = self._played(replace(laid, rev=rev))
        table.tell("play", text, side, rev)
        return rev or table.board.standing.rev, text

    def _laid_down(self, order: Order, by: str, laid: PlayedCard, passes: bool) -> Answer:
        """Peg what the claim for a card comes to."""
        table, side, made = self._table, laid.side, laid.points
        claim, setup, who = self._for_card(order, laid), table.setup(), table.claimant(side)
        said, full_text = plays(who, laid.card, say_made(laid.total)), f"{plays(who, laid.card, laid.made)}."
        full = outcome(full_text, PEG, side, made) if made else Outcome(full_text)
        outcomes = of_card(setup, who, said, full, claim)
        announced = "claim" in order.values or setup.options.muggins  # without a number the card may be a slip
        claimed = _claim(claim, made if announced else claim, setup.options)
        card = a_card(replace(laid, points=min(claim, made), claim=claimed))
        rev, text = self._pegged(order, by, outcomes, [card], ahead=passes)
        text += table.uncalled()
        table.tell("play", text, side, rev)
        self._duplicates.note(order, by, side, min(claim, made))
        return rev or table.board.standing.rev, text

    def _for_card(self, order: Order, laid: PlayedCard) -> int:
        """The claim for a card without the one for go or last card, which is tapped by itself."""
        claim, course = order.values.get("claim", 0), self._table.course()
        others = sum(map(course.left, self._table.board.match.sides)) > 1
        ends = laid.total != LIMIT and (not others or laid.total + HIGHEST > LIMIT)
        pays = ends and course.may_be_last(laid.side)
        return claim - 1 if pays and claim in (1, laid.points + 1) else claim  # no card makes one by itself

    def _played(self, laid: PlayedCard) -> str:
        """What is said of a card; where its player claims, no more than the count."""
        table = self._table
        says = laid.made if laid.points and not laid.claim else say_made(laid.total)
        said = in_words(f"{plays(table.claimant(laid.side), laid.card, says)}.", table.setup().names)
        return f"{said} {table.text(laid.rev)}" if laid.points else said

    def _new(self, order: Order, by: str) -> Answer:
        table = self._table
        values, match = order.values, table.board.match
        called_by = values.get("names", [])
        seats, sides = seated(match, len(called_by), values.get("teams"))
        starts = values.get("start", [])
        target = values.get("target", match.target)
        if starts and (len(starts) != sides or max(starts) >= target):
            raise ArgumentError(f"start has {starts}", f"give each of the {sides} sides 0 to {target - 1} points")
        mask = sum(1 << seat for seat in seats)
        names = called(called_by, seats, sides, people(table.board.names)) if called_by else None
        args = (match.rev, target, mask, sides, values.get("dealer", -1), -1, values.get("double", -1))
        handicaps = zip(seats[:sides], starts, strict=False)  # at the start, where the pegs stand at 0
        given = [Step(f"{order.key}+{side}", "set", [side, points, 0]) for side, points in handicaps if points]
        steps = [Step(order.key, "new", args), *given]
        act = Act(steps, by, self._rules(order, len(seats), sides))
        rev = table.step(act, steps[0], names).after.rev
        text = table.text(rev)
        for step in steps[1:]:
            table.step(act, step)
        table.board.end_act()
        return rev, text

    def _rules(self, order: Order, players: int, sides: int) -> Options:
        """The house rules of a new game: those that are chosen, else those of the game before."""
        if "rules" in order.values:
            return check_rules(order.values["rules"], players, sides)
        return kept_rules(self._table.options, players, sides)

    def _aside(self, order: Order, by: str) -> str:
        """Carry out an order that moves no peg; returns what to say."""
        table, values = self._table, order.values
        if order.do == "pend":
            return self._wait(order, by)
        if order.do == "names":
            match = table.board.match
            table.board.call(called(values["names"], match.seats, len(match.sides), table.board.names))
            return "The names are noted."
        if order.do == "say_go":
            return table.say_go(values["card"], values["goes"])
        before = table.deal.now
        if order.do == "starter":
            card = values["card"]
            ahead = table.passes and is_cut(self._table, card)
            if not ahead:
                table.deal.check_starter(card)
            self._pegged(order, by, [], [a_starter(card)], ahead=ahead)
            text = f"The starter is the {spoken(card)}." if card >= 0 else "There is no starter."
        elif order.do == "unplay":
            card = values["card"]
            for laid in (laid for laid in before.played if laid.card == card):
                check_card(self._table, laid)
                table.deal.check_back(card)
                table.deal.showed(a_card_back(card, order.key))
            text = f"The {spoken(card)} is taken back."
        elif order.do == "unclaim":
            hand = table.nothing(table.at_hand()[0])
            if hand is None or hand.side != values["side"]:
                raise OrderError("nothing", "that claim is no longer the newest thing here", "look at the score", 409)
            table.deal.showed(a_claim_back(hand, order.key))
            table.restart_timer()
            text = f"Taken back: {claims(table.claimant(hand.side), 0)}."
        else:
            table.deal.showed(no_cards(order.key))
            text = "The cards are cleared."
        if table.deal.now != before:
            table.tell(order.do, text)
        return text


def _claim(points: int, made: int, options: Options) -> Claim:
    """What a player has claimed; a claim that is too high is announced at once, so nobody can call it."""
    return Claim(points, max(0, made - points), options.muggins and points <= made)


@contextlib.contextmanager
def _refusing() -> Iterator[None]:
    """Turn every error into an OrderError with words for the pages."""
    try:
        yield
    except CommandError as error:
        message, hint = REFUSED.get(error.code, (error.message, error.hint))
        raise OrderError(error.code, message or error.message, hint, 409) from error
    except TransportError as error:
        raise OrderError("away", *away_words(error, virtual=False), 503) from error
    except ArgumentError as error:
        raise OrderError("order", error.message, error.hint) from error
    except OrderError:
        raise
    except CribboardError as error:
        log.error("an order has failed: %s", error)
        raise OrderError("failed", *FAILED, 500) from error
    except RefereeError as error:
        raise OrderError("rules", str(error), "", 409) from error
