"""Before a computer goes on, people have the time to call muggins; `games/computer-and-two.txt` shows how."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from cli.at_play import lines
from cli.test_play_undo import Slowly
from rigs.typed import Typed

from cribboard.cli.play_printer import Printer, Typist
from cribboard.cli.play_session import PlaySession
from cribboard.computer import levels
from cribboard.playing.session import Session
from cribboard.referee.options import read_options
from cribboard.referee.setup import Setup

RULES = ("--seed", "4", "--target", "61", "-o", "counting=manual", "-o", "muggins=on")
LAID = ("4S", "AC", "TC", "TD")  # of Ann and Bob, who misses the pair; then it is the turn of Cleo, a computer
SHOWN = (*LAID, "", "JC", "7C", "", "", "KD", "JD", "", "TS", "8S", "", "0", "0")


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    typed = Typed(tmp_path, monkeypatch)
    typed.play(3)
    return typed


@pytest.mark.parametrize(("keyed", "asked"), [(LAID, "card"), (SHOWN, "count")])
def test_what_a_person_missed_can_be_called_before_a_computer_goes_on(
    typed: Typed, keyed: tuple[str, ...], asked: str
) -> None:
    output = lines(typed, *keyed, "muggins Ann 2", words=("Ann", "Bob", "Cleo", "--computer", "Cleo", *RULES))
    call = output.index("> muggins Ann 2")
    assert output[call - 1] == f"Press Enter for Cleo's {asked}, or call muggins:"
    assert output[call + 1] == "Muggins: Ann takes two that Bob missed. Ann 2."
    assert output[call + 2].startswith("Cleo ")


def test_who_names_the_one_that_missed_is_told_to_name_the_one_that_calls(typed: Typed) -> None:
    words = ("Ann", "Bob", "Cleo", "--computer", "Cleo", *RULES)
    output = lines(typed, *LAID, "muggins Bob 2", "muggins Ann 2", words=words)
    assert output[output.index("> muggins Bob 2") + 1] == (
        "Bob's side scored that, so only an opponent can call it; type muggins Ann 2."
    )
    assert output[output.index("> muggins Ann 2") + 1] == "Muggins: Ann takes two that Bob missed. Ann 2."


def test_nobody_acts_for_the_computer_while_it_waits(typed: Typed) -> None:
    output = lines(typed, *LAID, "KS", "12", "L", words=("Ann", "Bob", "Cleo", "--computer", "Cleo", *RULES))
    for word in ("KS", "12"):
        assert f"'{word}' is not possible now; type Enter to let Cleo go on; H shows help." in output
    assert "The program knows what Cleo holds." in output


def test_what_a_computer_missed_can_be_called_before_another_one_goes_on(typed: Typed) -> None:
    alone = lines(typed, "4S", "TC", words=("Ann", "Bob", "Cleo", "--computer", "Bob", "--computer", "Cleo", *RULES))
    played = next(at for at, line in enumerate(alone) if line.startswith("Bob plays "))
    assert alone[played + 1] == "Press Enter for Cleo's card, or call muggins:"


def test_a_person_can_call_what_a_computer_missed_before_another_computer_does(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "sees_missed", lambda level, what: True)
    monkeypatch.setattr(levels, "claim_card", lambda level, pile: 0)
    words = ("Ann", "Bob", "Cleo", "--computer", "Bob", "--computer", "Cleo", *RULES, "--seed", "43")
    until = ("3H", "", "6D", "", "")  # Cleo, a computer, misses two; then it is Ann's turn
    hers = lines(typed, *until, "muggins Ann 2", words=words)
    assert hers[hers.index("> muggins Ann 2") + 1] == "Muggins: Ann takes two that Cleo missed. Ann 2."
    let_go = lines(typed, *until, "3H", "JC", words=("--new", *words))
    assert "Muggins: Bob takes two that Cleo missed. Bob 2." not in let_go[: let_go.index("> JC")]  # nor for a slip
    assert let_go[let_go.index("> JC") + 1 :][:2] == [
        "Muggins: Bob takes two that Cleo missed. Bob 2.",
        "Ann plays JC: ten.",
    ]


def test_computers_go_on_when_no_person_can_call(typed: Typed) -> None:
    everybody = [word for name in ("Ann", "Bob", "Cleo") for word in ("--computer", name)]
    alone = lines(typed, words=("Ann", "Bob", "Cleo", *everybody, *RULES))
    assert not [line for line in alone if line.startswith("Press Enter for Cleo's card")]
    assert sum(line.startswith("Cleo plays ") for line in alone)


def test_a_computer_goes_on_when_only_a_partner_could_call(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "sees_missed", lambda level, what: True)  # a learner may not notice
    typed.play(4)
    teams = (
        "Ann",
        "Bob",
        "Cleo",
        "Dev",
        "--teams",
        "2",
        "--computer",
        "Bob:learner",
        "--computer",
        "Dev:learner",
        *RULES,
    )
    output = lines(typed, "2H", "6S", "JS", words=(*teams, "--seed", "30"))
    laid = output.index("> JS")
    assert output[laid + 2] == "Muggins: Bob takes two that Ann missed. Bob and Dev 2."
    assert output[laid + 3].startswith("Bob plays ")


def test_the_time_of_a_count_does_not_run_while_a_computer_waits(
    typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    keyed = Slowly(*SHOWN, "wait 60", "")
    options = read_options(["counting=manual", "muggins=on", "time_limit=30"])
    setup = Setup(("Ann", "Bob", "Cleo"), (0, 1, 2), 0, 61, options, True, (2,))
    with typed.table.board() as board:
        session = Session.begin(board, setup, typed.table.folder)
        PlaySession(session, Printer(plain=True, codes=True), Typist(keyed), random.Random(4), lambda: keyed.now).run()  # type: ignore[arg-type]
        session.close()
    output = capsys.readouterr().out
    assert "and claims five." in output
    assert "Time is up" not in output


def test_how_long_a_count_may_take_is_said_where_it_is_asked_for(typed: Typed) -> None:
    words = ("Ann", "Bob", "Cleo", "--computer", "Cleo", *RULES, "-o", "time_limit=30")
    output = lines(typed, *SHOWN, words=words)
    counts = [line for line in output if ", count your hand: " in line]
    assert counts
    assert all(line.endswith("; you have 30 seconds") for line in counts)


def test_undo_goes_past_all_that_a_computer_counted_to_what_a_player_did(typed: Typed) -> None:
    """The kiosk and the pages ask for no Enter between its hand and its crib: the one would only come again."""
    words = ("Ann", "Bob", "Cleo", "--computer", "Cleo", *RULES)
    output = lines(typed, *SHOWN, "muggins Ann 2", "", "undo", words=words)
    after = [line for line in output[output.index("> undo") :] if line.startswith("Taken back: ")]
    assert [line.split(":")[1].split(",")[0][:20] for line in after[:2]] == [
        " Cleo shows the crib",
        " Cleo shows the hand",
    ]
