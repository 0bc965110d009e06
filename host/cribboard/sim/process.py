"""The process of a virtual board: `python -m cribboard.sim.process --drive FOLDER --nvm FILE`.

A reset of the chip is an exec of this process: all of its RAM is lost, while the port, the lock on the flash file, the
control channel and the fingers on the buttons go on, as they do around a real chip.
"""

from __future__ import annotations

import argparse
import json
import os
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
from types import ModuleType
from typing import NoReturn

from cribboard.drive import PACKAGES, DriveFiles, drive_files
from cribboard.errors import CribboardError
from cribboard.sim.bench import Bench, Clock, SteppedClock
from cribboard.sim.flash import FlashFile
from cribboard.sim.outside import Outside
from cribboard.sim.port import HOST_BUFFER, Port
from cribboard.sim.registry import FlashTaken, require_terminals
from cribboard.sim.shims import Shims, gpio
from cribboard.sim.shims.chip import Console

# What code.py may import: the standard library, the board's own modules and the packages on its drive.


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

    sys.path stays: a change of it has coverage import its packages anew, beside whatever another thread imports.
    """
    sys.meta_path.insert(0, BoardImports(folders, top))


LIFE = "CRIBBOARD_SIM_LIFE"
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


@dataclass
class Life:
    """What a reset hands on to the next life of the chip."""

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

    def __init__(self, options: Options, life: Life) -> None:
        self.options = options
        self.life = life
        self.file = FlashFile(options.nvm, life.nvm if life.resets else None)
        uid = self.file.uid()
        if life.resets:
            self.port = Port.inherit(life.master, life.path, host_buffer=options.host_buffer)
        else:
            self.port = Port.open(host_buffer=options.host_buffer)
        self.flash = self.file.flash(at_cut=_die, on_card=options.pins)
        self.bench = Bench(SteppedClock() if options.stepped else Clock(), frozenset(life.down))
        self.bench.watched = life.watched
        self.bench.wake = self.port.wake
        about = {"port": self.port.path, "uid": uid.hex(), "pid": os.getpid(), "resets": life.resets}
        self.outside = Outside(self.bench, self.flash, life.reads, life.writes, about)
        self.outside.unread = bytes.fromhex(life.unread)
        self.outside.on_reset = self._again
        self.outside.on_interrupt = self._interrupt
        self.shims = Shims(self, self.bench, self.port, self.flash, uid, life.reset_reason, options.pins)
        self.outside.watchdog = self.shims.watchdog
        self._program = threading.get_ident()
        began = {"push": "reset", "why": life.reset_reason} if life.resets else {"push": "ready"}
        self.outside.push({**began, **about})

    def run(self, files: DriveFiles) -> NoReturn:
        """Run boot.py and code.py, and stay for as long as the board has power."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda signum, frame: self.outside.leave())
        _no_ctrl_c()
        self.outside.start()
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
        end = _run_file(files.code, self._take_ctrl_c)
        if end is None or isinstance(end, SystemExit):
            print("\nCode done running.")
        if end is None:
            watchdog.disarm()
        elif watchdog.ends is not None:
            watchdog.ends = min(watchdog.ends, time.monotonic() + BITE_S)
            self.outside.tell()
        while True:
            threading.Event().wait()

    def _interrupt(self) -> None:
        signal.pthread_kill(self._program, signal.SIGUSR1)

    def _take_ctrl_c(self) -> None:
        signal.signal(signal.SIGUSR1, self._interrupted)

    def _interrupted(self, number: int, frame: object) -> None:
        if self.flash.lock.locked():  # CircuitPython writes its flash to the end
            threading.Timer(0.001, self._interrupt).start()
        else:
            raise KeyboardInterrupt

    def reset(self) -> NoReturn:
        """Reset the chip, as microcontroller.reset() does."""
        _no_ctrl_c()
        self.outside.reset("SOFTWARE")
        while True:
            threading.Event().wait()

    def _again(self, reason: str) -> NoReturn:
        old = self.life
        new = Life(
            reset_reason=reason,
            resets=old.resets + 1,
            master=self.port.master,
            path=self.port.path,
            nvm=self.file.descriptor,
            reads=old.reads,
            writes=old.writes,
            watched=self.bench.watched,
            down=tuple(self.bench.down),
            unread=self.outside.unread.hex(),
            folder=old.folder,
        )
        os.set_inheritable(new.reads, True)
        os.set_inheritable(new.writes, True)
        os.environ[LIFE] = json.dumps(vars(new))
        os.chdir(old.folder)  # the command line and the search path may be relative to it
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - ourselves again


def main(arguments: list[str] | None = None) -> NoReturn:
    """Be a board until told to quit, or until the control channel ends."""
    options = parsed(arguments)
    life = _life(options)
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
        board = Board(options, life)
    except (CribboardError, OSError) as error:
        text, hint = (error.message, error.hint) if isinstance(error, CribboardError) else (str(error), "")
        fatal = {"push": "fatal", "text": text, "hint": hint, "taken": isinstance(error, FlashTaken)}
        os.write(life.writes, json.dumps(fatal).encode() + b"\n")
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
    found = parser.parse_args(arguments)
    host_buffer = max(1, min(found.host_buffer, HOST_BUFFER))
    return Options(found.drive.absolute(), found.nvm.absolute(), found.control, host_buffer, found.pins, found.stepped)


def _life(options: Options) -> Life:
    handed_on = os.environ.pop(LIFE, "")
    if handed_on:
        return Life(**json.loads(handed_on))
    try:
        folder = str(Path.cwd())
    except FileNotFoundError:  # it has been removed; then nothing can be relative to it
        folder = os.sep
    if options.control is not None:
        return Life(reads=options.control, writes=options.control, folder=folder)
    writes = os.dup(1)
    os.dup2(2, 1)  # whatever else is written there shall not get between the lines
    return Life(reads=0, writes=writes, folder=folder)


def _first(own: Path, shipped: Path) -> Path:
    return own if own.is_file() else shipped


def _run_file(path: Path, begin: Callable[[], None] = lambda: None) -> BaseException | None:
    """Run a file of the drive as CircuitPython does, which takes Ctrl-C only from `begin` to the end of it.

    Returns what ended it: after any exception an armed watchdog bites, on CircuitPython 10 after SystemExit as well.
    """
    if not path.is_file():
        return None
    try:
        code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
        begin()
        exec(code, {"__name__": "__main__", "__file__": path.name})  # noqa: S102 - what the process is for
    except SystemExit as end:
        return end
    except BaseException as error:
        traceback.print_exc()
        return error
    finally:
        _no_ctrl_c()
    return None


def _no_ctrl_c() -> None:
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)


def _die() -> None:
    """The power is gone: nothing after this happens."""
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
