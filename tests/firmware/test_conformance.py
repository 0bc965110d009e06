"""Our board and the reference client keep to the conformance kit, which notices boards and clients that do not."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from firmware.rig import OK, PLUS_1, PLUS_5, Rig

from cribboard_core.events import COMMANDS, PEG, SET
from cribboard_core.game import NOBODY
from cribboard_core.match import Match
from cribboard_core.wire import Lines, WireError, encode
from cribboard_fw.hosts import Hosts, Way
from cribboard_fw.keeper import Keeper
from cribboard_fw.link import Link

KIT = Path(__file__).parents[2] / "firmware" / "wire"
sys.path.insert(0, str(KIT))

import client as reference  # noqa: E402
import client_points  # noqa: E402
import conform  # noqa: E402

KEYS = {"+1": PLUS_1, "+5": PLUS_5, "OK": OK}


class RigPort:
    """A port of a whole board on a fake clock."""

    def __init__(self, rig: Rig | None = None, number: int = 0) -> None:
        self.rig = rig or Rig(6)
        self.end = self.rig.ports[number]
        self.ms = 0

    def clock(self) -> float:
        return self.ms / 1000

    def write(self, data: bytes) -> None:
        self.end.inbox += data
        self.rig.run(60)

    def read(self, size: int) -> bytes:
        self.rig.run(5)
        self.ms += 5
        data, self.end.outbox = self.end.outbox, b""
        return data


def failed() -> Iterator[str]:
    """The points that our board fails, with the bugs that are planted now."""
    port = RigPort()
    with mock.patch.multiple(conform, ANSWER_S=0.1, PIECE_S=0.0):
        yield from (name for name, wrong in conform.BoardTrial(port, port.clock).points() if wrong)


def test_the_board_passes_every_point() -> None:
    assert list(failed()) == []


def failed_at_two_ports() -> list[str]:
    """The points that a board with two ports fails."""
    rig = Rig(6, ports=2)
    with mock.patch.object(conform, "ANSWER_S", 0.1), mock.patch.object(conform, "QUIET_S", 0.01):
        trials = [conform.BoardTrial(port, port.clock) for port in (RigPort(rig), RigPort(rig, 1))]
        return [name for name, wrong in conform.at_two_ports(*trials) if wrong]


def test_a_board_with_two_ports_passes_every_point_at_both_at_once() -> None:
    assert failed_at_two_ports() == []


def one_session(hosts: Hosts, session: int, way: Way) -> int:
    """A board with one session for all ports."""
    newest = hosts.newest.session
    return newest if newest and (session - newest) & 0xFFFF >= 0x8000 else 0


TWO_PORTS: list[tuple[str, Any, str]] = [
    ("cribboard_fw.hosts.Hosts.over", one_session, "each has a session of its own"),
    ("cribboard_fw.hosts.Hosts.over", lambda hosts, session, way: 0, "a session that both have drawn ends at both"),
    ("cribboard_fw.links.Links.event", lambda links, *event: links._links[0].event(*event), "an event is told at both"),
    (
        "cribboard_fw.links.Links.pending",
        lambda links, *change: links._links[0].pending(*change),
        "owners of waiting points are each port's own",
    ),
]


@pytest.mark.parametrize(("where", "bug", "point"), TWO_PORTS, ids=[point for _, _, point in TWO_PORTS])
def test_a_board_with_two_ports_and_a_bug_fails_its_point(where: str, bug: Any, point: str) -> None:
    with mock.patch(where, bug):
        assert f"two ports: {point}" in failed_at_two_ports()


def test_every_request_is_tried_valid_and_refused() -> None:
    steps = [step for section in conform.vectors("requests.json")["sections"] for step in section["steps"]]
    answers = {(step["send"][0], step["expect"][0]) for step in steps if isinstance([*step.get("send", []), 0][0], str)}
    taken = {op: op for op in ("hello", "state", "last", "events", "pend", "choose")}
    assert {(op, taken.get(op, "ok")) for op in {*COMMANDS, *taken}} <= answers
    assert {(op, "no") for op in {*COMMANDS, *taken} - {"last"}} <= answers
    codes = {step["expect"][3] for step in steps if step["expect"][0] == "no"}
    readme = (KIT / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| (`[a-z]+`(?:, `[a-z]+`)*) \| [a-z0-9]", readme[readme.index("| code |") :], re.MULTILINE)
    assert codes == set(re.findall(r"`(\w+)`", " ".join(rows[:12]))) - {"journal"}, "the flash has to be worn"


def no_unasked(link: Link, *event: Any) -> None:
    """A board that does not say what happens."""


def applies_again(keeper: Keeper, message: list[Any]) -> list[Any] | None:
    """A board that applies a command as often as it comes."""
    if message[:3] == ["peg", keeper.session, keeper.last_id]:
        keeper.last_id -= 1
    return COMMAND(keeper, message)


def wraps(keeper: Keeper, message: list[Any]) -> list[Any] | None:
    """A board that compares ids in a circle."""
    if message[1] == keeper.session and isinstance(message[2], int) and keeper.last_id - message[2] > 128:
        keeper.last_id = 0
    return COMMAND(keeper, message)


def no_first_score(match: Match, rev: int, event: tuple[int, ...]) -> None:
    """A board on which no points are no score."""
    earlier = match.earlier
    HAPPEN(match, rev, event)
    if event[0] == PEG and not event[2]:
        match.earlier = earlier


def keeps_the_win(match: Match, rev: int, event: tuple[int, ...]) -> None:
    """A board on which a game stays won."""
    won = match.play.now[-1]
    HAPPEN(match, rev, event)
    if event[0] == SET and won != NOBODY:
        match.play.now[-1] = won


def strict(link: Link, q: int, args: list[object]) -> list[object]:
    """A board whose state refuses what it does not know."""
    return ["no", 0, q, "args", "too many"] if args else STATE(link, q, args)


HAPPEN, STATE = Match._happen, Link._state
COMMAND = Keeper.command
BOARDS: list[tuple[str, Any, str]] = [
    ("cribboard_fw.link.Link.event", no_unasked, "peg: one"),
    ("cribboard_fw.keeper.Keeper.command", applies_again, "tags: the same again: the same answer, and nothing happens"),
    ("cribboard_fw.keeper.Keeper.command", wraps, "tags: ids do not start again"),
    ("cribboard_core.match.Match._happen", no_first_score, "the first score of a game: they were a score"),
    ("cribboard_core.match.Match._happen", keeps_the_win, "a game that is won: takes the game won away"),
    ("cribboard_fw.link.Link._state", strict, "more items than it takes: state ignores them"),
    ("cribboard_core.wire.MAX_FRAME", 200, "frames: 140 bytes are too many"),
    (
        "cribboard_fw.link.is_int",
        lambda value, low, high: isinstance(value, int) and low <= value <= high,
        "hello: q is true",
    ),
    ("cribboard_fw.entry.Entry.put", lambda entry, *pend: None, "points that wait: nine points"),
    ("cribboard_fw.keeper.short", lambda text: 7, "peg: 47"),
]


@pytest.mark.parametrize(("where", "bug", "point"), BOARDS, ids=[point for _, _, point in BOARDS])
def test_a_board_with_a_bug_fails_its_point(where: str, bug: Any, point: str) -> None:
    with mock.patch(where, bug):
        assert any(name.startswith(point) for name in failed())


@pytest.mark.parametrize("case", conform.vectors("frames.json")["frames"], ids=lambda case: case["name"])
def test_frames_are_as_both_ends_make_and_read_them(case: dict[str, Any]) -> None:
    frame = case["frame"].encode()
    assert encode(case["message"]) == reference.encode(case["message"]) == frame
    assert Lines().feed(frame) == [case["message"]] == [reference.decode(frame.strip())]


@pytest.mark.parametrize("case", conform.vectors("frames.json")["streams"], ids=lambda case: case["name"])
def test_only_whole_frames_are_read(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["hex"])
    assert Lines().feed(data) == case["messages"]
    assert [message for message in map(reference.decode, data.split(b"\n")) if message] == case["messages"]


def test_a_message_that_is_too_long_is_not_sent() -> None:
    for message in conform.vectors("frames.json")["too_long"]:
        with pytest.raises(WireError):
            encode(message)


@pytest.mark.parametrize("case", conform.vectors("answers.json")["cases"], ids=lambda case: case["name"])
def test_the_reference_client_knows_its_answer(case: dict[str, Any]) -> None:
    class Heard:
        in_waiting = 1000

        def write(self, data: bytes) -> None:
            pass

        def read(self, size: int) -> bytes:
            return reference.encode(case["heard"])

    client = reference.Client.__new__(reference.Client)
    client.port, client.rest = Heard(), b""  # type: ignore[assignment]
    op, first, second, *_ = case["asked"] + [0]
    answers = [["ok", first, second], ["no", first, second]] if op in COMMANDS else [[op, first], ["no", 0, first]]
    if case["answers"]:
        assert client.ask(case["asked"], *answers) == case["heard"]
        return
    with mock.patch.object(reference, "PATIENCE_S", 0.05), pytest.raises(OSError, match="no answer"):
        client.ask(case["asked"], *answers)


def test_the_game_in_the_transcript_goes_so_frame_by_frame() -> None:
    rig = Rig()
    heard: list[str] = []
    for mark, text in conform.vectors("transcript.json")["lines"]:
        if mark == "<":
            assert heard.pop(0) == text
            continue
        assert heard == []
        if mark == ">":
            rig.port.inbox += b"\n%s\n" % text.encode()
            rig.run(200)
        else:
            key, place = re.fullmatch(r"(\+1|\+5|OK) of place (\d)", text).groups()  # type: ignore[union-attr]
            rig.tap(3 * (int(place) - 1) + KEYS[key])
        heard += [line.decode() for line in rig.port.outbox.split(b"\n") if line]
        rig.port.outbox = b""
    assert heard == [] and rig.match.winner == 0


def test_the_reference_client_is_short_and_needs_pyserial_alone() -> None:
    text = (KIT / "client.py").read_text("utf-8")
    assert len(text.splitlines()) < 200
    imported = {name.split(".")[0] for name in re.findall(r"^(?:import|from) (\S+)", text, re.MULTILINE)}
    assert imported - set(sys.stdlib_module_names) == {"serial"}


def trial(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(KIT / "conform.py"), *words], capture_output=True, text=True, timeout=120
    )


def test_the_command_passes_a_board_at_a_port(tmp_path: Path) -> None:
    from cribboard.sim.board import VirtualBoard

    with VirtualBoard(tmp_path) as board:
        done = trial("board", board.port)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert re.search(r"^(\d+) of \1 points passed$", done.stdout, re.MULTILINE)


def test_the_command_says_when_nobody_answers(tmp_path: Path) -> None:
    done = trial("board", str(tmp_path / "none"))
    assert done.returncode == 2
    assert "the trial cannot go on" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.unmeasured
def test_the_reference_client_passes_every_point() -> None:
    done = trial("client", sys.executable, str(KIT / "client.py"))
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_command_names_the_point_that_fails(tmp_path: Path) -> None:
    text = (KIT / "client.py").read_text("utf-8")
    (tmp_path / "client.py").write_text(text.replace('digits != b"%08x" % crc32(body)', "False"), "utf-8")
    done = trial("client", "--only", "damaged frames", sys.executable, str(tmp_path / "client.py"))
    assert done.returncode == 1
    assert done.stdout.startswith("FAIL  it skips console text, damaged frames and torn ones\n")
    assert done.stdout.endswith("\n0 of 1 points passed\n")


CLIENTS = [
    ('os.replace(self.path.with_suffix(".new"), self.path)', "pass", "killed before its command arrived"),
    (
        'if made else ["no", "stale"] if rows and not (gaps or restored) else ["unknown"]',
        'if made else ["ok", answer[3]]',
        "another program's event",
    ),
    ('digits != b"%08x" % crc32(body)', "False", "damaged frames"),
    ('if notes["id"] == 255:', 'if notes["id"] == 255 and notes.update(id=0):', "after id 255"),
    ('and left["op"] not in ("undo", "redo")', "", "an undo that was left"),
    ("if not gone_on and state[1:] != known[1:]:", "if state[1:] != known[1:]:", "fewer events came since"),
    ("if any(heard[: len(answer)] == answer", "if any(heard[:1] == answer[:1]", "no answer but its own"),
    (
        'or (session and (0 < ahead < 0x8000 or (not ahead and last_id > notes["id"])))',
        "",
        "two programs by turns",
    ),
    ("and not (ours and theirs and ours != theirs)", "", "another event has the number"),
    ("restored or (gaps and missing[:1] != [0])", "restored", "later ones say the score"),
    ('restored or (gaps and left and state[0] > left["rev"])', "restored", "later ones say a part of the score"),
    ("self.q = self.q % 255 + 1", "self.q += 1", "after q 255 it goes on with 1"),
]
WAITS = "wait_s = min(0.18, 1.5 * wait_s)"
# A client whose clock goes on only where it has waited for an answer in vain, however busy the computer is. It notes by
# that clock when each frame was sent.
CLOCKED = """
import runpy, sys, time, serial
from pathlib import Path

waits = 0

class Port(serial.Serial):
    def read(self, size=1):
        global waits
        data = super().read(size)
        waits += not data
        return data

    def write(self, data):
        with Path(sys.argv[2], "sent").open("a") as file:
            file.write(f"{time.monotonic()}\\n")
        return super().write(data)

time.monotonic = lambda: waits / 100  # the client's read waits 10 ms
serial.Serial = Port
runpy.run_path(str(Path(__file__).with_name("client.py")), run_name="__main__")
"""


class ClockedBench(client_points.Bench):
    """A bench that reads the time on the clock of its client."""

    def sent_s(self) -> float:
        return float((self.folder / "sent").read_text("utf-8").split()[len(self.sent)])


@pytest.mark.unmeasured
@pytest.mark.parametrize(("right", "wrong", "point"), CLIENTS, ids=[point for _, _, point in CLIENTS])
def test_a_client_with_a_bug_fails_its_point(right: str, wrong: str, point: str, tmp_path: Path) -> None:
    text = (KIT / "client.py").read_text("utf-8")
    assert text.count(right) == 1
    (tmp_path / "client.py").write_text(text.replace(right, wrong), "utf-8")
    command = [sys.executable, str(tmp_path / "client.py")]
    with mock.patch.object(client_points, "SOON_S", 3.0):
        assert any(wrong for _, wrong in client_points.points(command, point))


@pytest.mark.unmeasured
@pytest.mark.parametrize(("waits", "passes"), [(WAITS, True), ("wait_s = 0.4", False), ("wait_s = 0.002", False)])
def test_a_client_that_sends_again_too_late_or_too_soon_fails(waits: str, passes: bool, tmp_path: Path) -> None:
    text = (KIT / "client.py").read_text("utf-8")
    assert text.count(WAITS) == 1
    (tmp_path / "client.py").write_text(text.replace(WAITS, waits), "utf-8")
    (tmp_path / "clocked.py").write_text(CLOCKED, "utf-8")
    command = [sys.executable, str(tmp_path / "clocked.py")]
    with mock.patch.object(client_points, "Bench", ClockedBench):
        [(_, wrong)] = client_points.points(command, "sends the same frame again")
    assert wrong == "" if passes else wrong.startswith("it sent again after "), wrong


def test_every_file_of_the_kit_is_in_its_readme() -> None:
    readme = (KIT / "README.md").read_text("utf-8")
    files = [path.relative_to(KIT).as_posix() for path in KIT.rglob("*") if path.suffix in (".py", ".json")]
    assert all(f"| `{file}` |" in readme for file in files)
    for path in KIT.glob("vectors/*.json"):
        assert json.loads(path.read_text("utf-8"))["about"]
