"""A deal that outlives the program: each event and each named card is a line in a file beside the board's ledger.

It is appended and not forced to the disk: the points are the board's and the ledger's, and a power cut of the host can
cost no more than the newest cards. A file that cannot be read is started again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from cribboard.board.messages import Row
from cribboard.errors import CribboardError
from cribboard.files import atomic_write, from_json, only_owners, read_file, write_errors
from cribboard.service.cards import Cards, Claim, Counted, Deal, Laid
from cribboard_core.cards import card_name, parse_card, parse_cards

NAME = "cards.jsonl"
FORMAT = 1
LONG = 4000  # lines, at which the file is cut
KEPT = 400  # then, or less, from a deal's beginning; a deal has about thirty, so undo still finds those before
CUTS = ("deal", "new")

Line = list[Any]


class KeptDeal(Deal):
    """The deal at one board; `epoch` is its journal's, `rows` are its newest events, `rev` the newest of all.

    If the board has `lost` events, what was noted by their numbers does not count. A program that only looks does not
    `keep` what happens, since the file is that of the program which has the board.
    """

    def __init__(
        self,
        folder: Path,
        epoch: int,
        rev: int,
        rows: Sequence[Row],
        *,
        lost: bool = False,
        keep: bool = True,
    ) -> None:
        super().__init__()
        self._path = folder / NAME
        self._keep = keep
        self._epoch = epoch
        self.unwritten: CribboardError | None = None  # why the newest lines are not in the file
        self._lines: list[Line] = []
        missed = None if lost else self._missed(rev, rows)
        if missed is None:
            super().__init__()
            self.begin(epoch)
        for row in rows if missed is None else missed:
            self.heard(row)

    def heard(self, row: Row | None) -> None:
        """Follow an event of the board; an event that comes a second time is ignored."""
        if row is not None and row.rev <= self._rev:
            return
        super().heard(row)
        self._note(["heard", *(row.told() if row is not None else ())])

    def turn_up(self, card: int) -> None:
        """Name the starter, -1 for none."""
        super().turn_up(card)
        self._note(["starter", *([card_name(card)] if card >= 0 else ())])

    def laid(self, laid: Laid) -> None:
        """Put a card on the pile."""
        super().laid(laid)
        self._note(["card", card_name(laid.card), laid.side, laid.rev, laid.key, *_told(laid.claim, laid.points)])

    def unlay(self, card: int) -> None:
        """Take back the last card."""
        super().unlay(card)
        self._note(["back", card_name(card)])

    def count(self, hand: Counted) -> None:
        """Add the cards of a counted hand."""
        super().count(hand)
        cards = " ".join(card_name(card) for card in hand.cards)
        told = ["hand", hand.rev, hand.side, hand.crib, cards, card_name(hand.starter)]
        self._note([*told, *([hand.key, *_told(hand.claim)] if hand.claim else [])])

    def clear(self) -> None:
        """Forget the cards."""
        super().clear()
        self._note(["clear"])

    def take_over(self, rev: int, cards: Cards) -> None:
        """Take over the cards of a game that came here from another board."""
        super().take_over(rev, cards)
        self._note(["moved", rev, asdict(cards)])

    def begin(self, epoch: int) -> None:
        """Forget what was noted by rev: the board has started another journal."""
        super().begin(epoch)
        self._epoch, self._rev = epoch, 0
        self._lines = [["starter", card_name(self.now.starter)]] if self.now.starter >= 0 else []
        self._write()

    def _missed(self, rev: int, rows: Sequence[Row]) -> list[Row] | None:
        """The events since the last line of the file; None when the file does not lead up to them."""
        with suppress(OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError, CribboardError):
            text = read_file(self._path).decode("utf-8-sig")
            head, *lines = [from_json(line) for line in text[: text.rfind("\n") + 1].splitlines()]
            if head != [FORMAT, self._epoch]:
                return None
            for what, *told in lines:
                self._replay(what, told)
            missed = [row for row in rows if row.rev > self._rev]
            if rev != self._rev and (not missed or missed[0].rev != self._rev + 1):
                return None
            self._lines = lines
            if not text.endswith("\n"):
                self._write()
            return missed
        return None

    def _replay(self, what: str, told: Line) -> None:
        """Apply a line of the file."""
        if what == "heard":
            super().heard(Row.read(told) if told else None)
        elif what == "starter":
            super().turn_up(parse_card(told[0]) if told else -1)
        elif what == "card":
            name, side, rev, key, *claim = told
            laid = replace(super().lay(parse_card(name), int(side)), rev=int(rev), key=str(key))
            super().laid(replace(laid, points=int(claim[3]), claim=_claim(claim)) if claim else laid)
        elif what == "back":
            super().unlay(parse_card(told[0]))
        elif what == "hand":
            rev, side, crib, cards, starter, *claim = told
            hand = Counted(int(rev), int(side), bool(crib), tuple(parse_cards(cards)), parse_card(starter))
            super().count(replace(hand, key=str(claim[0]), claim=_claim(claim[1:])) if claim else hand)
        elif what == "clear":
            super().clear()
        elif what == "moved":
            rev, entry = told
            super().take_over(int(rev), _cards(entry))
        else:
            raise ValueError(what)

    def _note(self, line: Line) -> None:
        self._lines.append(line)
        cut = self._cut() if len(self._lines) > LONG else 0
        if cut or self.unwritten is not None:  # after a failure, so that no line is missing between others
            self._lines = self._lines[cut:]
            self._write()
        else:
            self._try(lambda: self._put(self._path, "a", [line]))

    def _cut(self) -> int:
        """The index of the line with which the file may start: one of the newest deals."""
        deals = [at for at, (what, *told) in enumerate(self._lines) if what == "heard" and told and told[1] in CUTS]
        return ([at for at in deals if at >= len(self._lines) - KEPT] or deals[-1:] or [0])[0]

    def _write(self) -> None:
        def write() -> None:
            with atomic_write(self._path) as fresh:
                self._put(fresh, "w", [[FORMAT, self._epoch], *self._lines])

        self._try(write)

    def keep_again(self) -> None:
        """Write what could not be written, if there is anything."""
        if self.unwritten is not None:
            self._write()

    def _put(self, path: Path, how: str, lines: Sequence[Line]) -> None:
        only_owners(path)
        with path.open(how, encoding="utf-8") as file:
            file.write("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))

    def _try(self, write: Callable[[], None]) -> None:
        if not self._keep:
            return
        try:
            with write_errors(self._path):
                write()
        except CribboardError as error:
            self.unwritten = error
        else:
            self.unwritten = None


def _told(claim: Claim | None, *more: int) -> Line:
    """A claim as a line has it; nothing for none."""
    return [claim.points, claim.missed, claim.callable, *more] if claim else []


def _claim(told: Line) -> Claim:
    points, missed, callable_ = told[:3]
    return Claim(int(points), int(missed), bool(callable_))


def _cards(entry: Any) -> Cards:  # whatever the file holds
    lists = {name: tuple(map(_one, entry[name])) for name in ("pile", "played", "counted", "before")}
    single = {name: _one(entry[name]) if entry[name] else None for name in ("last", "open")}
    return Cards(**{**entry, **lists, **single, "pegged": tuple(entry["pegged"])})


def _one(entry: Any) -> Any:
    claim = Claim(**entry["claim"]) if entry["claim"] else None
    if "crib" in entry:
        return Counted(**{**entry, "claim": claim, "cards": tuple(entry["cards"])})
    return Laid(**{**entry, "claim": claim})
