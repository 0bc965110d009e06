"""What the cards were is known after a restart of the kiosk, whatever has happened meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rigs import hostile
from service.room import HAND, Room

from cribboard.board.messages import Event
from cribboard.referee import watching
from cribboard.referee.options import Options
from cribboard.referee.shown import (
    a_card,
    a_card_back,
    a_claim_back,
    a_correction,
    a_starter,
    as_record,
    cards_of,
    no_cards,
    other_cards,
)
from cribboard.referee.watched import Cards, Correction, Counted
from cribboard.referee.watching import Watching
from cribboard.service import cards_log
from cribboard.service.acts import Act, Step, act_of, damage_of
from cribboard.service.cards_log import KeptDeal
from cribboard.service.orders import read_order
from cribboard.typed import DAMAGE, placed
from cribboard_core.cards import card_name, parse_card
from cribboard_core.events import DEAL, PEG, SET
from cribboard_core.events import HAND as COUNTED


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.fixture
def played(room: Room) -> Room:
    """Half a deal: a starter, four cards of the play, a hand."""
    room.do("new", names=["Ann", "Bob"], dealer=1)
    room.do("starter", card="4C")
    for at, card in enumerate(["7H", "8S", "KD", "6D"]):
        room.do("play", side=2 - at % 2, card=card, again=True)
    room.do("hand", side=2, cards=["5H", "5C", "5S", "JD"], again=True)
    return room


def cards(room: Room) -> Cards:
    return room.table.deal.now


def pile(room: Room) -> list[str]:
    return [card_name(laid.card) for laid in cards(room).pile]


@pytest.mark.parametrize("killed", [False, True])
def test_a_restart_knows_starter_pile_hands_and_the_last_count(played: Room, killed: bool) -> None:
    before, entry = cards(played), played.entry()
    assert entry["count"]["text"] and entry["table"]["running"] == 31 and entry["table"]["starter"] == "4C"
    played.restart(killed=killed)
    assert cards(played) == before
    restored = played.entry()
    assert (restored["table"], restored["count"]) == (entry["table"], entry["count"])
    assert played.refused("play", side=1, card="8S").code == "cards"
    assert played.refused("hand", side=2, **HAND).code == "counted"


def test_a_restart_knows_what_was_taken_back(played: Room) -> None:
    played.do("play", side=2, card="9H", again=True)
    played.do("unplay", card="9H")
    played.do("starter", card=None)
    played.restart()
    assert [card_name(laid.card) for laid in cards(played).played] == ["7H", "8S", "KD", "6D"]
    assert (pile(played), cards(played).starter) == (["7H", "8S", "KD", "6D"], -1)  # thirty-one, as before it
    played.do("clear")
    played.restart()
    assert (pile(played), cards(played).played) == ([], ())
    assert [(hand.side, hand.cards) for hand in cards(played).counted] == [(1, ())]


def test_a_restart_knows_a_crib_from_a_hand(played: Room) -> None:
    played.do("hand", side=2, crib=True, cards=["2H", "3H", "8H", "KC"])
    played.restart()
    assert [(hand.side, hand.crib) for hand in cards(played).counted] == [(1, False), (1, True)]
    assert played.entry()["count"]["crib"] is True


def test_a_restart_knows_that_something_was_missed(played: Room) -> None:
    played.table.deal.heard(None)
    missed = cards(played)
    assert (card_name(missed.starter), missed.pile) == ("4C", ())
    played.restart()
    assert cards(played) == missed


@pytest.mark.parametrize("head", [[cards_log.FORMAT + 1, 0], [cards_log.FORMAT, 1]])
def test_a_file_of_another_program_or_of_another_journal_is_not_read(played: Room, head: list[int]) -> None:
    epoch = played.board.hello.epoch
    other = json.dumps([head[0], epoch + head[1]])
    _, *lines = played.notes.read_text().splitlines()
    played.restart(meanwhile=lambda: played.notes.write_text("\n".join([other, *lines, ""])))
    assert (cards(played).starter, cards(played).pile) == (-1, ())


def test_of_a_file_that_breaks_off_nothing_is_taken(room: Room) -> None:
    room.do("starter", card="4C")
    room.restart(meanwhile=lambda: room.notes.write_text(f'{room.notes.read_text()}["what"]\n'))
    assert cards(room) == Cards()


def test_a_file_whose_last_event_the_journal_has_not_is_not_read(played: Room) -> None:
    beyond = json.dumps(["event", 30000, "deal", 0, 1, 0])
    played.restart(meanwhile=lambda: played.notes.write_text(f"{played.notes.read_text()}{beyond}\n"))
    assert played.rev < 30000
    assert [(hand.side, hand.cards) for hand in cards(played).counted] == [(1, ())]


def test_undo_goes_on_where_it_was(played: Room) -> None:
    played.restart()
    played.do("undo", rev=played.rev)
    assert played.entry()["count"] is None
    played.do("undo", rev=played.rev - 2)
    assert (pile(played), cards(played).running) == (["7H", "8S", "KD"], 25)
    played.restart()
    assert (pile(played), cards(played).running) == (["7H", "8S", "KD"], 25)
    played.do("redo", rev=played.rev - 3)
    assert cards(played).running == 31


def test_two_undos_by_the_buttons_after_a_restart_take_back_what_they_undid(played: Room) -> None:
    played.restart()
    match = played.firmware.match
    played.firmware.unheard(*match.undo_event())
    played.firmware.keeper.do(match.undo_event())
    played.board.poll()
    assert (pile(played), cards(played).running) == (["7H", "8S", "KD"], 25)
    assert (card_name(cards(played).starter), cards(played).counted) == ("4C", ())


def test_what_the_buttons_did_meanwhile_is_heard(played: Room) -> None:
    played.restart(killed=True, meanwhile=lambda: played.firmware.unheard(DEAL, 0, 1, 0, 0))
    assert (cards(played).starter, pile(played), cards(played).counted) == (-1, [], ())
    assert played.entry()["count"]["side"] == 2
    played.do("undo", rev=played.rev)
    assert cards(played).running == 31


def test_cards_that_were_named_before_anything_was_scored_are_known(room: Room) -> None:
    room.do("starter", card="4C")
    room.do("play", side=2, card="7H", again=True)
    room.restart()
    assert (pile(room), card_name(cards(room).starter)) == (["7H"], "4C")
    room.restart(meanwhile=lambda: room.firmware.unheard(PEG, 0, 1, 0, 0))
    assert (pile(room), card_name(cards(room).starter)) == (["7H"], "4C")


def test_after_a_journal_that_was_lost_the_starter_is_still_known(played: Room) -> None:
    played.restart(meanwhile=played.firmware.wipe)
    played.do("starter", card="4C")
    played.do("play", side=2, card="7H", again=True)
    played.restart()
    assert (pile(played), card_name(cards(played).starter)) == (["7H"], "4C")


def test_an_event_that_is_told_twice_is_heard_once(played: Room) -> None:
    before = cards(played)
    played.do("deal")
    played.table.deal.heard(played.board.events()[-1])
    played.do("undo", rev=played.rev)
    assert cards(played) == before


def test_a_hand_counted_meanwhile_counts(played: Room) -> None:
    played.restart(meanwhile=lambda: played.firmware.unheard(COUNTED, 0, 6, 0, 0))
    assert [hand.side for hand in cards(played).counted] == [1, 0]
    assert cards(played).running == 31


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda data: b"\xff\xfe", "it is damaged or of another kind"),
        (lambda data: data.replace(b'"pile":[]', b'"pile":5'), "cards, pile: 5 is not a list"),
        (
            lambda data: data.replace(b'["card",', b'["crad",', 1),
            "line 4, item 1: 'crad' is nothing that",
        ),
        (lambda data: data + b"[" * 100_000 + b"\n", "it is not JSON"),
    ],
)
def test_a_file_that_cannot_be_read_is_set_aside_and_the_journal_is_left(
    played: Room, spoil: Callable[[bytes], bytes], why: str
) -> None:
    spoiled = spoil(played.notes.read_bytes())
    played.restart(meanwhile=lambda: played.notes.write_bytes(spoiled))
    broken, aside = played.table.deal.broken, played.notes.with_name("cards.broken")
    assert broken in played.wired.notes
    assert broken and why in broken and str(aside) in broken
    assert "/" not in broken.public and "asked for again" in broken.public
    assert aside.read_bytes() == spoiled
    assert (cards(played).starter, cards(played).pile) == (-1, ())
    assert [(hand.side, hand.cards) for hand in cards(played).counted] == [(1, ())]
    played.do("starter", card="4C")
    played.restart()
    assert card_name(cards(played).starter) == "4C"


def test_nobody_else_may_read_it(played: Room) -> None:
    assert played.notes.stat().st_mode & 0o777 == 0o600


def test_a_torn_line_is_cut_off(played: Room) -> None:
    path = played.notes

    def tear() -> None:
        with path.open("a") as file:
            file.write('["card","9')

    played.restart(meanwhile=tear)
    assert cards(played).running == 31
    played.do("play", side=2, card="9H", again=True)
    played.restart()
    assert pile(played) == ["9H"]


def test_cards_of_another_journal_are_not_these(played: Room) -> None:
    path = played.notes
    played.restart(meanwhile=played.firmware.wipe)
    assert (cards(played).pile, cards(played).counted) == ((), ())
    assert json.loads(path.read_text().splitlines()[0])[:2] == [cards_log.FORMAT, played.board.hello.epoch]


def test_a_starter_outlives_a_journal_that_is_lost_while_the_kiosk_runs(tmp_path: Path) -> None:
    deal = KeptDeal(tmp_path, 1, 0, [])
    deal.showed(a_starter(parse_card("4C")))
    deal.showed(a_card(deal.play(parse_card("7H"), 0)))
    deal.start_journal(2)
    assert KeptDeal(tmp_path, 2, 0, []).now == deal.now == Cards(starter=parse_card("4C"))


def test_what_the_journal_has_dropped_since_is_not_made_up(tmp_path: Path) -> None:
    deal = KeptDeal(tmp_path, 1, 1, [Event(1, PEG, 0, 2, 0, 0)])
    deal.showed(a_starter(parse_card("4C")))
    late = [Event(rev, PEG, 0, 2, 0, 0) for rev in (3, 4)]  # the deal may have passed with the event between
    assert KeptDeal(tmp_path, 1, 4, late).now.starter == -1
    assert KeptDeal(tmp_path, 1, 4, late).now.starter == -1


def test_a_card_sent_again_after_a_restart_lies_once(played: Room) -> None:
    order = read_order({"do": "play", "side": 2, "card": "9H", "again": True, "key": "k" * 20})
    before = played.carrier.do(order, "phone 1")
    played.restart(killed=True)
    assert played.carrier.do(order, "phone 1") == before == (played.rev, "Bob plays the nine of hearts: nine.")
    assert pile(played) == ["9H"]


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("pegs", [False, True])
def test_a_card_taken_back_is_not_laid_again_by_its_own_order(played: Room, restarted: bool, pegs: bool) -> None:
    played.do("play", side=1, card="9H", again=True)
    order = read_order({"do": "play", "side": 2, "card": "6C" if pegs else "7C", "again": True, "key": played.key()})
    played.carrier.do(order, "phone 1")
    if pegs:
        played.do("undo", rev=played.rev)
    else:
        played.do("unplay", card="7C", by="phone 2")
    if restarted:
        played.restart(killed=True)
    stands = played.fronts
    played.carrier.do(order, "phone 1")
    assert (played.fronts, pile(played)) == (stands, ["9H"])
    played.do("play", side=2, card=card_name(order.values["card"]), again=True)
    assert len(pile(played)) == 2


def test_a_kiosk_killed_between_the_points_and_its_notes_knows_the_cards_when_it_is_back(played: Room) -> None:
    played.do("play", side=2, card="9H", again=True)
    play = read_order({"do": "play", "side": 1, "card": "6C", "again": True, "key": "k" * 20})
    request = {"do": "hand", "side": 1, "cards": ["2H", "3H", "8H", "KC"], "again": True}
    hand = read_order({**request, "key": "h" * 20})
    for order in (play, hand):
        path, before = played.notes, played.notes.read_text()
        played.carrier.do(order, "phone 1")
        score, after = played.fronts, cards(played)
        played.restart(killed=True, meanwhile=lambda path=path, before=before: path.write_text(before))
        assert (played.fronts, cards(played)) == (score, after)
        played.carrier.do(order, "phone 1")
        assert (played.fronts, cards(played)) == (score, after)
    assert pile(played) == ["9H", "6C"]
    assert played.entry()["count"]["cards"] == ["2H", "3H", "8H", "KC"]


def test_whatever_is_changed_in_the_file_is_taken_or_refused_where_it_stands(played: Room) -> None:
    known = Watching()
    for line in played.notes.read_text().splitlines()[1:]:
        known.take(as_record(json.loads(line)))
    correction = Correction(played.rev, "hand", 1, 0, 14, 12, (("phone 1", 0), ("staff", -1)))
    known.happened(played.rev + 1, (SET, 1, 12, 0), [a_correction(correction)])
    known._before, known._said = known.now, {(7, "k")}
    known.showed(other_cards(Cards()))
    known.showed(["starter"], a_card_back(3, "k"), a_claim_back(Counted(0, 1, False, key="c"), "k"), no_cards("k"))
    for path, base in hostile.changes(json.loads(json.dumps(known.base))):
        watching_again = Watching()
        try:
            watching_again.start(base)
        except DAMAGE as error:
            assert len(path) == 1 or placed(error).where, (path, error)
        else:
            assert cards_of(json.loads(json.dumps(watching_again.base))[1]) == watching_again.now, path
    for line in json.loads(json.dumps(known.lines)):
        for path, changed in hostile.changes(line):
            with suppress(*DAMAGE):
                watching_again = Watching()
                watching_again.take(as_record(changed))
                assert cards_of(other_cards(watching_again.now)[1]) == watching_again.now, path


def test_an_act_that_is_no_act_is_said_and_passed_over(played: Room) -> None:
    notices: list[str] = []
    for entry, why in ((5, "5 is not an object"), (NO_ACT, "steps, step 1, shown, item 1: 'x' is nothing")):
        played.board._sender.ledger.act = entry
        played.board._sender.ledger.save()
        played.restart(killed=True)
        played.board.on_notice = notices.append
        assert cards(played).running == 31
        assert not played.carrier.tick()
        assert played.board.act is None
        assert f"cannot be read ({why}" in notices[-1]


NO_ACT = {"steps": [{"key": "k", "op": "peg", "args": [], "shown": [["x"]]}], "by": ""}


def test_whatever_is_changed_in_an_act_it_is_one_or_said_where_it_is_none() -> None:
    steps = [Step("k", "peg", [0, 5, 0], [a_starter(parse_card("5D"))]), Step("k+1", "peg", [1, 2, 0], [])]
    act = Act(steps, "phone 1", Options(playroom=True))
    board: Any = SimpleNamespace(act=act.to_json())
    assert act_of(board) == act
    for path, data in hostile.changes(board.act):
        changed: Any = SimpleNamespace(act=data)
        read, damage = act_of(changed), damage_of(changed)
        assert (read is None) == (damage is not None), path
        assert damage is None or damage.where[0] == path[0], (path, damage)
        assert read is None or act_of(SimpleNamespace(act=read.to_json())) in (None, read), path  # type: ignore[arg-type]


def test_the_file_stays_short(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "KEPT", 20)
    room.do("starter", card="9S")
    for number in range(24):
        for card in ("2H", "3H"):
            room.do("play", side=1, card=card, again=True)
        room.do("deal")
        assert len(room.notes.read_text().splitlines()) <= 41
        if number % 4 == 0:  # once with forty lines: the next one shortens it
            now = cards(room)
            room.restart(killed=True)
            assert cards(room) == now
    room.do("play", side=1, card="9H", again=True)
    room.restart()
    assert pile(room) == ["9H"]


def test_a_long_deal_is_cut_in_its_middle_and_stays_whole(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "KEPT", 5)
    room.do("play", side=1, card="KH", again=True)
    room.do("deal")
    room.do("play", side=1, card="9H", again=True)
    for _ in range(15):
        for card in ("2H", "3H"):
            room.do("starter", card=card)
    _, *lines = room.notes.read_text().splitlines()
    assert not any('"9H"' in line for line in lines)
    room.restart()
    assert (pile(room), card_name(cards(room).starter)) == (["9H"], "3H")


def test_on_a_disk_that_cannot_be_written_the_game_goes_on(room: Room) -> None:
    path = room.notes
    path.unlink(missing_ok=True)
    path.mkdir()
    room.do("play", side=1, card="9H", again=True)
    room.do("play", side=2, card="6H", again=True)
    assert (room.fronts, pile(room)) == ((0, 2), ["9H", "6H"])
    assert "cards.jsonl cannot be written" in str(room.table.unwritten)
    path.rmdir()
    room.do("play", side=1, card="2H", again=True)
    written = path.read_bytes()
    path.unlink()
    room.table.deal.keep_again()
    assert not path.exists(), "nothing has to be kept again"
    path.write_bytes(written)
    room.restart()
    assert pile(room) == ["9H", "6H", "2H"]  # not one without those before


def test_a_program_that_only_looks_follows_and_writes_nothing(tmp_path: Path) -> None:
    deal = KeptDeal(tmp_path, 1, 1, [Event(1, PEG, 0, 2, 0, 0)], keep=False)
    deal.showed(a_starter(parse_card("4C")))
    assert (deal.rev, deal.now.points, list(tmp_path.iterdir())) == (1, 2, [])
