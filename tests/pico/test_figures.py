"""What the firmware takes on the emulated Pico stays within its goals."""

from __future__ import annotations

import pytest
from pico.emulator import MakePico
from pico.figures import Figure, Figures


@pytest.fixture(scope="module")
def figures(pico_with: MakePico) -> Figures:
    """Each part is measured when the first test asks for it."""
    return Figures(pico_with)


def missed(figures: list[Figure]) -> list[str]:
    print(*figures, sep="\n")
    return [str(figure) for figure in figures if not figure.reached]


def test_it_is_lit_within_three_seconds(figures: Figures) -> None:
    assert missed(figures.boot) == []


def test_memory_lasts_and_counting_is_quick(figures: Figures) -> None:
    assert missed(figures.memory) == []


def test_memory_lasts_an_evening_of_six_sides(figures: Figures) -> None:
    assert missed(figures.six_sides) == []


def test_a_press_is_on_the_strip_in_time_and_shows_run_smoothly(figures: Figures) -> None:
    assert missed(figures.presses) == []


def test_a_command_is_answered_and_shown_in_time(figures: Figures) -> None:
    assert missed(figures.commands) == []


def test_a_show_runs_on_and_nothing_is_lost_while_buttons_and_host_are_at_it(figures: Figures) -> None:
    assert missed(figures.burst) == []


def test_an_erase_is_short(figures: Figures) -> None:
    assert missed(figures.erases) == []


def test_no_step_is_long(figures: Figures) -> None:
    assert missed(figures.steps) == []
