"""The Wi-Fi in `cribboard setup`: what is written, what is refused, and that its secrets are never said."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from install.circuitpy import plug_in

from cribboard.cli.main import cli
from cribboard_fw.settings import load

PICO_2_W = "raspberry_pi_pico2_w"


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    return plug_in(tmp_path / "CIRCUITPY", version="10.2.1", board=PICO_2_W)


def setup(drive: Path, *words: str, typed: str = "") -> Result:
    return CliRunner().invoke(cli, ["setup", str(drive), "--source", *words], input=typed, catch_exceptions=False)


def wifi_of(drive: Path) -> tuple[str, str, str, str]:
    wifi = load((drive / "settings.toml").read_text(encoding="utf-8")).wifi
    assert wifi is not None
    return wifi.network, wifi.password, wifi.name, wifi.key


def test_a_network_is_set_with_a_secret_of_its_own_and_a_new_one_puts_phones_out(drive: Path) -> None:
    first = setup(drive, "--wifi", "pub", "--wifi-name", "back-room", typed="pass phrase\n")
    assert first.exit_code == 0, first.output
    network, password, name, key = wifi_of(drive)
    assert (network, password, name) == ("pub", "pass phrase", "back-room")
    assert re.fullmatch("[0-9a-f]{32}", key)
    again = setup(drive, "--wifi", "home", typed="other phrase\n")
    assert wifi_of(drive) == ("home", "other phrase", "back-room", key)
    renewed = setup(drive, "--new-key")
    assert wifi_of(drive)[:3] == ("home", "other phrase", "back-room") and wifi_of(drive)[3] != key
    for said in (first, again, renewed):
        for secret in ("pass phrase", "other phrase", key, wifi_of(drive)[3]):
            assert secret not in said.output
    label = setup(drive, "--label").output
    assert label.rstrip().endswith("http://back-room.local") and "█" in label
    assert setup(drive, "--wifi", "").exit_code == 0
    assert wifi_of(drive)[0] == ""
    assert "cribboard setup --wifi NETWORK" in setup(drive, "--label").output


def test_typed_alone_it_asks_again_for_a_password_that_cannot_be_and_none_takes_the_board_off(drive: Path) -> None:
    terminal = pytest.importorskip("cli.terminal", reason="Windows has no pseudo-terminals", exc_type=ImportError)
    for network, passwords, there in (
        ("pub", ["short", "pass phrase"], ("pub", "pass phrase")),
        ("", [], ("pub", "pass phrase")),
        ("none", [], ("", "")),
    ):
        asked = terminal.Terminal(drive.parent / "home", str(drive), command="setup")
        asked.type("\n" * 7 + network, then="network without one" if passwords else "The firmware")
        # Only when it is asked for: what is typed before that is shown, and passed over.
        for password, then in zip(passwords, ("network without one", "The firmware"), strict=False):
            said = asked.type(password, then)
            assert password not in said and ("it has 8 to 63 characters" in said) == (password == "short")
        assert asked.running.wait(60) == 0
        asked.end()
        assert wifi_of(drive)[:2] == there


def test_a_closed_standard_input_has_no_password(
    drive: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    for words, status in (["--players", "3"], 0), (["--wifi", "pub"], 2):
        with pytest.raises(SystemExit) as ending:
            cli(["setup", str(drive), *words])
        assert ending.value.code == status
    assert capsys.readouterr().err.startswith("Error: standard input is closed\n  send it the password")


@pytest.mark.parametrize(
    ("words", "typed", "said"),
    [
        (["--wifi", "pub"], "short\n", "WIFI_PASSWORD: it has 8 to 63"),
        (["--wifi", "pub"], 'a "quoted" phrase\n', "WIFI_PASSWORD cannot have"),
        (["--wifi", "n" * 33], "pass phrase\n", "WIFI_NETWORK: a network's name"),
        (["--wifi", "pub", "--wifi-name", "Back Room"], "pass phrase\n", "WIFI_NAME: use up to 32"),
        (["--wifi-name", "x"], "", "--wifi-name needs a network"),
        (["--label", "--players", "3"], "", "--label changes nothing"),
    ],
)
def test_what_a_board_cannot_use_is_refused(drive: Path, words: list[str], typed: str, said: str) -> None:
    result = setup(drive, *words, typed=typed)
    assert result.exit_code != 0 and said in result.output
    assert typed.strip() not in result.output or not typed


@pytest.mark.parametrize(
    ("board", "version", "said"),
    [
        ("raspberry_pi_pico_w", "10.2.1", "too little memory"),
        ("raspberry_pi_pico", "10.2.1", "no radio that serves phones"),
        (PICO_2_W, "9.2.1", "CircuitPython 9.2.1 breaks down"),
    ],
)
def test_a_board_that_cannot_is_told_why(tmp_path: Path, board: str, version: str, said: str) -> None:
    drive = plug_in(tmp_path / "CIRCUITPY", version=version, board=board)
    result = setup(drive, "--wifi", "pub", typed="pass phrase\n")
    assert result.exit_code != 0 and said in result.output
