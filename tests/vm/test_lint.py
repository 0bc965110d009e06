"""The firmware keeps to what CircuitPython has, and to sizes that a Pico can compile."""

from __future__ import annotations

from pathlib import Path

import pytest
from vm.board_lint import RULES, Rule, imported, mistakes

FIRMWARE = Path(__file__).parents[2] / "firmware"
LIB = FIRMWARE / "lib"
SOURCES = sorted(set(FIRMWARE.rglob("*.py")) - set(FIRMWARE.glob("wire/*.py")))  # which run on computers
# A 20 KB module takes 0.4 s to import and 27 KB takes 110 KB of heap while it compiles, of the Pico's 149.
MOST_A_MODULE = 12 * 1024
# 134 KB, a third of it docstrings and comments, took 2.2 s to import on the emulated Pico and left 86 KB free with two
# tracks; what counts is that the board is lit within 3 s and keeps 64 KB, which tests/pico measures.
MOST_AT_PLAY = 154 * 1024
LET_GO = {"settings.py", "bring_up.py", "at_power_on.py", "mount.py", "gap.py"}  # before the app starts
WITH_RADIO = {
    "network.py",
    "radio.py",
    "net.py",
    "phones.py",
    "hosts.py",
    "links.py",
}  # and only if settings.toml has a network
HOST_ONLY = {"aloud.py", "cards.py", "deal.py", "play.py", "sizes.py"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_rule_catches_its_mistakes_and_nothing_else(rule: Rule) -> None:
    for text in rule.wrong:
        assert any(mistake.endswith(f": {rule.name}") for mistake in mistakes(text)), text
    for text in rule.right:
        assert mistakes(text) == [], text


def test_a_mistake_is_reported_with_its_place() -> None:
    assert mistakes("a = 1\nb = [*a]\n", "cards.py") == ["cards.py:2: a star inside a list, tuple or set"]


def test_what_only_the_type_checker_reads_may_use_anything() -> None:
    assert mistakes("if TYPE_CHECKING:\n    from typing import Any\n    Cards = list[int]\n") == []


def test_hardware_py_may_import_hardware_and_use_floats() -> None:
    assert mistakes("import board\nINTERVAL_S = 0.005\n", "hardware.py") == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(FIRMWARE)))
def test_the_firmware_uses_only_what_the_board_has(path: Path) -> None:
    assert mistakes(path.read_text("utf-8"), path.name) == []


def board_modules() -> list[Path]:
    return sorted(imported(FIRMWARE / "code.py", LIB))


def test_the_board_imports_the_core_and_leaves_the_hosts_modules_alone() -> None:
    names = {path.name for path in board_modules()}
    assert {"pack.py", "show.py", "match.py", "journal.py", "wire.py", "hardware.py", "app.py"} <= names
    assert names.isdisjoint(HOST_ONLY)


def test_no_two_modules_need_each_other() -> None:
    needs = {path: imported(path, LIB) - {path} for path in board_modules()}
    assert [path.name for path in needs for other in needs[path] if path in needs[other]] == []


def test_a_module_is_small_enough_to_be_compiled_on_the_board() -> None:
    sizes = {path.name: path.stat().st_size for path in board_modules()}
    assert {name: size for name, size in sizes.items() if size > MOST_A_MODULE} == {}


def test_all_modules_that_stay_while_the_board_plays_are_small_enough() -> None:
    stay = [path for path in board_modules() if path.name not in LET_GO | WITH_RADIO]
    assert sum(path.stat().st_size for path in stay) <= MOST_AT_PLAY


def test_only_what_a_network_is_set_for_imports_what_serves_it() -> None:
    before = imported(FIRMWARE / "code.py", LIB, without="cribboard_fw.network")
    assert {path.name for path in board_modules()} - {path.name for path in before} == WITH_RADIO
