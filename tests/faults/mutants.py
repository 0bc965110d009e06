"""Planted bugs by the dozen: small changes of the code, one at a time, each of which the closest tests have to notice.

    python -m faults.mutants core --mutants 300 --seed 1

(in the folder tests). It works on a copy of the project. A mutant is one changed comparison, sum, number, condition or
statement, drawn by the seed; the tests named after its module run first, then the package's. What no test notices is
printed, and needs a test or a reason. The exit status is 1 when fewer are noticed than the package promises.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
TIMES_S = 600.0  # a mutant that runs so long never ends: noticed
PACKAGES = {  # where the code is, which tests belong to it, and what share of its mutants they have to notice
    "core": ("firmware/lib/cribboard_core", ["tests/core"], 0.95),
    "firmware": ("firmware/lib/cribboard_fw", ["tests/firmware"], 0.95),
    "board": ("host/cribboard/board", ["tests/board", "tests/faults/test_machine.py"], 0.9),
    "store": ("host/cribboard/store", ["tests/store"], 0.9),
    "service": ("host/cribboard/service", ["tests/service"], 0.9),
    "referee": ("host/cribboard/referee", ["tests/referee", "tests/playing"], 0.9),
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
    """A changed module."""

    path: Path
    line: int
    what: str
    text: str


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
    found: list[tuple[ast.AST, str, int | None]] = []
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
                    found.append((parent, name, place))
                    left.append(child)
    return found


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
            told = f"{what}: `{before.splitlines()[0] if before else ''}`, `{after}`"
            yield Mutant(path, line, told, ast.unparse(ast.fix_missing_locations(tree)))


def notices(copied: Path, tests: list[str]) -> bool:
    """Whether tests fail in the copied project."""
    paths = [str(copied / part) for part in ("host", "firmware/lib")]
    words = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", *tests]
    try:
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        done = subprocess.run(words, cwd=copied, env=environ, capture_output=True, timeout=TIMES_S, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def closest(copied: Path, path: Path, tests: list[str]) -> list[str]:
    """The tests that are named after a module."""
    folder = copied / tests[0]
    return [str(each.relative_to(copied)) for each in sorted(folder.glob(f"test_{path.stem}*.py"))]


def main() -> int:
    parser = argparse.ArgumentParser(description="Planted bugs that the closest tests have to notice.")
    parser.add_argument("package", choices=PACKAGES)
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    code, tests, promised = PACKAGES[asked.package]
    chance, began, survived = random.Random(asked.seed), time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="mutants") as folder:
        copied = Path(folder) / "project"
        shutil.copytree(
            ROOT, copied, ignore=shutil.ignore_patterns(".git", ".venv", "node_modules", "__pycache__", "build")
        )
        if notices(copied, tests):
            print("the tests fail without any mutant", file=sys.stderr)
            return 2
        drawn = mutants(copied / code, chance)
        for _ in range(asked.mutants):
            mutant = next(drawn)
            before = mutant.path.read_text("utf-8")
            mutant.path.write_text(mutant.text, "utf-8")
            near = closest(copied, mutant.path, tests)
            found = (bool(near) and notices(copied, near)) or notices(copied, tests)
            survived += not found
            place = f"{mutant.path.relative_to(copied)}:{mutant.line}: {mutant.what}"
            print(place if not found else f"noticed: {place}", file=sys.stderr if found else sys.stdout, flush=True)
            mutant.path.write_text(before, "utf-8")
    share = 1 - survived / asked.mutants
    print(
        f"{asked.package}: {asked.mutants - survived} of {asked.mutants} noticed, in {time.monotonic() - began:.0f} s"
    )
    return 0 if share >= promised else 1


if __name__ == "__main__":
    sys.exit(main())
