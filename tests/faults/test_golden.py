"""A handful of games at the terminal and on phones; and that a new difference is found."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from faults import golden
from faults.golden import INTENDED, Game, Result, explained, run


@pytest.mark.unmeasured
@pytest.mark.long
def test_a_game_at_the_terminal_and_on_phones_differs_only_in_what_is_listed() -> None:
    result = run(4, 1)
    assert result.games == 4
    assert result.acts > 200
    assert [str(step) for step in result.wrong] == []


def test_a_new_difference_is_found_with_its_seed_and_its_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden.Phones, "order", _half(golden.Phones.order))
    wrong = run(4, 1).wrong
    assert wrong
    assert str(wrong[0]).startswith("game ")
    assert "act " in str(wrong[0])
    assert "terminal (" in str(wrong[0])


def test_every_difference_has_a_name_of_its_own_and_a_reason() -> None:
    names = [one.name for one in INTENDED]
    assert len(names) == len(set(names))
    assert all(len(one.reason) > 20 for one in INTENDED)


def test_a_difference_in_one_field_does_not_explain_another(tmp_path: Path) -> None:
    with Game(tmp_path, 1) as game:
        step = next(game.steps())
    apart = replace(step, phones=replace(step.phones, dealer=5), gone=frozenset({1}))
    assert explained(apart)[1] == ["dealer"]


@pytest.mark.unmeasured
def test_an_unpaid_one_for_a_go_explains_an_open_claim_until_the_next_card(tmp_path: Path) -> None:
    with Game(tmp_path, 170) as game:
        steps = list(game.steps())
    (first,) = [at for at, step in enumerate(steps) if step.unpaid]
    after = next(at for at, step in enumerate(steps) if at > first and step.act[0] == "play")
    assert [at for at, step in enumerate(steps) if step.unpaid_open] == list(range(first, after))
    assert [explained(step)[1] for step in steps if "open" in step.apart() and step.unpaid_open] == [[]] * (
        after - first
    )


@pytest.mark.parametrize(("wrong", "status"), [(False, 0), (True, 1)])
def test_the_command_fails_when_something_is_wrong(
    wrong: bool, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Game(tmp_path, 1) as game:
        step = next(game.steps())
    result = Result(games=1, acts=1, wrong=[step] if wrong else [])
    monkeypatch.setattr(golden, "run", lambda *asked: result)
    monkeypatch.setattr(sys, "argv", ["golden"])
    assert golden.main() == status


def _half(order: object) -> object:
    def halved(phones: golden.Phones, seat: int, do: str, **fields: object) -> None:
        if do == "play" and fields.get("claim") == 2:
            fields["claim"] = 1
        order(phones, seat, do, **fields)  # type: ignore[operator]

    return halved
