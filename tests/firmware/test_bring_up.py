"""Bring-up on the board: the walk, a light for each button, and what a host may ask for."""

from __future__ import annotations

import pytest
from firmware.chip import FIRMWARE, Chip
from firmware.rig import Port, Strip

from cribboard_core.wire import Lines, encode
from cribboard_fw.bring_up import BLOCK, COLOURS, STEP_MS, BringUp, carry_out
from cribboard_fw.power import CHANNEL_MA, idle_ma
from cribboard_fw.settings import Settings

LEDS, TRACKS, KEYS = 121, 2, 8
SETTINGS = Settings((FIRMWARE / "settings.toml").read_text(encoding="utf-8"))


class Parts:
    """What the app works with, by hand."""

    def __init__(self) -> None:
        self.strips = [Strip(LEDS) for _ in range(TRACKS)]
        self.port = Port()
        self.port.connected = False
        self.uid, self.shared = "e661", KEYS - 2
        self.edges: list[tuple[int, bool, int]] = []
        self.tones: list[int] = []

    def key(self) -> tuple[int, bool, int] | None:
        return self.edges.pop(0) if self.edges else None

    def tone(self, hertz: int, level: int) -> None:
        self.tones.append(hertz)

    def lit(self, track: int) -> dict[int, int]:
        return {led: colour for led, colour in enumerate(self.strips[track]) if colour}

    def asks(self, board: BringUp, *message: object) -> list[list[object]]:
        self.port.connected, self.port.outbox = True, b""
        self.port.inbox += encode(list(message))
        for _ in range(3):
            board.step(0)
        return Lines().feed(self.port.outbox)


@pytest.fixture
def parts() -> Parts:
    return Parts()


@pytest.fixture
def board(parts: Parts) -> BringUp:
    return BringUp(parts, SETTINGS, 0)


def test_the_walk_shows_every_light_in_every_colour(parts: Parts, board: BringUp) -> None:
    seen = set()
    for turn in range(TRACKS * (LEDS + BLOCK) * len(COLOURS)):
        board.step((turn + 1) * STEP_MS)
        lit = [parts.lit(track) for track in range(TRACKS)]
        assert sum(map(len, lit)) <= BLOCK
        assert parts.tones, "each colour begins with its tone"
        seen |= {(track, led, colour) for track in range(TRACKS) for led, colour in lit[track].items()}
    assert seen == {
        (track, led, red << 16 | green << 8 | blue)
        for track in range(TRACKS)
        for led in range(LEDS)
        for red, green, blue in COLOURS
    }
    assert {hertz for hertz in parts.tones if hertz} == {262, 330, 392, 523}
    assert parts.tones[-1] == 0, "no tone goes on"


def test_the_white_of_the_walk_is_its_red_green_and_blue_together() -> None:
    *colours, white = COLOURS
    assert tuple(map(sum, zip(*colours, strict=True))) == white


def test_each_button_has_a_light_of_its_own_while_it_is_held(parts: Parts, board: BringUp) -> None:
    places = []
    for key in range(KEYS):
        parts.edges = [(key, True, 0)]
        board.step(STEP_MS)
        board.step(9 * STEP_MS)
        (place,) = parts.lit(0)
        places.append(place)
        parts.edges = [(key, False, 0)]
        board.step(STEP_MS)
    assert len(set(places)) == KEYS
    parts.edges = [(-1, False, 0)]  # a queue that overflowed
    board.step(STEP_MS)


def test_a_button_interrupts_the_walk_wherever_it_is(parts: Parts, board: BringUp) -> None:
    for turn in range(LEDS + BLOCK + 9):
        board.step((turn + 1) * STEP_MS)
    assert parts.lit(1), "the walk is on the second track"
    for pressed, lights in ((True, 1), (False, 0)):
        parts.edges = [(2, pressed, 0)]
        board.step((turn + 1) * STEP_MS)
        assert (len(parts.lit(0)), parts.lit(1)) == (lights, {})


def test_a_host_gets_the_light_that_it_asks_for_within_the_limit(parts: Parts, board: BringUp) -> None:
    assert parts.asks(board, "bring-up", 7) == [["bring-up", 7, "e661", TRACKS, LEDS, KEYS, "GRB", 450]]
    assert parts.asks(board, "light", 8, 1, 30, 60, 0, 60, 0) == [["light", 8, 256]]
    assert (parts.lit(0), parts.lit(1)) == ({}, dict.fromkeys(range(30, 60), 60 << 8))
    ((_, _, scale),) = parts.asks(board, "light", 9, 0, 0, LEDS, 255, 255, 255)
    white = parts.lit(0)[0] & 255
    assert isinstance(scale, int) and 0 < scale < 256 and len(parts.lit(0)) == LEDS and not parts.lit(1)
    assert idle_ma(TRACKS * LEDS) + 3 * LEDS * white * CHANNEL_MA / 255 <= 450
    assert parts.asks(board, "tone", 10, 440) == [["tone", 10]] and parts.tones[-1] == 440
    parts.edges = [(3, True, 0)]
    board.step(0)
    assert Lines().feed(parts.port.outbox)[-1] == ["key", 3, 1]


def test_the_walk_goes_on_when_the_host_has_gone(parts: Parts, board: BringUp) -> None:
    parts.asks(board, "light", 8, 1, 30, 60, 0, 60, 0)
    board.step(1000)
    assert parts.lit(1)
    parts.port.connected = False
    board.step(2000)
    assert not parts.lit(1)


@pytest.mark.parametrize(
    "message",
    [
        *(["light", 1, 2, 0, 9, 0, 0, 0], ["light", 1, -1, 0, 9, 0, 0, 0], ["light", 1, 0, 0, 9, 0, 0, 256]),
        *(
            ["light", 1, 0, 0, 9, 0, -1, 0],
            ["light", 1, 0, 0, 9, 256, 0, 0],
            ["light", 1],
            ["tone", 1, 5001],
            ["tone", 1, -1],
            ["end", 1, 1],
        ),
        *(["hello", 1, 2], ["peg", 1, 1], ["bring-up", 1, 2]),
    ],
)
def test_what_cannot_be_is_refused(parts: Parts, board: BringUp, message: list[object]) -> None:
    ((op, *rest),) = parts.asks(board, *message)
    assert (op, rest[:3]) == ("no", [0, 1, "op"])
    assert not board.over


@pytest.mark.parametrize("message", [["light"], ["light", "1"], ["light", True], ["light", 0], ["light", 256], [1]])
def test_what_is_no_request_gets_no_answer(parts: Parts, board: BringUp, message: list[object]) -> None:
    assert parts.asks(board, *message) == []


@pytest.mark.parametrize("leds", [(-5, 500), (500, 600), (9, 3), (-9, -3)])
def test_lights_that_are_not_there_stay_dark(parts: Parts, board: BringUp, leds: tuple[int, int]) -> None:
    parts.asks(board, "light", 1, 0, *leds, 1, 1, 1)
    assert len(parts.strips[0]) == LEDS
    assert len(parts.lit(0)) == (LEDS if leds == (-5, 500) else 0)


def test_a_host_lets_the_board_go_on_to_its_game(parts: Parts) -> None:
    parts.port.connected = True
    parts.port.inbox = encode(["end", 1])
    carry_out(parts, SETTINGS, lambda: 0, lambda: None)
    assert parts.tones[-1] == 0


def test_held_at_power_on_plus_one_and_undo_start_it(monkeypatch: pytest.MonkeyPatch) -> None:
    chip = Chip(monkeypatch)
    chip.life(400)
    start = chip.now
    chip.down, chip.port.connected = [0, 6], False
    chip.edges = [(number, False, start + 4_000) for number in (0, 6)]
    chip.life(9_000)
    walked = [{colour for colour in picture if colour} for picture in chip.strips[0].shown[-20:]]
    assert {48 << 16} in walked
    assert chip.watchdog.fed > 1000 and chip.resets == 0
