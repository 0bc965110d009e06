"""Each thing that the doctor can find at a port, and of a board that answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from doctor.doctored import DATA, Bench

from cribboard.doctor.checks import examine
from cribboard.doctor.processes import holders, modem_manager
from cribboard.errors import Busy, TransportError
from cribboard_core.events import PEG


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_no_board(bench: Bench) -> None:
    bench.ports = []
    assert bench.wrong() == ["no-board"]


def test_a_port_that_may_not_be_opened(bench: Bench) -> None:
    error = TransportError("you have no permission to open /dev/ttyACM1", "join the group dialout")
    bench.fails = {DATA.device: error}
    (finding,) = [finding for finding in bench.findings() if finding.wrong]
    assert (finding.code, finding.what, finding.todo) == ("permission", error.message, error.hint)


def test_a_port_that_goes_while_it_is_looked_at(bench: Bench) -> None:
    bench.fails = {DATA.device: TransportError("the board is gone")}
    assert bench.wrong() == ["port"]


def test_a_port_that_modem_manager_has(bench: Bench) -> None:
    bench.fails = {DATA.device: Busy("/dev/ttyACM1 is in use by another program")}
    bench.process(12, "ModemManager", "/dev/null", DATA.device)
    (finding,) = [finding for finding in examine(bench.world(), DATA.device) if finding.wrong]
    assert finding.code == "modem-manager"
    assert "half a minute" in finding.todo


def test_a_port_that_another_program_has(bench: Bench) -> None:
    bench.fails = {DATA.device: Busy("/dev/ttyACM1 is in use by another program", "end it")}
    bench.process(12, "cribboard", DATA.device)
    (finding,) = [finding for finding in bench.findings() if finding.wrong]
    assert (finding.code, finding.what) == ("busy", "/dev/ttyACM1 is in use by another program (cribboard)")


def test_modem_manager_that_only_runs_is_remarked(bench: Bench) -> None:
    bench.process(12, "ModemManager")
    assert [finding.code for finding in bench.findings() if not finding.wrong][-1] == "modem-manager"


def test_processes_that_end_or_hide_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "7").mkdir()
    (tmp_path / "8").mkdir()
    (tmp_path / "8" / "comm").write_text("hidden\n")
    assert holders("/dev/ttyACM1", tmp_path) == []
    assert not modem_manager(tmp_path)


def test_firmware_of_another_version(bench: Bench) -> None:
    assert bench.firmware
    link = bench.firmware.link
    for version, code in (("0.9.0", "old-firmware"), ("10.0.0", "new-firmware")):
        link._about = (version, *link._about[1:])
        (wrong,) = (finding for finding in bench.findings() if finding.wrong)
        assert (wrong.code, "newer cribboard" in wrong.todo) == (code, code == "new-firmware")


def test_firmware_of_another_protocol(bench: Bench) -> None:
    assert bench.firmware
    for protocol, code in ((0, "old-firmware"), (9, "new-firmware")):
        refusal = ["no", 0, 1, "version", f"this board speaks protocol {protocol}"]
        bench.firmware.link._hello = lambda q, args, refusal=refusal: [*refusal[:2], q, *refusal[3:]]  # type: ignore[method-assign]
        (wrong,) = (finding for finding in bench.findings() if finding.wrong)
        assert (wrong.code, "newer cribboard" in wrong.todo) == (code, code == "new-firmware")


def test_what_sends_back_what_it_is_sent(bench: Bench) -> None:
    assert bench.firmware
    bench.firmware.link._hello = lambda q, args: ["hello", q, *args]  # type: ignore[method-assign]
    assert bench.wrong() == ["echo"]


@pytest.mark.parametrize(("flags", "codes"), [(3, ["brown-out"]), (5, ["watchdog"]), (7, ["brown-out", "watchdog"])])
def test_how_the_board_was_started(bench: Bench, flags: int, codes: list[str]) -> None:
    assert bench.firmware
    link = bench.firmware.link
    link._about = (*link._about[:-1], flags)
    assert bench.wrong() == codes


def test_what_the_board_could_not_read_of_its_flash(bench: Bench) -> None:
    assert bench.firmware
    log = bench.firmware.keeper.journal.log
    log.torn = True
    log.missing = 3
    wrong = {finding.code: finding.what for finding in bench.findings() if finding.wrong}
    assert wrong == {
        "torn": "the board could not read its newest event when it started",
        "missing": "the board's flash has lost 3 events of its journal",
    }


def test_a_journal_that_the_board_cannot_read(bench: Bench) -> None:
    assert bench.firmware
    bench.firmware.nvm[:] = before = b"\xa5" * 4096
    bench.firmware.boot()
    [problem] = [finding for finding in bench.findings() if finding.wrong]
    assert problem.code == "unreadable"
    assert "install that one again" in problem.todo
    assert bytes(bench.firmware.nvm) == before
    bench.firmware.keeper.do((PEG, 0, 1, 0, 0))
    assert bench.wrong() == ["missing"]


def test_a_chip_without_the_promise_is_remarked(bench: Bench) -> None:
    assert bench.firmware
    link = bench.firmware.link
    link._about = (*link._about[:-1], 0)
    assert "promise" in [finding.code for finding in bench.findings() if not finding.wrong]
