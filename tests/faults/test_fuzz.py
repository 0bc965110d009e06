"""Hostile input: what the fuzzer begins with, some of what it makes of it, and bugs that it has to find.

The fuzzer itself, which is guided by what an input reaches, is a command: see `fuzz`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from faults import fuzz
from faults.seeds import SEEDS, hostile
from faults.targets import TARGETS, empty_history

SOON = {  # seeds with which bugs are found at once; the others with three
    "cribboard.store.export_reader.as_whole": 9,
    "cribboard.store.export_reader.as_text": 16,
}
WORSE = 150  # inputs of each target made from its seeds
PLANTED = [
    ("wire", "cribboard_core.wire.MAX_FRAME", 1 << 20),
    ("link", "cribboard_fw.keeper.CardError", KeyError),
    ("link", "cribboard_fw.keeper.is_int", lambda value, low, high: True),
    ("host", "cribboard.board.link.is_plain", lambda item: True),
    ("host", "cribboard.board.follow.MOST_ASKED", 1 << 30),
    ("ledger", "cribboard.board.ledger.Pending.sound", True),
    ("settings", "cribboard_fw.settings._cut", str),
    ("cards", "cribboard_core.cards.quote", str),
    ("journal", "cribboard_core.game.check_setup", lambda *setup: None),
    ("batch", "cribboard.cli.count._pass_over", lambda source, line: None),
    ("bodies", "cribboard.service.orders.Unfit", KeyError),
    ("bodies", "cribboard.web.kiosk.ArgumentError", KeyError),
    ("history", "cribboard.store.export_reader.as_whole", lambda value, most, least=0: value),
    ("history", "cribboard.store.export_reader.as_text", lambda value, longest: value),
]


def inputs(name: str, worse: int, seed: int = 1) -> Iterator[bytes]:
    """The seeds of a target, and what chance makes of them."""
    chance = random.Random(f"{name} {seed}")
    yield from SEEDS[name]
    for _ in range(worse):
        data = chance.choice(SEEDS[name])
        for _ in range(chance.randrange(1, 5)):
            data = hostile(data, chance)
        yield data


def test_the_history_that_is_spoilt_is_taken_while_it_is_whole(tmp_path: Path) -> None:
    with closing(empty_history(tmp_path)) as store:
        assert store.import_json(SEEDS["history"][0].decode()).games == 2


@pytest.mark.parametrize("name", TARGETS)
def test_what_once_broke_something_is_borne(name: str) -> None:
    for data in SEEDS[name]:
        TARGETS[name](data)


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.long
def test_hostile_input_is_borne(name: str) -> None:
    for data in inputs(name, WORSE):
        try:
            TARGETS[name](data)
        except BaseException as error:
            raise AssertionError(f"{name} is broken by {data!r}") from error


@pytest.mark.parametrize(("name", "where", "bug"), PLANTED, ids=lambda value: value if isinstance(value, str) else "")
def test_a_planted_bug_is_found(name: str, where: str, bug: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(where, bug)
    for data in inputs(name, 10 * WORSE, SOON.get(where, 3)):
        try:
            TARGETS[name](data)
        except Exception:
            return
    raise AssertionError("the bug was not found")


def test_the_fuzzer_knows_all_targets() -> None:
    assert set(fuzz.NAMES) == set(TARGETS) == set(SEEDS)
