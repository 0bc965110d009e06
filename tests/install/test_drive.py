"""The firmware's files are found in a checkout and in a wheel."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from vm.board_lint import imported

from cribboard.drive import ANSWER, WITH_RADIO, DriveError, drive_files
from cribboard.wifi.answers import answers
from cribboard.wifi.page import MOST


def test_this_checkout_has_all_of_the_drive() -> None:
    files = drive_files()
    for path in (files.boot, files.code, files.settings, *files.packages()):
        assert path.exists(), path


def test_a_drive_is_given_all_that_the_board_imports_and_nothing_that_is_not_code_or_settings() -> None:
    files = drive_files()
    given = files.contents(radio=True)
    for status in answers():
        assert given.pop(ANSWER.format(status))
    assert given["code.py"] == files.code.read_bytes()
    assert b"class NeoPixel" in given["lib/neopixel.py"]
    top = files.code.parent
    wanted = {"boot.py", "safemode.py", "trouble.py", "settings.toml", "lib/neopixel.py"}
    wanted |= {path.relative_to(top).as_posix() for path in imported(files.code, files.lib)}
    assert wanted <= set(given)
    assert {Path(name).suffix for name in given} == {".py", ".toml"}


def test_only_a_board_with_a_radio_is_given_what_serves_phones_and_a_small_page_that_is_always_the_same() -> None:
    files = drive_files()
    given, others = files.contents(radio=True), files.contents()
    assert set(given) - set(others) == {
        *map(ANSWER.format, answers()),
        *(f"lib/cribboard_fw/{name}.py" for name in WITH_RADIO),
    }
    assert given == files.contents(radio=True)
    head, _, page = given[ANSWER.format(200)].partition(b"\r\n\r\n")
    assert f"Content-Length: {len(page)}".encode() in head and len(page) <= MOST
    text = gzip.decompress(page).decode()
    assert text.startswith("<!doctype html>") and "import " not in text and "@param" not in text


def test_without_the_library_for_strips_a_drive_cannot_be_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(DriveError, match=r"neopixel\.py, which goes on the drive, is not installed") as caught:
        drive_files().contents()
    assert "pip install adafruit-circuitpython-neopixel" in caught.value.hint


def test_a_wheel_carries_the_files_beside_its_packages(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "cribboard"
    (package / "_drive").mkdir(parents=True)
    (package / "_drive" / "code.py").touch()
    files = drive_files(package)
    assert files.code == package / "_drive" / "code.py"
    assert files.boot == package / "_drive" / "boot.py"
    assert files.settings == package / "_drive" / "settings.toml"
    assert files.packages() == (package.parent / "cribboard_core", package.parent / "cribboard_fw")


def test_a_broken_installation_says_where_it_looked(tmp_path: Path) -> None:
    with pytest.raises(DriveError, match=r"code\.py is neither in") as caught:
        drive_files(tmp_path / "host" / "cribboard")
    assert str(tmp_path / "firmware") in str(caught.value)
    assert "install cribboard again" in caught.value.hint
