"""Mutants are changed in one place, can be compiled, and are the same for the same seed."""

from __future__ import annotations

import ast
import random
from itertools import islice
from pathlib import Path

import pytest
from faults.mutants import PACKAGES, ROOT, Closest, Near, changes, mutants, notices

BEFORE = '''"""A module."""
def more(left: int, right: int) -> bool:
    """Whether it is more."""
    if not left:
        return left - right > 3 and True
    left += 1
    right = left
    return False
'''


def test_a_mutant_differs_in_one_place_and_is_drawn_by_the_seed(tmp_path: Path) -> None:
    (tmp_path / "more.py").write_text(BEFORE)
    plain = ast.unparse(ast.parse(BEFORE)).splitlines()
    drawn = list(islice(mutants(tmp_path, random.Random(1)), 60))
    assert drawn == list(islice(mutants(tmp_path, random.Random(1)), 60))
    for mutant in drawn:
        compile(mutant.text, "more.py", "exec")
        changed = mutant.text.splitlines()
        assert len(changed) == len(plain) and sum(one != other for one, other in zip(changed, plain, strict=True)) == 1
    assert {mutant.what.split(":")[0] for mutant in drawn} >= {"another comparison", "no not", "one more", "left out"}


def test_a_docstring_is_no_place_for_a_bug() -> None:
    assert list(changes(ast.parse('"text"').body[0])) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_has_its_tests(package: str) -> None:
    code, tests, _ = PACKAGES[package]
    assert list((ROOT / code).glob("*.py")) and all((ROOT / test).exists() for test in tests)


def test_a_failing_test_notices(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text("def test_one() -> None:\n    assert 1 == 2\n")
    assert notices(tmp_path, Near(["test_one.py"], 1.0, 1.0))
    (tmp_path / "test_one.py").write_text("def test_one() -> None:\n    assert 1 == 1\n")
    assert not notices(tmp_path, Near(["test_one.py"], 1.0, 1.0))


def test_closest_to_a_name_are_the_tests_that_use_it_or_run_what_does(tmp_path: Path) -> None:
    (tmp_path / "host").mkdir()
    (tmp_path / "host" / "limits.py").write_text("MOST = 3\nNOT_USED = 4\n")
    (tmp_path / "host" / "more.py").write_text(
        "from limits import MOST\ndef enough(n):\n    return n < MOST\ndef none():\n    return 0\n"
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_more.py").write_text(
        "from more import enough, none\n"
        "def test_enough():\n    assert enough(2)\n"
        "def test_none():\n    assert none() == 0\n"
        "def test_import():\n    import limits\n"
    )
    (tmp_path / "tests" / "test_limits.py").write_text(
        "class TestMost:\n    def test_most(self):\n        from limits import MOST\n        assert MOST\n"
    )
    closest = Closest(tmp_path, "host", ["tests"])
    assert not closest.failed
    users = {"tests/test_more.py::test_enough", "tests/test_limits.py::TestMost::test_most"}
    assert set(closest(Path("limits.py"), 1).names) == users
    assert closest(Path("more.py"), 5).names == ["tests/test_more.py::test_none"]
    assert len(closest(Path("limits.py"), 2).names) == 4
