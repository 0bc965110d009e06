"""The model of the protocol has no state with a wrong answer, and finds each mistake that is put back."""

from __future__ import annotations

import pytest
from faults.protocol import APART, HOLES, Rules, explore


@pytest.mark.long
def test_no_state_that_can_be_reached_is_wrong() -> None:
    result = explore(Rules(commands=(1, 1), presses=0))
    assert (result.wrong, result.way) == ("", [])
    assert result.states > 5000
    assert {"o+o", "o+n", "n+o", "n+n"} <= set(result.endings)


@pytest.mark.long
def test_so_it_is_with_a_port_for_each_host() -> None:
    result = explore(APART)
    assert (result.wrong, result.way) == ("", [])
    assert result.states > 30_000


@pytest.mark.parametrize("hole", HOLES)
def test_a_mistake_is_found(hole: str) -> None:
    assert explore(HOLES[hole]).wrong


def test_the_old_ids_give_an_ok_to_a_command_that_never_counted() -> None:
    result = explore(HOLES["ids wrap"])
    assert result.wrong == "host A was told that command 3 counted, and it never did"
    assert result.way.count("the board restarts") == 1
    assert sum("refused=True" in step and "sends" in step for step in result.way) == 2
