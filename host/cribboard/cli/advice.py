"""The commands that advise: which cards to throw or play, what a hand may count, who may win. They need no board."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

import click

from cribboard.amounts import amount
from cribboard.analyst.discard import DEALT, Cribs, Discard, Throws, advice, best_first, discards
from cribboard.analyst.points import Odds, odds
from cribboard.cli.count import BATCH, CRIB, Record, card_names, run_batch
from cribboard.cli.options import JSON, IntRange
from cribboard.cli.output import console, emit, new_grid, print_grid, say
from cribboard.computer import levels
from cribboard.computer.batch import TARGET, chosen
from cribboard.computer.levels import EXPERT, LEVELS
from cribboard.computer.tables import DEALER, PONE, ScoreError, chance_to_win, tables
from cribboard.errors import ArgumentError
from cribboard_core.cards import RANKS, CardError, cards_text, check_cards, parse_card, parse_cards, quote
from cribboard_core.show import HAND_SIZES

USUAL, ANY = "usual", "any"
THROWS = click.option(
    "--throws",
    type=click.Choice([USUAL, ANY]),
    default=USUAL,
    help="What an opponent throws: what good players usually do, or any two cards alike (usual).",
)
PLAIN = click.option("--plain", is_flag=True, help="Print plain lines that name each number, not a table.")
SIZES = {"six": 6, "five": 5}


@click.command()
@click.argument("cards", nargs=-1)
@click.option("--crib", "whose", type=click.Choice(["mine", "theirs"]), help="Whose crib it is.")
@THROWS
@PLAIN
@BATCH
@JSON
def discard(cards: Sequence[str], whose: str | None, throws: str, plain: bool, batch: bool, as_json: bool) -> None:
    """Show which of six CARDS to throw, and why.

    For the best discard it also shows how likely each score is, in the hand and in the crib.

    Then it lists all fifteen discards, best first, with exact averages: the hand over all starters, the crib over all
    starters and all cards that an opponent may throw, each as often as good players throw it, or with --throws any
    each equally likely. Neither looks at the play nor at the scores; what the computer's expert would throw for these
    is said where it differs.

    \b
      cribboard discard 5H 6C 7D 8S JH KC --crib mine

    With three, four or five players, give five cards; one of them is thrown, and all that others may throw is equally
    likely. Count a partner's crib as mine. Deals of six players are not analysed.

    With --json: deal, crib ("mine" or "theirs"), throws ("usual" or "any"), expert (what the expert would throw; of
    five cards null), advice (sentences), and discards, the best first, each with throw, keep, hand and crib (averages),
    total, hand_points ([points, starters] pairs) and crib_points ([points, ways], a usual throw counting more often).

    With --batch each line of standard input is an object like {"six":["5H","6C","7D","8S","JH","KC"],"crib":"mine"}
    (or "five"), answered by {"discards":[[["5H","6C"],hand,crib],...]} in the order of the cards, or by
    {"error":{...}}; then the exit status is 1. Without crib, or with --throws any, all throws are equally likely.
    """
    if batch:
        if cards or whose:
            raise click.UsageError(
                "--batch reads cards from standard input and needs no --crib; leave out everything else."
            )
        sys.exit(run_batch(lambda record: _discard_record(record, throws)))
    if not cards:
        raise click.UsageError("No cards; write them like: cribboard discard 5H 6C 7D 8S JH KC --crib mine")
    if whose is None:
        raise click.UsageError("Whose crib is it? Add --crib mine or --crib theirs")
    try:
        dealt = parse_cards(" ".join(cards), "deal", DEALT)
    except CardError as error:
        raise ArgumentError(str(error)) from error
    own_crib = whose == "mine"
    model = _throws(dealt, own_crib, throws)
    if as_json:
        emit(_advice_entry(dealt, own_crib, model))
        return
    for line in _advice(dealt, own_crib, model):
        say(line)
    say("")
    _say_discards(best_first(dealt, own_crib, model), own_crib, _is_plain(plain))


@click.command("odds")
@click.argument("hand", nargs=-1)
@CRIB
@click.option("--seen", metavar="CARDS", default="", help="Cards that cannot be the starter, like your discards.")
@click.option("--score", metavar="MINE-THEIRS", help="Show the chance to win from these scores instead.")
@click.option("--target", metavar="N", type=IntRange(1, 241), help="With --score: the game is to N (121).")
@PLAIN
@JSON
def hand_odds(
    hand: Sequence[str], crib: bool, seen: str, score: str | None, target: int | None, plain: bool, as_json: bool
) -> None:
    """Show what a HAND may count, or the chance to win.

    It shows how likely each count is with the starter.

    The hand has four or five cards. Every card that is neither in it nor seen is equally likely to be the starter.

    With --score it shows the chance of winning a game of two with these scores before the next deal, between equal
    players who play well; it then needs no hand, and --json has scores, target, and win with mine_deals and
    theirs_deals.

    \b
      cribboard odds 5H 6C 7D 8S --seen "JH KC"
      cribboard odds --score 98-104

    With --json: hand, crib, seen, unseen (the number of possible starters), average, and points: a list, fewest points
    first, of points, starters (cards), chance (of exactly these points) and at_least (the chance of these or more).
    """
    if score is not None:
        if hand or crib or seen:
            raise click.UsageError("--score goes without a hand; leave out the cards, --crib and --seen.")
        _say_chance(score, target or 121, as_json)
        return
    if target is not None:
        raise click.UsageError("--target goes with --score.")
    if not hand:
        raise click.UsageError("No hand; write it like: cribboard odds 5H 6C 7D 8S")
    try:
        held = parse_cards(" ".join(hand), "crib" if crib else "hand", HAND_SIZES)
        known = parse_cards(seen, "seen cards")
        chances = odds(held, known, crib)
    except CardError as error:
        raise ArgumentError(str(error)) from error
    if as_json:
        emit({"hand": card_names(held), "crib": crib, "seen": card_names(known), **_odds_entry(chances)})
        return
    what = cards_text(held) + (", the crib" if crib else "")
    say(f"{what}: {chances.average:.2f} on average of {amount(chances.unseen, 'starter')}.")
    most = max(chances.starters)
    say(f"At most {most}, with {_starters(chances, most)}; at least {min(chances.starters)}.")
    say("")
    _say_odds(chances, _is_plain(plain))


@click.command()
@BATCH
@click.option("--level", type=click.Choice(LEVELS), default=EXPERT, help="How well it plays (expert).")
@JSON
def choose(batch: bool, level: str, as_json: bool) -> None:
    """Choose discards and cards, one JSON object a line.

    It chooses as the computer does.

    A line that asks for a discard is an object like {"hand":["5H","6C","7D","8S","JH","KC"],"dealer":true,
    "scores":[57,63],"target":121}: the scores are mine and the other's, the target is 121 unless it is said. It is
    answered by {"discard":["5H","JH"],"win":0.4102}, the cards to throw and the chance to win then. Five cards are
    one hand of three to five players: one card is thrown, and win is null.

    A line that asks for a card has {"hand":[cards left],"played":[[seat,card],...] since the deal,"seat":0,"dealer":1,
    "starter":"5D","thrown":[mine],"scores":[mine,the other's],"target":121}. It is answered by {"card":"5H",
    "win":0.51}, or by {"card":null,...} when no card fits: then the player says go, and restart, where it is, is the
    card to lead when the other cannot play either. Goes need not be among the cards played, except at a count that
    ended because neither could play: then end it with a go, [0,null].

    Write null, true and false as JSON has them, in small letters and without quotes. A line that cannot be is answered
    by {"error":{...}}; then the exit status is 1. With --json nothing changes.
    """
    if not batch:
        raise click.UsageError("choose reads deals and plays from standard input; add --batch.")
    sys.exit(run_batch(lambda record: chosen(record, level)))


def _say_chance(score: str, target: int, as_json: bool) -> None:
    typed = re.fullmatch(r"\s*(\d{1,4})\s*-\s*(\d{1,4})\s*", score)
    if not typed:
        raise ArgumentError(f"{quote(score)} is not two scores", "write mine and theirs like: --score 98-104")
    mine, theirs = int(typed[1]), int(typed[2])
    try:
        deals, waits = [chance_to_win(mine, theirs, dealing, target) for dealing in (True, False)]
    except ScoreError as error:
        raise ArgumentError(str(error)) from error
    if as_json:
        win = {"mine_deals": round(deals, 4), "theirs_deals": round(waits, 4)}
        emit({"scores": [mine, theirs], "target": target, "win": win})
        return
    say(f"With {mine} to {theirs} in a game to {target}, you win {100 * deals:.1f} % when you deal next,")
    say(f"and {100 * waits:.1f} % when they deal.")


def _throws(dealt: Sequence[int], own_crib: bool, throws: str) -> Throws | None:
    """What the other of two throws, as often as a player does whose crib it is not, or is; None for any cards alike."""
    if throws == ANY or len(dealt) < SIZES["six"]:
        return None
    return tables().throws(PONE if own_crib else DEALER)


def _expert(dealt: list[int], own_crib: bool) -> tuple[int, ...] | None:
    """What the expert throws of six cards at the start of a game."""
    if len(dealt) < SIZES["six"]:
        return None
    return levels.discard(EXPERT, dealt, DEALER if own_crib else PONE, (TARGET, TARGET))


def _advice(dealt: list[int], own_crib: bool, model: Throws | None) -> list[str]:
    """The analyst's sentences, and the expert's throw when it is another one."""
    entries, expert = advice(dealt, own_crib, model), _expert(dealt, own_crib)
    best = best_first(dealt, own_crib, model)
    if expert:
        other = next(each for each in best if set(each.thrown) == set(expert))
        if f"{best[0].worth(own_crib) - other.worth(own_crib):.2f}" != "0.00":
            thrown = cards_text(other.thrown)
            entries.append(
                f"At the start of a game the computer's expert, who weighs the play too, would throw {thrown}."
            )
    return entries


def _say_discards(choices: list[Discard], own_crib: bool, plain: bool) -> None:
    rows = []
    for each in choices:
        starters = odds(each.kept, each.thrown).starters
        average, cribs, sums = each.rounded(own_crib)
        numbers = (f"{average:5.2f}", f"{min(starters):2} to {max(starters):2}", f"{cribs:+6.2f}", f"{sums:6.2f}")
        rows.append((cards_text(each.thrown), cards_text(each.kept), *numbers))
    if plain:
        for throw, keep, hand, span, crib, total in rows:
            say(f"{throw}  keep {keep}  hand {hand},  {span}  crib {crib}  total {total}")
        return
    grid = new_grid()
    grid.add_column("Throw")
    grid.add_column("Keep")
    for title in ("Hand", "From to", "Crib", "Total"):
        grid.add_column(title, justify="right")
    for row in rows:
        grid.add_row(*row, style="bold" if row is rows[0] else "")
    print_grid(grid)


def _say_odds(chances: Odds, plain: bool) -> None:
    rows = []
    for number, cards in chances.starters.items():
        shares = (_percent(len(cards), chances), _percent(chances.ways(number), chances))
        rows.append((f"{number:2}", f"{len(cards):2}", *shares, _starters(chances, number)))
    if plain:
        for points, ways, chance, more, starters in rows:
            plural = "starter" if ways.strip() == "1" else "starters"
            say(f"{points} points  {ways} {plural}  chance {chance}  at least that {more}  with {starters}")
        return
    grid = new_grid()
    for title in ("Points", "Starters", "Chance", "At least"):
        grid.add_column(title, justify="right")
    grid.add_column("With")
    for row in rows:
        grid.add_row(*row)
    print_grid(grid)


def _percent(ways: int, chances: Odds) -> str:
    return f"{100 * ways / chances.unseen:5.1f} %"


def _starters(chances: Odds, points: int) -> str:
    """The starters that make so many points; a rank alone is all unseen cards of it."""
    said = []
    for rank, name in enumerate(RANKS):
        cards = [card for card in chances.starters[points] if card >> 2 == rank]
        unseen = [card for cards in chances.starters.values() for card in cards if card >> 2 == rank]
        if cards:
            said.append(name if cards == unseen else cards_text(cards))
    return " ".join(said)


def _is_plain(plain: bool) -> bool:
    return plain or not console().is_terminal


def _advice_entry(dealt: list[int], own_crib: bool, model: Throws | None) -> Record:
    cribs, expert = Cribs(dealt, model), _expert(dealt, own_crib)
    entries = [
        {
            "throw": card_names(each.thrown),
            "keep": card_names(each.kept),
            "hand": each.hand,
            "crib": each.crib,
            "total": each.worth(own_crib),
            "hand_points": [[number, len(cards)] for number, cards in odds(each.kept, each.thrown).starters.items()],
            "crib_points": [[number, ways] for number, ways in cribs.ways(each.thrown).items()],
        }
        for each in best_first(dealt, own_crib, model)
    ]
    whose = "mine" if own_crib else "theirs"
    return {
        "deal": card_names(dealt),
        "crib": whose,
        "throws": USUAL if model else ANY,
        "expert": card_names(expert) if expert else None,
        "advice": _advice(dealt, own_crib, model),
        "discards": entries,
    }


def _odds_entry(chances: Odds) -> Record:
    points = [
        {
            "points": number,
            "starters": card_names(cards),
            "chance": len(cards) / chances.unseen,
            "at_least": chances.ways(number) / chances.unseen,
        }
        for number, cards in chances.starters.items()
    ]
    return {"unseen": chances.unseen, "average": chances.average, "points": points}


def _discard_record(record: Record, throws: str) -> Record:
    names = [name for name in SIZES if name in record]
    if len(names) != 1:
        raise CardError(
            "the line needs 'six', the cards dealt to one of two players, or 'five', to one of three to five"
        )
    cards = record[names[0]]
    if isinstance(cards, list):
        dealt = [parse_card(card) for card in cards]
    elif isinstance(cards, str):
        dealt = parse_cards(cards, "deal")
    else:
        raise CardError(f"{names[0]} is a list of cards like ['5H', '6C'], not {quote(cards)}")
    check_cards(dealt, "deal", (SIZES[names[0]],))
    whose = record.get("crib")
    if whose not in (None, "mine", "theirs"):
        raise CardError(f'crib is "mine" or "theirs", not {quote(whose)}')
    model = _throws(dealt, whose == "mine", throws) if whose else None
    return {"discards": [[card_names(each.thrown), each.hand, each.crib] for each in discards(dealt, model)]}
