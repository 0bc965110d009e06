"""The log of a refereed game: an act is on the disk before it counts."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playing.evenings import at_work, in_step, two
from rigs.hostile import changes

from cribboard.errors import CribboardError
from cribboard.playing import log as logs
from cribboard.referee.pegs import pack_match
from cribboard.referee.setup import Setup
from cribboard_core.match import Match


def begun(folder: Path) -> tuple[logs.Log, Setup]:
    setup = two(target=121)
    return logs.begin(folder, setup, pack_match(Match(121, 3, 2))), setup


def test_a_log_is_read_as_it_was_written(tmp_path: Path) -> None:
    log, setup = begun(tmp_path)
    for act in (["new", 0], ["deal", None], ["starter", "JS"]):
        log.append(act)
    log.close()
    again, referee = logs.read(tmp_path) or pytest.fail("no log")
    again.close()
    assert (referee.setup, referee.acts[-1], referee.pegs.scores) == (setup, ["starter", "JS"], (2, 0))
    assert logs.read(tmp_path / "nothing") is None


def test_an_act_that_was_torn_off_is_no_act(tmp_path: Path) -> None:
    log, _ = begun(tmp_path)
    log.append(["new", 0])
    log.close()
    path = tmp_path / logs.NAME
    whole = path.read_bytes()
    path.write_bytes(whole + b'["deal",nu')
    again, referee = logs.read(tmp_path) or pytest.fail("no log")
    assert referee.acts == [["new", 0]]
    again.append(["deal", None])
    again.close()
    assert path.read_bytes() == whole + b'["deal",null]\n'


@pytest.mark.parametrize(
    "line", ["[1", '["play",0,"5H"]', '["order",1,2]', '["board","x",0,0,0,0]', "{}", '["base",1,2,"00",3]']
)
def test_a_log_that_makes_no_sense_is_set_aside_and_told(tmp_path: Path, line: str) -> None:
    log, _ = begun(tmp_path)
    log.close()
    path = tmp_path / logs.NAME
    path.write_bytes(path.read_bytes() + line.encode() + b"\n")
    with pytest.raises(CribboardError, match="the log of the game cannot be read"):
        logs.read(tmp_path)
    assert (path.exists(), (tmp_path / "play.broken").exists()) == (False, True)


def test_a_log_of_which_a_disk_changed_a_value_is_read_or_set_aside_in_words(tmp_path: Path) -> None:
    log, _ = begun(tmp_path)
    for act in (["new", 0], ["deal", None], ["starter", "JS"]):
        log.append(act)
    log.close()
    path = tmp_path / logs.NAME
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    for place, changed in changes(lines):
        path.write_text("".join(json.dumps(line) + "\n" for line in changed))
        looked = logs.look(tmp_path)
        try:
            again, referee = logs.read(tmp_path) or pytest.fail("no log")
        except CribboardError as error:
            assert looked is None, place
            assert not path.exists()
            assert "play.broken" in error.message
            assert not re.search(
                r"KeyError|\('\w+'\)|object|argument|unpack", error.message.replace("not an object", "")
            )
        else:
            again.close()
            setup = referee.setup
            assert (looked and looked.setup, setup.side_name(setup.sides[0]).isprintable()) == (setup, True), place


def test_a_log_of_another_format_is_told(tmp_path: Path) -> None:
    log, _ = begun(tmp_path)
    log.close()
    path = tmp_path / logs.NAME
    head = json.loads(path.read_text())
    head["setup"]["format"] = 2
    path.write_text(json.dumps(head) + "\n")
    with pytest.raises(CribboardError, match="format 2; this program reads format 1"):
        logs.read(tmp_path)


def test_an_act_that_the_disk_does_not_take_is_not_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        session.act(["new", 0])
        write = logs._write

        def full(file: Any, entry: object) -> None:
            file.write(b'["penalty"')
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(logs, "_write", full)
        with pytest.raises(CribboardError, match=r"play.jsonl cannot be written \(No space left on device\)"):
            session.act(["penalty", 0, 2, 0])
        monkeypatch.setattr(logs, "_write", write)
        assert (session.referee.pegs.scores, evening.table.firmware.scores) == ((0, 0), [0, 0])
        session.act(["penalty", 0, 3, 0])
        assert (in_step(evening), evening.table.firmware.scores) == (True, [0, 3])


@pytest.mark.parametrize("torn", [b'["penal', b'["penalty",0,12,0]\n'], ids=["torn", "whole"])
def test_the_act_after_one_that_failed_stands_where_that_would_have_stood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, torn: bytes
) -> None:
    def full(file: Any, entry: object) -> None:
        file.write(torn)
        raise OSError(28, "No space left on device")

    log, _ = begun(tmp_path)
    log.append(["new", 0])
    before = log.path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(logs, "_write", full)
        with pytest.raises(CribboardError, match="nothing was done"):
            log.append(["penalty", 0, 12, 0])
    assert log.path.read_bytes() == before
    log.append(["go"])
    log.close()
    assert log.path.read_bytes() == before + b'["go"]\n'


def test_a_game_cannot_begin_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "replace", _read_only)
    with pytest.raises(CribboardError, match=r"play.jsonl cannot be written \(Read-only file system\)"):
        begun(tmp_path)


def _read_only(self: Path, target: Path) -> None:
    raise OSError(30, "Read-only file system")


def test_no_game_is_put_away_over_another_when_one_was_deleted(tmp_path: Path) -> None:
    setup = replace(two(target=121), dealt=True)
    for evening in range(6):
        if evening == 4:
            (tmp_path / "games" / "00001.jsonl").unlink()
        log = logs.begin(tmp_path, setup, pack_match(Match(121, 3, 2)))
        log.append(["evening", evening])
        log.close()
    kept = sorted((tmp_path / "games").iterdir())
    assert [path.name for path in kept] == ["00002.jsonl", "00003.jsonl", "00004.jsonl"]
    assert [json.loads(path.read_text().splitlines()[-1])[1] for path in kept] == [1, 2, 3]
