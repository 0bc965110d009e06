"""`cribboard doctor --wifi` at a virtual board: what is well, and what keeps a computer from the board."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from install.circuitpy import BOOT_OUT
from rigs.wifi import KEY, wifi

from cribboard.cli.main import cli
from cribboard.doctor import network
from cribboard.doctor.network import examine


def test_a_board_in_its_network_is_tried_and_one_that_is_not_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with wifi(tmp_path / "board") as network:
        (network.board.folder / "boot_out.txt").write_text(BOOT_OUT.format("10.2.1", "raspberry_pi_pico2_w"))
        words = ["doctor", str(network.board.folder), "--wifi", network.address, "--minutes", "0.01", "--json"]
        done = CliRunner().invoke(cli, words, catch_exceptions=False)
        findings = [json.loads(line) for line in done.stdout.splitlines()]
        assert [finding["code"] for finding in findings] == ["page", "round-trips", "lasts"], done.stdout
        assert done.exit_code == 0 and findings[1]["what"].startswith("200 round trips: ")
        assert KEY not in done.output
        [_, wrong] = examine(network.address, "0" * 32, 0, pytest.fail)
        assert (wrong.code, wrong.what) == ("wifi", "the board gives no place: its key is not the one on this drive")
        monkeypatch.setattr("cribboard.doctor.network.ROUND_TRIPS", 5)
        monkeypatch.setattr("cribboard.doctor.network.JOIN_S", 2)
        asked: list[str] = []
        [_, nobody] = examine(network.address, "", 0, asked.append, lambda _: None)
        assert nobody.wrong and "nobody held DEAL" in nobody.what
        assert len(asked) == 1 and "Hold DEAL" in asked[0]
        monkeypatch.setattr("cribboard.doctor.network.JOIN_S", 60)
        without_drive = list(examine(network.address, "", 0.01, lambda _: network.open_setup()))
        assert [finding.code for finding in without_drive] == ["page", "round-trips", "lasts"], without_drive
        network.proxy.cut(up=False)
        [away] = examine(network.address, KEY, 0, pytest.fail)
        assert away.wrong and "does not answer" in away.what and "same" not in away.what


def test_without_a_drive_the_address_is_tried_or_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cribboard.install.circuitpy.find.__defaults__", (None, list))
    done = CliRunner().invoke(cli, ["doctor", "--wifi", "no-such-board", "--json"], catch_exceptions=False)
    [finding] = [json.loads(line) for line in done.stdout.splitlines()]
    assert finding["what"].startswith("http://no-such-board.local does not answer") and "rrno" not in finding["what"]
    assert "not the network's name" in finding["todo"]
    done = CliRunner().invoke(cli, ["doctor", "--wifi"], catch_exceptions=False)
    assert "cribboard doctor --wifi cribboard.local" in done.output


@pytest.mark.parametrize("typed", ["Pub Wi-Fi", "192.168.1.23:x", "n" * 70, "pub..local", "http://"])
def test_what_is_no_address_is_said_with_what_to_type(typed: str) -> None:
    [finding] = examine(typed, "", 0, pytest.fail)
    assert finding.wrong and finding.what.endswith("is not an address")
    assert "not the network's name" in finding.todo


def test_a_connection_has_ended_once_however_long_the_board_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    class Phone:
        """A place that there is but for half a minute in between."""

        flags = network.RESTARTED

        def __init__(self, host: str, token: str) -> None:
            self.round_trip()

        def round_trip(self) -> float:
            if 20 < now[0] < 50:
                raise network.Gone("the board does not answer")
            return 7.0

        def close(self) -> None:
            pass

    monkeypatch.setattr(network, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    monkeypatch.setattr(network, "Phone", Phone)
    finding = network._soak("cribboard.local", "", 2)
    assert "the connection ended 1 time, and the watchdog restarted the board" in finding.what
    assert (finding.code, finding.wrong) == ("restarts", True)
