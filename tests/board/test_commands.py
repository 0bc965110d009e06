"""Commands of the wire as a user would type them."""

import pytest

from cribboard.board.commands import back_peg, said
from cribboard.errors import ArgumentError
from cribboard_core.events import PEG
from cribboard_core.match import Match

TYPED = {
    "peg 1 5": ("peg", [0, 5]),
    "hand 2 5H5C5SJD --starter 5D": ("hand", [1, "5H5C5SJD", "5D", 0, 29]),
    "hand 2 5H5C5SJD --starter 5D --crib": ("hand", [1, "5H5C5SJD", "5D", 1, 28]),
    "nibs 3": ("nibs", [2]),
    "go 1": ("go", [0]),
    "penalty 1 2": ("penalty", [0, 2, 0]),
    "penalty 1 2 --back": ("penalty", [0, 2, 1]),
    "muggins 1 2 --from 2": ("muggins", [0, 2, 1]),
    "false-claim 1 99": ("false", [0, 99]),
    "set-score 1 30 --back 20": ("set", [0, 30, 20]),
    "next-deal": ("deal", [-1]),
    "undo": ("undo", [12]),
    "redo": ("redo", [12]),
    "new": ("new", [0, 121, 3, 2, -1, -1, -1]),
    "restore": ("restore", [0]),
}


@pytest.mark.parametrize("text", TYPED)
def test_a_command_is_said_as_it_is_typed(text):
    assert said(*TYPED[text]) == text


@pytest.mark.parametrize(("front", "back"), [(1, 1), (40, 40), (40, 41)])
def test_a_back_peg_that_is_not_behind_the_front_peg_is_refused(front, back):
    with pytest.raises(ArgumentError, match=f"cannot be at {back} with the front peg at {front}; put it behind"):
        back_peg(Match(121, 3, 2), 0, front, back)


@pytest.mark.parametrize(("front", "back"), [(40, 25), (26, 25), (25, 24), (9, 8), (1, 0), (0, 0)])
def test_a_back_peg_stays_where_it_is_or_goes_just_behind_the_front_peg(front, back):
    match = Match(121, 3, 2)
    for rev, points in enumerate((25, 5), 1):
        match.apply(rev, (PEG, 0, points, 0, 0))
    assert back_peg(match, 0, front) == back
    assert back_peg(match, 5, 9) == 0, "of a side that does not play, as the board says"
