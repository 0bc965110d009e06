"""The order has every part in whole packages, with a number and another choice, and the forms that shops take."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from dataclasses import replace
from itertools import product

import pytest
from click.testing import CliRunner

from cribboard.cli.main import cli
from cribboard.hardware import parts as module
from cribboard.hardware.circuit import circuit
from cribboard.hardware.controllers import FITTING, load
from cribboard.hardware.description import Description
from cribboard.hardware.electricity import rewired
from cribboard.hardware.parts import (
    ALPHA_BY_AWG,
    FORMS,
    SHEETS_MM,
    Bought,
    Item,
    order,
    order_cost,
    order_csv,
    order_form,
    order_markdown,
    parts,
)
from cribboard.hardware.ratings import area_mm2
from cribboard.hardware.shape import Layout
from cribboard.hardware.wire_lengths import lengths
from hardware.boards import HARDWARE, READY, changed, ready


def lines(board: Description) -> list[Bought]:
    return order(board, parts(board, circuit(board, load(board.controller)), lengths(board)))


def line(bought: list[Bought], what: str) -> Bought:
    [one] = [each for each in bought if each.what.startswith(what)]
    return one


@pytest.mark.parametrize("of", READY)
def test_every_line_is_enough_and_has_a_product_of_ours(of: str) -> None:
    for each in lines(ready(of)):
        assert each.packages >= 1 and isinstance(each.packages, int)
        assert each.packages * each.product.package >= each.needed - 1e-6
        assert (each.packages - 1) * each.product.package < each.needed
        assert 0 < each.product.low <= each.product.high
        assert str(each.product.first) != str(each.product.other)
        assert "{" not in f"{each.product.first}{each.product.other}"
        assert each.what not in each.product.first.number, f"{each.what} is in no table"
        if each.what.startswith("screw M") and "countersunk" in each.what:
            assert each.product.first.number.startswith("ISO 7046, "), "the heads that the countersinks are made for"


@pytest.mark.parametrize("of", READY)
def test_every_part_of_the_parts_list_is_in_the_order(of: str) -> None:
    board = ready(of)
    bought = lines(board)
    for item in parts(board, circuit(board, load(board.controller)), lengths(board)):
        name = item.part.removesuffix(", with its holder")
        assert [each for each in bought if name in each.what], name


def test_packages_are_what_is_sold() -> None:
    bought = lines(ready())
    strip = line(bought, "WS2812B")
    assert (strip.needed, strip.packages, strip.product.package) == (1.8, 2, 1)
    assert line(lines(ready("boards/large.toml")), "WS2812B").packages == 1  # one reel of 5 m
    assert line(bought, "resistor 330").packages == 1  # ten of them
    assert line(bought, "lever connector for 5 wires, for the terminal for 7").packages == 2
    assert line(lines(ready("boards/oval.toml")), "addressable").packages == math.ceil(247 / 5)
    assert not [each for each in bought if "jack" in each.what]
    own = lines(ready("boards/oval.toml"))
    assert line(own, "jack").needed == line(own, "mains lead").needed == line(own, "enclosed supply").needed == 1


def test_screws_feet_paper_face_and_pins_are_those_of_the_case_and_the_face() -> None:
    bought = lines(ready())
    assert line(bought, "screw M3 x 40, countersunk, with nut and washer").needed == 4
    assert line(bought, "screw M3 x 16, countersunk").needed == 12  # two for each of six pieces
    assert line(bought, "foot, self-adhesive, 5 mm high").needed == 4
    assert line(bought, "tracing paper, A3").needed == 1
    assert line(bought, "sheet for the face, 334 x 224 mm").product.first.number == "1.5 mm birch plywood"
    assert line(bought, "pin or nail").needed == 2 * 3 * 7 + 2 * (1 + 2 + 3) + 1 + 2
    assert not [each for each in lines(ready("boards/travel.toml")) if "pin or nail" in each.what]
    film = line(bought, "double-sided film, 6 mm wide")  # around the face
    assert film.needed == 1.2 and film.packages == 1
    assert not [each for each in bought if "foam" in each.what or "spray glue" in each.what]
    assert line(bought, "epoxy glue").step == 7, "for the heads of the screws below the face"
    assert line(bought, "screw M3 x 16").step == 4, "their heads are tried in the countersinks"
    assert line(bought, "pin or nail").step == 7, "two of them line the face up"
    corners = line(bought, "screw M3 x 40")
    page = " ".join((HARDWARE / "case.md").read_text("utf-8").split())
    assert corners.packages * corners.product.package == 10 and page.count("long screws left over") == 1
    assert "one of the long screws left over (they come in tens) through their holes" in page
    assert "after the comb" in line(bought, "screw M3 x 40").what and "screw M3 x 40" not in "".join(
        order_form(bought, distributor) for distributor in FORMS
    )
    assert line(bought, "pin or nail").what == "pin or nail 1.5 mm, at most 7 mm below its head, for the dots"
    assert "at most 6 mm below" in line(lines(ready("boards/three-tracks.toml")), "pin or nail").what
    assert line(bought, "cable tie 2.5 x 150 mm").needed == 1 + 2
    assert line(lines(ready("boards/twenty-nine.toml")), "cable tie").needed == 3 + 2
    assert line(lines(ready("boards/three-tracks.toml")), "USB data cable").product.first.number.startswith(
        "Micro-USB to USB-C"
    )
    assert line(lines(ready("boards/three-tracks.toml")), "spray glue, for the veneer").needed == 1


@pytest.mark.parametrize("of", READY)
def test_the_paper_and_the_face_are_of_one_sheet_as_large_as_the_board(of: str) -> None:
    wide, high = Layout(ready(of)).size
    names = [each.what for each in lines(ready(of))]
    paper = [name.removeprefix("tracing paper, ") for name in names if name.startswith("tracing paper")]
    assert len(paper) == bool(ready(of).shape.strip_mm and ready(of).shape.face_mm), "a printed page is its own"
    assert all(max(SHEETS_MM[name]) >= wide and min(SHEETS_MM[name]) >= high for name in paper)
    shape, size = ready(of).shape, f"{wide:.0f} x {high:.0f} mm"
    outer = "print of face-print.pdf" if not shape.face_mm else "veneer" if shape.face_mm < 1 else "sheet for the face"
    assert f"{outer}, {size}" in names
    assert (f"polycarbonate, {size}" in names) is bool(shape.cover_mm)


def test_a_button_fits_its_cut_out() -> None:
    assert line(lines(ready()), "push-button").product.first.number == "1445"
    assert "12 mm" in line(lines(ready("boards/travel.toml")), "push-button").product.first.number


def test_a_lever_connector_gives_two_places_to_each_neighbour_in_a_chain() -> None:
    assert [module.levers(ways) for ways in (2, 5, 6, 8, 9, 11, 12)] == [1, 1, 2, 2, 3, 3, 4]


@pytest.mark.parametrize("distributor", FORMS)
def test_a_form_has_the_shops_columns_and_one_line_for_each_number(distributor: str) -> None:
    bought = lines(ready("boards/oval.toml"))
    rows = list(csv.reader(io.StringIO(order_form(bought, distributor))))
    assert tuple(rows[0]) == FORMS[distributor]
    numbers = [row[0] for row in rows[1:]]
    assert len(set(numbers)) == len(numbers) > 10
    assert all(number and " " not in number and int(row[2]) > 0 for number, row in zip(numbers, rows[1:], strict=True))
    counted = dict(zip(numbers, (int(row[2]) for row in rows[1:]), strict=True))
    assert counted["C315C104M5U5TA"] == 243  # a shop sells them one by one
    assert counted["1938"] == 50  # and these by five
    assert counted["221-415"] == 3 + 1 + 3


@pytest.mark.parametrize("of", READY)
@pytest.mark.parametrize("distributor", FORMS)
def test_no_line_of_a_form_is_one_that_a_shop_cannot_read(distributor: str, of: str) -> None:
    rows = list(csv.reader(io.StringIO(order_form(lines(ready(of)), distributor))))[1:]
    assert rows and not [row for row in rows if row[1].startswith("any") or not re.search(r"\d", row[0])]


@pytest.mark.parametrize("name", FITTING)
def test_sockets_and_cable_are_the_controllers_or_to_be_measured(name: str) -> None:
    board = rewired(replace(ready(), buttons=replace(ready().buttons, players=(), far_edge=())), load(name))
    assert board
    bought = lines(board)
    pico = name.startswith("raspberry_pi_pico")
    sockets = [each for each in bought if "socket" in each.what and "strip" in each.what]
    assert all(("for the Pico" in each.what) is pico for each in sockets) and sockets
    assert pico or "not known: measure" in sockets[0].product.first.number
    cable = line(bought, "USB data cable").product.first
    assert cable.number == "592" if pico else cable.number.startswith("USB-C")


def test_list_and_csv_say_the_same_and_what_it_costs_and_when() -> None:
    bought = lines(ready())
    rows = list(csv.DictReader(io.StringIO(order_csv(bought))))
    assert [row["what"] for row in rows] == [each.what for each in bought]
    text = order_markdown(ready(), bought)
    guide = " ".join((HARDWARE / "README.md").read_text("utf-8").split())
    assert all("without delivery, wood glue, paint and tools" in each for each in (text, guide))
    low, high = order_cost(bought)
    assert f"One board costs about {low} to {high} euro or dollars ({module.PRICED})" in text
    wire = sum(each.needed for each in bought if each.what.startswith("stranded wire"))
    assert 9 < wire < 13 and f"Of wire you need {wire:.1f} m in all" in text
    assert 50 < low < high < 400
    assert {row["priced"] for row in rows} == {module.PRICED}


USED = {  # by what a line of the order begins with: words of the step of the guide that first uses it, and its noun
    "WS2812B strip": ("Cut the strip of track 1", r"the strip\b"),
    "addressable 5 mm LED": ("[Single pixels]", "pixels?"),
    "Raspberry Pi Pico": ("Solder the pin strips to the Pico", "Pico"),
    "pin strip": ("Solder the pin strips to the Pico", "pin strips?"),
    "socket strip": ("the sockets for Pico and shifter", "sockets?"),
    "DIP socket": ("the sockets for Pico and shifter", "sockets?"),
    "perfboard": ("Drill the perfboard's four 3 mm holes", "perfboard"),
    "74AHCT125": ("Pico and shifter go in at the end", "shifter"),
    "ceramic capacitor 100 nF": ("100 nF capacitor", "capacitors?"),
    "resistor 330": ("R1", "resistors?"),
    "electrolytic capacitor": ("and its capacitor across 5V and GND", "capacitors?"),
    "USB data cable": ("Pull the USB cable", "cable"),
    "enclosed supply": ("A board with its own supply", "supply"),
    "mains lead": ("With its mains lead in", "mains"),
    "jack": ("plug it into the jack", "jack"),
    "fuse": ("then fuse and 5 V", "fuses?"),
    "holder for a fuse": ("then fuse and 5 V", "holders?"),
    "Schottky diode": ("diode", "diode"),
    "lever connector": ("join its connectors", "connectors?"),
    "push-button": ("wire what is not yet ticked off", "buttons?"),
    "passive piezo": ("a passive piezo", "piezo"),
    "stranded wire": ("Make all wires of `wires.csv`", "wires?"),
    "screw M2.5": ("with the M2.5 screws", r"M2\.5"),
    "heat-shrink": ("heat-shrink tube is for", "heat-shrink"),
    "foot": ("Stick the feet", "feet"),
    "screw M3 x 16, countersunk": ("until a screw's head lies flush", "screws?"),
    "screw M3 x 4": ("Put the four long screws through the light sheet", "long screws?"),
    "cable tie": ("Tie the USB plug to the wall", "tie"),
    "jumper wire": ("start it with the two wires", "wires?"),
    "sheet for the face": ("`face`, `paper` and `light-sheet`", "face"),
    "veneer": ("`face`, `paper` and `light-sheet`", "veneer"),
    "spray glue": ("spray the paper thinly with glue", "spray"),
    "epoxy glue": ("a drop of epoxy below each head", "epoxy"),
    "double-sided film": ("Lay the double-sided film around the edge", "double-sided film"),
    "sheet of 6 mm": ("are for laser and mill", "sheets?"),
    "spool of filament": ("Print in black or grey", "PLA|PETG"),
    "tracing paper": ("cut the paper by hand", "paper"),
    "pin or nail": ("two nails in far dots", "nails?|brass pins?"),
}
EARLIER = {  # by step: nouns that it has without a need of the part, and for what
    1: {"buttons": "the keys of the screen", "fuses": "checked", "face": "drawn", "wires": "checked"},
    2: {"buttons": "counted by the bring-up", "wire": "a jumper wire", "wires": "jumper wires"},
    3: {"buttons": "the diagrams' letters"},
}


def test_every_part_that_is_ordered_is_used_in_a_step() -> None:
    pages = [(HARDWARE / page).read_text("utf-8") for page in ("README.md", "case.md")]
    sections = {int(step[0]): step for step in pages[0].partition("## The order of work")[2].split("\n### ")[1:]}
    sections[9], _, supply = sections[9].partition("\n## With a supply of its own")
    stuck, together = (pages[1].partition(f"## {name}")[2] for name in ("Stick the face on", "A drawer"))
    for step, elsewhere in ((3, supply.partition("\n## ")[0]), (7, stuck.partition("## ")[0]), (9, together)):
        sections[step] += elsewhere
    sections = {step: " ".join(text.split()) for step, text in sections.items()}
    ordered = [
        each.what
        for of in ("board.toml", "boards/three-tracks.toml", "boards/twenty-nine.toml")
        for each in lines(ready(of))
    ]
    for what in ordered:
        at = Bought(what, 1, "", 1, module.PRODUCTS["passive piezo"]).step
        uses = [USED[start] for start in USED if what.startswith(start)]
        assert uses and all(words in sections[at] for words, _ in uses), f"{what}: {at}"
        for (_, noun), step in product(uses, range(1, at)):
            early = {*re.findall(rf"\b(?:{noun})\b", sections[step], re.IGNORECASE)}
            assert early <= {*EARLIER.get(step, {})}, f"{what}: {at}, and step {step} has {early}"
    assert not [start for start in USED if not any(what.startswith(start) for what in ordered)]


def test_a_part_that_no_table_has_is_bought_by_its_name() -> None:
    bought = lines(changed(("capacitor_uf = 100", "capacitor_uf = 470"), ('"GP2", "GP3"', '"GP2", "GP3"')))
    assert line(bought, "electrolytic").product.first.number == "470 µF, 10 V, 105 °C"


def test_the_command_prints_each_kind() -> None:
    def typed(*words: str) -> str:
        result = CliRunner().invoke(cli, ["hardware", "order", *words], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    assert typed().startswith("# Order for “Three streets”\n")
    assert typed("--csv").startswith("what,step,needed,unit,packages,package,")
    assert typed("--form", "mouser").startswith("Mfr. Part Number,Manufacturer,Quantity,")
    assert json.loads(typed("--json").splitlines()[0])["packages"] == 2


def test_a_number_that_nobody_has_found_is_marked_for_people_and_not_in_a_shops_form() -> None:
    bought = lines(ready("boards/oval.toml"))
    doubtful = [line for line in bought if "(check before you order)" in f"{line.product.first}{line.product.other}"]
    assert "Bussmann GMA-500-R (check before you order)" in {str(line.product.other) for line in doubtful}
    assert "WAGO 222-415" in {str(line.product.other) for line in bought}
    assert not any("check" in order_form(bought, distributor) for distributor in FORMS)


@pytest.mark.parametrize("screw_mm", ["0", "1"])
def test_a_board_without_screws_is_ordered_without_the_long_ones(screw_mm: str) -> None:
    bare = lines(changed(("screw_mm = 3.2", f"screw_mm = {screw_mm}"), of="board.toml"))
    assert not [each.what for each in bare if "for the corners" in each.what]
    assert line(lines(ready()), "screw M3 x 40").needed == 4


@pytest.mark.parametrize("mm2", [0.25, 0.5, 0.6, 0.75, 1.0, 1.5, 2.5])
def test_no_wire_is_ordered_thinner_than_the_board_needs(mm2: float) -> None:
    [line] = order(ready(), [Item(f"stranded wire {mm2:g} mm², red", 1.0, "m", "5 V", "", 1, 2)])[:1]
    gauge = re.search(r"AWG (\d+)", str(line.product.first))
    assert gauge and area_mm2(int(gauge[1])) >= 0.98 * mm2
    number = re.search(r"Alpha Wire (\d+)", str(line.product.other))
    assert not number or ALPHA_BY_AWG[int(gauge[1])] == int(number[1])
