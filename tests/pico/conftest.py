"""An emulated Pico for each test that asks for one; without CircuitPython, boot ROM or Node these tests are skipped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from pico import drive, emulator


@pytest.fixture(scope="module")
def pico_with() -> Iterator[emulator.MakePico]:
    """Makes boards (switched off) from the files of their drives; all are closed when the module is done."""
    reason = emulator.why_not()
    if reason:
        pytest.skip(reason)
    made: list[emulator.Pico] = []

    def make(files: Mapping[str, bytes]) -> emulator.Pico:
        made.append(emulator.Pico(drive.from_files(files)))
        return made[-1]

    yield make
    for pico in made:
        pico.close()
