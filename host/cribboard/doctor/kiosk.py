"""What a kiosk reports about a board whose port it holds; the doctor asks the kiosk at its door."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cribboard.board.answers import Hello, Standing
from cribboard.errors import CribboardError
from cribboard.service.guest import GONE, enter
from cribboard.service.sign import doors
from cribboard.service.speech import error_read, hello_read


@dataclass(frozen=True)
class Held:
    """How a board stands behind a door; `away` is why the kiosk cannot hear it just now."""

    hello: Hello
    standing: Standing
    away: CribboardError | None


def held(port: str, folder: Path) -> Held | None:
    """The board at this port, from whoever holds it and has put up a sign below the folder."""
    for sign in doors(folder):
        if Path(sign.port).resolve() != Path(port).resolve():
            continue
        try:
            door, told = enter(sign)
        except GONE:  # there is nobody any more, or not yet
            continue
        door.close()
        away = told.get("away")
        return Held(hello_read(told["hello"]), Standing.read(told["standing"]), error_read(away) if away else None)
    return None
