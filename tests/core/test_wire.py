"""The wire: frames of any message, and what damage, garbage and hostile bytes do to them."""

from __future__ import annotations

import json
from binascii import crc32

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cribboard_core.wire import MAX_FRAME, Lines, WireError, decode, encode

ITEMS = st.one_of(st.integers(-(2**32), 2**32), st.text(max_size=6), st.lists(st.integers(0, 999), max_size=6))
MESSAGES = st.lists(ITEMS, max_size=8).filter(lambda message: len(json.dumps(message, separators=(",", ":"))) <= 109)


def framed(body: bytes) -> bytes:
    """A frame with the right CRC around any bytes."""
    return b"%s*%08x" % (body, crc32(body))


def test_a_frame_is_as_the_protocol_shows_it() -> None:
    assert encode(["peg", 513, 7, 0, 12]) == b'\n["peg",513,7,0,12]*%08x\n' % crc32(b'["peg",513,7,0,12]')
    assert encode([]) == b"\n[]*0d4cbb29\n"


@given(MESSAGES)
def test_any_message_comes_back_from_its_frame(message: list[object]) -> None:
    frame = encode(message)
    assert decode(frame) == decode(frame[1:-1]) == message
    assert frame.isascii()
    assert len(frame) <= MAX_FRAME
    assert frame.count(b"\n") == 2


def test_a_message_of_the_longest_frame_goes_and_one_more_byte_does_not() -> None:
    text = "x" * (MAX_FRAME - 11 - 4)
    assert len(encode([text])) == MAX_FRAME
    assert decode(encode([text])) == [text]
    with pytest.raises(WireError, match="121 bytes; a frame has at most 120"):
        encode([text + "x"])


@pytest.mark.parametrize("message", ["hello", {"a": 1}, 5, None])
def test_what_is_no_list_is_no_message(message: object) -> None:
    with pytest.raises(WireError, match="a message is a list, not"):
        encode(message)  # type: ignore[arg-type]


def test_a_tuple_goes_as_a_list() -> None:
    assert decode(encode((1, 2))) == [1, 2]  # type: ignore[arg-type]


@given(MESSAGES, st.data())
def test_any_flipped_bit_costs_the_frame(message: list[object], data: st.DataObject) -> None:
    frame = bytearray(encode(message))
    bit = data.draw(st.integers(8, 8 * len(frame) - 9))
    frame[bit // 8] ^= 1 << bit % 8
    assert Lines().feed(bytes(frame)) == []


@given(MESSAGES, st.data())
def test_any_bytes_that_are_cut_out_cost_the_frame(message: list[object], data: st.DataObject) -> None:
    frame = encode(message)
    start = data.draw(st.integers(1, len(frame) - 2))
    end = data.draw(st.integers(start + 1, len(frame) - 1))
    assert Lines().feed(frame[:start] + frame[end:]) == []


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"[]*0d4cbb2",
        b"[]*0D4CBB29",
        b"[]*0x0d4cbb",
        b"[]* 0d4cbb2",
        b"[]0d4cbb29",
        b"[] *0d4cbb29",
        b"AT",
        b">>> print(1)",
        framed(b'{"op":1}'),
        framed(b"1"),
        framed(b'"hello"'),
        framed(b"null"),
        framed(b"[1,2"),
        framed(b"[1,]"),
        framed(b"[1] x"),
        framed(b"[1][2]"),
        framed(b"[" * 100 + b"]" * 9),
        framed(b'["\xff\xfe"]'),
        framed(b'["\x00"]'),
        framed(b"[\x00]\x00"),
        framed(b"[" + b"1" * 120 + b"]"),
        framed(b"\xef\xbb\xbf[1]"),
    ],
)
def test_a_line_that_is_no_whole_frame_is_passed_over(line: bytes) -> None:
    assert decode(line) is None
    lines = Lines()
    assert lines.feed(b"\n" + line + b"\n" + encode(["state", 1])) == [["state", 1]]
    assert lines.passed_over == (1 if line else 0)


@pytest.mark.parametrize(
    "body",
    [
        b"[1e999]",
        b"[-1e999]",
        b"[NaN]",
        b"[Infinity]",
        b"[1.5]",
        b"[true,false,null]",
        b'["\\u2665"]',
        b'["\\ud800"]',
        b"[" + b"9" * 100 + b"]",
        b"[" * 50 + b"]" * 50,
        b'[{"a":{}}]',
    ],
)
def test_odd_but_whole_frames_give_a_list_or_nothing_and_never_raise(body: bytes) -> None:
    message = decode(framed(body))
    assert message is None or isinstance(message, list)


def test_a_frame_nested_deeper_than_the_stack_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def overflow(text: str) -> object:
        raise RuntimeError("maximum recursion depth exceeded")  # as MicroPython says it

    lines = Lines()
    with monkeypatch.context() as patch:
        patch.setattr(json, "loads", overflow)
        assert lines.feed(framed(b"[" * 50 + b"]" * 50) + b"\n") == []
    assert lines.passed_over == 1
    assert lines.feed(encode(["state", 1])) == [["state", 1]]


@given(st.binary(max_size=130))
@example(b"[" * 119)
def test_any_bytes_with_a_right_crc_never_raise(body: bytes) -> None:
    assert decode(framed(body)) is None or body.strip()[:1] == b"["


@given(st.lists(MESSAGES, max_size=5), st.integers(1, 40))
def test_frames_in_pieces_of_any_size_come_whole_and_in_order(messages: list[list[object]], size: int) -> None:
    stream = b"".join(map(encode, messages))
    lines = Lines()
    received = [message for at in range(0, len(stream), size) for message in lines.feed(stream[at : at + size])]
    assert received == messages
    assert lines.passed_over == 0


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n", b" \r\n"])
def test_any_end_of_line_will_do(end: bytes) -> None:
    assert Lines().feed(encode(["hello", 1, 1]).strip() + end) == [["hello", 1, 1]]


def test_a_torn_frame_costs_only_itself() -> None:
    frame = encode(["state", 1])
    for at in range(1, len(frame)):
        lines = Lines()
        assert lines.feed(frame[:at]) == ([["state", 1]] if at == len(frame) else [])
        assert lines.feed(encode(["state", 2]))[-1] == ["state", 2]


@given(st.lists(st.binary(max_size=400), max_size=20))
def test_garbage_is_passed_over_and_never_piles_up(pieces: list[bytes]) -> None:
    lines = Lines()
    for piece in pieces:
        lines.feed(piece)
        assert len(lines._rest) < MAX_FRAME
    assert lines.feed(encode(["state", 3]))[-1:] == [["state", 3]]


def test_a_frame_at_the_end_of_a_line_that_is_too_long_is_dropped_with_it() -> None:
    lines = Lines()
    frame = encode(["undo", 1, 1, 7]).strip()
    assert lines.feed(b"x" * MAX_FRAME) == []
    assert lines.passed_over == 1
    assert lines.feed(frame + b"\n") == []
    assert lines.feed(frame + b"\n") == [["undo", 1, 1, 7]]


@given(st.binary(max_size=300), MESSAGES)
def test_a_frame_after_any_garbage_arrives(garbage: bytes, message: list[object]) -> None:
    assert Lines().feed(garbage + encode(message))[-1:] == [message]
