"""The electric commands as somebody types them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hardware.changed import DEFAULT
from rigs.printed import printed

from cribboard.cli.main import cli
from cribboard.drive import drive_files
from cribboard.hardware import controllers
from hardware.boards import HARDWARE


def typed(*words: str, exit_code: int = 0) -> Result:
    result = CliRunner().invoke(cli, ["hardware", *words], prog_name="cribboard", catch_exceptions=False)
    assert result.exit_code == exit_code, result.output
    return result


def described(folder: Path, *changes: tuple[str, str]) -> str:
    text = DEFAULT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_good_board_passes_with_what_is_worth_knowing():
    said = typed("check").stdout
    assert said.endswith("Three streets: nothing is wrong.\n")
    assert all(not line.startswith("wrong") for line in said.splitlines())


def test_a_bad_board_fails_and_says_what_to_do(tmp_path):
    bad = described(tmp_path, ("wire_mm2 = 0.5", "wire_mm2 = 0.15"), ("data_ohm = 330", "data_ohm = 0"))
    lines = typed("check", "--board", bad, exit_code=1).stdout.splitlines()
    assert lines[0].startswith("wrong: [interface] data_ohm = 0: ")
    assert lines[1] == "  use 100 to 1000 Ω in each data line; 330 is usual"
    assert lines[2].startswith("wrong: [supply] wire_mm2 = 0.15: too thin for 5 V wires")
    assert lines[-1] == "Three streets: wrong in 2 places."


def test_a_board_that_cannot_be_cut_fails_too(tmp_path):
    flat = described(tmp_path, ("hole_mm = 4", "hole_mm = 6"))
    lines = typed("check", "--board", flat, exit_code=1).stdout.splitlines()
    holes = [line for line in lines if line.startswith("wrong: [shape] holes: between ")]
    assert holes and holes[0].endswith("mm are left, and 1.5 are needed")
    assert (
        "wrong: [shape] hole_mm = 6: the cells of the light guide are 6.6 mm wide, and the next one is 6.9 mm away"
        in lines
    )
    assert lines[-1] == "Three streets: wrong in 2 places."


def test_a_controller_with_a_very_long_name_is_told_in_few_words():
    said = typed("check", "--controller", "x" * 5000, exit_code=1).stderr
    assert "CircuitPython has no board of this name" in said and len(said) < 300


def test_another_controller_is_tried_with_pins_that_would_do():
    said = typed("check", "--controller", "adafruit_qtpy_rp2040", exit_code=1).stdout
    assert '  [tracks] pins = ["A0", "A1"]\n' in said
    assert "wrong: [supply] fuse_a = 1: the 5V pin of the adafruit_qtpy_rp2040 is assumed to carry 0.5 A" in said
    assert said.endswith("wrong in 2 places.\n")
    assert "do you mean raspberry_pi_pico" in typed("check", "--controller", "pico", exit_code=1).stderr


def test_the_settings_of_a_drive_are_checked_in_place_of_the_described(tmp_path):
    mine = tmp_path / "settings.toml"
    text = drive_files().settings.read_text(encoding="utf-8")
    mine.write_text(text.replace('"GP2 GP3"', '"GP2 LED"'), encoding="utf-8")
    said = typed("check", "--settings", str(mine), exit_code=1).stdout
    assert "wrong: [tracks] pins: LED: it is the board's own LED" in said


def test_findings_as_json(tmp_path):
    bad = described(tmp_path, ("data_ohm = 330", "data_ohm = 0"))
    findings = [printed(line) for line in typed("check", "--board", bad, "--json", exit_code=1).stdout.splitlines()]
    assert [entry["wrong"] for entry in findings][:2] == [True, False]
    assert set(findings[0]) == {"wrong", "where", "said", "advice"}


def test_the_power_sheet_says_currents_ports_limit_fuse_and_wire():
    said = typed("power").stdout
    for figure in (
        "All lights dark",
        "292",
        "14812",
        "USB 2.0; USB 3",
        "limit_ma = 450",
        "1 of 1 A",
        "carries 3 A",
        "VBUS pin 1 A",
        "A phone gives 500 mA or less: limit_ma = 392, as `cribboard setup --phone` sets it.",
    ):
        assert figure in said, figure
    entry = printed(typed("power", "--json").stdout)
    assert entry["best_limit_ma"] == 450 and entry["worst_ma"] == 450
    assert entry["ports"]["USB 2.0"] is True and entry["ports"]["USB 2.0 behind a hub without a supply"] is False


def test_a_sheet_of_a_weak_source_and_of_a_dim_win(tmp_path):
    weak = described(tmp_path, ("current_a = 0.5", "current_a = 0.3"), ("limit_ma = 450", "limit_ma = 400"))
    said = typed("power", "--board", weak).stdout
    assert "too weak: the firmware needs a limit of 392 mA" in said
    assert "A win is shown dimmer" in said
    own = described(tmp_path, ('kind = "usb"', 'kind = "5v"'), ("current_a = 0.5", "current_a = 4"))
    said = typed("power", "--board", str(HARDWARE / "boards" / "oval.toml")).stdout
    assert "Fuses: 2 of 2 A. Up to 1500 mA flow through each" in said
    assert "Before them 1 mm² carries 10 A; in a fault up to 8 A flow." in said
    assert "Controller and shifter: a fuse of 0.5 A of their own." in said
    assert "a supply of its own, 4 A" in typed("power", "--board", own).stdout
    assert "Ports" not in typed("power", "--board", own).stdout
    three = typed("power", "--board", str(HARDWARE / "boards" / "three-tracks.toml")).stdout
    assert "A phone gives 500 mA or less: too little for this board." in three


def test_the_sheet_of_a_board_that_must_not_be_built_names_no_limit_that_is_not_safe(tmp_path):
    strong = described(tmp_path, ("current_a = 0.5", "current_a = 20"), ("limit_ma = 450", "limit_ma = 11000"))
    said = typed("power", "--board", strong).stdout
    assert "Ports that carry 11000 mA: none." in said
    assert "limit_ma = 800." in said and "no fuse here carries that" in said
    assert (
        "-"
        not in typed("power", "--board", described(tmp_path, ("limit_ma = 450", "limit_ma = 0"))).stdout.split("Wire")[
            1
        ]
    )


def test_parts_come_as_markdown_csv_and_json():
    assert typed("parts").stdout.startswith("# Parts of “Three streets”\n")
    assert typed("parts", "--csv").stdout.startswith("part,quantity,unit,use,instead,low,high\n")
    entry = printed(typed("parts", "--json").stdout.splitlines()[0])
    assert entry["quantity"] == 1.8 and entry["unit"] == "m"


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz: apt install graphviz")
def test_the_wiring_goes_into_a_folder(tmp_path):
    said = typed("wiring", "--into", str(tmp_path / "w")).stdout.split()
    assert Path(said[0]).name == "wiring-power.svg"
    assert all(Path(name).is_file() for name in said)


def test_without_graphviz_it_is_said_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    error = typed("wiring", "--into", str(tmp_path), exit_code=1).stderr
    assert "Graphviz, which WireViz draws with, is not installed" in error and "apt install graphviz" in error


@pytest.mark.parametrize("command", ["wiring", "parts", "settings"])
def test_a_pin_that_is_not_there_is_neither_drawn_nor_bought_nor_set(command, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # where it would be drawn
    path = described(tmp_path, ('deal = "GP13"', 'deal = "GP77"'))
    result = typed(command, "--board", path, exit_code=1)
    assert result.stdout == ""
    error, pins = result.stderr.splitlines()[:2]
    assert error == "Error: Three streets cannot be made"
    assert pins.startswith("  pins: the Raspberry Pi Pico has no GP77; use the names on its drawing")


@pytest.mark.parametrize("command", ["wiring", "parts"])
def test_what_would_burn_is_not_drawn(command, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # where it would be drawn
    result = typed(command, "--board", described(tmp_path, ("fuse_a = 1.0", "fuse_a = 10")), exit_code=1)
    assert result.stdout == "" and "[supply] wire_mm2 = 0.5: the wire carries 3 A" in result.stderr


def test_settings_need_no_definitions(monkeypatch, tmp_path):
    monkeypatch.setattr(controllers, "definitions", Path(tmp_path).joinpath)
    assert "STRIP_PINS" in typed("settings").stdout
