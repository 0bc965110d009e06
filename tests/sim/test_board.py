"""A virtual board's life: power, resets, the plug pulled, and nothing left behind."""

from __future__ import annotations

import fcntl
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import serial
from sim.standin import PATIENCE_S, drive, eventually, talking

from cribboard.sim.board import LOG, VirtualBoard
from cribboard.sim.registry import SimError, require_terminals
from cribboard_core.wire import PROTOCOL, Lines, encode


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{pid}/stat").exists() and ") Z " in Path(f"/proc/{pid}/stat").read_text()


def reset_happened(board: VirtualBoard, count: int = 1) -> bool:
    return board.wait_for(lambda it: it.resets >= count, PATIENCE_S)


def test_power_off_and_on_again_keeps_the_flash_and_the_number(tmp_path: Path) -> None:
    board = VirtualBoard(drive(tmp_path))
    with talking(board) as talk:
        talk.ask("microcontroller.nvm[0:2] = b'ab'")
        uid, pid = board.uid, board.pid
    assert not board.alive
    assert gone(pid)
    with talking(board) as talk:
        assert talk.ask("microcontroller.nvm[0:3]") == "bytearray(b'ab\\xff')"
        assert board.uid == uid


def test_pulling_the_plug_ends_it_at_once_and_keeps_what_was_written(tmp_path: Path) -> None:
    board = VirtualBoard(drive(tmp_path))
    with talking(board) as talk:
        talk.ask("microcontroller.nvm[0] = 1")
        talk.say("while True: pass")
        board.kill()
        assert gone(board.pid)
    with talking(board) as talk:
        assert talk.ask("microcontroller.nvm[0]") == "1"


def test_the_power_can_be_cut_in_the_middle_of_a_write(tmp_path: Path) -> None:
    board = VirtualBoard(drive(tmp_path))
    with talking(board) as talk:
        talk.ask("microcontroller.nvm[0:4] = b'abcd'")
        board.cut_power_after(2)
        talk.say("microcontroller.nvm[4:8] = b'efgh'")
        assert eventually(board)
    assert board.nvm.read_bytes()[:6] == b"abcdef"
    assert board.nvm.read_bytes()[6] not in (ord("g"), 255)
    assert board.nvm.read_bytes()[7:] == b"\xff" * 4089


def test_a_cut_in_an_erase_can_leave_anything_half_erased(tmp_path: Path) -> None:
    board = VirtualBoard(drive(tmp_path))
    with talking(board) as talk:
        talk.ask("microcontroller.nvm[0:4096] = bytes(4096)")
        board.cut_power_after(10, seed=5)
        talk.say("microcontroller.nvm[0] = 1")
        assert eventually(board)
    assert len(set(board.nvm.read_bytes())) > 200


def test_a_fault_with_the_watchdog_armed_resets_the_chip_and_loses_its_ram(tmp_path: Path) -> None:
    board = VirtualBoard(drive(tmp_path))
    with talking(board) as talk:
        talk.ask("kept = 1; dog.timeout = 8; dog.mode = WatchDogMode.RESET")
        talk.say("fall over")
        assert reset_happened(board)
        assert talk.ask("microcontroller.cpu.reset_reason is microcontroller.ResetReason.WATCHDOG") == "True"
        assert talk.ask("kept").startswith("NameError")
        assert "RuntimeError: fall over" in board.console()


def test_a_loop_that_hangs_is_reset_by_the_watchdog(tmp_path: Path) -> None:
    board = VirtualBoard(drive(tmp_path))
    with talking(board) as talk:
        before = board.pid, board.port
        talk.ask("dog.timeout = 0.2; dog.mode = WatchDogMode.RESET")
        talk.say("while True: pass")
        assert reset_happened(board)
        assert talk.ask("microcontroller.cpu.reset_reason") == "microcontroller.ResetReason.WATCHDOG"
        assert (board.pid, board.port) == before


def test_a_fault_without_a_watchdog_leaves_it_standing(tmp_path: Path) -> None:
    board = VirtualBoard(drive(tmp_path))
    with talking(board) as talk:
        talk.say("fall over")
        assert board.wait_for(lambda it: "RuntimeError: fall over" in it.console(), PATIENCE_S)
        assert board.flash()["erases"] == 0
        assert (board.alive, board.resets) == (True, 0)


def test_a_normal_end_disarms_the_watchdog(tmp_path: Path) -> None:
    board = VirtualBoard(drive(tmp_path))
    with talking(board) as talk:
        talk.ask("dog.timeout = 0.05; dog.mode = WatchDogMode.RESET")
        talk.say("fall asleep")
        assert board.wait_for(lambda it: "Code done running." in it.console(), PATIENCE_S)
        assert not board.wait_for(lambda it: it.resets > 0, 0.15)


def test_code_may_reset_the_chip_and_so_may_a_finger(tmp_path: Path) -> None:
    board = VirtualBoard(drive(tmp_path))
    with talking(board) as talk:
        talk.say("microcontroller.reset()")
        assert reset_happened(board)
        assert talk.ask("microcontroller.cpu.reset_reason") == "microcontroller.ResetReason.SOFTWARE"
        board.reset()
        assert reset_happened(board, 2)
        assert talk.ask("microcontroller.cpu.reset_reason") == "microcontroller.ResetReason.RESET_PIN"


def test_what_surrounds_the_chip_goes_on_through_a_reset(tmp_path: Path) -> None:
    board = VirtualBoard(drive(tmp_path))
    with talking(board) as talk:
        board.press("GP6")
        board.reset()
        assert reset_happened(board)
        talk.ask("keys.reset()")  # else a key that is down from the beginning gives no event until it is let go
        assert talk.ask("events_until(1)") == "[(0, True)]"
        talk.ask("light(1, 2, 3, 4)")
        assert board.wait_for(lambda it: "GP2" in it.last_strips(), PATIENCE_S)
        with pytest.raises(SimError, match="another virtual board is running on the flash file"):
            VirtualBoard(drive(tmp_path / "other"), nvm=board.nvm).start()


def test_what_was_shown_before_anybody_watched_is_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = VirtualBoard._ask

    def late(board: VirtualBoard, action: str, **values: object) -> dict[str, object]:
        if action == "watch":  # the board lights up once, and then nothing on it moves
            ends = time.monotonic() + PATIENCE_S
            while not ask(board, "strips")["strips"] and time.monotonic() < ends:
                time.sleep(0.02)
        return ask(board, action, **values)

    monkeypatch.setattr(VirtualBoard, "_ask", late)
    lit = "import time, board, neopixel\nneopixel.NeoPixel(board.GP2, 3)[0] = 5\nwhile True: time.sleep(1)\n"
    (tmp_path / "code.py").write_text(lit)
    with VirtualBoard(tmp_path) as board:
        assert list(board.last_strips()) == ["GP2"]


def test_a_second_board_on_the_same_flash_is_refused_and_says_what_to_do(tmp_path: Path) -> None:
    with VirtualBoard(drive(tmp_path)) as board, pytest.raises(SimError) as caught:
        VirtualBoard(drive(tmp_path / "other"), nvm=board.nvm).start()
    assert str(board.nvm) in str(caught.value)
    assert caught.value.hint == "stop that one and try again"


def test_two_boards_with_two_flashes_run_side_by_side(tmp_path: Path) -> None:
    one, other = VirtualBoard(drive(tmp_path / "one")), VirtualBoard(drive(tmp_path / "other"))
    with talking(one) as first, talking(other) as second:
        assert (first.ask("1"), second.ask("2")) == ("1", "2")
        assert one.port != other.port
        assert one.uid != other.uid


def test_a_board_that_runs_is_not_started_twice(tmp_path: Path) -> None:
    with VirtualBoard(drive(tmp_path)) as board:
        with board as same:
            assert same.alive
        with VirtualBoard(tmp_path), pytest.raises(SimError, match="nothing"):
            raise SimError("nothing")
    with board.start(), pytest.raises(SimError, match="is already running"):
        board.start()


def test_a_board_that_is_off_says_so(tmp_path: Path) -> None:
    board = VirtualBoard(drive(tmp_path))
    board.stop()
    board.kill()
    with pytest.raises(SimError, match="is off"):
        board.press("GP6")


def test_a_board_that_has_died_says_so(tmp_path: Path) -> None:
    with VirtualBoard(drive(tmp_path)) as board:
        os.kill(board.pid, signal.SIGKILL)
        with pytest.raises(SimError, match="has stopped"):
            board.press("GP6")


def test_an_interpreter_that_cannot_even_begin_leaves_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(SimError, match="no word why") as caught:
        VirtualBoard(drive(tmp_path)).start()
    assert str(tmp_path / LOG) in caught.value.hint


def test_a_wrong_request_is_refused_and_harms_nothing(tmp_path: Path) -> None:
    with VirtualBoard(drive(tmp_path)) as board:
        for pin in ("GP29", "", "A" * 100):
            with pytest.raises(SimError, match="is not a pin; there are GP0 to GP28"):
                board.press(pin)
        with pytest.raises(SimError, match="ms is 0; take a whole number from 1 to 60000"):
            board.tap("GP6", 0)
        board.tap("GP6")


def test_a_board_ends_with_whoever_started_it(tmp_path: Path) -> None:
    starter = "import sys, time\nfrom pathlib import Path\nfrom cribboard.sim.board import VirtualBoard\n"
    starter += "board = VirtualBoard(Path(sys.argv[1])).start()\nprint(board.pid, flush=True)\ntime.sleep(60)\n"
    command = [sys.executable, "-c", starter, str(drive(tmp_path))]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.kill()
    with (tmp_path / "nvm.bin").open("rb") as flash:
        fcntl.flock(flash, fcntl.LOCK_EX)  # waits for the board's process, which holds it as long as it lives
    with talking(VirtualBoard(tmp_path)) as talk:
        assert talk.board.pid != pid


def test_a_signal_ends_it_in_good_order(tmp_path: Path) -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        with talking(VirtualBoard(drive(tmp_path))) as talk:
            talk.ask("1")
            os.kill(talk.board.pid, number)
            assert eventually(talk.board)


def test_the_settings_are_copied_once_and_then_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    board = VirtualBoard(name="mine")
    assert board.folder == tmp_path / "sim" / "mine"
    with board:
        assert board.settings()["BRIGHTNESS"] == 30
    (board.folder / "settings.toml").write_text("BRIGHTNESS = 31\n")
    with board:
        assert board.settings() == {"BRIGHTNESS": 31}
    with VirtualBoard(name="mine", settings="BRIGHTNESS = 32\n") as board:
        assert board.settings() == {"BRIGHTNESS": 32}
    (board.folder / "settings.toml").write_text("what is this")
    assert board.settings() == {}


def test_pixels_come_in_the_order_of_the_settings(tmp_path: Path) -> None:
    for order, pixel in (("RGB", (2, 1, 3)), ("BGR", (3, 1, 2)), ("nonsense", (1, 2, 3))):
        board = VirtualBoard(drive(tmp_path), settings=f'PIXEL_ORDER = "{order}"\n')
        with talking(board) as talk:
            talk.ask("light(0x010203, 0, 0, 0)")
            assert board.strips()["GP2"].pixels[0] == pixel


def control(tmp_path: Path) -> subprocess.Popen[bytes]:
    """A board by hand, with its control channel on standard input and output."""
    command = [sys.executable, "-P", "-m", "cribboard.sim.process", "--drive", str(drive(tmp_path))]
    command += ["--nvm", str(tmp_path / "nvm.bin")]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def test_garbage_on_the_control_channel_is_answered_and_survived(tmp_path: Path) -> None:
    with control(tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        lines: list[bytes] = [
            b"",
            b"[]",
            b'"press"',
            b"{",
            b"\xff\xfe",
            b"[" * 5000,
            b"NaN",
            b"{}",
            b'{"do":7}',
            b'{"do":"fly"}',
        ]
        lines += [b'{"do":"press"}', b'{"do":"press","pin":[]}', b'{"do":"tap","pin":"GP1","ms":true}', b"x" * 200_000]
        process.stdin.write(b"\n".join(lines) + b'\n{"do":"about","id":"last"}\n')
        process.stdin.flush()
        answers: list[dict[str, object]] = []
        while not answers or answers[-1].get("re") != "last":
            answers.append(json.loads(process.stdout.readline()))
        errors = [str(answer["error"]) for answer in answers if "error" in answer]
        assert len(errors) >= len(lines) - 1
        assert "'fly' is unknown; there are about, cut, " in "\n".join(errors)
        assert "[] is not a JSON object" not in errors[1:]
        assert answers[-1]["down"] == []
        process.stdin.write(b'{"do":"quit","id":1}\n')
        process.stdin.flush()
        assert process.wait(PATIENCE_S) == 0
        assert json.loads(process.stdout.read().splitlines()[-1]) == {"re": 1}


def test_the_end_of_the_control_channel_is_the_end_of_the_board(tmp_path: Path) -> None:
    with control(tmp_path) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0


def test_a_client_that_does_not_listen_does_not_stop_the_board(tmp_path: Path) -> None:
    board = VirtualBoard(drive(tmp_path))
    with talking(board) as talk:
        talk.ask("setattr(sys, 'stdout', sys.stderr)")
        with board._news:  # its reader stands still meanwhile
            for _ in range(20):
                talk.ask("[light(n, n, n, n) for n in range(500)] and print('x' * 50000)")
        talk.ask("light(7, 7, 7, 7)")
        assert board.strips()["GP2"].pixels[0] == (0, 0, 7)


def test_a_system_that_lacks_terminals_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "termios", None)
    with pytest.raises(SimError, match="needs the pseudo-terminals of Linux or macOS"):
        require_terminals()


def test_the_real_firmware_answers_a_host(tmp_path: Path) -> None:
    with VirtualBoard(tmp_path) as board:
        with serial.Serial(board.port, timeout=PATIENCE_S) as port:
            port.write(encode(["hello", 5, PROTOCOL]))
            lines = Lines()
            answers: list[list[object]] = []
            while not answers:
                answers = [frame for frame in lines.feed(port.read(max(1, port.in_waiting))) if frame[0] == "hello"]
        assert answers[0][4] == board.uid
        assert board.wait_for(lambda it: set(it.last_strips()) == {"GP2", "GP3"}, PATIENCE_S)


def test_ctrl_c_again_and_again_does_not_end_the_board(tmp_path: Path) -> None:
    """Also while it prints what the first one ended, where a real board takes no more of them."""
    chance = random.Random(4)
    (tmp_path / "code.py").write_text("while True:\n    pass\n")
    with VirtualBoard(tmp_path) as board:
        for _ in range(8):
            resets = board.resets
            ends = time.monotonic() + 0.3
            while time.monotonic() < ends:
                board.interrupt()
                time.sleep(chance.random() * 0.002)
            board.reset()
            assert board.wait_for(lambda it, before=resets: it.resets > before, 10)
        assert "KeyboardInterrupt" in board.console()


@pytest.mark.unmeasured
def test_ctrl_c_at_any_moment_resets_the_firmware_and_loses_nothing(tmp_path: Path) -> None:
    """While it starts, while it plays, and while it takes a command, which is sent until it is answered."""
    chance = random.Random(9)
    with VirtualBoard(tmp_path) as board, serial.Serial(board.port, timeout=0.2) as port:
        lines = Lines()
        for number in range(1, 16):
            command = encode(["peg", 500 + number, 1, number % 2, 2])
            resets = board.resets
            port.write(command)
            board.wait_for(lambda it: False, chance.choice((0, chance.random() * 0.005, chance.random() * 0.3)))
            board.interrupt()
            while not board.wait_for(lambda it, before=resets: it.resets > before, 1):
                board.interrupt()  # nothing ran yet
            answer: list[object] = []
            while not answer:
                port.write(command)
                heard = lines.feed(port.read(max(1, port.in_waiting)))
                answer = next((frame for frame in heard if frame[:2] == ["ok", 500 + number]), [])
            assert answer == ["ok", 500 + number, 1, number]
