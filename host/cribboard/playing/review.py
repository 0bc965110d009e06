"""A game looked at afterwards: what each discard and card cost in the chance to win, and which would have been better.

The chance at the end less that at the start is what the cards brought and what both players' choices cost; so the luck
is what the costs leave over.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TypedDict

from cribboard.computer import discarding, playing
from cribboard.computer.tables import DEALER, PONE, chance_to_win
from cribboard.errors import CribboardError
from cribboard.files import home
from cribboard.players import chance_from, chance_of_first, fronts, seen_by
from cribboard.playing import log as logs
from cribboard.referee.cards import CORRECTIONS
from cribboard.referee.outcomes import Act
from cribboard.referee.pegs import Base
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard_core.cards import card_name, cards_text, parse_card, parse_cards
from cribboard_core.events import GO, NIBS, PEG
from cribboard_core.show import count

HANDS = 160  # of the opponent, for each card: four times as many as in a game
TOLD = 0.0005  # less reads as 0.0 %
UNSURE = 0.004  # a card that costs less may be as good: the hands that are tried are a sample
PUBLISHED = {  # of experts, a deal: J. Chambers, cribbage.org, tip 6
    "pone's hand": 8.1,
    "dealer's hand": 8.0,
    "crib": 4.7,
    "pone's play": 2.0,
    "dealer's play": 3.5,
}


@dataclass(frozen=True)
class Choice:
    """A discard or a card: what it cost, and what would have been better, with the reason in words."""

    deal: int
    seat: int
    dealing: bool
    scores: tuple[int, int]
    chose: tuple[int, ...]
    best: tuple[int, ...]
    cost: float
    reason: str

    @property
    def discard(self) -> bool:
        """Whether it is one."""
        return len(self.chose) > 1


@dataclass
class Review:
    """A game of two: `choices` in their order, `first` the chance of seat 0 at the start, `last` at the end, `made` the
    points by seat and by what they were for, one each deal."""

    setup: Setup
    choices: list[Choice] = field(default_factory=list)
    first: float = 0.5
    last: float = 0.5
    counting: float = 0.0  # what seat 0 has got by wrong counts, calls, penalties and corrections
    over: bool = False
    made: dict[tuple[int, str], list[int]] = field(default_factory=dict)

    def cost(self, seat: int) -> float:
        """What the choices of a seat have cost it, in chance to win."""
        return sum([choice.cost for choice in self.choices if choice.seat == seat])

    def luck(self, seat: int) -> float:
        """What the cards have brought a seat."""
        gained = self.last - self.first - self.counting
        return (gained if seat == 0 else -gained) + self.cost(seat) - self.cost(1 - seat)

    def worst(self, number: int) -> list[Choice]:
        """The choices that cost most."""
        return sorted([each for each in self.choices if each.cost > 0], key=lambda each: -each.cost)[:number]


def newest() -> Path:
    """The log of the newest game of two that the program dealt, with a discard; raises CribboardError without one."""
    for path in _logs():
        setup, _, acts = logs.acts(path)
        if setup.can_review and any(act[0] == "discard" for act in acts):
            return path
    raise CribboardError(
        "there is no game to review: only games of two that the program deals have cards that it knows",
        "play one with `cribboard play Ann Bob --computer Bob`, or name a log",
    )


def _logs(uid: str = "*") -> list[Path]:
    """All that are kept, or those at one board, the newest first, but those put away last."""
    found = sorted(home().glob(f"boards/{uid}/{logs.NAME}"), key=lambda path: path.stat().st_mtime, reverse=True)
    both = [place for path in found for place in (path, path.with_name(logs.BEFORE)) if place.exists()]
    return both + sorted(home().glob(f"boards/{uid}/{logs.EARLIER}/*.jsonl"), reverse=True)


FEWER = ", fewer in all, but those that the scores ask for"


@dataclass(frozen=True)
class Game:
    """One game of a log: the number that the board's journal `epoch` gave it, and who played, as they are called now.

    `ended` says when, since a game may be played on after the end was taken back.
    """

    path: Path
    epoch: int
    number: int
    names: tuple[str, ...]
    ended: str = ""


def find(uid: str, epoch: int, number: int) -> tuple[Path, Setup] | None:
    """The log of a game at a board, with who played; None when its cards are not known here, or it was not one of two.

    It is that of the last evening which began before the game.
    """
    found: list[tuple[int, Path, Setup]] = []
    for path in _logs(uid):
        with suppress(CribboardError):
            setup, base = logs.head(path)
            if base[3] == epoch and base[0] < number:
                found.append((base[0], path, setup))
    if not found:
        return None
    _, path, setup = max(found, key=lambda one: one[0])
    with suppress(OSError, ValueError, CribboardError):
        if setup.can_review and (epoch, number) in _games(path, path.stat().st_mtime_ns):
            return path, setup
    return None


@lru_cache(maxsize=64)
def _games(path: Path, changed: int) -> dict[tuple[int, int], int]:
    """The games of a log, which was `changed` then: by journal and number, each with the acts up to its end."""
    setup, base, acts = logs.acts(path)
    referee, found = Referee(setup, base), {}
    for done, act in enumerate(acts, start=1):
        referee.act(act)
        found[referee.tally.base[3], referee.tally.game] = done
    return found


def review_game(game: Game, say: Callable[[int, int], None] = lambda done, of: None) -> Review:
    """Look at every choice of one game of a log; raises CribboardError when the log has no such game."""
    setup, base, acts = logs.acts(game.path)
    until = _games(game.path, game.path.stat().st_mtime_ns).get((game.epoch, game.number))
    if until is None:
        raise CribboardError("the log has another game", "the cards of this one are not known")
    return _reviewed(replace(setup, names=game.names), base, acts[:until], say)


def review(path: Path, say: Callable[[int, int], None] = lambda done, of: None) -> Review:
    """Look at every choice that stands; raises CribboardError for a game whose cards are not known.

    It is the newest game of the log in which anything was thrown.
    """
    setup, base, acts = logs.acts(path)
    thrown = max((number for number, act in enumerate(acts) if act[0] == "discard"), default=len(acts))
    until = next((number for number in range(thrown, len(acts)) if acts[number][0] in ("cut", "new")), len(acts))
    return _reviewed(setup, base, acts[:until], say)


def _reviewed(setup: Setup, base: Base, acts: list[Act], say: Callable[[int, int], None]) -> Review:
    if not setup.can_review:
        why = "five-card cribbage" if setup.options.five_card else "cards that the program has not dealt"
        why = "more than two players" if setup.players != 2 else why
        raise CribboardError(f"a game of {why} cannot be reviewed", "play with --deal or --computer, two players")
    standing = set(Referee.replay(setup, base, acts).standing())
    found, referee = Review(setup), Referee(setup, base)
    for number, act in enumerate(acts):
        if number in standing:
            _look(found, referee, act)
        shown, before = _shown(referee, act), fronts(referee)
        referee.act(act)
        if number in standing:
            found.counting += _miscounted(referee, act, shown, before)
        say(number + 1, len(acts))
    _end(found, referee)
    return found


Averages = dict[str, dict[str, list[int]]]  # by name and what it was: the points of each


def averages(say: Callable[[int, int], None] = lambda done, of: None) -> Averages:
    """What the hands and cribs of all people counted in all games of two that the program has dealt and kept."""
    people: Averages = {}
    paths = _logs()
    for at, path in enumerate(paths):
        try:
            setup, base, acts = logs.acts(path)
            if setup.players != 2 or not setup.dealt:
                continue
            standing = set(Referee.replay(setup, base, acts).standing())
        except (CribboardError, ValueError):
            continue  # a log that cannot be read
        found, referee = Review(setup), Referee(setup, base)
        for number, act in enumerate(acts):
            if number in standing:
                _note(found, referee, act)
            referee.act(act)
        for (seat, what), made in found.made.items():
            if seat not in setup.computers:
                people.setdefault(setup.names[seat], {}).setdefault(what, []).extend(made)
        say(at + 1, len(paths))
    return people


def averages_in_words(people: Averages) -> list[str]:
    """A line for each player."""
    return [_average(name, made) for name, made in sorted(people.items())] or [
        "There are no averages yet. They come from the hands that people count in games of two that the program deals: "
        "play one with `cribboard play --computer`."
    ]


def _look(found: Review, referee: Referee, act: Act) -> None:
    """What an act shows, just before it is done."""
    if act[0] == "deal" and referee.table.deals == 0:
        _begin(found, referee)
    elif act[0] == "discard":
        found.choices.append(_discard(referee, act[1], parse_cards(act[2])))
    elif act[0] == "play":
        seen = seen_by(referee, act[1])
        if len({card >> 2 for card in seen.legal}) > 1:
            found.choices.append(_card(referee, seen, parse_card(act[2])))
    _note(found, referee, act)


def _begin(found: Review, referee: Referee) -> None:
    """A game begins, perhaps another one of an evening: what was before is not part of it."""
    scores = _scores(referee, 0)
    found.choices.clear()
    found.made.clear()
    found.counting = 0.0
    found.first = chance_to_win(*scores, referee.table.due == 0, referee.setup.target)


def _shown(referee: Referee, act: Act) -> int:
    """What the hand or crib is worth that is counted by this act; 0 for another act."""
    round_ = referee.table.round
    if act[0] not in ("claim", "timeout") or round_ is None:
        return 0
    _, what, cards = round_.counted_next()
    return count(cards, round_.deal.starter, what == "crib").points


def _miscounted(referee: Referee, act: Act, shown: int, before: tuple[int, int]) -> float:
    """What seat 0 has got by an act more than the cards were worth, in chance to win; `before` were the scores."""
    due = [0, 0]
    if act[0] in ("claim", "timeout"):
        due[act[1]] = shown
    elif act[0] == "play" and referee.setup.options.manual:
        round_ = referee.table.round
        assert round_ is not None and round_.deal.game is not None  # noqa: S101 (a card was played)
        seat, _, _, made, bonus, _ = round_.deal.game.rows[-1]
        due[seat] = made + bonus
    elif act[0] not in ("muggins", *CORRECTIONS):
        return 0.0
    right, now = (before[0] + due[0], before[1] + due[1]), fronts(referee)
    return chance_from(referee, now) - chance_from(referee, right) if right != now else 0.0


def _end(found: Review, referee: Referee) -> None:
    winner, setup = referee.match.winner, referee.setup
    found.over = referee.begun and winner >= 0
    if found.over:
        found.last = float(winner == setup.side(0))
    elif referee.table.dealer >= 0 and referee.begun:
        found.last = chance_of_first(referee)


def _discard(referee: Referee, seat: int, thrown: list[int]) -> Choice:
    round_ = referee.table.round
    assert round_ is not None  # noqa: S101 (a discard is in a round)
    dealing = seat == round_.deal.dealer
    role, scores = DEALER if dealing else PONE, _scores(referee, seat)
    mine, theirs = [referee.setup.target - score for score in scores]
    needs = (theirs, mine) if dealing else (mine, theirs)
    found = discarding.discards(sorted(round_.deal.hands[seat]), role, needs, every=True)
    best, own = found[0], next(choice for choice in found if set(choice.thrown) == set(thrown))
    crib = ("crib " if dealing else "the other's crib ") + _signed(best.crib - own.crib)
    reason = f"hand {_signed(best.hand - own.hand)}, {crib}, play {_signed(best.pegs - own.pegs)} points"
    if best.worth(role) < own.worth(role):
        reason += FEWER
    deals, cost = referee.table.deals, best.win - own.win
    return Choice(deals, seat, dealing, scores, tuple(thrown), best.thrown, cost if cost >= TOLD else 0.0, reason)


def _card(referee: Referee, seen: playing.Seen, card: int) -> Choice:
    found = playing.outlooks(seen, HANDS)
    best, own = found[0], next(each for each in found if each.card >> 2 == card >> 2)
    cost = best.win - own.win
    mine, theirs = best.mine - own.mine, best.theirs - own.theirs
    reason = f"own pegs {_signed(mine)}, the other's {_signed(theirs)} points"
    if mine < theirs:
        reason += FEWER
    deals, dealing = referee.table.deals, seen.seat == seen.dealer
    return Choice(deals, seen.seat, dealing, seen.scores, (card,), (best.card,), cost if cost > UNSURE else 0.0, reason)


def _signed(points: float) -> str:
    return f"{round(points, 1) + 0.0:+.1f}"  # no -0.0


def _note(found: Review, referee: Referee, act: Act) -> None:
    """What a deal brought in the play, and what its hands count, once, when the first is shown."""
    round_ = referee.table.round
    if act[0] not in ("show", "claim") or round_ is None or any(round_.deal.has_shown(seat) for seat in (0, 1)):
        return
    deal = round_.deal
    for seat in (0, 1):
        role = "dealer's" if seat == deal.dealer else "pone's"
        found.made.setdefault((seat, f"{role} hand"), []).append(count(deal.kept[seat], deal.starter).points)
        pegged = round_.pegged(referee.setup.side(seat), PEG, GO, NIBS)
        found.made.setdefault((seat, f"{role} play"), []).append(pegged)
    found.made.setdefault((deal.dealer, "crib"), []).append(count(deal.crib, deal.starter, True).points)


def _scores(referee: Referee, seat: int) -> tuple[int, int]:
    if not referee.begun or referee.match.winner >= 0:
        return 0, 0
    first, second = fronts(referee)
    return (first, second) if seat == 0 else (second, first)


def in_words(found: Review, number: int) -> list[str]:
    """The review in lines, with so many of the worst choices."""
    worst = found.worst(number)
    lines = [*_summary(found), "What cost most:" if worst else "No choice cost anything."]
    lines += [f"  {_told(choice, found.setup.names)}" for choice in worst]
    return lines + _averages(found)


def _summary(found: Review) -> list[str]:
    names = found.setup.names
    lines = [f"{names[0]} against {names[1]}, to {found.setup.target}{'' if found.over else ', not over yet'}."]
    for seat, name in enumerate(names):
        parts = [f"all choices cost {_share(found.cost(seat))} of the chance to win"]
        if abs(counting := found.counting * (1 if seat == 0 else -1)) >= TOLD:
            parts.append(f"wrong counts, calls and corrections brought {_brought(counting)}")
        lines.append(f"{name}: {'; '.join(parts)}; the cards brought {_brought(found.luck(seat))}.")
    return lines


def _told(choice: Choice, names: tuple[str, ...]) -> str:
    did, role = "threw" if choice.discard else "played", _role(choice)
    better = cards_text(choice.best)
    return (
        f"Deal {choice.deal}, {names[choice.seat]} ({role}, {choice.scores[0]} to {choice.scores[1]}) {did} "
        f"{cards_text(choice.chose)}: {_share(choice.cost)}. Better {better}: {choice.reason}."
    )


def _role(choice: Choice) -> str:
    return "dealer" if choice.dealing else "pone"


def _averages(found: Review) -> list[str]:
    each = [
        (name, {what: made for (one, what), made in found.made.items() if one == seat})
        for seat, name in enumerate(found.setup.names)
    ]
    return [_average(name, made) for name, made in each if made]


def _average(name: str, each: dict[str, list[int]]) -> str:
    parts = [
        f"{what} {sum(made) / len(made):.1f} over {len(made)} (experts {PUBLISHED[what]:.1f})"
        for what in PUBLISHED
        if (made := each.get(what))
    ]
    return f"{name}'s averages: {', '.join(parts)}."


def _brought(chance: float) -> str:
    return f"{_signed(100 * chance)} %"


def _share(cost: float) -> str:
    return f"{100 * cost:.1f} %"


class ChoiceEntry(TypedDict):
    """A choice for a page; nothing is `better` than one that cost nothing."""

    deal: int
    name: str
    role: str
    scores: list[int]
    discard: bool
    chose: list[str]
    better: list[str]
    cost: str
    reason: str


class ReviewEntry(TypedDict):
    """A review for a page: luck and skill in lines, the worst choices, all in their order, the averages in lines."""

    summary: list[str]
    worst: list[ChoiceEntry]
    choices: list[ChoiceEntry]
    averages: list[str]


def entry(found: Review, number: int) -> ReviewEntry:
    """The review for a page, with so many of the worst choices."""
    names = found.setup.names
    return {
        "summary": _summary(found),
        "worst": [_entry(choice, names) for choice in found.worst(number)],
        "choices": [_entry(choice, names) for choice in found.choices],
        "averages": _averages(found),
    }


def _entry(choice: Choice, names: tuple[str, ...]) -> ChoiceEntry:
    costs = choice.cost > 0
    return {
        "deal": choice.deal,
        "name": names[choice.seat],
        "role": _role(choice),
        "scores": list(choice.scores),
        "discard": choice.discard,
        "chose": [card_name(card) for card in choice.chose],
        "better": [card_name(card) for card in choice.best] if costs else [],
        "cost": _share(choice.cost),
        "reason": choice.reason if costs else "",
    }


def to_json(found: Review) -> dict[str, object]:
    """The review for programs."""
    names = found.setup.names
    players = [
        {
            "name": name,
            "cost": round(found.cost(seat), 4),
            "counting": round(found.counting * (1 if seat == 0 else -1), 4),
            "luck": round(found.luck(seat), 4),
            "averages": {what: sum(made) / len(made) for (one, what), made in found.made.items() if one == seat},
        }
        for seat, name in enumerate(names)
    ]
    choices = [
        {
            "deal": choice.deal,
            "name": names[choice.seat],
            "dealer": choice.dealing,
            "scores": list(choice.scores),
            "chose": [card_name(card) for card in choice.chose],
            "best": [card_name(card) for card in choice.best],
            "cost": round(choice.cost, 4),
            "reason": choice.reason,
        }
        for choice in found.choices
    ]
    return {"over": found.over, "target": found.setup.target, "players": players, "choices": choices}
