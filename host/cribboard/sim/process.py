"""The process of a virtual board: `python -m cribboard.sim.process --drive FOLDER --nvm FILE`.

A reset of the chip is an exec of this process: all of its RAM is lost, while the port, the lock on the flash file, the
control channel and the fingers on the buttons go on, as they do around a real chip.

A thread beside the chip has the control channel, fingers that go up in time, and the watchdog's bite. One JSON object a
line goes each way. A request is {"do": name, ...}; its answer repeats the request's "id", if any, as "re" and has
"error" when it was refused. What nobody asked for has "push". Nothing that arrives can end the board, except "quit" and
the end of the channel.
"""

from __future__ import annotations

import argparse
import contextlib
import heapq
import json
import os
import random
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import FrameType, ModuleType
from typing import NoReturn

from cribboard.drive import PACKAGES, DriveFiles, drive_files
from cribboard.errors import CribboardError
from cribboard.sim.bench import PINS, Bench, Clock, SteppedClock, frame_push
from cribboard.sim.flash import Cut, Flash
from cribboard.sim.flash_file import FlashFile
from cribboard.sim.port import HOST_BUFFER, Port
from cribboard.sim.registry import FlashTaken, require_terminals
from cribboard.sim.shims import Shims, gpio
from cribboard.sim.shims.chip import Console, WatchDogTimer

LONGEST_LINE = 65536
MOST_UNSENT = 1 << 20
Request = dict[str, object]
Action = Callable[[Request], dict[str, object]]
TAP_MS = 40
GAP_MS = 25  # between two taps; a contact that is open for less is taken to bounce
LONGEST_MS = 60_000


class BoardImports(MetaPathFinder):
    """Goes before all other finders and refuses what a board would not have."""

    def __init__(self, folders: Sequence[Path], top: Path) -> None:
        self._folders = [str(folder) for folder in folders]
        self._top = top

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The drive's packages from the drive, the standard library as ever."""
        if path is not None:
            return None  # a part of a package that was let in
        if name in PACKAGES:
            return PathFinder.find_spec(name, self._folders, target)
        if name in sys.stdlib_module_names:
            return None
        top = [str(self._top)] if name == TROUBLE else []
        own = PathFinder.find_spec(name, [*self._folders[:-1], *top], target)
        if own is None:
            raise ModuleNotFoundError(f"no module named {name!r} on the board", name=name)
        return own


def only_the_boards(folders: Sequence[Path], top: Path) -> None:
    """From now on import as the board would. The last of `folders` is the shipped lib, any before it are the user's.

    `top` is where the file lies that code.py has beside it.

    sys.path stays: a change of it makes coverage import its packages again, beside whatever another thread imports.
    """
    sys.meta_path.insert(0, BoardImports(folders, top))


BOOT_STATE = "CRIBBOARD_SIM_BOOT"
TROUBLE = "trouble"  # what code.py shows and says when the firmware does not run
FAILED = 3
BITE_S = 0.1  # after an exception the watchdog is not awaited any longer than this


@dataclass
class Options:
    """What the command line says."""

    drive: Path
    nvm: Path
    control: int | None
    host_buffer: int
    pins: bool = False
    stepped: bool = False
    web: int = 0


@dataclass
class BootState:
    """What a reset hands on to the next boot of the chip."""

    reset_reason: str = "POWER_ON"
    resets: int = 0
    master: int = -1
    path: str = ""
    nvm: int = -1
    reads: int = -1
    writes: int = -1
    watched: bool = False
    down: tuple[str, ...] = ()
    unread: str = ""
    folder: str = ""  # in which the process was started


class Board:
    """One life of the board, from power-on or reset to the next."""

    def __init__(self, options: Options, boot: BootState) -> None:
        self.options = options
        self.boot = boot
        self.file = FlashFile(options.nvm, boot.nvm if boot.resets else None)
        uid = self.file.uid()
        if boot.resets:
            self.port = Port.inherit(boot.master, boot.path, host_buffer=options.host_buffer)
        else:
            self.port = Port.open(host_buffer=options.host_buffer)
        self.flash = self.file.flash(at_cut=_die, on_card=options.pins)
        self.bench = Bench(SteppedClock() if options.stepped else Clock(), frozenset(boot.down))
        self.bench.watched = boot.watched
        self.bench.wake = self.port.wake
        about = {"port": self.port.path, "uid": uid.hex(), "pid": os.getpid(), "resets": boot.resets}
        self.channel = ControlChannel(self.bench, self.flash, boot.reads, boot.writes, about)
        self.channel.unread = bytes.fromhex(boot.unread)
        self.channel.on_reset = self._again
        self.channel.on_interrupt = self._interrupt
        self.shims = Shims(self, self.bench, self.port, self.flash, uid, boot.reset_reason, options.pins, options.web)
        self.channel.watchdog = self.shims.watchdog
        self._program = threading.get_ident()
        self._code = ""
        began = {"push": "reset", "why": boot.reset_reason} if boot.resets else {"push": "ready"}
        self.channel.push({**began, **about})

    def run(self, files: DriveFiles) -> NoReturn:
        """Run boot.py and code.py, and stay for as long as the board has power."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda signum, frame: self.channel.leave())
        signal.signal(signal.SIGUSR1, self._interrupted)
        self.channel.start()
        console = Console(self.bench)
        sys.stdout = sys.stderr = console
        self.shims.install()
        lib = self.options.drive / "lib"
        only_the_boards([lib, files.lib] if lib.is_dir() else [files.lib], drive_files().code.parent)
        _run_file(files.boot)
        for name in [name for name in sys.modules if name.partition(".")[0] in PACKAGES]:
            del sys.modules[name]  # boot.py has a Python of its own, which ends with it
        self.shims.booted()
        watchdog = self.shims.watchdog
        self._code = str(files.code)
        end = _run_file(files.code)
        if end is None or isinstance(end, SystemExit):
            print("\nCode done running.")
        if end is None:
            watchdog.disarm()
        elif watchdog.ends is not None:
            watchdog.ends = min(watchdog.ends, time.monotonic() + BITE_S)
            self.channel.tell()
        while True:
            threading.Event().wait()

    def _interrupt(self) -> None:
        signal.pthread_kill(self._program, signal.SIGUSR1)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-C, which CircuitPython takes only while code.py runs."""
        while frame is not None and frame.f_code.co_filename != self._code:
            frame = frame.f_back
        if frame is None:
            return
        if self.flash.lock.locked():  # CircuitPython writes its flash to the end
            threading.Timer(0.001, self._interrupt).start()
        else:
            raise KeyboardInterrupt

    def reset(self) -> NoReturn:
        """Reset the chip, as microcontroller.reset() does."""
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        self.channel.reset("SOFTWARE")
        while True:
            threading.Event().wait()

    def _again(self, reason: str) -> NoReturn:
        old = self.boot
        new = BootState(
            reset_reason=reason,
            resets=old.resets + 1,
            master=self.port.master,
            path=self.port.path,
            nvm=self.file.descriptor,
            reads=old.reads,
            writes=old.writes,
            watched=self.bench.watched,
            down=tuple(self.bench.down),
            unread=self.channel.unread.hex(),
            folder=old.folder,
        )
        # An exec loses the memory, as a reset does; the environment and inherited descriptors hand the rest on.
        os.set_inheritable(new.reads, True)
        os.set_inheritable(new.writes, True)
        os.environ[BOOT_STATE] = json.dumps(vars(new))
        os.chdir(old.folder)  # the command line and the search path may be relative to it
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - ourselves again


def main(arguments: list[str] | None = None) -> NoReturn:
    """Be a board until told to quit, or until the control channel ends."""
    options = parsed(arguments)
    boot = _boot_state(options)
    try:
        require_terminals()
        if options.pins:
            gpio.require()
        shipped = drive_files()
        files = DriveFiles(
            boot=_first(options.drive / "boot.py", shipped.boot),
            code=_first(options.drive / "code.py", shipped.code),
            settings=options.drive / "settings.toml",
            lib=shipped.lib,
        )
        os.chdir(options.drive)
        board = Board(options, boot)
    except (CribboardError, OSError) as error:
        text, hint = (error.message, error.hint) if isinstance(error, CribboardError) else (str(error), "")
        fatal = {"push": "fatal", "text": text, "hint": hint, "taken": isinstance(error, FlashTaken)}
        os.write(boot.writes, json.dumps(fatal).encode() + b"\n")
        raise SystemExit(FAILED) from None
    board.run(files)


def parsed(arguments: list[str] | None) -> Options:
    """The command line's options."""
    parser = argparse.ArgumentParser(prog="python -m cribboard.sim.process", description="Be a virtual board.")
    parser.add_argument("--drive", type=Path, required=True, help="the folder that is the board's drive")
    parser.add_argument("--nvm", type=Path, required=True, help="the file that is the board's flash")
    parser.add_argument("--control", type=int, help="the control channel's descriptor (default: standard streams)")
    parser.add_argument("--host-buffer", type=int, default=HOST_BUFFER, help="bytes that a host takes in unread")
    parser.add_argument("--pins", action="store_true", help="drive this computer's own pins, a Raspberry Pi's")
    parser.add_argument("--stepped", action="store_true", help="let time pass only when told to")
    parser.add_argument("--web", type=int, default=0, help="have a radio, whose port 80 is this one of loopback")
    options = parser.parse_args(arguments)
    host_buffer = max(1, min(options.host_buffer, HOST_BUFFER))
    folder, nvm = options.drive.absolute(), options.nvm.absolute()
    return Options(folder, nvm, options.control, host_buffer, options.pins, options.stepped, options.web)


def _boot_state(options: Options) -> BootState:
    handed_on = os.environ.pop(BOOT_STATE, "")
    if handed_on:
        return BootState(**json.loads(handed_on))
    try:
        folder = str(Path.cwd())
    except FileNotFoundError:  # it has been removed; then nothing can be relative to it
        folder = os.sep
    if options.control is not None:
        return BootState(reads=options.control, writes=options.control, folder=folder)
    writes = os.dup(1)
    os.dup2(2, 1)  # whatever else is written there shall not get between the lines
    return BootState(reads=0, writes=writes, folder=folder)


def _first(own: Path, shipped: Path) -> Path:
    return own if own.is_file() else shipped


def _run_file(path: Path) -> BaseException | None:
    """Run a file of the drive as CircuitPython does.

    Returns what ended it: after any exception an armed watchdog bites, on CircuitPython 10 after SystemExit as well.
    """
    if not path.is_file():
        return None
    try:
        code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
        exec(code, {"__name__": "__main__", "__file__": path.name})  # noqa: S102 - what the process is for
    except SystemExit as end:
        return end
    except BaseException as error:
        traceback.print_exc()
        return error
    return None


def _die() -> None:
    """The power is gone: nothing after this happens."""
    os.kill(os.getpid(), signal.SIGKILL)


class RefusedError(Exception):
    """A request that cannot be done; the text goes back."""


class ControlChannel(threading.Thread):
    """Serves the control channel on two descriptors (which may be the same) until it ends."""

    def __init__(self, bench: Bench, flash: Flash, reads: int, writes: int, about: dict[str, object]) -> None:
        super().__init__(name="control channel", daemon=True)
        self.bench = bench
        self.watchdog: WatchDogTimer | None = None
        self.on_reset: Callable[[str], None] = lambda reason: None
        self.on_interrupt: Callable[[], None] = lambda: None
        self.unread = b""
        self._flash = flash
        self._reads = reads
        self._writes = writes
        self._about = about
        self._unsent = bytearray()
        self._fingers: list[tuple[float, int, str, bool]] = []
        self._hand = threading.RLock()  # moves them
        self._order = 0
        self._free_at = 0.0
        self._leaving = False
        self._reset_asked = ""
        # A poll can only be ended by a descriptor: whoever has something to send writes a byte here.
        self._woken, self._waker = os.pipe()
        for descriptor in (self._woken, self._waker, writes):
            os.set_blocking(descriptor, False)
        bench.tell = self.tell
        bench.move_fingers = self._move_fingers

    def tell(self) -> None:
        """Wake the thread: there is something to send, or to look at."""
        with contextlib.suppress(BlockingIOError):  # it is awake already
            os.write(self._waker, b"!")

    def leave(self) -> None:
        """End the process soon, in good order; from any thread or a signal's handler."""
        self._leaving = True
        self.tell()

    def reset(self, reason: str) -> None:
        """Have the chip reset soon; from any thread."""
        self._reset_asked = reason
        self.tell()

    def push(self, push: dict[str, object]) -> None:
        """Send a line that nobody asked for."""
        self.bench.pushes.append(push)
        self.tell()

    def run(self) -> None:
        """Serve until the end of the process."""
        self._requests()
        while True:
            self._wait()
            if self._leaving:
                self._end()
            self._move_fingers()
            self._guard()
            self._send()

    def _wait(self) -> None:
        poll = select.poll()
        poll.register(self._woken, select.POLLIN)
        hears = 0 if len(self._unsent) > MOST_UNSENT else select.POLLIN  # who does not read need not ask on
        speaks = select.POLLOUT if self._unsent else 0
        if self._reads == self._writes:
            poll.register(self._reads, hears | speaks)
        else:
            poll.register(self._reads, hears)
            if speaks:
                poll.register(self._writes, speaks)
        for descriptor, events in poll.poll(self._pause_ms()):
            if descriptor == self._woken:
                os.read(self._woken, 4096)
            elif descriptor == self._reads and events & ~select.POLLOUT:
                self._read()

    def _pause_ms(self) -> int | None:
        """Until the next finger moves or the watchdog may bite."""
        with self._hand:
            times = [self._fingers[0][0]] if self._fingers else []
        if self.watchdog is not None and self.watchdog.ends is not None:
            times.append(self.watchdog.ends)
        return max(0, int((min(times) - time.monotonic()) * 1000) + 1) if times else None

    def _read(self) -> None:
        try:
            data = os.read(self._reads, LONGEST_LINE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._end()
        self.unread += data
        self._requests()

    def _requests(self) -> None:
        *lines, self.unread = self.unread.split(b"\n")
        for line in lines:
            if line.strip():
                self._answer(line)
        if len(self.unread) > LONGEST_LINE:
            self.unread = b""
            self._queue({"error": f"a line of more than {LONGEST_LINE} bytes was dropped"})

    def _answer(self, line: bytes) -> None:
        self._queue_pushes()  # what happened before the answer is heard before it; what happens meanwhile, after it
        answer: dict[str, object] = {}
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise RefusedError(f"{shortened(line)} is not a JSON object")
            if "id" in request:
                answer["re"] = request["id"]
            answer.update(self._do(request))
        except RefusedError as refusal:
            answer["error"] = str(refusal)
        except (ValueError, RecursionError):
            answer["error"] = f"{shortened(line)} is not JSON"
        self._queue(answer)
        if self._leaving:
            self._send()
            self._end()

    def _do(self, request: Request) -> dict[str, object]:
        name = request.get("do")
        action: Action | None = getattr(self, f"_do_{name}", None) if isinstance(name, str) else None
        if action is None:
            known = ", ".join(sorted(word[4:] for word in dir(self) if word.startswith("_do_")))
            raise RefusedError(f"{shortened(name)} is unknown; there are {known}")
        return action(request)

    def _do_about(self, request: Request) -> dict[str, object]:
        return {**self._about, "ms": self.bench.clock.ticks_ms(), "down": sorted(self.bench.down, key=PINS.index)}

    def _do_pass(self, request: Request) -> dict[str, object]:
        """Let time pass on a board whose clock is stepped."""
        clock = self.bench.clock
        if not isinstance(clock, SteppedClock):
            raise RefusedError("time passes by itself on this board")
        clock.go_on(_whole(request, "ms", 0, 0, LONGEST_MS))
        return {}

    def _do_press(self, request: Request) -> dict[str, object]:
        with self._hand:
            self.bench.finger(_pin(request), True)
        return {}

    def _do_release(self, request: Request) -> dict[str, object]:
        pin = _pin(request)
        with self._hand:
            self._fingers = [finger for finger in self._fingers if finger[2] != pin]
            heapq.heapify(self._fingers)
            self.bench.finger(pin, False)
        return {}

    def _do_tap(self, request: Request) -> dict[str, object]:
        """Press for some time; taps wait for each other, as those of one finger. Says when it will be over."""
        pin = _pin(request)
        ms = _whole(request, "ms", TAP_MS, 1, LONGEST_MS)
        now = time.monotonic()
        # Each tap is given its moments at once, so that the gap between two does not depend on when requests come.
        begin = max(now, self._free_at)
        end = begin + ms / 1000
        self._free_at = end + GAP_MS / 1000
        with self._hand:
            self._move_at(begin, pin, True)
            self._move_at(end, pin, False)
            self._move_fingers()
        return {"over_ms": int((end - now) * 1000) + 1}

    def _do_strips(self, request: Request) -> dict[str, object]:
        return {"strips": [frame_push(pin, shown) for pin, shown in list(self.bench.strips.items())]}

    def _do_watch(self, request: Request) -> dict[str, object]:
        """Tell of frames and tones from now on, or no more."""
        self.bench.watched = request.get("on", True) is True
        return self._do_strips(request)

    def _do_flash(self, request: Request) -> dict[str, object]:
        flash = self._flash
        return {
            "hex": bytes(flash.memory).hex(),
            "erases": flash.erases,
            "programs": flash.programs,
            "changed": flash.changed,
        }

    def _do_cut(self, request: Request) -> dict[str, object]:
        """The power goes after so many more changed bytes of the flash."""
        after = _whole(request, "after", 0, 0, 1 << 31)
        seed = request.get("seed")
        chance = random.Random(seed) if isinstance(seed, int) else None  # noqa: S311 - no secret
        self._flash.cut = Cut(self._flash.changed + after, chance)
        return {}

    def _do_reset(self, request: Request) -> dict[str, object]:
        self._reset_asked = "RESET_PIN"
        return {}

    def _do_interrupt(self, request: Request) -> dict[str, object]:
        """Ctrl-C on the console."""
        self.on_interrupt()
        return {}

    def _do_quit(self, request: Request) -> dict[str, object]:
        self._leaving = True
        return {}

    def _move_at(self, when: float, pin: str, down: bool) -> None:
        self._order += 1
        heapq.heappush(self._fingers, (when, self._order, pin, down))

    def _move_fingers(self) -> None:
        with self._hand:
            while self._fingers and self._fingers[0][0] <= time.monotonic():
                when, _, pin, down = heapq.heappop(self._fingers)
                self.bench.finger(pin, down, when)

    def _guard(self) -> None:
        ends = None if self.watchdog is None else self.watchdog.ends
        if ends is not None and ends <= time.monotonic():
            self._reset_asked = "WATCHDOG"
        # What was said goes out first: the exec behind this throws away what is in memory.
        if self._reset_asked:
            self._send()
            self.on_reset(self._reset_asked)

    def _queue(self, line: dict[str, object]) -> None:
        self._unsent += json.dumps(line, separators=(",", ":")).encode() + b"\n"

    def _queue_pushes(self) -> None:
        pushes = self.bench.pushes
        while pushes and len(self._unsent) < MOST_UNSENT:
            self._queue(pushes.popleft())

    def _send(self) -> None:
        self._queue_pushes()
        try:
            while self._unsent:
                del self._unsent[: os.write(self._writes, self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self._end()

    def _end(self) -> NoReturn:
        """End the process, but let the flash finish a write: to leave is no power cut."""
        self._flash.lock.acquire(timeout=1.0)
        os._exit(0)


def shortened(value: object) -> str:
    """A value as a user should see it quoted."""
    text = repr(value.decode("utf-8", "replace") if isinstance(value, bytes) else value)
    return text if len(text) <= 60 else text[:57] + "..."


def _pin(request: Request) -> str:
    pin = request.get("pin")
    if not isinstance(pin, str) or pin not in PINS:
        raise RefusedError(f"{shortened(pin)} is not a pin; there are {PINS[0]} to {PINS[-1]}")
    return pin


def _whole(request: Request, key: str, default: int, least: int, most: int) -> int:
    value = request.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise RefusedError(f"{key} is {shortened(value)}; take a whole number from {least} to {most}")
    return value


if __name__ == "__main__":
    main()
