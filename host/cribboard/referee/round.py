"""One deal at the table: its cards, what they peg, and what players claim for them."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from cribboard.referee.outcomes import Act, Fall, RefereeError, fall, hand
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
        self.dead: set[int] = set()  # seats whose hands hold too many cards
        self._pegged: dict[int, dict[int, int]] = {}  # of each side, by kind: what this deal has pegged before the show

    @property
    def phase(self) -> str:
        """What is to be done: discard, starter, play, crib (lay it open), show, claim or over."""
        phase = self.deal.phase
        if phase == SHOW and self.deal.shows_crib and not self.deal.crib:
            return "crib"
        if phase == SHOW and self.options.manual:
            return "claim"
        return {CUT: "starter"}.get(phase, phase)

    def act(self, name: str, args: Act) -> list[Fall]:
        """Do one of `discard starter play go show claim timeout crib muggins dead`; raises ValueError if it cannot."""
        falls = cast("list[Fall]", getattr(self, "_" + name)(*args))
        if name in ("play", "go"):
            falls = [self._if_alive(one) for one in falls]
        if name in ("starter", "play", "go"):
            self._note(falls)
        self._pass_over_the_dead()
        return falls

    def may_be_dead(self, seat: int) -> bool:
        """Whether a hand can still be found to hold too many cards; only tournaments, for two, have a rule for it."""
        known = seat in self.dead or self.deal.has_shown(seat)
        two = self.setup.players == 2 and self.deal.unseen
        return self.options.tournament and two and not known and self.deal.phase in (PLAY, SHOW)

    def take_back(self, side: int, *kinds: int) -> list[Fall]:
        """Take back what a side has pegged in these ways in this deal."""
        pegged = self._pegged.get(side, {})
        points = sum(pegged.pop(kind, 0) for kind in kinds)
        text = f"{self.setup.side_name(side)} goes back {number_word(points)}."
        return [fall(text, PENALTY, side, points, 1)] if points else []

    def _discard(self, seat: int, cards: str) -> list[Fall]:
        laid = parse_cards(cards, "discard")
        self.deal.discard(seat, laid)
        name = self.setup.names[seat]
        what = "a card" if len(laid) == 1 else f"{number_word(len(laid))} cards"
        return [Fall(f"{name} discards {what}.")]

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
        if not cards and self.options.tournament and self.phase == "crib":
            self.deal.pass_over()
            return [*self.close(), Fall("The crib is dead: it has the wrong number of cards.")]
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
                "you cannot call muggins on your own side" if points else "call muggins for at least one point"
            )
        name, other = self.setup.names[seat], self.setup.names[self.open_for]
        if points <= self.missed:
            self.open_for, self.missed = -1, 0
            text = f"Muggins: {name} takes {number_word(points)} that {other} missed."
            return [fall(text, MUGGINS, mine, points, theirs)]
        given = "it" if points == 1 else "them"
        text = f"{name} calls {number_word(points)} that {other} has not missed, and gives {given} away."
        return [fall(text, MUGGINS, theirs, points, mine)]

    def _dead(self, seat: int) -> list[Fall]:
        """A hand holds too many cards, found after the starter.

        The ACC's rule 4.4 for the pone: the play ends with the dealer's last card, the pone's pegging is taken back and
        the hand is dead; the dealer counts the hand and, if its number of cards is right, the crib. It is quoted at
        http://cribbagecorner.com/node/42. The dealer's hand dies alike, but is played out:
        http://cribbagecorner.com/taxonomy/term/70.
        """
        if not self.may_be_dead(seat):
            raise RefereeError(
                "a hand is dead with the option tournament, between two players with their own cards, "
                "after the starter and before it is counted"
            )
        falls = self.close()
        self.dead.add(seat)
        text = f"{self.setup.names[seat]} holds too many cards: the hand is dead."
        return [*falls, Fall(text), *self.take_back(self.setup.side(seat), PEG, GO)]

    def _note(self, falls: list[Fall]) -> None:
        for kind, side, points in [one.event[:3] for one in falls if one.event]:
            pegged = self._pegged.setdefault(side, {})
            pegged[kind] = pegged.get(kind, 0) + points

    def _if_alive(self, one: Fall) -> Fall:
        """A dead hand pegs nothing any more."""
        dead = one.event and one.event[0] in (PEG, GO) and one.event[1] in map(self.setup.side, self.dead)
        return Fall(f"{one.text[:-1]}, which does not count: the hand is dead.") if dead else one

    def _pass_over_the_dead(self) -> None:
        deal, game = self.deal, self.deal.game
        pone = (deal.dealer + 1) % deal.players
        if deal.phase == PLAY and game and pone in self.dead and not game.hands[deal.dealer]:
            deal.end_play()
        while deal.phase == SHOW and not deal.shows_crib and deal.turn in self.dead:
            deal.pass_over()
        if self.open_for in self.dead:
            self.open_for, self.missed = -1, 0

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
            raise RefereeError("the crib has not been turned over; type its cards first")
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
            wanted = {"discard": "discard first", "starter": "name the starter first", "play": "the play is on"}
            wanted.update(
                crib="turn the crib over first", claim="the hands are counted now", show="the hands are shown now"
            )
            raise RefereeError(f"not now: {wanted.get(self.phase, 'the deal is over')}")

    def _check_counter(self, seat: int) -> None:
        turn, kind, _ = self.counted_next()
        if seat != turn:
            raise RefereeError(
                f"{self.setup.names[turn]} counts the {kind} now, not {self.setup.names[seat]}; count in turn"
            )


def _goes(points: int) -> str:
    return "goes" if points == 1 else "go"


def _part(kind: str, cards: int) -> str:
    return f"a run of {number_word(cards)}" if kind == "run" else f"a {kind}"
