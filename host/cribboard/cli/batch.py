"""JSON lines in, JSON lines out: every line is answered by one line, a bad one by its error, and the run goes on."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import BinaryIO

import click

from cribboard.cli.output import emit
from cribboard.errors import ArgumentError
from cribboard_core.cards import quote

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
        emit(reply)


def _read(line: bytes) -> Record:
    try:
        record = json.loads(line.decode("utf-8-sig"))
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
