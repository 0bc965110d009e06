"""Who stands how: games, match cards of teams and byes, added up by rules; their order plays no part."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from cribboard.errors import ArgumentError
from cribboard.league.rules import Rules
from cribboard_core.variants import skunk_lines

Who = int | str


@dataclass(frozen=True)
class Game:
    """A game that is over. Each side is one entrant or several, each of whom gets what the side gets.

    With `walkover`, the side that has it, there are no `scores`. `lines` are the first scores safe from a skunk and
    from a double one. Games of one `match` decide it together where rules are best of several.
    """

    sides: tuple[tuple[Who, ...], ...]
    scores: tuple[int, ...] = ()
    round: int = 0
    lines: tuple[int, int] = (0, 0)
    walkover: int | None = None
    match: int = 0

    @property
    def winner(self) -> int:
        """The index of the side that has won."""
        return self.scores.index(max(self.scores)) if self.walkover is None else self.walkover

    @property
    def grade(self) -> int:
        """1 for a win, 2 for a skunk, 3 for a double one: of several losers the one that did best decides."""
        best = max(score for at, score in enumerate(self.scores) if at != self.winner)
        return 3 if best < self.lines[1] else 2 if best < self.lines[0] else 1


@dataclass(frozen=True)
class Card:
    """A match of two teams: legs won at home and away at each table, or a walk-over of the side that has it."""

    sides: tuple[Who, Who]
    tables: tuple[tuple[int, int], ...] = ()
    walkover: int | None = None


@dataclass(frozen=True)
class Bye:
    """A round that somebody sat out."""

    who: Who
    round: int = 0


Played = Game | Card | Bye


@dataclass
class Row:
    """What one entrant has; points are in hundredths. `games` are a team's matches."""

    who: Who
    place: int = 0
    points: int = 0
    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    skunks: int = 0  # given, doubles among them
    spread: int = 0
    plus: int = 0  # the margins won by
    minus: int = 0  # the margins lost by
    scored: int = 0
    byes: int = 0
    legs_won: int = 0
    legs_lost: int = 0
    tables_won: int = 0
    tables_lost: int = 0

    @property
    def legs_difference(self) -> int:
        """Legs won less legs lost."""
        return self.legs_won - self.legs_lost


def game(sides: Sequence[Sequence[Who]], scores: Sequence[int], number: int = 0) -> Game:
    """A game of this round by its scores alone: the winner's is the target."""
    return Game(tuple(map(tuple, sides)), tuple(scores), number, skunk_lines(max(scores)))


def standings(
    rules: Rules, entrants: Iterable[Who], played: Iterable[Played], adjusted: Mapping[Who, int] | None = None
) -> list[Row]:
    """All entrants, the best first; equals share a place and stand in the order of `entrants`.

    `adjusted` are points in hundredths beside those of games. Raises ArgumentError for somebody who is no entrant.
    """
    table = {who: Row(who) for who in entrants}
    played = list(played)
    try:
        for each in played:
            if isinstance(each, Bye):
                _add_bye(rules, table[each.who])
            elif isinstance(each, Card):
                _add_card(rules, table, each)
            else:
                _add_game(rules, table, each)
        _add_matches(rules, table, [each for each in played if isinstance(each, Game)])
        for who, points in (adjusted or {}).items():
            table[who].points += points
    except KeyError as error:
        raise ArgumentError(f"{error.args[0]} is no entrant", "enter everybody who plays") from error
    return _placed(rules, list(table.values()), played)


def withdraw(
    who: Who, played: Iterable[Played], left: Iterable[tuple[Who, Who]], *, default: bool
) -> tuple[list[Played], list[tuple[Who, Who]]]:
    """What counts, and the matches that are left, after a team has withdrawn.

    By `default` what was played stands, and the others win what is left; else all its matches count for nobody.
    """
    left = list(left)
    theirs = [pair for pair in left if who in pair]
    stay = [pair for pair in left if who not in pair]
    if default:
        return [*played, *(Card(pair, walkover=1 - pair.index(who)) for pair in theirs)], stay
    return [each for each in played if not _is_in(who, each)], stay


def _is_in(who: Who, each: Played) -> bool:
    if isinstance(each, Bye):
        return each.who == who
    return who in each.sides if isinstance(each, Card) else any(who in side for side in each.sides)


def _add_bye(rules: Rules, row: Row) -> None:
    row.byes += 1
    row.points += rules.bye.points
    row.won += rules.bye.won
    row.spread += rules.bye.spread
    row.scored += rules.bye.scored


def _add_game(rules: Rules, table: Mapping[Who, Row], each: Game) -> None:
    winner, skunk = each.winner, each.walkover is None and each.grade > 1
    for at, side in enumerate(each.sides):
        won = at == winner
        points = 0 if each.walkover is not None else game_points(rules, each, at)
        for who in side:
            row = table[who]
            row.games += 1
            row.lost += not won
            if each.walkover is not None:
                row.won += won and rules.walkover.won
                row.points += rules.walkover.points if won else 0
                row.spread += rules.walkover.spread if won else -rules.walkover.spread
                continue
            best = each.scores[winner]
            row.won += won
            row.points += points
            row.scored += each.scores[at]
            row.skunks += won and skunk
            margin = sum(best - score for score in each.scores) if won else best - each.scores[at]
            row.plus += margin if won else 0
            row.minus += 0 if won else margin
            row.spread += margin if won else -margin


def game_points(rules: Rules, each: Game, side: int) -> int:
    """What a game that was played is worth to a side, in hundredths."""
    points = rules.game
    pegged = points.score * each.scores[side]
    if side != each.winner:
        return pegged + points.loss
    if points.by_round:
        return pegged + points.by_round[min(max(each.round, 1), len(points.by_round)) - 1]
    return pegged + (points.win, points.skunk, points.double)[each.grade - 1]


def _add_matches(rules: Rules, table: Mapping[Who, Row], games: Sequence[Game]) -> None:
    """What a match of best of several is worth by itself, as soon as it is decided."""
    if rules.best_of == 1 or not (rules.match.win or rules.match.loss):
        return
    wins: dict[int, Counter[tuple[Who, ...]]] = defaultdict(Counter)
    for each in games:
        wins[each.match].update({side: int(at == each.winner) for at, side in enumerate(each.sides)})
    for match in wins.values():
        if max(match.values()) > rules.best_of // 2:
            for side, won in match.items():
                for who in side:
                    table[who].points += rules.match.win if won > rules.best_of // 2 else rules.match.loss


def card_points(rules: Rules, card: Card) -> tuple[int, int]:
    """What a match of two teams is worth to home and away, in hundredths."""
    if card.walkover is not None:
        points = rules.walkover.points
        return (points, 0) if card.walkover == 0 else (0, points)
    home = away = 0
    for legs in _tables(rules, card):
        won = _share(rules.table.win, rules.table.draw, rules.table.loss, *legs)
        home += won[0] + legs[0] * rules.game.win + legs[1] * rules.game.loss
        away += won[1] + legs[1] * rules.game.win + legs[0] * rules.game.loss
    more = (home, away) if rules.match.by == "points" else _more(rules, card)
    match = _share(rules.match.win, rules.match.draw, rules.match.loss, *more)
    return home + match[0], away + match[1]


def _tables(rules: Rules, card: Card) -> list[tuple[int, int]]:
    return [legs for at, legs in enumerate(card.tables, 1) if not rules.tables or at in rules.tables]


def _legs(rules: Rules, card: Card) -> tuple[int, int]:
    if card.walkover is not None:
        return rules.walkover.legs if card.walkover == 0 else (rules.walkover.legs[1], rules.walkover.legs[0])
    tables = _tables(rules, card)
    return sum(legs[0] for legs in tables), sum(legs[1] for legs in tables)


def _tables_won(rules: Rules, card: Card) -> tuple[int, int]:
    if card.walkover is not None:
        return rules.walkover.tables if card.walkover == 0 else (rules.walkover.tables[1], rules.walkover.tables[0])
    tables = _tables(rules, card)
    return sum(home > away for home, away in tables), sum(away > home for home, away in tables)


def _more(rules: Rules, card: Card) -> tuple[int, int]:
    """Of which the winner of a match has more."""
    if card.walkover is not None:
        return (1, 0) if card.walkover == 0 else (0, 1)
    if rules.match.by == "points":
        return card_points(rules, card)
    return _legs(rules, card) if rules.match.by == "legs" else _tables_won(rules, card)


def _share(win: int, draw: int, loss: int, home: int, away: int) -> tuple[int, int]:
    return (draw, draw) if home == away else (win, loss) if home > away else (loss, win)


def _add_card(rules: Rules, table: Mapping[Who, Row], card: Card) -> None:
    points, legs, tables, more = (count(rules, card) for count in (card_points, _legs, _tables_won, _more))
    for at, who in enumerate(card.sides):
        row, other = table[who], 1 - at
        row.games += 1
        row.points += points[at]
        row.won += more[at] > more[other]
        row.drawn += more[at] == more[other]
        row.lost += more[at] < more[other]
        row.legs_won += legs[at]
        row.legs_lost += legs[other]
        row.tables_won += tables[at]
        row.tables_lost += tables[other]


def _placed(rules: Rules, rows: list[Row], played: Sequence[Played]) -> list[Row]:
    beaten: Counter[tuple[Who, Who]] = Counter()
    for each in played:
        if isinstance(each, Game):
            losers = [who for at, side in enumerate(each.sides) if at != each.winner for who in side]
            beaten.update((who, other) for who in each.sides[each.winner] for other in losers)
        elif isinstance(each, Card) and (more := _more(rules, each))[0] != more[1]:
            home, away = each.sides
            beaten[(home, away) if more[0] > more[1] else (away, home)] += 1
    placed: list[Row] = []
    for equals in _split(rows, rules.order, beaten):
        place = len(placed) + 1
        for row in equals:
            row.place = place
        placed += equals
    return placed


def _split(rows: list[Row], order: Sequence[str], beaten: Counter[tuple[Who, Who]]) -> list[list[Row]]:
    """Groups of equals, the best first."""
    if len(rows) < 2 or not order:
        return [rows] if rows else []
    value = _value(order[0], rows, beaten)
    values = sorted({value(row) for row in rows}, reverse=True)
    if len(values) == 1:
        return _split(rows, order[1:], beaten)
    groups = [[row for row in rows if value(row) == each] for each in values]
    return [equals for group in groups for equals in _split(group, order, beaten)]  # who beat whom, of fewer


def _value(name: str, rows: Sequence[Row], beaten: Counter[tuple[Who, Who]]) -> Callable[[Row], int]:
    if name == "play_off":
        return lambda row: 0  # until they have played it off
    if name == "head_to_head":
        return lambda row: sum(beaten[row.who, other.who] - beaten[other.who, row.who] for other in rows)
    if name == "minus":
        return lambda row: -row.minus
    return lambda row: int(getattr(row, name))
