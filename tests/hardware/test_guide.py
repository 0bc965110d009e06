"""The build guide shows what the commands make, and no command in it fails."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from readme_commands import commands, use_commands

from cribboard.cli.main import cli
from cribboard.doctor.bring_up import hole
from cribboard.hardware import feed, ratings
from cribboard.hardware.controllers import (
    ERASES_A_GAME,
    FITTING,
    IN_ENDPOINTS,
    PORTS,
    load,
)
from cribboard.hardware.feed import UNKNOWN_USB, usb
from cribboard.hardware.shape import Layout
from cribboard_fw.power import CONTROLLER_MA
from hardware.boards import ready

HARDWARE = Path(__file__).parents[2] / "hardware"
GUIDE = (HARDWARE / "README.md").read_text(encoding="utf-8")
WORDS = " ".join(GUIDE.split())
PICTURES = HARDWARE / "pictures"


def made(*words: str) -> str:
    result = CliRunner().invoke(cli, ["hardware", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def guided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which every command of the guide was typed."""
    folder = tmp_path_factory.mktemp("guide")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CRIBBOARD_HOME", str(folder / "home"))
        patch.chdir(folder)
        for command in use_commands(GUIDE):
            if " wiring " in command and shutil.which("dot") is None:
                continue
            words, _, file = command.partition(" > ")
            _, *arguments = shlex.split(words)
            done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
            assert done.exit_code == 0, f"{command}: {done.output}"
            if file:
                Path(file).write_text(done.stdout, encoding="utf-8")
    return folder


def between(name: str) -> str:
    match = re.search(rf"<!-- {name} -->\n(.*?)<!-- end -->", GUIDE, flags=re.DOTALL)
    assert match
    return match.group(1)


def texts(svg: Path) -> Counter[str | None]:
    return Counter(text.text for text in ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text"))


def test_the_parts_are_those_of_the_command():
    heading, rest = made("parts").split("\n", 1)
    assert heading.startswith("# ")
    assert between("parts").strip() == rest.strip()


def test_the_readme_has_the_price_of_the_command():
    price = re.search(r"One board costs (about \d+ to \d+ euro or dollars)", made("order"))
    readme = (HARDWARE.parent / "README.md").read_text(encoding="utf-8")
    assert price and f"; {price.group(1)}." in " ".join(readme.split())


def test_the_currents_are_those_of_the_command():
    drawn = [line.split()[-1] for line in made("power").splitlines() if re.search(r" \d+$", line)]
    _, in_a_game, at_a_win, limit, all_white = (int(figure) for figure in drawn)
    assert f"{in_a_game} mA in the middle of a game, {at_a_win} mA at the brightest moment" in WORDS
    assert f"its limit of {limit} mA" in WORDS and f"the strips could draw {all_white / 1000:.1f} A" in WORDS


def test_the_case_takes_as_long_to_print_as_its_page_says(tmp_path):
    page = (HARDWARE / "case.md").read_text(encoding="utf-8")
    said = [line for line in made("case", "--into", str(tmp_path)).splitlines() if not line.startswith(str(tmp_path))]
    assert "```\n" + "\n".join(said) + "\n```" in page
    for name in {path.name.split("-cut-")[0] for path in tmp_path.iterdir() if "-cut-" in path.name}:
        assert f"`{name}" in page, name
    assert {f"`{name}" for name in re.findall(r"`(case-[\w-]+\.stl)`", page)} == {
        f"`{path.name}" for path in tmp_path.glob("*.stl")
    }


def test_the_form_for_measurements_has_what_the_model_expects():
    assert "cribboard hardware form > measured.md" in commands((HARDWARE / "measured.md").read_text(encoding="utf-8"))
    rows = [line for line in made("form").splitlines() if line.endswith("| |")]
    assert (
        len(rows) > 25
        and "| all lights dark | meter in series with the fuse; add the controller's | 292 mA | |" in rows
    )
    oval = made("form", "--board", str(HARDWARE / "boards" / "oval.toml"))
    assert "loudness of a tick" in oval and "loudness" not in made("form")  # it has a piezo


def test_the_controllers_have_as_many_pins_as_it_says():
    for name in FITTING:
        controller = load(name)
        assert f"| {controller.title} | `{name}` | {len(controller.free())}" in GUIDE


def test_the_controllers_carry_what_it_says():
    for name in FITTING:
        (row,) = [line for line in GUIDE.splitlines() if f"| `{name}` |" in line]
        assert row.endswith(
            f" | {usb(name).socket}, {usb(name).socket_a:g} A | {usb(name).pin}, {usb(name).pin_a:g} A |"
        )
    assert f"QT Py wants a fuse of {UNKNOWN_USB.pin_a:g} A" in WORDS


def test_the_controllers_that_do_not_fit_have_the_reasons_that_are_given():
    rows = [line for line in GUIDE.split("These do **not** fit")[1].splitlines() if line.startswith("| with ")]
    ports = [PORTS[name] for name in ("espressif", "nordic", "atmel-samd")]
    assert len(rows) == len(PORTS) - 1  # all but the Pico's
    for row, port in zip(rows, ports, strict=True):
        assert f"| {port.in_endpoints} | is erased at every write" in row
        if port.in_endpoints >= IN_ENDPOINTS:
            assert f"survives {port.erases} of them | is worn out after {port.erases // ERASES_A_GAME} games |" in row
    assert f"the firmware needs {IN_ENDPOINTS} |" in GUIDE


def test_the_board_with_a_supply_of_its_own_is_the_oval():
    supply, rules = ready("boards/oval.toml").supply, WORDS.split("## With a supply of its own")[1]
    assert f"`limit_ma = {supply.limit_ma}`, a fuse of {supply.fuse_a:g} A for each strip" in rules
    assert f"{supply.wire_mm2:g} mm² behind them and {supply.main_wire_mm2:g} mm² before them" in rules
    assert (
        f"`CURRENT_LIMIT_MA = {supply.limit_ma}`, `SUPPLY_MA = {supply.current_ma}`, `FUSE_MA = {supply.fuse_ma}`"
        in rules
    )
    assert f"copper is assumed to carry {feed.STRIP_A:g} A" in rules and f"{ratings.PIEZO_OHM} Ω between" in WORDS
    assert f"a fuse of {ratings.CONTROLLER_FUSE_A:g} A of their own" in rules
    assert f"(the check allows {ratings.SUPPLY_MOST_A:g})" in WORDS


def test_the_streets_are_cut_as_it_says():
    *pieces, last = [len(street) for street in Layout(ready()).streets]
    assert (
        f"into streets of {', '.join(map(str, pieces))} and {last + 1} pixels" in WORDS
    )  # the last with the game hole


def test_every_picture_and_page_that_it_shows_is_there():
    targets = re.findall(r"\]\(([^)#:]+)[^)]*\)", GUIDE)
    assert len(targets) > 8
    assert [target for target in targets if not (HARDWARE / target).exists()] == []


def test_the_pictures_of_the_steps_are_the_commands(guided):
    for path in (guided / "pictures").iterdir():
        assert path.read_bytes() == (PICTURES / path.name).read_bytes(), (
            "make it again with cribboard hardware pictures"
        )
        assert f"(pictures/{path.name})" in GUIDE


def test_the_drawing_is_the_commands(guided):
    drawn = guided / "drawings" / "board-picture.svg"
    again = "make it again with cribboard hardware draw, and keep the SVG"
    assert drawn.read_bytes() == (PICTURES / "board-picture.svg").read_bytes(), again


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz: apt install graphviz")
def test_the_wiring_has_all_that_the_commands_has_whatever_graphviz_drew_it(guided):
    again = "make it again with cribboard hardware wiring, and keep the SVG"
    for name in ("wiring-power.svg", "wiring-data.svg", "wiring-buttons.svg"):
        assert texts(guided / "wiring" / name) == texts(PICTURES / name), again
        assert f"(pictures/{name})" in GUIDE


def test_every_command_of_the_guide_works(guided):
    assert commands(GUIDE) == use_commands(GUIDE)
    assert {"parts.csv", "wiring", "drawings"} <= {path.name for path in guided.iterdir()}


def test_what_the_checks_peg_is_where_the_guide_looks_for_it(tmp_path, monkeypatch):
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))

    def typed(*words: str) -> str:
        result = CliRunner().invoke(cli, ["--port", "sim", *words], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    fronts = {}
    for step in GUIDE.split("\n### ")[1:]:
        for command in re.findall(r"`cribboard ((?:new|peg|hand)\b[^`]*)`", step):
            typed(*command.split())
        fronts[step[0]] = json.loads(typed("state", "--json"))["sides"][0]["front"]
    assert (fronts["3"], fronts["8"]) == (5, 29)
    assert "lights the fifth pixel again" in WORDS and "pegs 29" in WORDS


def test_every_step_ends_with_its_check_and_its_bring_up():
    steps = GUIDE.split("## The order of work")[1].split("\n## ")[0].split("\n### ")[1:]
    assert len(steps) == 9
    for step in steps:
        assert "\n**Check" in step, step
        _does_bring_up(step.strip().rsplit("\n\n", 1)[1], step)
    for page, heading in (("carrier.md", "## Fit it"), ("case.md", "## Put it together")):
        section = (HARDWARE / page).read_text(encoding="utf-8").split(heading)[1]
        _does_bring_up(section[section.index("**Bring-up:**") :].split("\n\n")[0], page)


def _does_bring_up(text: str, where: str) -> None:
    """What to do, what one sees, and what to do if not: in this order."""
    assert re.fullmatch(r"\*\*Bring-up:\*\* .*\bsee\b.*\bIf not, .*", " ".join(text.split())), where
    for command in re.findall(r"`cribboard ([a-z]+)", text):
        assert command in cli.commands, command


def test_what_the_bring_ups_name_is_what_the_bring_up_says():
    board = ready()
    streets = [len(street) for street in Layout(board).streets]
    later = [hole(sum(streets[:n]), board.tracks.leds).split(" (")[0] for n in range(1, len(streets))]
    assert f"From {later[0]} or {later[1].split()[1]} on it is a wire between two streets" in WORDS
    pins = board.buttons.players[0][0], board.buttons.undo
    assert f"({pins[0]} and {pins[1]} on a Pico with the default board)" in WORDS
    keys = 3 * len([player for player in board.buttons.players if player]) + 2
    assert (
        f"`{board.tracks.count} tracks of {board.tracks.leds} lights, {keys} buttons, {board.supply.limit_ma} mA`"
        in WORDS
    )
    assert f"no more than {board.supply.limit_ma - CONTROLLER_MA} mA: the limit minus the controller's" in WORDS


def test_every_symptom_has_a_cause_and_a_cure():
    rows = GUIDE.split("## When something is wrong")[1].split("\n## ")[0]
    table = [line for line in rows.splitlines() if line.startswith("| ")]
    assert len(table) > 12
    assert all(len([cell for cell in line.split("|") if cell.strip()]) == 3 for line in table)
