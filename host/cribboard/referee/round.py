"""One deal at the table: its cards, what they peg, and what players claim for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from cribboard.referee.falls import Fall, RefereeError, fall, hand
from cribboard.referee.setup import Setup
from cribboard_core.aloud import number_word, sentence
from cribboard_core.cards import card_name, cards_text, parse_card, parse_cards
from cribboard_core.deal import CUT, DISCARD, PLAY, SHOW, Deal
from cribboard_core.events import GO, MUGGINS, NIBS, PEG, PENALTY
from cribboard_core.show import Show, count

RENEGE_POINTS = 2  # for each card that should have been played
Event = tuple[int, str, int, object]
Parts = list[tuple[str, int, tuple[int, ...]]]


class Round:
    """A deal between its first card and the crib.

    With muggins every claim is open to a call until the next card or count: `open_for` is its seat (-1: none is open),
    `missed` the points that it left out. `short` says that the newest claim was too low.
    """

    def __init__(self, setup: Setup, dealer: int, pack: list[int] | None) -> None:
        self.setup = setup
        self.options = setup.options
        self.deal = Deal(setup.players, dealer, pack, setup.teams)
        self.open_for = -1
        self.missed = 0
        self.short = False

    @property
    def phase(self) -> str:
        """What is to be done: discard, starter, play, crib (lay it open), show, claim or over."""
        phase = self.deal.phase
        if phase == SHOW and self.deal.shows_crib and not self.deal.crib:
            return "crib"
        if phase == SHOW and self.options.manual:
            return "claim"
        return {CUT: "starter"}.get(phase, phase)

    def act(self, name: str, args: list[Any]) -> list[Fall]:
        """Do one of `discard starter play go show claim timeout crib muggins`; raises ValueError when it cannot be."""
        return cast("list[Fall]", getattr(self, "_" + name)(*args))

    def _discard(self, seat: int, cards: str) -> list[Fall]:
        laid = parse_cards(cards, "discard")
        self.deal.discard(seat, laid)
        name = self.setup.names[seat]
        what = "a card" if len(laid) == 1 else f"{number_word(len(laid))} cards"
        return [Fall(f"{name} lays {what} away.")]

    def _starter(self, card: str) -> list[Fall]:
        self._check(DISCARD, CUT)
        events = self.deal.turn_up(parse_card(card))
        falls = [Fall(f"The starter is {card_name(self.deal.starter)}.")]
        for seat, _, points, _ in events:
            text = f"A jack: nibs for {self.setup.names[seat]}, {number_word(points)}."
            falls.append(fall(text, NIBS, self.setup.side(seat), points))
        return falls

    def _play(self, seat: int, card: str, claim: int | None = None) -> list[Fall]:
        self._check(PLAY)
        if self.options.manual:
            claim = claim or 0
        elif claim is not None:
            raise RefereeError("the program counts; play a card without points, or set counting=manual")
        game = self.deal.game
        assert game is not None  # noqa: S101 (the play is on)
        held = len(game.reneges)
        before = game.count
        played = parse_card(card)
        events = self.deal.play(seat, played)
        falls = self.close()
        falls += self._laid(seat, played, before, events, claim)
        falls += self._passed(game.passed)
        falls += [self._last(event) for event in events if event[1] in ("go", "last")]
        return falls + [f for renege in game.reneges[held:] for f in self._reneged(*renege)]

    def _laid(self, seat: int, card: int, before: int, events: list[Event], claim: int | None) -> list[Fall]:
        """The card and its own points."""
        name = self.setup.names[seat]
        total = before + min(10, (card >> 2) + 1)
        said = f"{name} plays {card_name(card)}: {number_word(total)}"
        points, parts = 0, []
        for _, kind, some, detail in events:
            if kind == "play":
                points, parts = some, cast("tuple[int, Parts]", detail)[1]
        bonus = sum(event[2] for event in events if event[1] in ("go", "last"))
        if bonus and claim in (bonus, points + bonus):  # the one for the go or last card, which is pegged by itself
            claim = claim - bonus
        named = [_part(part[0], len(part[2])) for part in parts if part[0] not in ("fifteen", "thirty-one")]
        full = ", ".join([said, *named]) + (f" for {number_word(points)}" if points else "")
        pegged = fall(f"{full}.", PEG, self.setup.side(seat), points) if points else Fall(f"{full}.")
        if claim is None:
            return [pegged]
        plain = f"{said}, and claims {number_word(claim)}." if claim else f"{said}."
        wrong = f"{said}. {name} claims {number_word(claim)}; the card makes {number_word(points)}."
        return self._claimed(seat, claim, pegged, plain, wrong)

    def _go(self, seat: int) -> list[Fall]:
        self._check(PLAY)
        events = self.deal.go(seat)
        falls = [Fall(f"{self.setup.names[seat]} says go.")]
        game = self.deal.game
        assert game is not None  # noqa: S101 (the play is on)
        return falls + self._passed(game.passed) + [self._last(event) for event in events]

    def _show(self) -> list[Fall]:
        self._check(SHOW)
        if self.options.manual:
            raise RefereeError("players count here (counting=manual); claim the points, 0 for none")
        seat, kind, _, show = self.deal.show()[0]
        return [self._counted(seat, kind, cast("Show", show))]

    def _claim(self, seat: int, claim: int) -> list[Fall]:
        self._check(SHOW)
        if not self.options.manual:
            raise RefereeError("the program counts here; players claim with counting=manual")
        self._check_counter(seat)
        kind, show = self._shown()
        points = show.points
        joked = self.options.nineteen and not points and claim == 19
        claim = 0 if joked else claim
        self.deal.show()
        falls = self.close()
        plain = f"{self.setup.names[seat]} claims {number_word(claim)}."
        wrong = f"{plain[:-1]}; the {kind} counts {number_word(points)}: {self._aloud(show)}."
        return falls + self._claimed(seat, claim, self._counted(seat, kind, show), plain, wrong)

    def _timeout(self, seat: int) -> list[Fall]:
        self._check(SHOW)
        if not self.options.time_limit:
            raise RefereeError("there is no time limit here; it is the option time_limit")
        self._check_counter(seat)
        kind, show = self._shown()
        self.deal.show()
        falls = self.close()
        side, points = self.setup.side(seat), show.points
        half = points // 2
        text = f"Time is up for {self.setup.names[seat]}: the {kind} counts {number_word(points)}"
        if not half:
            counted = self._counted(seat, kind, show)
            return [*falls, Fall(f"{text}."), counted]
        rest = points - half
        stay = "stays" if rest == 1 else "stay"
        keeps = fall(f"{text}, and {number_word(rest)} {stay}.", PEG, side, rest)
        return [
            *falls,
            keeps,
            fall(f"The other {number_word(half)} {_goes(half)} to {self._others(side)}.", PENALTY, side, half),
        ]

    def _crib(self, cards: str) -> list[Fall]:
        self._check(SHOW)
        self.deal.lay_open(parse_cards(cards, "crib"))
        if not self.options.manual and self.deal.shows_crib:
            return self._show()
        return [*self.close(), Fall(f"The crib is {cards_text(self.deal.crib)}.")]

    def _muggins(self, seat: int, points: int) -> list[Fall]:
        if not self.options.muggins:
            raise RefereeError("muggins is not played here; it is the option muggins")
        if self.open_for < 0:
            raise RefereeError("there is nothing to call muggins on; it closes at the next card or count")
        mine, theirs = self.setup.side(seat), self.setup.side(self.open_for)
        if mine == theirs or not points:
            raise RefereeError(
                "nobody calls muggins on his own side" if points else "muggins is called for one at least"
            )
        name, other = self.setup.names[seat], self.setup.names[self.open_for]
        if points <= self.missed:
            self.open_for, self.missed = -1, 0
            text = f"Muggins: {name} takes {number_word(points)} that {other} missed."
            return [fall(text, MUGGINS, mine, points, theirs)]
        given = "it" if points == 1 else "them"
        text = f"{name} calls {number_word(points)} that {other} has not missed, and gives {given} away."
        return [fall(text, MUGGINS, theirs, points, mine)]

    def close(self) -> list[Fall]:
        """Nobody can call missed points any more."""
        seat, missed = self.open_for, self.missed
        self.open_for, self.missed, self.short = -1, 0, False
        if not missed:
            return []
        told = f"Nobody called the {number_word(missed)} that {self.setup.names[seat]} missed."
        return [Fall(told, aside=True)]

    def counted_next(self) -> tuple[int, str, list[int]]:
        """(seat, "hand" or "crib", cards) of what is shown next; the cards of a crib may be unknown."""
        crib = self.deal.shows_crib
        seat = self.deal.turn
        return seat, "crib" if crib else "hand", self.deal.crib if crib else self.deal.kept[seat]

    def _shown(self) -> tuple[str, Show]:
        _, kind, cards = self.counted_next()
        if not cards:
            raise RefereeError("the crib has not been laid open; type its cards first")
        return kind, count(cards, self.deal.starter, kind == "crib")

    def _counted(self, seat: int, kind: str, show: Show) -> Fall:
        cards, starter = cards_text(show.hand), card_name(self.deal.starter)
        text = f"{self.setup.names[seat]}'s {kind} {cards} with {starter}: {self._aloud(show)}."
        return hand(text, self.setup.side(seat), cards, starter, kind == "crib", show.points)

    def _aloud(self, show: Show) -> str:
        return sentence(show, self.options.nineteen)

    def _claimed(self, seat: int, claim: int, full: Fall, plain: str, wrong: str) -> list[Fall]:
        """What a claim comes to: too much is cut down, too little is pegged as it was said; playroom gives both away.

        With muggins the `plain` text is told whether points were missed or not, so that nobody learns it from that.
        """
        side, points = self.setup.side(seat), full.event[2] if full.event else 0
        self.short = claim < points
        if self.options.muggins:
            self.open_for, self.missed = seat, max(0, points - claim)
        if claim > points:
            over = claim - points
            goes = self.options.overcount or self.options.playroom
            given = [self._given(side, over, "too many")] if goes else []
            return [replace(full, text=wrong), *given]
        pegged = full if claim == points else fall(wrong, PEG, side, claim) if claim else Fall(wrong)
        if self.options.playroom and self.short:
            return [pegged, self._given(side, points - claim, "missed")]
        return [replace(pegged, text=plain) if self.options.muggins else pegged]

    def _given(self, side: int, points: int, why: str) -> Fall:
        """Points of a wrong claim, which every other side pegs."""
        return fall(f"The {number_word(points)} {why} {_goes(points)} to {self._others(side)}.", PENALTY, side, points)

    def _last(self, event: Event) -> Fall:
        seat, kind, points, _ = event
        what = "Go" if kind == "go" else "Last card"
        return fall(f"{what}: one for {self.setup.names[seat]}.", GO, self.setup.side(seat), points)

    def _passed(self, seats: list[int]) -> list[Fall]:
        return [Fall(f"{self.setup.names[seat]} says go.") for seat in seats]

    def _reneged(self, seat: int, card: int, at: int) -> list[Fall]:
        text = f"{self.setup.names[seat]} held {card_name(card)} when saying go at {number_word(at)}: a renege"
        side = self.setup.side(seat)
        if not self.options.renege:
            return [Fall(f"{text}.")]
        told = f"{text}, {number_word(RENEGE_POINTS)} for {self._others(side)}."
        return [fall(told, PENALTY, side, RENEGE_POINTS)]

    def _others(self, side: int) -> str:
        others = [other for other in self.setup.sides if other != side]
        return self.setup.side_name(others[0]) if len(others) == 1 else "each other side"

    def _check(self, *phases: str) -> None:
        if self.deal.phase not in phases:
            wanted = {"discard": "lay cards away first", "starter": "name the starter first", "play": "the play is on"}
            wanted.update(
                crib="lay the crib open first", claim="the hands are counted now", show="the hands are shown now"
            )
            raise RefereeError(f"this is not the time for it: {wanted.get(self.phase, 'the deal is over')}")

    def _check_counter(self, seat: int) -> None:
        turn, kind, _ = self.counted_next()
        if seat != turn:
            raise RefereeError(
                f"{self.setup.names[turn]} counts the {kind} now, not {self.setup.names[seat]}; order matters"
            )


def _goes(points: int) -> str:
    return "goes" if points == 1 else "go"


def _part(kind: str, cards: int) -> str:
    return f"a run of {number_word(cards)}" if kind == "run" else f"a {kind}"
