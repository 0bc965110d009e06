"""News are numbered, kept and handed on in order."""

from __future__ import annotations

from cribboard.service.news import KEPT, News, Newsroom


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
    assert room.newest == 3


def test_who_comes_back_gets_what_it_missed_as_long_as_that_is_kept() -> None:
    room = Newsroom()
    assert room.after(0) == []
    for number in range(KEPT + 5):
        room.tell("notice", {"text": str(number)})
    assert [news.id for news in room.after(KEPT + 3) or []] == [KEPT + 4, KEPT + 5]
    assert room.after(KEPT + 5) == []
    assert len(room.after(5) or []) == KEPT
    assert room.after(4) is None
    assert room.after(KEPT + 6) is None  # another kiosk's
    assert room.after(-1) is None


def test_of_the_states_the_newest_is_kept_in_its_order() -> None:
    room = Newsroom()
    for version in range(3):
        room.tell("notice", {"text": str(version)})
        room.tell("state", {"version": version})
    room.tell("notice", {"text": "last"})
    assert [(news.id, news.kind) for news in room.after(0) or []] == [
        (1, "notice"),
        (3, "notice"),
        (5, "notice"),
        (6, "state"),
        (7, "notice"),
    ]
    assert [news.id for news in room.after(6) or []] == [7]
