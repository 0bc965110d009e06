"""Bodies that somebody else would have liked to see parsed."""

from __future__ import annotations

import pytest
from web.rig import PIN

from cribboard.web.json_body import DEEPEST, parse_entry
from cribboard.web.problem import Problem

BAD = {
    b"": "expecting value",
    b"[]": "not an object",
    b"7": "not an object",
    b'{"a":1,"a":2}': "twice",
    b'{"a":{"b":1,"b":2}}': "twice",
    b'{"a":NaN}': "NaN is not a number",
    b'{"a":-Infinity}': "not a number",
    b'{"a":' + b"9" * 5000 + b"}": "too long",
    b'{"a":"\\ud800"}': "UTF-8",
    b"\xff\xfe{}": "UTF-8",
    b'{"a":' + b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1) + b"}": "too deep",
    b'{"a":' * 5000: "too deep",
    b"[" * 8000: "too deep",
    b'{"token": "x"': "expecting",
}


@pytest.mark.parametrize(("data", "why"), BAD.items(), ids=lambda value: repr(value)[:30])
def test_what_is_no_plain_object_is_refused_with_the_reason(data, why):
    with pytest.raises(Problem) as refused:
        parse_entry(data)
    assert (refused.value.status, refused.value.code) == (400, "json")
    assert why in refused.value.message


def test_as_deep_as_may_be_is_taken():
    assert parse_entry(b'{"a":' + b"[" * (DEEPEST - 1) + b"]" * (DEEPEST - 1) + b"}")
    assert parse_entry('{"name":"Ännchen ♥"}'.encode()) == {"name": "Ännchen ♥"}


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_form_can_send_is_no_order(rig, kind):
    answer = rig.browser().ask("POST", "/api/staff", content=b'{"pin": "1"}', headers={"Content-Type": kind})
    assert answer.status_code == 415


def test_a_long_body_is_refused_whatever_its_head_says(rig):
    browser = rig.browser()
    assert browser.post("/api/pair", {"token": "x" * 20000}).status_code == 413
    headers = {"Content-Type": "application/json", "Content-Length": "12"}
    long = browser.ask("POST", "/api/pair", content=b'{"token": "' + b"x" * 20000 + b'"}', headers=headers)
    assert long.status_code == 413


@pytest.mark.parametrize("name", [None, 7, "", "x" * 21, "\u202e", "orange", "\x1b[2J"])
def test_a_table_is_called_what_can_be_a_name(rig, name):
    answer = rig.staff().post("/api/boards/1", {"name": name})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "name")


def test_a_table_gets_another_name(rig, house):
    assert rig.staff().post("/api/boards/2", {"name": " Snug "}).json() == {"name": "Snug"}
    assert house.register.place("sim:web-two").name == "Snug"
    house.rename(2, "Table 2")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"cards": "5H5C5SJD", "starter": "5D"},
        {"cards": ["5H", "5C", "5S"], "starter": "5D"},
        {"cards": ["5H", "5C", "5S", "JD"]},
        {"cards": ["5H", "5C", "5S", "JD"], "starter": "JD"},
        {"cards": ["5H", "5C", "5S", "JD"], "starter": "5D", "crib": "yes"},
        {"cards": ["5H", "5C", "5S", "JD"], "starter": "5D", "more": 1},
        {"cards": [["5H"]] * 4, "starter": None},
    ],
)
def test_what_cannot_be_counted_is_refused_in_words(rig, body):
    answer = rig.browser().post("/api/count", body)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"]


def test_a_hand_is_counted_part_by_part(rig):
    body = {"cards": ["5H", "5C", "5S", "JD"], "starter": "5D", "crib": False}
    counted = rig.browser().post("/api/count", body).json()
    assert counted["points"] == 29
    assert sum(part["points"] for part in counted["parts"]) == 29


def test_an_order_that_is_none_is_refused(rig):
    player = rig.player()
    for body in (
        {},
        {"do": "peg"},
        {"do": "shutdown"},
        {"do": ["peg"]},
        {"do": "peg", "side": 1, "points": 1, "key": "k"},
    ):
        answer = player.post("/api/boards/1/orders", body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "order")


def test_the_same_key_counts_once(rig):
    player = rig.player()
    order = {"key": "k" * 20, "do": "peg", "side": 2, "points": 2}
    first, second = (player.post("/api/boards/1/orders", order).json() for _ in range(2))
    assert first["rev"] == second["rev"]


def test_a_right_pin_is_taken_after_wrong_bodies(rig):
    browser = rig.browser()
    for body in ({}, {"pin": 1}, {"pin": [PIN]}):
        assert browser.post("/api/staff", body).status_code == 400
    assert browser.post("/api/staff", {"pin": PIN}).status_code == 200
