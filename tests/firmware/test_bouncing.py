"""Contacts that bounce and flap, on all keys at once: what the board takes for a press, against a model of one key."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

import pytest
from firmware.rig import Rig

from cribboard_fw.buttons import BOUNCE_MS, IN_PLAY, IN_SET_UP, Buttons
from cribboard_fw.clock import WRAP, elapsed

PLACES = [0, 2, 5]
UNDO, DEAL = 9, 10
KEYS = range(11)
COURSE_MS = 3_000
START = WRAP - COURSE_MS // 2  # the clock wraps in the middle
Edge = tuple[int, int, bool]  # ms from the start, key, whether it closes


class Mode:
    """Notes what the buttons mean."""

    def __init__(self, where: int) -> None:
        self.where = where
        self.calls: list[tuple[object, ...]] = []

    def __getattr__(self, name: str) -> object:
        return lambda *args: self.calls.append((name, *args))


def course(rng: random.Random, keys: range = KEYS) -> list[Edge]:
    """The edges of all contacts, in order: each press bounces when it begins, and some end within a bounce."""
    edges = []
    for key in keys:
        at = rng.randint(0, 200)
        while at < COURSE_MS:
            for _ in range(rng.choice((0, 1, 3, 8))):
                edges.append((at, key, True))
                at += rng.randint(1, 9)
                edges.append((at, key, False))
                at += rng.randint(1, BOUNCE_MS - 1)
            edges.append((at, key, True))
            at += rng.randint(1, 80)
            edges.append((at, key, False))
            at += rng.randint(BOUNCE_MS, 300)
    return sorted(edges)


@dataclass(frozen=True)
class Press:
    """One press of a key: it begins when the key closes, and ends when it opens for BOUNCE_MS."""

    key: int
    edges: tuple[Edge, ...]

    @property
    def down(self) -> Edge:
        return self.edges[0]

    @property
    def up(self) -> Edge:
        return self.edges[-1]

    def open_at(self, edge: Edge) -> bool:
        """Whether the contact is open when this edge of another key comes."""
        before = [own for own in self.edges if own < edge]
        return bool(before) and not before[-1][2]


def presses(edges: list[Edge]) -> list[Press]:
    """What a course of edges is: each key by itself."""
    result = []
    for key in KEYS:
        own = [edge for edge in edges if edge[1] == key]
        first = 0
        for at in range(1, len(own) + 1):
            if at == len(own) or (own[at][2] and own[at][0] - own[at - 1][0] >= BOUNCE_MS):
                result.append(Press(key, tuple(own[first:at])))
                first = at
    return sorted(result, key=lambda press: press.down)


def meaning(press: Press, where: int) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """What a press does when it begins, and when it ends."""
    if press.key >= UNDO:
        return ([("undo_down",)], [("undo",)]) if press.key == UNDO else ([], [("deal",)])
    place = PLACES[press.key // 3]
    if press.key % 3 == 2:
        return [("ok", place)], []
    plus = [("plus", place, 5 if press.key % 3 else 1)]
    return (plus, []) if where == IN_PLAY else ([], plus)


def model(edges: list[Edge], where: int) -> list[tuple[object, ...]]:
    """What is done: at a press, and once it has ended, or before another press if it is open then."""
    expected = []
    all_of_them = presses(edges)
    for press in all_of_them:
        first, last = meaning(press, where)
        expected += [(press.down, 1, press.down, call) for call in first]
        ends = press.up[0] + BOUNCE_MS
        others = [other.down for other in all_of_them if other is not press and other.down[0] <= ends]
        before = [down for down in others if press.open_at(down)]
        at = (min(before), 0) if before else ((ends, len(KEYS), False), 0)
        expected += [(*at, press.down, call) for call in last]
    return [call for _, _, _, call in sorted(expected)]


@pytest.mark.parametrize("where", [IN_PLAY, IN_SET_UP])
@pytest.mark.parametrize("seed", range(12))
def test_contacts_that_bounce_on_all_keys_at_once_do_what_their_presses_do_and_in_their_order(
    seed: int, where: int
) -> None:
    edges = course(random.Random(seed))
    mode = Mode(where)
    buttons = Buttons(PLACES, mode)
    waiting = list(edges)
    for ms in range(COURSE_MS + 1_000):
        while waiting and waiting[0][0] == ms:
            _, key, closes = waiting.pop(0)
            buttons.key(key, closes, (START + ms) % WRAP)
        buttons.step((START + ms) % WRAP)
    assert mode.calls == model(edges, where)


class Slow(Rig):
    """A board whose steps take long; the edges wait in two queues, and those of the shared keys are taken first."""

    def drive(self, edges: list[Edge], rng: random.Random) -> list[tuple[object, ...]]:
        self.waiting = [((START + ms) % WRAP, key, closes) for ms, key, closes in edges]
        self.mode = Mode(IN_PLAY)
        self.mode.picture = self.app.picture
        self.app.enter(self.mode)
        while elapsed(self.now, START) < COURSE_MS + 1_000:
            self.now = (self.now + rng.choice((1, 1, 2, 5, 10, 25))) % WRAP
            self.app.step(self.now)
        return [call for call in self.mode.calls if call[0] != "tick"]

    def key(self) -> tuple[int, bool, int] | None:
        due = [edge for edge in self.waiting if elapsed(self.now, edge[0]) or edge[0] == self.now]
        if not due:
            return None
        edge = next((edge for edge in due if edge[1] >= UNDO), due[0])
        self.waiting.remove(edge)
        return edge[1], edge[2], edge[0]


@pytest.mark.parametrize("seed", range(6))
def test_no_press_is_doubled_or_lost_when_the_board_is_busy_and_edges_wait(seed: int) -> None:
    rng = random.Random(seed)
    edges = course(rng)
    done = Slow(3, start=START).drive(edges, rng)
    assert Counter(place_of(call) for call in done) == Counter(model(edges, IN_PLAY))


def place_of(call: tuple[object, ...]) -> tuple[object, ...]:
    """The rig has the places 0 to 2."""
    return (call[0], PLACES[int(str(call[1]))], *call[2:]) if len(call) > 1 else call


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("seed", range(2))
def test_a_contact_that_flaps_for_a_second_among_presses_of_another_key_is_one_press(key: int, seed: int) -> None:
    rng = random.Random(seed)
    other = (key + 3) % 9
    edges = [(100 + 150 * at + after, other, not after) for at in range(7) for after in (0, 60)]
    at, closes = 0, True
    while at < 1_000:
        edges.append((at, key, closes))
        at += rng.randint(1, BOUNCE_MS - 1)
        closes = not closes
    edges += [] if closes else [(at, key, False)]
    calls = Slow(3, start=START).drive(sorted(edges), rng)
    place, what = Buttons([0, 1, 2], Mode(IN_PLAY)).meaning(key)
    own = ("plus", place, 1), ("plus", place, 5), ("ok", place), ("undo",), ("deal",)
    assert calls.count(own[what]) == (1 if what else 4), "held for a second, +1 repeats three times"


def test_two_players_whose_buttons_bounce_at_the_same_moment_have_pressed_once_each() -> None:
    rig = Rig()
    rig.run(100)
    for ms, key, closes in ((0, 0, True), (4, 0, False), (7, 3, True), (10, 0, True)):
        rig.edges.append((key, closes, rig.now + ms))
    rig.run(60)
    assert [rig.app.entry.points(side) for side in (0, 1)] == [1, 1]
    now = rig.now
    for ms, key, closes in ((0, 0, False), (2, 3, False), (5, 0, True), (7, 3, True), (9, 0, False), (11, 3, False)):
        rig.edges.append((key, closes, now + ms))
    rig.run(100)
    assert [rig.app.entry.points(side) for side in (0, 1)] == [1, 1]


def test_a_shared_key_that_has_taken_effect_early_means_nothing_until_it_has_been_open_long_enough() -> None:
    mode = Mode(IN_PLAY)
    buttons = Buttons(PLACES, mode)
    for ms, key, closes in ((0, UNDO, True), (60, UNDO, False), (65, 2, True), (70, UNDO, True)):
        buttons.key(key, closes, ms)
    assert mode.calls == [("undo_down",), ("undo",), ("ok", 0)]
    for ms in range(70, 9_000, 5):
        buttons.step(ms)
    buttons.key(UNDO, False, 9_000)
    buttons.step(9_000 + BOUNCE_MS)
    assert mode.calls[3:] == [("tell", 0)], "UNDO is neither held nor let go again"
    buttons.key(UNDO, True, 9_000 + BOUNCE_MS)
    assert mode.calls[4:] == [("undo_down",)]


@pytest.mark.parametrize("key", KEYS)
def test_after_an_overflow_a_contact_that_bounces_is_no_press(key: int) -> None:
    mode = Mode(IN_PLAY)
    buttons = Buttons(PLACES, mode)
    buttons.lost(100)
    for bounce in range(105, 150, 10):  # its first edges are missing
        buttons.key(key, True, bounce)
        buttons.key(key, False, bounce + 5)
    buttons.step(150 + BOUNCE_MS)
    assert mode.calls == []
    buttons.key(key, True, 200)
    buttons.key(key, False, 260)
    buttons.step(260 + BOUNCE_MS)
    assert mode.calls != []
