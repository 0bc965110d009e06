"""Everything that users see, written to files, so that two versions can be compared: `python snapshots.py FOLDER`.

The help of every command, what the commands print in a scripted evening at a virtual board, every answer of a kiosk's
API after scripted orders, and a demo game. Ports, uids, epochs, times and secrets are masked. Compare two folders with
`diff -r`.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-m", "cribboard"]
PATIENCE_S = 30.0
MASKS = (
    (r"/dev/(pts/\d+|tty\w+)", "PORT"),
    (r"\b(sim-)?[0-9A-Fa-f]{12,16}\b", "UID"),
    (r'"epoch": ?\d+', '"epoch": EPOCH'),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)?", "TIME"),
    (r"\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?", "DAY"),
    (r"\b\d{10,13}(\.\d+)?\b", "SECONDS"),
    (r"\b\d+\.\d ms\b", "MS"),
    (r"\bstaff [0-9a-f]{4}\b", "staff"),
    (r"127\.0\.0\.1:\d+", "ADDRESS"),
    (r"(\[\s+SECONDS,\s+(?:-?\d+,\s+){6})\d+", r"\1SESSION"),
    (r"/[\w/]+/backups", "BACKUPS"),
    (r'"(token|pin|url|svg|key)": ?"[^"]*"', r'"\1": SECRET'),
    (r'"(seconds|since|ago|age|until|at|left)": ?[\d.]+', r'"\1": SECONDS'),
)
EVENING = """
boards --json
new Ann Bob --json
new Ann Bob --target 100
state
state --json
peg Ann 2
peg Bob 3 --json
hand Bob 5H 5C 5S JD --starter 5D
hand Ann 4C 5C 6C 6D --starter 5D --crib --json
hand Ann 4C 5C 6C --starter 5D
nibs Ann --json
go Bob
next-deal --json
undo
undo --json
redo --json
penalty Ann 2 --json
penalty Ann 2 --back
muggins Bob 3 --from Ann --json
false-claim Ann 50 --json
false-claim Bob 12
set-score Ann 59
set-score Ann 59 --back 57 --json
peg Zed 2
peg Ann 40
peg Ann 0 --json
peg Ann 31 --json
hand Ann 5H 5C 5S JD --starter 5D --json
peg Ann 12
peg Ann 1
state
state --json
new
new Ann Bob Cid --json
peg Cid 6 --json
next-deal
state --json
new --players 4 Ann Bob Cid Dee --json
state
count 5H 5C 5S JD 5D
count 5H 5C 5S JD --starter 5D --json
count 5H 5C
discard 2H 3H 4H 5H 6C KD --mine
discard 2H 3H 4H 5H 6C KD --mine --json
odds 2H 3H 4H 5H
odds 2H 3H 4H 5H --json
sheet
sheet --json
sheet --csv
hardware check
hardware check --json
hardware settings
hardware wiring
history export -
boards
"""
ORDERS: tuple[dict[str, Any], ...] = (
    {"do": "new", "names": ["Ann", "Bob"], "target": 61},
    {"do": "peg", "side": 1, "points": 2},
    {"do": "pend", "side": 2, "points": 5},
    {"do": "undo", "rev": 2},
    {"do": "redo", "rev": 2},
    {"do": "starter", "card": "5D"},
    {"do": "play", "side": 2, "card": "8H"},
    {"do": "play", "side": 1, "card": "7H"},
    {"do": "say_go", "card": "7H", "goes": 1},
    {"do": "unplay", "card": "7H"},
    {"do": "penalty", "side": 1, "points": 2},
    {"do": "muggins", "side": 1, "points": 2, "from": 2},
    {"do": "false", "side": 2, "score": 30},
    {"do": "deal"},
    {"do": "names", "names": ["Ann", "Rob"]},
    {"do": "hand", "side": 2, "cards": ["5H", "5C", "5S", "JD"], "starter": "5D"},
    {"do": "go", "side": 1},
    {"do": "nibs", "side": 1},
    {"do": "set", "side": 1, "front": 40, "back": 30},
    {"do": "peg", "side": 1, "points": 99},
    {"do": "jump"},
    {"do": "peg", "side": 1, "points": 24},
)
PLACES = (
    "/api/boards",
    "/api/boards/1",
    "/api/boards/1/live",
    "/api/boards/1/drawing",
    "/api/boards/1/game",
    "/api/boards/1/phones",
    "/api/me",
    "/api/phones",
    "/api/leaderboard",
    "/api/players",
    "/api/players/1",
    "/api/players/1/against/2",
    "/api/games",
    "/api/games/1",
    "/api/corrections",
    "/api/export.csv",
    "/api/export.json",
    "/api/pub",
    "/api/tonight",
    "/api/house",
    "/api/nope",
    "/nope",
    "/api/boards/9",
    "/api/boards/1/orders/nokey",
)
STAFF = (
    "/api/phones",
    "/api/house",
    "/api/corrections",
    "/api/export.csv",
    "/api/export.json",
    "/api/me",
)


def masked(text: str) -> str:
    for pattern, name in MASKS:
        text = re.sub(pattern, name, text)
    return text


def ran(words: list[str], given: str = "") -> str:
    """What a command prints and its exit status."""
    done = subprocess.run([*COMMAND, *words], input=given, capture_output=True, text=True, timeout=PATIENCE_S * 4)
    return masked(f"$ cribboard {' '.join(words)}\n{done.stdout}{done.stderr}[{done.returncode}]\n\n")


def commands(words: tuple[str, ...] = ()) -> Iterator[str]:
    """The help of a group and of everything below it."""
    text = ran([*words, "--help"])
    yield text
    if "COMMAND [ARGS]" in text:
        for name in re.findall(r"^  ([a-z][a-z-]+)  +\S", text, re.MULTILINE):
            yield from commands((*words, name))


class Visitor:
    """Somebody's browser at a kiosk."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self._keys = 0

    def ask(self, path: str, body: Any = None, method: str = "") -> tuple[int, str]:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Origin": self._home, "Content-Type": "application/json"} if data is not None else {}
        request = urllib.request.Request(self._home + path, data, headers, method=method or None)
        try:
            with self._opener.open(request, timeout=PATIENCE_S) as answer:
                if path.endswith("/live"):
                    return answer.status, answer.readline().decode() + answer.readline().decode()
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def order(self, **order: Any) -> tuple[int, str]:
        self._keys += 1
        seen = json.loads(self.ask("/api/boards/1")[1])["rev"]
        return self.ask("/api/boards/1/orders", {"key": f"snapshot-{self._keys:08}", "seen": seen, **order})


def kiosk() -> Iterator[str]:
    """Every answer of a kiosk: to its own screen after each order of a phone, and to the phone at the end."""
    pin = json.loads(subprocess.run([*COMMAND, "kiosk", "--new-pin", "--json"], capture_output=True).stdout)["pin"]
    words = ["kiosk", "--json", "--virtual", "snapshot", "--host", "127.0.0.1", "--web-port", "0", "--pub", "The Crown"]
    process = subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        home = json.loads(process.stdout.readline())["local"]
        screen, phone = Visitor(home), Visitor(home)
        ends = time.monotonic() + PATIENCE_S
        while json.loads(screen.ask("/api/boards")[1])["boards"][0]["board"]["away"] and time.monotonic() < ends:
            time.sleep(0.1)
        token = json.loads(screen.ask("/api/boards/1/invite")[1])["url"].rsplit("=", 1)[-1].rsplit("/", 1)[-1]
        yield snapshot("POST /api/pair", phone.ask("/api/pair", {"token": token}))
        for order in ORDERS:
            yield snapshot(f"order {order}", phone.order(**order))
            yield snapshot("GET /api/boards/1", screen.ask("/api/boards/1"))
        time.sleep(1)
        for name, visitor in (("screen", screen), ("phone", phone)):
            for path in PLACES:
                yield snapshot(f"{name}: GET {path}", visitor.ask(path))
        yield snapshot("POST /api/count", phone.ask("/api/count", {"cards": ["5H", "5C", "5S", "JD"], "starter": "5D"}))
        yield snapshot("POST /api/staff", phone.ask("/api/staff", {"pin": "000000"}))
        yield snapshot("POST /api/staff", screen.ask("/api/staff", {"pin": pin}))
        for path in STAFF:
            yield snapshot(f"staff: GET {path}", screen.ask(path))
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def snapshot(what: str, answer: tuple[int, str]) -> str:
    status, text = answer
    with contextlib.suppress(ValueError):
        text = json.dumps(json.loads(text), indent=1, ensure_ascii=False)
    return masked(f"== {what}\n{status} {text}\n\n")


def main() -> None:
    folder = Path(sys.argv[1]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as files, contextlib.chdir(files):
        os.environ.update(CRIBBOARD_HOME=home, CRIBBOARD_PORT="sim", COLUMNS="80", TERM="dumb", TZ="UTC")
        parts = {
            "help": lambda: commands(),
            "evening": lambda: (ran(line.split()) for line in EVENING.strip().splitlines()),
            "demo": lambda: (ran(["demo", "--plain", "--speed", "0", "--seed", str(seed)]) for seed in (1, 7)),
            "kiosk": kiosk,
        }
        for name, made in parts.items():
            (folder / f"{name}.txt").write_text("".join(made()), encoding="utf-8")


if __name__ == "__main__":
    main()
