"""The loop never stops: whatever fails in a step ends in a safe picture and a restart that brings the game back."""

from __future__ import annotations

from typing import Any

import pytest
from firmware.chip import Chip
from firmware.rig import OK, PLUS_1

from cribboard.sim.flash import Flash
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_core.wire import Lines, encode
from cribboard_fw.app import App
from cribboard_fw.buttons import Buttons
from cribboard_fw.entry import Entry
from cribboard_fw.keeper import Keeper
from cribboard_fw.lights import Lights
from cribboard_fw.link import Link
from cribboard_fw.nvm import Faults
from cribboard_fw.sound import Sound

LIFE_MS = 400
PARTS = [
    (App, "step"),
    (Buttons, "key"),
    (Buttons, "step"),
    (Entry, "add"),
    (Link, "step"),
    (Link, "_answer"),
    (Link, "event"),
    (Keeper, "command"),
    (Keeper, "do"),
    (Journal, "append"),
    (Match, "check"),
    (Match, "apply"),
    (Lights, "update"),
    (Lights, "step"),
    (Lights, "frame"),
    (Sound, "step"),
]
FAULTS = [
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    ImportError,
    IndexError,
    KeyError,
    LookupError,
    MemoryError,
    NameError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    StopIteration,
    SyntaxError,
    TimeoutError,
    TypeError,
    UnicodeError,
    ValueError,
    ZeroDivisionError,
]


@pytest.fixture(scope="module")
def begun() -> bytes:
    """A flash on which the first side has nine points."""
    with pytest.MonkeyPatch.context() as patch:
        chip = Chip(patch)
        chip.port.inbox = encode(["peg", 7, 1, 0, 9])
        chip.life(LIFE_MS)
        assert scores(chip) == [9, 0]
        return bytes(chip.flash.memory)


@pytest.fixture
def chip(begun: bytes, monkeypatch: pytest.MonkeyPatch) -> Chip:
    """A chip with this flash."""
    return Chip(monkeypatch, Flash(bytearray(begun)))


def scores(chip: Chip) -> list[int]:
    match = Match()
    assert Journal(chip.flash).mount(match, 0)
    return [match.front(side) for side in match.sides]


def records(chip: Chip) -> bytes:
    """The flash without the bytes where faults are marked."""
    return b"".join(chip.flash[page : page + 252] for page in range(0, 4096, 256))


def red_lights(of_ten: int) -> dict[int, bytes]:
    """What both tracks' pins are sent when so many of ten lights are red."""
    return dict.fromkeys((2, 3), (bytes([0, 16, 0] * of_ten + [0] * (30 - 3 * of_ten)) * 13)[: 3 * 121])


def play(chip: Chip) -> None:
    """A host's command and a press are on their way, when the game has been shown for a moment."""
    chip.port.inbox = encode(["peg", 7, 2, 1, 4])
    chip.edges = [(PLUS_1, True, chip.now + 100), (PLUS_1, False, chip.now + 160)]


def broken(fault: type[Exception]) -> object:
    def fails(*args: object) -> None:
        raise fault("planted")

    return fails


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
@pytest.mark.parametrize(("part", "name"), PARTS, ids=lambda part: getattr(part, "__name__", part))
def test_any_fault_anywhere_is_shown_marked_and_restarted_and_the_game_goes_on(
    part: type, name: str, fault: type[Exception], chip: Chip, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = records(chip)
    play(chip)
    with monkeypatch.context() as patch:
        patch.setattr(part, name, broken(fault))
        with pytest.raises(fault, match="planted"):  # the console tells it, and the watchdog is armed
            chip.life(LIFE_MS)
    assert (chip.watchdog.mode, chip.watchdog.timeout) == ("RESET", 5)
    assert chip.red == red_lights(2)
    assert Faults(chip.flash).in_a_row == 1
    assert scores(chip) in ([9, 0], [9, 4])
    assert all(now == was or was == 0xFF for now, was in zip(records(chip), started, strict=True))

    chip.port.inbox = chip.port.outbox = b""
    play(chip)
    chip.life(LIFE_MS, "WATCHDOG")
    assert ["ok", 7, 2, 2] in Lines().feed(chip.port.outbox)
    assert scores(chip) == [9, 4]
    assert chip.watchdog.fed > 50


def test_a_strip_that_cannot_be_shown_restarts_the_board_too(chip: Chip, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("firmware.rig.Strip.show", broken(RuntimeError))
        with pytest.raises(RuntimeError, match="planted"):
            chip.life(LIFE_MS)
    assert chip.watchdog.mode == "RESET"
    assert Faults(chip.flash).in_a_row == 1


def test_three_faults_in_a_row_stop_at_the_red_picture_and_leave_usb_and_journal_alone(
    chip: Chip, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started = records(chip)
    with monkeypatch.context() as patch:
        patch.setattr(Lights, "update", broken(KeyError))
        for reason in ("POWER_ON", "WATCHDOG", "WATCHDOG"):
            with pytest.raises(KeyError):
                chip.life(LIFE_MS, reason)
    capsys.readouterr()
    chip.life(60_000, "WATCHDOG")
    assert chip.watchdog.mode is None
    assert chip.runtime.autoreload
    assert chip.red == red_lights(2)
    said = capsys.readouterr().out.splitlines()
    assert set(said) == {"three faults in a row; cut the power and switch it on again"}
    assert len(said) >= 5
    assert records(chip) == started

    play(chip)
    chip.life(LIFE_MS)
    assert scores(chip) == [9, 4]


def test_three_hangs_in_a_row_stop_it_too(chip: Chip, capsys: pytest.CaptureFixture[str]) -> None:
    for hangs in range(3):
        chip.life(LIFE_MS, "WATCHDOG" if hangs else "POWER_ON")
        assert Faults(chip.flash).in_a_row == hangs
    capsys.readouterr()
    chip.life(60_000, "WATCHDOG")
    assert chip.red == red_lights(2)
    assert "three faults in a row" in capsys.readouterr().out


def test_what_fails_while_the_parts_are_made_restarts_the_board(chip: Chip, monkeypatch: pytest.MonkeyPatch) -> None:
    """Since the pins that were taken are free again only then."""
    with monkeypatch.context() as patch:
        patch.setattr("firmware.rig.Strip.__init__", broken(AttributeError))
        with pytest.raises(AttributeError, match="planted"):
            chip.life(LIFE_MS)
    assert chip.watchdog.mode == "RESET"


@pytest.mark.parametrize("error", [OSError, ValueError, RuntimeError], ids=lambda error: error.__name__)
def test_what_keeps_the_board_from_starting_is_shown_and_said(
    error: type[Exception], chip: Chip, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cribboard_fw.settings.load", broken(error))
    chip.life(LIFE_MS)  # what is printed every ten seconds is printed once
    assert chip.red == red_lights(1)
    assert capsys.readouterr().out == "settings.toml: planted\n"
    assert chip.watchdog.mode is None


def test_a_fault_after_a_minute_without_one_is_the_first_again(chip: Chip, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(5):
        with monkeypatch.context() as patch:
            patch.setattr(Lights, "update", broken(KeyError))
            with pytest.raises(KeyError):
                chip.life(LIFE_MS, "SOFTWARE")
        assert Faults(chip.flash).in_a_row == 1
        chip.life(70_000, "WATCHDOG")
        assert Faults(chip.flash).in_a_row == 0


def test_the_loop_prints_nothing_since_a_console_that_nobody_reads_would_hold_it(
    chip: Chip, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    play(chip)
    chip.edges += [(OK, True, chip.now + 300), (OK, False, chip.now + 360)]
    chip.life(1500)
    assert scores(chip) == [10, 4]
    assert capsys.readouterr().out == ""


def test_writes_to_a_host_never_wait(chip: Chip) -> None:
    chip.life(LIFE_MS)
    assert (chip.port.timeout, chip.port.write_timeout) == (0, 0)  # type: ignore[attr-defined]


def test_it_is_tidied_up_often_but_not_after_a_step_that_read_or_answered_nor_within_a_picture(
    chip: Chip, monkeypatch: pytest.MonkeyPatch
) -> None:
    apps: list[App] = []
    init = App.__init__

    def noted(app: App, *parts: Any) -> None:
        apps.append(app)
        init(app, *parts)

    tidied: list[tuple[bool, bool]] = []
    monkeypatch.setattr(App, "__init__", noted)
    monkeypatch.setattr("cribboard_fw.memory.collect", lambda: tidied.append((apps[0].owes, apps[0].lights.settled)))
    chip.port.inbox += b"".join(encode(["peg", 1, number, number % 2, 1]) for number in range(100))
    chip.life(8_000)
    assert len(tidied) > 5
    assert set(tidied) == {(False, True)}
