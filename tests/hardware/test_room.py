"""The board in a room: light that is traced through its solids is what the formula says, and keeps to its hole."""

from __future__ import annotations

import math
from pathlib import Path

import numpy
import pytest

from cribboard.hardware.case import Case
from cribboard.hardware.light import CANDELA, K_AWAY_MM, K_MM2
from cribboard.hardware.shape import Layout
from hardware.boards import ready

room = pytest.importorskip("cribboard.hardware.room", reason="needs the extra `render`", exc_type=ImportError)
GREEN, LED = (0, 200, 0), 30


def test_light_through_the_solids_is_the_formulas_at_45_degrees_and_stays_in_its_hole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for walls in ("WOOD", "SHEET", "BLACK", "WHITE"):  # the formula counts no light that walls throw back
        monkeypatch.setattr(room, walls, (0.0, 0.0, 0.0))
    case = Case(Layout(ready("boards/travel.toml")))
    layout = case.layout
    dark = [(0, 0, 0)] * layout.description.tracks.leds
    one = [GREEN if led == LED else (0, 0, 0) for led in range(layout.description.tracks.leds)]
    made, top = room.Room(case, [one, dark], 0, tmp_path), room.top_mm(case)

    def average(led: int) -> float:
        """Of a hole's disc at the face, from a chair's angle: what the rim hides counts as dark."""
        x, y = layout.holes(0)[led]
        radius, away = layout.description.shape.hole_mm / 2, 2000.0
        eye = x, y - away * math.sin(math.radians(45)), top + away * math.cos(math.radians(45))
        view = room.View(eye, (x, y, top), 2 * math.degrees(math.atan(radius / away)))
        picture = made.draw(view, (24, 24), 64) @ room.LUMA
        rows, columns = (numpy.mgrid[:24, :24] - 11.5) / 12
        disc = columns**2 + (rows / math.cos(math.radians(45))) ** 2 < 1
        return float(picture[disc].mean())

    lumens = math.pi * GREEN[1] / 255 * CANDELA[1]
    formula = lumens * K_MM2 / (layout.description.shape.thickness_mm + K_AWAY_MM) ** 2
    assert average(LED) == pytest.approx(formula, rel=0.2)
    assert average(LED + 1) < 0.01 * formula
