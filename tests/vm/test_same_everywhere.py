"""The shared code says the same on CPython and on MicroPython, the language that CircuitPython is made from."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from faults.seeds import SEEDS, hostile

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LIB = ROOT / "firmware" / "lib"
VECTORS = ROOT / "tests" / "core" / "vectors"
INSTALL = "npm ci --prefix tests/vm"
# A Pico W has 123,000 bytes free at start, the least of the boards that we name. Start and game must do with less,
# which the heap's total tells, since it grows when it does not suffice; a word is as wide there as here. The rest is
# room for hardware.py. With two tracks of 121 LEDs the firmware's share is 105 KB, garbage of its imports included.
HEAP = 123_000
HEAPS = {2: 119_000, 3: 125_000}  # by tracks; MicroPython keeps a fortieth for itself
MOST = {2: 105 * 1024, 3: 112 * 1024}  # without what the script has of its own
MOST_HELD = {2: 101_000, 3: 105_000}  # after a collection
MOST_HELD_BY_GAME = 90_000
# CircuitPython's usual stack for calls holds 10 to 34 real ones, and settings.toml asks for three times that. Below the
# deepest of these are code.py, main, run and, in a game, the app.
MOST_DEEP = 16
# The course of a script is run by whoever runs the script
RUN = "import runpy, sys\ndel sys.argv[0]\nfor _ in runpy.run_path(sys.argv[0]).get('course', ()): pass"
COPIES = (f"{LIB / 'cribboard_core'}=/lib/cribboard_core", f"{LIB / 'cribboard_fw'}=/lib/cribboard_fw")


def why_not() -> str | None:
    """Why MicroPython cannot run here, and what to do about it."""
    if shutil.which("node") is None:
        return "Node is not installed: it runs MicroPython (version 18 or newer, nodejs.org)"
    if not (HERE / "node_modules" / "@micropython").is_dir():
        return f"MicroPython is not installed: run `{INSTALL}`"
    return None


@pytest.fixture(scope="module", autouse=True)
def _micropython() -> None:
    reason = why_not()
    if reason and os.environ.get("CI"):
        pytest.fail(f"{reason} (CI runs these tests)")
    if reason:
        pytest.skip(reason)


@dataclass(frozen=True)
class Heap:
    """Bytes of MicroPython's heap, as run.mjs reads them."""

    start: int
    total: int
    own: int
    held: int


def on_micropython(script: Path, *arguments: str, heap: int = HEAP) -> tuple[list[str], Heap]:
    """The lines that a script prints, and what became of its heap; arguments with a = are files to copy."""
    command = ["node", str(HERE / "run.mjs"), str(heap), str(script), *COPIES, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout.splitlines(), Heap(**json.loads(done.stderr.splitlines()[-1]))


def on_cpython(script: Path, *arguments: str) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": str(LIB), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", RUN, str(script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def deepest(script: Path, *arguments: str) -> list[str]:
    """The longest chain of the firmware's calls in a script, the innermost first."""
    environment = {**os.environ, "PYTHONPATH": str(LIB), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, str(HERE / "depth.py"), str(script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1].split()[1:]


def assert_same(micropython: list[str], cpython: list[str]) -> None:
    for number, (one, other) in enumerate(zip(micropython, cpython, strict=False)):
        assert one == other, f"line {number + 1}"
    assert len(micropython) == len(cpython)


def test_the_vectors_are_answered_alike_and_rightly() -> None:
    script = HERE / "script_vectors.py"
    lines, _ = on_micropython(script, f"{VECTORS}=/vectors")
    assert_same(lines, on_cpython(script, str(VECTORS)))
    assert [line for line in lines if " WRONG " in line] == []
    assert len(lines) > sum(len(json.loads(path.read_text("utf-8"))) for path in VECTORS.glob("*.json"))


def test_a_match_over_the_wire_goes_the_same_frame_by_frame_and_byte_by_byte() -> None:
    script = HERE / "script_game.py"
    lines, heap = on_micropython(script)
    assert_same(lines, on_cpython(script))
    assert heap.held <= MOST_HELD_BY_GAME, f"the core, the keeper and the link hold {heap.held} bytes"
    said = "\n".join(lines)
    for answer in ("'ok'", "'no'", "'rev'", "'points'", "'count'", "'over'", "'restore'"):
        assert answer in said, f"the script never got {answer}"


@pytest.mark.parametrize("tracks", [2, 3])
def test_the_whole_firmware_but_its_hardware_plays_and_shows_the_same_in_the_heap_of_a_board(tracks: int) -> None:
    script = HERE / "script_app.py"
    lines, heap = on_micropython(script, str(tracks), heap=HEAPS[tracks])
    assert_same(lines, on_cpython(script, str(tracks)))
    assert lines[-1].startswith("rev ") and len([line for line in lines if line.startswith("strip ")]) > 500
    scales = [int(line.split()[1]) for line in lines if line.startswith("scale ")]
    assert min(scales) < max(scales) and min(scales) < 256, "nothing was dimmed"
    for answer in ("hello", "ok", "state", "pend"):
        assert any(f'["{answer}",' in line for line in lines), f"the host was never answered {answer}"
    assert heap.total == heap.start, "the firmware does not start and play in its share of the heap"
    assert heap.total - heap.own <= MOST[tracks]
    held = heap.held - heap.own
    assert held <= MOST_HELD[tracks], f"the firmware holds {held} bytes with {tracks} tracks"


def test_the_page_and_a_phone_are_served_alike_byte_by_byte(tmp_path: Path) -> None:
    script = HERE / "script_net.py"
    lines, _ = on_micropython(script, "/%d.http")
    assert_same(lines, on_cpython(script, str(tmp_path / "%d.http")))
    said = "\n".join(lines)
    for answer in (
        "200 Said",
        "404 Said",
        "101 Switching",
        '["count",2,29,16,12,0,0,1]',
        '["ok",5,2,2]',
        "key ",
        "elsewhere",
    ):
        assert answer in said, f"nobody was answered {answer}"
    assert lines[-1] == "True False False 3 [12, 0]"
    assert 5 < len(deepest(script, str(tmp_path / "%d.http"))) <= MOST_DEEP


def test_a_hostile_host_is_borne_on_the_small_stack_too(tmp_path: Path) -> None:
    chance = random.Random(1)
    corpus = list(SEEDS["link"])
    corpus += [hostile(hostile(data, chance), chance) for data in corpus * 20]
    lines = [line for data in corpus for line in data.split(b"\n") if line]
    (tmp_path / "corpus.txt").write_text("".join(f"{line.hex()}\n" for line in lines))
    chain = deepest(HERE / "script_hostile.py", str(tmp_path / "corpus.txt"))
    assert 5 < len(chain) <= MOST_DEEP, chain
    said, _ = on_micropython(HERE / "script_hostile.py", f"{tmp_path / 'corpus.txt'}=/corpus.txt")
    assert said == [f"bore {len(lines)}"]


@pytest.mark.parametrize("words", [["script_app.py", "2"], ["script_app.py", "3"], ["script_game.py"]], ids=" ".join)
def test_the_calls_of_a_game_fit_the_boards_stack(words: list[str]) -> None:
    chain = deepest(HERE / words[0], *words[1:])
    assert 10 < len(chain) <= MOST_DEEP, chain
