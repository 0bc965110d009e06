"""The group of all commands, and the one place where an error becomes words and an exit status."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import takewhile
from typing import Any

import click
from click.shell_completion import add_completion_class

from cribboard import __version__
from cribboard.cli.options import BOARD, JSON, PORT, BoardChoice, Group
from cribboard.cli.output import refuse
from cribboard.cli.powershell import PowerShell
from cribboard.errors import ArgumentError, CribboardError

CTRL_C = 130
NEGATIVE = re.compile(r"-\d")
STDOUT, STDERR = 1, 2  # the numbers of these streams
TRACEBACK = "CRIBBOARD_TRACEBACK"


SECTIONS = {  # of the help: each command, and the module of this folder that has it
    "Play": {"play": "play", "kiosk": "kiosk", "tiles": "tiles", "demo": "sim", "site": "site"},
    "Peg by hand": {
        "new": "game",
        **dict.fromkeys(("peg", "hand", "nibs", "go"), "peg"),
        **dict.fromkeys(("next-deal", "undo", "redo"), "game"),
        "state": "state",
        "watch": "watch",
        **dict.fromkeys(("penalty", "muggins", "false-claim", "set-score"), "peg"),
    },
    "Count and advise": {
        "learn": "learn",
        "count": "count",
        "count-play": "count",
        "discard": "advice",
        "odds": "advice",
        "choose": "advice",
        "cheatsheet": "cheatsheet",
    },
    "Results": {"sheet": "sheet", "history": "history", "review": "review"},
    "Board and repair": {"boards": "state", "doctor": "doctor", "sim": "sim", "completion": "sim"},
    "Build": {
        "hardware": "hardware",
        "setup": "install",
        "install": "install",
        "bringup": "doctor",
        "update": "install",
        "uninstall": "install",
    },
}


class Commands(Mapping[str, click.Command]):
    """The commands by name. Each module is imported when one of its commands is asked for: all of them take 0.2 s."""

    def __init__(self) -> None:
        self._modules = {name: module for section in SECTIONS.values() for name, module in section.items()}

    def __getitem__(self, name: str) -> click.Command:
        module = import_module(f"cribboard.cli.{self._modules[name]}")
        commands = [each for each in vars(module).values() if isinstance(each, click.Command) and each.name == name]
        return commands[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


class Program(Group):
    """The commands in sections; every refusal is in plain words."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Somebody who types the program alone at a terminal is greeted; a program gets the help."""
        if not args and not ctx.resilient_parsing and sys.stdout.isatty():
            from cribboard.cli.desk import greet

            greet()
            ctx.exit()
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Not by the alphabet: first things first."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections of the help, their second columns all below each other."""
        width = max(map(len, self.commands))
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                names = [f"{name:{width}}" for name in commands]
                texts = [self.commands[name].get_short_help_str(formatter.width - 6 - width) for name in commands]
                formatter.write_dl(list(zip(names, texts, strict=True)))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A word like -3 is a value, to be checked as one, and no option."""
        name, command, words = super().resolve_command(ctx, args)
        if command is not None:
            command.ignore_unknown_options = any(map(NEGATIVE.match, words))
        return name, command, words

    def invoke(self, ctx: click.Context) -> object:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(CTRL_C)

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, *, standalone_mode: bool = True, **named: Any
    ) -> object:
        """Run the program, and refuse in one place what it refuses: in words, or with --json as an object."""
        if not standalone_mode:
            return super().main(args, standalone_mode=False, **named)
        try:
            status = super().main(args, standalone_mode=False, **named)
        except click.UsageError as error:
            status = _mistyped(error, wants_json(args))
        except click.Abort:  # Ctrl-C or Ctrl-D at a question
            click.echo(err=True)
            status = CTRL_C
        except CribboardError as error:
            status = refuse(error, wants_json(args))
        except OSError as error:
            status = refuse(_by_system(error), wants_json(args))
        sys.exit(status or 0)


def wants_json(args: Sequence[str] | None) -> bool:
    """Whether --json is among the words, also when they cannot be understood."""
    return "--json" in takewhile(lambda word: word != "--", sys.argv[1:] if args is None else args)


def _mistyped(error: click.UsageError, as_json: bool) -> int:
    if not as_json:
        error.show()
        return error.exit_code
    path = error.ctx.command_path if error.ctx else "cribboard"
    return refuse(ArgumentError(error.format_message(), f"`{path} --help` shows what to type"), True)


def _by_system(error: OSError) -> CribboardError:
    """What the operating system refuses."""
    if error.errno == errno.ENOENT and not error.filename:
        return CribboardError("the current folder no longer exists", "change to another one")
    where = f"{error.filename}: " if error.filename else ""
    return CribboardError(f"{where}{error.strerror or error}")


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="cribboard", message="%(prog)s %(version)s")
@PORT
@BOARD
@JSON
@click.pass_context
def cli(context: click.Context, port: str | None, uid: str | None, as_json: bool) -> None:
    """Keep score on an electronic cribbage board.

    Name a SIDE by its number (1 to 6), its colour (orange, blue, green, yellow, red, purple) or the name that you gave
    it with `new`. Commands use the attached board or, without one, a virtual board.

    \b
      cribboard new Ann Bob
      cribboard peg Ann 2
      cribboard hand Bob 5H 5C 5S JD --starter 5D
      cribboard state

    With --json every command that changes the match prints one object: rev (its number in the board's journal), kind,
    side, name, then points, crib, back, from, score, front, target, players, teams and the like, depending on the
    kind, of (what undo or redo acts on), count (of a hand), scores (side, colour, name, front, back, won of each
    side), winner (a side or null) and text (the sentence for people).

    With --json an error is one object on standard output, {"error":{"code":...,"message":...,"hint":...}}. The exit
    status is the same as without --json.

    \b
    Exit status:
      0    done
      1    refused, or a bad line of a batch
      2    usage error
      3    no board, or no answer
      4    done and counted, but the answer could not be written
      130  Ctrl-C
    """
    context.obj = BoardChoice(port, uid)


add_completion_class(PowerShell)
cli.commands = Commands()  # type: ignore[assignment]  # none is added or removed


def _report() -> str:
    from cribboard.installed import address

    return f"report it at {address()}/issues" if address() else "report it"


def _replace_closed() -> None:
    """Have what is said to a closed standard stream go nowhere, not into the next file, which would get its number."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        pass
    os.close(opened)
    sys.stdout = sys.stdout or os.fdopen(STDOUT, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(STDERR, "w", closefd=False)


def main() -> None:
    """The command `cribboard`."""
    _replace_closed()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        cli(prog_name="cribboard")
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        bug = CribboardError(
            f"this should not have happened: {type(error).__name__}: {error}",
            f"it is a bug in cribboard; put {TRACEBACK}=1 in front of the command to see where, and {_report()}",
        )
        bug.code = "bug"
        sys.exit(refuse(bug, wants_json(None)))
