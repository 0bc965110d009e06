"""The journal on the virtual flash, beside a log file, and beside what flash and disks take for a record."""

from __future__ import annotations

import json

import pytest
from bench import plain
from bench.table import OURS
from bench.test_match import TARGET, events, folded, scores

from cribboard.sim.flash import Flash
from cribboard_core.journal import Journal
from cribboard_core.match import Match

LOG = "a line of JSON in a file, flushed"
DISK = "a record and fsync on this disk"
FLASH = {"a page program of the board's flash": 0.4e-3}  # W25Q16JV: typical; 3 ms at most


def mounted(flash: Flash) -> tuple[Match, Journal]:
    match, journal = Match(TARGET), Journal(flash)
    journal.mount(match, 1)
    return match, journal


def append(begun: tuple[Match, Journal]) -> Journal:
    match, journal = begun
    for rev, event in enumerate(events(), 1):
        match.rev = journal.append(match, event, 1, rev & 255)
    return journal


def written() -> Flash:
    flash = Flash()
    append(mounted(flash))
    return flash


@pytest.mark.parametrize("who", [LOG, DISK, OURS])
def test_an_append(timed, who, tmp_path):
    what = "append an event to the journal"
    pegs = events()
    if who == OURS:
        journal = timed(what, who, append, each=280, fresh=lambda: mounted(Flash()), rounds=30, limits=FLASH)
        assert journal.log.last_rev == 280
        return
    with (tmp_path / "log").open("wb") as file:

        def line() -> None:
            file.write(json.dumps(pegs[0]).encode() + b"\n")
            file.flush()

        timed(what, who, (lambda: plain.keep(file)) if who == DISK else line, waits=who == DISK)


@pytest.mark.parametrize("who", ["280 lines of JSON, and the same fold", OURS])
def test_a_mount(timed, who):
    what = "mount a journal of 280 events"
    if who == OURS:
        flash = written()
        match = timed(what, who, lambda: mounted(flash)[0])
    else:
        text = "".join(json.dumps(event) + "\n" for event in events())
        match = timed(what, who, lambda: folded([tuple(json.loads(line)) for line in text.splitlines()]))
    assert scores(match) == scores(folded(events()))
