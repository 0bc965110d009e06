"""The hardware: the only module that imports what CircuitPython alone has, and the loop that never ends."""

from __future__ import annotations

import os
import sys

import board
import keypad
import microcontroller
import neopixel
import supervisor
import usb_cdc
from watchdog import WatchDogMode

from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_fw import memory
from cribboard_fw.clock import elapsed
from cribboard_fw.entry import Entry
from cribboard_fw.lights import Lights
from cribboard_fw.nvm import WELL_AFTER_MS, Choice, Faults, TooManyFaults
from cribboard_fw.scene import GamePicture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from watchdog import WatchDogTimer

    from cribboard_fw.app import App
    from cribboard_fw.settings import Settings
    from cribboard_fw.types import Port, Strip

WATCHDOG_S = 5
KEY_INTERVAL_S = 0.002  # the default is 0.02
# OK, UNDO and DEAL change when so many scans say so, 4 ms at least: a spike is no press
FIRM_INTERVAL_S, FIRM_SCANS = 0.001, 6
SCANNED_MS = 10  # by then every key has been scanned enough
DUTY = (0, 0x0800, 0x8000)  # of the piezo: off, quiet, on
RP2 = ("rp2040", "rp2350")
QUIET_MS = 50  # nobody waits then: a press or a command is on the strip in 25
MOST_WORK = 16  # steps that did something, before garbage is collected in any case: 20 KB


class NoPort:
    """In place of a second serial port: the board plays alone."""

    connected = False


class Parts:
    """What the app works with; raises ValueError for a pin that this board has not."""

    def __init__(self, settings: Settings) -> None:
        data = [pin(name) for name in settings.strip_pins]
        names = []
        for three in settings.buttons:
            names += three or []
        began = supervisor.ticks_ms()
        self.shared = shared = len(names)  # the key number of UNDO
        names += [settings.undo_pin, settings.deal_pin]
        keys = range(shared + 2)
        firm = [key for key in keys if key >= shared or key % 3 == 2]
        self._scanners = [(scanner(names, firm, FIRM_INTERVAL_S, FIRM_SCANS, 32), firm)]
        if shared:
            quick = [key for key in keys if key not in firm]
            self._scanners.append((scanner(names, quick, KEY_INTERVAL_S, 1, 64), quick))
        self._edge = keypad.Event()
        self.choice = Choice(flash(), settings.brightness, settings.commit_s)
        self._piezo = None
        if settings.piezo_pin:
            import pwmio

            self._piezo = pwmio.PWMOut(pin(settings.piezo_pin), frequency=440, variable_frequency=True)
        self.strips: list[Strip] = [strip(pin, settings.skip + settings.leds, settings.pixel_order) for pin in data]
        self.port = self._port()
        self.uid = bytes(microcontroller.cpu.uid).hex()
        why, reasons = microcontroller.cpu.reset_reason, microcontroller.ResetReason
        self.flags = promises() + 2 * (why == reasons.BROWNOUT) + 4 * (why == reasons.WATCHDOG)
        self.down: list[int] = []  # keys that were down at power-on
        over = False
        while not over:
            over = elapsed(supervisor.ticks_ms(), began) >= SCANNED_MS
            while edge := self.key():
                self.down.append(edge[0])

    def _port(self) -> Port:
        port = usb_cdc.data
        if port is None:
            print("no second serial port: boot.py has not run; unplug the board and plug it in again")
            return NoPort()  # type: ignore[return-value]
        port.timeout = 0
        port.write_timeout = 0
        return port

    def key(self) -> tuple[int, bool, int] | None:
        """The next (key number, pressed, ticks) or None; the number is -1 when a queue had overflowed.

        Of presses between two looks those of +1 and +5 come last, so that UNDO does not take a later one.
        """
        for keys, numbers in self._scanners:
            events = keys.events
            if events.overflowed:
                for each, _ in self._scanners:
                    empty(each.events)
                return -1, False, 0
            if events and take(events, self._edge):
                return numbers[self._edge.key_number], self._edge.pressed, self._edge.timestamp
        return None

    def tone(self, frequency: int, level: int) -> None:
        """Sound the piezo at so many hertz, quiet (1) or not (2); 0 Hz is silence."""
        if self._piezo:
            if frequency:
                self._piezo.frequency = frequency
            self._piezo.duty_cycle = DUTY[level] if frequency else 0


def scanner(names: list[str], keys: list[int], interval_s: float, scans: int, most: int) -> keypad.Keys:
    """What scans these keys and keeps so many edges; those that are down give one, too."""
    pins = [pin(names[key]) for key in keys]
    made = keypad.Keys(pins, value_when_pressed=False, interval=interval_s, debounce_threshold=scans, max_events=most)
    made.reset()
    return made


# A scan between would leave a queue one edge behind for good: no interrupts.
def take(events: keypad.EventQueue, edge: keypad.Event) -> bool:
    """Whether there was an edge."""
    microcontroller.disable_interrupts()
    got = events.get_into(edge)
    microcontroller.enable_interrupts()
    return got


def empty(events: keypad.EventQueue) -> None:
    microcontroller.disable_interrupts()
    events.clear()
    microcontroller.enable_interrupts()


def pin(name: str) -> microcontroller.Pin:
    """The pin of this name."""
    pin: microcontroller.Pin | None = getattr(board, name, None)
    if pin is None:
        raise ValueError("this board has no pin %s; its pins are named on its drawing, like GP2" % name)
    return pin


def flash() -> bytearray:
    """The bytes that outlast the power; raises ValueError where there are none."""
    if microcontroller.nvm is None:
        raise ValueError("this chip has no nvm to keep the score in; use another board")
    return microcontroller.nvm  # type: ignore[return-value]


def promises() -> bool:
    """Whether a write onto erased bytes erases nothing, as the journal needs: on the RP2 port."""
    name = getattr(board, "board_id", "zephyr")  # that port, for the same chips, rewrites all of it
    return os.uname().sysname.lower() in RP2 and "zephyr" not in name and len(flash()) == 4096


def strip(data: microcontroller.Pin, leds: int, order: str) -> neopixel.NeoPixel:
    """The strip at a pin, dark."""
    return neopixel.NeoPixel(data, leds, brightness=1.0, auto_write=False, pixel_order=order)


def main() -> None:
    """Run the board until its power is cut; raises what keeps it from running, for code.py to show."""
    watchdog: WatchDogTimer = microcontroller.watchdog  # type: ignore[assignment]
    try:
        faults = Faults(flash(), sys.path[0])
        why, reasons = microcontroller.cpu.reset_reason, microcontroller.ResetReason
        if why == reasons.POWER_ON:
            faults.well()  # somebody tries again
        elif why == reasons.WATCHDOG:
            faults.bitten()
        from cribboard_fw.settings import read_settings

        settings = read_settings()
        del read_settings  # its module is let go
        if faults.gives_up():
            raise TooManyFaults
        watchdog.timeout = WATCHDOG_S
        watchdog.mode = WatchDogMode.RESET
        parts = Parts(settings)
    except (OSError, ValueError, RuntimeError) as error:
        from cribboard_fw.settings import SettingsError

        watchdog.mode = None  # the console stays
        raise SettingsError("settings.toml: %s" % error)
    supervisor.runtime.autoreload = False  # else a write to the drive would restart a game
    try:
        run(start(settings, parts), watchdog, faults)
    except SystemExit:  # CircuitPython 10 would leave the console under the watchdog
        watchdog.mode = None
        raise
    except Exception:  # it leaves the watchdog armed, which restarts the board
        faults.fault()
        for pixels in parts.strips:
            pixels.deinit()  # free the pins for code.py
        raise


def start(settings: Settings, parts: Parts) -> App:
    """The app; it lights up before most of it is read, which takes a second."""
    match, journal = load(settings)
    tracks, bright = len(parts.strips), parts.choice.brightness
    lights = Lights(tracks, settings.leds, bright, settings.limit_ma, settings.skip, settings.strong_pegs)
    lights.update(match, GamePicture(match, Entry(match, None)))
    for _ in range(3 * tracks):  # lay out, paint, send
        lights.show(parts.strips, supervisor.ticks_ms())
    if parts.down:
        from cribboard_fw.at_power_on import carry_out

        feed = microcontroller.watchdog.feed  # type: ignore[union-attr]
        carry_out(match, lights, parts, settings, supervisor.ticks_ms, feed)
    ours = sys.implementation.name == "circuitpython"
    if ours:
        memory.let_go(sys.modules, ("cribboard_fw.settings", "cribboard_core.mount"))
    from cribboard_fw.app import App
    from cribboard_fw.keeper import Keeper

    wifi, settings.wifi = settings.wifi, None  # its module is let go
    radio = wifi and wifi.radio()
    if ours:
        memory.string_up(sys.modules)
    app = App(settings, parts, Keeper(match, journal), lights)
    if radio:
        radio(app)
    return app


def load(settings: Settings) -> tuple[Match, Journal]:
    """The journal and its match, or a first game by the settings."""
    sides = settings.teams or settings.players
    match = Match(settings.target, (1 << settings.players) - 1, sides, 0, (settings.skunk, settings.double))
    journal = Journal(flash())
    if not journal.mount(match, int.from_bytes(os.urandom(4), "little")):
        print("a new journal, epoch %08x" % journal.log.epoch)
        if not journal.free:
            print("what the flash holds cannot be read; the first event erases it: see firmware/README.md")
    return match, journal


def run(app: App, watchdog: WatchDogTimer, faults: Faults) -> None:
    """Step the app for ever, and collect garbage between steps, so that it never happens within one."""
    ticks = supervisor.ticks_ms
    start = busy_at = ticks()
    work = 1
    step = app.step
    while True:
        now = ticks()
        if step(now):
            busy_at = now
            work += 1
        if work and (work > MOST_WORK or elapsed(now, busy_at) > QUIET_MS) and not app.owes and app.lights.settled:
            memory.collect()
            work = 0
        watchdog.feed()
        if faults.in_a_row and elapsed(now, start) > WELL_AFTER_MS:
            faults.well()
