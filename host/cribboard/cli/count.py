"""The commands that count and need no board: a hand, and JSON lines of hands or of plays."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

import click

from cribboard.cli.options import JSON
from cribboard.cli.output import emit, emit_bare, say
from cribboard.errors import ArgumentError
from cribboard_core.aloud import sentence, shapes
from cribboard_core.cards import CardError, card_name, cards_text, parse_card, parse_cards, quote
from cribboard_core.play import replay
from cribboard_core.show import HAND_SIZES, Show, count

MOST_BYTES = 1 << 16  # many times the longest recorded play

Record = dict[str, object]


def run_batch(answer: Callable[[Record], Record]) -> int:
    """Answer the lines of standard input until its end; 1 when there was a bad one, else 0."""
    if sys.stdin is None:
        command = click.get_current_context().info_name
        raise ArgumentError("standard input is closed", f"send it the lines, like: cribboard {command} --batch < lines")
    bad = False
    source = sys.stdin.buffer
    while True:
        line = source.readline(MOST_BYTES + 1)
        if not line:
            return int(bad)
        try:
            if len(line) > MOST_BYTES:
                _pass_over(source, line)
                raise ValueError(f"the line is longer than {MOST_BYTES} bytes")
            reply = answer(_read(line))
        except ValueError as error:
            bad = True
            reply = ArgumentError(str(error)).entry()
        emit_bare(reply)


def _read(line: bytes) -> Record:
    try:
        record = json.loads(line.decode("utf-8-sig").rstrip("\r\n"))
    except UnicodeDecodeError as error:
        raise ValueError(f"the line is not UTF-8 from byte {error.start + 1} on") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"the line is not JSON: {error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise ValueError("the line is nested too deeply") from error
    except ValueError as error:
        raise ValueError("the line has a number of too many digits") from error
    if not isinstance(record, dict):
        raise ValueError(f"the line is an object in braces, not {quote(record)}")
    return record


def _pass_over(source: BinaryIO, line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = source.readline(MOST_BYTES)


BATCH = click.option("--batch", is_flag=True, help="Read JSON lines from standard input, answer each with a line.")
STARTER = click.option("--starter", metavar="CARD", help="The starter.")
CRIB = click.option("--crib", is_flag=True, help="Count it as the crib: a flush needs the starter too.")
FIVE_CARD = click.option("--five-card", is_flag=True, help="A hand of three cards, or a crib, of five-card cribbage.")


@click.command("count")
@click.argument("hand", nargs=-1)
@STARTER
@CRIB
@FIVE_CARD
@click.option("--nineteen", is_flag=True, help="Call a hand without points nineteen, as no hand can count 19.")
@BATCH
@JSON
def count_hand(
    hand: Sequence[str],
    starter: str | None,
    crib: bool,
    five_card: bool,
    nineteen: bool,
    batch: bool,
    as_json: bool,
) -> None:
    """Count a HAND of four or five cards with the starter.

    Write cards like 5H, H5, 10S, TS or 5♥, with or without spaces between them.

    \b
      cribboard count 5H 5C 5S JD --starter 5D

    With --json: points, fifteens, pairs, runs, flush and nobs are the points of each sort; hand, starter and crib are
    what was counted; parts has the kind, points and cards of each part; aloud is the count as a player says it.

    With --batch each line of standard input is an object like {"hand":["5H","5C","5S","JD"],"starter":"5D",
    "crib":false}, answered by a line with the points of each sort, or by {"error":{...}}; then the exit status is 1.
    """
    if batch:
        if hand or starter or crib or five_card or nineteen:
            raise click.UsageError("--batch reads hands from standard input; leave out everything else.")
        sys.exit(run_batch(_count_record))
    if not hand:
        raise click.UsageError("No hand; write it like: cribboard count 5H 5C 5S JD --starter 5D")
    if starter is None:
        raise click.UsageError("No starter; add it like: --starter 5D")
    show = count_typed(" ".join(hand), starter, crib, five_card)
    if as_json:
        emit(show_entry(show, nineteen))
    else:
        say_show(show, nineteen)


@click.command("count-play")
@BATCH
@JSON
def count_play(batch: bool, as_json: bool) -> None:
    """Count recorded plays, one JSON object a line.

    Each line of standard input is an object like {"players":2,"dealer":0,"hands":[["5C",...],[...]],
    "plays":[[1,"5C"],...]}; seats count from 0. It is answered by {"plays":[[seat,card,count,points,bonus,reset],...],
    "pegged":[...]}: the count after the card, the card's points, a bonus of 1 for a go or the last card, and 1 when
    the count starts again after it. An impossible line is answered by {"error":{...}}; then the exit status is 1.
    With --json nothing changes.
    """
    if not batch:
        raise click.UsageError("count-play reads recorded plays from standard input; add --batch.")
    sys.exit(run_batch(_count_play))


def count_typed(hand: str, starter: str, crib: bool, five_card: bool = False) -> Show:
    """Count cards as they were typed; raises ArgumentError for what is no hand."""
    sizes = (4 if crib else 3,) if five_card else HAND_SIZES
    try:
        cards = parse_cards(hand, "crib" if crib else "hand", sizes)
        return count(cards, parse_card(starter), crib, sizes)
    except CardError as error:
        raise ArgumentError(str(error)) from error


def show_entry(show: Show, nineteen: bool = False) -> dict[str, object]:
    """A counted hand for JSON."""
    parts = [{"kind": kind, "points": points, "cards": card_names(cards)} for kind, points, cards in show.parts]
    cards: dict[str, object] = {"hand": card_names(show.hand), "starter": card_name(show.starter), "crib": show.crib}
    return {**_points(show), **cards, "parts": parts, "aloud": sentence(show, nineteen)}


def say_show(show: Show, nineteen: bool = False) -> None:
    """A counted hand for people: its parts with their cards, and the count aloud."""
    named = shapes(show)
    width = max([len(name) for name, _, _ in named], default=0)
    say(f"{cards_text(show.hand)} with {card_name(show.starter)}{', the crib' if show.crib else ''}")
    for name, points, cards in named:
        say(f"  {points:2}  {name:<{width}}  {cards_text(cards)}")
    aloud = sentence(show, nineteen)
    say(f"{aloud[0].upper()}{aloud[1:]}.")
    say(f"{show.points} point{'' if show.points == 1 else 's'}.")


def _points(show: Show) -> dict[str, object]:
    return {
        "points": show.points,
        "fifteens": show.fifteens,
        "pairs": show.pairs,
        "runs": show.runs,
        "flush": show.flush,
        "nobs": show.nobs,
    }


def card_names(cards: Sequence[int]) -> list[str]:
    """Cards for JSON."""
    return [card_name(card) for card in cards]


def _count_record(record: dict[str, object]) -> dict[str, object]:
    for name in ("hand", "starter"):
        if name not in record:
            raise CardError(f"the line lacks {name!r}; it needs hand and starter, and crib if it is the crib")
    crib = record.get("crib", False)
    if not isinstance(crib, bool):
        raise CardError(f"crib is true or false, not {quote(crib)}")
    hand = record["hand"]
    cards = [parse_card(name) for name in hand] if isinstance(hand, list) else parse_cards(_any(hand))
    return _points(count(cards, parse_card(_any(record["starter"])), crib))


def _any(value: Any) -> Any:
    """A value that the core itself refuses when it is no text."""
    return value


def _count_play(record: dict[str, object]) -> dict[str, object]:
    return {**replay(record)}
