"""The referee: a game from the cut to the win, act by act, and back."""

from __future__ import annotations

import pytest
from referee.tables import Table, fingerprint

from cribboard.referee.options import read_options
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import answer, may, state, with_names
from cribboard.referee.tally import pack_match
from cribboard_core.cards import cards_text
from cribboard_core.events import DEAL, GO, NEW, NIBS, PEG, SET, UNDO
from cribboard_core.match import Match

PONE, DEALER = "4C 5C 6C JC", "4D 5D 6D QH"


def cut_table(players: int = 2) -> Referee:
    setup = Setup(("Ann", "Bob", "Cleo")[:players], tuple(range(players)))
    return Referee(setup, pack_match(Match(121, setup.mask, players)))


def test_the_lowest_card_deals_and_a_tie_cuts_again() -> None:
    referee = cut_table()
    assert referee.phase == "cut"
    assert [fall.text for fall in referee.act(["cut", "5H 5C"])] == ["Ann 5H, Bob 5C: a tie for the lowest; cut again."]
    falls = referee.act(["cut", "9H 2C"])
    assert falls[0].text == "Bob cuts the lowest card and deals first."
    assert falls[0].event[:2] == (NEW, 1)
    assert falls[0].command == ("new", 121, 3, 2, 1, -1, -1)
    assert (referee.phase, referee.table.dealer) == ("deal", 1)


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (["cut", "5H"], "5H is not a card for each of Ann, Bob; each cuts one"),
        (["cut", "5H 5H"], "the cut for deal has 5H twice"),
        (["play", 0, "5H"], "cut for the deal first"),
        (["deal", None], "cut for the deal first"),
        (["new", 2], "there is no seat 2; the seats are 0 to 1"),
        (["undo"], "there is nothing to take back in this game"),
        (["dance"], r"there is no act \['dance'\]"),
        (["cut"], r"there is no act \['cut'\]"),
        (["penalty", 0, 2, 0], "cut for the deal first"),
        (["false", 0, 3], "cut for the deal first"),
        (["set", 0, 50, 0], "cut for the deal first"),
        (["penalty", 0, "2", 0], "'2' points cannot be; they are a number"),
        (["penalty", 0, 2, 7], "7 is not 0"),
        (["starter", 5], "5 is no text; cards are written like 5H 6C"),
        ([], r"\[\] is no act"),
        ("undo", "'undo' is no act"),
    ],
)
def test_what_cannot_be_at_the_start_is_refused(act: list[object], why: str) -> None:
    referee = cut_table()
    with pytest.raises(ValueError, match=why):
        referee.act(act)
    assert referee.acts == []


def test_nobody_cuts_twice() -> None:
    assert Table().refused("cut", "5H 6C") == "the dealer is known; the lowest card is cut for at the start only"


def test_a_whole_deal_with_real_cards_pegs_each_point_as_it_falls() -> None:
    table = Table()
    table.act("deal", None)
    assert table.said == ["Deal 1: Ann deals."]
    table.act("starter", "JS")
    assert table.said == ["The starter is JS.", "A jack: nibs for Ann, two."]
    assert (table.events, table.commands) == ([(NIBS, 0, 2, 0, 0)], [("nibs", 0)])
    assert table.lay("5C", "TD", "5D", "6C", "4H") == [
        "Bob plays 5C: five.",
        "Ann plays TD: fifteen for two.",
        "Bob plays 5D: twenty.",
        "Ann plays 6C: twenty-six.",
        "Bob plays 4H: thirty, a run of three for three.",
    ]
    assert table.lay("go", "go") == ["Ann says go.", "Bob says go.", "Go: one for Bob."]
    assert table.events == [(GO, 1, 1, 0, 0)]
    assert table.lay("7H", "8S", "9H") == [
        "Ann plays 7H: seven.",
        "Bob plays 8S: fifteen for two.",
        "Ann plays 9H: twenty-four, a run of three for three.",
        "Last card: one for Ann.",
    ]
    assert table.commands == [("peg", 0, 3), ("go", 0)]
    assert (table.referee.phase, table.scores) == ("show", [8, 6])
    table.act("show")
    assert table.said == ["Bob's hand 5C 5D 4H 8S with JS: fifteen two, fifteen four, and a pair for six."]
    assert table.commands == [("hand", 1, "5C5D4H8S", "JS", 0, 6)]
    table.act("show")
    assert table.referee.phase == "crib"
    table.act("crib", "2C 3C AC KC")
    assert table.said == ["Ann's crib 2C 3C AC KC with JS: fifteen two, fifteen four, and a run of three for seven."]
    assert table.commands == [("hand", 0, "2C3CACKC", "JS", 1, 7)]
    table.act("deal", None)
    assert table.said == ["Deal 2: Bob deals."]
    assert (table.events, table.commands) == ([(DEAL, 1, 0, 0, 0)], [("deal", 1)])


def test_the_rest_is_void_at_the_first_point_that_reaches_the_target() -> None:
    table = Table(target=61)
    table.act("set", 1, 59, 50)
    table.deal("2S")
    table.lay("5C", "TD")
    table.act("set", 0, 60, 50)
    table.lay("5D", "9C")
    assert table.lay("go", "go")[-1] == "Go: one for Ann."
    assert (table.referee.phase, table.referee.match.winner, table.scores) == ("won", 0, [61, 59])
    assert table.refused("play", 1, "4H") == "the game is won; undo, a new game, set or a false claim are left"
    assert may(table.referee) == ["new", "false", "set", "undo"]


def test_of_one_card_the_points_count_before_its_last_card() -> None:
    table = Table(target=61)
    table.deal("2S")
    table.lay("KC", "TD", "KD", "AC", "QC", "4H", "AD")
    table.act("set", 0, 59, 50)
    table.lay("AH")
    assert table.said == ["Ann plays AH: sixteen, a pair for two."]
    assert (table.referee.match.winner, table.events) == (0, [(PEG, 0, 2, 0, 0)])


def test_undo_takes_an_act_back_with_all_that_it_pegged() -> None:
    table = Table(rev=70_000)
    table.deal("JS")
    table.lay("5C", "TD", "5H", "4C", "3D", "go", "go", "6D")
    for text in ("Ann plays 6D: six.", "Bob says go.", "Ann says go."):
        table.act("undo")
        assert table.said == [f"Taken back: {text}"]
    table.act("undo")
    assert (table.said, table.scores) == (["Taken back: Bob plays 3D: twenty-seven, a run of three for three."], [4, 0])
    table.act("undo")
    table.act("undo")
    assert answer(table.referee, "V") == "On the table: five of clubs, ten of diamonds; fifteen."
    rev = table.referee.match.rev
    table.act("undo")
    assert table.said == ["Taken back: Ann plays TD: fifteen for two."]
    assert table.referee.match.rev == rev + 1
    assert table.commands == [("undo", 70_003)]
    assert table.events == [(UNDO, 0, 0, 70_003 & 0xFFFF, 0)]
    table.act("undo")
    table.act("undo")
    assert (table.said, table.scores) == (["Taken back: The starter is JS."], [0, 0])
    table.act("undo")
    assert table.said == ["Taken back: Deal 1: Ann deals."]
    assert table.refused("undo") == "there is nothing to take back in this game"
    assert fingerprint(table.replayed()) == fingerprint(table.referee)


def test_undo_opens_a_won_game_again() -> None:
    table = Table(target=61)
    table.act("set", 0, 59, 50)
    table.deal("JS")
    assert table.referee.phase == "won"
    assert table.said == ["The starter is JS.", "A jack: nibs for Ann, two."]
    table.act("undo")
    assert (table.referee.phase, table.scores) == ("starter", [59, 0])
    table.act("starter", "QS")
    assert table.referee.phase == "play"


def test_the_loser_deals_the_next_game_or_the_next_player_does() -> None:
    for options, dealer in (("", 1), ("alternate=on", 1)):
        table = Table(options, target=61)
        table.act("set", 0, 61, 50)
        assert table.referee.next_dealer() == dealer
    table = Table("alternate=on", target=61, dealer=1)
    table.act("set", 0, 61, 50)
    assert table.referee.next_dealer() == 0
    table.act("new", 0)
    assert table.said == ["New game to 61: Ann deals first."]
    assert table.refused("new", 0) == "this game is not over"
    assert table.refused("undo") == "there is nothing to take back in this game"
    assert (table.referee.match.won(0), table.scores) == (1, [0, 0])
    table.deal()
    assert table.refused("undo", 1) == "there is no act ['undo', 1]"
    table.act("set", 1, 61, 0)
    assert table.referee.next_dealer() == 1


@pytest.mark.parametrize(("players", "size", "crib"), [(3, 4, 4), (4, 4, 4), (5, 4, 4), (6, 5, 5)])
def test_more_players_pass_the_deal_clockwise(players: int, size: int, crib: int) -> None:
    table = Table(players=players, dealer=players - 1, target=241)
    pack = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]
    table.deal(pack.pop())
    assert table.referee.table.round.deal.game.turn == 0  # type: ignore[union-attr]
    while table.referee.phase == "play":
        game = table.referee.table.round.deal.game  # type: ignore[union-attr]
        rank = next((card for card in pack if game.count + min(10, "A23456789TJQK".index(card[0]) + 1) <= 31), None)  # type: ignore[union-attr]
        if rank and (len(game.rows) % 3 or game.count < 22):  # type: ignore[union-attr]
            pack.remove(rank)
            table.lay(rank)
        else:
            table.lay("go")
    for seat in range(players):
        assert state(table.referee)["counting"][:2] == [seat, "hand"]
        assert len(state(table.referee)["counting"][2]) == size
        table.act("show")
    table.act("crib", " ".join(pack[-crib:]))
    table.act("deal", None)
    assert table.referee.table.dealer == 0


def test_cards_that_the_program_deals_are_told_to_whoever_asks() -> None:
    setup = Setup(("Ann", "Bob"), (0, 1), dealt=True)
    referee = Referee(setup, pack_match(Match(121, setup.mask, 2)))
    referee.act(["new", 0])
    with pytest.raises(ValueError, match="the program deals here"):
        referee.act(["deal", None])
    referee.act(["deal", cards_text(list(range(52)))])
    with pytest.raises(ValueError, match="this is not the time for it: lay cards away first"):
        referee.act(["play", 1, "AC"])
    held = "ace of clubs, ace of hearts, two of clubs, two of hearts, three of clubs, three of hearts"
    assert answer(referee, "L") == f"Bob holds {held}."
    assert referee.act(["discard", 1, "AC AH"])[0].text == "Bob lays two cards away."
    referee.act(["discard", 0, "AD AS"])
    with pytest.raises(ValueError, match="AC is not in the pack any more; it has been dealt"):
        referee.act(["starter", "AC"])
    referee.act(["starter", "KS"])
    assert answer(referee, "L") == "Bob can play two of clubs, two of hearts, three of clubs, three of hearts."
    with pytest.raises(ValueError, match="seat 1 cannot say go at 0"):
        referee.act(["go", 1])


def test_teams_peg_together() -> None:
    table = Table(players=4, teams=2)
    table.deal("9S")
    assert table.lay("5C", "TD", "5H", "5D")[-3:] == [
        "Cleo plays TD: fifteen for two.",
        "Dev plays 5H: twenty.",
        "Ann plays 5D: twenty-five, a pair for two.",
    ]
    assert table.scores == [4, 0]
    assert answer(table.referee, "S") == "Ann and Cleo 4, Bob and Dev 0; the game is to 121."


def test_places_of_the_board_need_not_be_the_first() -> None:
    setup = Setup(("Ann", "Bob"), (1, 4))
    referee = Referee(setup, pack_match(Match(121, setup.mask, 2, 1)))
    referee.act(["new", 1])
    referee.act(["deal", None])
    assert referee.act(["starter", "JS"])[1].command == ("nibs", 4)
    assert with_names("it is seat 1's turn", setup) == "it is Bob's turn"


def test_what_buttons_do_comes_in_and_is_taken_back_first() -> None:
    table = Table()
    table.deal()
    table.lay("5C", "TD")
    table.act("board", PEG, 1, 3, 0, 0)
    assert (table.falls, table.scores) == ([], [2, 3])
    assert table.referee.newest() == "what happened on the board"
    table.act("undo")
    assert (table.said, table.scores) == (["Taken back: what happened on the board."], [2, 0])
    table.act("undo")
    assert (table.said, table.scores) == (["Taken back: Ann plays TD: fifteen for two."], [0, 0])


def test_the_boards_own_undo_takes_points_and_leaves_the_card() -> None:
    table = Table(rev=10)
    table.deal("JS")
    table.lay("5C", "TD")
    table.act("board", UNDO, 0, 0, 13, 0)
    assert table.scores == [2, 0]
    table.act("board", UNDO, 0, 0, 12, 0)
    assert table.scores == [0, 0]
    table.act("undo")
    assert (table.said, table.commands) == (["Taken back: Ann plays TD: fifteen for two."], [])
    table.lay("TD")
    table.act("undo")
    table.act("undo")
    table.act("undo")
    assert table.said == ["Taken back: The starter is JS."]


def test_a_board_that_goes_on_to_another_game_puts_this_one_aside() -> None:
    table = Table()
    table.deal("JS")
    table.act("board", NEW, 0, 91, 3 | 2 << 6 | 2 << 9, 61)
    assert table.referee.phase == "left"
    for act in (("play", 1, "5H"), ("undo",)):
        assert table.refused(*act) == "the board has begun another game"
    assert answer(table.referee, "S") == "The board has begun another game."
    table.act("board", UNDO, 0, 0, table.referee.match.rev & 0xFFFF, 0)
    assert table.referee.phase == "play"


def test_no_event_of_the_board_is_taken_that_cannot_be() -> None:
    table = Table()
    assert table.refused("board", PEG, 0, 99, 0, 0).startswith("99 points for peg cannot be")
    assert "is no event of the board" in table.refused("board", 13, 0, 0, 0, 0)
    assert table.refused("board", PEG) == "there is no act ['board', 2]"
    assert "is no event of the board" in table.refused("board", PEG, 0, "2", 0, 0)


def test_events_that_came_in_another_order_are_put_so() -> None:
    table = Table(rev=5)
    table.deal("JS")
    table.lay("5C", "TD")
    table.act("order", 1, [[0, PEG, 1, 7, 0, 0], [1, PEG, 0, 2, 0, 0]])
    assert [pegged.event[:3] for pegged in table.referee.tally.events[2:]] == [(PEG, 1, 7), (PEG, 0, 2)]
    assert table.scores == [4, 7]
    table.act("undo")
    assert (table.said, table.scores) == (["Taken back: Ann plays TD: fifteen for two."], [2, 7])
    table.act("undo")
    assert (table.said, table.scores) == (["Taken back: what happened on the board."], [2, 0])


def test_what_was_still_to_be_pegged_falls_away_when_the_game_was_won_before_it() -> None:
    table = Table(target=61)
    table.act("set", 1, 58, 50)
    table.deal()
    table.lay("5C", "TD")
    table.act("order", 1, [[0, PEG, 1, 3, 0, 0], [2, PEG, 0, 2, 0, 0]])
    assert (table.scores, table.referee.phase) == ([0, 61], "won")
    assert table.referee.tally.pending(0) == table.referee.tally.pending(table.referee.tally.base_rev)
    assert len(table.referee.tally.pending(3)) == 0


def test_an_undo_that_came_too_late_takes_nothing_from_the_board() -> None:
    table = Table(rev=5)
    table.deal()
    table.lay("5C", "TD")
    table.act("undo")
    table.act("order", 1, [[0, PEG, 1, 3, 0, 0], [2, UNDO, 0, 0, 7, 0]])
    assert table.scores == [2, 3]
    table.act("undo")
    assert table.scores == [2, 0]
    table.act("undo")
    assert table.scores == [0, 0]


def test_an_order_that_cannot_be_changes_nothing() -> None:
    table = Table()
    table.deal("JS")
    table.lay("5C", "TD")
    for last, rows in ((2, []), (0, []), (9, []), (1, [[0, PEG, 0, 99, 0, 0]]), (1, [[1, PEG, 0, 2, 0, 0]] * 2)):
        table.refused("order", last, rows)
    assert table.refused("order", 1, [[1]]) == "[[1]] are no rows of the board"
    assert table.refused("base", 1, 2, 3, 4) == "[1, 2, 3, 4] is no base"


def test_a_base_takes_the_boards_pegs_and_ends_what_can_be_taken_back() -> None:
    table = Table()
    table.deal()
    table.lay("5C", "TD")
    other = Match(121, 3, 2)
    other.apply(1, (SET, 1, 30, 20, 0))
    rev, _, packed, _ = pack_match(other)
    table.act("base", rev, 0, packed, 7)
    assert table.referee.tally.base[3] == 7
    assert (table.scores, table.referee.match.rev, table.referee.phase) == ([0, 30], 1, "play")
    assert table.refused("undo") == "there is nothing to take back in this game"
    table.lay("5D")
    table.act("undo")
    assert fingerprint(table.replayed()) == fingerprint(table.referee)
    wrong = pack_match(Match(61, 3, 2))
    assert table.refused("base", *wrong) == "the board's game has other players or another target"


def test_an_exact_peg_out_drops_what_would_pass_the_target() -> None:
    table = Table("exact=on", target=61)
    table.act("set", 0, 60, 50)
    table.deal("JS")
    assert table.said[1:] == ["A jack: nibs for Ann, two.", "That would pass 61: Ann pegs nothing."]
    assert table.commands == []
    table.lay("KD", "9C", "KH", "2D")
    assert (table.said, table.scores) == (
        ["Ann plays 2D: thirty-one for two.", "That would pass 61: Ann pegs nothing."],
        [60, 0],
    )
    table.lay("QD", "QC")
    assert table.scores == [60, 0]
    table.lay("9H", "go", "AC")
    assert (table.said, table.scores) == (["Ann plays AC: one.", "Last card: one for Ann."], [61, 1])


def test_an_exact_peg_out_gives_a_penalty_to_those_whom_it_fits() -> None:
    table = Table("exact=on", players=3, target=61)
    table.act("set", 1, 60, 50)
    table.act("penalty", 0, 2, 0)
    assert table.said == ["Penalty for Ann: 2 for every other side.", "That would pass 61: Bob pegs nothing.", ""]
    assert (table.scores, table.commands) == ([0, 60, 2], [("muggins", 2, 2, 0)])
    table.act("penalty", 2, 1, 0)
    assert (table.scores, table.commands) == ([1, 61, 2], [("penalty", 2, 1, 0)])
    table = Table("exact=on")
    table.act("penalty", 0, 2, 1)
    assert table.commands == [("penalty", 0, 2, 1)]


def test_a_false_claim_of_game_goes_back_and_the_game_goes_on() -> None:
    table = Table(target=61)
    table.deal()
    table.lay("5C")
    table.act("board", PEG, 0, 40, 0, 0)
    table.act("board", PEG, 0, 21, 0, 0)
    assert table.referee.phase == "won"
    table.act("false", 0, 55)
    assert table.said == ["A false claim of game: the true score of Ann is 55."]
    assert (table.referee.phase, table.scores) == ("play", [55, 6])
    table.lay("TD")
    assert table.scores == [57, 6]


def test_the_state_tells_all_but_the_hands() -> None:
    table = Table("counting=manual muggins=on time_limit=30")
    told = state(table.referee)
    assert told["options"] == read_options(["counting=manual", "muggins=on", "time_limit=30"]).told()
    assert (told["phase"], told["dealer"], told["turn"], told["starter"]) == ("deal", 0, None, None)
    table.deal("JS")
    table.lay("5C", "TD 2")
    told = state(table.referee)
    assert (told["turn"], told["count"], told["table"], told["starter"]) == (1, 15, ["5C", "TD"], "JS")
    assert (told["played"], told["held"], told["scores"]) == ([["TD"], ["5C"]], [3, 3], [4, 0])
    assert (told["open"], told["undo"]) == (0, "Ann plays TD: fifteen, and claims two.")
    assert told["may"] == ["play", "muggins", "penalty", "set", "undo"]
    assert told["rev"] == 3
    assert "hand" not in told


CARDS = "four of clubs, five of clubs, six of clubs, jack of clubs"
NINE = "The starter is the nine of diamonds."
FIFTEEN = "On the table: five of clubs, ten of diamonds; fifteen."


@pytest.mark.parametrize(
    ("letter", "before", "playing", "showing"),
    [
        ("C", "Nothing is being counted.", "The count is fifteen.", f"Bob's hand is counted: {CARDS}."),
        ("B", "The crib is Ann's.", "The crib is Ann's.", "The crib is Ann's."),
        ("F", "No starter has been turned up.", NINE, NINE),
        ("V", "No cards are on the table.", FIFTEEN, "No cards are on the table."),
        ("S", "Ann 0, Bob 0; the game is to 121.", "Ann 2, Bob 0; the game is to 121.", None),
        ("T", "The next deal is due.", "It is Bob's turn to play.", "It is Bob's turn to count."),
        ("L", "No card is to be played now.", "Bob can play any card.", "No card is to be played now."),
    ],
)
def test_each_letter_answers_in_one_sentence(letter: str, before: str, playing: str, showing: str | None) -> None:
    table = Table()
    assert answer(table.referee, letter) == before
    table.deal()
    table.lay("5C", "TD")
    assert answer(table.referee, letter.lower()) == playing
    table = Table()
    table.deal()
    table.play_out(PONE, DEALER)
    if showing:
        assert answer(table.referee, letter) == showing


def test_the_letters_answer_at_every_other_time() -> None:
    referee = cut_table()
    assert answer(referee, "B") == "Nobody has the crib yet."
    assert answer(referee, "S") == "No game has begun."
    assert answer(referee, "T") == "Everybody cuts a card for the deal."
    table = Table()
    table.act("deal", None)
    assert answer(table.referee, "T") == "Ann turns the starter up."
    table.act("starter", "9D")
    assert answer(table.referee, "C") == "The count is nought."
    table.lay("KC", "KD")
    table.lay("5C")
    assert answer(table.referee, "L") == "Ann can play a card that counts six or less, or says go."
    assert "go" in may(table.referee)
    table.act("undo")
    assert "go" not in may(table.referee)
    table = Table()
    table.deal()
    table.play_out(PONE, DEALER)
    table.act("show")
    table.act("show")
    assert answer(table.referee, "C") == "Ann's crib is counted; its cards are not known yet."
    assert answer(table.referee, "T") == "It is Ann's turn to lay the crib open."
    table.act("set", 0, 121, 0)
    assert answer(table.referee, "T") == "The game is won."
    assert answer(table.referee, "S").startswith("Ann 121, Bob ")
