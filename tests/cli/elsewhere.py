"""The command on a system that has only what Windows and Linux both have.

`python -m cli.elsewhere WORDS...` runs one command so; a line of JSON with words and `input` on standard input runs
one more, after the other, and gives a line of JSON with its `status`, `out` and `err`.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.abc
import json
import multiprocessing.connection
import os
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import NoReturn

MODULES = ("fcntl", "termios", "pty", "tty", "resource", "msvcrt", "winreg")
NAMES = ((os, "fork openpty pread pwrite"), (select, "poll"), (signal, "SIGHUP"))
THEIRS = ("serial.tools.list_ports", "filelock", "click._termui_impl", "uvicorn", "starlette.applications")
CHOOSE_FOR_THEMSELVES = (asyncio, multiprocessing.connection, subprocess)  # what they need here is not ours to miss


class Absent(importlib.abc.MetaPathFinder):
    """Finds none of the modules that other systems lack."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Nothing, or the word that there is none."""
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def go_elsewhere() -> None:
    """Have no such modules and names from now on, and no board at a port; libraries have chosen what they need here."""
    for name in THEIRS:
        importlib.import_module(name)
    sys.modules["serial.tools.list_ports"].comports = list  # type: ignore[attr-defined]
    assert not [name for name in sys.modules if name.startswith("cribboard")]
    for module, names in NAMES:
        for name in names.split():
            delattr(module, name)
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Absent())


def main() -> NoReturn:
    """Run what was typed, or what comes."""
    go_elsewhere()
    from click.testing import CliRunner

    from cribboard.cli.main import cli
    from cribboard.cli.main import main as program

    if sys.argv[1:]:
        program()
    for line in sys.stdin:
        typed = json.loads(line)
        done = CliRunner().invoke(cli, typed["words"], input=typed["input"], prog_name="cribboard")
        failure = repr(done.exception) if not isinstance(done.exception, (SystemExit, type(None))) else ""
        result = {"status": done.exit_code, "out": done.stdout, "err": done.stderr + failure}
        sys.__stdout__.write(json.dumps(result) + "\n")
        sys.__stdout__.flush()
    sys.exit()


if __name__ == "__main__":
    main()
