"""What fuzzing begins with: valid input of each sort, what once broke something, and how both are made hostile."""

from __future__ import annotations

import json
import random
from pathlib import Path

from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_core.wire import MAX_FRAME

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "tests" / "core" / "vectors"
HISTORY = (ROOT / "tests" / "faults" / "history.json").read_bytes().strip()  # an export, on one line
LINK = [text.encode("latin-1") for text in json.loads((ROOT / "tests" / "faults" / "link.json").read_text("utf-8"))]
SLOT = 12
DEEP = (MAX_FRAME - 11) // 2  # the deepest nesting that a frame can hold

REQUESTS = [
    ["hello", 1, 2],
    ["state", 2],
    ["last", 3],
    ["events", 4, -1],
    ["pend", 5, 0, 7, 1, 20],
    ["peg", 9, 1, 0, 12],
    ["hand", 9, 2, 0, "5H5C5SJD", "5D", 0, 29],
    ["hand", 9, 3, 1, "5H5C5SJD", "5D", 1, 28],
    ["nibs", 9, 4, 0],
    ["go", 9, 5, 1],
    ["penalty", 9, 6, 1, 2, 0],
    ["muggins", 9, 7, 0, 2, 1],
    ["set", 9, 8, 0, 121, 90],
    ["false", 9, 9, 0, 100],
    ["deal", 9, 10, -1],
    ["undo", 9, 11, 9],
    ["redo", 9, 12, 9],
    ["new", 9, 13, 11, 121, 3, 2, 0, 91, 61],
    ["restore", 9, 14, 12, 121, 63, 6, 0, 91, 61, "100a" * 6, [1, 2, 3, 4, 5, 6]],
]
ANSWERS = [
    '["hello",\x01,2,"1.0.0","e6614c311b4f2a2f",1001,0,0,2,121,2,1,0,""]',
    '["hello",\x01,2,"1.0.0","e6614c311b4f2a2f",7,9,9,2,121,2,9,3,"",0]',
    '["hello",\x01,3]',
    '["state",\x01,0,0,121,3,2,0,91,61,-1,"00000000",[0,0]]',
    '["state",\x01,7,3,121,63,6,2,91,61,-1,"100a00000000100a00000000",[999,999,999,999,999,999]]',
    '["last",\x01,[1,"peg",0,5,0,0],[]]',
    '["events",\x01,1,900,[2,"peg",0,5,0,0,0,0,0],[3,"undo",0,0,2,0,0,0,0]]',
    '["pend",\x01,0,3,1]',
    '["ok",\x01,\x02,1]',
    '["ok",\x01,\x02,4000000000]',
    '["no",\x01,\x02,"session","another"]',
    '["no",\x01,\x02,"stale","older"]',
    '["no",0,\x01,"args","what"]',
    '["ev",1,"peg",0,5,0,0,0,0,0]',
    '["ev",4000000000,"restore",0,0,0,0,0,0,4000000000]',
    '["pend",-1,0,12,1]',
    '["say","all well"]',
    '["say","\\u001b[2J\\ud800"]',
    '["pend",-1,[],1e999,0]',
    '["ok",\x01,\x02,"x"]',
]
WORST: list[object] = [
    None,
    True,
    -1,
    256,
    65536,
    2**31,
    2**32,
    2**64,
    10**90,
    0.5,
    1e308,
    float("inf"),
    float("nan"),
    "",
    "\0",
    "\x1b[2J",
    "\ud800",
    "♥" * 9,
    '"\\' * 9,
    "5H" * 20,
    [],
    {},
    {"": []},
]


def deep(depth: int) -> str:
    """An array in an array, so deep."""
    return "[" * depth + "]" * depth


def lines(*messages: object) -> bytes:
    """Messages as lines without their CRC."""
    return b"\n".join(text_of(message).encode("utf-8", "surrogatepass") for message in messages)


def text_of(message: object) -> str:
    """A message as JSON, or text as it is."""
    return message if isinstance(message, str) else json.dumps(message, separators=(",", ":"))


def played() -> bytes:
    """A flash after some scores, in the form that the target `journal` takes."""
    memory = bytearray(b"\xff" * 4096)
    match = Match()
    journal = Journal(memory)
    journal.mount(match, 77)
    for rev in range(1, 12):
        event = (11, rev % 2, 5 * rev, 3, 0) if rev % 4 else match.undo_event()
        journal.append(match, event, 9, rev)
        match.apply(rev, event)
    records = [bytes(memory[at : at + SLOT]) for at in range(0, 252, SLOT)]
    return b"".join(b"\x01" + record for record in records if record != b"\xff" * SLOT)


def vectors(name: str) -> bytes:
    """The inputs of the core's vectors as JSON lines."""
    cases = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    return b"\n".join(json.dumps(case["in"]).encode() for case in cases[:12])


NOTES = {
    "format": 3,
    "uid": "e6614c311b4f2a2f",
    "epoch": 1001,
    "session": 9,
    "id": 3,
    "pending": {"op": "peg", "args": [0, 5], "session": 9, "id": 3, "rev": 0, "names": {"0": "Cleo"}, "key": "k1"},
    "query": 7,
    "names": {"0": {"0": "Ann", "1": "Bob"}},
    "act": {"steps": [{"key": "k1", "op": "peg", "args": [0, 5], "shown": []}], "by": "phone"},
    "won": {"0": [[0, 0], [3, 2], [[[["Ann"], ["Bob"]], [1, 0]]]]},
    "answers": {"k0": [1, "said"]},
    "events": [],
    "state": [0, 0, 121, 3, 2, 0, 91, 61, -1, "00000000", [0, 0]],
}

ORDERS: list[dict[str, object]] = [
    {"do": "peg", "side": 1, "points": 2},
    {"do": "hand", "side": 2, "cards": ["5H", "5C", "5S", "JD"], "starter": "5D", "crib": True, "again": True},
    {"do": "penalty", "side": 1, "points": 2, "back": False},
    {"do": "muggins", "side": 1, "points": 2, "from": 2},
    {"do": "set", "side": 1, "front": 60, "back": 55},
    {"do": "new", "target": 121, "names": ["Ann", "Bob"], "teams": 0, "dealer": 1, "start": [0, 10]},
    {"do": "names", "names": ["Ann", "\u202e", "Bob"]},
    {"do": "play", "side": 1, "card": "5H"},
    {"do": "starter", "card": None},
    {"do": "undo", "rev": 7},
]

SEEDS: dict[str, list[bytes]] = {
    "history": [
        HISTORY,
        HISTORY.replace(b'"kind"', b'"sort"'),
        HISTORY.replace(b",121,", b",241,"),
        b'{"format":"cribboard history","version":2,"columns":[],"players":[],"games":[],"loose":[],"corrections":[]}',
        b"[" * 4000,
        b'{"format":1e999}',
    ],
    "wire": [
        lines(*REQUESTS[:4]),
        lines(deep(DEEP)),
        lines("[" * 109),
        b"AT\r\nOK\n" * 9,
        b"x" * 5000,
        b'\n["state",1]*00000000\n',
        b"[]*0d4cbb29",
        lines('["state",1e999]', '["state",NaN]', "[" + "9" * 100 + "]"),
    ],
    "link": [
        *LINK,
        *(lines(request) for request in REQUESTS),
        lines(*REQUESTS),
        lines(deep(DEEP), f'["pend",1,0,{deep(45)}]', f'["pend",1,{deep(45)},1]', f'["events",1,{deep(45)}]'),
        lines(f'["set",9,1,{deep(20)},{deep(20)},1]', f'["hello",1,{deep(45)}]', '["pend",1,' + "[" * 99),
        b"x" * 300 + b"\n" + lines(REQUESTS[5]),
    ],
    "host": [
        b"",
        *(lines(answer) for answer in ANSWERS),
        *(lines("", "", answer) for answer in ANSWERS),
        *(lines("", "", "", answer) for answer in ANSWERS),
        *(b"~" + lines("", "", answer) for answer in ANSWERS),
        lines("", "", "!", "", "", "!", "!"),
        b"~" + lines("", "", "!"),
        b"~" + lines("", "", '["ev",\x01,"peg",0,5,0,0,0,0]', '["ev",4000000000,"peg",0,5,0,0,0,0]'),
    ],
    "ledger": [
        json.dumps(NOTES).encode(),
        json.dumps({**NOTES, "pending": None, "state": None, "names": {}}).encode(),
        json.dumps({**NOTES, "epoch": 5, "session": 40000}).encode(),
        json.dumps(NOTES).replace('"peg", "args": [0, 5]', '"restore", "args": [0]').encode(),
        json.dumps(NOTES).replace('"peg"', '"res~tore"').encode(),
        json.dumps(NOTES).replace("[0, 5]", '[0, "\\u001b[2J"]').encode(),
        json.dumps(NOTES).replace("[0, 5]", str([0] * 99)).encode(),
        json.dumps(NOTES).replace('"Ann"', '"\\u001b[2J"').encode(),
        deep(5000).encode(),
        b"",
    ],
    "settings": [
        (ROOT / "firmware" / "settings.toml").read_bytes(),
        b'STRIP_PINS = "GP2"\nUNDO_PIN = "GP0"\nDEAL_PIN = "GP1"\nPLAYERS = 6\nTEAMS = 3\nTARGET = 241\n',
        b'STRIP_PINS = "GP2 GP2 GP3 GP4 GP5"\nBRIGHTNESS = 99999999999\nPLAYRES = 1\n[x]\n',
        b'\xef\xbb\xbfTARGET = "121"\r\nTARGET = -0\n= 5\n"=\n' + b"A" * 4000 + b" = 1\n",
    ],
    "cards": [
        b"5H 5C 5S JD 5D",
        b"5h5c5sjd 10s",
        "5♥ H10 ♠️A, 0C".encode(),
        b"5H" * 300,
        b"\xff\xfe\x1b[2J \xc2\xa0 5H",
        b"--json -- 5H",
        b"",
    ],
    "journal": [
        b"",
        played(),
        played()[: 13 * 9] + played()[13 * 7 :],
        played() + played()[: 13 * 8],
        *(played().replace(b"\x79\x03\x02", setup) for setup in (b"\x79\0\x02", b"\x79\x03\x07", b"\0\x03\x02")),
        b"\0" * 4368,
        b"\x01" + bytes(range(256)) * 17,
    ],
    "batch": [
        vectors("hands"),
        vectors("plays"),
        b'{"hand":["5H","5C","5S","JD"],"starter":"5D","crib":false}\n',
        b'{"hand":"5H5C5SJD","starter":"5D"}\n\n[]\nnull\n{}\n' + deep(3000).encode() + b"\n" + b"9" * 5000,
        b'{"players":2,"dealer":0,"hands":[["5C"],["5D"]],"plays":[[1,"5D"],[0,"5C"]]}\n',
        b"\xff\n" + b"x" * 70000,
    ],
    "bodies": [
        b'p\n{"token":"49gCnyVZgdUiBOHFK3Y1Hw"}',
        b'p\n{"code":"837050","board":1}',
        b's\n{"pin":"481516"}',
        b'w\n{"pin":"481516","new":"271828"}',
        b'c\n{"cards":["5H","5C","5S","JD"],"starter":"5D","crib":false}',
        b'n\n{"name":"Ann"}',
        b'n\n{"is":2}',
        b'g\n{"abandon":true}',
        b'g\n{"withdraw":false}',
        b'g\n{"seats":{"2":"Ann"}}',
        b'i\n{"format":"cribboard history","version":2,"players":[],"games":[],"corrections":[]}',
        b"p\n" + deep(2000).encode(),
        b'p\n{"token":' * 3000,
        b'p\n{"token":"\\ud800","token":NaN}',
        b'p\n{"token":' + b"9" * 5000 + b"}",
        *(b"o\n" + json.dumps({"key": "k" * 20, "seen": 7, **order}).encode() for order in ORDERS),
    ],
}
WORDS = sorted(
    {text_of(request).split('"')[1] for request in REQUESTS}
    | {answer.split('"')[1] for answer in ANSWERS}
    | {"BRIGHTNESS", "STRIP_PINS", "TARGET", "PLAYERS", "TEAMS", "GP2", "GP29", "5H", "hands", "plays", "starter"}
    | {"\x01", "\x02", "NaN", "1e999", "\\ud800", "\\u0000", "pending", "format"}
)


def hostile(data: bytes, chance: random.Random) -> bytes:
    """The input with one thing in it made worse: an item of its JSON, a line, or some bytes."""
    change = chance.randrange(4)
    if change == 0:
        return damaged(data, chance)
    parts = data.split(b"\n")
    at = chance.randrange(len(parts))
    if change == 1:
        parts.insert(at, chance.choice(parts))
    elif change == 2 and len(parts) > 1:
        del parts[at]
    else:
        parts[at] = worse(parts[at], chance)
    return b"\n".join(parts)


def worse(line: bytes, chance: random.Random) -> bytes:
    """A line of JSON with one item replaced; any other line is damaged."""
    plain = line.replace(b"\x01", b"1").replace(b"\x02", b"2")
    try:
        message = json.loads(plain)
        spoil(message, chance)
        return text_of(message).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        return damaged(line, chance)


def spoil(item: object, chance: random.Random) -> None:
    """Replace, take out or double one item somewhere within a list or an object."""
    if not isinstance(item, (list, dict)) or not item:
        return
    key = chance.choice(list(item) if isinstance(item, dict) else range(len(item)))
    inner = item[key]  # type: ignore[call-overload,index]
    if isinstance(inner, (list, dict)) and inner and chance.random() < 0.7:
        spoil(inner, chance)
    elif isinstance(item, list) and chance.random() < 0.2:
        item.insert(key, inner)
    elif chance.random() < 0.1:
        del item[key]  # type: ignore[arg-type]
    else:
        deeper = json.loads(deep(chance.randrange(1, DEEP)))
        item[key] = deeper if chance.random() < 0.1 else chance.choice(WORST)  # type: ignore[call-overload,index]


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Bytes with some cut out, changed, or put in."""
    start = chance.randrange(len(data) + 1)
    end = min(len(data), start + chance.choice((0, 1, 1, 4, 40)))
    put = chance.choice((b"", bytes([chance.randrange(256)]), chance.choice(WORDS).encode("utf-8", "surrogatepass")))
    return data[:start] + put + data[end:]
