"""Everything in the closed board is held, seen from a chair, screwed together and printable, as its solids have it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from hardware.held import (
    Body,
    badly_screwed,
    badly_seen,
    badly_stuck,
    bodies,
    lid_loose,
    loose,
    overhangs,
    prints,
    wrong,
)
from manifold3d import Manifold

from cribboard.hardware import light, light_sheet, model, stack
from cribboard.hardware.case import Case
from cribboard.hardware.checks import everything
from cribboard.hardware.controllers import known
from cribboard.hardware.drawing import Circle, drawing
from cribboard.hardware.printing import stl
from cribboard.hardware.shape import Layout
from cribboard.hardware.stack import Stack, seen
from hardware.boards import READY, changed, ready

CASE = Case(Layout(ready()))
FRONT_MM = 2 * CASE.thick + CASE.depth + CASE.stack.front


@pytest.fixture(scope="module")
def every() -> list[Body]:
    return bodies(CASE)


def exchanged(every: list[Body], name: str, shapes: Iterable[Manifold]) -> list[Body]:
    """The same with other bodies of a kind, which alone are built again."""
    return [*(body for body in every if body.name != name), *(Body(name, shape) for shape in shapes)]


@pytest.mark.unmeasured
@pytest.mark.long
def test_all_is_held_seen_screwed_together_and_printed_without_support() -> None:
    """As held.py asks it of the default board in CI, and of all by hand."""
    assert wrong(Case(Layout(ready("boards/twenty-nine.toml"))), most=2) == []


@pytest.mark.parametrize("of", READY)
def test_every_design_is_seen_from_every_chair_by_the_formula_and_well_lit(of: str) -> None:
    layout = Layout(ready(of))
    above = Stack(layout.description.shape).above
    for led in range(layout.last + 1):
        assert seen(above, layout.diameter(led), 45) >= 0.5
        assert seen(above, layout.diameter(led), light.farthest_degrees(layout)) >= 0.2
    assert list(light.mistakes(layout)) == []
    shown = light.brightness(layout)
    assert shown.front >= 60 and shown.ratio(shown.front) >= 4
    assert min(shown.ratio(shown.back), shown.ratio(shown.skunk)) >= 1.5


def test_strong_pegs_are_seen_in_a_bright_room_within_the_limit_or_it_is_said() -> None:
    def strong(**supply: int) -> Layout:
        board = ready()
        return Layout(replace(board, supply=replace(board.supply, strong_pegs=True, **supply)))

    usual, brighter = light.brightness(Layout(ready())), light.brightness(strong())
    assert brighter.front > 1.9 * usual.front and brighter.back > 3.5 * usual.back and brighter.skunk == usual.skunk
    assert min(brighter.ratio(brighter.front), brighter.ratio(brighter.back)) >= light.STRONG_RATIO
    assert list(light.mistakes(strong())) == []
    assert any("times as bright as a dark hole" in each.said for each in light.mistakes(strong(brightness=8)))
    assert any("limit of 300 mA dims them" in each.said for each in light.mistakes(strong(limit_ma=300)))


def refused(board: object) -> list[str]:
    return [f"{each.where}: {each.said}" for each in everything(board, known("raspberry_pi_pico")) if each.wrong]  # type: ignore[arg-type]


def test_a_thick_face_is_refused_and_its_solids_show_why() -> None:
    board = changed(("face_mm = 1.5", "face_mm = 6"))
    assert any("from a chair, at 45°, 0% of the light is seen" in each for each in refused(board))
    assert any("take a panel of 3.2 mm" in each for each in refused(board))
    case = Case(Layout(board))
    assert any("is seen" in each for each in badly_seen(case, bodies(case)))


def test_a_thick_diffuser_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stack, "PAPER_MM", 3.0)
    assert any("a diffuser of 3 mm carries light to the next hole" in each for each in refused(ready()))


def test_without_their_screws_light_guides_and_bars_are_loose(every: list[Body]) -> None:
    bare = [body for body in every if not body.name.startswith("light guides'")]
    problems = loose([body for body in bare if body.name in ("light guides", "bars", "light sheet", "strips")], 1)
    assert {"bars: -z", "bars: +y"} <= {*problems}


@pytest.mark.parametrize(("long", "says"), [(50, "corner screws: 11.10 mm"), (38, "corner screws: -0.90 mm")])
def test_a_corner_screw_of_another_length_is_noticed(
    long: int, says: str, every: list[Body], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not [*badly_screwed(CASE, every)]
    monkeypatch.setattr(Case, "screw_long", property(lambda self: long))
    others = exchanged(every, "corner screws", model._screws(CASE, FRONT_MM - CASE.stack.front))
    assert any(each.startswith(says) for each in badly_screwed(CASE, others))


def test_the_corner_screws_hold_the_lid_and_the_film_its_front(every: list[Body]) -> None:
    assert lid_loose(every) == [] and [*badly_stuck(every)] == []
    held = [body for body in every if body.name in ("walls", "corners", "back", "corner screws", "light sheet")]
    bare = [body for body in held if body.name != "corner screws"]
    assert lid_loose(held) == [] and lid_loose(bare) == ["lid: +x", "lid: -x", "lid: +y", "lid: -y", "lid: +z"]
    sticks = [body for body in every if body.name in ("face", "buttons", "light sheet")]
    assert len([*badly_stuck(sticks)]) == 2, "without film"
    [film] = [body for body in every if body.name == "film"]
    lower = Body("film", film.shape.translate((0, 0, -0.06)))
    assert any("the front over 0 cm" in each for each in badly_stuck([*sticks, lower])), "with a gap above it"


def test_nothing_of_the_screws_is_seen_from_above(every: list[Body]) -> None:
    for of in READY:
        layout = Layout(ready(of))
        around = [piece for piece in drawing(layout) if isinstance(piece, Circle) and piece.layer == "CUT_OUTS"]
        assert len(around) == len(layout.buttons)
    top = max(body.box[5] for body in every if "screws" in body.name or "nuts" in body.name)
    [film] = [body for body in every if body.name == "film"]
    assert top <= film.box[2] + 1e-6


def test_a_short_screw_at_the_light_guides_is_noticed(every: list[Body], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stack, "clamp_long", property(lambda self: 8))
    others = exchanged(every, "light guides' screws", model._clamps(CASE, FRONT_MM - CASE.stack.front))
    assert any(each.startswith("light guides' screws: -") for each in badly_screwed(CASE, others))


def test_an_overhang_is_noticed() -> None:
    table = Manifold.cube((5, 5, 10)) + Manifold.cube((20, 20, 2)).translate((0, 0, 10))
    assert overhangs(stl(table))
    assert not any(overhangs(each) for each in prints(CASE).values())


@pytest.mark.parametrize("sheet", [3.0, 4.0, 6.0])
def test_light_thrown_at_random_is_what_the_formula_says_and_none_goes_to_the_next_hole(sheet: float) -> None:
    layout = Layout(replace(ready(), shape=replace(ready().shape, thickness_mm=sheet)))
    photons, chance = 200_000, np.random.default_rng(1)
    turn, out = chance.uniform(0, 2 * math.pi, photons), 1.6 * np.sqrt(chance.uniform(0, 1, photons))
    start = np.stack([out * np.cos(turn), out * np.sin(turn)])
    sine, turn = np.sqrt(chance.uniform(0, 1, photons)), chance.uniform(0, 2 * math.pi, photons)  # Lambertian
    slope = sine / np.sqrt(1 - sine**2) * np.stack([np.cos(turn), np.sin(turn)])
    low = stack.STRIP_MM + stack.PIXEL_UP_MM
    heights = [stack.CHANNEL_MM, stack.GUIDE_MM, stack.GUIDE_MM, stack.GUIDE_MM + sheet, stack.GUIDE_MM + sheet]
    widths = [5.4, 5.4, layout.light_diameter(0), layout.light_diameter(0), layout.diameter(0)]

    def through(middle: float) -> float:
        """The share that comes to the paper of a hole so far away, between black walls."""
        free = np.ones(photons, dtype=bool)
        for height, wide in zip(heights, widths, strict=True):
            at = start + slope * (height - low)
            free &= np.hypot(at[0] - middle, at[1]) < wide / 2
        return float(free.mean())

    own = through(0)
    area = math.pi * (layout.diameter(0) / 2000) ** 2
    paper, walls = 0.47, 0.61  # what paper lets through, and what is seen at 45 degrees, its rim's own light included
    shown = own * paper / (math.pi * area) * walls
    assert shown == pytest.approx(light.K_MM2 / (sheet + light.K_AWAY_MM) ** 2, rel=0.15)
    assert through(layout.description.shape.pitch_mm) < 0.01 * own


def test_the_light_sheet_has_a_hole_behind_every_hole_of_the_face() -> None:
    for of in READY:
        layout = Layout(ready(of))
        behind = {
            (round(x, 6), round(y, 6)): wide for what, (x, y), wide in light_sheet.holes(layout) if "hole " in what
        }
        for track in range(layout.description.tracks.count):
            for led, (x, y) in enumerate(layout.holes(track)):
                assert behind[round(x, 6), round(y, 6)] >= layout.diameter(led) or not layout.description.shape.strip_mm
