"""News are numbered and handed on in order."""

from __future__ import annotations

from cribboard.service.service import News, Newsroom


def test_listeners_hear_all_in_order_until_they_leave() -> None:
    room = Newsroom()
    heard: list[News] = []
    leave = room.listen(heard.append)
    room.tell("notice", {"text": "one"})
    room.tell("state", {"version": 2})
    leave()
    leave()
    room.tell("notice", {"text": "three"})
    assert [(news.id, news.kind) for news in heard] == [(1, "notice"), (2, "state")]
