"""An order as it is noted before the board hears of it: its commands, and what it shows with the event of each.

The board carries out one command at a time, and the kiosk may be killed between two, or before it has noted what the
cards were. So the whole act lies beside the command on its way, in the ledger's own room. It stands if its first
command counts; the kiosk that starts again finds what is missing there.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import cast

from cribboard.board.client import Board
from cribboard.board.messages import Event
from cribboard.json_types import Json
from cribboard.referee.options import Options
from cribboard.referee.shown import Shown, as_shown
from cribboard.service.rules import as_options
from cribboard.typed import DAMAGE, Unfit, as_field, as_list, as_list_of, as_object, as_string, optional, placed


@dataclass(frozen=True)
class Step:
    """A command with its key, and what is shown with its event."""

    key: str
    op: str
    args: Sequence[Json]
    shown: Sequence[Shown] = ()


@dataclass(frozen=True)
class Act:
    """The steps of an order by somebody; with a new game go its `rules`."""

    steps: Sequence[Step]
    by: str
    rules: Options | None = None

    def to_json(self) -> Json:
        """For the ledger; None when one command says it all."""
        if len(self.steps) == 1 and self.rules is None and not self.steps[0].shown:
            return None
        steps = [{**vars(step), "args": [*step.args], "shown": [*step.shown]} for step in self.steps]
        entry = {"steps": steps, "by": self.by}
        return cast("Json", entry | ({"rules": self.rules.to_json()} if self.rules else {}))

    def step_of(self, board: Board, event: Event) -> Step | None:
        """The step that has made this event; None if none has."""
        return next((step for step in self.steps if step.key and board.has_made(event, step.op, step.key)), None)


def act_of(board: Board) -> Act | None:
    """The act that is noted with the board's newest command; None without one, or if it cannot be read."""
    with suppress(*DAMAGE):
        return optional(board.act, _read_act)
    return None


def damage_of(board: Board) -> Unfit | None:
    """What is wrong with the act that is noted with the board's newest command; None if nothing is."""
    try:
        optional(board.act, _read_act)
    except DAMAGE as error:
        return placed(error)
    return None


def _read_act(value: Json) -> Act:
    entry = as_object(value)
    steps = as_field(entry, "steps", lambda given: as_list_of("step", given, _read_step))
    if not steps:
        raise Unfit("an act has steps", "steps")
    rules = as_field(entry, "rules", as_options) if "rules" in entry else None
    return Act(steps, as_field(entry, "by", as_string), rules)


def _read_step(value: Json) -> Step:
    entry = as_object(value)
    shown = as_field(entry, "shown", lambda given: as_list_of("item", given, as_shown))
    key, op = as_field(entry, "key", as_string), as_field(entry, "op", as_string)
    return Step(key, op, as_field(entry, "args", as_list), shown)


def shown_with(board: Board, event: Event) -> Sequence[Shown]:
    """What the order has shown that made this event."""
    act = act_of(board)
    step = act.step_of(board, event) if act is not None else None
    return step.shown if step is not None else ()
