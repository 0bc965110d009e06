"""The pictures of the steps: their words lie on no line and on no others, and they show the board's own measures."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from shapely import LineString, box

from cribboard.hardware.guide import Picture, pictures
from cribboard.hardware.shape import Layout
from hardware.boards import READY, changed, ready


def crossed(picture: Picture) -> list[str]:
    """The texts that a line or another text crosses, or that leave the picture."""
    lines = [LineString(line) for line in picture.lines if line[0] != line[1]]
    found = []
    for number, (words, *corners) in enumerate(picture.texts):
        area = box(*corners)
        others = [box(*other) for _, *other in picture.texts[:number]]
        inside = box(0, 0, picture.width, picture.height).contains(area)
        if not inside or any(area.intersects(other) for other in [*lines, *others]):
            found.append(words)
    return found


@pytest.mark.parametrize("of", READY)
def test_no_words_lie_over_a_border_or_over_others(of: str) -> None:
    for name, picture in pictures(Layout(ready(of))).items():
        assert picture.texts, name
        assert crossed(picture) == [], name
        root = ElementTree.fromstring(picture.svg())
        assert len([each for each in root if each.tag.endswith("text")]) == len(picture.texts)


def test_words_that_lie_on_a_line_are_noticed() -> None:
    made = Picture(100, 100, "x")
    made.write(10, 10, "words", 5)
    assert crossed(made) == []
    made.line((0, 11), (50, 11))
    assert crossed(made) == ["words"]


def test_they_have_the_boards_own_measures() -> None:
    def texts(layout: Layout) -> list[str]:
        return [words for picture in pictures(layout).values() for words, *_ in picture.texts]

    assert "face, 6 mm" in texts(Layout(ready()))
    assert "face, 4.5 mm" in texts(Layout(changed(("thickness_mm = 6", "thickness_mm = 4.5"))))
    assert "street 3: 41 pixels, holes 81 to 121" in texts(Layout(ready()))
    assert "light guides with pixels" in texts(Layout(ready("boards/oval.toml")))
    assert "step-6-strips.svg" not in pictures(Layout(ready("boards/twenty-nine.toml")))


def test_wires_from_street_to_street_do_not_cross_where_the_way_runs_back() -> None:
    picture = pictures(Layout(ready()))["step-6-strips.svg"]
    levels = [
        LineString(line) for line in picture.lines if line[0][0] == line[1][0] and abs(line[0][1] - line[1][1]) > 20
    ]
    assert len(levels) == 2 * 3
    for wire in levels:
        assert not [other for other in levels if other is not wire and other.distance(wire) < 2]
