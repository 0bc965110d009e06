"""The user's folder is one, and can be moved."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from cribboard import files
from cribboard.errors import CribboardError


def test_the_environment_moves_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path / "here"))
    assert files.home() == tmp_path / "here"
    assert not files.home().exists()
    assert files.made(files.home() / "boards").stat().st_mode & 0o777 == 0o700
    assert files.home().stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("value", [None, ""])
def test_without_it_the_home_is_where_the_system_keeps_such_things(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv("CRIBBOARD_HOME", raising=False)
    if value is not None:
        monkeypatch.setenv("CRIBBOARD_HOME", value)
    monkeypatch.setattr(platformdirs, "user_data_path", lambda name, appauthor: tmp_path / name)
    assert files.home() == tmp_path / "cribboard"


def test_boards_have_folders_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    assert files.board_folder() == tmp_path / "sim" / "sim"
    assert files.board_folder("pub-2").is_dir()
    assert files.running_folder() not in (files.board_folder(), files.board_folder("pub-2"))


@pytest.mark.parametrize("name", ["", "..", "a/b", ".running", "-x", "a" * 33, "häuschen"])
def test_a_name_that_could_lead_elsewhere_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    with pytest.raises(CribboardError, match="cannot name a virtual board"):
        files.board_folder(name)


def test_a_home_of_nobody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", "~nobody-such/x")
    with pytest.raises(CribboardError, match="CRIBBOARD_HOME is ~nobody-such/x, but there is no such user; set it"):
        files.home()


@pytest.mark.parametrize("name", ["kept.json", "kept.part", "kept.new", "kept"])
def test_a_file_is_replaced_whole_or_stays_as_it_was(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    files.write_whole(path, "old")
    with pytest.raises(ZeroDivisionError), files.replacing(path) as fresh:
        fresh.write_text("half", encoding="utf-8")
        raise ZeroDivisionError
    assert {left.name: left.read_text("utf-8") for left in tmp_path.iterdir()} == {name: "old"}
    files.write_whole(path, "new")
    assert {left.name: left.read_text("utf-8") for left in tmp_path.iterdir()} == {name: "new"}


def test_what_must_be_private_is_not_written_where_all_may_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_owners(path: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", no_owners)
    with pytest.raises(CribboardError, match=r"keys\.json cannot be written"):
        files.write_whole(tmp_path / "keys.json", "secret")
    assert not list(tmp_path.iterdir())
    with files.replacing(tmp_path / "backup.db", private=False) as fresh:
        fresh.write_text("rows", encoding="utf-8")
    assert (tmp_path / "backup.db").read_text("utf-8") == "rows"
