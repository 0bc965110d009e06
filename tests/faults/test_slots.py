"""A text in two slots: what was kept is there after any cut, and a full disk takes the next one."""

from __future__ import annotations

import json
import random
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from rigs.disk import can_mount, limited, mounted

from cribboard import slots
from cribboard.errors import CribboardError
from cribboard.slots import HEAD_BYTES, Slots, newest

ROOM = 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept.json"


def test_the_newest_text_counts_and_the_file_never_grows(path: Path) -> None:
    kept = Slots(path, ROOM)
    assert kept.read() is None
    for number in range(1, 40):
        kept.write("x" * number * 100)
        assert Slots(path, ROOM).read() == newest(path.read_bytes()) == "x" * number * 100
        assert path.stat().st_size == 2 * ROOM
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_text_that_has_outgrown_its_slot_gets_a_larger_file(path: Path) -> None:
    kept = Slots(path, ROOM)
    kept.write("small")
    kept.write("é" * ROOM)
    assert kept.read() == Slots(path, ROOM).read() == "é" * ROOM
    size = path.stat().st_size
    kept.write("é" * (ROOM + 1000))
    assert path.stat().st_size == size
    assert not [*path.parent.glob("*.part")]


@pytest.mark.parametrize("seed", range(8))
def test_a_torn_write_leaves_the_text_before_or_the_new_one(path: Path, seed: int) -> None:
    """What a power cut leaves: any blocks of the write, any bytes of one, or its beginning."""
    chance = random.Random(seed)
    kept = Slots(path, 3 * ROOM)
    kept.write("the first")
    before = "the first"
    for number in range(130):
        old, text = path.read_bytes(), f"{number} " + "".join(chance.choices("abc{}", k=chance.randrange(9000)))
        kept.write(text)
        new = path.read_bytes()
        torn = bytearray(old)
        size = chance.choice([1, 7, 512, 4096])
        for at in range(0, len(new), size):
            if chance.random() < 0.6:
                torn[at : at + size] = new[at : at + size]
        path.write_bytes(torn)
        assert Slots(path, ROOM).read() in (before, text)
        end = next(at for at in reversed(range(len(new))) if new[at] != old[at])
        path.write_bytes(new[: chance.randrange(end + 1)] + old[end + 1 - len(old) :] if end + 1 < len(old) else old)
        if path.stat().st_size == len(old):
            assert Slots(path, ROOM).read() in (before, text)
        path.write_bytes(old)
        kept = Slots(path, ROOM)
        assert kept.read() == before
        kept.write(text)
        before = text


def test_a_damaged_file_is_no_text(path: Path) -> None:
    kept = Slots(path, ROOM)
    kept.write("one")
    kept.write("two")
    data = bytearray(path.read_bytes())
    data[ROOM + HEAD_BYTES] ^= 1
    path.write_bytes(data)
    assert kept.read() == "one"
    data[HEAD_BYTES] ^= 1
    path.write_bytes(data)
    assert kept.read() == ""
    kept.write("three")
    assert kept.read() == "three"


KILLED = """
import os, signal, sys
from pathlib import Path
from cribboard import slots

kept = slots.Slots(Path(sys.argv[1]), 65536)
kept.read()
left = int(sys.argv[2])
write = slots._write

def torn(file, at, data):
    global left
    left -= len(data)
    if left < 0:
        write(file, at, data[:left])
        os.kill(os.getpid(), signal.SIGKILL)
    write(file, at, data)

slots._write = torn
number = int(sys.argv[3])
while True:
    number += 1
    kept.write(f"{number} " + f"{number:05}" * (number * 199 % 4000))
    print(number, flush=True)
"""


def test_a_program_killed_in_the_middle_of_a_write_has_lost_nothing_that_it_had_kept(path: Path) -> None:
    chance, number = random.Random(1), 0
    Slots(path, 65536).write("0 ")
    for _ in range(12):
        command = [sys.executable, "-c", KILLED, str(path), str(chance.randrange(1, 90000)), str(number)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ended.returncode == -signal.SIGKILL, ended.stderr
        said = int((ended.stdout.split() or [number])[-1])
        assert Slots(path, 65536).read() == f"{said} " + f"{said:05}" * (said * 199 % 4000)
        number = said


@contextmanager
def _full(path: Path) -> Iterator[None]:
    """Nothing can be added to the disk any more."""
    with limited(path.stat().st_size):
        yield


def test_a_full_disk_takes_the_next_text_and_refuses_a_larger_file(path: Path) -> None:
    kept = Slots(path, ROOM)
    kept.write("before")
    with _full(path):
        for number in range(50):
            kept.write(f"{number}" * 100)
        with pytest.raises(CribboardError, match=r"kept\.json cannot be written .*; make room"):
            kept.write("x" * ROOM)
        assert Slots(path, ROOM).read() == "49" * 100
    kept.write("x" * ROOM)
    assert kept.read() == "x" * ROOM


@pytest.mark.skipif(not can_mount(), reason="only root may mount a disk; the limit above stands in for it")
def test_a_really_full_disk_takes_the_next_text_and_a_read_only_one_is_said(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk") as disk:
        kept = Slots(disk.folder / "kept.json", ROOM)
        kept.write("before")
        disk.fill()
        with pytest.raises(CribboardError, match="No space left"):
            Slots(disk.folder / "other.json", ROOM).write("new")
        for number in range(50):
            kept.write(f"{number}" * 100)
        assert Slots(kept.path, ROOM).read() == "49" * 100
        disk.read_only()
        kept.keep("later")
        assert "Read-only file system" in str(kept.unwritten)
        assert not kept.has_changed()
        disk.read_only(now=False)
        kept.keep_again()
        assert (kept.unwritten, Slots(kept.path, ROOM).read()) == (None, "later")


def test_what_no_disk_takes_is_kept_in_memory_until_it_does(path: Path) -> None:
    kept = Slots(path, ROOM)
    kept.keep("one")
    assert kept.unwritten is None
    with limited():
        kept.keep("two")
        kept.keep_again()
        assert kept.unwritten is not None
        assert kept.read() == "one"
    kept.keep_again()
    assert (kept.unwritten, kept.read()) == (None, "two")


def test_a_wiped_text_is_nowhere_in_the_file(path: Path) -> None:
    kept = Slots(path, ROOM)
    for text in ("Ann " * 300, "Ann", "Ann and Bob"):
        kept.write(text)
    kept.write("Bob", wipe=True)
    assert b"Ann" not in path.read_bytes()
    assert Slots(path, ROOM).read() == "Bob"


def test_a_text_without_slots_is_no_text_and_gives_way_to_the_next(path: Path) -> None:
    path.write_text(json.dumps({"phones": 3}))
    kept = Slots(path, ROOM)
    assert kept.read() == newest(path.read_bytes()) == ""
    kept.write("{}")
    assert path.stat().st_size == 2 * ROOM
    assert Slots(path, ROOM).read() == kept.read() == "{}"


def test_a_write_of_another_program_is_seen_also_one_that_was_torn_when_it_was_read(path: Path) -> None:
    one, other = Slots(path, ROOM), Slots(path, ROOM)
    one.write("one")
    assert other.read() == "one"
    assert not other.has_changed()
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        write = slots._write

        def slow(file: slots.BinaryIO, at: int, data: bytes) -> None:
            write(file, at, data[:-1])
            assert other.has_changed()
            assert other.read() == "one"
            write(file, at, data)

        patch.setattr(slots, "_write", slow)
        one.write("two")
    assert other.has_changed()
    assert other.read() == "two"
    assert not other.has_changed()
    other.write("three")
    one.write("four")
    assert Slots(path, ROOM).read() == "four"
