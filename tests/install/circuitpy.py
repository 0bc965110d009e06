"""A folder that plays the drive of a board."""

from __future__ import annotations

from pathlib import Path

import pytest

BOOT_OUT = "Adafruit CircuitPython {} on 2024-11-20; Raspberry Pi Pico with rp2040\nBoard ID:{}\nUID:E6614C311B4F2A2F\n"


def plug_in(folder: Path, version: str = "9.2.1", board: str = "raspberry_pi_pico") -> Path:
    """What CircuitPython puts on a new drive."""
    (folder / "lib").mkdir(parents=True)
    (folder / "boot_out.txt").write_text(BOOT_OUT.format(version, board), encoding="utf-8")
    (folder / "code.py").write_text('print("Hello World!")\n', encoding="utf-8")
    (folder / "settings.toml").touch()
    return folder


def not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep boards out of the coverage: their files are copies, or they cannot write what they covered."""
    for name in ("COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START"):
        monkeypatch.delenv(name, raising=False)


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
