"""The logs of games looked at afterwards: which game, of which log, and its review for people, pages and programs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TypedDict

from cribboard.errors import CribboardError
from cribboard.files import home
from cribboard.playing import log as logs
from cribboard.playing.judge import Choice, Review, average, averages_of, judging, note, role_of, share, summary
from cribboard.referee.outcomes import Act
from cribboard.referee.pegs import Base
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard_core.cards import card_name


def newest() -> Path:
    """The log of the newest game of two that the program dealt: one that is over, or else one with a discard.

    Raises CribboardError without one.
    """
    begun = None
    for path in _logs():
        setup, base, acts = logs.acts(path)
        if setup.can_review and any(act[0] == "discard" for act in acts):
            if ended(setup, base, acts):
                return path
            begun = begun or path
    if begun is not None:
        return begun
    raise CribboardError(
        "there is no game to review: only games of two that the program deals have cards that it knows",
        "play one with `cribboard play Ann --computer Bob`, or name a log",
    )


def ended(setup: Setup, base: Base, acts: list[Act]) -> int:
    """How many acts lead to the end of the newest game with cards that was won for good; 0 when none was."""
    referee, ends, played = Referee(setup, base), dict[int, int](), set[int]()
    for done, act in enumerate(acts, start=1):
        referee.act(act)
        game = referee.pegs.game
        if act[0] == "play":
            played.add(game)
        if referee.phase == "won" and game in played:
            ends[game] = done
        else:
            ends.pop(game, None)
    return max(ends.values(), default=0)


def _logs(uid: str = "*") -> list[Path]:
    """All that are kept, or those at one board, the newest first, but those put away last."""
    newest_first = sorted(home().glob(f"boards/{uid}/{logs.NAME}"), key=lambda path: path.stat().st_mtime, reverse=True)
    both = [place for path in newest_first for place in (path, path.with_name(logs.BEFORE)) if place.exists()]
    return both + sorted(home().glob(f"boards/{uid}/{logs.EARLIER}/*.jsonl"), reverse=True)


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
    candidates: list[tuple[int, Path, Setup]] = []
    for path in _logs(uid):
        with suppress(CribboardError):
            setup, base = logs.head(path)
            if base[3] == epoch and base[0] < number:
                candidates.append((base[0], path, setup))
    if not candidates:
        return None
    _, path, setup = max(candidates, key=lambda one: one[0])
    with suppress(OSError, ValueError, CribboardError):
        if setup.can_review and (epoch, number) in _games(path, path.stat().st_mtime_ns):
            return path, setup
    return None


@lru_cache(maxsize=64)
def _games(path: Path, changed: int) -> dict[tuple[int, int], int]:
    """The games of a log, which was `changed` then: by journal and number, each with the acts up to its end."""
    setup, base, acts = logs.acts(path)
    referee, ends = Referee(setup, base), {}
    for done, act in enumerate(acts, start=1):
        referee.act(act)
        ends[referee.pegs.base[3], referee.pegs.game] = done
    return ends


def review_game(game: Game, say: Callable[[int, int], None] = lambda done, of: None) -> Review:
    """Look at every choice of one game of a log; raises CribboardError when the log has no such game."""
    try:
        setup, base, acts = logs.acts(game.path)
    except CribboardError as error:  # with its path, which no guest is to read
        raise CribboardError("the kiosk's note of this game's cards cannot be read") from error
    until = _games(game.path, game.path.stat().st_mtime_ns).get((game.epoch, game.number))
    if until is None:
        raise CribboardError("the log has another game", "the cards of this one are not known")
    return _reviewed(replace(setup, names=game.names), base, acts[:until], say)


def review(path: Path, say: Callable[[int, int], None] = lambda done, of: None) -> Review:
    """Look at every choice that stands; raises CribboardError for a game whose cards are not known.

    It is the newest game of the log that is over, or else the newest in which anything was thrown.
    """
    setup, base, acts = logs.acts(path)
    if over := ended(setup, base, acts):
        return _reviewed(setup, base, acts[:over], say)
    thrown = max((number for number, act in enumerate(acts) if act[0] == "discard"), default=len(acts))
    until = next((number for number in range(thrown, len(acts)) if acts[number][0] in ("cut", "new")), len(acts))
    return _reviewed(setup, base, acts[:until], say)


def check_reviewed(setup: Setup) -> None:
    """Raise CribboardError for a game whose choices cannot be judged."""
    if not setup.can_review:
        why = "five-card cribbage" if setup.options.five_card else "cards that the program has not dealt"
        why = "more than two players" if setup.players != 2 else why
        raise CribboardError(f"a game of {why} cannot be reviewed", "play with --deal or --computer, two players")


def _reviewed(setup: Setup, base: Base, acts: list[Act], say: Callable[[int, int], None]) -> Review:
    check_reviewed(setup)
    whole = Review(setup)
    for done, growing in enumerate(judging(setup, base, acts), start=1):
        say(done, len(acts))
        whole = growing
    return whole


Averages = dict[str, dict[str, list[int]]]  # by name and what it was: the points of each


def averages(say: Callable[[int, int], None] = lambda done, of: None) -> Averages:
    """What the hands and cribs of all people counted in all games of two that the program has dealt and kept."""
    people: Averages = {}
    paths = _logs()
    for at, path in enumerate(paths):
        try:
            setup, base, acts = logs.acts(path)
            if not setup.can_review:
                continue
            standing = set(Referee.replay(setup, base, acts).standing())
        except (CribboardError, ValueError):
            continue  # a log that cannot be read
        game_review, referee = Review(setup), Referee(setup, base)
        for number, act in enumerate(acts):
            if number in standing:
                note(game_review, referee, act)
            referee.act(act)
        for (seat, what), made in game_review.made.items():
            if seat not in setup.computers:
                people.setdefault(setup.names[seat], {}).setdefault(what, []).extend(made)
        say(at + 1, len(paths))
    return people


def averages_in_words(people: Averages) -> list[str]:
    """A line for each player."""
    return [average(name, made) for name, made in sorted(people.items())] or [
        "There are no averages yet. They come from the hands that people count in games of two that the program deals: "
        "play one with `cribboard play Ann --computer Bob`."
    ]


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


def entry(review: Review, number: int) -> ReviewEntry:
    """The review for a page, with so many of the worst choices."""
    names = review.setup.names
    return {
        "summary": summary(review),
        "worst": [_entry(choice, names) for choice in review.worst(number)],
        "choices": [_entry(choice, names) for choice in review.choices],
        "averages": averages_of(review),
    }


def _entry(choice: Choice, names: tuple[str, ...]) -> ChoiceEntry:
    costs = choice.cost > 0
    return {
        "deal": choice.deal,
        "name": names[choice.seat],
        "role": role_of(choice),
        "scores": list(choice.scores),
        "discard": choice.discard,
        "chose": [card_name(card) for card in choice.chose],
        "better": [card_name(card) for card in choice.best] if costs else [],
        "cost": share(choice.cost),
        "reason": choice.reason if costs else "",
    }


def to_json(review: Review) -> dict[str, object]:
    """The review for programs."""
    names = review.setup.names
    players = [
        {
            "name": name,
            "cost": round(review.cost(seat), 4),
            "counting": round(review.counting * (1 if seat == 0 else -1), 4),
            "luck": round(review.luck(seat), 4),
            "averages": {what: sum(made) / len(made) for (one, what), made in review.made.items() if one == seat},
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
        for choice in review.choices
    ]
    return {"over": review.over, "target": review.setup.target, "players": players, "choices": choices}
