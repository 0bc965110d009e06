"""The command that makes a page to print for those at the table."""

from __future__ import annotations

from pathlib import Path

import click

from cribboard.cli.hardware_files import INTO, libraries, slow, sound, write
from cribboard.cli.options import DESCRIBED, JSON, IntRange
from cribboard.errors import ArgumentError


@click.command()
@click.option(
    "--paper", type=click.Choice(["a4", "letter", "pocket"]), default="a4", show_default=True, help="The paper size."
)
@click.option(
    "--sheet",
    type=click.Choice(["rules", "card", "score", "exercises"]),
    default="rules",
    show_default=True,
    help="The rules and lights; a quick card for your board; a score card; or hands to count with their answers.",
)
@click.option("--large", is_flag=True, help="Large print.")
@click.option("--seed", metavar="N", type=IntRange(0), help="With exercises: the hands of this number (1).")
@click.option("--hands", metavar="N", type=IntRange(1, 200), help="With exercises: number of hands (16).")
@DESCRIBED
@INTO
@JSON
@slow
def cheatsheet(
    paper: str,
    sheet: str,
    large: bool,
    seed: int | None,
    hands: int | None,
    described: Path | None,
    into: Path,
    as_json: bool,
) -> None:
    """Make a page to print for those at the table, as PDF and SVG.

    It has the count, a deal, the points in the play, skunks, and the board's buttons and lights. With --paper pocket it
    is a book of eight pages on one sheet of A4: fold it to eighths, cut the line in the middle, fold it to a book.

    \b
      cribboard cheatsheet --large
      cribboard cheatsheet --sheet card --board my-board.toml
      cribboard cheatsheet --sheet exercises --seed 7

    It needs the libraries of `pip install -e '.[hardware]'`. With --json: file, for each.
    """
    if sheet != "exercises" and (seed is not None or hands is not None):
        raise click.UsageError("--seed and --hands go with --sheet exercises.")
    if described is not None and sheet != "card":
        raise click.UsageError("--board goes with --sheet card.")
    if sheet == "card" and (large or paper == "pocket"):
        raise ArgumentError("the quick card has one size of print", "leave --large and --paper pocket out")
    seed = 1 if seed is None else seed
    if paper == "pocket" and (large or sheet != "rules"):
        raise ArgumentError("the pocket book has the rules in small print only", "leave --large or --sheet out")
    with libraries():
        from cribboard.hardware import paper as printed
    if sheet == "card":
        write(into, {f"card-{paper}.pdf": printed.card(sound(described).description, paper)}, as_json)
        return
    if sheet == "rules":
        pages = printed.cheat_sheet(paper, large)
    elif sheet == "score":
        pages = printed.score_card(paper, large)
    else:
        pages = printed.exercises(paper, seed, hands or 16, large)
    name = "-".join([sheet, paper, *(["large"] if large else []), *([str(seed)] if sheet == "exercises" else [])])
    files = {f"{name}.pdf": printed.pdf(pages, f"Cribbage, {sheet}")}
    for number, page in enumerate(pages, 1):
        files[f"{name}-{number}.svg"] = printed.svg(page, f"Cribbage, {sheet}, page {number}").encode()
    write(into, files, as_json)
