"""The errors that a user can see: what is wrong, with the value in it, and what to do."""

from __future__ import annotations


class CribboardError(Exception):
    """The base of every error that is meant to be read; `hint` says what to do about it, `code` is for programs."""

    exit_code = 1
    code = "refused"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message

    def entry(self) -> dict[str, object]:
        """The error for JSON: one object, wherever it is."""
        return {"error": {"code": self.code, "message": self.message, "hint": self.hint}}


class Notice(str):
    """A notice for the staff; guests are shown `public` instead, without paths, ports or addresses."""

    public: str

    def __new__(cls, text: str, public: str = "") -> Notice:
        made = super().__new__(cls, text)
        made.public = public
        return made


class ArgumentError(CribboardError):
    """What was given is not what is asked for."""

    exit_code = 2
    code = "argument"


class Unsaid(CribboardError):
    """What was asked for is done and counts, but the answer could not be written."""

    exit_code = 4
    code = "unsaid"


class TransportError(CribboardError):
    """No board, no port, or no answer."""

    exit_code = 3
    code = "link"


class Busy(TransportError):
    """Another program has the board just now."""

    code = "busy"


class WrongBoard(CribboardError):
    """Something answers, but not the board that was meant, or not one that this program can talk to."""

    exit_code = 3
    code = "board"


class OtherBoard(WrongBoard):
    """Another board, `there`, is on the `port` that was named for `meant`, where a game may be on."""

    def __init__(self, port: str, there: str, meant: str) -> None:
        self.port, self.there, self.meant = port, there, meant
        super().__init__(
            f"another board is on {port}: {there} instead of {meant}",
            f"its score waits for {meant}; plug that in again, move the game to {there} on the page /staff, "
            f"or start the kiosk again to play on {there}",
        )


class Echo(WrongBoard):
    """The device at the port only echoes what it receives."""


class InBringUp(WrongBoard):
    """The board tries its lights and buttons, and plays no game."""

    def __init__(self) -> None:
        super().__init__(
            "the board is in its bring-up",
            "`cribboard bringup` goes through it; to play, cut the board's power and switch it on again",
        )


class CommandError(CribboardError):
    """The board has refused a command; `code` is the wire's word for why."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text, _HINTS.get(code, ""))
        self.code = code


_HINTS = {
    "over": "take the last score back with `cribboard undo`, or start a new game with `cribboard new`",
    "lost": "look at the score, and repeat it if it is still right",
    "rev": "somebody else was quicker; look with `cribboard state` and decide again",
    "session": "another program uses the board at the same time; try again",
    "count": "nothing was pegged; look at the cards again",
    "unknown": "look at the score, and repeat it if it is still right",
    "journal": "the board's flash may be worn out; nothing was changed",
}
