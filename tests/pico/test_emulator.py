"""The emulated Pico runs CircuitPython, and does with its ports, pins and flash what the real one does."""

from __future__ import annotations

from ast import literal_eval

import pytest
from pico import drive
from pico.emulator import MakePico, Pico
from pico.programs import BOOT, PROBE, PROBE_DRIVE, execute

from cribboard.drive import drive_files

NEOPIXEL = "lib/neopixel.py"
NVM = "import microcontroller; nvm = microcontroller.nvm"


@pytest.fixture(scope="module")
def pico(pico_with: MakePico) -> Pico:
    """One board for the tests that leave no trace: it executes the lines that it is sent."""
    board = pico_with({**PROBE_DRIVE, NEOPIXEL: drive_files().contents()[NEOPIXEL]})
    board.boot()
    return board


@pytest.fixture
def fresh_pico(pico_with: MakePico) -> Pico:
    """A board of its own for a test that wears the flash or resets."""
    board = pico_with(PROBE_DRIVE)
    board.boot()
    return board


def test_the_console_says_what_the_program_prints(pico: Pico) -> None:
    execute(pico, "print('fifteen two')")
    pico.run(5)
    assert "fifteen two" in pico.console_text()


def test_the_data_channel_carries_every_byte_both_ways(pico: Pico) -> None:
    sent = bytes(value for value in range(256) if value != ord("\n"))
    pico.read()
    pico.write(b"answer = data.read(255)\n".replace(b"data", b"__import__('usb_cdc').data"))
    pico.run(50)
    pico.write(sent)
    pico.run_until(lambda: pico.peek().endswith(b"\n"), "echo")
    assert literal_eval(pico.read().decode()) == sent


def test_a_button_edge_is_seen_within_one_scan(pico: Pico) -> None:
    execute(pico, "import keypad, board, supervisor")
    execute(pico, "keys = keypad.Keys((board.GP6,), value_when_pressed=False, pull=True, interval=0.005)")
    board_ms = literal_eval(execute(pico, "answer = supervisor.ticks_ms()"))
    asked_ms = pico.now_ms
    pico.press(6, at_ms=asked_ms + 50)
    pico.release(6, at_ms=asked_ms + 150)
    pico.run(200)
    execute(pico, "events = [keys.events.get() for _ in range(3)]")
    answer = execute(pico, "answer = [(e.key_number, e.pressed, e.timestamp) for e in events if e]; keys.deinit()")
    events = [(number, pressed, stamp - board_ms) for number, pressed, stamp in literal_eval(answer)]
    assert [event[:2] for event in events] == [(0, True), (0, False)]
    assert 50 <= events[0][2] + 2 <= 60
    assert 150 <= events[1][2] + 2 <= 160


def test_a_strip_of_121_pixels_is_read_back_exactly(pico: Pico) -> None:
    execute(pico, "import board, neopixel")
    execute(pico, "strip = neopixel.NeoPixel(board.GP2, 121, auto_write=False, pixel_order='GRB')")
    pico.run(5)
    pico.frames()
    execute(pico, "strip[:] = [n << 16 | 2 * n << 8 | 255 - n for n in range(121)]")
    execute(pico, "strip.show(); strip.show()")
    pico.run(1)
    first, second = pico.frames()
    assert first.pin == second.pin == 2
    assert first.pixels() == second.pixels() == [(n, 2 * n, 255 - n) for n in range(121)]
    assert first.end_ms - first.start_ms == pytest.approx(121 * 24 * 0.00125, rel=0.01)


def test_two_strips_are_told_apart(pico: Pico) -> None:
    execute(pico, "import board, neopixel")
    execute(pico, "pair = [neopixel.NeoPixel(pin, 10, auto_write=False) for pin in (board.GP3, board.GP4)]")
    pico.run(5)
    pico.frames()
    execute(pico, "pair[0].fill((1, 2, 3)); pair[1].fill((4, 5, 6)); pair[0].show(); pair[1].show()")
    pico.run(1)
    assert [(frame.pin, set(frame.pixels())) for frame in pico.frames()] == [(3, {(1, 2, 3)}), (4, {(4, 5, 6)})]


def test_appending_to_erased_nvm_erases_nothing_and_outlives_the_power(fresh_pico: Pico) -> None:
    execute(fresh_pico, NVM)
    for slot in range(3):
        execute(fresh_pico, f"nvm[{slot * 12}:{slot * 12 + 12}] = bytes(range(12))")
    assert fresh_pico.counts["nvm_erases"] == 0
    assert fresh_pico.counts["nvm_programs"] == 3
    fresh_pico.boot()
    execute(fresh_pico, NVM)
    assert literal_eval(execute(fresh_pico, "answer = bytes(nvm[0:40])")) == bytes(range(12)) * 3 + b"\xff" * 4
    assert fresh_pico.nvm()[:36] == bytes(range(12)) * 3


def test_writing_onto_used_nvm_erases_and_rewrites_the_sector(fresh_pico: Pico) -> None:
    execute(fresh_pico, NVM)
    execute(fresh_pico, "nvm[0:12] = bytes(12)")
    execute(fresh_pico, "nvm[0:12] = bytes(range(12))")
    assert (fresh_pico.counts["nvm_erases"], fresh_pico.counts["nvm_programs"]) == (1, 17)
    assert fresh_pico.nvm()[:12] == bytes(range(12))


@pytest.mark.parametrize("kept", [0, 5, 12])
def test_a_power_cut_in_a_program_keeps_the_bytes_before_it(fresh_pico: Pico, kept: int) -> None:
    execute(fresh_pico, NVM)
    fresh_pico.cut_power_at(kept, kind="program")
    fresh_pico.write(b"nvm[300:312] = bytes(12)\n")
    fresh_pico.run(50)
    assert not fresh_pico.powered
    fresh_pico.boot()
    assert fresh_pico.nvm()[300:312] == bytes(kept) + b"\xff" * (12 - kept)
    execute(fresh_pico, NVM)
    assert literal_eval(execute(fresh_pico, "answer = bytes(nvm[300:312])")) == bytes(kept) + b"\xff" * (12 - kept)


def test_a_power_cut_in_an_erase_loses_what_was_erased(fresh_pico: Pico) -> None:
    execute(fresh_pico, NVM)
    execute(fresh_pico, "nvm[0:100] = bytes(100)")
    fresh_pico.cut_power_at(40, kind="erase")
    fresh_pico.write(b"nvm[0:1] = b'a'\n")
    fresh_pico.run(50)
    assert "power cut in a flash erase" in (fresh_pico.cut or "")
    assert fresh_pico.nvm()[:100] == b"\xff" * 40 + bytes(60)


def test_the_watchdog_resets_the_board_and_it_starts_again(fresh_pico: Pico) -> None:
    execute(fresh_pico, "import microcontroller, watchdog, time; dog = microcontroller.watchdog; dog.timeout = 1")
    execute(fresh_pico, "dog.mode = watchdog.WatchDogMode.RESET")
    fresh_pico.write(b"time.sleep(5)\n")
    took_ms = fresh_pico.run_until(lambda: fresh_pico.counts["resets"] == 1, "reset")
    assert took_ms < 1_100
    fresh_pico.run_until(lambda: fresh_pico.usb_ready, "USB")
    reason = execute(fresh_pico, "import microcontroller; answer = str(microcontroller.cpu.reset_reason)")
    assert "WATCHDOG" in reason


def test_the_drive_can_be_read_back_and_changed(fresh_pico: Pico) -> None:
    files = drive.read_files(fresh_pico.drive())
    assert files["code.py"] == PROBE
    assert b"Raspberry Pi Pico" in files["boot_out.txt"]
    fresh_pico.set_drive(drive.from_files({"boot.py": BOOT, "code.py": PROBE, "lib/new.py": b"value = 31\n"}))
    fresh_pico.boot()
    assert execute(fresh_pico, "import new; answer = new.value") == "31"
