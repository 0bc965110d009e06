"""What firmware/wire/README.md says of the wire is what the board does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from firmware.rig import OK as OK_KEY
from firmware.rig import PLUS_1, PLUS_5, Rig

from cribboard_core.events import COMMANDS, KINDS
from cribboard_core.wire import Lines, decode, encode

README = (Path(__file__).parents[2] / "firmware" / "wire" / "README.md").read_text(encoding="utf-8")
LIBRARY = Path(__file__).parents[2] / "firmware" / "lib"
QUERIES = ("hello", "state", "last", "events", "pend", "choose")
KEYS = {"+1": PLUS_1, "+5": PLUS_5, "OK": OK_KEY}
LINES = re.findall(r"^    ([<>=]) (.*)$", README, flags=re.MULTILINE)


def codes() -> set[str]:
    """Every error code in the firmware."""
    source = "".join(path.read_text(encoding="utf-8") for path in LIBRARY.rglob("*.py"))
    return set(re.findall(r'Refused\(\s*"(\w+)"', source)) | set(re.findall(r'"no", \w+, \w+, "(\w+)"', source))


def act(rig: Rig, what: str) -> None:
    """What the description has somebody do at the board, like `+5 of place 1`."""
    key, place = re.fullmatch(r"(\+1|\+5|OK) of place (\d)", what).groups()  # type: ignore[union-attr]
    rig.tap(3 * (int(place) - 1) + KEYS[key])


def sent(rig: Rig, message: list[object]) -> list[list[object]]:
    """All that the board writes after a host's message."""
    rig.port.inbox += encode(message)
    rig.run(200)
    return rig.heard()


def test_the_session_goes_as_it_is_described() -> None:
    rig = Rig()
    expected: list[list[object]] = []
    heard: list[list[object]] = []
    for mark, text in [*LINES, ("=", "")]:
        if mark == "<":
            expected.append(json.loads(text.split("*")[0]))
            continue
        assert heard == expected
        expected = []
        if mark == ">":
            heard = sent(rig, json.loads(text.split("*")[0]))
        elif text:
            act(rig, text)
            heard = rig.heard()


def test_the_frames_are_whole() -> None:
    frames = [text for _, text in LINES if "*" in text]
    assert len(frames) >= 2
    assert all(decode(frame.encode()) is not None for frame in frames)
    assert Lines().feed(b"".join(b"\n%s\n" % frame.encode() for frame in frames))


def test_every_message_has_an_example() -> None:
    asked = {json.loads(text.split("*")[0])[0] for mark, text in LINES if mark == ">"}
    messages = [json.loads(text.split("*")[0]) for mark, text in LINES if mark == "<"]
    assert {*COMMANDS, *QUERIES} <= asked
    assert {*QUERIES, "ok", "no", "ev"} <= {message[0] for message in messages}
    assert {*KINDS[1:]} == {message[2] for message in messages if message[0] == "ev"}
    assert {message[3] for message in messages if message[0] == "no"} == codes() - {"journal"}, (
        "the flash has to be worn"
    )


@pytest.mark.parametrize("word", [*COMMANDS, *QUERIES, *KINDS[1:], *sorted(codes()), "say", "ok", "no", "ev"])
def test_every_word_of_the_wire_is_described(word: str) -> None:
    assert f"`{word}`" in README or f'`["{word}",' in README


def test_every_setting_is_explained_in_the_file_that_makers_read() -> None:
    from cribboard_fw.settings import NUMBERS, PIN_KEYS

    settings = (Path(__file__).parents[2] / "firmware" / "settings.toml").read_text(encoding="utf-8")
    for key in (*NUMBERS, *PIN_KEYS):
        assert re.search(rf"^(# )?{key} = ", settings, flags=re.MULTILINE), key
