"""The keys of the board in a page, read by the firmware's buttons."""

from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import cribboard.site
from cribboard_fw.buttons import BOUNCE_MS, IN_PLAY, Buttons

CHIP = Path(cribboard.site.__file__).parent / "static" / "chip.py"


class Play:
    """A mode that remembers what was done."""

    where = IN_PLAY

    def __init__(self) -> None:
        self.done: list[str] = []

    def undo_down(self) -> None:
        """Nothing, until it is let go."""

    def undo(self) -> None:
        self.done.append("undo")


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The time in ms, as MicroPython's own time module tells it."""
    time_ms = SimpleNamespace(ms=5000)
    monkeypatch.setattr(time, "ticks_ms", lambda: time_ms.ms, raising=False)
    return time_ms


@pytest.fixture
def chip(now: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setitem(sys.modules, "page", ModuleType("page"))
    spec = importlib.util.spec_from_file_location("chip", CHIP)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("held_ms", "after_ms"), [(60, 0), (BOUNCE_MS, 0), (5, BOUNCE_MS - 5)])
def test_a_release_takes_effect_as_soon_as_the_key_was_down_for_long_enough(
    chip: ModuleType, now: SimpleNamespace, held_ms: int, after_ms: int
) -> None:
    keys, play = chip.Keys([chip.Pin("GP2")], value_when_pressed=False), Play()
    buttons = Buttons([], play)

    def turn(down: bool | None) -> None:
        if down is not None:
            keys.finger("GP2", down)
        edge = SimpleNamespace()
        while keys.events.get_into(edge):
            buttons.key(edge.key_number, edge.pressed, edge.timestamp)
        buttons.step(chip.clock.ticks_ms())

    turn(True)
    now.ms += held_ms
    turn(False)
    if after_ms:
        now.ms += after_ms - 1
        turn(None)
        assert play.done == []
        now.ms += 1
        turn(None)
    assert play.done == ["undo"]
