"""Lines made of keys, as a terminal sends them."""

from __future__ import annotations

import contextlib
import io
import os
import sys

import pytest

from cribboard.cli.play import Editor, key_by_key


@pytest.mark.parametrize(
    ("keys", "lines", "shown"),
    [
        ("th\r", ["th"], "th\n"),
        ("T", ["T"], "T\n"),
        ("5T\n", ["5T"], "5T\n"),  # behind something it is a part of the line
        ("x\x7f\x7fS", ["S"], "x\b \bS\n"),
        ("abc\x15go\n", ["go"], "abc\b \b\b \b\b \bgo\n"),
        ("\n", [""], "\n"),
        ("\x04", [None], ""),
        ("a\x04\n", ["a"], "a\n"),
        ("\x1b[A\x1b[3~\x1bOPgo\n", ["go"], "go\n"),
        ("5\u2665\n", ["5\u2665"], "5\u2665\n"),
        ("\x01\t", [], ""),
    ],
)
def test_keys_make_lines(keys: str, lines: list[str | None], shown: str) -> None:
    echoed: list[str] = []
    editor = Editor(echoed.append)
    editor.letters = "CBFVSTLH"
    found: list[str | None] = []
    for byte in keys.encode():  # each may come alone
        found += editor.feed(bytes([byte]))
    assert (found, "".join(echoed)) == (lines, shown)


def test_without_letters_every_line_needs_enter() -> None:
    editor = Editor(lambda text: None)
    assert editor.feed(b"Bob") == []
    assert editor.feed(b"\r") == ["Bob"]


@pytest.mark.skipif(sys.platform == "win32", reason="it needs pseudo-terminals")
def test_a_terminal_that_is_gone_is_left_alone() -> None:
    ours, theirs = os.openpty()
    stream = os.fdopen(theirs)
    put_back = key_by_key(stream)
    assert put_back is not None
    os.close(ours)
    os.close(theirs)
    put_back()
    with contextlib.suppress(OSError):
        stream.close()


def test_what_is_no_terminal_is_read_in_lines() -> None:
    assert key_by_key(io.StringIO()) is None
