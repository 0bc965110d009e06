"""`cribboard learn`: lessons, questions, what is kept and what comes again."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rigs import hostile
from rigs.printed import printed
from rigs.typed import Typed

from cribboard.learning import SKILLS, AnswerError, Card, Claim, Hand, Progress, Throw, question
from cribboard_core.cards import parse_card, parse_cards
from cribboard_core.show import count

NOW = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return Typed(tmp_path, monkeypatch)


def test_a_learner_is_read_the_lesson_asked_and_told_what_was_missed(typed: Typed) -> None:
    output = typed("learn", "--codes", "--seed", "5", given="4\n6\nquit\n").stdout.splitlines()
    assert output[0] == "Lesson 1 of 9: Fifteens of two cards."
    assert "Count the hand TS 5C QS 6H with the starter KH." in output
    assert "It is 6, two more than you said; perhaps you left out one of the fifteens." in output
    assert "  fifteen six   5C TS" in output
    assert output.count("Lesson 1 of 9: Fifteens of two cards.") == 1  # asked again, as it was missed
    assert output[-2] in ("Next: fifteens of three cards and more.", "Next: fifteens of two cards.")
    assert output[-1] == "In a game against the computer, type hint to see what an expert would do."


def test_cards_are_said_in_words_unless_codes_are_wanted(typed: Typed) -> None:
    output = typed("learn", "fifteens", "--seed", "5", given="6\n").stdout
    assert "with the starter the king of hearts" in output
    refused = typed("learn", "discard", "--seed", "3", given="five of hearts and 9H\nq\nking\n").stderr
    assert "no queen fits here" in refused and "no king fits here" in refused  # a q ends no question about cards
    assert "five of hearts, nine of hearts are not both among three of clubs, " in refused


def test_what_is_no_answer_is_refused_and_asked_again(typed: Typed) -> None:
    result = typed("learn", "fifteens", "--codes", "--seed", "5", "-n", "1", given="x\n\nH\n6\n")
    assert "Error: nothing was typed; type a number, 0 for nothing" in result.stderr
    assert result.stdout.count("Lesson 1 of 9: Fifteens of two cards.") == 2, "H reads it again, as ? does"
    assert "Error: 'x' is not a number of points; type a number, 0 for nothing" in result.stderr
    assert "Right." in result.stdout.splitlines()


def test_answers_are_kept_for_the_next_time(typed: Typed, tmp_path: Path) -> None:
    typed("learn", "fifteens", "--seed", "5", "-n", "1", given="6\n")
    assert "Lesson 1" not in typed("learn", "fifteens", "--seed", "6", "-n", "1", given="0\n").stdout
    kept = [json.loads(line) for line in (tmp_path / "learned.jsonl").read_text("ascii").splitlines()]
    assert [entry["skill"] for entry in kept] == ["fifteens", "fifteens"]


def test_an_answer_that_cannot_be_read_is_named_and_left(typed: Typed, tmp_path: Path) -> None:
    path = tmp_path / "learned.jsonl"
    damaged = '{"skill":"fifteens","rating":9,"at":"2026-01-31T20:00:00+00:00"}\n'
    path.write_text(damaged, "ascii")
    said = typed("learn", "fifteens", "--seed", "5", given="6\nquit\n").stderr
    assert f"{path}, line 1, rating: 9 is not a number from 1 to 4" in said
    assert "such answers do not count; mend or delete their lines" in said
    assert path.read_text("ascii").startswith(damaged)


def test_for_programs_each_line_is_an_object(typed: Typed) -> None:
    entries = [
        printed(line) for line in typed("learn", "--json", "--seed", "5", "-n", "1", given="6\n").stdout.splitlines()
    ]
    assert [next(iter(entry)) for entry in entries] == ["lesson", "question", "right", "asked"]
    assert entries[2]["right"] and entries[2]["streak"] == 1


def test_a_right_count_is_pegged_on_the_board(typed: Typed) -> None:
    typed.play(2)
    typed("learn", "fifteens", "--seed", "5", "-n", "1", "--peg", "1", given="6\n")
    assert typed.firmware.scores == [6, 0]
    typed("learn", "fifteens", "--seed", "5", "-n", "1", "--peg", "1", given="4\n")
    assert typed.firmware.scores == [6, 0]


def test_every_skill_has_a_text(typed: Typed) -> None:
    output = typed("learn", "all", "--read").stdout
    for title in ("Points in the play.", "Muggins.", "The discard.", "Lesson 9 of 9: A hand of nothing."):
        assert title in output


def test_lessons_can_be_read_alone(typed: Typed) -> None:
    output = typed("learn", "--read").stdout
    assert output.count("Lesson ") == 9
    assert typed("learn", "trap", "--read").stdout.startswith("Lesson 7 of 9: The crib's trap.")


@pytest.mark.parametrize("skill", SKILLS)
def test_every_skill_has_questions_that_can_be_answered(skill: str) -> None:
    asked = question(skill, random.Random(2))
    assert asked.skill == skill
    if isinstance(asked, Throw):
        assert asked.graded(" ".join(asked.text.split()[2:4])).lines
    else:
        wrong = [points for points in range(30) if not asked.graded(str(points)).right]
        assert len(wrong) == 29
    with pytest.raises(AnswerError):
        asked.graded("many")


def test_in_the_play_the_seven_makes_a_run_of_five() -> None:
    asked = Card(parse_cards("8H 6C 4D 5S 7H"))
    assert "8 6 4 5 7" in asked.text
    assert asked.graded("5").right
    assert asked.graded("3").lines[0] == "It makes 5; the count is 30."


def test_what_is_missed_can_be_called_and_too_much_cannot() -> None:
    show = count(parse_cards("5H 6C 7D 8S"), parse_card("KH"))
    assert Claim(show, 6).graded("2").right
    assert Claim(show, 10).graded("0").right
    assert not Claim(show, 8).graded("2").right


def test_a_discard_is_graded_by_what_it_costs() -> None:
    asked = Throw(parse_cards("5H 5C 5D JS 2C 9D"), 0)
    assert asked.graded("2C 9D").right
    assert asked.graded("the two of clubs, 9 diamonds").right
    assert asked.graded("Two of clubs and the nine of diamonds").right
    graded = asked.graded("5H 5C")
    assert not graded.right
    assert "of the chance to win. Better: 2C 9D." in graded.lines[0]
    with pytest.raises(AnswerError, match="are not both among"):
        asked.graded("KC KD")


def test_what_is_missed_comes_before_something_new_and_what_is_known_comes_later(tmp_path: Path) -> None:
    progress = Progress.read(tmp_path / "answers")
    assert progress.next_of(("fifteens", "more"), NOW) == "fifteens"
    progress.answered("fifteens", False, 5, NOW)
    assert progress.next_of(("fifteens", "more"), NOW) == "fifteens"
    progress.answered("fifteens", True, 5, NOW)
    assert progress.next_of(("fifteens", "more"), NOW) == "fifteens"  # one right answer may be luck
    progress.answered("fifteens", True, 5, NOW)
    assert progress.next_of(("fifteens", "more"), NOW) == "more"
    progress.answered("more", True, 5, NOW)
    later = NOW + timedelta(days=400)
    assert progress.next_of(("fifteens", "more", "pairs"), later) in ("fifteens", "more")
    again = Progress.read(tmp_path / "answers")
    assert (again.due, again.streak) == (progress.due, 3)


def test_whatever_is_changed_in_an_answer_it_counts_or_is_said_to_be_none(tmp_path: Path) -> None:
    kept = {**Progress().answered("more", True, 5, NOW)}
    for path, changed in hostile.changes(kept):
        progress = Progress.of([kept, changed])
        assert progress.due.keys() >= {"more"}, path
        assert progress.streak + len(progress.damaged) == 2, path
        assert all(unfit.where[:2] == ("answer 2", path[0]) for unfit in progress.damaged), path
        assert progress.next_of(("more",), NOW) == "more"
    (tmp_path / "answers").write_text(f'{json.dumps(kept)}\n{{"skill":"pairs","rating":9,"at":"x"}}\n', "ascii")
    (damaged,) = Progress.read(tmp_path / "answers").damaged
    assert str(damaged) == "line 2, rating: 9 is not a number from 1 to 4"


def test_a_hand_is_a_question_of_its_lesson() -> None:
    assert Hand("nobs", count(parse_cards("JH 2C 3D 8S"), parse_card("QH"))).graded("5").points == 5
