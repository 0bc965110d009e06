"""What `cribboard install` puts on a drive runs on the real CircuitPython, in both forms and cut short."""

from __future__ import annotations

import re

import pytest
from pico.emulator import MakePico
from pico.firmware import Wire, firmware_files

from cribboard.install.plans import stand_in

FAILS = b"from cribboard_core.cards import parse_cards\nparse_cards('5H5H')\n"
TRACK_PINS = {2, 3}


@pytest.mark.parametrize("source", [False, True], ids=["compiled", "source"])
def test_it_starts_and_pegs(source: bool, pico_with: MakePico) -> None:
    wire = Wire(pico_with(firmware_files(source=source)))
    assert wire.ask("peg", 900, 1, 0, 5)[0] == "ok"


def test_an_error_names_the_same_functions_in_both_forms_and_lines_in_the_source(pico_with: MakePico) -> None:
    said = []
    for source in (False, True):
        pico = pico_with(firmware_files({"code.py": FAILS}, source=source))
        pico.boot()
        pico.run_until(lambda pico=pico: b"Code done" in pico.log, "an error", limit_ms=8_000)
        text = pico.console_text()
        lines = text[text.index("Traceback") : text.index("CardError: ")].splitlines()
        said.append([re.fullmatch(r'  File "(.+)", line (\d+), in (.+)', line).groups() for line in lines[1:]])
    compiled, source = said
    assert [(file, function) for file, _, function in compiled] == [(file, function) for file, _, function in source]
    assert [line for file, line, _ in compiled if file.startswith("/lib/")] == ["1", "1"]  # compiled without lines
    assert all(int(line) > 1 for file, line, _ in source if file.startswith("/lib/"))


def test_a_drive_that_was_not_finished_shows_red_and_says_so(pico_with: MakePico) -> None:
    files = firmware_files()
    whole = {path: data for path, data in files.items() if "/app." not in path}
    pico = pico_with({**whole, "code.py": stand_in(files)})
    pico.boot()
    said = b"is not whole; run `cribboard install` again"
    pico.run_until(lambda: said in pico.log, "what is wrong", limit_ms=8_000)
    shown = {frame.pin: frame.pixels()[:10] for frame in pico.frames()}
    assert shown == {pin: [(16, 0, 0)] * 3 + [(0, 0, 0)] * 7 for pin in TRACK_PINS}
