"""The drawer below the back: it holds a deck, slides, stops, is held, prints without support, and is in no way."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
import shapely
from click.testing import CliRunner
from hardware.held import Body, loose, overhangs, prints, through
from manifold3d import Manifold

from cribboard.cli.main import cli
from cribboard.hardware import drawer, light, model, printing
from cribboard.hardware.case import Case, _overlap
from cribboard.hardware.checks import mistakes
from cribboard.hardware.drawing import Circle
from cribboard.hardware.parts import order
from cribboard.hardware.shape import Layout
from hardware.boards import HARDWARE, READY, changed, ready

PLATE = "screw_mm = 3.2 # in the corners, behind the face\n"
BOARD = changed((PLATE, f"{PLATE}drawer = true\n"))
CASE = Case(Layout(BOARD))
DECK_MM = 92.0, 66.0, 19.5  # a box of cards of 63.5 x 88.9 mm


@pytest.fixture(scope="module")
def every() -> list[Body]:
    """The drawer, what holds it, and the back with its feet."""
    wanted = [*model.drawer_parts(CASE), *(part for part, _ in zip(model.parts(CASE), range(2), strict=False))]
    return [Body(name, each) for name, _, _, shapes in wanted for each in shapes]


def named(every: list[Body], name: str) -> list[Manifold]:
    return [body.shape for body in every if body.name == name]


def met(one: Manifold, every: list[Body]) -> set[str]:
    return {body.name for body in every if body.name != "drawer" and (one ^ body.shape).volume() > 0.1}


def test_all_of_it_is_held_and_nothing_is_in_its_way(every: list[Body]) -> None:
    assert {body.name for body in every} >= {"drawer", "drawer's rails", "drawer's screws", "drawer's nuts", "legs"}
    own = [body for body in every if body.name not in ("back", "feet")]
    assert loose([*own, *(body for body in every if body.name == "back")]) == []
    crossing = [
        model.Solid(name, 0, model.BLACK, Manifold.compose(named(every, name))) for name in {b.name for b in every}
    ]
    assert through(crossing) == []


def test_without_its_screws_or_rails_it_would_fall(every: list[Body]) -> None:
    bare = [body for body in every if body.name not in ("drawer's screws", "drawer's nuts", "feet")]
    assert {"drawer's rails: -z", "legs: -z"} <= {*loose(bare, 1)}
    assert "drawer: -z" in loose([body for body in every if "rails" not in body.name], 1)


def test_it_slides_freely_to_its_stop_and_holds_there(every: list[Body]) -> None:
    [box] = named(every, "drawer")
    for step in range(9):
        assert met(box.translate((0, -drawer.TRAVEL_MM * step / 8, 0)), every) == set()
    assert met(box.translate((0, -drawer.TRAVEL_MM - 0.8, 0)), every) == {"drawer's rails"}
    out = box.translate((0, -drawer.TRAVEL_MM, 0))
    for turn in ((8, 0, 0), (-8, 0, 0), (0, 8, 0), (0, 0, 8)):
        tilted = out.rotate(turn)
        low, there = tilted.bounding_box(), out.bounding_box()
        home = [(there[axis] + there[axis + 3] - low[axis] - low[axis + 3]) / 2 for axis in range(3)]
        assert met(tilted.translate(home), every), f"tips by {turn}"
    rest = out.bounding_box()[4]
    assert rest - drawer.RAIL_FROM_MM > 20, "so much of it stays in the rails"


def test_a_deck_goes_in_shut_and_is_lifted_out_when_it_is_open(every: list[Body]) -> None:
    [box] = named(every, "drawer")
    left, _, low, *_ = box.bounding_box()
    side = left + drawer.RAIL_OUT_MM + drawer.SIDE_MM
    at = side + 0.5, drawer.DIVIDER_MM - DECK_MM[1] - 0.2, low + drawer.FLOOR_MM + 0.1
    deck = Manifold.cube(DECK_MM).translate(at)
    assert (deck ^ box).volume() < 0.01 and met(deck, every) == set()
    for up in (0, 10, 40):
        assert met(deck.translate((0, -drawer.TRAVEL_MM, up)), every) == set()
    assert at[1] - drawer.FRONT_MM >= 8, "a finger goes in before it"


def test_it_stands_over_the_table_and_is_printed_without_support() -> None:
    files = {name: stl for name, stl in prints(CASE).items() if "drawer" in name}
    assert {*files} == {"case-drawer-print-1.stl", "case-drawer-rail-print-2.stl", "case-drawer-leg-print-4.stl"}
    assert not any(overhangs(each) for each in files.values())
    assert CASE.stands - drawer.TALL_MM >= 2
    page = (HARDWARE / "case.md").read_text("utf-8")
    assert f"It is {printing.drawer().bounding_box()[3] - printing.drawer().bounding_box()[0]:.0f} mm wide" in page
    assert not [name for name in prints(Case(Layout(ready()))) if "drawer" in name], "off by default"
    upside = printing.drawer().rotate((180, 0, 0))
    assert overhangs(printing.stl(upside.translate((0, 0, -upside.bounding_box()[2]))))


def test_its_screws_are_in_the_back_and_in_the_order(tmp_path: Path) -> None:
    of_file = tmp_path / "board.toml"
    text = (HARDWARE / "board.toml").read_text(encoding="utf-8")
    of_file.write_text(text.replace("# drawer = true", "drawer = true"), encoding="utf-8")
    [back] = [plate for plate in CASE.plates() if plate.name == "back"]
    circles = [(piece.layer, (piece.x, piece.y)) for piece in back.pieces if isinstance(piece, Circle)]
    assert all({("CUT_OUTS", at), ("TEXT", at)} <= {*circles} for at in CASE.drawer_screws)
    assert len(CASE.drawer_screws) == 8
    bought = [line for line in order(BOARD, []) if "for the light guides and the drawer" in line.what]
    assert [line.needed for line in bought] == [12 + 8]
    result = CliRunner().invoke(cli, ["hardware", "case", "--board", str(of_file), "--into", str(of_file.parent)])
    assert "12 of M3 x 16 at the light guides, 8 more of these at the drawer" in result.stdout
    low, wall = 3 + CASE.thick + 3, CASE.layout.size
    assert all(low < x < wall[0] - low and low < y < wall[1] - low for x, y in CASE.drawer_screws)


@pytest.mark.parametrize("of", READY)
def test_every_board_has_room_for_it_or_says_so(of: str) -> None:
    layout = Layout(replace(ready(of), shape=replace(ready(of).shape, drawer=True)))
    made = Case(layout)
    if of == "boards/travel.toml":
        [wrong] = [mistake for mistake in mistakes(layout) if mistake.wrong]
        assert wrong.where == "[shape] drawer = true" and "clear of legs, controller and jack" in wrong.said
        return
    assert not [mistake for mistake in mistakes(layout) if mistake.wrong]
    assert (
        made.drawer_box
        and not _overlap(made.drawer_box, made.board_box)
        and not any(_overlap(made.drawer_box, each) for each in made.fuse_boxes)
    )
    assert all(math.dist(foot, (x, y)) > 12 for foot in made.feet for x, y in made.drawer_screws[:4])
    over = [shapely.box(*each) for each in (*made.clips, *made.fuse_boxes, *made._fixed())]
    heads = [shapely.Point(at) for at in made.drawer_screws]
    assert len(heads) == 8 and not [at for at in heads for each in over if each.distance(at) < 4], (
        "a driver comes to it"
    )
    assert light.farthest_degrees(layout) > light.farthest_degrees(Layout(ready(of))), "it stands higher"


def test_no_leg_is_screwed_on_below_a_supplys_jack() -> None:
    buttons, supply = replace(BOARD.buttons, apart_mm=40), replace(BOARD.supply, kind="5v")
    made = Case(Layout(replace(BOARD, buttons=buttons, supply=supply)))
    assert not made.drawer_box
    assert [mistake.where for mistake in made.mistakes()] == ["[shape] drawer = true"]


def test_a_drawer_that_no_bed_takes_is_refused() -> None:
    small = changed((PLATE, f"{PLATE}drawer = true\n"), ("printer_mm = [220, 220]", "printer_mm = [140, 140]"))
    assert any("does not lie on the printer's bed" in mistake.said for mistake in Case(Layout(small)).mistakes())
