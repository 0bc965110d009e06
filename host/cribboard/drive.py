"""Where the firmware's own files are: what a Pico's drive is given, and what the virtual board runs."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from cribboard.errors import CribboardError

PACKAGES = ("cribboard_core", "cribboard_fw")
WITH_RADIO = ("hosts", "links", "net", "phones", "radio")  # modules: each name in a folder costs a start a little time
ANSWER = "lib/cribboard_fw/{}.http"  # of the board's server, by its status
HERE = Path(__file__).resolve().parent


class DriveError(CribboardError):
    """The firmware's files are not where this installation should have them."""


@dataclass(frozen=True)
class DriveFiles:
    """The files at the top of the drive that others ask for, and the folder that holds the packages of its lib."""

    boot: Path
    code: Path
    settings: Path
    lib: Path

    def packages(self) -> tuple[Path, ...]:
        """The folders that belong under lib on the drive."""
        return tuple(self.lib / name for name in PACKAGES)

    def contents(self, *, radio: bool = False) -> dict[str, bytes]:
        """Everything that a drive is given, its modules as source: the bytes of each file by its path on the drive.

        Only a board with a `radio` gets what serves phones, and their page.
        """
        top = [*sorted(self.code.parent.glob("*.py")), self.settings]
        files = {path.name: path.read_bytes() for path in top}
        for package in self.packages():
            for module in sorted(package.glob("*.py")):
                if not radio and module.stem in WITH_RADIO:
                    continue
                files[f"lib/{package.name}/{module.name}"] = module.read_bytes()
        files["lib/neopixel.py"] = _neopixel().read_bytes()
        if radio:
            from cribboard.wifi.answers import answers

            files.update({ANSWER.format(status): answer for status, answer in answers().items()})
        return files


def drive_files(package: Path = HERE) -> DriveFiles:
    """The files of a checkout (firmware/ beside host/) or else of an installed wheel (cribboard/_drive/)."""
    checkout = package.parent.parent / "firmware"
    if package.parent.name == "host" and (checkout / "code.py").is_file():
        return _files(checkout, checkout / "lib")
    wheel = package / "_drive"
    if (wheel / "code.py").is_file():
        return _files(wheel, package.parent)
    raise DriveError(
        f"the firmware's code.py is neither in {checkout} nor in {wheel}",
        "install cribboard again",
    )


def _neopixel() -> Path:
    """Adafruit's library for the strips, which is the same file on a Pico as on a computer."""
    spec = importlib.util.find_spec("neopixel")
    if spec is None or spec.origin is None:
        raise DriveError(
            "Adafruit's neopixel.py, which goes on the drive, is not installed",
            "install it: pip install adafruit-circuitpython-neopixel",
        )
    return Path(spec.origin)


def _files(top: Path, lib: Path) -> DriveFiles:
    return DriveFiles(boot=top / "boot.py", code=top / "code.py", settings=top / "settings.toml", lib=lib)
