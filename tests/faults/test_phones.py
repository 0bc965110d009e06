"""Phones in a network that is cut: a short run, and a planted fault that it finds."""

from __future__ import annotations

import pytest
from faults import phones
from faults.phones import run

from cribboard_fw.keeper import Keeper


def test_nothing_is_lost_or_doubled_when_the_network_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["phones", "--pegs", "150", "--seed", "3"])
    assert phones.main() == 0


def test_a_board_that_forgets_what_it_has_answered_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    command = Keeper.command

    def forgetful(self: Keeper, message: list[object]) -> list[object] | None:
        if message[2] == self.last_id and not self.due:
            self.last_id -= 1
        return command(self, message)

    monkeypatch.setattr(Keeper, "command", forgetful)
    report, tags = run(150, 3)
    assert report.doubled > 0 or report.lost(tags) > 0
