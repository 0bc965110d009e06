"""Buttons that stick or flap, taps while the flash is erased, and hosts that never read: the board plays on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from firmware.rig import OK, PLUS_1, PLUS_5, Rig

from cribboard.sim.flash import Flash
from cribboard_core.events import DEAL
from cribboard_core.wire import encode
from cribboard_fw.clock import WRAP
from cribboard_fw.link import MOST_WAITING

pytestmark = pytest.mark.unmeasured

UNDO_KEY, DEAL_KEY = 6, 7
SCAN_MS = 2
QUEUE = 64
HOUR_MS = 3_600_000
SESSION = 60000


class Table(Rig):
    """A rig whose keys are looked at every 2 ms, as keypad does: not while the flash is erased, and into 64 places.

    OK, UNDO and DEAL change when three looks in a row say so. A key that is down at power-on gives no edge until it is
    let go. An erase takes `erase_ms`, with interrupts off: 45 is typical of the Pico's flash, 400 its worst.
    """

    def __init__(self, settings: str = "", erase_ms: int = 45, places: int = 2) -> None:
        self.erase_ms = erase_ms
        self.levels: dict[int, Callable[[int], bool]] = {}
        self.overflowed = False
        self.most_queued = 0
        self._seen: dict[int, bool] = {}
        self._looks: dict[int, int] = {}  # in a row that differ from what is taken for true
        super().__init__(places, settings, nvm=Flash())  # type: ignore[arg-type]

    def boot(self) -> None:
        super().boot()
        self._seen = {number: level(self.now) for number, level in self.levels.items()}

    def key(self) -> tuple[int, bool, int] | None:
        if self.overflowed:
            self.overflowed = False
            self.edges.clear()
            return -1, False, 0
        return super().key()

    def run(self, ms: int, tick: int = SCAN_MS) -> None:
        """Let time pass, the keys being what their fingers say."""
        flash = self.app.keeper.journal.log.nvm
        for _ in range(-(-ms // tick)):
            self.now = (self.now + tick) % WRAP
            self._scan()
            erases = flash.erases  # type: ignore[attr-defined]
            self.app.step(self.now)
            if flash.erases > erases:  # type: ignore[attr-defined]
                self.now = (self.now + self.erase_ms) % WRAP

    def hold(self, number: int) -> None:
        self.levels[number] = lambda now: True

    def let_go(self, number: int) -> None:
        self.levels[number] = lambda now: False

    def flap(self, number: int, every_ms: int) -> None:
        self.levels[number] = lambda now: now // every_ms % 2 == 0

    def press_at(self, number: int, start: int, end: int) -> None:
        """A finger on a key between two times from now."""
        start, end = start + self.now, end + self.now
        self.levels[number] = lambda now: start <= now < end

    def until_an_erase(self) -> None:
        """Pass the deal until the next event has to erase."""
        while self.app.keeper.journal.free >= 4:
            self.app.keeper.do((DEAL, self.match.next_seat(), 0, 0, 0))
        self.heard()

    def _scan(self) -> None:
        for number, level in self.levels.items():
            down = level(self.now)
            differs = down != self._seen.get(number, False)
            self._looks[number] = self._looks.get(number, 0) + 1 if differs else 0
            if self._looks[number] >= (3 if number >= 3 * self.places or number % 3 == OK else 1):
                self._seen[number] = down
                self._looks[number] = 0
                if len(self.edges) >= QUEUE:
                    self.overflowed = True
                    return
                self.edges.append((number, down, self.now))
                self.most_queued = max(self.most_queued, len(self.edges))

    @property
    def erases(self) -> int:
        return self.nvm.erases  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("at_boot", [False, True])
@pytest.mark.parametrize("number", [PLUS_1, PLUS_5, OK, UNDO_KEY, DEAL_KEY])
def test_a_stuck_button_does_no_more_after_a_while_and_the_others_work(number: int, at_boot: bool) -> None:
    table = Table()
    table.peg(0, 9)
    table.peg(1, 4)
    table.hold(number)
    if at_boot:
        table.boot()
    table.run(10_000)
    table.run(110_000, 20)
    table.heard()
    rev, shown = table.match.rev, table.app.entry.points(0)
    assert table.scores() == [9, 4]
    table.run(HOUR_MS, 500)
    assert (table.match.rev, table.app.entry.points(0)) == (rev, shown)
    assert table.heard() == []
    table.tap(3 + OK)  # it has gone dark
    table.peg(1, 6)
    assert table.scores() == [9, 10]
    table.run(1000)
    table.let_go(number)
    table.run(1000)
    if number not in (UNDO_KEY, DEAL_KEY):
        table.app.entry.drop()
        table.peg(0, 3)
        assert table.scores() == [12, 10]


def test_a_stuck_plus_one_is_pegged_once_at_the_most_when_points_peg_by_themselves() -> None:
    table = Table("COMMIT_AFTER_S = 1")
    table.hold(PLUS_1)
    table.run(HOUR_MS, 50)
    assert table.scores()[0] <= 47
    assert table.match.rev <= 2
    table.tap(3 + OK)  # it has gone dark
    table.peg(1, 6)
    assert table.scores()[1] == 6


@pytest.mark.parametrize("number", [PLUS_1, PLUS_5, OK, UNDO_KEY, DEAL_KEY])
def test_a_button_that_is_down_at_power_on_does_nothing_until_it_is_let_go_and_pressed(number: int) -> None:
    table = Table()
    table.peg(0, 9)
    table.tap(PLUS_1)
    table.hold(number)
    table.boot()
    table.run(10_000)
    table.run(50_000, 20)
    assert (table.match.rev, table.app.entry.any, table.setup) == (1, False, None)
    for _ in range(3):  # it bounces when it is let go
        table.let_go(number)
        table.run(6)
        table.hold(number)
        table.run(6)
    table.let_go(number)
    table.run(1000)
    assert (table.match.rev, table.app.entry.any, table.scores()) == (1, False, [9, 0])
    table.tap(PLUS_1)
    table.tap(number)
    table.run(1000)
    assert (table.match.rev, table.app.entry.points(0)) != (1, 1)


@pytest.mark.parametrize("spike_ms", [1, 3])
@pytest.mark.parametrize("number", [UNDO_KEY, DEAL_KEY])
def test_a_spike_on_a_shared_button_neither_previews_nor_acts(number: int, spike_ms: int) -> None:
    table = Table()
    table.peg(0, 9)
    table.run(2_000)
    shown = [len(strip.shown) for strip in table.strips]
    for _ in range(20):
        table.press_at(number, 6, 6 + spike_ms)
        table.run(50)
    table.run(1_000)
    assert (table.match.rev, table.match.dealer) == (1, 0)
    assert [len(strip.shown) for strip in table.strips] == shown


@pytest.mark.parametrize("every_ms", [5, 10, 15])
@pytest.mark.parametrize("number", [PLUS_1, PLUS_5, OK, UNDO_KEY, DEAL_KEY])
def test_a_flapping_button_is_one_that_is_held(number: int, every_ms: int) -> None:
    table = Table()
    table.peg(0, 9)
    table.heard()
    rev = table.match.rev
    table.flap(number, every_ms)
    table.run(12_000)  # of which 46 repeats take six
    assert table.match.rev == rev
    assert table.app.entry.points(0) <= 46
    assert table.most_queued <= 4
    assert len(table.app.buttons._held) <= 1
    messages = table.heard()
    table.run(3_000)
    assert table.heard() == [], "it goes on doing something"
    assert len(messages) <= 47
    table.levels.pop(number)
    table.tap(DEAL_KEY if number == DEAL_KEY else OK)
    table.run(70_000, 50)  # the set-up that a held DEAL has opened is closed again
    table.peg(1, 6)
    assert table.scores()[1] == 6


@pytest.mark.parametrize(("places", "keys", "every_ms"), [(2, 4, 5), (3, 11, SCAN_MS)])
def test_many_buttons_flapping_at_once_keep_no_host_waiting(places: int, keys: int, every_ms: int) -> None:
    table = Table(places=places)
    for key in range(keys):
        table.flap(key, every_ms)
    table.run(5_000)
    assert (table.most_queued == QUEUE) == (places > 2)
    for number in range(20):
        assert table.ask("set", SESSION, number + 1, 0, 50, 40)[0] == "ok"
    assert len(table.app.buttons._held) <= keys
    for key in range(keys):
        table.let_go(key)
    table.run(100)
    assert table.app.buttons._held == []


def test_a_full_key_queue_loses_presses_and_nothing_else() -> None:
    table = Table()
    table.peg(0, 9)
    for key in (PLUS_1, 3 + PLUS_1, UNDO_KEY):
        table.flap(key, 5)
    for _ in range(100):  # the loop stands still
        table.now += SCAN_MS
        table._scan()
    assert table.overflowed
    table.levels.clear()
    table.run(3_000)
    assert table.app.buttons._held == []
    assert table.scores() == [9, 0]
    table.app.entry.drop()
    table.peg(1, 6)
    assert table.scores() == [9, 6]


@pytest.mark.parametrize("erase_ms", [45, 400])
def test_taps_within_an_erase_are_lost_and_a_press_that_outlasts_it_counts(erase_ms: int) -> None:
    table = Table(erase_ms=erase_ms)
    table.tap(PLUS_5)
    table.until_an_erase()
    before = table.erases
    table.press_at(OK, 5, 60)  # it erases in the step that begins with this press
    table.press_at(3 + PLUS_5, 12, 12 + erase_ms - 5)
    table.press_at(3 + PLUS_1, 12, erase_ms + 100)
    table.run(500)
    assert table.erases == before + 1
    assert table.scores() == [5, 0]
    assert table.app.entry.points(1) == 1
    assert table.app.buttons._held == []
    table.tap(3 + OK)
    assert table.scores() == [5, 1]


def test_a_release_within_an_erase_is_seen_after_it() -> None:
    table = Table(erase_ms=400)
    table.tap(PLUS_5)
    table.until_an_erase()
    table.press_at(3 + PLUS_1, 0, 100)
    table.press_at(OK, 5, 60)
    table.run(1_000)
    assert table.app.entry.points(1) <= 2, "a press that looked as long as the erase repeats once at the most"
    assert table.app.buttons._held == []


@pytest.mark.parametrize("erase_ms", [45, 400])
def test_what_a_host_sends_again_meanwhile_counts_once(erase_ms: int) -> None:
    table = Table(erase_ms=erase_ms)
    table.until_an_erase()
    before = table.erases
    frame = encode(["peg", SESSION, 1, 0, 9])
    table.port.inbox += frame
    table.run(5)
    table.port.inbox += 5 * frame  # sent again after 20, 30, 50, 100 and 200 ms
    table.run(200)
    assert table.erases == before + 1
    answers = [message for message in table.heard() if message[0] == "ok"]
    assert answers == [["ok", SESSION, 1, table.match.rev]] * 6
    assert table.scores() == [9, 0]


def test_a_host_that_never_reads_is_not_waited_for() -> None:
    table = Table()
    table.port.room = 0
    for number in range(200):
        table.port.inbox += encode(["peg", SESSION, 1 + number % 100, 0, 1])
    table.peg(1, 6)
    for _ in range(20):
        table.tap(PLUS_1)
    table.run(10_000)
    link = table.app.link
    assert table.scores()[1] == 6
    assert table.app.entry.points(0) == 20
    assert len(link._waiting) <= MOST_WAITING + 1
    table.app.entry.drop()
    table.port.inbox = b""
    table.port.room = 1 << 30
    table.run(200)
    assert len(table.heard()) <= MOST_WAITING + 2, "the rest was dropped"
    state = table.ask("state", 1)
    assert state[11] == "".join(f"{table.match.front(side):02x}{table.match.back(side):02x}" for side in (0, 1))
    assert table.ask("set", SESSION, 120, 0, 50, 40)[0] == "ok"


def test_a_host_that_takes_a_byte_now_and_then_gets_whole_frames() -> None:
    table = Table()
    table.port.room = 0
    table.peg(1, 6)
    for _ in range(400):
        table.port.room = 1
        table.run(5)
    messages = table.heard()
    assert table._lines.passed_over == 0
    assert ["ev", 1, "peg", 1, 6, 0, 0, 0, 0, 0] in messages
