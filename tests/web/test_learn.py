"""The trainer's API: questions that can be asked again, answers that are graded, and what is no answer."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest
from web.rig import Rig

from cribboard.learning import SKILLS, question
from cribboard_core.cards import card_name


@pytest.fixture
def asks(rig: Rig):
    guest = rig.browser()

    def ask(which="count", answers=()):
        return guest.post("/api/learn/question", {"set": which, "answers": list(answers)})

    def answer(asked, typed, more=None):
        body = {"skill": asked["skill"], "seed": asked["seed"], "typed": typed, "seconds": 5, **(more or {})}
        return guest.post("/api/learn/answer", body)

    ask.answer = answer
    return ask


def right_answer(asked):
    show = question(asked["skill"], random.Random(asked["seed"])).show
    return str(show.points)


def test_a_new_learner_begins_with_the_first_lesson_and_goes_on_when_it_is_known(asks):
    first = asks().json()
    assert (first["skill"], first["new"], len(first["cards"])) == ("fifteens", True, 5)
    assert first["lesson"][0].startswith("Your hand has four cards")
    graded = asks.answer(first, right_answer(first)).json()
    assert graded["right"]
    assert graded["lines"][0] == "Right."
    second = asks(answers=[graded["kept"]]).json()
    assert (second["skill"], second["new"], second["streak"]) == ("fifteens", False, 1)  # it may have been luck
    third = asks(answers=2 * [graded["kept"]]).json()
    assert (third["skill"], third["streak"]) == ("more", 2)


def test_what_was_missed_is_explained_and_comes_again(asks):
    first = asks().json()
    graded = asks.answer(first, str(int(right_answer(first)) - 2)).json()
    assert not graded["right"]
    assert "two more than you said" in graded["lines"][0]
    assert any("fifteen two" in line for line in graded["lines"])
    again = asks(answers=[graded["kept"]]).json()
    assert (again["skill"], again["new"]) == ("fifteens", False)


@pytest.mark.parametrize("which", ["play", "muggins", "discard", "all"])
def test_every_drill_names_its_cards_in_words(asks, which):
    asked = asks(which).json()
    assert asked["skill"] in SKILLS
    assert len(asked["cards"]) >= 2
    own = question(asked["skill"], random.Random(asked["seed"]))
    assert asked["cards"] == [card_name(card) for card in own.cards]
    typed = " ".join(asked["cards"][:2]) if which == "discard" else "0"
    assert asks.answer(asked, typed).json()["lines"]


def test_what_is_no_answer_is_refused_in_words(asks):
    asked = asks().json()
    refused = asks.answer(asked, "many")
    assert refused.status_code == 400
    assert "'many' is not a number of points" in refused.json()["error"]["message"]
    for more in ({"seed": -1}, {"seed": True}, {"seconds": 10**9}, {"typed": "1" * 99}, {"skill": "poker"}, {"x": 1}):
        assert asks.answer(asked, "2", more).json()["error"]["code"] == "learn"


def test_answers_that_a_phone_makes_up_do_no_harm(asks):
    now = datetime.now(UTC)
    odd = [
        {"skill": "fifteens", "rating": rating, "at": at}
        for rating in (1, 4, 9, "x", None)
        for at in (
            now.isoformat(),
            "0001-01-01T00:00:00+00:00",
            (now + timedelta(days=9)).isoformat(),
            "9999-12-31T23:59:59+00:00",
            "now",
            "2020-01-01T00:00:00",
            7,
        )
    ]
    assert asks(answers=[*odd, *reversed(odd), {}]).json()["skill"] in SKILLS
    assert asks(answers=[1]).status_code == asks(answers=[{}] * 151).status_code == asks("poker").status_code == 400
