"""The firmware's buttons on the virtual board, which scans them as CircuitPython's keypad does."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from sim.standin import PATIENCE_S

from cribboard.board.find import look
from cribboard.sim.bench import Bench, Clock
from cribboard.sim.board import VirtualBoard
from cribboard.sim.flash import Flash
from cribboard.sim.process import BITE_S, ControlChannel
from cribboard.sim.shims.pins import Claims, EventQueue, keys_class

PLUS_1, PLUS_5, OK, UNDO = "GP6", "GP7", "GP8", "GP12"


def stands(board: VirtualBoard, rev: int, front: int) -> bool:
    """Whether it has this rev and this score before long."""
    ends = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends:
        standing = look(board.port)[1]
        if (standing.rev, standing.fronts) == (rev, (front, 0)):
            return True
        time.sleep(0.05)
    return False


def test_neither_a_spike_on_undo_nor_a_button_that_is_down_at_the_start_counts(tmp_path: Path) -> None:
    with VirtualBoard(tmp_path) as board:
        assert board.wait_for(lambda it: bool(it.last_strips()), PATIENCE_S)
        for pin in (PLUS_5, OK):
            board.tap(pin)
        assert stands(board, 1, 5)
        board.tap(UNDO, 1)
        for pin in (PLUS_1, OK):  # UNDO would take the score back before these
            board.tap(pin)
        assert stands(board, 2, 6)
        board.press(PLUS_1)
        board.reset()
        assert board.wait_for(lambda it: it.resets == 1, PATIENCE_S)
        assert stands(board, 2, 6)
        board.release(PLUS_1)
        for pin in (OK, PLUS_5, OK):
            board.tap(pin)
        assert stands(board, 3, 11)


def test_a_spike_is_none_however_late_the_computer_comes_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EventQueue.interrupts, "off", 1)
    ends = os.pipe()
    bench = Bench(Clock())
    channel = ControlChannel(bench, Flash(), *ends, about={})  # its thread does not run
    idle = SimpleNamespace(in_vain=lambda name: False, busy=lambda: None)
    pins = [SimpleNamespace(id=int(pin[2:])) for pin in (PLUS_1, UNDO)]
    keys = keys_class(bench, idle, Claims())(pins, value_when_pressed=False, interval=0.02, debounce_threshold=2)
    channel._do_tap({"pin": UNDO, "ms": 1})
    time.sleep(0.05)
    assert keys.events.get() is None
    channel._do_tap({"pin": PLUS_1, "ms": 30})
    time.sleep(0.2)
    press, release = keys.events.get(), keys.events.get()
    assert (press.pressed, release.pressed) == (True, False)
    assert release.timestamp - press.timestamp in (29, 30, 31)
    for end in ends:
        os.close(end)


def test_what_happens_while_a_question_is_answered_is_heard_after_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = os.pipe()
    bench = Bench(Clock())
    channel = ControlChannel(bench, Flash(), *ends, about={})  # its thread does not run
    bench.pushes.append({"count": 1})

    def strips(request: dict[str, object]) -> dict[str, object]:
        bench.pushes.append({"count": 3})  # by the program, which goes on
        return {"count": 2}

    monkeypatch.setattr(channel, "_do_strips", strips)
    channel._answer(b'{"do": "strips"}')
    channel._send()
    heard = [json.loads(line)["count"] for line in os.read(ends[0], 4096).splitlines()]
    assert heard == [1, 2, 3], "what is heard last is how it is"
    for end in ends:
        os.close(end)


def test_undo_and_deal_held_at_power_on_end_the_program(tmp_path: Path) -> None:
    with VirtualBoard(tmp_path) as board:
        assert board.wait_for(lambda it: bool(it.last_strips()), PATIENCE_S)
        for pin in (UNDO, "GP13"):
            board.press(pin)
        board.reset()
        assert board.wait_for(lambda it: it.resets == 1, PATIENCE_S)
        assert board.wait_for(lambda it: full(it, "GP2") and full(it, "GP3"), PATIENCE_S), "it shows how far it is"
        board.release(UNDO)
        assert board.wait_for(lambda it: "Code done running" in it.console(), PATIENCE_S)
        assert not board.wait_for(lambda it: it.resets > 1, 4 * BITE_S), "the console is not under the watchdog"


def full(board: VirtualBoard, pin: str) -> bool:
    """Whether white dots, five holes apart, stand along the whole of a track."""
    strip = board.last_strips().get(pin)
    return strip is not None and all(any(pixel) for pixel in strip.pixels[4:120:5])
