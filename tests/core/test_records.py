"""Records: 12 bytes each, and what a change of any of them does."""

from __future__ import annotations

from binascii import crc32
from struct import unpack_from

import pytest

from cribboard_core.events import (
    DEAL,
    FALSE,
    GO,
    HAND,
    MUGGINS,
    NIBS,
    PEG,
    PENALTY,
    REDO,
    RESTORE,
    SET,
    UNDO,
    new_event,
)
from cribboard_core.game import Game
from cribboard_core.mount import is_whole
from cribboard_core.records import (
    BODY,
    COPY,
    COPY_ENDS,
    HEADER,
    PART,
    PART_BYTES,
    SLOT,
    SNAPSHOT_SLOTS,
    VERSION,
    event_of,
    event_record,
    snapshot_records,
    u16,
)


def test_an_events_record_has_the_layout_that_is_written_down() -> None:
    record = event_record(0x12345, (PEG, 3, 7, 0, 0), 0xABCD, 200, 0x1122, 0x30 << 3 | 4)
    assert record[:10] == bytes([PEG << 3 | 3, 0x45, 0x23, 7, 0x22, 0x11, 0x84, 0xCD, 0xAB, 200])
    assert len(record) == SLOT
    assert is_whole(record)


@pytest.mark.parametrize(
    "event",
    [
        new_event(241, 63, 3, 5, 91, 61),
        (PEG, 5, 46, 0, 0),
        (HAND, 0, 29, 1, 0),
        (NIBS, 1, 2, 0, 0),
        (GO, 1, 1, 0, 0),
        (PENALTY, 4, 46, 1, 0),
        *[(MUGGINS, 2, 46, place, 0) for place in range(6)],
        (FALSE, 0, 240, 0, 0),
        (UNDO, 0, 0, 0xFFFF, 0),
        (REDO, 0, 0, 1, 0),
        (SET, 3, 241, 240, 0),
        (DEAL, 5, 0, 0, 0),
        (RESTORE, 0, 0, 0, 0),
    ],
    ids=str,
)
@pytest.mark.parametrize("stood", [0, 7])
def test_an_event_is_read_as_it_was_written_whatever_is_said_of_the_match(event: tuple[int, ...], stood: int) -> None:
    assert event_of(event_record(9, event, 1, 2, stood, stood)) == event


def test_any_flipped_bit_breaks_a_record() -> None:
    record = event_record(5, (PEG, 1, 4, 0, 0), 77, 3)
    for bit in range(8 * SLOT):
        damaged = bytearray(record)
        damaged[bit // 8] ^= 1 << bit % 8
        assert not is_whole(bytes(damaged))


def test_no_record_is_whole_before_its_crc_is_written() -> None:
    crcs = set()
    for rev in range(0x20000):
        record = event_record(rev, (PEG, 0, rev % 30, 0, 0), 1, 1, rev >> 16)
        crcs.add(u16(record, BODY))
        if crc32(record[:BODY], VERSION) & 0xFFFF == 0xFFFF:
            assert u16(record, BODY) == 0
        assert not is_whole(record[:BODY] + b"\xff\xff")
    assert 0 in crcs
    assert is_whole(record)


@pytest.mark.parametrize("blank", [b"\0" * SLOT, b"\xff" * SLOT])
def test_an_empty_slot_is_no_record(blank: bytes) -> None:
    assert not is_whole(blank)


@pytest.mark.parametrize("sides", range(2, 7))
def test_a_snapshot_is_parts_and_a_record_that_closes_it(sides: int) -> None:
    packed = Game(9, 121, (1 << sides) - 1, sides, 0, 91, 61).pack()
    *parts, close = snapshot_records((0xC0FFEE11, 70000, 9, 1, 3), packed, (69999, 500, 12))
    assert [part[0] for part in parts] == [PART] * len(parts) == [112] * len(parts)
    assert [part[3] for part in parts] == list(range(len(parts)))
    body = b"".join(part[4 : 4 + PART_BYTES] for part in parts)
    assert unpack_from("<IIIBB", body) == (0xC0FFEE11, 70000, 9, 1, 3)
    assert body[HEADER : HEADER + len(packed)] == packed
    assert set(body[HEADER + len(packed) :]) <= {0}
    assert (close[0] >> 3, close[3], u16(close, 4), u16(close, 7), close[9]) == (
        RESTORE,
        len(parts),
        69999 & 0xFFFF,
        500,
        12,
    )
    assert all(map(is_whole, [*parts, close]))
    assert len(parts) + 1 <= SNAPSHOT_SLOTS


def test_six_sides_and_the_newest_session_with_five_more_commands_take_all_slots_of_a_snapshot() -> None:
    packed = Game(9, 121, 63, 6, 0, 91, 61).pack()
    assert len(snapshot_records((1, 2, 3, 4, 5), packed + bytes(2 + 5 * 5), (6, 7, 8))) == SNAPSHOT_SLOTS


def test_the_copy_of_a_snapshot_differs_in_its_kinds_only() -> None:
    packed = Game(9, 121, 7, 3, 0, 91, 61).pack()
    header, tag = (1, 2, 3, 4, 5), (6, 7, 8)
    for ours, copied in zip(
        snapshot_records(header, packed, tag), snapshot_records(header, packed, tag, True), strict=True
    ):
        assert ours[1:BODY] == copied[1:BODY]
        assert copied[0] in (COPY, COPY_ENDS)
        assert is_whole(copied)


def test_a_record_lies_in_flash_as_boards_have_it() -> None:
    record = event_record(300, (HAND, 1, 12, 0, 0), 700, 9, 5 | 2 << 8, 290 << 3 | 1)
    assert record.hex() == "192c010c050211bc020905e7"  # another CRC would forget every board's game
