"""A kiosk that is killed again and again while phones and a terminal score: python -m faults.kiosk --kills 100 --seed 1

The service runs in a process of its own at a real virtual board, and signal 9 ends it at any moment. Two phones repeat
an order under its key until it is answered, a third side is scored by a guest of the local door.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field

from cribboard.connect import hold_board, open_board
from cribboard.sim.board import VirtualBoard
from cribboard.sim.registry import Registration, Running

ORDERS = 70  # of each of three; a journal keeps what they do
TARGET = 241
PATIENCE_S = 120.0
IDLE_S = 5.0  # when all orders are done nobody answers any more

PROGRAM = """
import json, sys
from cribboard.connect import hold_board
from cribboard.service.orders import OrderError
from cribboard.service.service import Service
from cribboard.store import open_store

port = sys.argv[1]
service = Service(1, lambda say: hold_board(port, say=say), open_store() if sys.argv[2] == "store" else None)
service.start()

def answered(phone, future):
    error = future.exception()
    said = {"error": str(error)} if error else future.result()
    sys.stdout.write(json.dumps([phone, said]) + "\\n")
    sys.stdout.flush()

for line in sys.stdin:
    phone, order = json.loads(line)
    future = service.order(order, phone)
    future.add_done_callback(lambda future, phone=phone: answered(phone, future))
"""


@dataclass
class Outcome:
    """What came of it."""

    kills: int = 0
    repeated: int = 0  # orders that were sent more than once
    scores: tuple[int, ...] = ()
    revs: list[int] = field(default_factory=list)  # that the phones were told
    rows: list[int] = field(default_factory=list)  # points of the journal's pegs
    unkept: int = 0  # acknowledged without the history


class Kiosk:
    """The process, started again whenever it is killed."""

    def __init__(self, port: str, with_store: bool) -> None:
        self._words = [sys.executable, "-c", PROGRAM, port, "store" if with_store else "none"]
        self._answers: dict[str, dict[str, object]] = {}
        self._news = threading.Condition()
        self.kills = 0
        self._start()

    def ask(self, phone: str, order: dict[str, object]) -> dict[str, object] | None:
        """Its answer, None when it was killed before that came."""
        with self._news:
            process, kills = self._process, self.kills
            self._answers.pop(phone, None)
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps([phone, order]) + "\n")
            process.stdin.flush()
        except OSError:
            time.sleep(0.05)
            return None
        with self._news:
            assert self._news.wait_for(lambda: phone in self._answers or kills != self.kills, PATIENCE_S)
            return self._answers.pop(phone, None)

    def busy(self) -> None:
        """Wait until it has answered something, so that it is in the middle of the next."""
        with self._news:
            self._news.wait_for(lambda: self._said > 0, IDLE_S)

    def kill(self) -> None:
        """Signal 9, and a new one."""
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join()
        with self._news:
            self.kills += 1
            self._start()
            self._news.notify_all()

    def end(self) -> None:
        """No more of it."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        self._close()

    def _start(self) -> None:
        if self.kills:
            self._close()
        self._said = 0  # orders answered in this life
        self._process = subprocess.Popen(self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()

    def _close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            if not line.endswith("\n"):
                return
            phone, said = json.loads(line)
            with self._news:
                self._answers[phone] = said
                self._said += "rev" in said
                self._news.notify_all()


def run(kills: int, seed: int, with_store: bool = True, orders: int = ORDERS) -> Outcome:
    """Score with three while the kiosk is killed so many times; gives what came of it."""
    chance = random.Random(seed)
    outcome = Outcome()
    with contextlib.ExitStack() as stack:
        virtual = stack.enter_context(VirtualBoard(name="killed-kiosk"))
        stack.enter_context(Registration(Running(virtual.port, virtual.uid, os.getpid(), virtual.name)))
        with hold_board(virtual.port) as board:
            board.new(TARGET, 7, 3)
        kiosk = Kiosk(virtual.port, with_store)
        failed: list[BaseException] = []

        def phone(side: int) -> None:
            for _ in range(orders):
                order = {"do": "peg", "key": secrets.token_urlsafe(16), "side": side, "points": 1}
                tries = 0
                while True:
                    said = kiosk.ask(f"phone {side}", order)
                    tries += 1
                    if said is not None and "rev" in said:
                        break
                    if said is not None:
                        time.sleep(0.05)  # the board is not open yet
                outcome.revs.append(int(str(said["rev"])))
                outcome.repeated += tries > 1
                outcome.unkept += said["kept"] is False

        def guest() -> None:
            for _ in range(orders):
                with open_board(virtual.port) as board:
                    board.peg(2, 1)

        def guarded(work: object, *args: object) -> None:
            try:
                work(*args)  # type: ignore[operator]
            except BaseException as error:
                failed.append(error)

        hands = [threading.Thread(target=guarded, args=(phone, side)) for side in (1, 2)]
        hands.append(threading.Thread(target=guarded, args=(guest,)))
        for hand in hands:
            hand.start()
        try:
            while any(hand.is_alive() for hand in hands) and kiosk.kills < kills:
                kiosk.busy()
                time.sleep(chance.uniform(0.0, 0.1))
                kiosk.kill()
            for hand in hands:
                hand.join(PATIENCE_S)
        finally:
            kiosk.end()
        if failed:
            raise failed[0]
        outcome.kills = kiosk.kills
        with hold_board(virtual.port) as board:
            outcome.scores = board.standing.fronts
            outcome.rows = [row.a for row in board.events() if row.kind == 2]
    return outcome


def main() -> None:
    """Count what was lost or doubled."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without-store", action="store_true")
    options = parser.parse_args()
    kills = orders = repeated = wrong = unkept = 0
    seed = options.seed
    while kills < options.kills:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["CRIBBOARD_HOME"] = folder
            result = run(options.kills - kills, seed, not options.without_store)
        seed += 1
        kills, orders = kills + result.kills, orders + 3 * ORDERS
        repeated, unkept = repeated + result.repeated, unkept + result.unkept
        wrong += result.scores != (ORDERS, ORDERS, ORDERS) or len(set(result.revs)) != 2 * ORDERS
        print(f"kills {kills} orders {orders} repeated {repeated} unkept {unkept} games wrong {wrong}", flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
