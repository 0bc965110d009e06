"""Sixteen boards on one host, each with a service of its own."""

from __future__ import annotations

import sys
from contextlib import ExitStack

import pytest
from service.at_board import PATIENCE_S, do, key, present, served

from cribboard.service.service import Service
from cribboard.sim.board import VirtualBoard
from cribboard.sim.registry import Registration, Running
from cribboard.store import open_store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the virtual board needs pseudo-terminals")

BOARDS = 16


def test_sixteen_boards_keep_their_own_games_and_one_that_is_unplugged_comes_back() -> None:
    with ExitStack() as stack:
        store = open_store()
        stack.callback(store.close)
        boards = [stack.enter_context(VirtualBoard(name=f"table-{number}")) for number in range(BOARDS)]
        services: list[Service] = []
        ears = []
        for board in boards:
            service, ear = stack.enter_context(served(board, store))
            services.append(service)
            ears.append(ear)
        orders = [
            service.order({"do": "peg", "key": key(), "side": 1, "points": number + 1}, "phone")
            for number, service in enumerate(services)
        ]
        assert [order.result(PATIENCE_S)["rev"] for order in orders] == [1] * BOARDS
        fronts = [service.view.entry()["sides"][0]["front"] for service in services]
        assert fronts == list(range(1, BOARDS + 1))
        assert len({service.view.uid for service in services}) == BOARDS
        boards[3].kill()
        ears[3].wait(lambda heard: services[3].view.away)
        assert do(services[4], "peg", side=2, points=1)["rev"] == 2
        boards[3].start()
        running = Running(boards[3].port, boards[3].uid, 1, boards[3].name)
        with Registration(running):
            present(ears[3], services[3])
            assert do(services[3], "peg", side=1, points=1)["text"] == "Orange pegs 1, now at 5."
