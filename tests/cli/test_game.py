"""The automatic game: what it says and what it sends to the board fit together."""

from __future__ import annotations

import pytest

from cribboard.demo import Game


@pytest.mark.parametrize(("players", "teams"), [(2, 0), (3, 0), (4, 0), (4, 2), (5, 0), (6, 0), (6, 2), (6, 3)])
@pytest.mark.parametrize("target", [61, 121])
def test_every_game_ends_with_a_winner_at_the_target(players, teams, target):
    game = Game(players, teams, target, 11)
    steps = list(game.steps())
    winner = game.match.winner
    assert game.match.front(winner) == target
    assert steps[-1].command
    assert all(game.match.front(side) < target for side in game.match.sides if side != winner)


def test_the_result_names_a_skunk():
    for seed in range(400):
        game = Game(2, 0, 61, seed)
        list(game.steps())
        if max(game.match.skunked(side) for side in game.match.sides) == 2:
            assert game.result().endswith(", skunked.")
            return
    raise AssertionError("no skunk in 400 games")


def test_nibs_are_two_for_the_dealer():
    for seed in range(100):
        game = Game(2, 0, 61, seed)
        for step in game.steps():
            if step.command and step.command[0] == "nibs":
                assert step.text.startswith("A jack: nibs for ")
                assert step.command[1] == game.referee.table.dealer
                return
    raise AssertionError("no jack in 100 games")


@pytest.mark.parametrize(("players", "cards"), [(2, 8), (3, 12), (6, 30)])
def test_every_card_that_is_played_is_said(players, cards):
    game = Game(players, 0, 241, 4)
    played = [0]
    for step in game.steps():
        if step.text.startswith("Deal "):
            played.append(0)
        played[-1] += " plays " in step.text
    assert len(played) > 3
    assert set(played[1:-1]) == {cards}
