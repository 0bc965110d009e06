"""A computer with a board at its ports, for the doctor to examine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from install.circuitpy import plug_in
from rigs.usb import Usb
from rigs.wired import Firmware, Time, Wire

from cribboard.board.transport import Transport
from cribboard.doctor.checks import World, examine
from cribboard.doctor.findings import Finding
from cribboard.drive import drive_files
from cribboard.errors import TransportError
from cribboard.install import plans
from cribboard.install.disk import Folder
from cribboard.install.plans import planned

CONSOLE = Usb("/dev/ttyACM0", interface="CircuitPython CDC control")
DATA = Usb("/dev/ttyACM1", interface="CircuitPython CDC2 control")
SPOKEN_S = 0.5


class Speaker:
    """A console that says something, then nothing, then is pulled out when it is told to be."""

    def __init__(self, time: Time, text: str, gone: bool = False) -> None:
        self.name = "console"
        self.time = time
        self.text = text
        self.gone = gone

    def read(self) -> bytes:
        self.time.pause(SPOKEN_S)
        if not self.text and self.gone:
            raise TransportError("gone")
        said, self.text = self.text[:7], self.text[7:]
        return said.encode()

    def write(self, data: bytes) -> None:
        """Nobody answers."""

    def close(self) -> None:
        """Nothing to let go."""


class Bench:
    """A computer with a board at its ports; `answers` and `says` are what the two ports do."""

    def __init__(self, tmp_path: Path) -> None:
        self.time = Time()
        self.proc = tmp_path / "proc"
        self.by_id = tmp_path / "by-id"
        self.drives: list[Path] = []
        self.ports: list[Usb] = [CONSOLE, DATA]
        self.says: dict[str, str] = {}
        self.fails: dict[str, Exception] = {}
        self.firmware: Firmware | None = Firmware()

    def world(self, **others: Any) -> World:
        return World(
            ports=lambda: self.ports,
            by_id=self.by_id,
            places=lambda: self.drives,
            proc=self.proc,
            reach=self._reach,
            clock=self.time,
            **others,
        )

    def findings(self, port: str | None = None, drive: str | None = None) -> list[Finding]:
        return examine(self.world(), port, drive)

    def wrong(self, drive: str | None = None) -> list[str]:
        return [finding.code for finding in self.findings(drive=drive) if finding.wrong]

    def process(self, number: int, name: str, *opened: str) -> None:
        (self.proc / str(number) / "fd").mkdir(parents=True)
        (self.proc / str(number) / "comm").write_text(name + "\n")
        for descriptor, path in enumerate(opened):
            (self.proc / str(number) / "fd" / str(descriptor)).symlink_to(path)

    def _reach(self, port: str) -> Transport:
        if port in self.fails:
            self.time.pause(SPOKEN_S)
            raise self.fails[port]
        if port == DATA.device and self.firmware:
            return Wire(self.firmware, self.time)
        return Speaker(self.time, self.says.get(port, ""))


def installed(folder: Path) -> Path:
    """A drive with the firmware."""
    disk = Folder(plug_in(folder))
    plans.carry_out(disk, planned(disk, drive_files().contents()))
    return folder
