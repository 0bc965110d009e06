"""The app: host and buttons on one board, one step at a time."""

import pytest
from firmware.rig import OK, PLUS_1, PLUS_5, Rig

from cribboard.sim.flash import Flash
from cribboard_core.events import PEG, SET
from cribboard_core.journal import Sector
from cribboard_core.wire import encode
from cribboard_fw.setup import CLOSES_AFTER_MS

SESSION = 7


def test_the_host_is_told_of_what_the_buttons_do():
    rig = Rig()
    rig.peg(1, 6)
    messages = [message for message in rig.heard() if message[0] in ("pend", "ev")]
    assert messages == [*[["pend", -1, 1, points, 0] for points in (5, 6, 0)], ["ev", 1, "peg", 1, 6, 0, 0, 0, 0, 0]]


def test_a_command_is_answered_after_its_event_is_told():
    rig = Rig()
    rig.port.inbox += b""
    assert rig.ask("peg", SESSION, 1, 0, 9) == ["ok", SESSION, 1, 1]
    assert rig.scores() == [9, 0]


def test_a_command_that_comes_twice_pegs_once():
    rig = Rig()
    assert rig.ask("peg", SESSION, 1, 0, 9) == rig.ask("peg", SESSION, 1, 0, 9)
    assert rig.scores() == [9, 0]


def test_a_command_that_comes_again_after_a_power_cut_pegs_once():
    rig = Rig()
    rig.ask("peg", SESSION, 1, 0, 9)
    rig.boot()
    assert rig.ask("peg", SESSION, 1, 0, 9) == ["ok", SESSION, 1, 1]
    assert rig.scores() == [9, 0]


def test_a_counted_hand_moves_the_pegs_and_a_wrong_claim_does_not():
    rig = Rig()
    answer = rig.ask("hand", SESSION, 1, 0, "5H5C5SJD", "5D", 0, 28)
    assert answer == ["no", SESSION, 1, "count", "the hand counts 29, not 28"]
    assert rig.scores() == [0, 0]
    assert rig.ask("hand", SESSION, 2, 0, "5H5C5SJD", "5D", 0, 29) == ["ok", SESSION, 2, 1]
    assert rig.scores() == [29, 0]


def test_what_the_host_pegs_leaves_the_other_sides_pending_points_alone():
    rig = Rig()
    rig.tap(3 + PLUS_5)
    rig.ask("peg", SESSION, 1, 0, 9)
    assert rig.app.entry.points(1) == 5
    rig.tap(3 + OK)
    assert rig.scores() == [9, 5]


PHONE = 3  # the number of one in a host


def shown(rig: Rig, points: int = 12, side: int = 0, seconds: int = 20) -> None:
    """Points wait that somebody entered at a host."""
    assert rig.ask("pend", 1, side, points, PHONE, seconds) == ["pend", 1, side, points, PHONE]


def waiting(rig: Rig) -> list[object]:
    """What the board has said of points that wait: side, points, owner."""
    return [message[2:] for message in rig.heard() if message[:2] == ["pend", -1]]


def test_what_a_host_shows_is_on_the_lights_until_it_goes() -> None:
    rig = Rig()
    rig.run(100)
    dark = pictures(rig)
    shown(rig)
    rig.run(100)
    assert pictures(rig) != dark
    shown(rig, points=0)
    rig.run(100)
    assert pictures(rig) == dark


def test_ok_leaves_alone_what_a_host_shows() -> None:
    rig = Rig()
    shown(rig)
    rig.tap(OK)
    assert (rig.scores(), rig.app.entry.points(0)) == ([0, 0], 12)


def test_a_hosts_points_are_not_committed_by_themselves_and_go_when_their_time_is_over() -> None:
    rig = Rig(settings="COMMIT_AFTER_S = 3", start=100_000)
    shown(rig, seconds=20)
    rig.run(19_500)
    assert (rig.scores(), rig.app.entry.points(0), waiting(rig)) == ([0, 0], 12, [])
    rig.run(1_000)
    assert (rig.scores(), waiting(rig)) == ([0, 0], [[0, 0, PHONE]])


@pytest.mark.parametrize("seconds", [1, 60])
def test_a_hosts_points_wait_as_long_as_it_said_and_no_longer(seconds: int) -> None:
    rig = Rig()
    shown(rig, seconds=seconds)
    rig.run(1000 * seconds - 500, 500)
    assert rig.app.entry.points(0) == 12
    rig.run(1000, 500)
    assert rig.app.entry.points(0) == 0


def test_points_of_buttons_wait_without_an_end() -> None:
    rig = Rig()
    rig.tap(PLUS_5)
    rig.run(19 * 60_000, 1000)
    rig.tap(OK)
    assert rig.scores() == [5, 0]


@pytest.mark.parametrize("key", [PLUS_1, PLUS_5])
def test_a_press_never_adds_to_what_a_host_shows(key: int) -> None:
    rig = Rig()
    shown(rig, 9)
    rig.heard()
    rig.tap(key)
    rig.tap(OK)
    points = (1, 5)[key]
    assert waiting(rig) == [[0, 0, PHONE], [0, points, 0], [0, 0, 0]]
    assert rig.scores() == [points, 0]


def test_undo_takes_away_what_a_host_shows_before_it_takes_back_a_score() -> None:
    rig = Rig()
    rig.peg(0, 7)
    rig.tap(3 + PLUS_1)
    shown(rig)
    rig.undo()
    assert (rig.scores(), rig.app.entry.points(0), rig.app.entry.points(1)) == ([7, 0], 0, 1)
    rig.undo()
    assert (rig.scores(), rig.app.entry.any) == ([7, 0], False)
    rig.undo()
    assert rig.scores() == [0, 0]


@pytest.mark.parametrize(
    ("command", "left"),
    [
        (("peg", 0, 9), [0, 5, 4]),
        (("peg", 1, 9), [12, 5, 4]),
        (("hand", 0, "5H5C5SJD", "5D", 0, 29), [0, 5, 4]),
        (("nibs", 0), [0, 5, 4]),
        (("go", 0), [0, 5, 4]),
        (("muggins", 0, 2, 1), [0, 5, 4]),
        (("penalty", 1, 2, 0), [0, 5, 0]),
        (("set", 2, 30, 20), [0, 5, 0]),
        (("deal", -1), [0, 5, 0]),
        (("undo", 1), [0, 0, 0]),
        (("new", 1, 121, 7, 3, -1, -1, -1), [0, 0, 0]),
        (("restore", 1, 121, 7, 3, 0, 91, 61, "0c0a07050000", [0, 0, 0]), [0, 0, 0]),
    ],
)
def test_what_lets_a_hosts_points_go_and_what_the_buttons(command: tuple[object, ...], left: list[int]) -> None:
    rig = Rig(places=3, settings="PLAYERS = 3")
    rig.peg(0, 1)
    shown(rig, 12, 0)
    shown(rig, 4, 2)
    rig.tap(3 + PLUS_5)
    op, *args = command
    assert rig.ask(op, SESSION, 1, *args)[0] == "ok"
    assert [rig.app.entry.points(side) for side in range(3)] == left


def test_redo_lets_a_hosts_points_go() -> None:
    rig = Rig()
    rig.peg(0, 7)
    rig.undo()
    shown(rig)
    rig.redo()
    assert (rig.scores(), rig.app.entry.any) == ([7, 0], False)


def test_a_host_that_goes_away_leaves_nothing_waiting() -> None:
    rig = Rig()
    shown(rig, seconds=255)
    rig.tap(3 + PLUS_5)
    rig.port.connected = False
    rig.run(50)
    assert (rig.app.entry.points(0), rig.app.entry.points(1)) == (0, 5)


def pictures(rig: Rig) -> list[set[tuple[int, ...]]]:
    """What each strip shows within four seconds, in which all rhythms begin again."""
    for strip in rig.strips:
        strip.shown.clear()
    rig.run(4000)
    return [set(map(tuple, strip.shown)) for strip in rig.strips]


def test_the_pegs_are_shown_again_when_nobody_goes_on_with_the_set_up():
    rig = Rig()
    rig.peg(0, 5)
    rig.peg(1, 7)
    before = pictures(rig)
    rig.open_setup()
    assert pictures(rig) != before
    rig.run(CLOSES_AFTER_MS)
    assert rig.setup is None
    assert pictures(rig) == before


@pytest.mark.parametrize("key", [PLUS_1, PLUS_5, OK])
def test_a_set_up_that_somebody_goes_on_with_stays_open_for_another_minute(key):
    rig = Rig()
    rig.open_setup()
    rig.run(CLOSES_AFTER_MS - 5_000, 50)
    rig.tap(key)
    rig.run(CLOSES_AFTER_MS - 5_000, 50)
    assert rig.setup


def test_a_new_game_from_the_host_closes_the_set_up():
    rig = Rig()
    rig.open_setup()
    rig.ask("new", SESSION, 1, 0, 61, 3, 2, 1, -1, -1)
    assert rig.setup is None
    assert (rig.match.target, rig.match.dealer) == (61, 1)


def test_a_new_game_from_the_host_has_the_skunk_lines_of_the_settings():
    rig = Rig(settings="SKUNK_LINE = 50\nDOUBLE_SKUNK_LINE = 20")
    rig.ask("new", SESSION, 1, 0, 121, 3, 2, 1, -1, -1)
    assert (rig.match.play.skunk, rig.match.play.double) == (50, 20)


def test_undo_by_the_host_drops_what_is_pending():
    rig = Rig()
    rig.ask("peg", SESSION, 1, 0, 9)
    rig.tap(PLUS_5)
    rig.ask("undo", SESSION, 2, 1)
    assert rig.scores() == [0, 0]
    assert not rig.app.entry.any


def test_redo_by_the_host_drops_what_is_pending():
    rig = Rig()
    rig.ask("peg", SESSION, 1, 0, 9)
    rig.ask("undo", SESSION, 2, 1)
    rig.tap(PLUS_5)
    rig.ask("redo", SESSION, 3, 1)
    assert rig.scores() == [9, 0]
    assert not rig.app.entry.any


def test_a_state_that_a_host_restores_drops_what_is_pending():
    rig = Rig()
    rig.tap(PLUS_5)
    assert rig.app.entry.points(0) == 5
    rig.port.inbox += encode(["restore", SESSION, 1, 0, 121, 3, 2, 0, 91, 61, "0c0a0705", [0, 0]])
    rig.run(100)
    assert rig.scores() == [12, 7]
    assert ["pend", -1, 0, 0, 0] in rig.heard()
    assert not rig.app.entry.any


def test_two_hosts_that_undo_one_mistake_undo_it_once():
    rig = Rig()
    rig.ask("peg", SESSION, 1, 0, 9)
    rig.ask("peg", SESSION, 2, 1, 4)
    assert rig.ask("undo", SESSION, 3, 2) == ["ok", SESSION, 3, 3]
    assert rig.ask("undo", SESSION, 4, 2)[3] == "rev"
    assert rig.scores() == [9, 0]


def test_a_set_up_that_makes_no_game_says_why_and_stays_open():
    rig = Rig(3)
    rig.open_setup()
    rig.tap(OK)
    assert not rig.setup.ready
    rig.deal()
    assert rig.setup
    rig.tap(3 * 2 + OK)
    rig.deal()
    assert rig.match.seats == (1, 2)


def test_places_without_a_seat_cannot_peg():
    rig = Rig(3)
    rig.tap(3 * 2 + PLUS_5)
    rig.tap(3 * 2 + OK)
    assert rig.match.rev == 0


def test_deal_does_nothing_once_the_game_is_won():
    rig = Rig(settings="TARGET = 61")
    rig.peg(0, 40)
    rig.peg(0, 30)
    dealer = rig.match.dealer
    rig.heard()
    rig.deal()
    assert rig.match.dealer == dealer
    assert rig.heard() == []


def test_a_step_shows_one_track_at_the_most_and_a_peg_only_its_own():
    rig = Rig()
    rig.run(3000)
    before = [len(strip.shown) for strip in rig.strips]
    for _ in range(200):
        rig.now += 5
        rig.app.step(rig.now)
        after = [len(strip.shown) for strip in rig.strips]
        assert sum(after) - sum(before) <= 1
        before = after
    rig.run(2000)
    frames = [strip.shown[-1] for strip in rig.strips]
    rig.ask("peg", SESSION, 1, 1, 3)
    rig.run(40)
    assert rig.strips[1].shown[-1] != frames[1]
    assert [index for index, (a, b) in enumerate(zip(frames[0], rig.strips[0].shown[-1], strict=True)) if a != b] in (
        [],
        [120],
    )


def test_the_answer_is_written_before_the_track_is_shown():
    rig = Rig()
    rig.run(3000)
    rig.heard()
    shown_when_written = []
    write = rig.port.write
    rig.port.write = lambda data: (shown_when_written.append(len(rig.strips[0].shown)), write(data))[1]
    before = len(rig.strips[0].shown)
    rig.ask("peg", SESSION, 1, 0, 9)
    rig.run(40)
    assert shown_when_written[0] <= before + 1 < len(rig.strips[0].shown) + 1


def test_a_full_key_queue_forgets_what_was_held():
    rig = Rig()
    rig.edge(PLUS_1, True)
    rig.edges.append((-1, False, rig.now))
    rig.run(3000)
    assert rig.app.entry.points(0) == 1


def test_a_refused_press_is_said_and_nothing_is_lost():
    rig = Rig()
    rig.peg(0, 5)
    rig.nvm[:] = bytes(4096)
    rig.app.keeper.journal.log.next = 330
    rig.peg(0, 5)
    assert any(message[0] == "say" for message in rig.heard())
    assert rig.scores() == [5, 0]


def test_a_command_is_read_answered_laid_out_and_shown_in_steps_of_their_own():
    rig = Rig()
    rig.run(3_000)
    rig.heard()
    shown = len(rig.strips[0].shown)
    rig.port.inbox += encode(["peg", SESSION, 1, 0, 9])
    assert rig.app.step(rig.now)
    assert (rig.heard(), rig.scores()) == ([], [0, 0])
    assert rig.app.step(rig.now)
    assert rig.heard()[-1] == ["ok", SESSION, 1, 1]
    assert rig.app.step(rig.now)
    assert len(rig.strips[0].shown) == shown
    rig.app.step(rig.now)
    assert len(rig.strips[0].shown) == shown + 1


def test_a_hand_is_counted_in_one_step_and_pegged_in_the_next():
    rig = Rig()
    rig.run(3_000)
    rig.heard()
    rig.port.inbox += encode(["hand", SESSION, 1, 0, "5H5C5SJD", "5D", 0, 29])
    for heard, score in (([], 0), ([], 0), ([], 29), ([["ok", SESSION, 1, 1]], 29)):
        assert rig.app.step(rig.now)
        assert ([message for message in rig.heard() if message[0] == "ok"], rig.scores()) == (heard, [score, 0])


def test_a_restore_is_written_over_several_steps_and_nothing_comes_between():
    rig = Rig()
    rig.run(3_000)
    rig.heard()
    state = [121, 63, 6, 0, 91, 61, "0a0514030a0514030a051403", [1, 2, 3, 4, 5, 6]]
    rig.port.inbox += encode(["restore", SESSION, 1, 0, *state]) + encode(["peg", SESSION, 2, 0, 1])
    journal, written = rig.app.keeper.journal, []
    while not any(message[0] == "ok" for message in rig.heard()):
        free = journal.free
        rig.app.step(rig.now)
        if journal.free < free:
            written.append(free - journal.free)
        if written == [4]:
            rig.edges.append((PLUS_1, True, rig.now))
    assert written == [4, 4, 1]
    assert rig.match.sides == (0, 1, 2, 3, 4, 5)
    rig.app.step(rig.now)
    assert rig.app.entry.points(0) == 1, "who pressed meanwhile is heard"


def test_a_restore_goes_on_when_its_host_goes_away():
    rig = Rig()
    rig.run(3_000)
    rig.port.inbox += encode(["restore", SESSION, 1, 0, 121, 7, 3, 0, 91, 61, "0a0514030a05", [1, 2, 3]])
    for _ in range(4):
        rig.app.step(rig.now)
    rig.port.connected = False
    rig.app.step(rig.now)
    rig.port.connected = True
    rig.heard()
    rig.run(100)
    assert rig.match.sides == (0, 1, 2)
    assert not [message for message in rig.heard() if message[0] == "ok"], (
        "the next host hears an answer to another's command"
    )
    assert rig.ask("restore", SESSION, 1, 0, 121, 7, 3, 0, 91, 61, "0a0514030a05", [1, 2, 3]) == ["ok", SESSION, 1, 1]


def test_a_host_that_never_pauses_does_not_keep_the_lights_out():
    rig = Rig()
    rig.run(3_000)
    shown = len(rig.strips[0].shown)
    for number in range(1, 10):  # each is read, answered, and laid out or shown
        rig.port.inbox += encode(["peg", SESSION, number, 0, 2])
        rig.app.step(rig.now)
        rig.app.step(rig.now)
    assert len(rig.strips[0].shown) == shown + 3


@pytest.mark.parametrize("noise", [b"x" * 64, b"\n" * 64, b"[]\n" * 20])
def test_a_host_that_sends_only_noise_does_not_keep_the_lights_out(noise):
    rig = Rig()
    rig.run(3_000)
    shown = len(rig.strips[0].shown)
    rig.edges.append((PLUS_1, True, rig.now))
    for _ in range(4):
        rig.port.inbox += noise
        rig.app.step(rig.now)
    assert len(rig.strips[0].shown) == shown + 1


def test_a_step_reads_answers_or_shows_but_never_two_of_them():
    rig = Rig()
    rig.run(3_000)
    rig.heard()
    rig.port.inbox += b"".join([encode(["peg", SESSION, number, 0, 2]) for number in range(1, 9)])
    did = []
    for _ in range(22):
        shown, waiting = sum(len(strip.shown) for strip in rig.strips), len(rig.port.inbox)
        rig.app.step(rig.now)
        answers = [message for message in rig.heard() if message[0] == "ok"]
        did.append(
            (
                int(len(rig.port.inbox) < waiting),
                len(answers),
                sum(len(strip.shown) for strip in rig.strips) - shown,
            )
        )
    assert max(map(sum, did)) == 1
    assert did.count((0, 1, 0)) == 8
    assert did.count((0, 0, 0)) >= 4, "laid out"
    assert did.count((0, 0, 1)) >= 4, "and shown"


def test_a_step_says_whether_anything_happened():
    rig = Rig()
    rig.run(3_000)
    rig.now += 5
    assert not rig.app.step(rig.now)
    rig.edges.append((PLUS_1, True, rig.now))
    assert rig.app.step(rig.now), "the host is told"
    assert rig.app.step(rig.now), "and the light goes on"
    assert not rig.app.step(rig.now + 125), "only a blink"


def test_a_board_at_rest_prepares_the_erase_before_the_score_that_needs_it(monkeypatch):
    laid_out = []
    lay_out = Sector.lay_out
    monkeypatch.setattr(Sector, "lay_out", lambda sector: laid_out.append(1) or lay_out(sector))
    flash = Flash()
    rig = Rig(nvm=flash)
    while not rig.app.keeper.journal.must_roll(rig.app.match, PEG):
        rig.app.keeper.do((PEG, 0, 0, 0, 0))
    laid_out.clear()
    rig.run(100)
    assert (len(laid_out), flash.erases) == (1, 0)
    rig.run(1000)
    rig.peg(1, 5)
    assert (len(laid_out), flash.erases, rig.scores()) == (1, 1, [0, 5])


def frames(rig):
    return sum(len(strip.shown) for strip in rig.strips)


@pytest.mark.parametrize("tick", [5, 25])  # ms; in 25 every step of a show sends a frame
def test_no_step_lays_out_or_sends_a_frame_and_prepares_an_erase(tick, monkeypatch):
    work = []
    for part in ("__init__", "lay_out"):
        plain = getattr(Sector, part)
        monkeypatch.setattr(Sector, part, lambda *given, plain=plain: work.append(1) or plain(*given))
    rig = Rig()
    keeper = rig.app.keeper
    while not keeper.journal.must_roll(rig.app.match, PEG):
        for _ in range(60):
            keeper.do((PEG, 1, 0, 0, 0))
        keeper.do((SET, 0, 121, 0, 0))
        keeper.do(keeper.new([121, 3, 2, 1, -1, -1]))
    rig.run(1000)
    work.clear()
    keeper.do((SET, 0, 121, 0, 0))  # for which there is room; the board shows a win
    for _ in range(20_000 // tick):
        settled, sent, before = rig.app.lights.settled, frames(rig), len(work)
        rig.run(tick, tick)
        assert len(work) == before or (settled and frames(rig) == sent)
    assert len(work) == 2
