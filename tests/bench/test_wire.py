"""Frames of the wire: what the length, the checks and the strictness cost beside bare JSON and CRC."""

from __future__ import annotations

import pytest
from bench import plain
from bench.table import OURS

from cribboard_core.wire import decode, encode

MESSAGE = ["hand", 40000, 200, 1, "5H5C5SJD", "5D", 0, 29]
BARE = "json and binascii.crc32, bare"
USB = {"its bits over full-speed USB": len(encode(MESSAGE)) * 8 / 12e6}


@pytest.mark.parametrize("who", [BARE, OURS])
def test_a_frame_is_written(timed, who):
    write = encode if who == OURS else plain.encode
    frame = timed("encode a hand's frame", who, lambda: write(MESSAGE), limits=USB if who == OURS else None)
    assert plain.decode(frame.strip()) == MESSAGE


@pytest.mark.parametrize("who", [BARE, OURS])
def test_a_frame_is_read(timed, who):
    read = decode if who == OURS else plain.decode
    line = encode(MESSAGE).strip()
    assert timed("decode a hand's frame", who, lambda: read(line), limits=USB if who == OURS else None) == MESSAGE
