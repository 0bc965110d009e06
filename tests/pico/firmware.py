"""The firmware as a maker copies it, on an emulated board: its drive, its start, and questions over the wire."""

from __future__ import annotations

from collections.abc import Mapping

from pico import drive
from pico.emulator import Pico

from cribboard.drive import drive_files
from cribboard.install.compiled import compiled
from cribboard_core.wire import PROTOCOL, Lines, encode


def firmware_files(
    extra: Mapping[str, bytes] | None = None, *, source: bool = False, radio: bool = False
) -> dict[str, bytes]:
    """Every file that `cribboard install` gives a maker's drive, or with `source` that `install --source` does.

    They are as CircuitPython reads them from the drive, with `extra` over them; with a `radio` as a Pico 2 W gets them.
    """
    files = drive_files().contents(radio=radio)
    return drive.read_files(drive.from_files((files if source else compiled(files)) | dict(extra or {})))


class Wire:
    """Talks to the firmware on a board."""

    def __init__(self, pico: Pico) -> None:
        self.pico = pico
        self.boot()

    def boot(self) -> float:
        """Switches on, waits until the firmware answers, and returns the simulated ms that it took."""
        start = self.pico.now_ms
        self.pico.boot()
        self.lines = Lines()
        self.pushed: list[list[object]] = []
        self.hello = self.ask("hello", 1, PROTOCOL, limit_ms=8_000)
        return self.pico.now_ms - start

    def ask(self, *message: object, limit_ms: float = 1_000) -> list[object]:
        """The answer to a message; what is pushed before it is put on `pushed`."""
        self.pico.write(encode(list(message)))
        answers: list[list[object]] = []
        self.pico.run_until(lambda: self._answered(answers), f"answer to {message}", limit_ms=limit_ms, step_ms=1)
        return answers[0]

    def send(self, *message: object) -> None:
        """Sends a message whose answer nobody waits for."""
        self.pico.write(encode(list(message)))

    def _answered(self, answers: list[list[object]]) -> bool:
        for message in self.lines.feed(self.pico.read()):
            pushed = message[0] in ("ev", "say", "key") or message[:2] == ["pend", -1]
            (self.pushed if pushed else answers).append(message)
        return bool(answers)
