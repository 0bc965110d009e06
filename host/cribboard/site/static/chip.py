"""The chip of the virtual board in a page: what CircuitPython has and MicroPython for WebAssembly has not.

The page calls `power_on` once, then `go_on` again and again, since the firmware's own loop never ends, and a page must
come to its other work. So the loop ends in `Pause` when its turns find nothing to do or take too long. No code of the
firmware catches that, and the next call takes the loop up again. Every module here is the one of CircuitPython, as far
as the firmware uses it.
"""

import gc
import json
import sys
import time
from binascii import hexlify, unhexlify

import page  # what the page does: show, tone, send, keep, tell, ended, random

WRAP = (1 << 29) - 1
SECTOR = 4096
IDLE_TURNS = 6  # of the loop without anything to do: by then the lights are laid out, painted and sent
SLICE_MS = 12
COLLECT_AFTER = 24  # bits of work, which leave some 20 KB behind


class Pause(BaseException):
    """The loop gives the page a turn."""


class Named:
    """An object with these attributes: a module, or a choice of names."""

    def __init__(self, **named):
        for name in named:
            setattr(self, name, named[name])


class Clock:
    """supervisor.ticks_ms, which wraps at 2**29 for the first time 65 s after power-on."""

    def __init__(self):
        self.start = time.ticks_ms() + 65536

    def ticks_ms(self):
        return (time.ticks_ms() - self.start) & WRAP


class Work:
    """How much the firmware has done since the page gave it a turn."""

    idle = 0
    done = 0
    until = 0
    left = False  # the time was over, and there may be more to do

    def begin(self):
        self.idle = 0
        self.left = False
        self.until = time.ticks_ms() + SLICE_MS

    def busy(self):
        self.idle = 0
        self.done += 1

    def turn(self):
        """A turn of the loop is over."""
        self.idle += 1
        self.left = self.idle <= IDLE_TURNS
        if not self.left or time.ticks_ms() >= self.until:
            raise Pause


clock = Clock()
work = Work()


class Pin:
    """A pin, which is its name."""

    def __init__(self, name):
        self.name = name


class Nvm:
    """microcontroller.nvm: the page keeps each change."""

    def __init__(self, kept):
        self._bytes = bytearray(kept)
        self.changed = False

    def __len__(self):
        return SECTOR

    def __getitem__(self, where):
        return self._bytes[where]

    def __setitem__(self, where, value):
        work.busy()
        self._bytes[where] = value
        self.changed = True

    def hex(self):
        self.changed = False
        return hexlify(self._bytes).decode()


class Events:
    """The queue of a scanner."""

    def __init__(self, most):
        self._edges = []
        self._most = most
        self.overflowed = False

    def put(self, number, pressed, when):
        if len(self._edges) < self._most:
            self._edges.append((number, pressed, when))
        else:
            self.overflowed = True

    def get_into(self, event):
        if not self._edges:
            return False
        work.busy()
        event.key_number, event.pressed, event.timestamp = self._edges.pop(0)
        return True

    def clear(self):
        self._edges = []
        self.overflowed = False


class Keys:
    """keypad.Keys: a tap on the page does not bounce, so a release is as old as those that the firmware trusts."""

    made = []

    def __init__(self, pins, *, value_when_pressed, interval=0.02, debounce_threshold=1, max_events=64):
        self._numbers = {}
        self._pressed = [0] * len(pins)  # since when
        for number in range(len(pins)):
            self._numbers[pins[number].name] = number
        self.events = Events(max_events)
        Keys.made.append(self)

    def reset(self):
        """Nothing is held at power-on."""

    def finger(self, pin, down):
        if pin not in self._numbers:
            return
        from cribboard_fw.buttons import BOUNCE_MS
        from cribboard_fw.clock import elapsed

        number, when = self._numbers[pin], clock.ticks_ms()
        if down:
            self._pressed[number] = when
        else:
            when = (when - min(BOUNCE_MS, elapsed(when, self._pressed[number]))) & WRAP
        self.events.put(number, down, when)


class Serial:
    """usb_cdc.data: what arrives comes from the page, what is written goes to it."""

    connected = False
    timeout = write_timeout = 0

    def __init__(self):
        self._arrived = b""
        self.leaving = b""

    @property
    def in_waiting(self):
        return len(self._arrived)

    def arrive(self, data):
        self._arrived += data

    def read(self, size):
        work.busy()
        data = self._arrived[:size]
        self._arrived = self._arrived[size:]
        return data

    def write(self, data):
        work.busy()
        if self.connected:
            self.leaving += data
        return len(data)


class Piezo:
    """pwmio.PWMOut on a piezo."""

    def __init__(self, pin, frequency=440, variable_frequency=False):
        self._hz = frequency
        self._duty = 0

    @property
    def frequency(self):
        return self._hz

    @frequency.setter
    def frequency(self, hz):
        self._hz = hz
        self._sound()

    @property
    def duty_cycle(self):
        return self._duty

    @duty_cycle.setter
    def duty_cycle(self, duty):
        self._duty = duty
        self._sound()

    def _sound(self):
        page.tone(self._hz if self._duty else 0, self._duty)


class NeoPixel:
    """A strip: the bytes that it is sent, in its own order of the colours."""

    def __init__(self, pin, n, *, brightness=1.0, auto_write=True, pixel_order="GRB"):
        self._pin = pin.name
        self._data = bytearray(3 * n)
        self._shifts = [16 - 8 * "RGB".index(colour) for colour in pixel_order]

    def __setitem__(self, where, pixels):
        data = self._data
        first, second, third = self._shifts
        at = 3 * (where.start or 0)
        for pixel in pixels:
            data[at] = pixel >> first & 255
            data[at + 1] = pixel >> second & 255
            data[at + 2] = pixel >> third & 255
            at += 3

    def show(self):
        work.busy()
        page.show(self._pin, hexlify(self._data).decode())

    def deinit(self):
        for at in range(len(self._data)):
            self._data[at] = 0
        self.show()


class Digital:
    """digitalio.DigitalInOut, for code.py's red lights."""

    def __init__(self, pin):
        self.name = pin.name

    def switch_to_output(self):
        pass


class Watchdog:
    """microcontroller.watchdog: fed once in each turn of the loop."""

    timeout = 0
    mode = None

    def feed(self):
        work.turn()


class Restart(BaseException):
    """microcontroller.reset()."""


def restart():
    raise Restart


reasons = Named(POWER_ON="power on", BROWNOUT="brown-out", WATCHDOG="watchdog", SOFTWARE="software")
port = Serial()


def power_on(kept, uid, reason):
    """Run boot.py and code.py until the loop pauses for the first time."""
    clock.__init__()
    sys.path[:] = ["", "/lib"]
    nvm = Nvm(unhexlify(kept) if kept else b"\xff" * SECTOR)
    names = [f"GP{number}" for number in range(29)]
    cpu = Named(uid=unhexlify(uid), reset_reason=reason)
    chip = Named(nvm=nvm, cpu=cpu, watchdog=Watchdog(), ResetReason=reasons, reset=restart)
    chip.disable_interrupts = chip.enable_interrupts = lambda: None  # a page's keys come between two turns of the loop
    usb = Named(data=None, console=None)

    def enable(console=True, data=False):
        usb.data = port if data else None

    usb.enable = enable
    modules = {
        "__future__": Named(annotations=None),
        "board": Named(board_id="raspberry_pi_pico", **{name: Pin(name) for name in names}),
        "digitalio": Named(DigitalInOut=Digital),
        "keypad": Named(Keys=Keys, Event=Named),
        "microcontroller": chip,
        "neopixel": Named(NeoPixel=NeoPixel),
        "os": Named(
            urandom=lambda size: unhexlify(page.random(size)), listdir=list, uname=lambda: Named(sysname="rp2040")
        ),
        "neopixel_write": Named(neopixel_write=lambda pin, data: page.show(pin.name, hexlify(data).decode())),
        "pwmio": Named(PWMOut=Piezo),
        "supervisor": Named(ticks_ms=clock.ticks_ms, runtime=Named(autoreload=True)),
        "usb_cdc": usb,
        "usb_hid": Named(disable=lambda: None),
        "usb_midi": Named(disable=lambda: None),
        "watchdog": Named(WatchDogMode=Named(RESET="reset")),
    }
    sys.modules.update(modules)
    board.nvm = nvm
    run_file("boot.py")
    from cribboard_fw import hardware

    board.take(hardware)
    work.begin()
    board.guarded(lambda: run_file("code.py"))


def run_file(name):
    with open("/" + name) as file:
        code = compile(file.read(), name, "exec")
    exec(code, {"__name__": "__main__"})


class Board:
    """The firmware's loop between two pauses."""

    def __init__(self):
        self.nvm = self.app = self.faults = self.error = self.meanings = None
        self.loop = None  # what takes it up again
        self.used = 0

    def take(self, hardware):
        """Have the firmware's own `run` and `main` leave word of what they run with, and of what ends them."""
        run, main = hardware.run, hardware.main

        def kept(app, watchdog, faults):
            self.app, self.faults = app, faults
            self.well_at = clock.ticks_ms() + hardware.WELL_AFTER_MS
            self.loop = lambda: run(app, watchdog, faults)
            self.loop()

        def watched():
            try:
                main()
            except Exception as error:
                self.error = error
                raise

        hardware.run, hardware.main = kept, watched

    def go_on(self):
        if self.loop:
            work.begin()
            self.guarded(self.loop)

    def guarded(self, part):
        """Run a part of the firmware; what ends it other than a pause is what ends it on a chip."""
        try:
            part()
        except Pause:
            pass
        except Restart:
            page.ended("reset")
        except SystemExit:
            page.ended("done")
        except BaseException as error:  # code.py has seen those of the start; the loop's own would end in main()
            error = self.error or error  # code.py multiplies a bytearray, which MicroPython does not
            sys.print_exception(error)
            if self.loop:
                self.loop = None
                self.faults.fault()
            page.ended("fault", getattr(error, "of_ten", 3), str(error))
        else:
            page.ended("done")
        if self.faults and self.faults.in_a_row and clock.ticks_ms() >= self.well_at:
            self.faults.well()
        if self.nvm.changed:
            page.keep(self.nvm.hex())
        if port.leaving:
            data, port.leaving = port.leaving, b""
            page.send(hexlify(data).decode())
        if self.app and work.done:
            self.tell()
        self.used += work.done
        work.done = 0
        if self.used > COLLECT_AFTER:
            self.used = 0
            gc.collect()  # it happens when this call is over

    def tell(self):
        """Tell the page what the lights mean, if that has changed: it is read from the firmware and changes nothing."""
        meanings = json.dumps(meaning(self.app))
        if meanings != self.meanings:
            self.meanings = meanings
            page.tell(meanings)


def meaning(app):
    """What the board shows, for the page to say in words. Sides are numbered from 1, as on the kiosk's pages."""
    from cribboard_core.variants import COLOURS  # the firmware imports it first, when there is a chip for it

    match, entry, picture = app.match, app.entry, app.picture
    sides = []
    for side in match.sides:
        seats = [place + 1 for place in match.seats if match.side_of(place) == side]
        named = {"side": side + 1, "colour": COLOURS[side], "places": seats}
        named["front"], named["back"], named["won"] = match.front(side), match.back(side), match.won(side)
        named["waiting"], named["owner"] = entry.points(side), entry.owner[side]
        named["skunked"] = match.skunked(side)
        sides.append(named)
    shown = {"rev": match.rev, "game": match.game, "target": match.target, "sides": sides, "view": picture.view}
    shown["skunk"], shown["double"] = match.skunk, match.double
    shown["winner"], shown["dealer"], shown["crib"] = match.winner + 1, match.dealer + 1, match.crib_side + 1
    shown["undoing"], shown["eighths"] = picture.undoing, picture.eighths
    shown["brightness"], shown["sound"] = app.choice.brightness, app.choice.sound
    if app.mode is not app:
        setup = app.mode
        joined = [place + 1 for place in setup.joined]
        shown["setup"] = {"joined": joined, "sides": setup.sides, "target": setup.target, "dealer": setup.dealer + 1}
        shown["setup"]["level"] = list(setup.level)
    return shown


board = Board()


def go_on():
    """Take the loop up until it pauses; gives whether it has more to do."""
    board.go_on()
    return work.left


def finger(pin, down):
    """A finger comes down on the button at a pin, or goes up."""
    for keys in Keys.made:
        keys.finger(pin, down)
    return go_on()


def arrive(data):
    """Bytes in hex for the data port."""
    port.arrive(unhexlify(data))
    return go_on()


def connect(yes):
    """A host opens the data port, or closes it."""
    port.connected = yes
    return go_on()
