"""Tables for tests of the referee: short to set up, and every act checked for being replayable."""

from __future__ import annotations

import json

from cribboard.referee.options import read_options
from cribboard.referee.outcomes import Act, Outcome
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard_core.cards import cards_text, parse_cards
from cribboard_core.match import Match

NAMES = ("Ann", "Bob", "Cleo", "Dev", "Eli", "Fay")


class Table:
    """A referee that is told acts in words; `said` is what the last one led to."""

    def __init__(
        self, options: str = "", *, players: int = 2, teams: int = 0, target: int = 121, dealer: int = 0, rev: int = 0
    ) -> None:
        places = tuple(range(players))
        self.setup = Setup(NAMES[:players], places, teams, target, read_options(options.split()))
        match = Match(target, self.setup.mask, self.setup.count)
        match.rev = rev
        self.base = pack_match(match)
        self.referee = Referee(self.setup, self.base)
        self.outcomes: list[Outcome] = []
        self.before: list[int] = []  # scores that a test looks back to
        self.act("new", dealer)

    @property
    def said(self) -> list[str]:
        return [outcome.text for outcome in self.outcomes]

    @property
    def events(self) -> list[tuple[int, ...]]:
        return [outcome.event for outcome in self.outcomes if outcome.event]

    @property
    def commands(self) -> list[tuple[object, ...]]:
        return [outcome.command for outcome in self.outcomes if outcome.command]

    @property
    def scores(self) -> list[int]:
        return list(self.referee.pegs.scores)

    def act(self, *act: object) -> list[Outcome]:
        self.outcomes = self.referee.act(list(act))
        return self.outcomes

    def deal(self, starter: str = "9D") -> None:
        """Real cards are dealt, and the starter is turned up."""
        self.act("deal", None)
        self.act("starter", starter)

    def lay(self, *moves: str) -> list[str]:
        """Lay down cards, `5H` by whose turn it is, `5H 2` with a claim, or `go`; gives all that is said."""
        said = []
        for move in moves:
            game = self.referee.table.round.deal.game  # type: ignore[union-attr]
            card, *claim = move.split()
            act: Act = ["go", game.turn] if card == "go" else ["play", game.turn, card, *map(int, claim)]  # type: ignore[union-attr]
            self.act(*act)
            said += self.said
        return said

    def play_out(self, pone: str, dealer: str) -> None:
        """Two players lay all their cards, four each; whoever cannot says go."""
        hands = {self.referee.table.dealer: parse_cards(dealer), 1 - self.referee.table.dealer: parse_cards(pone)}
        while self.referee.table.round.deal.phase == "play":  # type: ignore[union-attr]
            game = self.referee.table.round.deal.game  # type: ignore[union-attr]
            fits = [card for card in hands[game.turn] if game.count + min(10, (card >> 2) + 1) <= 31]  # type: ignore[union-attr]
            if fits:
                hands[game.turn].remove(fits[0])  # type: ignore[union-attr]
                self.lay(cards_text(fits[:1]))
            else:
                self.lay("go")

    def refused(self, *act: object) -> str:
        """Why an act is refused, after checking that it has changed nothing."""
        before = fingerprint(self.referee)
        try:
            self.referee.act(list(act))
        except ValueError as error:
            assert fingerprint(self.referee) == before
            return str(error)
        raise AssertionError(f"{act} was not refused")

    def replayed(self) -> Referee:
        """The same from its acts as they stand in a file."""
        head = json.loads(json.dumps([self.setup.to_json(), list(self.base)]))
        acts = json.loads(json.dumps(self.referee.acts))
        return Referee.replay(Setup.from_json(head[0]), tuple(head[1]), acts)


def fingerprint(referee: Referee) -> object:
    """All that a referee knows, as text."""
    from cribboard.referee.state import state

    round_ = referee.table.round
    cards = [round_.deal.hands, round_.deal.crib, round_.deal.kept, round_.open_for, round_.missed] if round_ else []
    game = [round_.deal.game.rows, round_.deal.game.reneges] if round_ and round_.deal.game else []
    events = [pegged.event for pegged in referee.pegs.events]
    return json.dumps([state(referee), cards, game, events, referee.match.play.now.hex(), referee.undoable()])
