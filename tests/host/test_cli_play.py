"""`cribboard play`: golden play-throughs that a person can read, and a real terminal that may be lost at any time.

The files in `games` show what is typed (behind `> `) and everything that is said. To write one anew, leave its first
line and what is typed, and run `python -m host.test_cli_play` in `tests`.
"""

from __future__ import annotations

import json
import os
import pty
import random
import re
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from host.typed import Typed

from cribboard.cli import desk as desk_module
from cribboard.cli import teller as teller_module
from cribboard.cli.desk import Desk
from cribboard.cli.teller import Teller
from cribboard.playing.session import Session
from cribboard.referee.options import read_options
from cribboard.referee.setup import Setup
from cribboard_core.events import NEW, PEG, UNDO

GAMES = Path(__file__).parent / "games"
PATIENCE_S = 30


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return Typed(tmp_path, monkeypatch)


def play_through(typed: Typed, script: str) -> str:
    """What a script that shows what is typed comes to, in the same form."""
    first, _, rest = script.partition("\n")
    keyed = [line[2:] for line in rest.splitlines() if line.startswith("> ")]
    result = typed(*shlex.split(first)[2:], given="\n".join(keyed) + "\n")
    return f"{first}\n{result.stdout}"


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.txt")), ids=lambda path: path.stem)
def test_a_game_goes_as_the_file_tells(typed: Typed, path: Path) -> None:
    script = path.read_text("utf-8")
    players = re.search(r"^\$ cribboard play ((?:[A-Z]\w* )+)", script)
    assert players
    typed.play(len(players[1].split()))
    assert play_through(typed, script) == script


def lines(typed: Typed, *keyed: str, words: tuple[str, ...] = ()) -> list[str]:
    """All that is said when these lines are typed."""
    return typed("play", *words, given="".join(f"{line}\n" for line in keyed)).stdout.splitlines()


def answers(told: list[str]) -> list[str]:
    """What is said, without questions and what was typed."""
    return [line for line in told if not line.startswith("> ") and not line.endswith(":")]


TWO = ("Ann", "Bob")
KEPT = "The game is kept; `cribboard play` goes on with it."


def test_a_game_is_left_and_gone_on_with(typed: Typed) -> None:
    assert answers(lines(typed, "Ann", "JS", "5C", words=TWO))[-1] == KEPT
    told = answers(lines(typed, "TD"))
    assert told == [
        "The game goes on.",
        "Ann 2, Bob 0; the game is to 121.",
        "The crib is Ann's.",
        "It is Ann's turn to play.",
        "Bob plays 5C: five.",
        "Ann plays TD: fifteen for two. Ann 4.",
        KEPT,
    ]
    assert typed.firmware.scores == [4, 0]


def test_a_game_that_is_on_is_not_thrown_away_by_a_slip(typed: Typed) -> None:
    lines(typed, "Ann", "JS", words=TWO)
    told = typed.error("play", "Cleo", "Dev", exit_code=2)
    assert "a game is on: Ann 2, Bob 0; the game is to 121." in told
    assert "--new begins another in its place" in told
    assert "A game to 121 between Cleo and Dev." in lines(typed, words=("Cleo", "Dev", "--new"))


def test_without_names_the_players_are_those_of_the_board(typed: Typed) -> None:
    assert lines(typed)[0] == "A game to 121 between Orange and Blue."
    typed("new", "Ann", "Bob", "--target", "61")
    assert lines(typed, words=("--new",))[0] == "A game to 61 between Ann and Bob."


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("Ann",), "cribbage is for 2 to 6 players, not 1"),
        (("Ann", "Ann"), "two sides cannot both be called 'Ann'"),
        (("Ann", "Bob", "--teams", "2"), "2 players cannot make 2 teams"),
        (("Ann", "Bob", "-o", "mugins=on"), "there is no option 'mugins'"),
        (("Ann", "Bob", "--computer", "Cleo"), "there is no player 'Cleo'"),
    ],
)
def test_a_table_that_cannot_be_is_refused(typed: Typed, words: tuple[str, ...], why: str) -> None:
    assert why in typed.error("play", *words, exit_code=2)


def test_the_options_are_listed_with_their_defaults(typed: Typed) -> None:
    told = typed.says("play", "--options").splitlines()
    assert len(told) == 11
    assert told[0].startswith("counting=auto  (auto or manual)  ")
    assert typed.asked == []


def test_state_tells_the_options_of_a_refereed_game(typed: Typed) -> None:
    assert typed.entry("state")["referee"] is None
    lines(typed, "Ann", "JS", words=(*TWO, "-o", "counting=manual", "-o", "muggins=on"))
    assert "Refereed with counting=manual muggins=on; `cribboard play` goes on." in typed.says("state")
    told = typed.entry("state")["referee"]
    assert (told["options"]["muggins"], told["options"]["steal"], told["starter"]) == (True, False, "JS")
    typed("new")
    assert typed.entry("state")["referee"] is None
    assert "Refereed" not in typed.says("state")


@pytest.mark.parametrize(
    ("keyed", "why"),
    [
        (["5H 6H 7H"], "5H 6H 7H is not a card for each of Ann, Bob; each cuts one."),
        (["Cleo"], "There is no side 'Cleo'; the sides are 1 orange (Ann), 2 blue (Bob)."),
        ([""], "Nothing was typed; type the 2 cards cut for the deal, or the name of who deals first; H is help."),
        (["new"], "'new' is nothing that can be done now; type the 2 cards cut"),
        (["go"], "'go' is nothing that can be done now"),
        (["undo"], "There is nothing to take back in this game."),
        (["Ann", "5H 6H"], "'5H 6H' is 2 cards; type the starter, like 5H; H is help."),
        (["Ann", "1H"], "'1H' is not a card; write a rank"),
        (["Ann", "JS", ""], "Nothing was typed; type a card, like 5H, or go; H is help."),
        (["Ann", "JS", "JS"], "JS is the starter or out of play; a pack has each card once."),
        (["Ann", "JS", "5H 2"], "The program counts; play a card without points"),
        (["Ann", "JS", "go"], "Bob cannot say go at 0; every card fits, and who can play must."),
        (["Ann", "JS", "go now"], "That is not all, or too much; type it like: go."),
        (["Ann", "JS", "penalty Bob"], "That is not all, or too much; type it like: penalty Bob 2"),
        (["Ann", "JS", "penalty Bob two"], "'two' is not a number of points; type it in digits, like 12."),
        (["Ann", "JS", "penalty Bob 2 forward"], "'forward' is not back; type it like: penalty Bob 2 back."),
        (["Ann", "JS", "muggins 2"], "Muggins is not played here; it is the option muggins."),
        (["Ann", "JS", "board"], "The board has this game's score already."),
        (["Ann", "JS", "deal"], "This deal is not over."),
        (["Ann", "JS", "set Bob 130"], "Pegs at 130 and 0; they lie from 0 to 121, the back one behind."),
        (["Ann", "JS", "5H\x00"], "is not a card"),
    ],
)
def test_what_is_wrong_is_told_with_what_can_be_typed(typed: Typed, keyed: list[str], why: str) -> None:
    told = answers(lines(typed, *keyed, words=TWO))
    assert why in told[-2]
    assert told[-1] == KEPT


def test_what_went_wrong_at_the_table_can_be_typed(typed: Typed) -> None:
    keyed = ("misdeal", "JS", "penalty Bob 2", "penalty ann 1 back", "set bob 57", "set bob 50 40", "quit", "never")
    told = answers(lines(typed, "Ann", *keyed, words=TWO))
    assert told[-7:] == [
        "The starter is JS.",
        "A jack: nibs for Ann, two. Ann 2.",
        "Penalty for Bob: 2 for every other side. Ann 4.",
        "Penalty: Ann back 1. Ann 3.",
        "Bob: set to 57. Bob 57.",
        "Bob: set to 50. Bob 50.",
        KEPT,
    ]
    assert typed.firmware.match.back(1) == 40


def test_a_game_that_is_won_can_be_reopened_disputed_and_followed_by_another(typed: Typed) -> None:
    keyed = ("Ann", "steal Bob", "5C", "set Ann 61", "undo", "set Bob 61", "false Bob 40", "set Bob 61", "new", "JS")
    told = answers(lines(typed, *keyed, words=(*TWO, "--target", "61", "-o", "steal=on")))
    for said in (
        "Bob has stolen the deal; the crib is Bob's.",
        "Ann: set to 61. Ann 61.",
        "Ann wins with 61. Bob has 0, skunked. Games won: Ann 1, Bob 0.",
        "Taken back: Ann: set to 61. Ann 0.",
        "A false claim of game: the true score of Bob is 40. Ann 21, Bob 40.",
        "New game to 61: Ann deals first.",
        "A jack: nibs for Ann, two. Ann 2.",
    ):
        assert said in told


def test_buttons_that_are_pressed_meanwhile_are_said(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    presses = [(PEG, 1, 3, 0, 0), (UNDO, 0, 0, 3, 0)]

    def hear(self: Any, seconds: float = 0.0, real: Any = desk_module.Session.hear) -> None:
        if presses and self.referee.phase == "play":
            typed.firmware.keeper.do(presses.pop(0))
        real(self, seconds)

    monkeypatch.setattr(desk_module.Session, "hear", hear)
    told = answers(lines(typed, "Ann", "JS", "5C", "6C", words=TWO))
    assert "On the board: Bob pegs 3: 3." in told
    assert "On the board: undo. Ann 2, Bob 0." in told
    assert typed.firmware.scores == [2, 0]


def test_a_game_that_is_won_by_buttons_is_said_to_be_won(typed: Typed) -> None:
    lines(typed, "Ann", "JS", words=(*TWO, "--target", "61"))
    typed.firmware.keeper.do((PEG, 1, 40, 0, 0))
    typed.firmware.keeper.do((PEG, 1, 40, 0, 0))
    told = answers(lines(typed, "new"))
    assert "On the board: Bob pegs 40." in told
    assert "On the board: Bob pegs 40: 61." in told
    assert "Bob wins with 61. Ann has 2, skunked. Games won: Ann 0, Bob 1." in told
    assert "New game to 61: Ann deals first." in told


def test_what_was_pressed_is_taken_back_before_the_newest_card(typed: Typed) -> None:
    lines(typed, "Ann", "JS", "5C", words=TWO)
    typed.firmware.keeper.do((PEG, 1, 3, 0, 0))
    told = answers(lines(typed, "undo", "undo"))
    assert "Taken back: what happened on the board. Bob 0." in told
    assert "Taken back: Bob plays 5C: five." in told


def test_a_game_that_nothing_happened_in_begins_on_whatever_the_board_has(typed: Typed) -> None:
    lines(typed, words=TWO)
    typed.firmware.wipe()
    typed.firmware.keeper.do((PEG, 1, 3, 0, 0))
    assert "New game to 121: Ann deals first." in lines(typed, "Ann")
    assert typed.firmware.scores == [0, 0]


def test_a_new_game_on_the_board_ends_it_and_says_so(typed: Typed) -> None:
    lines(typed, "Ann", "JS", words=TWO)
    typed("new")
    gone_on = typed("play", given="")
    assert gone_on.stderr.endswith("The board has begun another game, so the one that was left is put aside.\n")
    assert gone_on.stdout.splitlines()[0] == "A game to 121 between Ann and Bob."
    assert len(list(typed.table.folder.rglob("play.jsonl.before"))) == 1
    lines(typed, "Ann", "JS", words=("--new", *TWO))
    done: list[int] = []

    def hear(self: Any, seconds: float = 0.0, real: Any = desk_module.Session.hear) -> None:
        if self.referee.phase == "play" and not done:
            done.append(typed.firmware.keeper.do((NEW, 0, 91, 3 | 2 << 6 | 2 << 9, 61)))
        real(self, seconds)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk_module.Session, "hear", hear)
        told = lines(typed, "5C", "6C")
    assert told[-1] == "The board has begun another game, so this one is put aside."


def test_undo_does_not_deal_anew_in_a_second_game(typed: Typed) -> None:
    words = (*TWO, "--computer", "Bob", "--seed", "1")
    told = lines(typed, "set Ann 121", "new", "undo", "l", words=words)
    assert not any(line.startswith("Taken back") for line in told)
    asked = [
        line for line in told[told.index("New game to 121: Bob deals first.") :] if line.startswith("Ann lays two")
    ]
    assert len(set(asked)) == 1


def test_a_board_with_another_score_offers_two_ways_out(typed: Typed) -> None:
    for word, scores in (("board", [5, 7]), ("mine", [2, 0])):
        lines(typed, "Ann", "JS", words=(*TWO, "--new"))
        typed.firmware.wipe()
        typed.firmware.keeper.do((NEW, 0, 91, 3 | 2 << 6 | 2 << 9, 61))
        typed.firmware.keeper.do((PEG, 0, 5, 0, 0))
        typed.firmware.keeper.do((PEG, 1, 7, 0, 0))
        told = lines(typed, "5C", "s", word, "5C")
        assert any("; the board has Ann 5, Bob 7; type board or mine:" in line for line in told)
        assert any("`board` takes the board's score, `mine` gives it this one" in line for line in told)
        assert f"Ann {scores[0]}, Bob {scores[1]}; the game is to 121." in told
        assert typed.firmware.scores == scores


class Slowly:
    """Lines that are typed at once, but the clock goes on by so many seconds before a `wait`."""

    seen = True

    def __init__(self, *keyed: str) -> None:
        self.keyed = list(keyed)
        self.now = 0.0

    def get(self, seconds: float) -> str | None:
        line = self.keyed.pop(0) if self.keyed else None
        if line is not None and line.startswith("wait "):
            self.now += float(line[5:])
            raise desk_module.queue.Empty
        return line


def test_when_the_time_is_up_the_hand_is_counted(typed: Typed, capsys: pytest.CaptureFixture[str]) -> None:
    cards = ("5C", "TD", "5D", "6C", "4H", "go", "go", "7H", "8S", "9H")
    keyed = Slowly("Ann", "JS", *cards, "wait 29", "6", "wait 29", "wait 2", "2C 3C AC KC", "wait 29", "7")
    setup = Setup(("Ann", "Bob"), (0, 1), 0, 121, read_options(["counting=manual", "time_limit=30"]))
    with typed.table.board() as board:
        session = Session.begin(board, setup, typed.table.folder)
        Desk(session, Teller(), keyed, random.Random(1), lambda: keyed.now).run()  # type: ignore[arg-type]
        session.close()
    told = capsys.readouterr().out
    assert "Bob's hand 5C 5D 4H 8S with JS: fifteen two, fifteen four, and a pair for six. Bob 7." in told
    assert "Time is up for Ann: the hand counts five, and three stay. Ann 6." in told
    assert "The other two go to Bob. Bob 9." in told
    assert "and a run of three for seven. Ann 13." in told


def test_as_json_a_line_is_an_object(typed: Typed) -> None:
    told = [json.loads(line) for line in lines(typed, "Ann", "JS", "JS", "c", words=(*TWO, "--json"))]
    assert all(set(entry) == {"said", "error", "state"} for entry in told)
    assert told[-3]["error"].startswith("JS is the starter")
    assert told[-2]["said"] == ["The count is nought."]
    assert told[-1]["state"]["scores"] == [2, 0]


def test_colours_are_seen_only_where_they_are_wanted(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(teller_module.click, "echo", shown.append)
    for plain, no_colour in ((False, False), (True, False), (False, True)):
        if no_colour:
            monkeypatch.setenv("NO_COLOR", "1")
        Teller(plain=plain).tell([("Ann pegs.", 0), ("Hm.", -1)], None)  # type: ignore[arg-type]
    assert shown == ["\x1b[38;2;230;159;0mAnn pegs.\x1b[0m", "Hm.", *["Ann pegs.", "Hm."] * 2]


# A real terminal


class Terminal:
    """The command on a terminal of its own, with the virtual board."""

    def __init__(self, home: Path, *words: str) -> None:
        self.ours, theirs = pty.openpty()
        environment = {**os.environ, "CRIBBOARD_HOME": str(home), "TERM": "xterm", "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "cribboard", "play", *words]
        self.running = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
        )
        os.close(theirs)
        self.text = ""

    def until(self, words: str) -> str:
        """All that has been shown when these words are."""
        end = time.monotonic() + PATIENCE_S
        while words not in self.text:
            assert select.select([self.ours], [], [], max(0, end - time.monotonic()))[0], self.text
            try:
                self.text += os.read(self.ours, 65536).decode()
            except OSError:
                break
        assert words in self.text, self.text
        return self.text

    def type(self, line: str, then: str) -> str:
        self.text = ""
        os.write(self.ours, line.encode() + b"\n")
        return self.until(then)

    def end(self) -> int:
        os.close(self.ours)
        try:
            return self.running.wait(PATIENCE_S)
        finally:
            self.running.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="the virtual board needs pseudo-terminals")
def test_a_terminal_that_is_lost_or_a_program_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "Ann", "Bob", "--plain")
    terminal.until("or who deals:\r\n> ")
    terminal.type("ann", "turns up the starter:\r\n> ")
    terminal.type("js", "Bob plays at 0:\r\n> ")
    terminal.type("5c", "Ann plays at 5:\r\n> ")
    assert "Ann plays TH: fifteen for two. Ann 4." in terminal.type("th", "Bob plays at 15:\r\n> ")
    os.kill(terminal.running.pid, signal.SIGKILL)
    assert terminal.end() == -signal.SIGKILL

    terminal = Terminal(tmp_path, "--plain")
    assert "Ann 4, Bob 0; the game is to 121." in terminal.until("Bob plays at 15:\r\n> ")
    terminal.type("5d", "Ann plays at 20:\r\n> ")
    os.close(terminal.ours)  # the terminal is gone
    terminal.ours = os.open(os.devnull, os.O_RDONLY)
    assert terminal.running.wait(PATIENCE_S) in (0, 1, 130, -signal.SIGHUP)
    terminal.end()

    terminal = Terminal(tmp_path, "--plain")
    terminal.until("Ann plays at 20:\r\n> ")
    terminal.text = ""
    os.kill(terminal.running.pid, signal.SIGINT)
    assert "The game is kept" in terminal.until("goes on with it.")
    assert terminal.end() == 130

    terminal = Terminal(tmp_path)
    terminal.until("> ")
    assert "\x1b[38;2;230;159;0mAnn plays 5S: twenty-five, a pair for two. Ann 6." in terminal.type("5s", "plays at 25")
    terminal.type("quit", "goes on with it.")
    assert terminal.end() == 0


def test_a_game_that_is_won_is_in_the_record_of_results_once(typed: Typed) -> None:
    words = ("Cleo", "Dev", "--target", "61", "--computer", "Cleo", "--computer", "Dev", "--seed", "5")
    lines(typed, words=words)
    lines(typed, "s")
    told = typed("sheet").stdout.splitlines()
    assert [line.split()[1:3] for line in told[1:]] == [["Cleo", "1"], ["Dev", "1"]]


if __name__ == "__main__":
    for path in GAMES.glob("*.txt"):
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            patch.setenv("CRIBBOARD_HOME", folder)
            typing = Typed(Path(folder), patch)
            script = path.read_text("utf-8")
            typing.play(len([word for word in script.splitlines()[0].split()[3:] if word[:1].isupper()]))
            path.write_text(play_through(typing, script), "utf-8")
