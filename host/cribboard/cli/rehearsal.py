"""A rehearsal of the bring-up: a virtual board with planted faults, and what one would see of it, in letters."""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cribboard.doctor.bring_up import hole, key_name
from cribboard.errors import CribboardError
from cribboard.sim.board import Strip, Tone, VirtualBoard

if TYPE_CHECKING:
    from cribboard.doctor.bring_up import People
    from cribboard.hardware.description import Description

PATIENCE_S = 60.0
KINDS = ("colours", "dark", "cut", "exchanged", "silent")
DARK = "."


@contextmanager
def started(described: Description, settings: str) -> Iterator[VirtualBoard]:
    """A virtual board in its bring-up, on a drive of its own that is thrown away."""
    buttons, first = described.buttons, described.tracks.pins[0]
    plus = next((pins[0] for pins in buttons.players if pins), "")
    if not plus:
        raise CribboardError("no player of this board has buttons", "its bring-up is started with +1 and UNDO")

    def pixels(board: VirtualBoard) -> Sequence[Sequence[int]]:
        strips = board.last_strips()
        return strips[first].pixels if first in strips else ()

    def dotted(board: VirtualBoard) -> bool:
        shown = pixels(board)
        return bool(shown) and all(any(pixel) for pixel in shown[4 : described.tracks.leds - 1 : 5])

    def walks(board: VirtualBoard) -> bool:
        return [pixel for pixel in pixels(board) if any(pixel)] == [(48, 0, 0)] * 10

    with tempfile.TemporaryDirectory() as folder, VirtualBoard(Path(folder), settings=settings) as board:
        ready = board.wait_for(lambda it: bool(pixels(it)), PATIENCE_S)
        board.press(plus)
        board.press(buttons.undo)
        board.reset()
        ready = ready and board.wait_for(lambda it: it.resets == 1, PATIENCE_S) and board.wait_for(dotted, PATIENCE_S)
        board.release(plus)
        board.release(buttons.undo)
        if not (ready and board.wait_for(walks, PATIENCE_S)):
            raise CribboardError("the virtual board did not start its bring-up", "try again when the computer is idle")
        yield board


class Rehearsal:
    """People before a board with faults: it says what they would see, presses what they are asked to, and asks them."""

    def __init__(
        self,
        board: VirtualBoard,
        described: Description,
        people: People,
        kinds: Sequence[str],
        chance: random.Random,
        streets: Sequence[range],
    ) -> None:
        tracks, buttons = described.tracks, described.buttons
        self._board, self._people, self._streets = board, people, streets
        self._strips, self._piezo = tracks.pins, described.piezo
        self._keys = [pin for pins in buttons.players for pin in pins] + [buttons.undo, buttons.deal]
        self._wired = dict(zip(self._keys, self._keys, strict=True))
        self._swapped = "colours" in kinds
        self._dead: set[tuple[int, int]] = set()  # track and light
        self._glowed: set[tuple[int, int]] = set()  # in a walk, with the faults
        self.planted = ["red and green are exchanged"] if self._swapped else []
        for kind in ("dark", "cut"):
            if kind in kinds:
                track, led = (0 if kind == "cut" else tracks.count - 1), chance.randrange(10, tracks.leds - 1)
                self._dead |= {(track, each) for each in range(led, led + 1 if kind == "dark" else tracks.leds)}
                said = f"is dark{' from there on' if kind == 'cut' else ''}"
                self.planted.append(f"{hole(led, tracks.leds, streets)} of track {track + 1} {said}")
        if "exchanged" in kinds:
            one, other = self._keys[0], self._keys[1]
            self._wired |= {one: other, other: one}
            self.planted.append(f"{self._name(one)} and {self._name(other)} are exchanged")
        if "silent" in kinds:
            silent = chance.choice(self._keys[2:])
            del self._wired[silent]
            self.planted.append(f"{self._name(silent)} is not connected")
        board.subscribe(self._watch)

    def ask(self, question: str, answers: Sequence[str]) -> str:
        """One of the answers, after what is seen or heard."""
        if "tones" in question:
            self._people.tell("You hear four rising tones." if self._piezo else "You hear nothing: there is no piezo.")
        else:
            walked = re.search(r"light of track (\d+) glow", question)
            for line in self._walked(int(walked[1]) - 1) if walked else self._seen():
                self._people.tell(line)
        return self._people.ask(question, answers)

    def tell(self, text: str) -> None:
        """A line to read; a button that is asked for is pressed."""
        self._people.tell(text)
        self._glowed.clear()
        asked = re.search(r"[Pp]ress (.*)\.$", text)
        if asked:
            pin = next(pin for pin in self._keys if self._name(pin) == asked[1])
            if pin in self._wired:
                self._board.tap(self._wired[pin])

    def _name(self, pin: str) -> str:
        return key_name(self._keys.index(pin), len(self._keys))

    def _watch(self, shown: Strip | Tone) -> None:
        if isinstance(shown, Strip) and shown.pin in self._strips:
            track = self._strips.index(shown.pin)
            self._glowed |= {(track, led) for led, pixel in enumerate(shown.pixels) if any(pixel)} - self._dead

    def _walked(self, track: int) -> Iterator[str]:
        """Which lights of a track glowed."""
        self._board.strips()  # so that all frames are heard
        yield from self._rows(track, lambda led: "*" if (track, led) in self._glowed else DARK)

    def _seen(self) -> Iterator[str]:
        """The letters of the colours that glow now; tracks that are dark are left out."""
        strips = self._board.strips()
        for track, pin in enumerate(self._strips):
            pixels = strips[pin].pixels
            letters = [DARK if (track, led) in self._dead else self._letter(pixel) for led, pixel in enumerate(pixels)]
            if any(any(pixel) for pixel in pixels):
                yield from self._rows(track, letters.__getitem__)

    def _letter(self, pixel: Sequence[int]) -> str:
        red, green, blue = (bool(channel) for channel in pixel)
        if self._swapped:
            red, green = green, red
        return {(0, 0, 0): DARK, (1, 0, 0): "r", (0, 1, 0): "g", (0, 0, 1): "b"}.get((red, green, blue), "w")

    def _rows(self, track: int, letter: Callable[[int], str]) -> Iterator[str]:
        yield f"You see on track {track + 1}, street by street:"
        for street in self._streets:
            yield f"  {street.start + 1:3} {''.join(map(letter, street))} {street.stop}"
