"""What can reach a guest: no sentence of it has a path, a port, an address, a user or the URL of a database in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import cribboard
from cribboard.board.client import Board
from cribboard.errors import Busy, CribboardError, Notice, TransportError, WrongBoard
from cribboard.service.execute import _refusing
from cribboard.service.orders import OrderError
from cribboard.service.service import News, Service
from cribboard.web.problem import of

ROOT = Path(cribboard.__file__).parent
ROOMS = ("board", "playing", "referee", "service", "store", "web")
SAY = {"OrderError", "Problem", "later", "_notice", "_on_notice", "on_notice", "notice", "put", "tell"}
PRIVATE = {"error", "failed", "path", "_path", "folder", "file", "aside", "port", "url", "uid", "database", "name"}
PRIVATE |= {"why", "no_file", "message", "strerror", "hint"}
MAY = {  # what these are there, and why a guest may read them
    ("board/client.py", "message[1]"): "a board's own words",
    ("board/exactly_once.py", "refused.message"): "a board's own words",
    ("service/execute.py", "error.code"): "a board's own words",
    ("service/execute.py", "error.hint"): "about the values of an order",
    ("service/execute.py", "error.message"): "about the values of an order, or an OrderError's",
    ("service/execute.py", "hint"): "about an order",
    ("service/execute.py", "message"): "a board's own words",
    ("service/execute.py", "name"): "a player's",
    ("service/night_player.py", "hint"): "who may say a result",
    ("service/orders.py", "hint"): "about the values of an order",
    ("service/orders.py", "message"): "about the values of an order",
    ("service/recorder.py", "error.message"): "at home, where there are no guests",
    ("service/rules.py", "name"): "a house rule's",
    ("service/writer.py", "error.message"): "at the terminal, when the kiosk starts",
    ("service/writer.py", "uid"): "at the terminal, when the kiosk starts",
    ("web/api_director.py", "error.hint"): "about the wishes for a night",
    ("web/api_director.py", "error.message"): "about the wishes for a night",
    ("web/api_history.py", "error.message"): "for staff",
    ("web/api_history.py", "name"): "a field's",
    ("web/api_season.py", "error.hint"): "about the name and the rules of a season",
    ("web/api_season.py", "error.message"): "about the name and the rules of a season",
    ("web/api_tables.py", "error.hint"): "for staff",
    ("web/api_tables.py", "error.message"): "for staff",
    ("web/api_tables.py", "name"): "a field's",
    ("web/guard.py", "self._limits.url"): "how long an address may be",
    ("web/problem.py", "error.code"): "a board's own words, or an OrderError's",
    ("web/problem.py", "error.headers"): "of HTTP",
    ("web/problem.py", "error.hint"): "an OrderError's, or for staff",
    ("web/problem.py", "error.message"): "a board's own words, an OrderError's, or for staff",
    ("web/problem.py", "error.status"): "of HTTP",
    ("web/problem.py", "error.status_code"): "of HTTP",
    ("web/problem.py", "hint"): "of HTTP",
    ("web/problem.py", "message"): "of HTTP",
    ("web/json_body.py", "why"): "about the body of a request",
    ("web/kiosk.py", "error.hint"): "about what was asked of the history",
    ("web/kiosk.py", "error.message"): "about what was asked of the history",
    ("web/night_reader.py", "problem.hint"): "about a night's number",
    ("web/night_reader.py", "problem.message"): "about a night's number",
    ("web/phones.py", "error.hint"): "about a phone's name",
    ("web/phones.py", "error.message"): "about a phone's name",
    ("web/tables.py", "error.hint"): "about a table's name",
    ("web/tables.py", "error.message"): "about a table's name",
    ("web/tables.py", "hint"): "about a table's number",
}


def said() -> Iterator[tuple[str, str]]:
    """Each expression in a sentence that may be told to guests, and its module."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if "site" in path.parts or "migrations" in path.parts:
                continue
            tree = ast.parse(path.read_text("utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and _name(node.func) in SAY:
                    for expression in _expressions(node):
                        yield path.relative_to(ROOT).as_posix(), ast.unparse(expression)


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _expressions(call: ast.Call) -> Iterator[ast.expr]:
    """What stands in braces in the texts of a call, and texts that are no literals; of a Notice its public part."""
    for given in [*call.args, *(one.value for one in call.keywords)]:
        for node in _shown(given):
            if isinstance(node, ast.FormattedValue):
                yield node.value
            elif isinstance(node, (ast.Attribute, ast.Name)):
                yield node


def _shown(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.Call) and _name(node.func) == "Notice":
        for public in node.args[1:]:
            yield from _shown(public)
    elif isinstance(node, ast.JoinedStr):
        yield from (part for part in node.values if isinstance(part, ast.FormattedValue))
    elif isinstance(node, (ast.Attribute, ast.Name)):
        yield node
    elif isinstance(node, ast.IfExp):
        yield from _shown(node.body)
        yield from _shown(node.orelse)
    elif isinstance(node, (ast.BinOp, ast.BoolOp, ast.Starred)):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from _shown(child)


def test_what_guests_are_told_is_looked_at_word_by_word() -> None:
    private = {(module, words) for module, words in said() if PRIVATE & set(re.split(r"\W+", words))}
    assert private == set(MAY)


SECRET = "/home/pub/.local/share/cribboard/boards/e6/ledger.json"


@pytest.mark.parametrize(
    "error",
    [
        CribboardError(f"{SECRET} cannot be written (No space left on device)", f"make room in {SECRET}"),
        TransportError(f"the board on {SECRET} does not answer", f"look at {SECRET}"),
        Busy(f"{SECRET} is in use", SECRET),
        WrongBoard(f"{SECRET} is no board", SECRET),
        OSError(28, "No space left on device", SECRET),
        RuntimeError(SECRET),
    ],
)
def test_an_error_of_the_house_is_no_answer_to_a_guest(error: Exception) -> None:
    answer = of(error)
    assert SECRET not in f"{answer.message} {answer.hint}"
    with pytest.raises(type(error) if not isinstance(error, CribboardError) else OrderError) as caught, _refusing():
        raise error
    if isinstance(caught.value, OrderError):
        assert SECRET not in str(caught.value)


def test_a_notice_for_the_house_is_told_to_guests_in_its_public_words(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[News] = []
    service = Service(1, lambda say: Board(lambda: None, ROOT), None)  # type: ignore[arg-type, return-value]
    service.listen(heard.append)
    service._notice(Notice(f"{SECRET} is damaged", "something is damaged"))
    service._notice(Notice(f"{SECRET} is damaged again"))
    service._notice("all is well")
    assert [news.data["text"] for news in heard] == ["Something is damaged.", "All is well."]
    assert caplog.text.count(SECRET) == 2
