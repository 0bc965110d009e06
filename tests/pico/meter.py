"""Programs that a test board runs instead of code.py, to measure the firmware from inside."""

from __future__ import annotations

MARK_PIN = 22
EDGE_PIN = 21

# The firmware itself; GP22 is high while a step runs, and GP21 for a moment at every edge of a key that is taken.
STEPS = b"""
import board, digitalio
from cribboard_fw.app import App
from cribboard_fw.buttons import Buttons
from cribboard_fw.hardware import main

mark = digitalio.DigitalInOut(board.GP22)
mark.switch_to_output(False)
edge = digitalio.DigitalInOut(board.GP21)
edge.switch_to_output(False)
step = App.step
key = Buttons.key

def marked(self, now):
    mark.value = True
    busy = step(self, now)
    mark.value = False
    return busy

def counted(self, *what):
    edge.value = True
    edge.value = False
    key(self, *what)

App.step = marked
Buttons.key = counted
main()
"""

# The app, before its loop.
_STARTED = b"""
import gc, sys, time
from supervisor import ticks_ms
from cribboard_core.pack import named
from cribboard_core.show import count
from cribboard_core.wire import encode
from cribboard_fw import hardware
from cribboard_fw.settings import read_settings
from cribboard_fw.app import App
from cribboard_fw.link import Link

settings = read_settings()
del read_settings
parts = hardware.Parts(settings)
app = hardware.start(settings, parts)
keeper, match = app.keeper, app.match
gc.collect()
figures = {"held_at_start": gc.mem_alloc(), "circuitpython": sys.implementation.version[0]}

def us(work, times):
    gc.collect()
    start = time.monotonic_ns()
    for _ in range(times):
        work()
    return (time.monotonic_ns() - start) // 1000 // times

events = 0
"""

_TOLD = b"""
while True:
    for name in figures:
        print("figure", name, figures[name])
    print("figures end")
    time.sleep(0.1)
"""

# Three tracks and the events of forty games without a pause; then what is free, and what a step and a count cost.
MEMORY = (
    _STARTED
    + b"""
for game in range(40):
    keeper.do(keeper.new([121, 7, 3, -1, -1, -1]))
    while match.winner < 0:
        for kind, points in ((2, 3), (2, 1), (5, 1), (3, 8), (12, 0)):
            if match.winner < 0:
                side = match.sides[events % 3]
                keeper.do((kind, match.next_seat() if kind == 12 else side, points, 0, 0))
                app.step(ticks_ms())
                events += 1
figures["events"] = events
gc.collect()
figures["free"] = gc.mem_free()
app.lights.update(match, app.picture)
for _ in range(400):
    app.lights.step(ticks_ms())
figures["gc_us"] = us(gc.collect, 5)
for name, hand in (("four", "5H5C5SJD"), ("five", "4H4C5S6D6S")):
    cards = named(hand)
    figures["count_%s_us" % name] = us(lambda: count(cards, 20).parts, 20)

def run(seconds):
    stop = time.monotonic() + seconds
    while time.monotonic() < stop:
        app.step(ticks_ms())

def allocated(steps):
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for _ in range(steps):
        app.step(ticks_ms())
    after = gc.mem_alloc()
    gc.enable()
    return (after - before) * 10 // steps

class Host:
    # asks how the game stands whenever it was answered

    connected = True
    asked = encode(["state", 1])
    in_waiting = len(asked)

    def read(self, most):
        return self.asked

    def write(self, data):
        return len(data)

app = App(settings, parts, keeper, app.lights)
run(6)
figures["idle_tenths"] = allocated(200)
keeper.do(match.undo_event())
run(1)
keeper.do((11, match.sides[0], match.target, 0, 0))
run(1)
assert app.lights._runs[0]
figures["show_tenths"] = allocated(200)
run(6)
app.link = Link(Host(), keeper, app.entry, [])
run(1)
figures["asked_tenths"] = allocated(60)
"""
    + _TOLD
)

# Three tracks and sixty games of six sides, whose pegs and waiting points meet in ever other ways, all of it painted.
SIX_SIDES = (
    _STARTED
    + b"""
import random

random.seed(1)
lights, entry, picture = app.lights, app.entry, app.picture
for game in range(60):
    keeper.do(keeper.new([121, 63, 6, -1, -1, -1]))
    while match.winner < 0:
        for _ in range(3):
            entry.add(random.randrange(6), 1 + random.randrange(12))
        side = random.randrange(6)
        entry.take(side)
        keeper.do((2, side, min(6 + random.randrange(24), 121 - match.front(side)), 0, 0))
        events += 1
        picture.undoing = events % 4 == 0
        lights.update(match, picture)
        while not lights.settled:
            lights.step(0)
        gc.collect()  # as the firmware does, which is idle now
figures["events"] = events
gc.collect()
figures["free"] = gc.mem_free()
figures["gc_us"] = us(gc.collect, 5)
"""
    + _TOLD
)
