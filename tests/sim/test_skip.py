"""Pixels at the beginning of each strip that stay dark, sent by the real firmware."""

from __future__ import annotations

from pathlib import Path

import pytest

from cribboard.connect import hold_board
from cribboard.drive import drive_files
from cribboard.sim.board import VirtualBoard

DARK = (0, 0, 0)


@pytest.mark.parametrize("skip", [0, 2])
def test_a_peg_is_in_its_hole_behind_the_pixels_that_are_skipped(
    skip: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    text = drive_files().settings.read_text("utf-8").replace("SKIP_PIXELS = 0", f"SKIP_PIXELS = {skip}")
    with VirtualBoard(tmp_path / "board", settings=text) as board, hold_board(board.port) as held:
        monkeypatch.setattr(board, "_skip", 0)  # all that is sent
        held.peg(0, 3)
        held.peg(0, 4)

        def pegged(it: VirtualBoard) -> bool:
            strip = it.last_strips().get("GP2")
            return strip is not None and strip.pixels[skip + 2] != DARK != strip.pixels[skip + 6]

        assert board.wait_for(pegged, 20)
        pixels = board.last_strips()["GP2"].pixels
    assert (len(pixels), pixels[:skip]) == (skip + 121, [DARK] * skip)
