"""The referee: a game as the fold of its acts, and the points that fall as the board's own events.

An act is a small JSON list, like `["play", 1, "5H"]`. What it pegs is folded into a match as the board folds it, and
each event remembers the act that made it, so that undo takes back an act with all that it pegged. Things that happen
on the board alone come in as acts too. Points stop at the win.

    cut cards               one card of each seat; the lowest deals
    new seat                a game that this seat deals first
    deal pack               the next deal; null when the table deals its own cards
    discard seat cards      to the crib, when the program deals
    starter card
    play seat card [points] the points claimed, when players count
    go seat                 for a hand that is not known
    hand cards              the cards of the hand counted next that were not played (five-card cribbage)
    show                    count what is next, when the program counts
    claim seat points       the points claimed for it, when players count
    crib cards              lay a crib open that is not known
    timeout seat            the time to claim is over
    muggins seat points     call points that were missed
    dealer seat             this seat should have dealt, not the one that has
    dead seat               its hand holds too many cards; `crib` without cards is a dead crib
    dead_card seat card     this card is not played, by a house rule
    misdeal, steal seat, penalty seat points back, false seat true_score, set seat front back
    undo                    take back the newest act, or what happened on the board after it; cards that the program
                            has dealt come again, so that nobody deals himself better ones
    board kind side a b c   an event of the board's own
    order k rows            of the events pegged last, the last k came to these rows [whose, kind, side, a, b, c] on the
                            board: 0 is the board's own, 1 the act's, 2 the act's but still to be pegged
    base rev game packed journal
                            the pegs as they are now on the board; what was before cannot be taken back
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cribboard.referee.cards import Table
from cribboard.referee.outcomes import Act, Outcome, RefereeError, exact
from cribboard.referee.pegs import Base, Pegged, Pegs, unpack_match
from cribboard.referee.setup import Setup
from cribboard_core.cards import quote
from cribboard_core.events import RESTORE
from cribboard_core.match import Match

OWN_ACTS = {"undo": 0, "board": 5, "order": 2, "base": 4}  # with how many arguments; the others are the table's
CHANCE = ("cut", "deal", "starter")  # what the program draws from its pack


@dataclass(frozen=True)
class Live:
    """An act of the cards that has not been taken back."""

    number: int
    act: Act
    text: str
    short: bool  # it claimed too little
    won: int  # the side that had won the game before, when the act has begun another, else -1
    open_for: int  # the seat on which muggins could be called before the act, else -1
    after_win: bool  # the game was won before it


class History:
    """The acts of the cards that stand, and what stays as it was although its act was taken back.

    Cards that the program has dealt come again when their deal is taken back, and nobody can call what he was told.
    `live` has the newest act last; `dealt` says that the program deals.
    """

    def __init__(self, dealt: bool) -> None:
        self.live: list[Live] = []
        self._announced: set[int] = set()  # claims of which all have heard what was missed
        self._dealt = dealt
        self._drawn: dict[tuple[str, int], Act] = {}
        self._won: list[int] = []  # of games that cannot come back
        self._deals = 0  # of those games

    def add(self, live: Live, announced: bool) -> None:
        """An act is done; `announced` says that it closed the newest claim, and that what was missed was told."""
        if announced:
            self._announced.add(self._claim())
        if self._dealt and live.act[0] in CHANCE:
            self._drawn[self._place(live.act[0])] = live.act
        self.live.append(live)

    def again(self, name: str) -> Act | None:
        """The cut, deal or starter that the program drew at this place of the game before it was taken back."""
        return self._drawn.get(self._place(name))

    def is_announced(self) -> bool:
        """Whether all have heard what the newest claim missed, although that was taken back."""
        return self._claim() in self._announced

    def winners(self) -> list[int]:
        """The sides that won the games before this one."""
        return self._won + [live.won for live in self.live if live.won >= 0]

    def forget(self, won: int) -> None:
        """The games before cannot come back, the last of which this side won; only who won them is kept."""
        self._won = [*self.winners(), won]
        self._deals += sum(live.act[0] == "deal" for live in self.live)
        self.live.clear()

    def _claim(self) -> int:
        return next((live.number for live in reversed(self.live) if live.act[0] in ("play", "claim")), -1)

    def _place(self, name: str) -> tuple[str, int]:
        before = "cut" if name == "cut" else "deal"
        return name, self._deals + sum(live.act[0] == before for live in self.live)


class Referee:
    """A game being refereed. `base` is the board's match before it, as `pack_match` gives it.

    `pegs` holds the pegs, `table` the cards; `said` is what was said last.
    """

    def __init__(self, setup: Setup, base: Base) -> None:
        self.setup = setup
        self.acts: list[Act] = []
        self.said: list[str] = []
        self.table = Table(setup)
        self.pegs = Pegs(base)
        self._history = History(setup.dealt)
        self._floor = 0  # acts below it cannot be taken back

    @classmethod
    def replay(cls, setup: Setup, base: Base, acts: Iterable[Act]) -> Referee:
        """The referee after these acts, exactly as it was; raises ValueError when they cannot have happened."""
        referee = cls(setup, base)
        for act in acts:
            referee.act(act)
        return referee

    @property
    def match(self) -> Match:
        """The match as the board has it, or will have it once it has heard of everything."""
        return self.pegs.match

    @property
    def begun(self) -> bool:
        """Whether a game has begun and is still the board's."""
        return self.pegs.begun

    @property
    def winners(self) -> list[int]:
        """The sides that have won the games of this evening, one after the other, this one too once it is won."""
        return self._history.winners() + ([self.match.winner] if self.phase == "won" else [])

    @property
    def board_dealer(self) -> int:
        """The seat that deals on the board when the cards say another, else -1."""
        if self.phase in ("cut", "won", "left"):
            return -1
        seat = self.setup.places.index(self.match.dealer)
        right = (self.table.dealer, self.table.due) if self.phase == "deal" else (self.table.dealer,)
        return -1 if seat in right else seat

    @property
    def phase(self) -> str:
        """cut, deal, discard, starter, play, show, claim, crib; won; or left when the board has another game."""
        if self.pegs.game >= 0 and not self.begun:
            return "left"
        return "won" if self.begun and self.match.winner >= 0 else self.table.phase

    def act(self, act: Act) -> list[Outcome]:
        """Do an act and give what it leads to; raises ValueError, and changes nothing, when it cannot be."""
        if not isinstance(act, list) or not act or not isinstance(act[0], str):
            raise RefereeError(f"{quote(act)} is not an act")
        number = len(self.acts)
        if len(act) - 1 == OWN_ACTS.get(act[0]):
            outcomes: list[Outcome] = getattr(self, "_" + act[0])(number, *act[1:])
        else:
            outcomes = self._play(number, act)
        self.acts.append(act)
        said = [outcome.text for outcome in outcomes if outcome.text]
        self.said = said or self.said
        return outcomes

    def next_dealer(self) -> int:
        """The seat that deals the next game first."""
        if self.setup.options.alternate:
            first = next(live.act for live in reversed(self._history.live) if live.act[0] in ("cut", "new"))
            return (self._first_of(first) + 1) % self.setup.players
        return self.setup.places.index(self.match.next_dealer())

    def undoable(self) -> list[tuple[bool, Act, int, bool]]:
        """What undo would take back, one after the other.

        Each is (whether it happened on the board alone, the act, the seat on which muggins could be called then or -1,
        whether the game was won then).
        """
        steps: list[tuple[bool, Act, int, bool]] = [(True, ["board"], -1, False)] if self._newest()[0] else []
        for live in reversed(self._history.live):
            if not self._can_go(live) or self._stands(live):
                break
            steps.append((False, live.act, live.open_for, live.after_win))
        return steps

    def standing(self) -> list[int]:
        """The numbers of the acts of the cards that stand."""
        return [live.number for live in self._history.live]

    def newest(self) -> str:
        """What undo would take back, in words; empty when there is nothing."""
        on_board, live = self._newest()
        if on_board:
            return "what happened on the board"
        return live.text if live else ""

    def again(self, name: str) -> Act | None:
        """The cut, deal or starter of the program that was taken back here, which is to come again; or None."""
        return self._history.again(name)

    def _play(self, number: int, act: Act) -> list[Outcome]:
        if self.phase == "left":
            raise RefereeError("the board has started another game")
        if act[0] == "new" and self.phase not in ("cut", "won"):
            raise RefereeError("this game is not over")
        first = ("new", "cut") if self.setup.options.cut_each_game else ("new",)
        if act[0] not in (*first, "false", "set") and self.phase == "won":
            raise RefereeError("the game is won; undo, a new game, set or a false claim are left")
        again = self.again(act[0]) if act[0] in CHANCE else None
        if again and act != again and None not in act:
            raise RefereeError(f"the {act[0]} was taken back, so the same cards come again")
        if act[0] == "cut" and "cut" in first and self.phase not in ("cut", "won"):
            raise RefereeError("cards are cut for the deal before a game")
        after_win = self.phase == "won"
        before = self.match.winner if act[0] in first and after_win else -1
        open_for = self.table.round.open_for if self.table.round else -1
        outcomes = self._peg(number, self.table.act(act))
        won = before if self.match.winner < 0 else -1  # a tie at the cut begins no game
        round_ = self.table.round
        short = act[0] in ("play", "claim") and round_ is not None and round_.short
        text = next((outcome.text for outcome in outcomes if outcome.text and not outcome.notice), act[0])
        live = Live(number, act, text, short, won, open_for, after_win)
        self._history.add(live, any(outcome.notice for outcome in outcomes))
        return outcomes

    def _peg(self, number: int, given: list[Outcome]) -> list[Outcome]:
        """Fold the events, up to the win."""
        outcomes: list[Outcome] = []
        for outcome in [kept for one in given for kept in self._pegged(one)]:
            if outcomes and self.match.winner >= 0:
                break
            if outcome.event:
                self.pegs.fold(Pegged(outcome.event, outcome.command, number))
                outcome = replace(outcome, scores=self.pegs.scores)
            outcomes.append(outcome)
        return outcomes

    def _pegged(self, outcome: Outcome) -> list[Outcome]:
        return exact(outcome, self.setup, self.match) if self.setup.options.exact else [outcome]

    def _newest(self) -> tuple[bool, Live | None]:
        """Whether the newest thing happened on the board alone, and the newest act of the cards that can go back."""
        live = self._history.live[-1] if self._history.live else None
        on_board = self.pegs.newest > (live.number if live else -1)
        return on_board, live if live and self._can_go(live) else None

    def _can_go(self, live: Live) -> bool:
        return live.number >= self._floor

    def _stands(self, live: Live) -> bool:
        """Whether too little was claimed, which a tournament does not let anybody mend."""
        return live.short and self.setup.options.tournament

    def _undo(self, number: int) -> list[Outcome]:
        if self.phase == "left":
            raise RefereeError("the board has started another game")
        on_board, live = self._newest()
        if on_board:
            return [self.pegs.step_back(number, "Taken back: what happened on the board.")]
        if live is None:
            raise RefereeError("there is nothing to take back in this game")
        if self._stands(live):
            raise RefereeError("too little was claimed, and that stands: the option tournament is on")
        self._history.live.pop()
        outcomes: list[Outcome] = []
        text, game = f"Taken back: {live.text}", self.pegs.game
        while self.pegs.newest == live.number:
            outcomes.append(self.pegs.step_back(number, text if not outcomes else ""))
        if live.won >= 0 and self.pegs.game == game:  # the board keeps a won game until a score of the next one
            self._history.forget(live.won)
        self._lay_out()
        return outcomes or [Outcome(text)]

    def _lay_out(self) -> None:
        """The cards as the acts that live have left them."""
        self.table = Table(self.setup)
        for live in self._history.live:
            self.table.act(live.act)
        # The claim stands again as the newest, but all have heard what it missed.
        if self.table.round and self._history.is_announced():
            self.table.round.close()

    def _board(self, number: int, *event: int) -> list[Outcome]:
        if not all(type(item) is int for item in event) or event[0] == RESTORE:
            raise RefereeError(f"{quote(list(event))} is not an event of the board")
        self.pegs.fold(Pegged(event, (), number))
        return []

    def _order(self, number: int, last: int, rows: list[list[int]]) -> list[Outcome]:
        whole = isinstance(rows, list) and all(isinstance(row, list) and len(row) == 6 for row in rows)
        if not whole or not all(type(item) is int for item in [last, *[item for row in rows for item in row]]):
            raise RefereeError(f"{quote(rows)} are not rows of the board")
        self.pegs.reorder(number, last, rows)
        return []

    def _base(self, number: int, *base: object) -> list[Outcome]:
        rev, game, packed, journal = base
        if type(rev) is not int or type(game) is not int or type(packed) is not str or type(journal) is not int:
            raise RefereeError(f"{quote(list(base))} is not a base")
        match = unpack_match((rev, game, packed, journal))
        setup = self.setup
        if (match.target, match.play.mask, len(match.sides)) != (setup.target, setup.mask, setup.count):
            raise RefereeError("the board's game has other players or another target")
        self.pegs.rebase((rev, game, packed, journal))
        self._floor = number
        return []

    def _first_of(self, act: Act) -> int:
        table = Table(self.setup)
        table.act(act)
        return table.dealer
