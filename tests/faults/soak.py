"""A night at the pub: games by buttons and by a host at once, over a bad cable, with restarts of everything.

    python -m faults.soak --games 100 --seed 1

(in the folder tests). The whole app runs behind the cable, lights included, on a fake clock that wraps meanwhile.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import tempfile
import time
import tracemalloc
from dataclasses import dataclass, field
from pathlib import Path

from faults.cable import BoardPort, Cable
from faults.ends import SCRATCH, UID, Firmware, Host, Told
from faults.evening import SimpleGame
from faults.pipes import Rates
from firmware.rig import PINS, PLUS_1, PLUS_5, Strip

from cribboard.board.link import QUIET_S
from cribboard.board.messages import Standing
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_fw.app import App
from cribboard_fw.clock import WRAP
from cribboard_fw.keeper import Keeper
from cribboard_fw.lights import Lights
from cribboard_fw.nvm import Choice
from cribboard_fw.settings import load

PLACES = 4
UNDO, DEAL = 3 * PLACES, 3 * PLACES + 1
PRESS_MS = 40
BEFORE_WRAP_MS = 300_000
WARM_GAMES = 3  # after which memory is expected to be flat
MOST_GROWTH = 200_000  # bytes: what a host may know of the newest events, which it forgets when it is restarted


class Table(Firmware):
    """The whole board with its buttons; a press is put on the clock and takes effect when its time has come."""

    rests = False
    uid = UID
    flags = 1

    def __init__(self) -> None:
        super().__init__()
        lines = [f'BUTTONS_{place + 1} = "{PINS[place]}"' for place in range(PLACES)]
        self.settings = load("\n".join(['STRIP_PINS = "GP2 GP3"', 'UNDO_PIN = "GP0"', 'DEAL_PIN = "GP13"', *lines]))
        self.cable: Cable | None = None
        self.events = 0
        self.on_applied = self._count

    def _count(self, event: Told) -> None:
        self.events += 1

    @property
    def now_ms(self) -> int:
        return self.cable.now_ms if self.cable else 0

    def boot(self, port: BoardPort) -> None:
        settings = self.settings
        self.boots += 1
        self.port = port
        self.strips = [Forgetful(settings.leds) for _ in settings.strip_pins]
        self.edges: list[tuple[int, bool, int]] = []
        self.match = Match()
        journal = Journal(self.flash)  # type: ignore[arg-type]
        journal.mount(self.match, 1000 + self.boots)
        self.choice = Choice(self.flash, settings.brightness, 0)  # type: ignore[arg-type]
        lights = Lights(len(self.strips), settings.leds, self.choice.brightness, settings.limit_ma)
        self.keeper = Keeper(self.match, journal)
        self.app = App(settings, self, self.keeper, lights)
        self.link = self.app.link
        happened = self.app._happened

        def noted(rev: int, event: tuple[int, ...], session: int, command_id: int) -> None:
            self.on_applied((rev, event, session, command_id))
            happened(rev, event, session, command_id)

        self.keeper.on_event = noted

    def step(self) -> int:
        erases = self.flash.erases
        self.app.step(self.now_ms % WRAP)
        return 45 * (self.flash.erases - erases)

    def key(self) -> tuple[int, bool, int] | None:
        if not self.edges or self.edges[0][2] > self.now_ms:
            return None
        number, pressed, at = self.edges.pop(0)
        return number, pressed, at % WRAP

    def tone(self, frequency: int, level: int) -> None:
        pass

    def press(self, *keys: int, ms: int = PRESS_MS) -> int:
        """Put the presses of these keys on the clock, one after the other; gives how long they take."""
        at = max(self.now_ms, self.edges[-1][2] if self.edges else 0)
        for key in keys:
            self.edges += [(key, True, at + PRESS_MS), (key, False, at + PRESS_MS + ms)]
            at += PRESS_MS + ms
        return at - self.now_ms


class Forgetful(Strip):
    """A strip that does not remember what it was sent."""

    def show(self) -> None:
        pass


@dataclass
class Night:
    """What came of it."""

    games: int = 0
    by_host: int = 0
    by_buttons: int = 0
    undone: int = 0
    meanwhile: int = 0  # commands during which buttons were pressed
    repeated: int = 0  # commands that the host asked to repeat, because buttons were quicker
    pressed_again: int = 0  # scores entered with buttons that a restart took away before OK
    looks: int = 0
    drifted: int = 0  # looks at which the host's copy was not the board's match
    wrong: int = 0  # games that did not end as the cards have it
    grown_bytes: list[int] = field(default_factory=list)
    struck: dict[str, int] = field(default_factory=dict)
    hours: float = 0.0
    cpu_s: float = 0.0

    @property
    def well(self) -> bool:
        return not (self.drifted or self.wrong) and max(self.grown_bytes, default=0) <= MOST_GROWTH

    def __str__(self) -> str:
        grown = f"{max(self.grown_bytes)} bytes at most" if self.grown_bytes else "not measured"
        return (
            f"{self.games} games in {self.hours:.2f} simulated hours: {self.by_host} scores by the host, "
            f"{self.by_buttons} by buttons ({self.pressed_again} entered again after a restart), {self.undone} undone "
            f"and brought back, {self.meanwhile} commands with presses meanwhile, {self.repeated} repeated\n"
            f"    struck: {', '.join(f'{fault} {count}' for fault, count in self.struck.items())}\n"
            f"    {self.looks} looks: the host's copy was {self.drifted} times not the board's match; "
            f"{self.wrong} games ended otherwise than the cards have it; memory grew by {grown} after "
            f"{WARM_GAMES} games; {self.cpu_s:.0f} s of CPU"
        )


class Evening:
    """Who plays it: a host and people at the buttons, by chance."""

    def __init__(self, folder: Path, rate: float, seed: int) -> None:
        self.chance = random.Random(seed)
        self.night = Night()
        self.table = Table()
        self.cable = Cable(self.table, Rates.each(rate), seed)
        self.cable.now_ms = self.cable._step_ms = WRAP - BEFORE_WRAP_MS
        self.began_ms = self.cable.now_ms
        self.table.cable = self.cable
        self.table.on_power_cut = lambda: self.cable.strike("restart")
        self.host = Host(self.cable, folder, seed)

    def listen(self, ms: int) -> None:
        """The host hears what happens for so long."""
        ends = self.cable.now_ms + ms
        while self.cable.now_ms < ends:
            self.host.guard(lambda: self.host.board.poll(max(0.0, (ends - self.cable.now_ms) / 1000)))

    def game(self, number: int) -> None:
        players, teams = self.chance.choice([(2, 0), (2, 0), (3, 0), (4, 2)])
        game = SimpleGame(players, teams, 121, number)
        self.command(*game.opening(self.table.match.rev), rev_at=1)
        for step in game.steps():
            if step.command:
                self.take(step.command)
        self.listen(200)
        match = self.table.match
        self.night.games += 1
        self.night.wrong += (match.winner, [match.front(side) for side in match.sides]) != (
            game.match.winner,
            [game.match.front(side) for side in game.match.sides],
        )
        self.host.guard(lambda: self.host.board.sync())
        self.look()

    def take(self, command: tuple[str | int, ...]) -> None:
        op = command[0]
        points = {"hand": -1, "peg": 2, "nibs": 2, "go": 1}.get(str(op), 0)
        points = int(command[points]) if op in ("hand", "peg") else points
        if points and op != "deal" and self.chance.random() < 0.5:
            self.enter(int(command[1]), points)
        else:
            self.command(*command)
        self.listen(self.chance.randrange(400))
        if self.chance.random() < 0.05 and self.table.match.play.depth:
            self.undo_and_redo()
        if self.chance.random() < 0.05:
            self.look()

    def command(self, op: str | int, *args: object, rev_at: int = 0) -> None:
        """A command by the host, sometimes while somebody passes the deal all the way round."""
        match = self.table.match
        if self.chance.random() < 0.1 and op != "new" and match.winner < 0:
            self.night.meanwhile += 1
            self.table.press(*[DEAL] * len(match.seats))
        said = len(self.host.notes)
        self.host.do(str(op), *args)
        while any("repeat it" in note for note in self.host.notes[said:]):
            self.night.repeated += 1
            said = len(self.host.notes)
            if rev_at:
                args = (self.table.match.rev, *args[1:])
            self.host.do(str(op), *args)
        self.night.by_host += 1

    def enter(self, side: int, points: int) -> None:
        """Points by a side's buttons, again when they went dark with the board."""
        wanted = self.table.match.front(side) + points
        wanted = min(wanted, self.table.match.target)
        while self.table.match.front(side) != wanted:
            self.cable.arm()
            boots = self.table.boots
            keys = [PLUS_5] * (points // 5) + [PLUS_1] * (points % 5) + [2]
            self.listen(self.table.press(*[3 * side + key for key in keys]) + 60)
            self.night.pressed_again += boots != self.table.boots and self.table.match.front(side) != wanted
            if boots == self.table.boots and self.table.match.front(side) != wanted:
                raise AssertionError(f"{points} points of side {side} by buttons did not count")
        self.night.by_buttons += 1

    def undo_and_redo(self) -> None:
        """UNDO tapped, then held: the last event goes and comes back."""
        before = self.table.match.rev
        self.listen(self.table.press(UNDO) + 800)
        if self.table.match.rev == before + 1:
            while self.table.match.can_redo and self.table.match.rev == before + 1:
                self.listen(self.table.press(UNDO, ms=2200) + 100)
            self.night.undone += 1

    def look(self) -> None:
        """Whether the host's copy stands as the board does after a quiet second, without being told to ask."""
        rates = self.cable.rates
        self.cable.expect(Rates())
        self.host.guard(self._listen_until_quiet)
        self.night.drifted += self.host.board.standing != Standing.of(self.table.match)
        self.night.looks += 1
        self.cable.expect(rates)

    def _listen_until_quiet(self) -> None:
        while self.host.board.poll(QUIET_S + 0.1):
            pass


def run(games: int, rate: float, seed: int, measure: bool = True, say: bool = False) -> Night:
    """Play so many games."""
    began = time.process_time()
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        evening = Evening(Path(folder), rate, seed)
        night = evening.night
        base = 0
        if measure:
            tracemalloc.start()
        for number in range(games):
            evening.game(seed * 1000 + number)
            evening.host.notes.clear()
            if say:
                print(f"{number + 1} games, {time.process_time() - began:.0f} s", file=sys.stderr, flush=True)
            if measure and number + 1 >= WARM_GAMES:
                gc.collect()
                now = tracemalloc.get_traced_memory()[0]
                base = base or now
                night.grown_bytes.append(now - base)
        if measure:
            tracemalloc.stop()
        toward, back = evening.cable.toward.struck, evening.cable.back.struck
        night.struck = {fault: toward[fault] + back[fault] for fault in toward} | evening.cable.struck
        night.hours = (evening.cable.now_ms - evening.began_ms) / 3_600_000
        evening.host.board.close()
    night.cpu_s = time.process_time() - began
    return night


def main() -> int:
    parser = argparse.ArgumentParser(description="A night at the pub over a bad cable.")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--percent", type=float, default=2, help="of each fault")
    asked = parser.parse_args()
    night = run(asked.games, asked.percent / 100, asked.seed, say=True)
    print(night)
    return 0 if night.well else 1


if __name__ == "__main__":
    sys.exit(main())
