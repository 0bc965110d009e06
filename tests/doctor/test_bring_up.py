"""Bring-up: a new board with faults of light and wire, and whoever built it, who sees, hears and presses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cli.test_json import only_named
from click.testing import CliRunner

from cribboard.board.find import probe
from cribboard.cli.main import cli
from cribboard.doctor import bring_up
from cribboard.doctor.bring_up import Board, NotInBringUp, Step, hole, kept, key_name, order_of, try_all
from cribboard.doctor.checks import World, examine
from cribboard.errors import CribboardError, TransportError, WrongBoard
from cribboard.sim.board import VirtualBoard
from cribboard_core.wire import Lines, encode

PATIENCE_S = 20.0
LOOK_S = 0.7  # so long another colour is looked for
PINS = ("GP6", "GP7", "GP8", "GP9", "GP10", "GP11", "GP12", "GP13")
STRIPS = ("GP2", "GP3")
STREETS = (range(40), range(40, 80), range(80, 121))  # of the default board
NAMES = {(1, 0, 0): "red", (0, 1, 0): "green", (0, 0, 1): "blue", (0, 0, 0): "none"}


def named(question: str) -> range:
    """The lights that a question names, from the first to the last."""
    ends = [int(hole) - 1 if hole else 120 for hole in re.findall(r"(?:\bhole (\d+)|the game hole)", question)]
    return range(ends[0], ends[-1] + 1)


def lit(board: VirtualBoard, track: int) -> list[int]:
    """The lights of a track that the board has lit, whatever glows."""
    return [n for n, pixel in enumerate(board.last_strips()[STRIPS[track]].pixels) if any(pixel)]


class Builder:
    """Looks at the strips and presses what he is told to, on a board with these faults.

    `seen_as` is the order in which an eye sees red, green and blue; `dead` are LEDs that stay dark, by track; `cut` are
    the first of those that the data never reaches; `wired` is the key at another one's place, and None one without a
    wire.
    """

    def __init__(self, board: VirtualBoard) -> None:
        self.board = board
        self.seen_as = "RGB"
        self.dead: set[tuple[int, int]] = set()
        self.cut: dict[int, int] = {}
        self.wired: dict[str, str | None] = {}
        self.asked: list[str] = []
        self.printed: list[str] = []
        self.seen_from_a_chair = True
        self.slips: list[str] = []  # buttons pressed first, in the place of what is asked for
        self.colour = "none"

    def glowing(self, track: int) -> list[tuple[int, ...]]:
        pixels = self.board.last_strips()[STRIPS[track]].pixels
        cut = self.cut.get(track, len(pixels))
        seen = [tuple(int(pixel["RGB".index(letter)] > 0) for letter in self.seen_as) for pixel in pixels]
        return [(0, 0, 0) if (track, n) in self.dead or n >= cut else light for n, light in enumerate(seen)]

    def another_colour(self, board: VirtualBoard) -> bool:
        return sum(map(any, board.last_strips()[STRIPS[0]].pixels)) == 10 and NAMES[self.glowing(0)[0]] != self.colour

    def ask(self, question: str, answers: Sequence[str]) -> str:
        self.asked.append(question)
        if "Which colour" in question:
            self.board.wait_for(self.another_colour, LOOK_S)
            self.colour = NAMES[self.glowing(0)[0]]
            return self.colour
        if "four rising tones" in question:
            return "no piezo"
        if "In which colour" in question:
            return "white"
        if "every colour" in question:
            track = int(question.split("of track ")[1].split()[0]) - 1
            return "no" if track in self.cut or any(it[0] == track for it in self.dead) else "yes"
        if "holes beside it" in question and not self.seen_from_a_chair:
            return "no"
        shown = named(question)
        assert self.board.wait_for(lambda it: [*lit(it, 0), *lit(it, 1)] == [*shown], PATIENCE_S), question
        return "yes" if sum(map(any, self.glowing(0) + self.glowing(1))) == len(shown) else "no"

    def tell(self, text: str) -> None:
        self.printed.append(text)
        asked = re.search(r"[Pp]ress (.*)\.$", text)
        if asked:
            name = self.slips.pop() if self.slips else asked[1]
            pin = PINS[[key_name(key, 8) for key in range(8)].index(name)]
            pressed = self.wired.get(pin, pin)
            if pressed:
                self.board.tap(pressed)


@pytest.fixture
def new_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[VirtualBoard]:
    """A board that is in its bring-up."""
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(bring_up, "STREET_S", 0.0)
    monkeypatch.setattr(bring_up, "TONE_S", 0.0)
    monkeypatch.setattr(bring_up, "KEY_S", 1.0)
    with VirtualBoard(tmp_path / "board") as board:
        assert board.wait_for(lambda it: bool(it.last_strips()), PATIENCE_S)
        for pin in ("GP6", "GP12"):
            board.press(pin)
        board.reset()
        assert board.wait_for(lambda it: it.resets == 1, PATIENCE_S)
        assert board.wait_for(held, PATIENCE_S)
        for pin in ("GP6", "GP12"):
            board.release(pin)
        assert board.wait_for(walks, PATIENCE_S)
        yield board


def held(board: VirtualBoard) -> bool:
    """Whether white dots stand along the whole of a track."""
    return "GP2" in board.last_strips() and all(any(light) for light in board.last_strips()["GP2"].pixels[4:120:5])


def walks(board: VirtualBoard) -> bool:
    """Whether ten red lights stand in a row, as nothing else shows them."""
    return [light for light in board.last_strips()["GP2"].pixels if any(light)] == [(48, 0, 0)] * 10


def steps_of(board: VirtualBoard, builder: Builder) -> list[Step]:
    with closing(bring_up.find(lambda: [board.port], PATIENCE_S)) as there:
        assert there.about.uid == board.uid
        there.streets = STREETS
        steps = list(try_all(there, builder))
        bring_up.keep(there.about, steps, datetime(2026, 3, 2, tzinfo=UTC))
        there.end()
        return steps


def test_a_good_board_is_found_good_and_plays_on(new_board: VirtualBoard) -> None:
    with pytest.raises(WrongBoard, match="the board is in its bring-up; `cribboard bringup` goes through it"):
        probe(new_board.port)
    world = World(ports=list, virtual=list, places=list)
    assert [one.code for one in examine(world, new_board.port) if one.wrong] == ["in-bring-up"]
    assert [step.what for step in steps_of(new_board, Builder(new_board)) if not step.good] == []
    assert new_board.wait_for(lambda it: "GP2" in it.last_strips() and not walks(it), PATIENCE_S)
    findings = examine(world, new_board.port)
    assert "brought up on 2026-03-02: all was well" in [finding.what for finding in findings]


def test_every_fault_is_found_and_named_with_what_to_do(new_board: VirtualBoard) -> None:
    builder = Builder(new_board)
    builder.seen_as, builder.dead, builder.cut = "GRB", {(1, 57)}, {0: 100}
    builder.wired = {"GP7": "GP8", "GP13": None}
    wrong = {step.name: (step.what, step.todo) for step in steps_of(new_board, builder) if not step.good}
    assert {name: what for name, (what, _) in wrong.items()} == {
        "colours": "PIXEL_ORDER is GRB, and the strip's is RGB",
        "track 1": "track 1 is dark from hole 101 (street 3, number 21 of it) on",
        "track 2": "hole 58 (street 2, number 18 of it) of track 2 stays dark in white",
        "+5 of player 1": "where +5 of player 1 should be, OK of player 1 was heard",
        "DEAL": "DEAL was not heard for 1 seconds",
    }
    assert all(todo for _, todo in wrong.values())
    assert len(builder.asked) < 40, "a dark light is found by halving"
    assert "hole 58" in kept(new_board.uid)


def test_light_that_does_not_come_to_a_chair_is_a_fault_of_the_front(new_board: VirtualBoard) -> None:
    builder = Builder(new_board)
    builder.seen_from_a_chair = False
    [wrong] = [step for step in steps_of(new_board, builder) if not step.good]
    assert wrong.name == "front" and "paper right behind the face" in wrong.todo


def test_a_slip_of_the_builder_is_no_fault_of_the_board(new_board: VirtualBoard) -> None:
    builder = Builder(new_board)
    builder.slips = ["OK of player 2"]
    assert [step.what for step in steps_of(new_board, builder) if not step.good] == []
    assert "That was OK of player 2. Once more: press +1 of player 1." in builder.printed


class Hasty(Builder):
    """Once takes a light for dark that glows."""

    def ask(self, question: str, answers: Sequence[str]) -> str:
        if "every colour" in question and "track 1 " in question:
            return "no"
        if "121 lights" in question and not any("121 lights" in asked for asked in self.asked):
            self.asked.append(question)
            return "no"
        return super().ask(question, answers)


def test_no_light_is_called_dark_that_was_not_looked_at_alone(new_board: VirtualBoard) -> None:
    builder = Hasty(new_board)
    assert [step.what for step in steps_of(new_board, builder) if not step.good] == []
    assert "So no light is dark after all. Look once more." in builder.printed


def test_the_command_waits_for_a_board_in_its_bring_up_and_says_how_to_start_it(tmp_path: Path) -> None:
    with VirtualBoard(tmp_path) as board:
        words = ["bringup", "--port", board.port, "--wait", "0", "--json"]
        refused = CliRunner().invoke(cli, words, catch_exceptions=False)
        error = json.loads(refused.stdout)["error"]
        assert (refused.exit_code, error["message"]) == (1, "no board is in its bring-up")
        assert "hold +1 of any player and UNDO" in error["hint"]
        with pytest.raises(NotInBringUp, match="is not in its bring-up"):
            Board(board.port)


def test_the_command_asks_tells_and_keeps_a_report(new_board: VirtualBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    builder = Builder(new_board)
    monkeypatch.setattr("cribboard.cli.doctor.AtTerminal", lambda as_json: builder)
    done = CliRunner().invoke(cli, ["bringup", "--port", new_board.port, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    entry = json.loads(done.stdout)
    only_named("bringup", [entry])
    said = {step["what"] for step in entry["steps"] if step["good"]}
    assert "all 121 lights of track 2 glow in every colour" in said
    report = json.loads(bring_up.report_file(new_board.uid).read_text(encoding="utf-8"))
    assert (report["leds"], len(report["steps"])) == (121, 14)


def test_whoever_stops_half_way_has_read_what_was_found_so_far(
    new_board: VirtualBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Leaves(Builder):
        def ask(self, question: str, answers: Sequence[str]) -> str:
            if "of track 2" in question:
                raise KeyboardInterrupt
            return super().ask(question, answers)

    builder = Leaves(new_board)
    builder.cut = {0: 40}
    monkeypatch.setattr("cribboard.cli.doctor.AtTerminal", lambda as_json: builder)
    done = CliRunner().invoke(cli, ["bringup", "--port", new_board.port])
    assert "ok    PIXEL_ORDER is GRB" in done.stdout and "WRONG track 1 is dark from hole 41 " in done.stdout
    assert not bring_up.report_file(new_board.uid).exists()


class Reader:
    """Answers by the letters that a rehearsal prints."""

    def __init__(self, as_json: bool) -> None:
        self.lines: list[str] = []

    def tell(self, text: str) -> None:
        self.lines.append(text)

    def ask(self, question: str, answers: Sequence[str]) -> str:
        seen = "".join(line.split()[1] for line in self.lines if re.match(r" +\d+ [rgbw*.]+ \d+$", line))
        self.lines.clear()
        if "Which colour" in question:
            return {"r": "red", "g": "green", "b": "blue", ".": "none"}[seen[0]]
        if "In which colour" in question:
            return "white"
        if "tones" in question:
            return "no piezo"
        if "every colour" in question:
            assert len(seen) == 121
            return "no" if "." in seen else "yes"
        return "yes" if sum(letter != "." for letter in seen) == len(named(question)) else "no"


@pytest.mark.parametrize("faults", [0, 5])
def test_on_a_virtual_board_every_planted_fault_is_found_by_what_is_printed(
    faults: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in (("STREET_S", 0.0), ("TONE_S", 0.0), ("KEY_S", 1.0)):
        monkeypatch.setattr(bring_up, name, seconds)
    monkeypatch.setattr("cribboard.cli.doctor.AtTerminal", Reader)
    typed = ["bringup", "--port", "sim", "--faults", str(faults), "--seed", "3", "--json"]
    done = CliRunner().invoke(cli, typed, catch_exceptions=False)
    result = json.loads(done.stdout)
    assert done.exit_code == bool(faults) and len(result["planted"]) == faults
    wrong = " ".join(step["what"] for step in result["steps"] if not step["good"])
    assert bool(wrong) is bool(faults)
    for said in result["planted"]:
        place = re.match(r"(hole \d+ \([^)]*\)) of|(.*) is not connected", said)
        assert not place or (place[1] or place[2]) in wrong, said
    if faults:
        assert "the strip's is RGB" in wrong and "was heard" in wrong
    assert not [*bring_up.home().glob("boards/*.bring-up.json")], "a rehearsal leaves no report"


class Leaving:
    """A board with one track and five buttons that is unplugged at the first of them, or restarts before.

    `back`: it plays, and is there again.
    """

    name = "COM3"

    def __init__(self, back: str) -> None:
        self.back = back
        self.left = self.closed = False
        self.answers = b""
        self.lines = Lines()

    def write(self, data: bytes) -> None:
        for op, number, *_ in self.lines.feed(data):
            about = ["e661", 1, 121, 5, "GRB", 450] if op == "bring-up" else [256]
            self.answers += encode(["no", 0, number, "op", "what?"] if self.left else [op, number, *about])

    def read(self) -> bytes:
        if self.left and not self.back:
            raise TransportError("the board on COM3 is gone", "check its cable and try again")
        answers, self.answers = self.answers, b""
        return answers

    def close(self) -> None:
        self.closed = True

    def wake(self) -> None:
        pass

    def ask(self, question: str, answers: Sequence[str]) -> str:
        if "every colour" in question:
            self.left = bool(self.back)
        return answers[0]

    def tell(self, text: str) -> None:
        self.left = self.left or text.startswith("Press")


@pytest.mark.parametrize(("back", "said"), [("", "COM3 is gone"), ("plays", "COM3 is not in its bring-up")])
def test_a_board_that_is_unplugged_or_restarts_ends_it_and_no_button_is_called_broken(back: str, said: str) -> None:
    leaving = Leaving(back)
    steps: list[Step] = []
    with (
        closing(Board("COM3", lambda port: leaving, pause=lambda seconds: None)) as board,
        pytest.raises(CribboardError, match=said) as ending,
    ):
        steps.extend(try_all(board, leaving))
    assert "hold +1 of any player and UNDO" in ending.value.hint
    assert not [step for step in steps if "player" in step.name], "nothing is said of its buttons"


def test_faults_are_planted_on_no_real_board() -> None:
    done = CliRunner().invoke(cli, ["bringup", "--port", "/dev/nothing", "--faults", "2"])
    assert done.exit_code == 2 and "a virtual board only" in done.stderr


def test_a_typed_answer_may_be_short_and_is_asked_again_when_it_is_none() -> None:
    import click

    @click.command()
    def ask() -> None:
        from cribboard.cli.doctor import AtTerminal

        click.echo(AtTerminal(False).ask("Do they?", ("red", "green", "none")))

    done = CliRunner().invoke(ask, input="x\nG\n")
    assert done.stdout.endswith("green\n") and "'x' is none of: red, green, none" in done.output


@pytest.mark.parametrize("sent", ["RGB", "RBG", "GRB", "GBR", "BRG", "BGR"])
@pytest.mark.parametrize("own", ["RGB", "RBG", "GRB", "GBR", "BRG", "BGR"])
def test_the_order_of_colours_follows_from_what_is_seen(sent: str, own: str) -> None:
    names = {"R": "red", "G": "green", "B": "blue"}
    seen = {names[letter]: names[own[sent.index(letter)]] for letter in "RGB"}
    assert order_of(sent, seen) == own


def test_holes_and_keys_have_the_names_that_people_use() -> None:
    assert [hole(led, 121, STREETS) for led in (0, 39, 40, 120)] == [
        "hole 1 (street 1, number 1 of it)",
        "hole 40 (street 1, number 40 of it)",
        "hole 41 (street 2, number 1 of it)",
        "the game hole",
    ]
    assert hole(40, 121) == "hole 41", "on a face that nobody has described"
    assert [key_name(key, 5) for key in range(5)] == [
        "+1 of player 1",
        "+5 of player 1",
        "OK of player 1",
        "UNDO",
        "DEAL",
    ]


GOOD = '{"at": "2026-03-02T00:00:00+00:00", "uid": "e661", "steps": [{"good": true, "what": "all is lit"}]}'


def test_what_is_no_report_of_this_board_is_not_taken_for_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    path = bring_up.report_file("e661")
    path.parent.mkdir()
    path.write_text(GOOD, encoding="utf-8")
    assert kept("e661") == "brought up on 2026-03-02: all was well"
    path.write_text(GOOD.replace("e661", "e662"), encoding="utf-8")
    assert kept("e661") == ""
    path.write_text(GOOD.replace("true", '"no"'), encoding="utf-8")
    assert kept("e661").endswith(": all is lit")


STEPS = [f'{{"at": "2026-03-02", "uid": "e661", "steps": {steps}}}' for steps in ("{}", '"x"', "null", "[]", "[3]")]


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"at": 1}', '{"at": "2026", "steps": [{}]}', *STEPS])
def test_a_damaged_report_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    path = bring_up.report_file("e661")
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    assert kept("e661") == ""


def test_a_strip_with_four_colours_is_recognised(new_board: VirtualBoard) -> None:
    class Rgbw(Builder):
        def ask(self, question: str, answers: Sequence[str]) -> str:
            answer = super().ask(question, answers)
            return "mixed" if "Which colour" in question else answer

    wrong = next(step for step in steps_of(new_board, Rgbw(new_board)) if step.name == "colours")
    assert wrong.what == "the first lights of track 1 have different colours"
    assert wrong.todo == "a strip with four colours (RGBW) cannot work; use WS2812B, which has three"
