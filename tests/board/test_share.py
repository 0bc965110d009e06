"""Programs that share one board: each gets its own answers and no other's, and all their commands count once."""

from __future__ import annotations

import queue
import random
import threading
from pathlib import Path

import pytest
from rigs.shared import Shared
from rigs.wired import UID, Firmware, Time, Wire, lossy, pegs

from cribboard.board.client import Board
from cribboard.board.ledger import GUESTS, Ledger
from cribboard.board.share import Exchange, SharedPort
from cribboard.errors import CommandError
from cribboard_core.wire import Lines, encode


def messages(frames: bytes) -> list[list[object]]:
    return Lines().feed(frames)


def alike(table: Shared) -> tuple[Board, Board]:
    """A holder and a guest that draw the same numbers by chance: of their queries, and of their sessions."""
    return table.board(seed=1), table.guest(seed=1)


def test_two_programs_that_ask_under_one_number_get_each_its_own_answer(tmp_path: Path) -> None:
    table = Shared(tmp_path)
    with table.board() as board, table.guest() as guest:
        for number in range(1, 4):
            board.peg(0, number)
        holder, visitor = board._connection._port, guest._connection._port
        assert holder is not None and visitor is not None
        visitor.read()
        holder.read()
        holder.write(encode(["events", 7, 2]))
        visitor.write(encode(["events", 7, 1]))
        visitor.write(encode(["events", 7, 1]))  # again, since no answer has come
        mine = [message for _ in range(3) for message in messages(holder.read())]
        heard = messages(visitor.read())
        assert [(message[0], message[1], len(message[4:])) for message in mine] == [("events", 7, 1)]
        assert [(message[0], message[1], len(message[4:])) for message in heard] == [("events", 7, 2)]
        visitor.write(encode(["pend", 8, 0, 99, 1, 20]))
        holder.write(encode(["pend", 8, 0, 3, 1, 20]))
        mine = [message for _ in range(3) for message in messages(holder.read())]
        heard = messages(visitor.read())
        assert [message[:4] for message in heard] == [["no", 0, 8, "points"], ["pend", -1, 0, 3]]
        assert mine == [["pend", -1, 0, 3, 1], ["pend", 8, 0, 3, 1]]


def test_nobody_else_hears_the_answer_to_a_command(tmp_path: Path) -> None:
    table = Shared(tmp_path)
    with table.board() as board, table.guest() as guest:
        holder, visitor = board._connection._port, guest._connection._port
        assert holder is not None and visitor is not None
        for number, (asks, other) in enumerate([(holder, visitor), (visitor, holder)], 1):
            asks.write(encode(["peg", 5, number, 0, 3]))
            answered = [message[0] for _ in range(3) for message in messages(asks.read())]
            assert (answered, [message[0] for message in messages(other.read())]) == (["ev", "ok"], ["ev"])


def test_a_holder_that_waits_for_the_board_is_woken() -> None:
    class Silent(Wire):
        woken = threading.Event()

        def read(self) -> bytes:
            self.woken.wait()
            return b""

        def wake(self) -> None:
            self.woken.set()

    exchange = Exchange(Silent(Firmware(), Time()), {})
    waiting = threading.Thread(target=exchange.read, daemon=True)
    waiting.start()
    exchange.wake()
    waiting.join(20)
    assert not waiting.is_alive()


@pytest.mark.parametrize("share", [0.0, 0.02, 0.1])
def test_commands_of_two_programs_count_once_and_both_are_in_step(tmp_path: Path, share: float) -> None:
    chance = random.Random(7)
    table = Shared(tmp_path, toward=lossy(chance, share), back=lossy(chance, share))
    holder, visitor = alike(table)
    with holder as board, visitor as guest:
        wanted = []
        for number in range(100):
            who = chance.choice([board, guest])
            who.command("set", 0, 2 + number, number)
            wanted.append((2 + number, number))
        board.sync()
        guest.sync()
        assert board.standing == guest.standing
        assert board.check() and guest.check()
        made = [(event[2], event[3]) for _, event, *_ in table.firmware.keeper.journal.records(-1)]
        assert made == wanted[-len(made) :]
        assert table.firmware.match.rev == 100
        assert table.notes == []


def test_a_command_after_another_programs_is_sent_once(tmp_path: Path) -> None:
    table = Shared(tmp_path)
    holder, visitor = alike(table)
    with holder as board, visitor as guest:
        for who in (board, guest) * 6:
            who.poll()
            who.peg(0, 1)
    assert sum(b'"peg"' in frame for frame in table.wire.sent) == 12


@pytest.mark.parametrize("at", range(6))
def test_a_guests_command_in_the_middle_of_the_holders_costs_neither(tmp_path: Path, at: int) -> None:
    table = Shared(tmp_path)
    holder, visitor = alike(table)
    with holder as board, visitor as guest:
        for number in range(12):  # the same command, so that one could be taken for the other
            wait = [lambda: None] * at
            table.wire.script = [*wait, lambda: guest.peg(0, 1)]
            board.peg(0, 1)
            while table.wire.script:
                table.pump()
            assert table.firmware.match.front(0) == 2 * (number + 1)
        assert pegs(table.firmware) == [1] * 24
        board.sync()
        guest.sync()
        assert board.check() and guest.check()
        assert len({(row.session, row.id) for row in board.events()}) == 24


def test_programs_that_draw_one_session_have_ids_of_their_own(tmp_path: Path) -> None:
    table = Shared(tmp_path)
    holder, visitor = alike(table)
    with holder as board, visitor as guest:
        board._sender.commit("peg", [0, 1], board._follow.known, None)
        guest._sender.commit("peg", [0, 1], guest._follow.known, None)
        assert board.tag[0] == guest.tag[0]
        assert [board._sender.send()[0], guest._sender.send()[0]] == ["ok", "ok"]
        assert pegs(table.firmware) == [1, 1]


def test_no_two_places_have_an_id_in_common(tmp_path: Path) -> None:
    table = Shared(tmp_path)
    with table.board() as board:
        seen: dict[int, int] = {}
        for place in range(33):
            board._sender.ledger.place = place
            board._sender.ledger.session = 0
            for _ in range(150):
                session, number = board._sender._next_tag()
                board._sender.ledger.session, board._sender.ledger.last_id = session, number
                assert seen.setdefault(number, place) == place
                assert seen.setdefault(number - 1, place) == place, "taken for what is given back"
                assert 1 < number <= 255


def test_everybody_hears_what_the_board_says_unasked(tmp_path: Path) -> None:
    table = Shared(tmp_path)
    with table.board() as board, table.guest() as guest, table.guest() as other:
        guest.pend(0, 4, owner=9)
        assert board.poll() == other.poll() == []
        assert [one.waiting[0][:2] for one in (board, guest, other)] == [(4, 9)] * 3
        with pytest.raises(CommandError, match="4 points of owner 9 wait for side 1"):
            board.pend(0, 3, owner=5)
        other.peg(1, 2)
        for one in (board, guest):
            one.poll()
            assert one.standing.fronts == (0, 2)
        table.firmware.link.say("hot")
        for one in (board, guest, other):
            one.poll()
        assert table.notes.count("the board says: hot") == 3


def test_a_guest_that_was_killed_is_settled_by_the_next_one_and_holds_nothing_of_the_old_match(tmp_path: Path) -> None:
    table = Shared(tmp_path)
    with table.board() as board:
        with table.guest() as guest:
            guest.peg(0, 3)
            guest._sender.commit("peg", [1, 4], guest._follow.known, None)
            guest._sender.ledger.close()
        other = table.guest()
        board.peg(0, 2)
        with other:
            assert other.notes == [
                "the last command, `peg 2 4`, did not count, and the game has gone on; repeat it if it is still right"
            ]
            other.peg(0, 1)
        table.firmware.wipe()
        with table.guest() as late:
            assert late.notes == []
            assert late.standing.rev == 0, "a guest of another evening gives nothing back"


def test_each_guest_has_the_first_place_that_is_free(tmp_path: Path) -> None:
    held = [Ledger(tmp_path, UID, GUESTS) for _ in range(3)]
    assert [ledger.place for ledger in held] == [1, 2, 3]
    held[1].close()
    assert Ledger(tmp_path, UID, GUESTS).place == 2


def test_a_door_that_is_closed_waits_for_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / UID).mkdir()
    door = SharedPort(tmp_path, UID, "wire", False, lambda: None)
    waits: queue.SimpleQueue[threading.Thread] = queue.SimpleQueue()
    accept = door._listener.accept
    monkeypatch.setattr(door._listener, "accept", lambda: waits.put(threading.current_thread()) or accept())
    door.open()
    waiting = waits.get(timeout=20)
    door.close()
    waiting.join(20)
    assert not waiting.is_alive()
