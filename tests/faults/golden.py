"""The same game at the terminal and on phones, compared step by step: python -m faults.golden --games 720 --seed 1

(in the folder tests). Each game has a seed, from which its players, house rules, cards, claims, mistakes and undos
come. Every act is done by the referee of `cribboard play` on one board, and by the phones that its players hold on
another one; both boards are the firmware. After each act both must have the same pegs, dealer, winner, turn and open
claim, or have refused it alike. What is to differ is in `INTENDED`, each with its reason.
"""

from __future__ import annotations

import argparse
import copy
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from faults.ends import SCRATCH
from rigs import wired
from service.room import Room

from cribboard.board.client import Board
from cribboard.playing.session import Session
from cribboard.referee.options import Options
from cribboard.referee.outcomes import Act
from cribboard.referee.setup import Setup
from cribboard.referee.state import may_say_go, overdue, turn_of
from cribboard.referee.timer import Timer
from cribboard.service.orders import OrderError
from cribboard_core.cards import PIPS, card_name, cards_text, parse_card
from cribboard_core.events import GO, NIBS
from cribboard_core.pile import LIMIT, pile_points
from cribboard_core.play import HIGHEST
from cribboard_core.show import count

NAMES = ("Ann", "Bob", "Cleo", "Dev", "Eli", "Fay")
TABLES = ((2, 0), (2, 0), (3, 0), (4, 0), (4, 2), (5, 0), (6, 0), (6, 2), (6, 3))
RULES: tuple[dict[str, Any], ...] = (
    {},
    {"counting": "manual"},
    {"counting": "manual", "nineteen": True},
    {"counting": "manual", "overcount": True},
    {"counting": "manual", "muggins": True},
    {"counting": "manual", "muggins": True, "overcount": True},
    {"counting": "manual", "tournament": True},
    {"counting": "manual", "muggins": True, "tournament": True, "overcount": True},
    {"counting": "manual", "time_limit": 30},
    {"counting": "manual", "muggins": True, "time_limit": 30, "tournament": True},
    {"playroom": True},
    {"playroom": True, "time_limit": 60},
)
MOST_ACTS = 220
APART_S = 20.0  # between two acts, so that no score looks doubled


@dataclass(frozen=True)
class Stand:
    """How one of the two has it after an act; None for what it does not know."""

    refused: bool
    fronts: tuple[int, ...]
    backs: tuple[int, ...]
    dealer: int
    winner: int
    turn: int  # the side to play or to count, -1 for none
    open: int  # the side whose claim can be called


@dataclass(frozen=True)
class Step:
    """One act, and how both stand after it."""

    seed: int
    number: int
    act: Act
    terminal: Stand
    phones: Stand
    why: str  # what the one that has refused it says
    gone: frozenset[int]  # sides that have said go in this count
    may_go: bool  # whether the player to play could have said go before it
    took_card: bool  # whether a card without points was taken back on phones in this game
    crib_back: bool  # whether the crib was laid open and taken back in this deal
    unpaid: bool  # whether the one for a go was claimed with what may be a last card, and was not paid
    unpaid_open: bool  # whether the claim of such a card was the newest
    kind: str  # of what was to be counted before it: hand or crib
    phase: str
    setup: Setup
    mistake: str

    def apart(self) -> list[str]:
        """The fields that differ."""
        return [name for name in Stand.__annotations__ if getattr(self.terminal, name) != getattr(self.phones, name)]

    def __str__(self) -> str:
        mine = [
            f"{name}: terminal {getattr(self.terminal, name)}, phones {getattr(self.phones, name)}"
            for name in self.apart()
        ]
        return f"game {self.seed}, act {self.number} {self.act} {self.mistake}: {'; '.join(mine)} ({self.why})"


@dataclass(frozen=True)
class Difference:
    """A difference that is to be: in which fields, and when."""

    name: str
    reason: str
    fields: frozenset[str]
    when: Callable[[Step], bool]

    def explains(self, step: Step, name: str) -> bool:
        return name in self.fields and self.when(step)


def partners(step: Step) -> bool:
    """Whether several players share a side."""
    return step.setup.count < step.setup.players


PEGS = frozenset({"fronts", "backs", "dealer", "winner"})
ALL = PEGS | {"refused", "turn", "open"}

INTENDED = (
    Difference(
        "go",
        "a go is only shown on phones, so until the next card whoever says it is still to play there",
        frozenset({"turn"}),
        lambda step: bool(step.gone),
    ),
    Difference(
        "unsaid go",
        "a card out of turn is taken on phones when whoever was to play may have said go",
        ALL,
        lambda step: step.mistake == "out of turn" and step.act[0] == "play" and step.may_go,
    ),
    Difference(
        "partner",
        "phones do not say which partner has played a card, so a card out of turn may be the other one's",
        ALL,
        lambda step: partners(step) and step.mistake == "out of turn",
    ),
    Difference(
        "partner's turn",
        "phones do not say which partner has played a card, so after a go it is not sure who is to play",
        frozenset({"turn"}),
        lambda step: partners(step) and step.phase == "play",
    ),
    Difference(
        "one for go",
        "whether a go is paid with a player's last card is not known on phones, nor which partner has laid it, so its"
        " one may be claimed there",
        ALL,
        lambda step: step.unpaid,
    ),
    Difference(
        "one for go, until the next card",
        "with muggins that card can be called until the next one, and is an overclaim at the terminal",
        frozenset({"open"}),
        lambda step: step.unpaid_open and step.setup.options.muggins,
    ),
    Difference(
        "crib laid open",
        "phones lay the crib open and count it at once; at the terminal it is laid open first, which ends the call",
        frozenset({"open"}),
        lambda step: step.kind == "crib" or (step.act == ["undo"] and step.phase == "claim"),
    ),
    Difference(
        "crib taken back",
        "at the terminal a crib that is laid open can be taken back, and undo gives all the time again; phones count it"
        " at once, so there is nothing to take back",
        ALL,
        lambda step: step.crib_back and step.kind == "crib" and bool(step.setup.options.time_limit),
    ),
)


class Terminal:
    """The referee of `cribboard play` at a board."""

    def __init__(self, folder: Path, setup: Setup, clock: Callable[[], float]) -> None:
        self._wired = wired.Table(folder)
        self.session = Session.begin(self._wired.board().open(), setup, folder)
        self.referee = self.session.referee
        self.timer = Timer(clock)

    @property
    def board(self) -> Board:
        return self.session.board

    def stand(self, refused: bool) -> Stand:
        """How the board stands, and whose turn it is."""
        round_, setup = self.referee.table.round, self.referee.setup
        seat = turn_of(self.referee)
        opened = round_.open_for if round_ and self.referee.phase != "won" else -1
        sides = (seat if seat < 0 else setup.side(seat)), (opened if opened < 0 else setup.side(opened))
        return stand(self.board, refused, *sides)


class Phones:
    """The phones of a table; each player has one, which orders what that player does."""

    def __init__(self, folder: Path, setup: Setup) -> None:
        self.room = Room(folder)
        self.setup = setup
        self.sent: list[tuple[dict[str, Any], str]] = []  # the orders of the newest act
        self.units: list[str] = []  # what the newest act did, for its undo: an event, or what moved no peg
        self.why = ""

    def order(self, seat: int, do: str, **fields: Any) -> None:
        """An order of a player's phone that has seen all; raises OrderError."""
        order = {"do": do, "key": self.room.key(), "seen": self.room.rev, **fields}
        self.sent.append((order, f"phone {seat}"))
        before = self.room.rev
        self._send(*self.sent[-1])
        self.units += ["event"] * (self.room.rev - before)

    def late(self, other: bool) -> None:
        """The orders of the newest act come once more: again, or from somebody who has not seen them."""
        for order, by in list(self.sent):
            if other and "seen" in order:
                order, by = {**order, "key": self.room.key(), "again": False}, "a late phone"
            try:
                self._send(order, by)
            except OrderError as error:
                self.why = str(error)

    def take_back(self, units: list[str]) -> None:
        """Undo what an act did, the newest first; raises OrderError."""
        for unit in reversed(units):
            kind, _, card = unit.partition(" ")
            if kind == "event":
                self._undo_one()
            elif kind == "card":
                self.order(0, "unplay", card=card)
            elif kind == "starter":
                self.order(0, "starter", card=None)
            elif kind == "claim":
                self.order(0, "unclaim", side=int(card))

    def _undo_one(self) -> None:
        step, _ = self.room.table.at_hand()
        if step is None:
            raise OrderError("nothing", "there is nothing to undo")
        by = self.room.table.author(step.rev) or "phone 0"
        self._send({"do": "undo", "key": self.room.key(), "seen": self.room.rev, "rev": step.rev}, by)

    def _send(self, order: dict[str, Any], by: str) -> None:
        fields = {name: value for name, value in order.items() if value is not None or name == "card"}
        self.room.do(fields.pop("do"), by, **fields)

    def stand(self, refused: bool, *, playing: bool) -> Stand:
        """How the board stands, and whose turn the cards say it is."""
        table = self.room.table
        cards = table.deal.now
        turn = table.course().turn if playing else -1
        if playing and turn < 0:
            turn, _ = table.counts_next(cards) or (-1, False)
        return stand(self.room.board, refused, turn, table.open.side if table.open else -1)


def stand(board: Board, refused: bool, turn: int, opened: int) -> Stand:
    """What both boards have, beside what the rules know."""
    match = board.match
    fronts, backs = (tuple(one(side) for side in match.sides) for one in (match.front, match.back))
    return Stand(refused, fronts, backs, match.dealer, match.winner, turn, opened)


class Game:
    """One seeded game in both; `steps` are its acts."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.seed = seed
        self.chance = random.Random(seed)
        players, teams = self.chance.choice(TABLES)
        rules = self.chance.choice([one for one in RULES if not (teams and "time_limit" in one)])
        self.setup = Setup(NAMES[:players], tuple(range(players)), teams, 61, Options(**rules))
        self.rules = rules
        self.phones = Phones(folder / "phones", self.setup)
        self.terminal = Terminal(folder / "terminal", self.setup, lambda: self.phones.room.now)
        self.referee = self.terminal.referee
        self.units: list[list[str]] = []  # of the acts that stand
        self.unpaid: list[bool] = []  # of the same acts: whether the newest claim was an unpaid one for a go
        self.number = 0
        self.gone: set[int] = set()
        self.mistake = ""
        self.took_card = self.parted = self.crib_back = False

    def __enter__(self) -> Game:
        return self

    def __exit__(self, *_: object) -> None:
        self.terminal.session.close()
        self.terminal.board.close()
        self.phones.room.board.close()

    def steps(self) -> Any:
        """Play, and give each step."""
        for self.number in range(MOST_ACTS):
            if len(self.referee.winners) > 1:
                return
            step = self.step()
            yield step
            if self.parted or (
                not step.terminal.refused and set(step.apart()) & {"fronts", "backs", "dealer", "winner"}
            ):
                return

    def step(self) -> Step:
        """One act."""
        self.mistake = ""
        act = self.chosen()
        self.phones.room.now += 5.0
        limit = self.setup.options.time_limit
        if limit and self.chance.random() < 0.1:
            self.phones.room.now += limit
        if late := overdue(self.referee, self.terminal.timer):
            act, self.mistake = late, ""
        phase, round_ = self.referee.phase, self.referee.table.round
        self.counting = round_.counted_next() if round_ and phase in ("show", "claim", "crib") else (-1, "", [])
        outcomes, why = [], ""
        refused = False
        may_go = phase == "play" and may_say_go(self.game)
        one_for_go = phase == "play" and self.is_one_for_go(act)
        self.took_card |= act == ["undo"] and any(unit.startswith("card") for unit in (self.units or [[]])[-1])
        if act == ["undo"]:
            self.terminal.timer.stop()  # as the command does
        if act[0] != "late":
            try:
                outcomes = self.terminal.session.act(act)
            except ValueError as error:
                refused, why = True, str(error)
        self.phones.sent, self.phones.units = (self.phones.sent, []) if act[0] == "late" else ([], [])
        self.phones.why = ""
        undoes = self.units[-1] if act == ["undo"] and self.units else []
        try:
            self.order(act, outcomes, undoes, phase)
            no = False
        except OrderError as error:
            no, why = True, why or f"{error.code}: {error}"
        unpaid = one_for_go and not refused and not any(one.event and one.event[0] == GO for one in outcomes)
        if not refused and act == ["undo"]:
            self.units.pop()
            self.unpaid.pop()
        elif not refused and act[0] != "late":
            self.units.append(list(self.phones.units))
            stays = act[0] in ("go", "muggins", "penalty", "set") and self.unpaid[-1:] == [True]
            self.unpaid.append(unpaid or stays)
        self.follow(act, refused)
        if not refused and act[0] in ("undo", "deal"):
            self.crib_back = (phase, self.referee.phase) == ("claim", "crib") or (self.crib_back and act[0] == "undo")
        overdue(self.referee, self.terminal.timer)
        self.phones.room.table.entry()
        playing = self.referee.phase in ("play", "show", "claim", "crib")
        terminal, phones = self.terminal.stand(refused), self.phones.stand(no, playing=playing)
        if not playing:
            terminal = stand(self.terminal.board, refused, -1, terminal.open)
        self.parted = refused != no and act[0] not in ("late", "wrong")
        if refused and not no and act[0] not in ("late", "wrong"):
            self.parted = not self.is_back() or self.setup.options.muggins  # what was told stays told
        return Step(
            seed=self.seed,
            number=self.number,
            act=act,
            terminal=terminal,
            phones=phones,
            why=why,
            gone=frozenset(self.gone),
            may_go=may_go,
            took_card=self.took_card,
            crib_back=self.crib_back,
            unpaid=unpaid,
            unpaid_open=self.unpaid[-1:] == [True],
            kind=self.counting[1],
            phase=self.referee.phase,
            setup=self.setup,
            mistake=self.mistake,
        )

    def is_one_for_go(self, act: Act) -> bool:
        """Whether a card is claimed with the one for a go, or with it alone, and may be its player's last."""
        if act[0] != "play" or len(act) != 4 or self.mistake:
            return False
        pile = [*self.game.pile, parse_card(act[2])]
        ends = LIMIT - HIGHEST < sum(PIPS[card >> 2] for card in pile) < LIMIT
        last = len(self.held(act[1])) == 1 or self.setup.count < self.setup.players
        return ends and last and act[3] in (1, pile_points(pile)[0] + 1)

    def is_back(self) -> bool:
        """Take back what only the phones have taken; returns whether that went."""
        try:
            self.phones.take_back(self.phones.units)
        except OrderError:
            return False
        return True

    def follow(self, act: Act, refused: bool) -> None:
        """Who may have said go in this count."""
        round_ = self.referee.table.round
        game = round_.deal.game if round_ else None
        self.gone = set()
        if game is not None and self.referee.phase == "play":
            self.gone = {self.setup.side(seat) for seat, gone in enumerate(game._gone) if gone}

    # What is done.

    def chosen(self) -> Act:
        """The next act, perhaps a mistake."""
        chance, phase = self.chance, self.referee.phase
        if self.number and self.phones.sent and chance.random() < 0.05:
            return ["late", chance.random() < 0.5]
        if self.number > 2 and self.referee.undoable() and chance.random() < 0.08:
            return ["undo"]
        if phase in ("cut", "won"):
            return ["new", chance.randrange(self.setup.players) if phase == "cut" else self.referee.next_dealer()]
        round_ = self.referee.table.round
        if round_ and round_.open_for >= 0 and chance.random() < 0.3:
            return self.call(round_.open_for, round_.missed)
        if phase != "deal" and chance.random() < 0.02:
            seat = chance.randrange(self.setup.players)
            return chance.choice(
                [["penalty", seat, chance.randint(1, 3), chance.randrange(2)], ["set", seat, chance.randrange(61), 0]]
            )
        acts: dict[str, Callable[[], Act]] = {
            "deal": lambda: ["deal", None],
            "starter": lambda: ["starter", card_name(self.cards()[1])],
            "play": self.card,
            "show": lambda: ["show"],
            "claim": self.claim,
            "crib": lambda: ["crib", cards_text(self.cards()[2])],
        }
        return acts[phase]()

    def cards(self) -> tuple[list[list[int]], int, list[int]]:
        """The hands, the starter and the crib of this deal."""
        sizes = self.referee.table.round.deal.sizes if self.referee.table.round else None
        assert sizes is not None
        pack = list(range(52))
        random.Random(f"{self.seed} {len(self.referee.winners)} {self.referee.table.deals}").shuffle(pack)
        hands = [[pack.pop() for _ in range(sizes.hand)] for _ in range(self.setup.players)]
        return hands, pack.pop(), [pack.pop() for _ in range(sizes.crib)]

    def held(self, seat: int) -> list[int]:
        """The cards that a seat has not played."""
        played = {row[1] for row in self.game.rows}
        return [card for card in self.cards()[0][seat] if card not in played]

    @property
    def game(self) -> Any:
        """The play."""
        return self.referee.table.round.deal.game  # type: ignore[union-attr]

    def call(self, seat: int, missed: int) -> Act:
        """Somebody calls points that were missed, or were not."""
        others = [other for other in range(self.setup.players) if self.setup.side(other) != self.setup.side(seat)]
        return ["muggins", self.chance.choice(others), missed or self.chance.randint(1, 2)]

    def card(self) -> Act:
        """A card of the player whose turn it is, or a go; or a slip."""
        chance, game, seat = self.chance, self.game, self.game.turn
        fits = [card for card in self.held(seat) if game.count + PIPS[card >> 2] <= LIMIT]
        slip = chance.random()
        if slip < 0.02:
            seat = chance.randrange(self.setup.players)
            fits = [card for card in self.held(seat) if game.count + PIPS[card >> 2] <= LIMIT]
            self.mistake = "out of turn" if seat != game.turn else ""
        elif slip < 0.03:
            fits, self.mistake = [self.cards()[1]], "the starter is played"
        elif slip < 0.04 and game.rows:
            fits, self.mistake = [chance.choice(game.rows)[1]], "it was played before"
        elif slip < 0.06 and (high := [card for card in self.held(seat) if card not in fits]):
            fits, self.mistake = high, "past the limit"
        if not fits:
            return ["go", game.turn] if may_say_go(game) else ["play", game.turn, card_name(self.held(game.turn)[0])]
        card = (
            max(fits, key=lambda one: pile_points([*game.pile, one])[0])
            if not self.mistake and chance.random() < 0.6
            else chance.choice(fits)
        )
        act = ["play", seat, card_name(card)]
        return [*act, *self.number_said(seat, card)] if self.setup.options.manual else act

    def number_said(self, seat: int, card: int) -> list[int]:
        """The number that is said with a card: mostly the right one, sometimes with the last card's one."""
        if self.mistake:
            return []
        made = pile_points([*self.game.pile, card])[0]
        after = copy.deepcopy(self.referee.table.round.deal)  # type: ignore[union-attr]
        try:
            bonus = sum(event[2] for event in after.play(seat, card) if event[1] in ("go", "last"))
        except ValueError:
            bonus = 0
        if not made and not bonus and self.chance.random() < 0.7:
            return []
        said = made + (bonus if self.chance.random() < 0.3 else 0)
        return [said if self.chance.random() < 0.85 else self.chance.choice([0, max(0, said - 1), said + 1, said + 2])]

    def claim(self) -> Act:
        """What is said of a hand or a crib."""
        seat, kind, cards = self.referee.table.round.counted_next()  # type: ignore[union-attr]
        if kind == "hand" and self.chance.random() < 0.04:
            self.mistake = "out of turn"
            seat = self.chance.choice([other for other in range(self.setup.players) if other != seat])
            cards = self.cards()[0][seat]
        made = count(cards, self.cards()[1], kind == "crib").points
        return [
            "claim",
            seat,
            made if self.chance.random() < 0.7 else self.chance.choice([0, max(0, made - 2), made + 1, 19]),
        ]

    # The same on phones.

    def order(self, act: Act, outcomes: list[Any], undoes: list[str], phase: str) -> None:
        """What the phones do for an act of the terminal; raises OrderError."""
        name, *args = act
        getattr(self, f"_{name}")(*args, outcomes=outcomes, undoes=undoes, phase=phase)

    def _new(self, seat: int, **_: Any) -> None:
        names = list(self.setup.names)
        teams = self.setup.teams
        self.phones.order(0, "new", names=names, target=61, teams=teams, dealer=seat + 1, rules=self.rules)

    def _deal(self, pack: None, **_: Any) -> None:
        if self.referee.table.deals > 1:
            self.phones.order(self.referee.table.dealer, "deal")

    def _starter(self, card: str, outcomes: list[Any], **_: Any) -> None:
        self.phones.order(self.referee.table.dealer, "starter", card=card)
        self.phones.units.append("starter")
        self.tap(outcomes, NIBS)

    def _play(self, seat: int, card: str, *claim: int, outcomes: list[Any], **_: Any) -> None:
        fields = {"claim": claim[0]} if claim else {}
        self.phones.order(seat, "play", side=self.setup.side(seat) + 1, card=card, **fields)
        if not self.phones.units:
            self.phones.units.append(f"card {card}")
        self.tap(outcomes, GO)

    def _go(self, seat: int, outcomes: list[Any], **_: Any) -> None:
        self.tap(outcomes, GO)

    def _claim(self, seat: int, points: int, phase: str, **_: Any) -> None:
        self.count(points, seat)

    def _show(self, **_: Any) -> None:
        self.count(None)

    def _crib(self, cards: str, outcomes: list[Any], **_: Any) -> None:
        if not self.setup.options.manual:  # the referee counts it at once
            self.phones.order(
                self.referee.table.dealer,
                "hand",
                side=self.setup.side(self.referee.table.dealer) + 1,
                cards=cards.split(),
                crib=True,
            )

    def _muggins(self, seat: int, points: int, **_: Any) -> None:
        opened = self.phones.room.table.open
        other = opened.side if opened else self.setup.sides[0]
        self.phones.order(seat, "muggins", side=self.setup.side(seat) + 1, points=points, **{"from": other + 1})

    def _penalty(self, seat: int, points: int, back: int, **_: Any) -> None:
        self.phones.order(seat, "penalty", side=self.setup.side(seat) + 1, points=points, back=bool(back))

    def _set(self, seat: int, front: int, back: int, **_: Any) -> None:
        self.phones.order(seat, "set", side=self.setup.side(seat) + 1, front=front, back=back)

    def _timeout(self, seat: int, **_: Any) -> None:
        if self.counting[1] == "crib":  # whose cards come late, with whatever is said
            self.count(self.chance.randrange(9), seat)
            return
        before = self.phones.room.rev
        self.phones.room.carrier.tick()
        self.phones.units += ["event"] * (self.phones.room.rev - before)

    def _late(self, other: bool, **_: Any) -> None:
        self.phones.late(other)

    def _undo(self, undoes: list[str], **_: Any) -> None:
        self.phones.take_back(undoes)

    def count(self, points: int | None, seat: int = -1) -> None:
        """A hand or crib is counted, with the points that its player claims."""
        turn, kind, cards = self.counting
        if seat not in (-1, turn):  # a slip: whoever counts shows the own hand
            turn, kind, cards = seat, "hand", self.cards()[0][seat]
        fields: dict[str, Any] = {} if points is None else {"claim": points}
        if kind == "crib":
            fields["crib"] = True
        named = cards_text(cards).split()
        self.phones.order(turn, "hand", side=self.setup.side(turn) + 1, cards=named, **fields)
        if not self.phones.units:
            self.phones.units.append(f"claim {self.setup.side(turn) + 1}")

    def tap(self, outcomes: list[Any], kind: int) -> None:
        """Points that are tapped on phones: go, last card and nibs."""
        for one in outcomes:
            if one.event and one.event[0] == kind and self.phones.room.board.match.winner < 0:
                self.phones.order(one.event[1], "go" if kind == GO else "nibs", side=one.event[1] + 1)


# All of them.


@dataclass
class Result:
    """What so many games came to."""

    games: int = 0
    acts: int = 0
    explained: Counter[str] = field(default_factory=Counter)
    wrong: list[Step] = field(default_factory=list)


def explained(step: Step) -> tuple[list[str], list[str]]:
    """The differences that are in the lists, and the fields that no difference explains."""
    names, left = [], []
    for name in step.apart():
        reasons = [one.name for one in INTENDED if one.explains(step, name)]
        names += reasons[:1]
        left += [] if reasons else [name]
    return names, left


def run(games: int, seed: int, result: Result | None = None) -> Result:
    """Play so many games, with the seeds from this one on."""
    result = result or Result()
    for number in range(seed, seed + games):
        with tempfile.TemporaryDirectory(dir=SCRATCH) as folder, Game(Path(folder), number) as game:
            for step in game.steps():
                result.acts += 1
                names, left = explained(step)
                result.explained.update(names)
                if left:
                    result.wrong.append(step)
                    break
        result.games += 1
    return result


def main() -> int:
    """Play, and say what differed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=720)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    result = run(options.games, options.seed)
    print(f"{result.games} games, {result.acts} acts, {time.monotonic() - began:.0f} s")
    for one in INTENDED:
        print(f"{result.explained[one.name]:6} {one.name}: {one.reason}")
    for step in result.wrong:
        print(f"WRONG: {step}")
    return 1 if result.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
