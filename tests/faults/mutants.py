"""Planted bugs by the dozen: small changes of the code, one at a time, each of which the closest tests have to notice.

    python -m faults.mutants core --mutants 300 --seed 1

(in the folder tests). It works on copies of the project, one for each core. A mutant is one changed comparison, sum,
number, condition or statement, drawn by the seed. The package's tests that run its line have to notice it, the quickest
first; which these are is measured once. What no test notices is printed, and needs a test or a reason; once it has one,
`--again` tries it again, from what was printed. The exit status is 1 when fewer are noticed than the package promises.
"""

from __future__ import annotations

import argparse
import ast
import concurrent.futures
import contextlib
import copy
import os
import queue
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import coverage

ROOT = Path(__file__).parents[2]
MOST_TIMES = 10  # a test that lasts so many times as long, and START_S, never ends: noticed; so do all together
START_S = 20.0  # for a process to begin
WAIT_S = 600.0  # one that waits so much longer than it computes, too, however busy the machine is
FIRST_S = 3600.0  # all tests of a package as they are, with coverage
MOST_BYTES = 8 << 30  # of memory
MOST_TESTS = 400  # that run a line: the quickest
WATCHED = ("cards", "cards_log", "passing", "rules")  # what the referee only watches, at a table of phones
PACKAGES = {  # where the code is, which tests belong to it, and what share of its mutants they have to notice
    "core": ("firmware/lib/cribboard_core", ["tests/core"], 0.95),
    "firmware": ("firmware/lib/cribboard_fw", ["tests/firmware"], 0.95),
    "board": (
        "host/cribboard/board",
        [
            "tests/board",
            *("tests/faults/test_machine.py", "tests/faults/test_ruined.py"),
            *("tests/service/test_sharing.py", "tests/service/test_games_won.py"),
        ],
        0.9,
    ),
    "store": ("host/cribboard/store", ["tests/store"], 0.9),
    "service": (
        "host/cribboard/service",
        ["tests/service", "tests/web/test_night.py", "tests/web/test_moving.py"],
        0.9,
    ),
    "referee": (
        "host/cribboard/referee",
        ["tests/referee", "tests/playing", *(f"tests/service/test_{name}.py" for name in WATCHED)],
        0.9,
    ),
    "hardware": ("host/cribboard/hardware", ["tests/hardware"], 0.9),
}
ON_CHIPS = ("hardware.py",)  # runs on a chip alone, where tests/pico tries it
COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMPUTED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Add,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}


class Mutant(NamedTuple):
    """A changed module; its path is that in the package."""

    path: Path
    line: int
    what: str
    text: str

    def place(self, code: str) -> str:
        """Where it is, in the code of a package, and what it changes."""
        return f"{code}/{self.path}:{self.line}: {self.what}"


def changes(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """What may stand in the place of a node, and how one says that."""
    new = copy.deepcopy(node)
    if isinstance(new, ast.Compare) and len(new.ops) == 1 and type(new.ops[0]) in COMPARED:
        new.ops[0] = COMPARED[type(new.ops[0])]()
        yield new, "another comparison"
    elif isinstance(new, (ast.BinOp, ast.AugAssign)) and type(new.op) in COMPUTED:
        new.op = COMPUTED[type(new.op)]()
        yield new, "another operation"
    elif isinstance(new, ast.BoolOp):
        new.op = ast.Or() if isinstance(new.op, ast.And) else ast.And()
        yield new, "and, or"
    elif isinstance(new, ast.UnaryOp) and isinstance(new.op, ast.Not):
        yield new.operand, "no not"
    elif isinstance(new, ast.Constant) and type(new.value) is int:
        yield ast.Constant(new.value + 1), "one more"
    elif isinstance(new, ast.Constant) and type(new.value) is bool:
        yield ast.Constant(not new.value), "the other truth"
    elif isinstance(new, (ast.If, ast.While)):
        new.test = ast.UnaryOp(ast.Not(), new.test)
        yield new, "the other branch"
    elif isinstance(new, ast.Return) and new.value is not None and not isinstance(new.value, ast.Constant):
        yield ast.Return(ast.Constant(None)), "returns None"
    elif isinstance(new, (ast.Assign, ast.AugAssign, ast.Raise, ast.Continue, ast.Break)) or (
        isinstance(new, ast.Expr) and not isinstance(new.value, ast.Constant)
    ):
        yield ast.Pass(), "left out"


def places(tree: ast.Module) -> list[tuple[ast.AST, str, int | None]]:
    """Where a module can be changed: the parent, its field, and the place in that. Types are left as they are."""
    result: list[tuple[ast.AST, str, int | None]] = []
    left: list[ast.AST] = [tree]
    while left:
        parent = left.pop(0)
        if isinstance(parent, ast.If) and isinstance(parent.test, ast.Name) and parent.test.id == "TYPE_CHECKING":
            continue
        for name, value in ast.iter_fields(parent):
            if name in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            children = enumerate(value) if isinstance(value, list) else [(None, value)]
            for place, child in children:
                if isinstance(child, ast.AST):
                    result.append((parent, name, place))
                    left.append(child)
    return result


def mutants(folder: Path, chance: random.Random) -> Iterator[Mutant]:
    """Mutants of a package, in an order that the seed draws, for ever."""
    paths = [
        path for path in sorted(folder.rglob("*.py")) if path.name not in ON_CHIPS and "migrations" not in path.parts
    ]
    sizes = [path.stat().st_size for path in paths]
    while True:
        path = chance.choices(paths, sizes)[0]
        source = path.read_text("utf-8")
        tree = ast.parse(source)
        parent, name, place = chance.choice(places(tree))
        child = getattr(parent, name) if place is None else getattr(parent, name)[place]
        for new, what in changes(child):
            if place is None:
                setattr(parent, name, new)
            else:
                getattr(parent, name)[place] = new
            before = ast.get_source_segment(source, child) or ""
            after = ast.unparse(ast.fix_missing_locations(new)).splitlines()[0] if not isinstance(new, ast.Pass) else ""
            line = getattr(child, "lineno", 0)
            change = f"{what}: `{before.splitlines()[0] if before else ''}`, `{after}`"
            yield Mutant(path.relative_to(folder), line, change, ast.unparse(ast.fix_missing_locations(tree)))


class Near(NamedTuple):
    """Tests that run a line, how many seconds they take together, and how many the longest of them."""

    names: Sequence[str]
    seconds: float
    longest: float


def notices(copied: Path, tests: Near) -> bool:
    """Whether tests fail in the copied project."""
    hangs = f"--timeout={START_S + MOST_TIMES * tests.longest:.0f}"
    words = ["-x", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-seed=1", hangs, *tests.names]
    return _pytest(copied, words, START_S + MOST_TIMES * tests.seconds) != 0


def _pytest(copied: Path, words: Sequence[str], most_s: float) -> int:
    """The exit status of tests in the copied project; 1 when they do not end in time."""
    paths = [str(copied / part) for part in ("host", "firmware/lib", "tests")]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", *words],
        cwd=copied,
        env=environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=partial(_limit, round(most_s)),
    ) as process:
        try:
            return process.wait(most_s + WAIT_S)
        except subprocess.TimeoutExpired:
            return 1
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # with what a test has started


def _limit(most_cpu_s: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (most_cpu_s, most_cpu_s))


class Closest:
    """Which tests run a line, the quickest first; from one run of a package's tests under coverage.

    What runs on import is a name, whichever test imports it first; what uses the name stands for it.
    """

    def __init__(self, copied: Path, code: str, tests: Sequence[str]) -> None:
        said = copied / "durations.xml"
        cover = [f"--cov={copied / code}", "--cov-context=test", "--cov-report=", f"--junitxml={said}"]
        self.failed = _pytest(copied, ["-n", "2", "-p", "no:cacheprovider", *cover, *tests], FIRST_S) != 0
        self._copied = copied
        self._code = copied / code
        self._data = coverage.CoverageData(str(copied / ".coverage"))
        self._data.read()
        self._seconds: dict[str, float] = {}  # with any arguments
        for case in ElementTree.parse(said).iter("testcase"):
            name = f"{_place(copied, case.get('classname', ''))}::{case.get('name', '').partition('[')[0]}"
            self._seconds[name] = self._seconds.get(name, 0.0) + float(case.get("time", 0))

    def __call__(self, path: Path, line: int) -> Near:
        """The tests that run a line."""
        lines = self._data.contexts_by_lineno(str(self._code / path))
        at = max((known for known in lines if known <= line), default=0)
        whole = ast.parse((self._code / path).read_text("utf-8"))
        near = self._run(path, [at]) if _in_a_function(whole, line) else set()
        near = near or self._of_a_statement(whole, path, line)
        names = sorted(near, key=lambda name: (self._seconds[name], name))[:MOST_TESTS]
        seconds = [self._seconds[name] for name in names]
        return Near(names, sum(seconds), max(seconds, default=0.0))

    def _of_a_statement(self, whole: ast.Module, path: Path, line: int) -> set[str]:
        """The tests that run what a module's statement is there for; all of the package, if that cannot be said."""
        statement = next((one for one in whole.body if one.lineno <= line <= (one.end_lineno or 0)), None)
        if statement is None:
            return set(self._seconds)
        names = {
            part.id for part in ast.walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            near = self._run(path, range(statement.lineno, (statement.end_lineno or 0) + 1))
        else:
            near = {test for other in self._code.rglob("*.py") for test in self._run(other, _uses(other, names))}
            files = {test.partition("::")[0] for test in self._seconds}
            files = {file for file in files if any(_uses(self._copied / file, names))}
            near |= {test for test in self._seconds if test.partition("::")[0] in files}
        return near or set(self._seconds)

    def _run(self, path: Path, lines: Iterable[int]) -> set[str]:
        known = self._data.contexts_by_lineno(str(self._code / path))
        tests = {test for line in lines for test in known.get(line, []) if test}
        return {test.partition("|")[0].partition("[")[0] for test in tests}  # with any arguments: these may be changed


def _place(copied: Path, dotted: str) -> str:
    """The file of a test, and its class if it is in one, as pytest writes them."""
    parts = dotted.split(".")
    for size in range(len(parts), 0, -1):
        path = "/".join(parts[:size]) + ".py"
        if (copied / path).is_file():
            return "::".join([path, *parts[size:]])
    raise FileNotFoundError(dotted)


def _in_a_function(whole: ast.Module, line: int) -> bool:
    """Whether a module runs a line in a function alone, and not as it is imported."""
    functions = [part for part in ast.walk(whole) if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return any(function.body[0].lineno <= line <= (function.end_lineno or 0) for function in functions)


def _uses(path: Path, names: Container[str]) -> Iterator[int]:
    """The lines of a module that use one of these names."""
    for part in ast.walk(ast.parse(path.read_text("utf-8"))):
        name = part.id if isinstance(part, ast.Name) else part.attr if isinstance(part, ast.Attribute) else ""
        if name in names:
            yield part.lineno


class Trial:
    """Tries mutants of a package, each on a copy of the project that no other has."""

    def __init__(self, code: str, closest: Closest, copies: Sequence[Path]) -> None:
        self._code, self._closest = code, closest
        self._free: queue.SimpleQueue[Path] = queue.SimpleQueue()
        for copied in copies:
            self._free.put(copied)

    def __call__(self, mutant: Mutant) -> bool:
        """Whether a test notices a mutant; none does when no test runs its module."""
        tests = self._closest(mutant.path, mutant.line)
        copied = self._free.get()
        path = copied / self._code / mutant.path
        before = path.read_text("utf-8")
        try:
            path.write_text(mutant.text, "utf-8")
            return bool(tests.names) and notices(copied, tests)
        finally:
            path.write_text(before, "utf-8")
            self._free.put(copied)


def main() -> int:
    parser = argparse.ArgumentParser(description="Planted bugs that the closest tests have to notice.")
    parser.add_argument("package", choices=PACKAGES)
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--after", type=int, default=0, help="leave out so many, which an earlier run has tried")
    parser.add_argument("--again", type=Path, metavar="FILE", help="only those that are named in what was printed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="try so many at a time")
    asked = parser.parse_args()
    code, tests, promised = PACKAGES[asked.package]
    began, survived = time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="mutants") as folder:
        copies = [Path(folder) / f"project-{number}" for number in range(asked.jobs)]
        for copied in copies:
            left_out = shutil.ignore_patterns(".git", ".venv", "__pycache__", "build")
            shutil.copytree(ROOT, copied, ignore=left_out, symlinks=True)
        closest = Closest(copies[0], code, tests)
        if closest.failed:
            print("the tests fail without any mutant", file=sys.stderr)
            return 2
        drawn = list(islice(mutants(ROOT / code, random.Random(asked.seed)), asked.after, asked.after + asked.mutants))
        if asked.again:
            named = asked.again.read_text("utf-8").splitlines()
            drawn = [mutant for mutant in drawn if mutant.place(code) in named]
        with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
            for mutant, killed in zip(drawn, pool.map(Trial(code, closest, copies), drawn), strict=True):
                survived += not killed
                place = mutant.place(code)
                print(f"noticed: {place}" if killed else place, file=sys.stderr if killed else sys.stdout, flush=True)
    noticed = len(drawn) - survived
    print(f"{asked.package}: {noticed} of {len(drawn)} noticed, in {time.monotonic() - began:.0f} s")
    return 0 if noticed >= promised * len(drawn) else 1


if __name__ == "__main__":
    sys.exit(main())
