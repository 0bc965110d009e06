"""A virtual board as an object: start it, find its port, press its buttons, see its strips, cut its power."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TypedDict

import cribboard
from cribboard.drive import drive_files
from cribboard.files import board_folder, ensure_folder, read_file, write_errors, write_whole
from cribboard.sim.bench import WRAP
from cribboard.sim.registry import FlashTaken, SimError, require_terminals
from cribboard.toml_lines import merged, values

PATIENCE_S = 60.0
START_S = 20.0  # a very busy computer; half a second is usual
ANSWER_S = 10.0
ENDED_S = 20.0  # a program that lets so much pass without a look at the clock has ended
LOOK_S = 0.02
CONSOLE_KEPT = 65536
LOG = "process.log"


class Message(TypedDict, total=False):
    """What the board's process says: an answer by the number `re`, or with `push` what nobody asked for."""

    re: int
    push: str
    error: str
    pin: str
    hex: str
    ms: int
    count: int
    hz: int
    strips: list[Message]
    over_ms: int
    erases: int
    programs: int
    changed: int
    port: str
    uid: str
    pid: int
    resets: int
    taken: bool
    text: str
    hint: str


@dataclass(frozen=True)
class Strip:
    """What a strip shows: the bytes that it was sent, and in which order its pixels take the colours."""

    pin: str
    data: bytes
    order: str
    at_ms: int
    count: int

    @property
    def pixels(self) -> list[tuple[int, int, int]]:
        """Red, green and blue of each pixel, 0 to 255."""
        step = len(self.order)
        red, green, blue = (self.order.index(letter) for letter in "RGB")
        starts = range(0, len(self.data) - step + 1, step)
        return [(self.data[i + red], self.data[i + green], self.data[i + blue]) for i in starts]


@dataclass(frozen=True)
class Tone:
    """A piezo's tone began, or ended when `hz` is 0."""

    pin: str
    hz: int
    at_ms: int


class VirtualBoard:
    """One virtual board and its process. Use it in a `with`, or start and stop it; it can be started again.

    `folder` is its drive (default: the user's own, named `name`); `nvm` its flash file (default: in that folder).
    `settings` replaces the drive's settings.toml; without it the file there stays, or is copied from the firmware.
    Files code.py, boot.py and lib/ in the folder go before the shipped ones. `host_buffer` is how many bytes a host
    that does not read still takes in. `pins` drives this computer's own pins, a Raspberry Pi's. On a `stepped` one no
    time passes but by `pass_time`. With `web` it has a radio, whose port 80 is this one of loopback, and its drive gets
    the whole firmware, as from `cribboard install`.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        nvm: Path | None = None,
        settings: str | None = None,
        name: str = "sim",
        host_buffer: int | None = None,
        pins: bool = False,
        stepped: bool = False,
        web: int = 0,
    ) -> None:
        self.name = name
        self.folder = board_folder(name) if folder is None else ensure_folder(folder)
        self.nvm = self.folder / "nvm.bin" if nvm is None else nvm.absolute()
        self.port = ""
        self.uid = ""
        self.pid = 0
        self.resets = 0
        self._settings_text = settings
        self._host_buffer = host_buffer
        self._pins = pins
        self._stepped = stepped
        self._web = web
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._reader: threading.Thread | None = None
        self._news = threading.Condition()
        self._answers: dict[int, Message] = {}
        self._next_id = 0
        self._strips: dict[str, Strip] = {}
        self._tones: list[Tone] = []
        self._console = ""
        self._fatal: SimError | None = None
        self._open = False
        self._order = "GRB"
        self._skip = 0
        self._watchers: list[Callable[[Strip | Tone], None]] = []

    def start(self) -> VirtualBoard:
        """Power on; returns when the port is there, which is before code.py runs."""
        require_terminals()
        if self._process is not None:
            raise SimError(f"the virtual board on {self.port} is already running", "stop it first")
        self._prepare_drive()
        self._fatal, self.port, self._strips, self._tones, self._console = None, "", {}, [], ""
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = self._spawn(theirs.fileno())
        self._socket, self._open = ours, True
        self._reader = threading.Thread(target=self._read, args=(ours,), name="virtual board", daemon=True)
        self._reader.start()
        try:
            if not self.wait_for(lambda board: bool(board.port or board._fatal) or not board._open, START_S):
                raise SimError(f"the virtual board said nothing for {START_S:.0f} s", self._see_log())
            if not self.port:
                raise self._fatal or self._gone()
            for push in self._ask("watch")["strips"]:
                if push["pin"] not in self._strips:  # shown before anybody watched, and perhaps never again
                    self._frame(push)
        except BaseException:
            self.kill()
            raise
        return self

    def stop(self) -> None:
        """Power off in good order: a write to the flash is finished first."""
        if self._process is None:
            return
        try:
            self._ask("quit")
            self._process.wait(ANSWER_S)
        except (SimError, subprocess.TimeoutExpired):
            pass
        self.kill()

    def kill(self) -> None:
        """Pull the plug: whatever it was doing, it does not finish."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        if self._reader is not None and self._reader is not threading.current_thread():
            self._reader.join()

    @property
    def alive(self) -> bool:
        """Whether its process runs."""
        return self._process is not None and self._open and self._process.poll() is None

    def press(self, pin: str, ms: int | None = None) -> None:
        """Put a finger on the button at `pin`; with `ms` it goes up after that time."""
        if ms is None:
            self._ask("press", pin=pin)
        else:
            self.tap(pin, ms)

    def release(self, pin: str) -> None:
        """Take the finger off the button, and forget taps that were still to come."""
        self._ask("release", pin=pin)

    def tap(self, pin: str, ms: int = 40) -> int:
        """Press for `ms`; does not wait. Taps follow each other, also on several buttons. Gives ms until it is over."""
        return self._ask("tap", pin=pin, ms=ms)["over_ms"]

    def interrupt(self) -> None:
        """Type Ctrl-C on the console, as editors do by themselves."""
        self._ask("interrupt")

    def reset(self) -> None:
        """Push the reset button: RAM is lost, the flash is not."""
        self._ask("reset")

    def strips(self) -> dict[str, Strip]:
        """What each strip shows now, by its pin."""
        for push in self._ask("strips")["strips"]:
            self._frame(push)
        with self._news:
            return dict(self._strips)

    def last_strips(self) -> dict[str, Strip]:
        """What each strip was last heard to show, without asking."""
        with self._news:
            return dict(self._strips)

    def pass_time(self, ms: int) -> None:
        """Let this much time pass on a stepped board, as fast as it can; returns when its program has seen all of it.

        Returns as well when that program has ended, and looks at no clock any more.
        """
        last = self._ask("about")["ms"]
        ends = (last + ms) % WRAP
        self._ask("pass", ms=ms)
        gives_up = time.monotonic() + ENDED_S
        while last != ends and time.monotonic() < gives_up:
            time.sleep(LOOK_S)
            now = self._ask("about")["ms"]
            if now != last:
                last, gives_up = now, time.monotonic() + ENDED_S

    def tones(self) -> list[Tone]:
        """All tones since the start."""
        with self._news:
            return list(self._tones)

    def console(self) -> str:
        """What code.py printed, and what CircuitPython would have."""
        with self._news:
            return self._console

    def flash(self) -> Message:
        """The flash: its bytes as `hex`, and the counts `erases`, `programs` and `changed` since power-on."""
        return self._ask("flash")

    def cut_power_after(self, changed_bytes: int, seed: int | None = None) -> None:
        """Kill the board in the middle of a write, once so many more bytes of the flash have changed."""
        self._ask("cut", after=changed_bytes, seed=seed)

    def subscribe(self, watcher: Callable[[Strip | Tone], None]) -> Callable[[], None]:
        """Call `watcher`, in a thread of its own, with each frame and tone from now on; gives what ends that."""
        with self._news:
            self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def wait_for(self, condition: Callable[[VirtualBoard], bool], seconds: float = PATIENCE_S) -> bool:
        """Wait until the condition holds, which is looked at whenever anything is heard; False when it never did."""
        with self._news:
            return self._news.wait_for(lambda: condition(self), seconds)

    def settings(self) -> dict[str, object]:
        """The drive's settings as they are now; empty when they cannot be read."""
        try:
            return tomllib.loads(read_file(self.folder / "settings.toml").decode())
        except (OSError, ValueError):
            return {}

    def __enter__(self) -> VirtualBoard:
        return self if self.alive else self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _prepare_drive(self) -> None:
        settings = self.folder / "settings.toml"
        if self._settings_text is not None:
            write_whole(settings, self._settings_text)
        elif not settings.exists():
            text = drive_files().settings.read_text(encoding="utf-8")
            if self._pins:
                from cribboard.sim.shims.gpio import SETTINGS

                text = merged(text, SETTINGS, values(SETTINGS))
            write_whole(settings, text)
        if self._web:
            for name, data in drive_files().contents(radio=True).items():
                if name.startswith("lib/cribboard_"):
                    path = self.folder / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(data)

    def _read_strips(self) -> None:
        settings = self.settings()
        skip = settings.get("SKIP_PIXELS", 0)
        self._skip = skip if type(skip) is int and skip > 0 else 0
        order = settings.get("PIXEL_ORDER", "GRB")
        self._order = order if isinstance(order, str) and set("RGB") <= set(order) else "GRB"

    def _spawn(self, control: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", "cribboard.sim.process", "--control", str(control)]
        command += ["--drive", str(self.folder), "--nvm", str(self.nvm)]
        if self._host_buffer is not None:
            command += ["--host-buffer", str(self._host_buffer)]
        host = str(Path(cribboard.__file__).absolute().parent.parent)
        others = os.environ.get("PYTHONPATH", "")
        if self._pins:
            command.append("--pins")
        if self._stepped:
            command.append("--stepped")
        if self._web:
            command += ["--web", str(self._web)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(part for part in (host, others) if part)}
        path = self.folder / LOG
        with write_errors(path), path.open("wb") as log:
            return subprocess.Popen(  # noqa: S603 - our own interpreter
                command,
                pass_fds=(control,),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                start_new_session=True,
            )

    def _ask(self, action: str, **values: object) -> Message:
        with self._news:
            self._next_id += 1
            number = self._next_id
        line = json.dumps({"do": action, "id": number, **values}).encode() + b"\n"
        try:
            if self._socket is None:
                raise SimError("the virtual board is off", "start it first")
            self._socket.sendall(line)
        except OSError as error:
            raise self._gone() from error
        with self._news:
            self._news.wait_for(lambda: number in self._answers or not self._open, ANSWER_S)
            answer = self._answers.pop(number, None)
        if answer is None and self.alive:
            raise SimError(f"the virtual board did not answer for {ANSWER_S:.0f} s", self._see_log())
        if answer is None:
            raise self._gone()
        if "error" in answer:
            raise SimError(answer["error"])
        return answer

    def _gone(self) -> SimError:
        log = self.folder / LOG
        text = log.read_text(encoding="utf-8", errors="replace").strip() if log.exists() else ""
        return SimError(
            f"the virtual board has stopped: {text.splitlines()[-1] if text else 'no word why'}", self._see_log()
        )

    def _see_log(self) -> str:
        return f"its log is {self.folder / LOG}"

    def _read(self, channel: socket.socket) -> None:
        """The reader's thread: hear the board until it is gone."""
        try:
            with channel.makefile("rb") as lines:
                for line in lines:
                    self._hear(json.loads(line))
        except (OSError, ValueError):
            pass  # closed by kill(), or killed in the middle of a line
        with self._news:
            self._open = False
            self._news.notify_all()

    def _hear(self, message: Message) -> None:
        heard: Strip | Tone | None = None
        with self._news:
            kind = message.get("push")
            if kind == "frame":
                heard = self._frame(message)
            elif kind == "tone":
                heard = Tone(message["pin"], message["hz"], message["ms"])
                self._tones.append(heard)
            elif kind == "console":
                self._console = (self._console + message["text"])[-CONSOLE_KEPT:]
            elif kind in ("ready", "reset"):
                self.port, self.uid, self.pid = message["port"], message["uid"], message["pid"]
                self.resets = message["resets"]
                self._read_strips()
            elif kind == "fatal":
                error = FlashTaken if message["taken"] else SimError
                self._fatal = error(message["text"], message["hint"])
            elif "re" in message:
                self._answers[message["re"]] = message
            watchers = list(self._watchers)
            self._news.notify_all()
        if heard is not None:
            for watcher in watchers:
                watcher(heard)

    def _frame(self, push: Message) -> Strip:
        strip = Strip(push["pin"], bytes.fromhex(push["hex"])[3 * self._skip :], self._order, push["ms"], push["count"])
        with self._news:
            self._strips[strip.pin] = strip
        return strip
