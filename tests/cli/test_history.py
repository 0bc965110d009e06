"""`cribboard history`: out, in, and a copy."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from rigs.printed import printed

from cribboard.cli.main import cli
from cribboard.files import take_lock


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        return CliRunner().invoke(cli, ["history", *map(str, arguments)], catch_exceptions=False)

    return run


def test_what_is_exported_is_imported(run):
    assert run("export", "all.json").stdout == "The history is in all.json.\n"
    assert run("import", "all.json").stdout == "Nothing was added: everything in the file is already in the history.\n"
    assert run("export", "--csv").stdout.startswith("game,")
    assert run("import", "all.json", "--database", "sqlite:///other.db").exit_code == 0


def test_with_json_each_answer_is_an_object(run):
    assert printed(run("export", "all.json", "--json").stdout) == {"file": "all.json"}
    assert printed(run("import", "all.json", "--json").stdout) == {"games": 0, "events": 0, "nights": 0}
    assert printed(run("backup", "copy.db", "--json").stdout) == {"file": "copy.db"}
    assert json.loads(run("export", "--csv", "--json").stdout)["error"]["message"].startswith("Choose one of")


def test_a_copy_is_a_history(run):
    assert run("backup", "copy.db").stdout == "copy.db is a copy of the history.\n"
    assert run("export", "--database", "sqlite:///copy.db").exit_code == 0


def test_the_history_itself_is_never_written_over(run, tmp_path):
    own = tmp_path / "home" / "kiosk.db"
    assert run("backup", "copy.db").exit_code == 0
    for arguments, said in (
        (("export", own), "is a database, which is never overwritten"),
        (("export", "copy.db"), "is a database, which is never overwritten"),
        (("backup", own), "is the history itself"),
    ):
        before = own.read_bytes()
        done = run(*arguments)
        assert done.exit_code != 0
        assert said in done.stderr
        assert own.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("import", "nothing.json"), 2, "nothing.json cannot be read"),
        (("import", "empty.json"), 2, "not an exported history"),
        (("export", "nowhere/all.json"), 2, "nowhere/all.json cannot be written"),
        (("backup", "nowhere/copy.db"), 1, "could not be made"),
    ],
)
def test_what_cannot_be_is_said_in_words(run, tmp_path, arguments, status, words):
    (tmp_path / "empty.json").write_text("{}", encoding="utf-8")
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (status, "")
    assert words in done.stderr


def test_a_backup_is_restored_and_what_was_there_is_kept(run, tmp_path):
    assert run("backup", "copy.db").exit_code == 0
    done = run("restore", "copy.db")
    assert done.stdout.startswith("The history is restored from copy.db; the old one is ")
    assert len([*(tmp_path / "home").glob("kiosk.db.before-*")]) == 1
    done = run("restore", "nothing.db")
    assert (done.exit_code, done.stderr.splitlines()[0]) == (1, "Error: nothing.db is not a backup")


def test_nothing_is_restored_under_a_running_kiosk(run, tmp_path):
    assert run("backup", "copy.db").exit_code == 0
    held = take_lock(tmp_path / "home" / "kiosk.lock", "")
    done = run("restore", "copy.db")
    held.release()
    assert done.exit_code == 3
    assert "a kiosk is running" in done.stderr
    assert [*(tmp_path / "home").glob("kiosk.db.before-*")] == []
