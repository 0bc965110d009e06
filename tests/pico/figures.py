"""The table of what the firmware takes on the emulated Pico, in time and in RAM: `python -m pico.figures` in tests."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from statistics import quantiles

from pico import drive
from pico.emulator import Frame, Pico, why_not
from pico.firmware import Wire, firmware_files
from pico.meter import EDGE_PIN, MARK_PIN, MEMORY, SIX_SIDES, STEPS
from pico.network import NETWORK, WIFI

from cribboard.drive import drive_files
from cribboard_core.events import PEG, SET
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_fw.keeper import Keeper

PARTS = ("boot", "memory", "six_sides", "presses", "commands", "burst", "steps", "erases", "network")
TRACK_PINS = (2, 3)
PLUS_1, PLUS_5, OK, UNDO, DEAL = 6, 7, 8, 12, 13
PRESSES = 54
COMMANDS = 24
FIVES = 9  # presses of +5 that are pending at most
COMETS_LIT = range(8, 40)  # pixels; the picture of a won game lights fewer on the loser's track, more on the winner's
BUTTONS = (6, 7, 9, 10)  # +1 and +5 of both places
TAP_MS, BETWEEN_MS = 40, 60  # each of them is down, and up again
BURST_MS = 3_000
QUERIES = ("state", "last", "events", "pend", "hello")
SIDES = (2, 3, 4, 6)  # at the tables whose evenings are tried
RESTORES = 40
RESTORES_ON_A_BOARD = 20  # so that its journal is not erased
LEAST_FREE_KB = {9: 69, 10: 66}  # by CircuitPython's version
SIX_RESTORED = (121, 63, 6, 0, 91, 61, "0a0514030a0514030a051403", [1, 2, 3, 4, 5, 6])
FIVE_CARDS = ("4H4C5S6D6S", "5D", 46)
HANDS = (("5H5C5SJD", "5D", 29), ("4H4C5S6D", "6H", 24), ("6H7H8H9H", "TD", 13), ("7C8D9HTS", "JC", 7))


@dataclass(frozen=True)
class Figure:
    """One line of the table; `goal` is the most that it may be, or the least when `least` is set."""

    name: str
    value: float
    goal: float | None
    unit: str
    least: bool = False

    @property
    def reached(self) -> bool:
        return self.goal is None or (self.value >= self.goal if self.least else self.value <= self.goal)

    def __str__(self) -> str:
        goal = "" if self.goal is None else f"{'>=' if self.least else '<='} {self.goal:g}"
        return f"{self.name:58} {self.value:8.1f} {self.unit:6} {goal:10} {'' if self.reached else 'MISSED'}"


def begun() -> tuple[bytearray, Keeper]:
    """The flash of a new board, and the keeper of its match."""
    nvm = bytearray(b"\xff" * 4096)
    match, journal = Match(), Journal(nvm)
    journal.mount(match, 77)
    return nvm, Keeper(match, journal)


def full_in_a_game() -> bytes:
    """The flash of a board whose next event erases the journal, in the midst of a game that fills it."""
    nvm, keeper = begun()
    while not keeper.journal.must_roll(keeper.match, PEG):
        keeper.do((PEG, 0, 0, 0, 0))
    return bytes(nvm)


def full_between_games() -> bytes:
    """The flash of a board whose next score, a game's first, erases the journal."""
    nvm, keeper = begun()
    while not keeper.journal.must_roll(keeper.match, PEG):
        keeper.do((SET, 0, 121, 0, 0))
        keeper.do(keeper.new([121, 3, 2, 1, -1, -1]))
        if not keeper.journal.must_roll(keeper.match, PEG):
            for _ in range(60):
                keeper.do((PEG, 1, 0, 0, 0))
    return bytes(nvm)


def free(name: str, measured: dict[str, int]) -> Figure:
    """The RAM that a program has found free."""
    return Figure(name, measured["free"] / 1024, LEAST_FREE_KB[measured["circuitpython"]], "KB", least=True)


def said(pico: Pico) -> list[str]:
    """The phases that a program has named so far."""
    return re.findall(r"phase (\w+)\s", pico.console_text())


def mean_round(steps: list[tuple[float, float]]) -> float:
    """From the start of a step to that of the next, on average."""
    return (steps[-1][0] - steps[0][0]) / (len(steps) - 1)


def p99(times: list[float]) -> float:
    return quantiles(times, n=100, method="inclusive")[98]


def p50(times: list[float]) -> float:
    return quantiles(times, n=2)[0]


@dataclass(frozen=True)
class Burst:
    """What was done to a board in so many ms of a show, what of it had no effect, and the slower track's frames."""

    ms: float
    taps: int
    commands: int
    queries: int
    lost: int
    frames_a_second: float

    def rate(self, number: int) -> str:
        return f"{number * 1000 / self.ms:.0f}"


class Bench:
    """A board with two tracks whose steps are marked, and what is measured on it."""

    def __init__(self, pico: Pico) -> None:
        self.pico = pico
        pico.watch(MARK_PIN)
        pico.watch(EDGE_PIN)
        self.wire = Wire(pico)
        self.tag = 0
        self.show_frames: list[Frame] = []
        self.steps: list[float] = []
        self.between: list[float] = []
        self._ended_ms = 0.0

    def command(self, op: str, *arguments: object) -> list[object]:
        """Carries out a command; whatever it takes."""
        self.tag += 1
        return self.wire.ask(op, 500 + self.tag // 255, 1 + self.tag % 255, *arguments)

    def done(self, op: str, *arguments: object, wait_ms: float = 60) -> list[object]:
        """Carries out a command that is not refused, and lets its lights be shown."""
        answer = self.command(op, *arguments)
        assert answer[0] == "ok", answer
        if wait_ms:
            self.pico.run(wait_ms)
        return answer

    def rev(self) -> object:
        """The rev that the board is at."""
        return self.wire.ask("state", 1)[2]

    def forget(self) -> None:
        """Passes over what was shown and sent so far; the steps of this time, and what lay between, are kept."""
        for start, length in self.pico.pulses(MARK_PIN):
            if self._ended_ms:
                self.between.append(start - self._ended_ms)
            self._ended_ms = start + length
            self.steps.append(length)
        self.pico.pulses(EDGE_PIN)
        self.pico.frames()
        self.pico.packets()

    def new_game(self) -> None:
        self.command("new", self.rev(), 121, 3, 2, 0, -1, -1)
        self.pico.run(100)
        self.forget()

    def lights(self, led: int, after_ms: float) -> float:
        """When the first frame has ended that was begun after a moment and lights this LED of the first track."""
        self.pico.run(80)
        frames = [frame for frame in self.pico.frames() if frame.pin == TRACK_PINS[0] and frame.start_ms > after_ms]
        return next(frame.end_ms for frame in frames if any(frame.pixels()[led]))

    def presses_idle(self) -> list[float]:
        """+5 pressed at any phase of the loop: ms to the last bit of the frame that shows its fifth hole."""
        self.new_game()
        times = []
        for number in range(PRESSES):
            self.pico.run(10 + number * 37.3 % 150)
            pressed_ms = self.pico.now_ms + 10 + number * 1.7 % 11
            self.pico.press(PLUS_5, at_ms=pressed_ms)
            times.append(self.lights(5 * (number % FIVES) + 4, pressed_ms) - pressed_ms)
            self.pico.release(PLUS_5)
            self.pico.run(40)
            if number % FIVES == FIVES - 1:
                for _ in range(FIVES):
                    self.pico.press(UNDO)
                    self.pico.run(40)
                    self.pico.release(UNDO)
                    self.pico.run(40)
            self.forget()
        return times

    def undo_idle(self) -> list[float]:
        """UNDO pressed at any phase of the loop: ms to the last bit of the frame that shows what it would take."""
        self.new_game()
        self.done("set", 0, 10, 2, wait_ms=200)
        times = []
        for number in range(PRESSES):
            self.pico.run(10 + number * 37.3 % 150)
            self.forget()
            pressed_ms = self.pico.now_ms + 10 + number * 1.7 % 11
            self.pico.press(UNDO, at_ms=pressed_ms)
            self.pico.run(80)
            times.append(next(f.end_ms for f in self.pico.frames() if f.start_ms > pressed_ms) - pressed_ms)
            for pin in (PLUS_1, UNDO):  # so that UNDO takes the press, and not the score
                self.pico.press(pin)
                self.pico.run(40)
                self.pico.release(pin)
                self.pico.run(40)
        self.forget()
        return times

    def presses_in_a_show(self) -> list[float]:
        """UNDO pressed while comets run: ms to the last bit of the first frame of the picture that follows."""
        self.new_game()
        times = []
        for number in range(PRESSES):
            self.command("set", 0, 121, 100)
            self.forget()
            self.pico.run(1_000 if number == 0 else 150)
            pressed_ms = self.pico.now_ms + 5 + number * 3.1 % 29
            self.pico.press(UNDO, at_ms=pressed_ms)
            self.pico.run(80)
            frames = self.pico.frames()
            if number == 0:
                self.show_frames = [frame for frame in frames if frame.end_ms < pressed_ms]
            shown = next(f for f in frames if f.start_ms > pressed_ms and sum(map(any, f.pixels())) not in COMETS_LIT)
            times.append(shown.end_ms - pressed_ms)
            self.command("set", 0, 0, 0)
            self.pico.release(UNDO)
            self.pico.run(60)
            self.forget()
        return times

    def frames_a_second(self) -> float:
        """Of the slower track, over the first second of a win show."""
        return min(self._rate([frame for frame in self.show_frames if frame.pin == pin]) for pin in TRACK_PINS)

    @staticmethod
    def _rate(frames: list[Frame]) -> float:
        return (len(frames) - 1) * 1000 / (frames[-1].end_ms - frames[0].end_ms)

    def burst(self) -> Burst:
        """Four buttons tapped ten times a second each, and a host that asks as fast as it is answered, in a show."""
        self.new_game()
        self.command("set", 0, 121, 100)
        self.pico.run(300)
        self.forget()
        start = self.pico.now_ms
        taps = 0
        for after in range(20, BURST_MS - TAP_MS - BETWEEN_MS, TAP_MS + BETWEEN_MS):
            for at, pin in enumerate(BUTTONS):
                down = start + after + 17 * at
                self.pico.press(pin, at_ms=down)
                self.pico.release(pin, at_ms=down + TAP_MS)
                taps += 1
        rev = int(str(self.rev()))
        commands = queries = 0
        answers: list[bool] = []
        while self.pico.now_ms < start + BURST_MS:
            answers.append(self.command("set", 0, 121, 100)[0] == "ok")
            commands += 1
            query = QUERIES[queries % len(QUERIES)]
            arguments = {"events": [rev], "pend": [0, 0, 1, 20], "hello": [2]}.get(query, [])
            queries += 1
            number = 1 + queries % 255
            answers.append(self.wire.ask(query, number, *arguments)[:2] == [query, number])
        lasted = self.pico.now_ms - start
        frames = self.pico.frames()
        edges = len(self.pico.pulses(EDGE_PIN))
        taken = int(str(self.rev())) - rev
        rates = [self._rate([frame for frame in frames if frame.pin == pin]) for pin in TRACK_PINS]
        assert len({frame.data for frame in frames if frame.pin == TRACK_PINS[0]}) > BURST_MS // 50, "no show"
        self.forget()
        self.pico.run(100)
        lost = 2 * taps - edges + answers.count(False) + commands - taken
        return Burst(lasted, taps, commands, queries, lost, min(rates))

    def evening(self, sides: int) -> None:
        """All that makes a step long at a table of so many sides, for its steps alone."""
        self.command("new", self.rev(), 121, (1 << sides) - 1, sides, 0, -1, -1)
        self.pico.run(100)
        for front, apart in ((60, 1), (50, 0)):  # the back pegs share a hole, then the front ones do too
            for side in range(sides):
                self.done("set", side, front + apart * side, 30)
        for side in range(sides):
            self.wire.ask("pend", 7, side, 30, 1, 255)
            self.pico.run(60)
        hand = FIVE_CARDS if sides == 6 else HANDS[0]
        scored = (hand[0], hand[1], 0, hand[2])
        self.done("hand", 0, *scored)
        for held_ms in (100, 2_500):  # undo, redo
            self.pico.press(UNDO)
            self.pico.run(held_ms)
            self.pico.release(UNDO)
            self.pico.run(800)
        self.done("penalty", 0, 2, 1)
        self.done("deal", -1)
        for op, arguments in (("hand", scored), ("peg", (30,)), ("set", (121, 100))):
            self.done("set", 0, 100, 90)
            won = self.done(op, 0, *arguments)
            self.pico.run(400)
            self.done("undo", won[3])
        self.forget()

    def set_up(self) -> None:
        """OK held, then the set-up with brightness and sound, closed again, for its steps alone."""
        for pin, ms in ((OK, 1_200), (DEAL, 3_100), (PLUS_1, 3_000), (PLUS_5, 800), (UNDO, 60), (OK, 1_200)):
            self.pico.press(pin)
            self.pico.run(ms)
            self.pico.release(pin)
            self.pico.run(300)
        self.forget()

    def restores(self) -> list[float]:
        """A host gives back a game of six sides: ms from the command's last byte to the reply's first."""
        replies = []
        for number in range(RESTORES_ON_A_BOARD):
            rev = self.rev()
            self.pico.run(60 + number * 37.3 % 300)
            self.forget()
            self.done("restore", rev, *SIX_RESTORED, wait_ms=0)
            replies.append(self.replied_ms()[1])
        self.pico.run(100)
        self.forget()
        return replies

    def replied_ms(self) -> tuple[float, float]:
        """When the last byte of the last command came, and how long after it the first of the reply went."""
        packets = self.pico.packets()
        asked_ms = [packet.ms for packet in packets if packet.way == "out"][-1]
        return asked_ms, next(packet.ms for packet in packets if packet.way == "in") - asked_ms

    def commands(self, op: str) -> tuple[list[float], list[float]]:
        """Peg or hand for side 0: ms from a command's last byte to its reply's first, and to its frame's last bit."""
        self.new_game()
        replies, frames = [], []
        front = 0
        for number in range(COMMANDS):
            hand, starter, points = HANDS[number % len(HANDS)]
            points = points if op == "hand" else 4
            if front + points > 120:
                self.command("set", 0, 0, 0)
                front = 0
            self.pico.run(60 + number * 37.3 % 300)  # at any phase of the loop and of its tidying up
            self.forget()
            front += points
            self.done(op, 0, *((hand, starter, 0, points) if op == "hand" else (4,)), wait_ms=0)
            asked_ms, reply_ms = self.replied_ms()
            replies.append(reply_ms)
            frames.append(self.lights(front - 1, asked_ms) - asked_ms)
        return replies, frames


class Figures:
    """What is measured, each board started when the first of its figures is asked for."""

    def __init__(self, make: Callable[[dict[str, bytes]], Pico]) -> None:
        self.make = make

    @cached_property
    def boot(self) -> list[Figure]:
        """The second start, since the first one of a new drive writes boot_out.txt; one peg stands in hole 10."""
        pico = self.make(firmware_files())
        wire = Wire(pico)
        wire.ask("peg", 500, 1, 0, 10)
        pico.run(100)
        start = pico.now_ms
        pico.frames()
        answered = wire.boot()
        pico.run(100)
        frames = [frame for frame in pico.frames() if frame.pin == TRACK_PINS[0]]
        pegs = next(frame.end_ms for frame in frames if any(frame.pixels()[9]))
        return [
            Figure("power-on to pegs in their holes", pegs - start, 2100, "ms"),
            Figure("power-on to the answer to hello", answered, 1900, "ms"),
        ]

    @cached_property
    def bench(self) -> Bench:
        return self.started()

    @cached_property
    def crowded(self) -> Bench:
        return self.started()

    def started(self) -> Bench:
        """A board with an empty journal, so that what is measured on it erases nothing."""
        bench = Bench(self.make(firmware_files({"code.py": STEPS})))
        bench.pico.run(3_000)  # the show at the start is over
        return bench

    @cached_property
    def presses(self) -> list[Figure]:
        figures = []
        for what, times, goal in (
            ("+5, idle", self.bench.presses_idle(), 25),
            ("UNDO, idle", self.bench.undo_idle(), 30),
            ("UNDO, in a show", self.bench.presses_in_a_show(), 30),
        ):
            figures.append(Figure(f"edge of {what}, to last bit, p50 of {len(times)}", p50(times), None, "ms"))
            figures.append(Figure(f"edge of {what}, to last bit, p99 of {len(times)}", p99(times), goal, "ms"))
        figures.append(
            Figure("frames a second on each of two tracks in a show", self.bench.frames_a_second(), 30, "", True)
        )
        return figures

    @cached_property
    def commands(self) -> list[Figure]:
        figures = []
        for op in ("peg", "hand"):
            replies, frames = self.bench.commands(op)
            figures.append(Figure(f"{op}: last byte to reply's first byte, p50", p50(replies), None, "ms"))
            figures.append(
                Figure(f"{op}: last byte to reply's first byte, worst of {COMMANDS}", max(replies), 20, "ms")
            )
            figures.append(Figure(f"{op}: last byte to frame's last bit, worst of {COMMANDS}", max(frames), 25, "ms"))
        return figures

    @cached_property
    def burst(self) -> list[Figure]:
        """Buttons and host at once while comets run."""
        result = self.crowded.burst()
        taps, commands, queries = map(result.rate, (result.taps, result.commands, result.queries))
        what = f"of {taps} taps, {commands} commands, {queries} queries a second"
        return [
            Figure(f"in a show, {what}: lost", result.lost, 0, ""),
            Figure("in a show, with these: frames a second on each track", result.frames_a_second, 30, "", True),
        ]

    @cached_property
    def steps(self) -> list[Figure]:
        """Of all the above and of tables of more sides, in which the journal was never erased."""
        assert self.presses and self.commands and self.burst
        tables = {sides: self.started() for sides in SIDES}
        for sides, bench in tables.items():
            bench.evening(sides)
        restoring = [self.started() for _ in range(RESTORES // RESTORES_ON_A_BOARD)]
        replies = [ms for bench in restoring for ms in bench.restores()]
        restoring[-1].set_up()
        steps, between = [], []
        for bench in (self.bench, self.crowded, *tables.values(), *restoring):
            bench.forget()
            assert bench.pico.counts["nvm_erases"] == 0
            steps += bench.steps
            between += bench.between
        worst = [Figure(f"step(), worst at a table of {n}", max(tables[n].steps), 10, "ms") for n in SIDES]
        return [
            Figure(f"step(), p50 of {len(steps)}", p50(steps), None, "ms"),
            Figure("step(), p99", p99(steps), None, "ms"),
            *worst,
            Figure("step(), worst of all these, and of a host's restore", max(steps), 10, "ms"),
            Figure(
                f"restore of six sides: last byte to reply's first byte, worst of {RESTORES}", max(replies), 30, "ms"
            ),
            Figure("between two steps, worst: a collection", max(between), 10, "ms"),
        ]

    @cached_property
    def erases(self) -> list[Figure]:
        """The step that erases the journal: at a new game's first score, and in a game that fills the sector."""
        figures = []
        for what, nvm in (
            ("between games", full_between_games()),
            ("in a game", full_in_a_game()),
        ):
            pico = self.make(firmware_files({"code.py": STEPS}))
            pico.set_nvm(nvm)
            bench = Bench(pico)
            bench.pico.run(1_000)
            bench.forget()
            bench.steps.clear()
            bench.done("peg", 0, 1)
            bench.forget()
            assert bench.pico.counts["nvm_erases"] == 1
            figures.append(Figure(f"the step that erases the journal, {what}", max(bench.steps), 60, "ms"))
        return figures

    @cached_property
    def memory(self) -> list[Figure]:
        measured = self.measure(MEMORY, "3")
        events = measured["events"]
        return [
            free(f"RAM free, three tracks, after {events} events of 40 games", measured),
            Figure("garbage collection, with what is held then", measured["gc_us"] / 1000, 10, "ms"),
            Figure("allocated by a step while nothing happens", measured["idle_tenths"] / 10, 8, "bytes"),
            Figure("allocated by a step in a show", measured["show_tenths"] / 10, 8, "bytes"),
            Figure(
                "allocated by a step while a host asks without a pause", measured["asked_tenths"] / 10, None, "bytes"
            ),
            Figure("count of four cards and a starter, with its parts", measured["count_four_us"] / 1000, 4, "ms"),
            Figure("count of five cards and a starter, with its parts", measured["count_five_us"] / 1000, 6, "ms"),
        ]

    @cached_property
    def six_sides(self) -> list[Figure]:
        """After an evening at a limit that never dims, so that nothing but the palette itself bounds what it keeps."""
        measured = self.measure(SIX_SIDES, "6")
        return [
            free("RAM free, three tracks, after 60 games of six sides at 1550 mA", measured),
            Figure("garbage collection, with what is held then", measured["gc_us"] / 1000, 10, "ms"),
        ]

    @cached_property
    def network(self) -> list[Figure]:
        """The board's server and two phones, beside the same board without a network."""
        without, alone = self.served("")
        measured, network = self.served(WIFI)
        idle = mean_round(alone["nobody"])
        worst = max(length for _, length in network["flood"])
        return [
            Figure("RAM of net.py and phones.py", measured["net_phones"] / 1024, 6, "KB"),
            Figure("RAM of hosts.py and links.py", measured["links"] / 1024, None, "KB"),
            Figure("RAM of radio.py", measured["radio"] / 1024, None, "KB"),
            Figure("RAM that a network takes in all", (measured["held"] - without["held"]) / 1024, None, "KB"),
            Figure("a round of the loop while nothing happens, without a network", idle, None, "ms"),
            Figure("more of it with a network", mean_round(network["nobody"]) - idle, 0.3, "ms"),
            Figure("more of it with two phones", mean_round(network["phones"]) - idle, 0.3, "ms"),
            Figure(f"step(), worst in a flood of two phones, {measured['asked']} requests", worst, 10, "ms"),
        ]

    def served(self, wifi: str) -> tuple[dict[str, int], dict[str, list[tuple[float, float]]]]:
        """What a board with these settings of a network measures, and its steps (start, length) in each phase."""
        settings = drive_files().settings.read_text("utf-8") + wifi
        pico = self.make(firmware_files({"code.py": NETWORK, "settings.toml": settings.encode()}, radio=True))
        pico.boot()
        pico.watch(MARK_PIN)
        steps: dict[str, list[tuple[float, float]]] = {}
        phases = ["start"]
        while phases[-1] != "over":
            pico.run_until(lambda: len(said(pico)) > len(phases) - 1, "phase", limit_ms=30_000, step_ms=20)
            steps[phases[-1]] = pico.pulses(MARK_PIN)
            phases.append(said(pico)[len(phases) - 1])
        assert pico.counts["nvm_erases"] == 0
        pico.run(150)
        return {name: int(value) for name, value in re.findall(r"figure (\w+) (\d+)", pico.console_text())}, steps

    def measure(self, program: bytes, players: str) -> dict[str, int]:
        """What a program measures on a board with three tracks and a supply of its own."""
        settings = drive_files().settings.read_text("utf-8")
        own_supply = (("SUPPLY_MA = 0", "SUPPLY_MA = 4000"), ("FUSE_MA = 1000", "FUSE_MA = 2000"))
        tracks = (('"GP2 GP3"', '"GP2 GP3 GP4"'), ("LIMIT_MA = 450", "LIMIT_MA = 1550"))
        for old, new in (*tracks, *own_supply, ("ERS = 2", f"ERS = {players}")):
            assert old in settings, old
            settings = settings.replace(old, new)
        pico = self.make(firmware_files({"code.py": program, "settings.toml": settings.encode()}))
        pico.boot()
        pico.run_until(lambda: b"figures end" in pico.log, "figures", limit_ms=600_000, step_ms=100)
        pico.run(150)
        return {name: int(value) for name, value in re.findall(r"figure (\w+) (\d+)", pico.console_text())}


def main() -> int:
    reason = why_not()
    if reason:
        print(reason)
        return 1
    made: list[Pico] = []

    def make(files: dict[str, bytes]) -> Pico:
        made.append(Pico(drive.from_files(files)))
        return made[-1]

    figures = Figures(make)
    try:
        for part in sys.argv[1:] or PARTS:
            for figure in getattr(figures, part):
                print(figure, flush=True)
    finally:
        for pico in made:
            pico.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
