"""The mirror shows what the strips of a virtual board show, light by light."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from cribboard.board.client import Board
from cribboard.board.messages import Standing
from cribboard.connect import hold_board
from cribboard.sim.board import Strip, Tone, VirtualBoard
from cribboard.sim.mirror import Mirror
from cribboard_core.match import Match

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the virtual board needs pseudo-terminals")

CYCLE_MS = 2_200  # what blinks begins again after two seconds
STEP_MS = 25
SETTLED_MS = 8_000  # the start's sweep, or a win's comets and the picture behind them, at ten milliseconds a turn
SETTINGS = """
BRIGHTNESS = 100
CURRENT_LIMIT_MA = 3050
SUPPLY_MA = 8000
FUSE_MA = 4000
LEDS_PER_TRACK = {leds}
STRIP_PINS = "{pins}"
UNDO_PIN = "GP12"
DEAL_PIN = "GP13"
"""

Frames = list[set[bytes]]  # what each track shows in one cycle


@contextmanager
def bright(leds: int, tracks: int) -> Iterator[tuple[VirtualBoard, Board]]:
    """A board that nothing dims, and whose time the test lets pass."""
    pins = " ".join(["GP2", "GP3", "GP4", "GP5"][:tracks])
    text = SETTINGS.format(leds=leds, pins=pins)
    with VirtualBoard(name="bright", settings=text, stepped=True) as virtual:
        virtual.pass_time(SETTLED_MS)
        with hold_board(virtual.port) as board:
            yield virtual, board


def strips_of(virtual: VirtualBoard, tracks: int) -> Frames:
    """The frames of the true strips over one cycle."""
    frames: dict[str, set[bytes]] = {}

    def watch(news: Strip | Tone) -> None:
        if isinstance(news, Strip):
            frames.setdefault(news.pin, set()).add(bytes(byte for pixel in news.pixels for byte in pixel))

    for strip in virtual.strips().values():
        watch(strip)
    leave = virtual.subscribe(watch)
    virtual.pass_time(CYCLE_MS)
    virtual.strips()  # the last frame has come before this answer
    leave()
    return [frames[pin] for pin in ("GP2", "GP3", "GP4", "GP5")[:tracks]]


def mirrored(mirror: Mirror, tracks: int, began_ms: int = 20_000) -> Frames:
    """And of the mirror."""
    frames: Frames = [set() for _ in range(tracks)]
    for now in range(began_ms, began_ms + CYCLE_MS, STEP_MS):
        shown = mirror.frame(now)
        for track, frame in enumerate(shown or ()):
            frames[track].add(frame)
    return frames


def brightest(frames: set[bytes]) -> list[int]:
    return [max(lights) for lights in zip(*frames, strict=True)]


def same(board: Board, virtual: VirtualBoard, tracks: int, leds: int) -> None:
    """A board that is busy may miss a step of a rhythm, but shows no light that the mirror does not."""
    board.poll(0.05)
    mirror = Mirror(tracks, leds)
    mirror.show(board.standing, {side: points for side, (points, _) in board.waiting.items()})
    mine, theirs = mirrored(mirror, tracks), strips_of(virtual, tracks)
    for track in range(tracks):
        assert theirs[track] <= mine[track]
        assert brightest(theirs[track]) == brightest(mine[track])


@pytest.mark.unmeasured
@pytest.mark.parametrize(("players", "sides", "tracks", "leds"), [(2, 2, 2, 121), (3, 3, 3, 121), (4, 2, 2, 61)])
def test_the_mirror_is_the_true_strip_in_every_steady_scene(players: int, sides: int, tracks: int, leds: int) -> None:
    with bright(leds, tracks) as (virtual, board):
        board.new(121, (1 << players) - 1, sides)
        virtual.pass_time(SETTLED_MS // 2)
        same(board, virtual, tracks, leds)
        board.peg(0, 10)
        board.peg(0, 4)
        board.peg(1, 14)
        board.next_deal()
        board.pend(1, 7)
        virtual.pass_time(300)
        same(board, virtual, tracks, leds)
        for side in board.match.sides:
            board.set_score(side, 70 + side * 15, 3)
        virtual.pass_time(300)
        same(board, virtual, tracks, leds)
        board.set_score(0, 115, 110)
        board.peg(0, 6)
        virtual.pass_time(SETTLED_MS)
        same(board, virtual, tracks, leds)


def test_a_frame_is_told_once_and_again_when_something_changes() -> None:
    mirror = Mirror(2, 121)
    assert mirror.frame(0) is None
    begun = replace(Standing.of(Match()), fronts=(3, 0))
    mirror.show(begun, {})
    first = mirror.frame(20_000)
    assert first is not None
    assert [len(track) for track in first] == [363, 363]
    assert mirror.frame(20_000) is None
    mirror.show(begun, {})
    assert mirror.frame(20_000) is None
    mirror.show(begun, {0: 2, 1: 99})
    waiting = mirror.frame(20_010)
    assert waiting is not None
    assert waiting[0] != first[0]
    assert waiting[1] == first[1]
