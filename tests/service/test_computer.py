"""A game against the computer at a kiosk's table: it plays, sees only what its seat knows, and outlasts a kill."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rigs.disk import limited
from service.room import Room

from cribboard.computer.levels import CLUB, EXPERT, LEARNER, LEVELS
from cribboard.errors import Busy, TransportError
from cribboard.files import take_lock
from cribboard.players import own_act
from cribboard.playing import log as logs
from cribboard.playing.review import newest, review
from cribboard.referee.referee import Referee
from cribboard.service.orders import OrderError, read_order
from cribboard_core.cards import PIPS, card_name, parse_card, parse_cards
from cribboard_core.events import NEW
from cribboard_core.show import count
from cribboard_core.variants import COLOURS

ME, ELSE = "phone 1", "phone 2"
BY_HAND: dict[str, Any] = {"counting": "manual", "muggins": True}
PATIENCE_S = 20
COLOUR = COLOURS[0].capitalize()


class Evening(Room):
    """A room with a phone that plays by itself: it throws and plays the first cards that it may, and counts well."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.slip = 0  # points that it overlooks in each hand

    @property
    def opponent(self) -> Any:
        return self.table.opponent

    @property
    def referee(self) -> Referee:
        current = self.opponent.referee
        assert current is not None
        return current

    def begin(self, level: str = CLUB, **fields: Any) -> None:
        self.opponent.begin({"begin": level, "target": 61, **fields}, ME, "Ann")

    def see(self, by: str = ME) -> dict[str, Any]:
        entry: dict[str, Any] = self.opponent.entry(by)
        return entry

    def act(self, **what: Any) -> None:
        self.opponent.do({"seen": self.see()["acts"], **what}, ME)

    def tick(self) -> None:
        """A while passes, in which the computer thinks."""
        self.now += 10
        self.opponent.tick()
        if self.opponent._thought is not None:
            self.opponent._thought.exception(PATIENCE_S)
            self.opponent.tick()

    def wait(self) -> dict[str, Any]:
        """Until the phone has something to do."""
        for _ in range(100):
            if (state := self.see())["do"] not in ("wait", "call"):
                return state
            self.tick()
        raise AssertionError(self.see())

    def move(self) -> str:
        """Do what is to be done, and say what that was."""
        now = self.wait()
        if now["do"] == "throw":
            self.act(throw=now["hand"][:2])
        elif now["do"] == "play":
            self.act(play=now["fits"][0], **({"claim": 0} if now["claims"] else {}))
        elif now["do"] == "count":
            crib = "crib" in now["text"]
            made = count(parse_cards(" ".join(now["counts"])), parse_card(now["starter"]), crib).points
            self.act(count=max(0, made - self.slip))
        return str(now["do"])

    def move_at_once(self) -> None:
        """The same before the computer does anything."""
        assert self.see()["do"] not in ("wait", "call")
        self.move()

    def until(self, do: str) -> dict[str, Any]:
        while (now := self.wait())["do"] != do:
            self.move()
        return now


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    evening = Evening(tmp_path / "boards")
    evening.table.opponent._chance = random.Random(7)  # the cards of every run
    yield evening
    evening.opponent.close()
    evening.board.close()


@pytest.mark.parametrize("level", LEVELS)
def test_a_whole_game_is_played_and_pegged_and_can_be_reviewed(evening: Evening, level: str) -> None:
    evening.begin(level)
    evening.until("won")
    match = evening.board.match
    assert match.winner >= 0 and max(evening.fronts) == 61
    assert evening.referee.pegs.scores == evening.fronts
    assert evening.table.names.first(match.sides[1]) == f"Computer ({level})"
    assert evening.see()["text"] == evening.entry()["win"]["text"]
    assert evening.entry()["computer"]["level"] == level
    reviewed = review(newest())
    assert reviewed.over and reviewed.setup.names == ("Ann", f"Computer ({level})")


def test_with_muggins_the_computer_calls_what_the_player_has_missed_and_the_player_calls_it(evening: Evening) -> None:
    evening.slip = 2
    evening.begin(LEARNER, target=121, **BY_HAND)
    evening.until("won")
    calls = [act for act in evening.referee.acts if act[0] == "muggins"]
    assert {act[1] for act in calls} == {1}
    claims = [act for act in evening.referee.acts if act[0] == "claim"]
    assert {act[1] for act in claims} == {0, 1}
    assert evening.entry()["rules"]["options"]["muggins"]


def test_a_player_who_goes_on_at_once_does_not_evade_the_computers_call(evening: Evening) -> None:
    evening.slip = 2
    evening.begin(CLUB, target=121, **BY_HAND)
    while True:
        now = evening.wait()
        count_it = now["do"] == "count"
        evening.move()
        missed = evening.referee.table.round.missed if evening.referee.table.round else 0
        if count_it and missed > 0 and evening.see()["do"] == "count":
            break  # a dealer who has claimed too little counts the crib next
    its = evening.fronts[1]
    evening.move_at_once()
    hand, call, crib = evening.referee.acts[-3:]
    assert (hand[:2], call, crib[:2]) == (["claim", 0], ["muggins", 1, missed], ["claim", 0])
    assert evening.fronts[1] == its + missed


def test_there_is_time_to_call_what_the_computer_has_claimed(evening: Evening) -> None:
    evening.begin(CLUB, **BY_HAND)
    while evening.see()["do"] != "call":
        evening.tick() if evening.see()["do"] == "wait" else evening.move()
    acts = len(evening.referee.acts)
    evening.now += 3
    evening.opponent.tick()
    assert len(evening.referee.acts) == acts
    evening.act(**{"go on": True})
    evening.tick()
    assert len(evening.referee.acts) > acts


def test_the_phone_calls_what_the_computer_has_or_has_not_missed(evening: Evening) -> None:
    evening.begin(CLUB, **BY_HAND)
    while evening.see()["do"] != "call":
        evening.tick() if evening.see()["do"] == "wait" else evening.move()
    assert evening.see()["muggins"]
    mine, its = evening.fronts
    evening.act(muggins=3)
    assert (mine, its + 3) == evening.fronts  # which are given away


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("do", ["throw", "play"])
def test_what_it_chooses_does_not_change_with_cards_that_it_cannot_know(evening: Evening, level: str, do: str) -> None:
    evening.begin(level)
    evening.until(do)
    if do == "throw":
        evening.move()
    else:
        while not (evening.see()["do"] == "wait" and evening.referee.phase == "play"):
            evening.move()
    here = evening.referee
    assert here.table.round is not None
    deal = here.table.round.deal
    before = own_act(here)
    for number in range(3):
        other = Referee.replay(here.setup, here.pegs.base, here.acts)
        assert other.table.round is not None
        hidden = other.table.round.deal
        unknown = [*hidden.pack]
        hands = [hidden.game.hands[0] if hidden.game else hidden.hands[0]]
        pool = unknown + [card for hand in hands for card in hand]
        random.Random(number).shuffle(pool)
        for hand in hands:
            hand[:] = [pool.pop() for _ in hand]
        hidden.pack[:] = pool
        assert own_act(other) == before
    assert deal is here.table.round.deal


def test_only_the_phone_that_plays_sees_its_cards(evening: Evening) -> None:
    evening.begin()
    mine = evening.until("throw")
    assert len(mine["hand"]) == 6 and mine["mine"]
    other = evening.see(ELSE)
    assert not other["mine"] and not other["hand"] and not other["said"] and other["level"] == CLUB
    assert not any(card in str(evening.entry()) for card in mine["hand"])
    with pytest.raises(OrderError, match="is not playing the computer"):
        evening.opponent.do({"seen": mine["acts"], "throw": mine["hand"][:2]}, ELSE)
    with pytest.raises(OrderError, match="another phone plays"):
        evening.opponent.begin({"begin": CLUB}, ELSE, "Bob")


def test_the_phone_that_plays_sees_the_pile_with_its_running_count(evening: Evening) -> None:
    evening.begin()
    evening.until("play")
    while not (now := evening.until("play"))["pile"]:
        evening.move()
    assert now["running"] == sum(PIPS[parse_card(card) >> 2] for card in now["pile"]) > 0


@pytest.mark.parametrize("chosen", [{}, BY_HAND])
def test_all_see_the_cards_that_were_played_and_with_muggins_not_what_they_made(
    evening: Evening, chosen: dict[str, Any]
) -> None:
    evening.begin(**chosen)
    evening.until("play")
    while len(played := evening.entry()["table"]["played"]) < 6:
        evening.move()
        evening.wait()
    here = evening.referee
    assert here.table.round is not None and here.table.round.deal.game is not None
    rows = here.table.round.deal.game.rows
    assert any(points for _, _, _, points, _, _ in rows)
    wanted = [(card_name(card), here.setup.side(seat) + 1, 0 if chosen else made) for seat, card, _, made, _, _ in rows]
    assert [(one["card"], one["side"], one["points"]) for one in played] == wanted
    assert not evening.table.opponent.cards()[0].counted  # type: ignore[index] (hands are not shown yet)
    assert {one["kind"] for one in evening.table.notices} == {"starter", "play"}


def test_a_card_that_does_not_fit_and_what_comes_too_late_are_refused(evening: Evening) -> None:
    evening.begin()
    now = evening.until("throw")
    wrong: list[dict[str, Any]] = [{"throw": now["hand"][:1]}, {"throw": ["5H", "5H"]}, {"throw": [7]}, {"x": 1}]
    for what in [*wrong, {"play": now["hand"][0]}, {"count": True}, {"count": 99}, {"again": True}, {"score": "mine"}]:
        with pytest.raises(OrderError):
            evening.act(**what)
    with pytest.raises(OrderError, match="something has happened meanwhile"):
        evening.opponent.do({"seen": now["acts"] - 1, "throw": now["hand"][:2]}, ME)
    assert evening.see() == now


def test_a_restart_in_the_middle_of_a_hand_goes_on_with_the_same_cards(evening: Evening) -> None:
    evening.begin(EXPERT)
    evening.until("play")
    evening.move()
    before = evening.until("play")
    acts = list(evening.referee.acts)
    for killed in (False, True):
        evening.opponent.close()
        evening.restart(killed=killed)
        assert evening.opponent.tick()  # all pages see it again
        evening.tick()
        assert evening.referee.acts == acts
        after = evening.see()
        assert {**after, "said": ()} == {**before, "said": ()}
    evening.until("won")


def test_take_back_goes_to_the_players_own_choice_and_waits(evening: Evening) -> None:
    evening.begin()
    now = evening.until("throw")
    assert not now["undo"]
    with pytest.raises(OrderError, match="nothing to take back"):
        evening.act(undo=True)
    evening.move()
    assert evening.until("play")["undo"]
    evening.act(undo=True)
    assert evening.see()["do"] == "throw" and evening.see()["hand"] == now["hand"]
    for order in ({"go on": True}, {"stop": True}):
        evening.opponent._program.held = True  # as after an undo of what the computer has done by itself
        evening.act(**order) if "stop" not in order else evening.opponent.do(order, ME)
        assert not evening.opponent._program.held
    evening.begin()
    assert not evening.see()["said"]  # of the game before


def test_phones_peg_nothing_beside_it_and_a_correction_on_the_board_is_taken_in(evening: Evening) -> None:
    evening.begin()
    evening.until("play")
    for do, fields in (("peg", {"side": 1, "points": 2}), ("undo", {"rev": evening.rev}), ("deal", {})):
        with pytest.raises(OrderError, match="against the computer is on") as caught:
            evening.opponent.check(read_order({"do": do, "key": evening.key(), **fields}))
        assert (caught.value.code, caught.value.status) == ("computer", 409)
    evening.do("set", side=1, front=9, back=3)
    evening.tick()
    assert evening.referee.pegs.scores == evening.fronts and evening.fronts[0] == 9
    evening.until("won")


@pytest.mark.parametrize("pegs", ["computer", "player"])
def test_a_board_that_is_pulled_out_gets_its_points_when_it_is_back(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, pegs: str
) -> None:
    def gone(*_: object, **__: object) -> None:
        raise TransportError("the board was pulled out", "")

    evening.begin(counting="manual")
    evening.until("count" if pegs == "player" else "play")
    with monkeypatch.context() as patch:
        patch.setattr(evening.board, "command", gone)
        with pytest.raises(TransportError) if pegs == "player" else nullcontext():
            while evening.see()["level"]:
                evening.tick() if evening.see()["do"] == "wait" else evening.move()
        assert evening.opponent.on and evening.see()["text"] == "The board is away; the game waits."
        evening.tick()
        assert not evening.see()["level"]
        assert not evening.opponent.tick()  # it asks the board again in a second
    fronts = evening.fronts
    evening.tick()
    assert evening.referee.pegs.scores == evening.fronts != fronts
    evening.until("won")


def test_a_game_whose_log_is_gone_has_ended_after_a_restart(evening: Evening) -> None:
    evening.begin()
    evening.until("throw")
    evening.opponent.close()
    evening.restart(meanwhile=(evening.board.folder / logs.NAME).unlink)
    assert evening.opponent.on
    evening.tick()
    assert not evening.opponent.on
    evening.do("peg", side=1, points=2)


@pytest.mark.parametrize("score", ["mine", "board"])
def test_when_the_board_has_another_score_the_player_says_which_one_counts(evening: Evening, score: str) -> None:
    evening.begin()
    evening.until("throw")
    before = evening.board.standing
    while evening.fronts == before.fronts:
        evening.move()
        evening.wait()
    mine = evening.fronts
    evening.board.restore(before)
    evening.tick()
    now = evening.see()
    assert now["do"] == "apart" and "the board has" in now["text"].lower() and not now["undo"]
    evening.act(score=score)
    assert evening.fronts == (mine if score == "mine" else before.fronts) == evening.referee.pegs.scores
    evening.until("won")


def test_another_game_on_the_board_ends_it(evening: Evening) -> None:
    evening.begin()
    evening.until("play")
    evening.do("new", target=61, names=["Cleo", "Dan"])
    evening.tick()
    assert not evening.opponent.on and evening.see()["do"] == "nothing"
    assert evening.entry()["computer"] is None
    evening.do("peg", side=1, points=2)


def test_a_rematch_is_against_the_computer_again(evening: Evening) -> None:
    evening.begin()
    rematch = read_order({"do": "new", "key": evening.key()})
    evening.until("throw")
    assert not evening.opponent.check(rematch)  # this one is not over
    evening.until("won")
    assert evening.opponent.check(rematch)
    assert not evening.opponent.check(replace(rematch, values={"target": 121}))
    _, text = evening.opponent.again()
    assert text.startswith("New game to 61")
    assert evening.until("throw")["mine"]


def test_when_it_is_won_this_phone_or_another_begins_another_one(evening: Evening) -> None:
    evening.begin()
    for again in (True, False):
        evening.until("throw")
        evening.do("set", side=1, front=61)
        assert evening.opponent.tick(), "the player's page looks again"
        assert evening.see()["do"] == "won"
        if again:
            evening.act(again=True)
    evening.opponent.begin({"begin": CLUB}, ELSE, "Bob")
    assert (evening.see(ELSE)["mine"], evening.see()["mine"]) == (True, False)


def test_a_note_of_who_plays_that_cannot_be_written_is_said_to_be_in_memory_alone(evening: Evening) -> None:
    with limited():
        evening.opponent._note(ME)
        assert "computer.json cannot be written" in str(evening.table.unwritten)


def test_stop_leaves_the_score_on_the_board(evening: Evening) -> None:
    evening.begin()
    evening.until("play")
    fronts = evening.fronts
    evening.opponent.do({"stop": True}, ELSE)
    assert not evening.opponent.on and evening.fronts == fronts
    assert not evening.opponent.tick()
    evening.restart()
    evening.tick()
    assert not evening.opponent.on


def test_who_plays_next_is_not_called_as_the_computer_was(evening: Evening) -> None:
    evening.begin()
    evening.until("throw")
    again = next(row.as_folded for row in evening.board.events() if row.kind == NEW)
    evening.opponent.close()
    evening.restart(meanwhile=evening.firmware.wipe)
    assert evening.board.names == {0: "Ann", 1: "Computer (club)"}, "given back, it is the same game"

    def pressed() -> None:
        evening.firmware.keeper.do(again)

    for begins in (
        lambda: (pressed(), evening.board.poll(0.1)),
        lambda: evening.restart(meanwhile=pressed),
        lambda: evening.do("new"),
        lambda: evening.do("new", names=[None, None]),
    ):
        evening.begin()
        evening.until("throw")
        evening.opponent.do({"stop": True}, ME)
        begins()
        assert evening.board.names == {0: "Ann"}
    evening.begin()
    evening.until("throw")
    evening.do("new", names=[None, "Bob"])
    assert evening.board.names == {0: "Ann", 1: "Bob"}


def test_a_game_that_a_command_referees_is_not_disturbed(evening: Evening) -> None:
    lock = take_lock(evening.board.folder / "play.lock", "busy")
    with pytest.raises(Busy):
        evening.begin()
    assert not evening.opponent.on
    lock.release()
    evening.begin()


def test_a_fault_of_the_computer_ends_its_game_and_nothing_else(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    evening.board.on_notice = said.append
    evening.begin()
    evening.until("throw")
    evening.move()

    def broken(*_: object) -> None:
        raise AssertionError("a planted bug")

    monkeypatch.setattr("cribboard.service.computer.due", broken)
    evening.opponent._thought = None
    evening.tick()
    evening.now += 10
    assert evening.opponent.tick()  # all pages see that it has ended
    assert not evening.opponent.on
    assert (evening.see()["do"], evening.see()["running"]) == ("nothing", 0)
    assert said == ["the game against the computer has ended: a planted bug"]
    evening.do("peg", side=1, points=2)


@pytest.mark.parametrize(
    "fields",
    [{"begin": "wizard"}, {"begin": CLUB, "target": 60}, {"begin": CLUB, "muggins": True}, {"begin": CLUB, "x": 1}],
)
def test_what_begins_no_game_is_refused(evening: Evening, fields: dict[str, Any]) -> None:
    with pytest.raises(OrderError):
        evening.opponent.begin(fields, ME, "Ann")
    assert not evening.opponent.on


@pytest.mark.parametrize(
    ("given", "called"),
    [
        ("Ann", "Ann"),
        ("", COLOURS[0].capitalize()),
        ("Computerfan", "Computerfan"),
        ("Computer", COLOURS[0].capitalize()),
        ("Computer (club)", COLOURS[0].capitalize()),
        ("\u202e", COLOURS[0].capitalize()),
    ],
)
def test_the_player_has_a_name_or_that_of_the_place(evening: Evening, given: str, called: str) -> None:
    evening.opponent.begin({"begin": CLUB}, ME, given)
    assert evening.referee.setup.names == (called, "Computer (club)")
