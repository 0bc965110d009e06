"""The cards' side of a game: who deals, and one round after the other; the same acts always make the same table."""

from __future__ import annotations

from cribboard.referee.outcomes import Act, Outcome, RefereeError, outcome
from cribboard.referee.round import Round
from cribboard.referee.setup import Setup
from cribboard_core.aloud import number_word
from cribboard_core.cards import card_name, parse_cards, quote
from cribboard_core.deal import OVER, first_dealer
from cribboard_core.events import DEAL, FALSE, MOST_POINTS, PEG, PENALTY, SET

ROUND_ACTS = (
    *("discard", "starter", "play", "go", "hand", "show", "claim", "timeout", "crib", "muggins"),
    *("dead", "dead_card"),
)
# Encyclopaedia Britannica, 9th edition, "Cribbage": at the five-card game the non-dealer scores three for last, once.
THREE_FOR_LAST = 3
CORRECTIONS = ("penalty", "false", "set")  # of the score, whatever the cards
ACTS = {
    "cut": ("cards",),
    "new": ("seat",),
    "deal": ("pack",),
    "misdeal": (),
    "dealer": ("seat",),
    "dead": ("seat",),
    "dead_card": ("seat", "cards"),
    "steal": ("seat",),
    "penalty": ("seat", "points", "back"),
    "false": ("seat", "hole"),
    "set": ("seat", "hole", "hole"),
    "discard": ("seat", "cards"),
    "starter": ("cards",),
    "play": ("seat", "cards", "points"),  # the points only when they are claimed
    "go": ("seat",),
    "hand": ("cards",),
    "show": (),
    "claim": ("seat", "points"),
    "timeout": ("seat",),
    "crib": ("cards",),
    "muggins": ("seat", "points"),
}


class Table:
    """`dealer` is a seat, -1 until it is known; `round` the deal that is on, if any; `deals` how many there were."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.dealer = -1
        self.deals = 0
        self.round: Round | None = None
        self._due = -1  # the seat that deals next, when the order is broken

    @property
    def due(self) -> int:
        """The seat that deals next."""
        if self._due >= 0:
            return self._due
        return self.dealer if not self.deals else (self.dealer + 1) % self.setup.players

    @property
    def phase(self) -> str:
        """cut, deal, or that of the round."""
        if self.dealer < 0:
            return "cut"
        if self.round is None or self.round.deal.phase == OVER:
            return "deal"
        return self.round.phase

    def act(self, act: Act) -> list[Outcome]:
        """Do an act; raises ValueError, after which the table is no good any more."""
        name, *args = act
        wanted = ACTS.get(name)
        if wanted is None or len(args) not in (len(wanted), len(wanted) - (name == "play")):
            raise RefereeError(f"there is no act {quote(act)}")
        for kind, value in zip(wanted, args, strict=False):
            self._check(kind, value)
        if name in ROUND_ACTS:
            if self.round is None:
                raise RefereeError("no cards are dealt" if self.dealer >= 0 else "cut for the deal first")
            done = self.round.act(name, args)
            if self.round.void:
                self._void(self.dealer)
            return done
        if self.dealer < 0 and name in CORRECTIONS:
            raise RefereeError("cut for the deal first")  # the pegs on the board are still another game's
        outcomes: list[Outcome] = getattr(self, "_" + name)(*args)
        return outcomes

    def _cut(self, cards: str) -> list[Outcome]:
        if self.dealer >= 0 and not self.setup.options.cut_each_game:
            raise RefereeError("the dealer is known; cards are cut for the deal only at the start")
        cuts = parse_cards(cards, "cut for deal")
        if len(cuts) != self.setup.players:
            such_as = " ".join(("9H", "2C", "TD", "5S", "KH", "4C")[: self.setup.players])
            many = number_word(self.setup.players)
            raise RefereeError(f"each player cuts a card: type {many} cards, like {such_as}")
        dealer = first_dealer(cuts)
        said = ", ".join(f"{name} {card_name(card)}" for name, card in zip(self.setup.names, cuts, strict=True))
        if dealer < 0:
            return [Outcome(f"{said}: a tie for the lowest; cut again.")]
        return self._begun(dealer, f"{self.setup.names[dealer]} cuts the lowest card and deals first.")

    def _new(self, dealer: int) -> list[Outcome]:
        return self._begun(dealer, f"New game to {self.setup.target}: {self.setup.names[dealer]} deals first.")

    def _begun(self, dealer: int, text: str) -> list[Outcome]:
        """A game begins, for some sides perhaps with points."""
        self.dealer = dealer
        self.deals = 0
        self.round = None
        self._due = -1
        starts = zip(self.setup.sides, self.setup.starts, strict=False)
        begun = Outcome(text, self.setup.new(dealer), self.setup.new_command(dealer))
        outcomes = [begun, *[self._pegs(side, points, 0, "starts at") for side, points in starts if points]]
        if self.setup.options.five_card:
            pone = (dealer + 1) % self.setup.players
            side = self.setup.side(pone)
            text = f"Three for last: {self.setup.names[pone]}, who deals second, begins with three."
            outcomes.append(outcome(text, PEG, side, THREE_FOR_LAST))
        return outcomes

    def _deal(self, pack: str | None) -> list[Outcome]:
        if self.phase != "deal":
            raise RefereeError("cut for the deal first" if self.dealer < 0 else "this deal is not over")
        if (pack is not None) != self.setup.dealt:
            raise RefereeError("the program deals here" if self.setup.dealt else "the table deals its own cards here")
        cards = None if pack is None else parse_cards(pack, "pack")
        dealer = self.due
        fresh = Round(self.setup, dealer, cards)
        outcomes = self.round.close() if self.round else []
        passes = dealer != self.dealer
        self.dealer, self.round, self._due = dealer, fresh, -1
        self.deals += 1
        text = f"Deal {self.deals}: {self.setup.names[dealer]} deals."
        return [*outcomes, outcome(text, DEAL, self.setup.places[dealer]) if passes else Outcome(text)]

    def _misdeal(self) -> list[Outcome]:
        if self.setup.dealt:
            raise RefereeError("the program deals here and never misdeals")
        if self.phase != "starter":
            raise RefereeError("a misdeal is called after the deal and before the starter; undo goes back there")
        side, points = self.setup.side(self.dealer), self.setup.options.misdeal
        self._void((self.dealer + self.setup.options.forfeit) % self.setup.players)
        text = f"Misdeal: {self.setup.names[self.due]} deals{'' if self.setup.options.forfeit else ' again'}"
        if not points:
            return [Outcome(f"{text}.")]
        return [outcome(f"{text}, and every other side pegs {points}.", PENALTY, side, points)]

    def _dealer(self, seat: int) -> list[Outcome]:
        """Another seat should have dealt, which counts until all have played a card."""
        if self.setup.dealt or self.phase in ("cut", "deal"):
            raise RefereeError("a deal out of turn is called while the table's own cards are dealt or played")
        wrong, right = self.setup.names[self.dealer], self.setup.names[seat]
        if seat == self.dealer:
            raise RefereeError(f"{right} has dealt; name who should have")
        assert self.round is not None  # noqa: S101 (the phase is one of a round)
        game = self.round.deal.game
        if game and len({row[0] for row in game.rows}) == self.setup.players:
            self._due = seat
            return [Outcome(f"All have played a card, so the deal of {wrong} stands: {right} deals next.")]
        outcomes = [
            *self.round.close(),
            Outcome(f"{wrong} has dealt out of turn: the deal is void, and {right} deals."),
        ]
        outcomes += [back for side in self.setup.sides for back in self.round.take_back(side, "starter", "play")]
        self._void(seat)
        return outcomes

    def _void(self, dealer: int) -> None:
        """The deal does not count; another follows."""
        self.round = None
        self._due = dealer
        self.deals -= 1

    def _steal(self, seat: int) -> list[Outcome]:
        if not self.setup.options.steal:
            raise RefereeError("stealing the deal is not played here; it is the option steal")
        if self.setup.dealt or self.phase not in ("deal", "starter"):
            raise RefereeError("a deal is stolen before the starter is turned up, and with the table's own cards")
        due = self.due if self.phase == "deal" else self.dealer
        if seat == due:
            raise RefereeError(f"{self.setup.names[seat]} is the dealer; there is nothing to steal")
        self.deals += self.phase == "deal"
        outcomes = self.round.close() if self.round else []
        changed = seat != self.dealer
        self.dealer, self.round, self._due = seat, Round(self.setup, seat, None), -1
        text = f"{self.setup.names[seat]} has stolen the deal; the crib is {self.setup.names[seat]}'s."
        return [*outcomes, outcome(text, DEAL, self.setup.places[seat]) if changed else Outcome(text)]

    def _penalty(self, seat: int, points: int, back: int) -> list[Outcome]:
        side = self.setup.side(seat)
        whose = self.setup.side_name(side)
        text = f"Penalty: {whose} back {points}." if back else f"Penalty for {whose}: {points} for every other side."
        return [outcome(text, PENALTY, side, points, int(bool(back)))]

    def _false(self, seat: int, score: int) -> list[Outcome]:
        side = self.setup.side(seat)
        text = f"A false claim of game: the true score of {self.setup.side_name(side)} is {score}."
        return [outcome(text, FALSE, side, score)]

    def _set(self, seat: int, front: int, back: int) -> list[Outcome]:
        return [self._pegs(self.setup.side(seat), front, back, "set to")]

    def _pegs(self, side: int, front: int, back: int, what: str) -> Outcome:
        return outcome(f"{self.setup.side_name(side)}: {what} {front}.", SET, side, front, back)

    def _check(self, kind: str, value: object) -> None:
        """Refuse a part of an act that is not of its kind."""
        if kind == "seat" and (type(value) is not int or not 0 <= value < self.setup.players):
            raise RefereeError(f"there is no seat {quote(value)}; the seats are 0 to {self.setup.players - 1}")
        if kind == "points" and (type(value) is not int or not 0 <= value <= MOST_POINTS):
            raise RefereeError(f"{quote(value)} points cannot be; one score is 0 to {MOST_POINTS}")
        if kind == "hole" and (type(value) is not int or not 0 <= value <= self.setup.target):
            raise RefereeError(f"{quote(value)} is not a hole here; the track goes from 0 to {self.setup.target}")
        if kind == "back" and value not in (0, 1):
            raise RefereeError(f"{quote(value)} is not 0 (the others peg) or 1 (the offender goes back)")
        if kind == "pack" and value is None:
            return
        if kind in ("cards", "pack") and not isinstance(value, str):
            raise RefereeError(f"{quote(value)} is not text; cards are written like 5H 6C")
