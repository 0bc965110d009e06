"""What players claim and what the house makes of it: counting, muggins, too many, too late, reneges, misdeals."""

from __future__ import annotations

import pytest
from referee.tables import Table

from cribboard.referee.claims import in_short
from cribboard.referee.options import OptionError, Options, from_values, read_options, table
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import may, state
from cribboard_core.cards import cards_text
from cribboard_core.events import DEAL, HAND, MUGGINS, PENALTY

MANUAL = "counting=manual"
PONE, DEALER = "4C 5C 6C JC", "4D 5D 6D QH"  # with 9D: fifteens 2, run 3, flush 4: 15 for pone


def counted(options: str = "", **more: int) -> Table:
    """A deal of two whose cards are all played; nobody claimed anything for them."""
    table = Table(f"{MANUAL} {options}".strip(), **more)
    table.deal()
    table.play_out(PONE, DEALER)
    table.before = table.scores
    return table


def gains(table: Table) -> list[int]:
    return [now - then for now, then in zip(table.scores, table.before, strict=True)]


RIGHT = "fifteen two, fifteen four, fifteen six, a run of three is nine, and a flush of four for thirteen"


# The options themselves


def test_every_option_has_a_name_a_default_its_values_and_a_sentence() -> None:
    names = [row[0] for row in table()]
    assert names == list(Options().to_json())
    assert names[:4] == ["counting", "muggins", "overcount", "time_limit"]
    assert names[4:9] == ["exact", "tournament", "too_many", "renege", "misdeal"]
    assert names[9:] == ["forfeit", "steal", "nineteen", "alternate", "cut_each_game", "five_card", "playroom"]
    assert all(default in allowed and says for _, default, allowed, says in table())
    assert Options().changed() == ""
    assert read_options(["muggins=on", "counting=manual", "time-limit=45"]).changed() == (
        "counting=manual muggins=on time_limit=45"
    )


def test_the_options_that_are_not_as_usual_are_said_in_a_few_words() -> None:
    assert Options().in_words() == []
    assert Options(playroom=True, time_limit=15).in_words() == ["playroom", "15 seconds to count"]
    chosen = {"counting": "manual", "muggins": True, "overcount": True, "tournament": True, "exact": True}
    others = {"renege": True, "forfeit": True, "steal": True, "nineteen": True, "alternate": True, "misdeal": 2}
    assert from_values({"tournament": True, "too_many": 2004}).in_words() == ["tournament", "too many cards as in 2004"]
    with pytest.raises(OptionError, match="it also needs tournament=on"):
        from_values({"too_many": 2004})
    assert from_values({**chosen, **others}).in_words() == [
        *("players count", "muggins", "overcount", "tournament", "renege", "forfeit", "steal", "exact peg-out"),
        *("nineteen for nothing", "the deal alternates", "two for a misdeal"),
    ]
    assert Options(cut_each_game=True, five_card=True).in_words() == ["a cut before every game", "five-card cribbage"]


def test_options_are_read_from_values_of_the_right_kind() -> None:
    assert from_values(Options(playroom=True).to_json()) == Options(playroom=True)
    for values, why in (({"mugins": True}, "no option 'mugins'"), ({"time_limit": 30.0}, "time_limit cannot be 30.0")):
        with pytest.raises(OptionError, match=why):
            from_values(values)


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("mugins=on", "there is no option 'mugins'; the options are counting, muggins, overcount"),
        ("muggins=yes", "muggins cannot be 'yes'; it is off or on, like muggins=on"),
        ("muggins", "muggins cannot be ''; it is off or on"),
        ("time_limit=10", "time_limit cannot be '10'; it is 0 or 15 to 90, like time_limit=30"),
        ("time_limit=91", "time_limit cannot be '91'"),
        ("misdeal=1", "misdeal cannot be '1'; it is 0 or 2, like misdeal=2"),
        ("muggins=on", "muggins applies to points that players claim; it also needs counting=manual"),
        ("overcount=on", "overcount applies to points"),
        ("time_limit=30", "time_limit applies to points"),
        ("counting=manual muggins=on playroom=on", "playroom already includes muggins and overcount"),
        ("counting=manual overcount=on playroom=on", "playroom already includes"),
    ],
)
def test_an_option_that_cannot_be_is_refused(word: str, why: str) -> None:
    with pytest.raises(OptionError, match=why):
        read_options(word.split())


@pytest.mark.parametrize("values", [{"muggins": 1}, {"time_limit": False}, {"time_limit": 14}, {"counting": "other"}])
def test_options_from_a_file_are_checked(values: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="cannot be"):
        Options(**values)  # type: ignore[arg-type]


# Counting


def test_a_right_claim_pegs_the_hand_itself() -> None:
    game = counted()
    assert game.refused("show") == "players count here (counting=manual); claim the points, 0 for none"
    assert game.refused("claim", 0, 5) == "Bob counts the hand now, not Ann; count in turn"
    assert game.refused("claim", 1, 47) == "47 points cannot be; one score is 0 to 46"
    game.act("claim", 1, 13)
    assert game.said == [f"Bob's hand 4C 5C 6C JC with 9D: {RIGHT}."]
    assert game.commands == [("hand", 1, "4C5C6CJC", "9D", 0, 13)]
    assert (gains(game), game.referee.phase) == ([0, 13], "claim")


def test_too_little_pegs_what_was_claimed_and_undo_puts_it_right() -> None:
    game = counted()
    game.act("claim", 1, 9)
    assert game.said == [f"Bob claims nine; the hand counts thirteen: {RIGHT}."]
    assert (game.commands, gains(game)) == ([("peg", 1, 9)], [0, 9])
    game.act("undo")
    game.act("claim", 1, 13)
    assert gains(game) == [0, 13]


def test_in_a_tournament_too_little_stands() -> None:
    game = counted("tournament=on")
    game.act("claim", 1, 9)
    assert game.refused("undo") == "too little was claimed, and that stands: the option tournament is on"
    game = counted("tournament=on")
    game.act("claim", 1, 13)
    game.act("undo")
    assert gains(game) == [0, 0]


@pytest.mark.parametrize("rules", ["counting=manual", "counting=manual muggins=on", "playroom=on"])
def test_in_a_tournament_a_card_laid_without_a_number_is_a_slip_that_can_be_taken_back(rules: str) -> None:
    game = Table(f"tournament=on {rules}", dealer=1)
    game.deal("9S")
    game.lay("4C", "2H", "5C", "3H")  # a run of four, and nobody has said a number
    assert "undo" in may(game.referee)
    game.act("undo")
    game.lay("KH", "TC")
    for _ in range(4):
        game.act("undo")
    assert (game.scores, game.referee.table.round.deal.game.turn) == ([0, 0], 1)  # type: ignore[union-attr]
    game.lay("2H", "2C 0")
    assert game.refused("undo") == "too little was claimed, and that stands: the option tournament is on"
    assert game.replayed().pegs.scores == game.referee.pegs.scores


def test_too_much_pegs_the_right_count() -> None:
    game = counted()
    game.act("claim", 1, 15)
    assert game.commands == [("hand", 1, "4C5C6CJC", "9D", 0, 13)]
    assert gains(game) == [0, 13]


@pytest.mark.parametrize(("players", "teams", "gain"), [(3, 0, [2, 0, 2]), (4, 2, [2, 0])])
def test_points_too_many_go_to_every_opposing_side(players: int, teams: int, gain: list[int]) -> None:
    game = Table(f"{MANUAL} overcount=on", players=players, teams=teams)
    game.deal()
    game.lay("5C 2")
    assert game.scores == gain
    assert game.said[0] == "Bob plays 5C: five. Bob claims two; the card makes nothing."
    assert game.commands == [("penalty", 1, 2, 0)]


def test_too_many_for_a_hand_go_to_the_opponent_after_the_counter_has_pegged() -> None:
    game = counted("overcount=on")
    game.act("claim", 1, 15)
    assert [event[:3] for event in game.events] == [(HAND, 1, 13), (PENALTY, 1, 2)]
    assert game.said[1] == "Ann takes the two overclaimed."
    assert gains(game) == [2, 13]


def test_the_counter_pegs_first_so_a_win_stands_before_any_claim() -> None:
    game = counted("overcount=on muggins=on", target=61)
    game.act("set", 1, 48, 40)
    game.act("set", 0, 60, 40)
    game.act("claim", 1, 15)
    assert (game.referee.match.winner, game.scores) == (1, [60, 61])
    assert game.refused("muggins", 0, 2).startswith("the game is won")


def test_nineteen_is_a_score_unless_it_is_the_houses_joke() -> None:
    for options, gain in (("overcount=on", [19, 0]), ("overcount=on nineteen=on", [0, 0])):
        game = Table(f"{MANUAL} {options}")
        game.deal("KS")
        game.play_out("2C 4D 6H 8S", "TC JD QH 9S")
        game.before = game.scores
        game.act("claim", 1, 19)
        assert gains(game) == gain
    assert game.said == ["Bob's hand 2C 4D 6H 8S with KS: nineteen."]


def test_claims_are_for_players_who_count_and_counts_for_the_program() -> None:
    game = Table()
    game.deal()
    assert game.refused("play", 1, "5H", 0) == (
        "the program counts; play a card without points, or set counting=manual"
    )
    assert game.refused("show").startswith("not now: the play is on")
    game.play_out(PONE, DEALER)
    assert game.refused("claim", 1, 4) == "the program counts here; players claim with counting=manual"
    assert game.refused("timeout", 1) == "there is no time limit here; it is the option time_limit"
    assert game.refused("play", 1, "2C") == "not now: the hands are shown now"


def test_the_crib_is_laid_open_and_then_claimed() -> None:
    game = counted()
    game.act("claim", 1, 13)
    game.act("claim", 0, 9)
    assert (game.referee.phase, game.refused("claim", 0, 4)) == (
        "crib",
        "the crib has not been turned over; type its cards first",
    )
    game.act("crib", "2S 3S KS 7H")
    assert (game.said, game.referee.phase) == (["The crib is 2S 3S KS 7H."], "claim")
    game.act("claim", 0, 2)
    assert game.commands == [("hand", 0, "2S3SKS7H", "9D", 1, 2)]
    assert game.refused("claim", 0, 2) == "not now: the deal is over"


# In the play


def test_a_card_is_claimed_with_or_without_its_last_card_point() -> None:
    for claim in ("2", "3"):
        game = Table(MANUAL)
        game.deal()
        game.lay("KC", "QC", "9C", "2C 2", "4D", "5S", "7H", f"7S {claim}")
        assert game.said == ["Ann plays 7S: twenty-three, a pair for two.", "Last card: one for Ann."]
        assert (game.scores, game.referee.phase) == ([5, 0], "claim")


def test_one_alone_for_a_last_card_is_the_last_card_and_not_its_fifteen() -> None:
    last = ("KC", "QC", "9C", "2C 2", "4D", "5S", "7H")
    for claim, scores, missed in (("1", [3, 0], 2), ("2", [5, 0], 0), ("3", [5, 0], 0)):
        game = Table(f"{MANUAL} muggins=on")
        game.deal()
        game.lay(*last, f"7S {claim}")
        round_ = game.referee.table.round
        assert (game.scores, round_ and round_.missed) == (scores, missed)
        assert game.said[-1] == "Last card: one for Ann."
    game = Table(f"{MANUAL} overcount=on")
    game.deal()
    game.lay(*last, "9S 1")
    assert (game.said, game.scores) == (["Ann plays 9S: twenty-five.", "Last card: one for Ann."], [3, 0])


def test_points_missed_in_the_play_are_called_by_an_opponent() -> None:
    game = Table(f"{MANUAL} muggins=on")
    game.deal()
    game.lay("5C", "TD")
    assert (game.said, game.scores) == (["Ann plays TD: fifteen."], [0, 0])
    assert game.refused("muggins", 0, 2) == "you cannot call muggins on your own side"
    assert game.refused("muggins", 1, 0) == "call muggins for at least one point"
    game.act("muggins", 1, 2)
    assert game.said == ["Muggins: Bob takes two that Ann missed."]
    assert (game.commands, game.scores) == ([("muggins", 1, 2, 0)], [0, 2])
    assert game.refused("muggins", 1, 2) == "there is nothing to call muggins on; it closes at the next card or count"


def test_with_muggins_nothing_tells_a_claim_that_is_too_low_from_a_right_one() -> None:
    for claim in (1, 2):
        game = Table(f"{MANUAL} muggins=on")
        game.deal()
        game.lay("5C", f"TD {claim}")
        assert game.said == [f"Ann plays TD: fifteen, and claims {('one', 'two')[claim - 1]}."]
    for points, word in ((13, "thirteen"), (12, "twelve")):
        game = counted("muggins=on")
        game.act("claim", 1, points)
        assert game.said == [f"Bob claims {word}."]
    assert game.commands == [("peg", 1, 12)]


def test_muggins_closes_at_the_next_card_and_says_what_was_missed() -> None:
    game = Table(f"{MANUAL} muggins=on")
    game.deal()
    game.lay("5C", "TD 0", "2C")
    assert game.said == ["Nobody called the two that Ann missed.", "Bob plays 2C: seventeen."]
    assert game.refused("muggins", 1, 2) == "you cannot call muggins on your own side"


def test_a_wrong_call_gives_its_points_to_the_side_that_counted() -> None:
    game = Table(f"{MANUAL} muggins=on", players=3)
    game.deal()
    game.lay("5C", "TD 2")
    game.act("muggins", 0, 3)
    assert game.said == ["Ann calls three that Cleo has not missed, and gives them away."]
    assert (game.events, game.scores) == ([(MUGGINS, 2, 3, 0, 0)], [0, 0, 5])
    game.act("muggins", 1, 1)
    assert game.scores == [0, 0, 6]


def test_the_first_valid_call_leaves_nothing_for_others() -> None:
    game = Table(f"{MANUAL} muggins=on", players=3)
    game.deal()
    game.lay("5C", "TD")
    game.act("muggins", 0, 1)
    assert game.scores == [1, 0, 0]
    assert game.refused("muggins", 1, 1).startswith("there is nothing to call muggins on")


def test_no_muggins_where_it_is_not_played_and_none_for_nibs() -> None:
    assert Table().refused("muggins", 1, 2) == "no cards are dealt"
    game = Table(MANUAL)
    game.deal("JS")
    assert (
        game.refused("muggins", 1, 2)
        == "muggins is not played in this game; the next one has it with the option muggins=on"
    )
    game = Table(f"{MANUAL} muggins=on")
    game.deal("JS")
    assert game.scores == [2, 0]
    assert game.refused("muggins", 1, 2).startswith("there is nothing to call muggins on")


def test_when_the_time_is_up_nothing_is_left_to_be_called() -> None:
    game = counted("muggins=on time_limit=30")
    game.act("claim", 1, 9)
    game.act("timeout", 0)
    assert game.said[0] == "Nobody called the four that Bob missed."
    assert game.refused("muggins", 1, 4).startswith("there is nothing to call muggins on")


def test_muggins_on_a_hand_is_open_until_the_next_count_or_deal() -> None:
    game = counted("muggins=on")
    game.act("claim", 1, 9)
    assert game.said == ["Bob claims nine."]
    game.act("muggins", 0, 4)
    assert gains(game) == [4, 9]
    game.act("claim", 0, 5)
    game.act("crib", "2S 3S KS 7H")
    assert game.said[0] == "Nobody called the four that Ann missed."
    assert game.refused("muggins", 1, 4).startswith("there is nothing to call muggins on")
    game.act("claim", 0, 0)
    game.act("deal", None)
    assert game.said == ["Nobody called the two that Ann missed.", "Deal 2: Bob deals."]
    assert game.events == [(DEAL, 1, 0, 0, 0)]


# Time


@pytest.mark.parametrize(
    ("cards", "keeps", "half"), [(PONE, 7, 6), ("2C 4C 6D 8S", 0, 0), ("6C 2C 3D QS", 2, 2), ("6C 2C TS QS", 1, 1)]
)
def test_when_the_time_is_up_half_goes_to_the_other_side(cards: str, keeps: int, half: int) -> None:
    game = Table(f"{MANUAL} time_limit=30")
    game.deal("9D" if keeps != 0 else "KD")
    assert game.refused("timeout", 1) == "not now: the play is on"
    game.play_out(cards, "AD TD AH QH")
    game.before = game.scores
    assert game.refused("timeout", 0) == "Bob counts the hand now, not Ann; count in turn"
    game.act("timeout", 1)
    assert gains(game) == [half, keeps]
    assert game.said[0].startswith("Time is up for Bob: the hand counts ")
    assert ("keeps one of them." in game.said[0]) == (keeps == 1 and half > 0)


# At the table


def test_a_card_held_back_at_a_go_costs_two_where_it_is_played_so() -> None:
    for options, scores in (("", [1, 0]), ("renege=on", [3, 0])):
        game = Table(options)
        game.deal()
        game.lay("KC", "QC", "2C", "4C", "go", "go")
        assert game.scores == [1, 0]
        game.lay("5H")
        assert game.said[-1].startswith("Bob held 5H when saying go at twenty-six: a renege")
        assert game.scores == scores
    assert game.commands == [("penalty", 1, 2, 0)]
    assert game.said[-1].endswith(", two for Ann.")


def test_a_misdeal_is_dealt_again_by_the_same_player() -> None:
    for options, scores in (("", [0, 0]), ("misdeal=2", [0, 2])):
        game = Table(options)
        assert game.refused("misdeal").startswith("a misdeal is called after the deal")
        game.act("deal", None)
        game.act("misdeal")
        assert (game.referee.phase, game.scores) == ("deal", scores)
        assert game.said[0].startswith("Misdeal: Ann deals again")
        game.act("deal", None)
        assert game.said == ["Deal 1: Ann deals."]
        game.act("starter", "9D")
        assert game.refused("misdeal").startswith("a misdeal is called after the deal and before the starter")


def test_where_a_misdeal_forfeits_the_deal_the_next_player_deals() -> None:
    game = Table("forfeit=on", players=3)
    game.act("deal", None)
    game.act("misdeal")
    assert (game.said, game.referee.table.due) == (["Misdeal: Bob deals."], 1)
    game.act("deal", None)
    assert (game.said, game.events) == (["Deal 1: Bob deals."], [(DEAL, 1, 0, 0, 0)])
    game.act("misdeal")
    game.act("undo")
    assert (game.referee.phase, game.referee.table.dealer) == ("starter", 1)


def test_a_deal_out_of_turn_is_void_until_both_have_played_a_card() -> None:
    for cards in ([], ["JS"], ["JS", "5C"]):
        game = Table()
        assert game.refused("dealer", 1).startswith("a deal out of turn is called while")
        game.act("deal", None)
        assert game.refused("dealer", 0) == "Ann has dealt; name who should have"
        if cards:
            game.act("starter", cards[0])
            game.lay(*cards[1:])
        game.act("dealer", 1)
        assert game.said[0] == "Ann has dealt out of turn: the deal is void, and Bob deals."
        assert (game.scores, game.referee.phase) == ([0, 0], "deal")
        assert game.said[1:] == (["Ann goes back two."] if cards else [])
        game.act("deal", None)
        assert game.said == ["Deal 1: Bob deals."]
        assert game.replayed().pegs.scores == (0, 0)


def test_a_deal_out_of_turn_stands_once_both_have_played_a_card() -> None:
    game = Table()
    game.deal("JS")
    game.lay("5C", "TD")
    game.act("dealer", 1)
    assert game.said == ["All have played a card, so the deal of Ann stands: Bob deals next."]
    assert (game.scores, game.referee.table.due) == ([4, 0], 1)


# Too many cards in a tournament, by the ACC's rule 4.4: both rulings are quoted in round.py


def strict(*plays: str, rules: str = "") -> Table:
    game = Table(f"tournament=on {rules}")
    game.deal("JD")
    game.lay(*plays)
    return game


@pytest.mark.parametrize("seat", [0, 1])
def test_too_many_cards_stop_the_play_and_the_same_player_deals_again(seat: int) -> None:
    game = strict("5C", "TD", "TC")  # nibs and fifteen for Ann, a pair for Bob
    assert game.scores == [4, 2]
    game.act("dead", seat)
    who = ("Ann", "Bob")[seat]
    assert game.said == [
        f"{who} holds too many cards: both hands and the crib are dead, and Ann deals again.",
        *("Ann goes back two.", "Bob goes back two."),
    ]
    assert (game.scores, game.referee.phase) == ([2, 0], "deal")  # nibs are not of the play
    assert game.replayed().pegs.scores == (2, 0)
    game.act("deal", None)
    assert game.said == ["Deal 1: Ann deals."]
    game.act("undo")
    game.act("undo")
    assert (game.scores, game.referee.phase) == ([4, 2], "play")


def test_too_many_cards_that_are_found_in_the_show_take_back_what_the_other_hand_has_counted() -> None:
    game = strict()
    game.play_out(PONE, DEALER)
    game.act("show")
    game.act("dead", 0)
    assert game.said[0] == "Ann holds too many cards: both hands and the crib are dead, and Ann deals again."
    assert (game.scores, game.referee.phase) == ([2, 0], "deal")


@pytest.mark.parametrize(
    ("rules", "lines", "scores"),
    [
        ("counting=manual muggins=on", ["5C", "TD"], [2, 2]),
        ("counting=manual overcount=on", ["5C 4", "TD 2"], [8, 0]),
        ("playroom=on", ["5C", "TD"], [2, 2]),
    ],
)
def test_what_the_play_has_given_to_others_goes_back_with_it(rules: str, lines: list[str], scores: list[int]) -> None:
    game = strict(*lines, rules=rules)
    if "muggins" in rules:
        game.act("muggins", 1, 2)
    assert game.scores == scores
    game.act("dead", 1)
    assert game.scores == [2, 0]


def test_a_log_from_before_there_were_two_rulings_has_the_older_one() -> None:
    saved = strict().setup.to_json()
    options = {name: value for name, value in saved["options"].items() if name != "too_many"}  # type: ignore[attr-defined]
    assert Setup.from_json({**saved, "options": options}).options.too_many == 2004
    assert Setup.from_json({**saved, "options": {**options, "tournament": False}}).options == Options()


# The older ruling


def earlier(*plays: str) -> Table:
    game = Table("tournament=on too_many=2004")
    game.deal("9D")
    game.lay(*plays)
    return game


def test_a_pone_with_too_many_cards_loses_the_pegging_and_the_hand() -> None:
    game = earlier("5C", "TD", "TC")  # fifteen for Ann, a pair for Bob
    assert game.scores == [2, 2]
    game.act("dead", 1)
    assert game.said == ["Bob holds too many cards: the hand is dead.", "Bob goes back two."]
    assert (game.scores, game.commands) == ([2, 0], [("penalty", 1, 2, 1)])
    assert game.refused("dead", 1).startswith("a hand is dead with the option tournament")
    game.lay("go", "5D", "go")  # thirty
    assert game.said == ["Bob says go.", "Go: one for Bob, which does not count: the hand is dead."]
    assert game.scores == [2, 0]


def test_the_play_ends_with_the_dealers_last_card_when_the_pone_is_dead() -> None:
    game = earlier("5C", "TD", "TC")
    game.act("dead", 1)
    game.lay("2D", "go", "3D", "go", "KC", "KD")
    assert state(game.referee)["held"] == [0, 1]  # Bob has a card that is not played
    assert (game.referee.phase, game.scores) == ("show", [5, 0])
    game.act("show")
    assert game.said[0].startswith("Ann's hand TD 2D 3D KD with 9D")
    game.act("crib", "")
    assert game.said == ["The crib is dead: it has the wrong number of cards."]
    assert game.referee.phase == "deal"
    assert game.replayed().phase == "deal"


def test_a_dealer_with_too_many_cards_plays_on_and_counts_the_crib_alone() -> None:
    game = earlier("5C", "TD")
    game.act("dead", 0)
    assert game.scores == [0, 0]
    game.lay("TC", "4D", "go", "2D", "2C", "3C", "3D")
    assert game.referee.phase == "show"
    game.act("show")
    assert game.said[0].startswith("Bob's hand")
    assert game.referee.phase == "crib"
    before = game.scores
    game.act("crib", "5H 5S JD KD")
    assert (game.scores[0] > before[0], game.referee.phase) == (True, "deal")


def test_what_a_dead_hand_has_missed_cannot_be_called() -> None:
    game = Table("tournament=on too_many=2004 counting=manual muggins=on")
    game.deal("9D")
    game.lay("5C", "TD 2")
    game.act("dead", 0)
    game.lay("TC 2", "6D 0")
    assert game.refused("muggins", 0, 2).startswith("there is nothing to call muggins on")


def test_a_hand_that_is_counted_or_of_another_house_cannot_be_dead() -> None:
    for game in (Table(), Table("tournament=on", players=3)):
        game.deal()
        assert game.refused("dead", 1).startswith("a hand is dead with the option tournament, between two players")
    game = earlier()
    game.play_out(PONE, DEALER)
    game.act("show")
    assert game.refused("dead", 1).endswith("after the starter and before it is counted")
    game.act("dead", 0)
    assert game.referee.phase == "crib"
    assert Table().refused("crib", "").startswith("no cards are dealt")


# A card that a house rule takes out of the play


def test_a_dead_card_is_not_played_and_the_play_goes_on_without_it() -> None:
    game = Table()
    game.deal("9D")
    game.lay("5C", "TD", "TC", "go", "5D")  # Ann has said go with an ace in hand
    assert "dead_card" in may(game.referee)
    game.lay("go")  # thirty
    game.act("dead_card", 0, "AD")
    assert game.said == ["Ann's AD is dead, and is not played."]
    assert game.refused("play", 0, "AD") == "AD is the starter or out of play; a pack has each card once"
    game.lay("2D", "2C", "3D")
    assert (game.referee.phase, state(game.referee)["held"]) == ("show", [0, 0])
    game.act("show")
    game.act("show")
    assert game.said[0].startswith("Ann's hand TD AD 2D 3D with 9D")
    assert game.replayed().pegs.scores == game.referee.pegs.scores


def test_the_last_card_of_a_player_may_be_dead_and_the_turn_passes_on() -> None:
    game = Table()
    game.deal("9D")
    game.lay("2C", "KD", "3C", "QD", "4C", "go")  # twenty-nine, and Bob has one card left
    game.act("dead_card", 1, "AC")
    assert game.said == ["Bob's AC is dead, and is not played.", "Go: one for Bob."]
    assert state(game.referee)["turn"] == 0
    game.lay("JD")
    game.act("dead_card", 0, "6H")
    assert game.said == ["Ann's 6H is dead, and is not played.", "Last card: one for Ann."]
    assert game.referee.phase == "show"
    assert game.replayed().phase == "show"


def test_a_card_may_be_dead_before_the_first_of_a_count_or_out_of_turn() -> None:
    game = Table()
    game.deal("9D")
    game.act("dead_card", 0, "QD")  # Bob is to lead
    game.lay("KC", "KD", "AC", "JD", "QC")  # thirty-one, and a new count
    assert state(game.referee)["turn"] == 0
    game.act("dead_card", 0, "2D")
    assert (game.said, state(game.referee)["turn"]) == (["Ann's 2D is dead, and is not played."], 1)
    game.act("dead_card", 1, "3D")
    assert game.said == ["Bob's 3D is dead, and is not played.", "Last card: one for Bob."]
    for act in (("dead_card", 1, "3D"), ("play", 1, "3D")):
        assert game.refused(*act).startswith("not now: the hands are shown now")


def test_a_card_can_be_dead_only_while_the_tables_own_cards_are_played() -> None:
    game = Table()
    game.deal("9D")
    game.lay("5C")
    for card, why in (("5C", "was played by"), ("9D", "is the starter or out of play")):
        assert why in game.refused("dead_card", 0, card)
    dealt = Referee(Setup(("Ann", "Bob"), (0, 1), dealt=True), game.base)
    pack = cards_text(list(range(52)))
    for act in (["new", 0], ["deal", pack], ["discard", 0, "AD AS"], ["discard", 1, "AC AH"], ["starter", "KS"]):
        dealt.act(act)
    assert "dead_card" not in may(dealt)
    with pytest.raises(ValueError, match="the program deals here"):
        dealt.act(["dead_card", 1, "2H"])


def test_a_stolen_deal_stands() -> None:
    game = Table()
    assert game.refused("steal", 1) == "stealing the deal is not played here; it is the option steal"
    game = Table("steal=on")
    assert game.refused("steal", 0) == "Ann is the dealer; there is nothing to steal"
    game.act("deal", None)
    game.act("steal", 1)
    assert (game.events, game.referee.table.dealer) == ([(DEAL, 1, 0, 0, 0)], 1)
    assert game.said == ["Bob has stolen the deal; the crib is Bob's."]
    game.act("starter", "9D")
    assert game.referee.table.round.deal.game.turn == 0  # type: ignore[union-attr]
    assert game.refused("steal", 0).startswith("a deal is stolen before the starter is turned up")
    game.play_out(PONE, DEALER)
    for act in (["show"], ["show"], ["crib", "2S 3S KS 7H"]):
        game.act(*act)
    assert game.refused("steal", 0) == "Ann is the dealer; there is nothing to steal"
    game.act("steal", 1)
    assert (game.events, game.said) == ([], ["Bob has stolen the deal; the crib is Bob's."])
    assert game.referee.table.deals == 2


def test_a_penalty_is_pegged_by_the_others_or_the_offender_goes_back() -> None:
    game = Table()
    game.act("penalty", 0, 2, 0)
    assert (game.said, game.scores) == (["Penalty for Ann: 2 for every other side."], [0, 2])
    game.act("penalty", 1, 1, 1)
    assert (game.said, game.scores, game.commands) == (["Penalty: Bob back 1."], [0, 1], [("penalty", 1, 1, 1)])
    assert game.refused("penalty", 1, 99, 0).startswith("99 points cannot be; one score is 0 to 46")
    assert game.events == [(PENALTY, 1, 1, 1, 0)]


# The playroom: wrong counts cost by themselves


def playing(*plays: str, **more: int) -> Table:
    """A play in the playroom, whose cards are laid with their claims."""
    table = Table("playroom=on", **more)
    table.deal()
    table.lay(*plays)
    return table


@pytest.mark.parametrize(
    ("claim", "pegged", "said"),
    [
        (14, [0, 13], "Ann takes the one overclaimed."),
        (13, [0, 13], ""),
        (8, [5, 8], "Ann takes the five missed."),
        (0, [13, 0], "Ann takes the thirteen missed."),
    ],
)
def test_in_the_playroom_what_a_hand_misses_or_claims_too_many_goes_to_the_other_side(
    claim: int, pegged: list[int], said: str
) -> None:
    table = Table("playroom=on")
    table.deal()
    table.play_out(PONE, DEALER)
    table.before = table.scores
    table.act("claim", 1, claim)
    more = claim - 13 if claim > 13 else 0
    assert gains(table) == [pegged[0] + more, pegged[1]]
    assert table.said[-1] == said or (claim == 13 and len(table.said) == 1)


def test_in_the_playroom_the_play_and_the_crib_count_as_well() -> None:
    table = playing()
    table.act("play", 1, "5C")
    table.act("play", 0, "TD")  # fifteen, and nothing is claimed
    assert (table.scores, table.said[-1]) == ([0, 2], "Bob takes the two missed.")
    table.act("play", 1, "TC", 6)  # a pair
    assert (table.scores, table.said[-1]) == ([4, 4], "Ann takes the four overclaimed.")


def test_a_claim_that_is_too_high_is_announced_so_nobody_can_call_it() -> None:
    game = Table(f"{MANUAL} muggins=on")
    game.deal()
    game.act("play", 1, "5C", 0)
    game.act("play", 0, "TD", 3)
    assert state(game.referee)["open"] is None
    assert game.refused("muggins", 1, 1).startswith("there is nothing to call muggins on")


def test_in_the_playroom_every_opposing_side_gets_them_and_nobody_need_call() -> None:
    table = playing(players=3)
    table.act("play", 1, "5C")
    table.act("play", 2, "TD")
    assert table.scores == [2, 2, 0]
    assert (
        table.refused("muggins", 0, 2)
        == "muggins is not played in this game; the next one has it with the option muggins=on"
    )


def test_in_the_playroom_the_counter_pegs_first() -> None:
    table = playing(target=61)
    table.act("set", 1, 59, 0)
    table.act("set", 0, 60, 0)
    table.act("play", 1, "5C")
    table.act("play", 0, "TC", 5)  # a fifteen wins with its two before the rest is given away
    assert (table.scores, table.referee.match.winner) == ([61, 59], 0)


@pytest.mark.parametrize(
    ("options", "claim", "late", "said"),
    [
        ("", 12, False, ""),
        ("", 9, False, "worth 12"),
        ("", 14, False, "claimed 14"),
        ("overcount=on", 9, False, "worth 12"),
        ("overcount=on", 14, False, "claimed 14, 2 to Bob"),
        ("playroom=on", 9, False, "worth 12, 3 to Bob"),
        ("", 6, True, "time is up, worth 12, 6 to Bob"),
        ("", 0, True, "time is up"),
    ],
)
def test_a_claim_beside_its_points_says_what_was_wrong(options: str, claim: int, late: bool, said: str) -> None:
    setup = Setup(("Ann", "Bob"), (0, 1), options=read_options([MANUAL, *options.split()]))
    points = 0 if late and not claim else 12
    assert in_short(setup, 0, claim, points, late=late) == said
