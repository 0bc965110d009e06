"""What code.py finds on the virtual board, asked from inside by a stand-in for the firmware."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sim.standin import CODE, Talk, drive, talking

import cribboard
from cribboard.sim.board import VirtualBoard
from cribboard.sim.process import GAP_MS


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    with talking(VirtualBoard(drive(tmp_path_factory.mktemp("drive")))) as talk:
        talk.ask("keys")  # the port is there before code.py runs, and so before a finger is seen
        yield talk


def settled(talk: Talk, count: int) -> str:
    """The key events once there are so many, and none left for the next test."""
    said = talk.ask(f"events_until({count})")
    talk.ask("events.clear()")
    return said


def test_lines_are_answered_fast(talk: Talk) -> None:
    for number in range(50):
        assert talk.ask(f"{number} + 1") == str(number + 1)


def test_the_pins_of_a_pico_are_there_each_for_one_user(talk: Talk) -> None:
    assert talk.ask("all(hasattr(board, 'GP%d' % n) for n in range(29)), hasattr(board, 'GP29')") == "(True, False)"
    assert talk.ask("neopixel.NeoPixel(board.GP2, 1)") == "ValueError: GP2 in use"
    assert talk.ask("keypad.Keys((board.GP6,), value_when_pressed=False)") == "ValueError: GP6 in use"
    assert talk.ask("pwmio.PWMOut(board.GP7)") == "ValueError: GP7 in use"


def test_a_pin_that_was_given_back_is_free(talk: Talk) -> None:
    talk.ask("other = neopixel.NeoPixel(board.GP20, 1); other.deinit()")
    talk.ask("other = keypad.Keys((board.GP20,), value_when_pressed=False); other.deinit()")
    talk.ask("other = pwmio.PWMOut(board.GP20); other.deinit()")
    assert talk.ask("pwmio.PWMOut(board.GP20).deinit()") == "None"


def test_a_strip_shows_the_true_bytes_in_its_own_order(talk: Talk) -> None:
    assert talk.ask("light(0xFF8001, 0, 0x000002, 0)") == "None"
    strip = talk.board.strips()["GP2"]
    assert strip.data == bytes.fromhex("80ff01 000000 000002 000000")
    assert strip.pixels == [(255, 128, 1), (0, 0, 0), (0, 0, 2), (0, 0, 0)]


def test_frames_are_told_to_whoever_subscribes(talk: Talk) -> None:
    talk.ask("light(0, 0, 0, 0)")
    talk.board.strips()
    seen: list[object] = []
    end = talk.board.subscribe(seen.append)
    before = talk.board.strips()["GP2"].count
    talk.ask("light(1, 2, 3, 4)")
    assert talk.board.wait_for(lambda board: board.last_strips()["GP2"].count > before)
    end()
    talk.ask("light(0, 0, 0, 0)")
    talk.board.strips()
    assert len(seen) == 1


def test_keys_give_edges_in_order(talk: Talk) -> None:
    talk.board.press("GP7")
    talk.board.tap("GP6")
    assert settled(talk, 3) == "[(1, True), (0, True), (0, False)]"
    talk.board.release("GP7")
    assert settled(talk, 1) == "[(1, False)]"


def test_taps_follow_each_other_as_those_of_one_finger(talk: Talk) -> None:
    began = time.monotonic()
    for pin in ("GP6", "GP6", "GP7"):
        over = talk.board.tap(pin, 20)
    assert 1000 * (time.monotonic() - began) + over >= 3 * 20 + 2 * GAP_MS
    assert settled(talk, 6) == "[(0, True), (0, False), (0, True), (0, False), (1, True), (1, False)]"


def test_pressing_twice_is_pressing_once_and_other_pins_are_nobodys(talk: Talk) -> None:
    for pin in ("GP6", "GP6", "GP9"):
        talk.board.press(pin)
    for pin in ("GP9", "GP6", "GP6"):
        talk.board.release(pin)
    talk.board.press("GP6", 1)
    assert settled(talk, 4) == "[(0, True), (0, False), (0, True), (0, False)]"


def test_a_full_queue_drops_new_events_and_says_so(talk: Talk) -> None:
    assert talk.ask("keys.events.overflowed") == "False"
    talk.say("while not keys.events.overflowed: pass")
    for _ in range(3):
        talk.board.press("GP6")
        talk.board.release("GP6")
    assert talk.serial.readline() == b"done\n"
    assert talk.ask("len(keys.events), bool(keys.events)") == "(4, True)"
    talk.ask("keys.events.clear()")
    assert talk.ask("keys.events.overflowed, len(keys.events), keys.events.get()") == "(False, 0, None)"


def test_the_queue_may_not_change_while_a_scan_may_come(talk: Talk) -> None:
    talk.board.tap("GP6", 5)
    talk.ask("import time; time.sleep(0.05)")
    talk.ask("microcontroller.enable_interrupts()")
    for change in ("get()", "get_into(event)", "clear()"):
        assert "a scan may come" in talk.ask(f"keys.events.{change}")
    assert "without disable_interrupts" in talk.ask("microcontroller.enable_interrupts()")
    talk.ask("microcontroller.disable_interrupts()")
    assert settled(talk, 2) == "[(0, True), (0, False)]"


def test_a_key_that_is_held_while_keys_begin_gives_an_edge_when_it_is_let_go_or_keys_are_reset(talk: Talk) -> None:
    talk.board.press("GP16")
    talk.ask("more = keypad.Keys((board.GP15, board.GP16), value_when_pressed=True, pull=False)")
    assert talk.ask("more.events.get(), more.key_count") == "(None, 2)"
    talk.board.release("GP16")
    assert talk.ask("more.events.get()") == "<Event: key_number 1 released>"
    talk.board.press("GP16")
    assert talk.ask("more.events.get() == keypad.Event(1, True)") == "True"
    talk.ask("more.reset()")
    assert talk.ask("more.events.get() == keypad.Event(1, True), more.events.get()") == "(True, None)"
    talk.board.release("GP16")
    assert talk.ask("more.events.get().released") == "True"
    talk.ask("more.deinit()")


def test_a_key_that_is_scanned_twice_takes_no_notice_of_a_spike(talk: Talk) -> None:
    made = "(board.GP15,), value_when_pressed=False, interval=0.2, debounce_threshold=2"
    talk.ask(f"slow = keypad.Keys({made})")
    talk.board.press("GP15", 1)
    talk.ask("import time; time.sleep(0.3)")
    assert talk.ask("slow.events.get(), len(slow.events)") == "(None, 0)"
    talk.board.press("GP15")
    assert talk.ask("slow.events.get()") == "None"
    talk.ask("time.sleep(0.3)")
    assert talk.ask("slow.events.get() == keypad.Event(0, True)") == "True"
    talk.board.release("GP15")
    talk.ask("time.sleep(0.3)")
    assert talk.ask("slow.events.get().released") == "True"
    talk.ask("slow.deinit()")


def test_a_press_that_is_over_before_the_firmware_looks_is_an_event(talk: Talk) -> None:
    talk.ask("quick = keypad.Keys((board.GP15,), value_when_pressed=False, interval=0.005, debounce_threshold=2)")
    talk.board.press("GP15")
    talk.ask("import time; time.sleep(0.05)")
    talk.board.release("GP15")
    talk.ask("time.sleep(0.05)")
    assert talk.ask("quick.events.get() == keypad.Event(0, True), quick.events.get().released") == "(True, True)"
    talk.ask("quick.deinit()")


def test_events_carry_the_time_of_ticks(talk: Talk) -> None:
    talk.ask("before = supervisor.ticks_ms()")
    talk.board.tap("GP6", 5)
    talk.ask("wanted = None")
    line = "0 <= (wanted.timestamp - before) % 2**29 <= (supervisor.ticks_ms() - before) % 2**29"
    talk.ask("while wanted is None: wanted = keys.events.get()")
    assert talk.ask(line) == "True"
    assert talk.ask("0 <= (keypad.Event().timestamp - before) % 2**29 < 60000") == "True"
    talk.ask("while not keys.events.get_into(event): pass")


def test_ticks_begin_about_a_minute_before_they_wrap(talk: Talk) -> None:
    assert talk.ask("2**29 - 65536 <= supervisor.ticks_ms() < 2**29") == "True"


def test_nvm_is_the_flash(talk: Talk) -> None:
    assert talk.ask("len(microcontroller.nvm)") == "4096"
    talk.ask("microcontroller.nvm[100:103] = b'abc'")
    assert talk.ask("microcontroller.nvm[100:103], microcontroller.nvm[0]") == "(bytearray(b'abc'), 255)"
    flash = talk.board.flash()
    assert bytes.fromhex(flash["hex"])[100:103] == b"abc"
    assert (flash["erases"], flash["programs"], flash["changed"]) == (0, 1, 3)
    assert talk.board.nvm.read_bytes().hex() == flash["hex"]


def test_the_chip_knows_itself(talk: Talk) -> None:
    assert talk.ask("bytes(microcontroller.cpu.uid).hex()") == repr(talk.board.uid)
    assert talk.ask("microcontroller.cpu.reset_reason is microcontroller.ResetReason.POWER_ON") == "True"
    assert talk.ask("microcontroller.cpu.reset_reason") == "microcontroller.ResetReason.POWER_ON"
    assert talk.ask("supervisor.runtime.run_reason is supervisor.RunReason.STARTUP") == "True"
    talk.ask("supervisor.runtime.autoreload = False")
    assert talk.ask("supervisor.runtime.autoreload, supervisor.runtime.usb_connected") == "(False, True)"


def test_a_tone_is_heard(talk: Talk) -> None:
    talk.ask("piezo = pwmio.PWMOut(board.GP14, duty_cycle=0, frequency=440, variable_frequency=True)")
    talk.ask("piezo.frequency = 880; piezo.duty_cycle = 32768; piezo.duty_cycle = 0; piezo.deinit()")
    talk.board.flash()
    assert [(tone.pin, tone.hz) for tone in talk.board.tones()][-3:] == [("GP14", 880), ("GP14", 0), ("GP14", 0)]
    talk.ask("piezo = pwmio.PWMOut(board.GP14)")
    assert talk.ask("setattr(piezo, 'frequency', 500)").startswith("AttributeError: PWM frequency not writable")
    assert talk.ask("setattr(piezo, 'duty_cycle', 65536)") == "ValueError: duty_cycle must be 0-65535"
    assert talk.ask("pwmio.PWMOut(board.GP17, frequency=1)") == "ValueError: Invalid PWM frequency"


def test_the_watchdog_is_an_rp2s(talk: Talk) -> None:
    assert talk.ask("dog.mode, dog.timeout, dog.feed()") == "(None, None, None)"
    assert talk.ask("dog.deinit()").startswith("AttributeError"), "CircuitPython 10 has none"
    assert (
        talk.ask("setattr(dog, 'mode', WatchDogMode.RESET)")
        == "ValueError: WatchDogTimer.timeout must be greater than 0"
    )
    assert talk.ask("setattr(dog, 'timeout', 0)") == "ValueError: WatchDogTimer.timeout must be greater than 0"
    assert talk.ask("setattr(dog, 'timeout', 9)") == "ValueError: timeout duration exceeded the maximum supported value"
    assert talk.ask("setattr(dog, 'mode', WatchDogMode.RAISE)") == "NotImplementedError:"


def test_the_port_reads_and_writes_as_usb_cdc_does(talk: Talk) -> None:
    assert talk.ask("port.read(10), port.in_waiting, port.out_waiting, port.connected") == "(b'', 0, 0, True)"
    talk.ask("port.timeout = 0.01")
    assert talk.ask("port.read(10), port.readline()") == "(b'', b'')"
    waiting = "port.write(b'go\\n'), port.read(3), port.readline(), port.readinto(bytearray(2))"
    talk.say(f"(setattr(port, 'timeout', None), ({waiting}), setattr(port, 'timeout', 0))[1]")
    assert talk.serial.readline() == b"go\n"
    talk.serial.write(b"abcdef\ngh")
    assert talk.serial.readline() == b"(3, b'abc', b'def\\n', 2)\n"
    talk.ask("port.write_timeout = None")
    talk.say("port.write(bytes(10000)), port.flush()")
    assert talk.serial.read(10000) == bytes(10000)
    assert talk.serial.readline() == b"(10000, None)\n"
    talk.ask("port.write_timeout = 0")


def test_a_host_that_does_not_read_is_felt(talk: Talk) -> None:
    talk.say("while port.write(bytes(100)): full = port.out_waiting")
    assert talk.serial.read_until(b"\n").lstrip(b"\0") == b"done\n"
    assert talk.ask("full") == "256"


def test_usb_is_chosen_in_boot_py_and_not_later(talk: Talk) -> None:
    assert talk.ask("usb_cdc.enable(console=True, data=False)") == "RuntimeError: Cannot change USB devices now"
    assert talk.ask("usb_cdc.disable()") == "RuntimeError: Cannot change USB devices now"
    assert talk.ask("usb_cdc.console.write(b'to the console'), usb_cdc.console.read(1)") == "(14, b'')"
    talk.ask("print('and print as well')")
    assert talk.board.wait_for(lambda board: "to the consoleand print as well\n" in board.console())


def test_only_what_a_board_has_can_be_imported(talk: Talk) -> None:
    assert talk.ask("__import__('serial')") == "ModuleNotFoundError: no module named 'serial' on the board"
    assert talk.ask("__import__('cribboard_core.wire').__name__") == "'cribboard_core'"
    assert (
        talk.ask("__name__, __file__, os.getcwd() == " + repr(str(talk.board.folder)))
        == "('__main__', 'code.py', True)"
    )


def test_the_search_path_stays_while_other_threads_import(talk: Talk) -> None:
    host = Path(cribboard.__file__).parent.parent
    assert talk.ask("__import__('sys').path[0]") == repr(str(host))  # PYTHONPATH's first


def test_boot_py_may_call_what_a_board_offers_it(tmp_path: Path) -> None:
    boot = "import storage, supervisor, usb_cdc, usb_hid, usb_midi\nusb_hid.disable()\nusb_midi.disable()\n"
    boot += "storage.disable_usb_drive()\nsupervisor.set_usb_identification('a', 'b')\nprint('data', usb_cdc.data)\n"
    boot += "storage.remount('/', readonly=storage.getmount('/').readonly)\nusb_cdc.enable(console=True, data=True)\n"
    with talking(VirtualBoard(drive(tmp_path, boot=boot))) as talk:
        assert talk.ask("usb_cdc.data is port") == "True"
        assert talk.board.wait_for(lambda board: board.console() == "data None\n")


def test_without_boot_py_there_is_no_data_channel(tmp_path: Path) -> None:
    with VirtualBoard(drive(tmp_path, CODE.splitlines()[1] + "\nprint(usb_cdc.data)", boot="")) as board:
        assert board.wait_for(lambda board: "done running" in board.console())
        assert board.console().strip() == "None\n\nCode done running."


def test_a_library_on_the_drive_goes_before_the_shipped_one(tmp_path: Path) -> None:
    lib = tmp_path / "lib"
    for name in ("cribboard_fw", "my_library"):
        (lib / name).mkdir(parents=True)
        (lib / name / "__init__.py").write_text(f"who = 'my {name}'\n")
    code = (
        "import cribboard_core.wire\nfrom cribboard_fw import who\nprint(who)\nfrom my_library import who\nprint(who)"
    )
    with VirtualBoard(drive(tmp_path, code)) as board:
        assert board.wait_for(lambda board: "done running" in board.console())
        assert board.console().startswith("my cribboard_fw\nmy my_library\n")
