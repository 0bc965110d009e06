"""`cribboard hardware`: the files of a board, the same bytes each time, and what is wrong in plain words."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rigs.printed import printed

from cribboard.cli.main import cli
from cribboard.hardware.description import load
from hardware.boards import HARDWARE, READY

ALL = ("draw", "template", "grid")
SEEDS = ("1", "4")  # a set of texts has another order with each
TYPE_ALL = """
import sys
from cribboard.cli.main import cli
from cribboard.hardware.description import load
board, folder, *commands = sys.argv[1:]
for command in commands:
    cli(["hardware", command, "--board", board, "--into", folder], standalone_mode=False)
"""


def typed(*words: str, exit_code: int = 0) -> Result:
    result = CliRunner().invoke(cli, ("hardware", *words), prog_name="cribboard", catch_exceptions=False)
    assert result.exit_code == exit_code, result.output
    return result


def sheet(*words: str, exit_code: int = 0) -> Result:
    result = CliRunner().invoke(cli, ("cheatsheet", *words), prog_name="cribboard", catch_exceptions=False)
    assert result.exit_code == exit_code, result.output
    return result


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.toml"
    text = (HARDWARE / "board.toml").read_text(encoding="utf-8")
    path.write_text(text.replace("[400, 400]", "[40, 30]").replace("hole_mm = 4", "hole_mm = 15"), encoding="utf-8")
    return path


@pytest.mark.unmeasured
def test_two_runs_give_the_same_bytes(tmp_path: Path) -> None:
    for seed in SEEDS:
        done = subprocess.run(
            [sys.executable, "-c", TYPE_ALL, HARDWARE / "boards/oval.toml", tmp_path / seed, *ALL],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    first, second = ({path.name: path.read_bytes() for path in (tmp_path / seed).iterdir()} for seed in SEEDS)
    assert {"face.dxf", "light-sheet.svg", "template-a4.pdf"} < {*first}
    assert sum(name.endswith(".stl") for name in first) == 5
    assert first == second


@pytest.mark.parametrize("of", READY)
def test_it_says_which_files_it_wrote_and_how_large_the_board_is(of: str, tmp_path: Path) -> None:
    said = typed("draw", "--board", str(HARDWARE / of), "--into", str(tmp_path / "new" / "folder")).stdout.splitlines()
    shape = load(HARDWARE / of).shape
    sheets = [*(["cover"] if shape.cover_mm else []), *(["face"] if shape.face_mm else [])]
    sheets += [*(["paper"] if shape.strip_mm else []), "light-sheet"]
    made = ["board-picture.svg", *([] if shape.face_mm else ["face-print.pdf"])]
    made += [f"{sheet}.{ending}" for sheet in sheets for ending in ("dxf", "svg")]
    assert said[:-1] == [str(tmp_path / "new" / "folder" / name) for name in made]
    assert said[-1].startswith("The board is ")
    assert all(Path(name).stat().st_size > 1000 for name in said[:-1])


def test_there_are_no_settings_for_a_controller_that_does_not_exist(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    text = (HARDWARE / "board.toml").read_text(encoding="utf-8")
    bad.write_text(text.replace('board = "raspberry_pi_pico"', 'board = "raspberry_pi_picoo"'), encoding="utf-8")
    done = CliRunner().invoke(cli, ["hardware", "settings", "--board", str(bad)])
    assert (done.exit_code, done.stdout) == (1, "")
    assert "no board of this name\n  do you mean raspberry_pi_pico" in done.stderr


def test_a_board_whose_light_is_not_seen_gets_no_files_and_no_settings(tmp_path: Path) -> None:
    dim = tmp_path / "dim.toml"
    text = (HARDWARE / "board.toml").read_text(encoding="utf-8")
    dim.write_text(text.replace("face_mm = 1.5", "face_mm = 3"), encoding="utf-8")
    for command in ("check", "settings", "draw", "grid", "case", "model", "pictures"):
        into = [] if command in ("check", "settings") else ["--into", str(tmp_path / "out")]
        result = CliRunner().invoke(cli, ["hardware", command, "--board", str(dim), *into])
        assert result.exit_code == 1 and "from a chair, at 45°, 14% of the light is seen" in result.output, command
    assert not (tmp_path / "out").exists()


def test_paper_may_be_letter(tmp_path: Path) -> None:
    said = typed("template", "--paper", "letter", "--into", str(tmp_path)).stdout
    assert said.endswith("2 pages wide, 2 pages high; the bar on each must measure 100 mm.\n")
    sheet("--sheet", "card", "--paper", "letter", "--into", str(tmp_path))
    assert {path.name for path in tmp_path.iterdir()} == {
        "template-letter.pdf",
        "template-light-sheet-letter.pdf",
        "card-letter.pdf",
    }


def test_the_quick_card_is_a_cheat_sheet_for_a_board_and_the_old_name_says_so(bad: Path, tmp_path: Path) -> None:
    error = typed("card", "--paper", "letter", "--into", str(tmp_path / "old"), exit_code=2).stderr
    assert error == "Error: the quick card is a cheat sheet now\n  type: cribboard cheatsheet --sheet card\n"
    into = str(tmp_path / "new")
    said = sheet("--sheet", "card", "--board", str(HARDWARE / "boards/oval.toml"), "--into", into).stdout
    assert said == f"{tmp_path / 'new' / 'card-a4.pdf'}\n"
    error = sheet("--sheet", "card", "--board", str(bad), "--into", str(tmp_path / "no"), exit_code=1).stderr
    assert error.startswith("Error: Three streets cannot be made")
    assert "--board goes with --sheet card" in sheet("--board", str(bad), exit_code=2).stderr
    for words in (("--large",), ("--paper", "pocket")):
        assert "the quick card has one size of print" in sheet("--sheet", "card", *words, exit_code=2).stderr
    assert not (tmp_path / "old").exists() and not (tmp_path / "no").exists()


def test_with_json_each_answer_is_an_object(tmp_path: Path) -> None:
    said = [printed(line) for line in typed("draw", "--into", str(tmp_path), "--json").stdout.splitlines()]
    assert said[0] == {"file": str(tmp_path / "board-picture.svg")}
    assert set(said[-1]) == {"width_mm", "height_mm"}
    assert "PLAYERS" in json.loads(typed("settings", "--json").stdout)["settings"]


@pytest.mark.parametrize("command", ALL)
def test_a_board_that_cannot_be_made_is_not_drawn(command: str, bad: Path, tmp_path: Path) -> None:
    result = typed(command, "--board", str(bad), "--into", str(tmp_path / "out"), exit_code=1)
    assert result.stdout == ""
    assert result.stderr.splitlines()[0] == "Error: Three streets cannot be made"
    assert "[shape] bed_mm = [40, 30]: the board is 334.1 mm" in result.stderr
    assert "and 1.5 are needed" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_board_that_is_not_there_is_said(tmp_path: Path) -> None:
    error = typed("draw", "--board", str(tmp_path / "no.toml"), exit_code=1).stderr
    assert error.startswith(f"Error: {tmp_path / 'no.toml'} cannot be read: No such file or directory\n  ready desc")


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    error = typed("draw", "--into", str(tmp_path / "file" / "below"), exit_code=1).stderr
    assert error.startswith(f"Error: {tmp_path / 'file' / 'below'}")
    assert "cannot be written (Not a directory)" in error
    assert "or name another folder" in error


@pytest.mark.parametrize(
    ("command", "library"),
    [("draw", "ezdxf"), ("draw", "shapely"), ("template", "fpdf"), ("grid", "manifold3d")],
)
def test_without_the_extra_it_says_what_to_install(command: str, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("cribboard.hardware")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    error = typed(command, exit_code=1).stderr
    assert f"{library}, which makes this file, is not installed" in error
    assert "in the project's folder: pip install -e '.[hardware]'" in error


def test_check_pictures_and_pages_do_without_the_extra() -> None:
    hidden = "import sys; sys.modules.update(dict.fromkeys(('ezdxf', 'fpdf', 'manifold3d', 'shapely', 'trimesh')))"
    modules = "cribboard.hardware.checks, cribboard.sim.picture, cribboard.web.api_tables"
    done = subprocess.run([sys.executable, "-c", f"{hidden}; import {modules}"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_settings_are_printed_and_keep_what_is_in_a_file(tmp_path: Path) -> None:
    shipped = (HARDWARE.parent / "firmware" / "settings.toml").read_text(encoding="utf-8")
    assert typed("settings").stdout == shipped
    mine = tmp_path / "settings.toml"
    mine.write_text("COMMIT_AFTER_S = 7\n", encoding="utf-8")
    made = typed("settings", "--board", str(HARDWARE / "boards" / "travel.toml"), str(mine)).stdout
    assert made.startswith("COMMIT_AFTER_S = 7\n")
    assert "LEDS_PER_TRACK = 61\n" in made
