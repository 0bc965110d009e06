"""Descriptions with random mistakes: each is refused in words, or is a board that everything can be made of."""

from __future__ import annotations

import random

import pytest

from cribboard.hardware import controllers
from cribboard.hardware.case import Case
from cribboard.hardware.checks import mistakes
from cribboard.hardware.circuit import circuit
from cribboard.hardware.description import DescriptionError, read
from cribboard.hardware.drawing import drawing
from cribboard.hardware.electricity import check
from cribboard.hardware.guide import form, pictures
from cribboard.hardware.shape import Layout
from hardware.boards import HARDWARE, READY

TIMES = 100
VALUES = (
    "0", "1", "-1", "2.5", "7", "13", "61", "99", "3000", "1e9", "nan", "inf", "true", '""', '"GP2"', '"x"', "[]",
    "[2]", "[[]]", '["GP4"]', "[1, 1]", "[0.001, 3000]", '"streets"', '"oval"', '"29"', '"5mm"', '"30/m"', '"5v"',
)  # fmt: skip


def mutated(seed: int) -> str:
    """A ready description after one to three changes of its lines."""
    chance = random.Random(seed)
    lines = (HARDWARE / chance.choice(READY)).read_text(encoding="utf-8").splitlines()
    for _ in range(chance.randint(1, 3)):
        at = chance.choice([number for number, line in enumerate(lines) if line and not line.startswith("#")])
        key, equals, _ = lines[at].partition("=")
        kind = chance.randrange(5)
        if kind < 3 and equals:
            lines[at] = f"{key}= {chance.choice(VALUES)}"
        elif kind == 3:
            del lines[at]
        else:
            lines.insert(at, lines[chance.randrange(len(lines))])
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(TIMES))
def test_a_mutated_description_is_refused_in_words_or_can_be_made(seed: int) -> None:
    try:
        board = read(mutated(seed))
    except DescriptionError as error:
        assert str(error).startswith("board.toml") and len(str(error)) < 3000
        return
    layout = Layout(board)
    findings = [*mistakes(layout), *check(board, controllers.known(board.controller)), *Case(layout).mistakes()]
    assert all(finding.where and finding.said and finding.advice for finding in findings)
    if not any(finding.wrong for finding in findings):
        assert drawing(layout) and Case(layout).plates() and form(board)
        controller = controllers.known(board.controller)
        assert not controller or pictures(layout, circuit(board, controller))


def test_both_kinds_are_among_them() -> None:
    refused = 0
    for seed in range(TIMES):
        try:
            read(mutated(seed))
        except DescriptionError:
            refused += 1
    assert TIMES // 4 < refused < TIMES
