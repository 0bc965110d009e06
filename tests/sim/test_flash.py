"""The flash model does what an RP2's flash does, also when the power goes in the middle of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from cribboard.sim.flash import PAGE, SECTOR, Cut, Flash, PowerCut
from cribboard.sim.flash_file import FlashFile
from cribboard.sim.registry import SimError


def counts(flash: Flash) -> tuple[int, int]:
    return flash.erases, flash.programs


def filled() -> bytearray:
    return bytearray(i * 7 % 256 for i in range(SECTOR))


def test_a_new_flash_is_erased() -> None:
    assert bytes(Flash()[0:SECTOR]) == b"\xff" * SECTOR


def test_writing_onto_erased_bytes_programs_one_page_and_erases_nothing() -> None:
    flash = Flash()
    flash[10:14] = b"abcd"
    assert counts(flash) == (0, 1)
    assert flash[9:15] == b"\xffabcd\xff"


def test_writing_over_the_end_of_a_page_programs_two() -> None:
    flash = Flash()
    flash[PAGE - 1 : PAGE + 1] = b"ab"
    assert counts(flash) == (0, 2)


def test_writing_nothing_touches_nothing() -> None:
    flash = Flash()
    flash[5:5] = b""
    assert counts(flash) == (0, 0)


@pytest.mark.parametrize("again", [b"b", b"a", b"\xff", b"\x00"])
def test_writing_onto_anything_else_erases_the_sector_and_programs_all_pages(again: bytes) -> None:
    flash = Flash()
    flash[0:1] = b"a"
    flash[SECTOR - 1] = 7
    flash[0:1] = again
    assert counts(flash) == (1, 2 + SECTOR // PAGE)
    assert flash[0:1] == again
    assert flash[SECTOR - 1] == 7


def test_what_was_done_is_told_page_by_page_after_the_erase() -> None:
    writes: list[tuple[int, int]] = []
    flash = Flash(filled(), keep=lambda offset, data: writes.append((offset, len(data))))
    flash[300:302] = b"ab"
    assert writes == [(0, SECTOR), *((page, PAGE) for page in range(0, SECTOR, PAGE))]


def test_the_rules_of_nvm_hold() -> None:
    flash = Flash()
    assert (len(flash), bool(flash), flash[-1], type(flash[0:2])) == (SECTOR, True, 255, bytearray)
    flash[-1] = 3
    assert flash[SECTOR - 1] == 3
    with pytest.raises(ValueError, match="different lengths"):
        flash[0:2] = b"abc"
    with pytest.raises(NotImplementedError, match="step=1"):
        flash[0:4:2] = b"ab"
    with pytest.raises(NotImplementedError, match="step=1"):
        flash[0:4:2]
    with pytest.raises(NotImplementedError, match="right side"):
        flash[0:2] = [1, 2]  # type: ignore[assignment]
    with pytest.raises(ValueError, match="between 0 and 255"):
        flash[0] = 256
    with pytest.raises(IndexError):
        flash[SECTOR]
    with pytest.raises(IndexError):
        flash[SECTOR] = 1


def test_a_memory_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="has 8192 bytes"):
        Flash(bytearray(8192))


@pytest.mark.parametrize("at", range(12))
def test_a_cut_in_an_append_leaves_a_beginning_and_one_byte_half_done(at: int) -> None:
    record = bytes(range(12))
    flash = Flash(cut=Cut(at))
    with pytest.raises(PowerCut):
        flash[24:36] = record
    assert flash.memory[24 : 24 + at] == record[:at]
    torn = flash.memory[24 + at]
    assert torn & record[at] == record[at]
    assert torn not in (record[at], 0xFF)
    assert flash.memory[24 + at + 1 : 36] == b"\xff" * (11 - at)


def test_a_cut_right_behind_a_write_lets_it_happen() -> None:
    flash = Flash(cut=Cut(12))
    flash[0:12] = bytes(12)
    with pytest.raises(PowerCut):
        flash[12:13] = b"\0"
    assert flash.memory[:12] == bytes(12)


def cut_everywhere(step: int, chance: bool = False) -> Iterator[tuple[bytearray, bytearray, Flash]]:
    """A rewrite of a used sector, cut at every `step`-th byte: the bytes before, the bytes wanted, the flash."""
    wanted = filled()
    wanted[300:302] = b"ab"
    at = 0
    while True:
        flash = Flash(filled(), cut=Cut(at, random.Random(at) if chance else None))
        try:
            flash[300:302] = b"ab"
        except PowerCut:
            yield filled(), wanted, flash
        else:
            return
        at += step


def test_a_cut_in_a_rewrite_leaves_an_erase_or_a_program_half_way() -> None:
    seen = set()
    for before, wanted, flash in cut_everywhere(61):
        if flash.programs == 0:
            assert all(now & old == old for now, old in zip(flash.memory, before, strict=True))
            seen.add("erase")
        else:
            assert all(now & new == new for now, new in zip(flash.memory, wanted, strict=True))
            done = (flash.programs - 1) * PAGE
            assert flash.memory[:done] == wanted[:done]
            assert flash.memory[done + PAGE :] == b"\xff" * (SECTOR - done - PAGE)
            seen.add("program")
    assert seen == {"erase", "program"}


def test_a_scattered_cut_can_leave_any_bits_of_the_change_and_repeats_itself() -> None:
    first = [bytes(flash.memory) for *_, flash in cut_everywhere(997, chance=True)]
    again = [bytes(flash.memory) for *_, flash in cut_everywhere(997, chance=True)]
    assert first == again
    for before, wanted, flash in cut_everywhere(997, chance=True):
        if flash.programs == 0:
            assert all(now & old == old for now, old in zip(flash.memory, before, strict=True))
        else:
            assert all(now & new == new for now, new in zip(flash.memory, wanted, strict=True))


def test_after_a_cut_nothing_works_until_a_new_life_of_the_same_bytes() -> None:
    memory = bytearray(b"\xff" * SECTOR)
    flash = Flash(memory, cut=Cut(0))
    for _ in range(2):
        with pytest.raises(PowerCut):
            flash[0:2] = b"ab"
    assert Flash(memory)[1] == 0xFF


def test_no_handler_of_exceptions_catches_a_cut() -> None:
    assert not issubclass(PowerCut, Exception)


def test_what_the_cut_left_is_kept_before_the_end_is_told() -> None:
    writes: list[object] = []
    flash = Flash(
        keep=lambda offset, data: writes.append((offset, data[0])), cut=Cut(0), at_cut=lambda: writes.append("end")
    )
    with pytest.raises(PowerCut):
        flash[0] = 0
    assert writes == [(0, 0xAA), "end"]


def test_a_flash_file_begins_erased_and_keeps_every_write(tmp_path: Path) -> None:
    path = tmp_path / "nvm.bin"
    file = FlashFile(path)
    flash = file.flash()
    assert path.read_bytes() == b"\xff" * SECTOR
    for start, data in ((0, b"one"), (3, b"two"), (1, b"three"), (4090, b"end")):
        flash[start : start + len(data)] = data
        assert path.read_bytes() == bytes(flash.memory)
    file.close()
    again = FlashFile(path)
    assert again.flash()[0:3] == b"oth"
    again.close()


def test_a_flash_file_has_one_owner_at_a_time(tmp_path: Path) -> None:
    file = FlashFile(tmp_path / "nvm.bin")
    with pytest.raises(SimError, match="another virtual board is running on the flash file"):
        FlashFile(tmp_path / "nvm.bin")
    file.close()
    FlashFile(tmp_path / "nvm.bin").close()


def test_a_file_that_is_no_flash_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("dear friend")
    with pytest.raises(SimError, match="has 11 bytes and is not a flash file of 4096"):
        FlashFile(path)
    assert path.read_text() == "dear friend"


def test_a_chip_keeps_its_number_and_another_has_another(tmp_path: Path) -> None:
    one, other = FlashFile(tmp_path / "one"), FlashFile(tmp_path / "other")
    uid = one.uid()
    assert len(uid) == 8
    assert one.uid() == uid != other.uid()
    one.close()
    other.close()


@pytest.mark.parametrize("text", ["no hex", "e66164", ""])
def test_a_spoilt_chip_number_is_named(tmp_path: Path, text: str) -> None:
    file = FlashFile(tmp_path / "nvm.bin")
    (tmp_path / "nvm.bin.uid").write_text(text)
    with pytest.raises(SimError, match=r"nvm\.bin\.uid holds"):
        file.uid()
    file.close()


def test_a_cut_that_ruins_damages_old_bytes_of_its_page_and_no_other_page():
    damaged = 0
    for seed in range(20):
        flash = Flash()
        for page in range(3):
            flash.write(256 * page, bytes(range(100)))
        flash.cut = Cut(flash.changed + 3, random.Random(seed), ruins=True)
        with pytest.raises(PowerCut):
            flash.write(256 + 100, bytes(12))
        assert flash.memory[:256] == flash.memory[512:768] == bytes(range(100)) + b"\xff" * 156
        damaged += flash.memory[256:356] != bytes(range(100))
    assert damaged > 10
