"""The command line as somebody types it, at the real firmware in this process; time is fake and nothing is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rigs.printed import printed
from rigs.wired import Firmware, Table

from cribboard import connect
from cribboard.board.client import Board
from cribboard.cli.main import cli


class Typed:
    """Call it with the words of a command; `firmware` is the board that it talks to."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.table = Table(folder)
        self.asked: list[tuple[str | None, str | None]] = []
        monkeypatch.setattr(connect, "open_board", self._open)

    def play(self, players: int) -> None:
        """Have another board, on which so many play."""
        self.table.firmware = Firmware(players=players)

    @property
    def firmware(self) -> Firmware:
        return self.table.firmware

    @contextmanager
    def _open(
        self,
        port: str | None,
        uid: str | None,
        say: Callable[[str], None],
        on_settled: Callable[[str], None] | None = None,
    ) -> Iterator[Board]:
        self.asked.append((port, uid))
        with self.table.board(on_settled=on_settled) as board:
            yield board

    def __call__(self, *words: str, given: str | bytes | None = None, exit_code: int = 0) -> Result:
        """What the command did, after checking its exit status."""
        result = CliRunner().invoke(cli, words, input=given, prog_name="cribboard", catch_exceptions=False)
        assert result.exit_code == exit_code, result.output
        return result

    def says(self, *words: str) -> str:
        """Its standard output."""
        return self(*words).stdout

    def entry(self, *words: str) -> dict[str, Any]:
        """Its JSON."""
        return printed(self(*words, "--json").stdout)

    def error(self, *words: str, exit_code: int, given: str | bytes | None = None) -> str:
        """Its standard error, when it fails so."""
        result = self(*words, given=given, exit_code=exit_code)
        assert not result.stdout
        return result.stderr
