"""One deal at the table: its cards, what they peg, and what players claim for them."""

from __future__ import annotations

from typing import cast

from cribboard.referee import claims
from cribboard.referee.claims import Claimant
from cribboard.referee.options import OLDER
from cribboard.referee.outcomes import Act, Outcome, RefereeError, gains, outcome
from cribboard.referee.setup import Setup
from cribboard_core.aloud import number_word
from cribboard_core.cards import card_name, cards_text, parse_card, parse_cards
from cribboard_core.deal import CUT, DISCARD, PLAY, SHOW, Deal
from cribboard_core.events import GO, NIBS, PEG, PENALTY
from cribboard_core.show import HAND_SIZES, Show, count
from cribboard_core.sizes import FIVE_CARD_SIZES

RENEGE_POINTS = 2  # for each card that should have been played
Event = tuple[int, str, int, object]
Parts = list[tuple[str, int, tuple[int, ...]]]


class Round:
    """A deal between its first card and the crib.

    With muggins every claim is open to a call until the next card or count: `open_for` is its seat (-1: none is open),
    `missed` the points that it left out. `short` says that the newest number that was announced was too low, `void`
    that the deal does not count.
    """

    def __init__(self, setup: Setup, dealer: int, pack: list[int] | None) -> None:
        self.setup = setup
        self.options = setup.options
        self.deal = Deal(setup.players, dealer, pack, setup.teams, setup.options.five_card)
        self.open_for = -1
        self.missed = 0
        self.short = False
        self.dead: set[int] = set()  # seats whose hands hold too many cards
        self.void = False
        self._gained: list[tuple[int, str, int, int]] = []  # (side, starter or play or show, kind, points)

    @property
    def phase(self) -> str:
        """What is to be done: discard, starter, play, hand (name its rest), crib (lay it open), show, claim or over."""
        phase = self.deal.phase
        if self.deal.not_named:
            return "hand"
        if phase == SHOW and self.deal.shows_crib and not self.deal.crib:
            return "crib"
        if phase == SHOW and self.options.manual:
            return "claim"
        return {CUT: "starter"}.get(phase, phase)

    def act(self, name: str, args: Act) -> list[Outcome]:
        """Do one of the acts that a deal has; raises ValueError if it cannot."""
        results = cast("list[Outcome]", getattr(self, "_" + name)(*args))
        if name in ("play", "go", "dead_card"):
            results = [self._if_alive(one) for one in results]
        self._note(name, results)
        self._pass_over_the_dead()
        return results

    def may_be_dead(self, seat: int) -> bool:
        """Whether a hand can still be found to hold too many cards; only tournaments, for two, have a rule for it."""
        known = seat in self.dead or self.deal.has_shown(seat)
        two = self.setup.players == 2 and self.deal.unseen
        return self.options.tournament and two and not known and self.deal.phase in (PLAY, SHOW)

    def pegged(self, side: int, *kinds: int) -> int:
        """What a side has pegged in these ways before the show."""
        played = [row for row in self._gained if row[0] == side and row[1] != "show"]
        return sum(points for _, _, kind, points in played if kind in kinds)

    def take_back(self, side: int, *parts: str) -> list[Outcome]:
        """Take back what a side has pegged in these parts of the deal: starter, play, show."""
        points = sum(some for whose, part, _, some in self._gained if whose == side and part in parts)
        text = f"{self.setup.side_name(side)} goes back {number_word(points)}."
        return [outcome(text, PENALTY, side, points, 1)] if points else []

    def _discard(self, seat: int, cards: str) -> list[Outcome]:
        laid = parse_cards(cards, "discard")
        self.deal.discard(seat, laid)
        name = self.setup.names[seat]
        what = "a card" if len(laid) == 1 else f"{number_word(len(laid))} cards"
        return [Outcome(f"{name} discards {what}.")]

    def _starter(self, card: str) -> list[Outcome]:
        self._check(DISCARD, CUT)
        events = self.deal.turn_up(parse_card(card))
        results = [Outcome(f"The starter is {card_name(self.deal.starter)}.")]
        for seat, _, points, _ in events:
            text = f"A jack: nibs for {self.setup.names[seat]}, {number_word(points)}."
            results.append(outcome(text, NIBS, self.setup.side(seat), points))
        return results

    def _play(self, seat: int, card: str, claim: int | None = None) -> list[Outcome]:
        self._check(PLAY)
        if claim is not None and not self.options.manual:
            raise RefereeError("the program counts; play a card without points, or set counting=manual")
        game = self.deal.game
        assert game is not None  # noqa: S101 (the play is on)
        held = len(game.reneges)
        before = game.count
        played = parse_card(card)
        events = self.deal.play(seat, played)
        results = self.close()
        # Not before the deal has taken the card: one that it refuses leaves the last claim open.
        results += self._laid(seat, played, before, events, claim)
        results += self._passed(game.passed)
        results += [self._last(event) for event in events if event[1] in ("go", "last")]
        return results + [f for renege in game.reneges[held:] for f in self._reneged(*renege)]

    def _laid(self, seat: int, card: int, before: int, events: list[Event], claim: int | None) -> list[Outcome]:
        """The card and its own points."""
        who, total = self._who(seat), before + min(10, (card >> 2) + 1)
        said = claims.plays(who, card, claims.made(total))
        points, parts = 0, []
        for _, kind, some, detail in events:
            if kind == "play":
                points, parts = some, cast("tuple[int, Parts]", detail)[1]
        bonus = sum(event[2] for event in events if event[1] in ("go", "last"))
        if bonus and claim in (bonus, points + bonus):  # the one for the go or last card, which is pegged by itself
            claim = claim - bonus
        full = claims.plays(who, card, claims.made(total, [(part[0], len(part[2])) for part in parts], points))
        pegged = outcome(f"{full}.", PEG, self.setup.side(seat), points) if points else Outcome(f"{full}.")
        if not self.options.manual:
            return [pegged]
        self._open(seat, claim or 0, points)
        self.short = claim is not None and self.short  # without a number the card may be a slip
        return claims.of_card(self.setup, who, said, pegged, claim or 0)

    def _go(self, seat: int) -> list[Outcome]:
        self._check(PLAY)
        events = self.deal.go(seat)
        results = [Outcome(f"{self.setup.names[seat]} says go.")]
        game = self.deal.game
        assert game is not None  # noqa: S101 (the play is on)
        return results + self._passed(game.passed) + [self._last(event) for event in events]

    def _show(self) -> list[Outcome]:
        self._check(SHOW)
        if self.options.manual:
            raise RefereeError("players count here (counting=manual); claim the points, 0 for none")
        seat, _, _, show = self.deal.show()[0]
        return [claims.counted(self.setup, self._who(seat), cast("Show", show))]

    def _claim(self, seat: int, claim: int) -> list[Outcome]:
        self._check(SHOW)
        if not self.options.manual:
            raise RefereeError("the program counts here; players claim with counting=manual")
        self._check_counter(seat)
        show = self._shown()
        self.deal.show()
        results = self.close()
        self._open(seat, claims.meant(self.setup, show, claim), show.points)
        return results + claims.of_hand(self.setup, self._who(seat), show, claim, seat in self.setup.computers)

    def _timeout(self, seat: int) -> list[Outcome]:
        self._check(SHOW)
        if not self.options.time_limit:
            raise RefereeError("there is no time limit here; it is the option time_limit")
        self._check_counter(seat)
        show = self._shown()
        self.deal.show()
        return self.close() + claims.too_late(self.setup, self._who(seat), show)

    def _hand(self, cards: str) -> list[Outcome]:
        """The cards of the hand shown next that were not played, in five-card cribbage."""
        self._check(SHOW)
        seat, rest, number = self.deal.turn, parse_cards(cards, "hand"), self.deal.not_named
        if number and len(rest) != number:
            held = f"{number_word(number)} card{'' if number == 1 else 's'}"
            raise RefereeError(f"{self.setup.names[seat]} has {held} left, and {cards_text(rest)} is {len(rest)}")
        game = self.deal.game
        assert game is not None  # noqa: S101 (it has been played)
        before = len(game.reneges)
        self.deal.name_rest(rest)
        reneges = [f for renege in game.reneges[before:] for f in self._reneged(*renege)]
        if not self.options.manual:
            return reneges + self._show()
        return [*reneges, Outcome(f"{self.setup.names[seat]}'s hand is {cards_text(self.deal.kept[seat])}.")]

    def _crib(self, cards: str) -> list[Outcome]:
        self._check(SHOW)
        if not cards and self.options.tournament and self.phase == "crib":
            self.deal.pass_over()
            return [*self.close(), Outcome("The crib is dead: it has the wrong number of cards.")]
        self.deal.lay_open(parse_cards(cards, "crib"))
        if not self.options.manual and self.deal.shows_crib:
            return self._show()
        return [*self.close(), Outcome(f"The crib is {cards_text(self.deal.crib)}.")]

    def _muggins(self, seat: int, points: int) -> list[Outcome]:
        if self.options.muggins and self.open_for < 0:
            raise RefereeError("there is nothing to call muggins on; it closes at the next card or count")
        who = self._who(seat)
        other = self._who(self.open_for) if self.open_for >= 0 else who
        claims.check_call(self.setup, who.side, other.side, points)
        call = claims.called(who, other, points, self.missed)
        if points <= self.missed:
            self.open_for, self.missed = -1, 0
        return [call]

    def _dead(self, seat: int) -> list[Outcome]:
        """A hand holds too many cards, found after the starter.

        The ACC's rule 4.4.d(9) of 2025, as it is quoted at https://reddit.com/r/Cribbage/comments/1mm1dgn for the pone:
        the play stops, its points are taken back, both hands and the crib are dead, and the same player deals again.

        The older text: the play ends with the dealer's last card, the pone's pegging is taken back and the hand is
        dead; the dealer counts the hand and, if its number of cards is right, the crib. It is quoted at
        http://cribbagecorner.com/node/42. The dealer's hand dies alike, but is played out:
        http://cribbagecorner.com/taxonomy/term/70.
        """
        if not self.may_be_dead(seat):
            raise RefereeError(
                "a hand is dead with the option tournament, between two players with their own cards, "
                "after the starter and before it is counted"
            )
        results = self.close()
        why = f"{self.setup.names[seat]} holds too many cards"
        if self.options.too_many == OLDER:
            self.dead.add(seat)
            return [*results, Outcome(f"{why}: the hand is dead."), *self.take_back(self.setup.side(seat), "play")]
        self.void = True
        dealer = self.setup.names[self.deal.dealer]
        results.append(Outcome(f"{why}: both hands and the crib are dead, and {dealer} deals again."))
        return results + [back for side in self.setup.sides for back in self.take_back(side, "play", "show")]

    def _dead_card(self, seat: int, card: str) -> list[Outcome]:
        """A card that a house rule takes out of the play, such as one held back at a go; it counts in its hand."""
        self._check(PLAY)
        if not self.deal.unseen:
            raise RefereeError("the program deals here, and plays or asks for every card")
        events = self.deal.leave_out(seat, parse_card(card))
        game = self.deal.game
        assert game is not None  # noqa: S101 (the play is on)
        results = [Outcome(f"{self.setup.names[seat]}'s {card_name(parse_card(card))} is dead, and is not played.")]
        return results + self._passed(game.passed) + [self._last(event) for event in events]

    def _note(self, name: str, results: list[Outcome]) -> None:
        pone = (self.deal.dealer + 1) % self.deal.players
        part = "starter" if name == "starter" else "show" if self.deal.has_shown(pone) else "play"
        for one in results:
            gained = gains(self.setup, one)
            self._gained += [(side, part, one.event[0], points) for side, points in gained.items()]

    def _if_alive(self, one: Outcome) -> Outcome:
        """A dead hand pegs nothing any more."""
        dead = one.event and one.event[0] in (PEG, GO) and one.event[1] in map(self.setup.side, self.dead)
        return Outcome(f"{one.text[:-1]}, which does not count: the hand is dead.") if dead else one

    def _pass_over_the_dead(self) -> None:
        deal, game = self.deal, self.deal.game
        pone = (deal.dealer + 1) % deal.players
        if deal.phase == PLAY and game and pone in self.dead and not game.hands[deal.dealer]:
            deal.end_play()
        while deal.phase == SHOW and not deal.shows_crib and deal.turn in self.dead:
            deal.pass_over()
        if self.open_for in self.dead:
            self.open_for, self.missed = -1, 0

    def close(self) -> list[Outcome]:
        """Nobody can call missed points any more."""
        seat, missed = self.open_for, self.missed
        self.open_for, self.missed, self.short = -1, 0, False
        if not missed:
            return []
        return [claims.uncalled(self.setup.names[seat], missed)]

    def _open(self, seat: int, claim: int, points: int) -> None:
        """Note how a claim compares, and with muggins that it can be called; one that is too high is announced."""
        self.short = claim < points
        if self.options.muggins and claim <= points:
            self.open_for, self.missed = seat, points - claim

    def counted_next(self) -> tuple[int, str, list[int]]:
        """(seat, "hand" or "crib", cards) of what is shown next; the cards of a crib may be unknown."""
        crib = self.deal.shows_crib
        seat = self.deal.turn
        return seat, "crib" if crib else "hand", self.deal.crib if crib else self.deal.kept[seat]

    def _shown(self) -> Show:
        _, kind, cards = self.counted_next()
        if not cards:
            raise RefereeError("the crib has not been turned over; type its cards first")
        if self.deal.not_named:
            raise RefereeError("the hand is not known; type the cards that were not played first")
        sizes = FIVE_CARD_SIZES if self.options.five_card else HAND_SIZES
        return count(cards, self.deal.starter, kind == "crib", sizes)

    def _who(self, seat: int) -> Claimant:
        return Claimant(self.setup.names[seat], self.setup.side(seat))

    def _last(self, event: Event) -> Outcome:
        seat, kind, points, _ = event
        what = "Go" if kind == "go" else "Last card"
        return outcome(f"{what}: one for {self.setup.names[seat]}.", GO, self.setup.side(seat), points)

    def _passed(self, seats: list[int]) -> list[Outcome]:
        return [Outcome(f"{self.setup.names[seat]} says go.") for seat in seats]

    def _reneged(self, seat: int, card: int, at: int) -> list[Outcome]:
        text = f"{self.setup.names[seat]} held {card_name(card)} when saying go at {number_word(at)}: a renege"
        side = self.setup.side(seat)
        if not self.options.renege:
            return [Outcome(f"{text}.")]
        penalty = f"{text}, {number_word(RENEGE_POINTS)} for {claims.others(self.setup, side)}."
        return [outcome(penalty, PENALTY, side, RENEGE_POINTS)]

    def _check(self, *phases: str) -> None:
        if self.deal.phase not in phases:
            wanted = {"discard": "discard first", "starter": "name the starter first", "play": "the play is on"}
            wanted.update(
                hand="name the cards that were not played first",
                crib="turn the crib over first",
                claim="the hands are counted now",
                show="the hands are shown now",
            )
            raise RefereeError(f"not now: {wanted.get(self.phase, 'the deal is over')}")

    def _check_counter(self, seat: int) -> None:
        turn, kind, _ = self.counted_next()
        if seat != turn:
            raise RefereeError(
                f"{self.setup.names[turn]} counts the {kind} now, not {self.setup.names[seat]}; count in turn"
            )
