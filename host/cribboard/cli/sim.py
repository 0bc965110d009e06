"""The commands that run something for longer: the virtual board and the demo; and the shell's completion."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from cribboard.cli.game import PLAYERS, TARGET, TEAMS
from cribboard.cli.options import CODES, JSON, BoardChoice, Pace, read_text
from cribboard.cli.output import answer, emit, put
from cribboard.cli.powershell import PowerShell
from cribboard.cli.prompt import is_plain
from cribboard.errors import ArgumentError
from cribboard_core.sizes import side_count
from cribboard_core.variants import VariantError

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.option("--name", help="Which virtual board; each has its own game (default: sim, or pi with --pins).")
@click.option(
    "--nvm", metavar="FILE", type=FILE, help="File that stores the virtual flash (default: in your data folder)."
)
@click.option("--settings", metavar="FILE", type=FILE, help="A settings.toml for it (default: its own).")
@click.option("--board", "described", metavar="FILE", type=FILE, help="A board.toml: run the board that it describes.")
@click.option("--plain", is_flag=True, help="Draw nothing; print the port and serve.")
@click.option("--picture", metavar="FILE", type=FILE, help="Write what the board shows to an SVG file, and exit.")
@click.option("--pins", is_flag=True, help="Drive a strip and read buttons on the pins of this Raspberry Pi.")
@JSON
def sim(
    name: str | None,
    nvm: Path | None,
    settings: Path | None,
    described: Path | None,
    plain: bool,
    picture: Path | None,
    pins: bool,
    as_json: bool,
) -> None:
    """Run a virtual board.

    It runs the real firmware, draws the lights in the terminal and takes your keys for its buttons. While it runs,
    other commands find it automatically. Without a terminal it prints one line, `port PATH uid HEX`.

    With --json that line is an object with port and uid, and nothing is drawn; with --picture: file.
    """
    from cribboard.sim.board import VirtualBoard
    from cribboard.sim.registry import FlashTaken
    from cribboard.sim.run import run_sim

    name = name or ("pi" if pins else "sim")
    text = None if settings is None else read_text(settings)
    if described is not None:
        text = _become(name, described, text)
    try:
        if picture is None:
            draw = False if as_json or is_plain(plain or None) else None
            sys.exit(run_sim(name=name, nvm=nvm, settings=text, draw=draw, pins=pins, as_json=as_json))
        from cribboard.sim.picture import take_picture

        take_picture(picture, VirtualBoard(name=name, nvm=nvm, settings=text, stepped=True))
    except FlashTaken as taken:
        raise FlashTaken(taken.message, f"{taken.hint}, or use another board, like: --name second") from taken
    answer({"file": str(picture)}, f"{picture} shows the board.", as_json)


@click.command()
@PLAYERS
@TEAMS
@TARGET
@click.option(
    "--seed",
    metavar="N",
    type=int,
    help="Seed for the shuffle; the same seed gives the same game.",
)
@click.option("--speed", metavar="X", type=Pace(), help="1: at a talking pace, 2: twice as fast, 0: without pauses.")
@click.option("--plain", is_flag=True, help="Print only lines of text, for logs.")
@CODES
@JSON
@click.option("--port", metavar="PORT", help="A board's serial port (default: the demo's own virtual board).")
@click.option(
    "--film", metavar="FILE", type=FILE, help="Write the lights of the game as a moving SVG, and play nothing."
)
@click.pass_context
def demo(
    context: click.Context,
    players: int | None,
    teams: int | None,
    target: int | None,
    seed: int | None,
    speed: float | None,
    plain: bool,
    codes: bool,
    as_json: bool,
    port: str | None,
    film: Path | None,
) -> None:
    """Play a whole game on a board, and check it.

    Automatic players play on a virtual board of their own, or on the one that --port names. The exit status is 1 if
    the board's state differs from the host's at the end.

    With --json: text and command of each step; then result, commands (how many), ack_median_ms, ack_p99_ms and equal.
    """
    from cribboard.demo import run_demo, write_film

    players, teams = players or 2, teams or 0
    try:
        side_count(players, teams)
    except VariantError as error:
        raise ArgumentError(str(error)) from error
    if film is not None:
        write_film(film, players, teams, target or 121, seed or 0)
        answer({"file": str(film)}, f"{film} shows a game.", as_json)
        return
    port = port or (context.find_object(BoardChoice) or BoardChoice()).port
    status = run_demo(
        players=players,
        teams=teams,
        target=target or 121,
        seed=seed,
        speed=speed,
        plain=is_plain(plain or None, codes),
        codes=codes,
        as_json=as_json,
        port=port,
    )
    sys.exit(status)


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish", PowerShell.name]))
@JSON
@click.pass_context
def completion(context: click.Context, shell: str, as_json: bool) -> None:
    """Print the completion script for SHELL.

    \b
      bash, in ~/.bashrc:  eval "$(cribboard completion bash)"
      zsh, in ~/.zshrc:    eval "$(cribboard completion zsh)"
      fish:                cribboard completion fish > ~/.config/fish/completions/cribboard.fish
      PowerShell, in $PROFILE:
        cribboard completion powershell | Out-String | Invoke-Expression

    With --json: shell and script.
    """
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 (click has three, and ours is added)
    script = kind(context.find_root().command, {}, "cribboard", "_CRIBBOARD_COMPLETE").source()
    emit({"shell": shell, "script": script}) if as_json else put(script)


def _become(name: str, described: Path, text: str | None) -> str:
    """Keep a description for a virtual board; gives the settings that it makes of these."""
    from cribboard.hardware.description import load
    from cribboard.hardware.settings import settings_toml
    from cribboard.sim.described import keep

    made = settings_toml(load(described), text)
    keep(name, read_text(described))
    return made
