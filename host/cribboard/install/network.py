"""The Wi-Fi of a board with a radio, in the settings on its drive; the secret goes nowhere else."""

from __future__ import annotations

import secrets

from cribboard.errors import ArgumentError, CribboardError
from cribboard.install.circuitpy import Circuitpy
from cribboard.install.plans import SETTINGS
from cribboard.toml_lines import values
from cribboard_fw.network import NAME, Wifi

PICO_W = "raspberry_pi_pico_w"
OLDEST = 10  # before, CircuitPython breaks down under traffic


def chosen(board: Circuitpy, network: str, password: str, name: str | None, *, new_key: bool) -> dict[str, str]:
    """The lines of the network, by their keys; a board that has no secret yet gets one. Raises ArgumentError."""
    own = _own(board)
    key = "" if new_key else own.get("WIFI_KEY", "")
    wanted = {
        "WIFI_NETWORK": network,
        "WIFI_PASSWORD": password,
        "WIFI_NAME": name or own.get("WIFI_NAME", NAME),
        "WIFI_KEY": key or secrets.token_hex(16),
    }
    return _lines(wanted)


def with_new_key() -> dict[str, str]:
    """The line of a new secret, which puts out all phones."""
    return _lines({"WIFI_KEY": secrets.token_hex(16)})


def check_password(password: str) -> None:
    """Raise ArgumentError for one that no network has."""
    _lines({"WIFI_PASSWORD": password})


def address(board: Circuitpy) -> str:
    """Where phones find the board; raises CribboardError when its settings name no network."""
    own = _own(board)
    if not own.get("WIFI_NETWORK") or not own.get("WIFI_KEY"):
        raise CribboardError("the settings on this drive name no network", "cribboard setup --wifi NETWORK")
    return f"http://{own.get('WIFI_NAME') or NAME}.local"


def network_of(board: Circuitpy) -> str:
    """The network that the settings on the drive name, if any."""
    return _own(board).get("WIFI_NETWORK", "")


def key_of(board: Circuitpy) -> str:
    """The secret on the drive, from which the token of its phones follows."""
    return _own(board).get("WIFI_KEY", "")


def _own(board: Circuitpy) -> dict[str, str]:
    path = board.folder / SETTINGS
    text = path.read_text("utf-8", errors="replace") if path.is_file() else ""
    return {key: value.strip('"') for key, value in values(text).items() if key.startswith("WIFI_")}


def require_radio(board: Circuitpy) -> None:
    """Raise ArgumentError for a board that cannot serve phones."""
    if not board.radio:
        why = "has too little memory for phones" if board.board_id == PICO_W else "has no radio that serves phones"
        raise ArgumentError(f"the {board.board_id or 'board'} {why}", "use a Raspberry Pi Pico 2 W")
    if board.version[0] < OLDEST:
        raise ArgumentError(
            f"CircuitPython {board.release} breaks down under traffic", "install CircuitPython 10 or newer first"
        )


def _lines(wanted: dict[str, str]) -> dict[str, str]:
    for key, value in wanted.items():
        if not value.isprintable() or '"' in value or "\\" in value:
            raise ArgumentError(f'{key} cannot have ", \\ or a line end', "give the network another one")

    def wrong(key: str, advice: str) -> None:
        raise ArgumentError(f"{key}: {advice}")

    Wifi(wanted, wrong)
    return {key: f'"{value}"' for key, value in wanted.items()}
