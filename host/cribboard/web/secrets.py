"""The kiosk's secrets: the key that signs cookies and the hash of the staff's PIN, in a file for its owner only."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from cribboard.errors import CribboardError
from cribboard.files import from_json, locked
from cribboard.slots import Slots
from cribboard.typed import DAMAGE

NAME = "kiosk-keys.json"
ROOM = 16384  # bytes; as many ended sessions as are kept take 11,000
PIN_DIGITS = 6
MOST_ENDED = 500  # sessions of staff's that were left; they end by themselves after some hours
COST = {"n": 2**14, "r": 8, "p": 1}  # scrypt as RFC 7914 has it for logins: 16 MB, some 50 ms


@dataclass(frozen=True)
class Content:
    """The file's content. `phones` counts all phones that ever joined, `ended` the staff sessions that were left."""

    secret: str = field(default_factory=lambda: secrets.token_hex(32), repr=False)
    salt: str = ""
    pin: str = field(default="", repr=False)
    phones: int = 0
    ended: tuple[str, ...] = ()

    def sound(self) -> bool:
        """Whether each value is valid."""
        numbers = type(self.phones) is int and self.phones >= 0
        left = all(isinstance(session, str) for session in self.ended)
        hashed = (self.salt, self.pin) == ("", "") or (_is_hex(self.salt, 32) and _is_hex(self.pin, 64))
        return numbers and left and hashed and _is_hex(self.secret, 64)


class Keys:
    """The file, made if it is missing. A PIN that another process sets counts at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / NAME
        self.slots = Slots(self._path, ROOM)
        self._lock = threading.Lock()
        self._kept = Content()
        with self._alone():
            text = self.slots.read()
            if text is None:
                self.slots.write(_text(self._kept))
            else:
                self._kept = self._parsed(text)

    @property
    def now(self) -> Content:
        """The file's content."""
        try:
            if self.slots.has_changed():
                self._kept = self._parsed(self.slots.read() or "")
        except (OSError, CribboardError):
            return self._kept  # somebody is at it; what was good stays good
        return self._kept

    def new_pin(self, pin: str = "") -> str:
        """Set the staff's PIN, by default a random one; returns it, the only time that it can be read."""
        pin = pin or f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"
        salt = secrets.token_hex(16)
        self._change(lambda kept: replace(kept, salt=salt, pin=_hash(pin, salt)))
        return pin

    def is_pin(self, pin: str) -> bool:
        """Whether this is the PIN; takes as long for a wrong one."""
        kept = self.now
        return bool(kept.pin) and hmac.compare_digest(_hash(pin, kept.salt), kept.pin)

    def another_phone(self) -> int:
        """A new number for a phone that joins."""
        return self._change(lambda kept: replace(kept, phones=kept.phones + 1)).phones

    def end(self, session: str) -> None:
        """End a staff session, also for copies of its cookie."""
        self._change(lambda kept: replace(kept, ended=(*kept.ended, session)[-MOST_ENDED:]))

    def _change(self, change: Callable[[Content], Content]) -> Content:
        """Change the file's current content, while no other process can write it."""
        with self._lock, self._alone():
            self._kept = changed = change(self.now)
            self.slots.keep(_text(changed))
        return changed

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with ExitStack() as stack:
            with suppress(OSError):  # where no lock can be made, nobody else can write
                stack.enter_context(locked(self._path.with_suffix(".lock")))
            yield

    def _parsed(self, text: str) -> Content:
        try:
            with suppress(OSError):
                self._path.chmod(0o600)
            entry = from_json(text)
            kept = Content(**{**entry, "ended": tuple(entry.get("ended", ()))})
            if kept.sound():
                return kept
        except DAMAGE:
            pass
        raise CribboardError(
            f"{self._path} is damaged",
            "remove it; the next start makes another, and all phones and staff must join again",
        )


def _text(kept: Content) -> str:
    return json.dumps(asdict(kept))


def _is_hex(text: object, length: int) -> bool:
    return isinstance(text, str) and re.fullmatch(f"[0-9a-f]{{{length}}}", text) is not None


def _hash(pin: str, salt: str) -> str:
    return hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), dklen=32, **COST).hex()
