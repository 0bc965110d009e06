"""`cribboard doctor --wifi` at a virtual board: what is well, and what keeps a computer from the board."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner
from install.circuitpy import BOOT_OUT
from rigs.wifi import KEY, wifi

from cribboard.cli.main import cli
from cribboard.doctor.network import examine


def test_a_board_in_its_network_is_tried_and_one_that_is_not_is_said(tmp_path: Path) -> None:
    with wifi(tmp_path / "board") as network:
        (network.board.folder / "boot_out.txt").write_text(BOOT_OUT.format("10.2.1", "raspberry_pi_pico2_w"))
        words = ["doctor", str(network.board.folder), "--wifi", network.address, "--minutes", "0.01", "--json"]
        done = CliRunner().invoke(cli, words, catch_exceptions=False)
        findings = [json.loads(line) for line in done.stdout.splitlines()]
        assert [finding["code"] for finding in findings] == ["page", "round-trips", "lasts"], done.stdout
        assert done.exit_code == 0 and findings[1]["what"].startswith("200 round trips: ")
        assert KEY not in done.output
        [_, wrong] = examine(network.address, "0" * 32, 0)
        assert (wrong.code, wrong.what) == ("wifi", "the board gives no place: its key is not the one on this drive")
        network.proxy.cut(up=False)
        [away] = examine(network.address, KEY, 0)
        assert away.wrong and "does not answer" in away.what and "same" not in away.what
