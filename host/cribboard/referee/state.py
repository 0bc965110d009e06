"""The state of a refereed game, as one object for programs and as one sentence for each letter that asks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cribboard.referee.outcomes import Act, Timer
from cribboard.referee.referee import Referee
from cribboard.referee.round import Round
from cribboard.referee.setup import Setup
from cribboard_core.aloud import number_word
from cribboard_core.cards import RANKS, CardError, card_name, parse_card, parse_cards, quote
from cribboard_core.pile import LIMIT
from cribboard_core.play import HIGHEST, UNSEEN, Play

RANK_WORDS = (
    *("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king"),
)
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
LETTERS = "CBFVSTL"
TO_DO = {
    "discard": "discard",
    "play": "play",
    "claim": "count",
    "show": "count",
    "hand": "lay the hand open",
    "crib": "turn the crib over",
}


def state(referee: Referee) -> dict[str, object]:
    """Everything about a game that all players may see, without hands: seats count from 0, cards are named."""
    setup, table, match = referee.setup, referee.table, referee.match
    round_ = table.round if referee.begun else None
    game = round_.deal.game if round_ else None
    turn = turn_of(referee)
    return {
        "phase": referee.phase,
        "names": list(setup.names),
        "sides": [setup.side(seat) for seat in range(setup.players)],
        "target": setup.target,
        "dealt": setup.dealt,
        "options": setup.options.to_json(),
        "deal": table.deals,
        "dealer": table.dealer if table.dealer >= 0 else None,
        "turn": turn if turn >= 0 else None,
        "count": game.count if game else 0,
        "table": [card_name(card) for card in game.pile] if game else [],
        "played": [[card_name(row[1]) for row in game.rows if row[0] == seat] for seat in range(setup.players)]
        if game
        else [],
        "held": [len(hand) for hand in game.hands] if game else [],
        "starter": card_name(round_.deal.starter) if round_ and round_.deal.starter >= 0 else None,
        "counting": list(_counting(round_)) if round_ and referee.phase in ("show", "claim", "crib") else None,
        "open": round_.open_for if round_ and round_.open_for >= 0 and referee.phase != "won" else None,
        "may": may(referee),
        "scores": [match.front(side) for side in match.sides] if referee.begun else [],
        "backs": [match.back(side) for side in match.sides] if referee.begun else [],
        "wins": [referee.winners.count(side) for side in match.sides],
        "winner": match.winner if referee.begun and match.winner >= 0 else None,
        "undo": referee.newest() or None,
        "said": referee.said,
        "rev": match.rev,
    }


def may(referee: Referee) -> list[str]:
    """The names of the acts that can be done now, the one that is due first."""
    phase = referee.phase
    cuts = ["cut", "new"]
    acts = {"cut": cuts, "won": cuts if referee.setup.options.cut_each_game else ["new"], "left": []}.get(
        phase, [phase]
    )
    if phase not in ("cut", "won", "left"):
        acts += _beside(referee)
    if referee.begun:
        acts += ["false"] if any(referee.pegs.scores) else []
        acts += ["set"]
    return acts + (["undo"] if referee.undoable() and phase != "left" else [])


def _beside(referee: Referee) -> list[str]:
    """What can be done as well while a game is on."""
    phase, options, round_ = referee.phase, referee.setup.options, referee.table.round
    own_cards = not referee.setup.dealt
    also = {
        "go": phase == "play" and can_say_go(referee),
        "timeout": phase == "claim" and options.time_limit,
        "crib": phase in ("show", "claim") and round_ and not round_.deal.crib,  # it may be laid open before its turn
        "muggins": round_ and round_.open_for >= 0,
        "misdeal": phase == "starter" and own_cards,
        "dealer": phase in ("starter", "play", "hand", "show", "claim", "crib") and own_cards,
        "dead_card": phase == "play" and own_cards,
        "dead": round_ and any(map(round_.may_be_dead, range(referee.setup.players))),
        "steal": phase in ("deal", "starter") and own_cards and options.steal,
        "penalty": True,
    }
    return [name for name, can in also.items() if can]


def can_say_go(referee: Referee) -> bool:
    """Whether the seat whose turn it is may have nothing that fits."""
    game = referee.table.round.deal.game if referee.table.round else None
    return game is not None and may_say_go(game)


def may_say_go(game: Play) -> bool:
    """The same in a play that is on."""
    return UNSEEN in game.hands[game.turn] and game.count + HIGHEST > LIMIT and not game.legal(game.turn)


def turn_of(referee: Referee) -> int:
    """The seat that has something to do, -1 when it is everybody or nobody."""
    if referee.phase not in TO_DO:
        return -1
    deal = referee.table.round.deal if referee.table.round else None
    assert deal is not None  # noqa: S101 (the phases are those of a round)
    if referee.phase == "discard":
        return next(seat for seat in _clockwise(referee) if deal.to_discard(seat))
    return deal.turn


def overdue(referee: Referee, timer: Timer) -> Act | None:
    """The act that ends a player's time to claim; None while there is some left, or where nobody has to hurry.

    The time for a crib runs while its cards are laid open, too.
    """
    round_, limit_s, seat = referee.table.round, referee.setup.options.time_limit, turn_of(referee)
    if referee.phase not in ("claim", "crib") or not limit_s or seat in referee.setup.computers or round_ is None:
        return None
    count = referee.table.deals, seat, round_.deal.shows_crib
    left_s = timer.left_s(count, limit_s)
    return ["timeout", seat] if not left_s and referee.phase == "claim" else None


def legal_cards(referee: Referee) -> list[int]:
    """The known cards of the seat to play that fit."""
    game = referee.table.round.deal.game if referee.table.round else None
    return sorted(game.legal(game.turn)) if game and referee.phase == "play" else []


def with_names(text: str, setup: Setup) -> str:
    """A message of the rules, whose seats are called by their names."""
    return re.sub(r"\bseat ([0-5])\b", lambda matched: setup.names[int(matched[1])], text)


def spoken(card: int) -> str:
    """A card in words, like `five of hearts`."""
    return f"{RANK_WORDS[card >> 2]} of {SUIT_WORDS[card & 3]}"


def listed(cards: Sequence[int]) -> str:
    """Cards as they are said, one after the other."""
    return ", ".join(map(spoken, cards))


def answer(referee: Referee, letter: str) -> str:
    """The sentence for one of the letters C B F V S T L."""
    return _ANSWERS[letter.upper()](referee)


def _clockwise(referee: Referee) -> list[int]:
    players = referee.setup.players
    return [(referee.table.dealer + 1 + step) % players for step in range(players)]


def _counting(round_: Round) -> tuple[int, str, list[str]]:
    seat, kind, cards = round_.counted_next()
    return seat, kind, [card_name(card) for card in cards]


def _count(referee: Referee) -> str:
    round_ = referee.table.round
    if referee.phase == "play" and round_ and round_.deal.game:
        count = round_.deal.game.count
        return f"The count is {number_word(count) if count else 'nought'}."
    if referee.phase in ("show", "claim", "crib") and round_:
        seat, kind, cards = round_.counted_next()
        what = f"{referee.setup.names[seat]}'s {kind} is counted"
        return f"{what}: {listed(cards)}." if cards else f"{what}; its cards are not known yet."
    return "Nothing is being counted."


def _crib(referee: Referee) -> str:
    if referee.table.dealer < 0:
        return "Nobody has the crib yet."
    names, other = referee.setup.names, referee.board_dealer
    shown = f", although the board shows {names[other]}'s" if other >= 0 else ""
    return f"The crib is {names[referee.table.dealer]}'s{shown}."


def _starter(referee: Referee) -> str:
    round_ = referee.table.round
    if round_ is None or round_.deal.starter < 0:
        return "No starter has been turned up."
    return f"The starter is the {spoken(round_.deal.starter)}."


def turned_over(game: Play) -> list[Sequence[int]]:
    """The rows of the cards of the count that ended last, when none has been laid since; empty before."""
    ends = [at for at, row in enumerate(game.rows) if row[5]]
    return list(game.rows[ends[-2] + 1 if ends[1:] else 0 :])


def _on_table(referee: Referee) -> str:
    game = referee.table.round.deal.game if referee.table.round and referee.phase == "play" else None
    if game is None or not game.rows:
        return "No cards are on the table."
    if game.pile:
        return f"On the table: {listed(game.pile)}; {number_word(game.count)}."
    turned = turned_over(game)
    before = f"{listed([row[1] for row in turned])}; {number_word(turned[-1][2])}"
    return f"The count starts again; turned over: {before}."


def _scores(referee: Referee) -> str:
    setup, match = referee.setup, referee.match
    if not referee.begun:
        return "No game has started." if referee.phase == "cut" else "The board has started another game."
    scores = ", ".join(f"{setup.side_name(side)} {match.front(side)}" for side in match.sides)
    return f"{scores}; the game is to {setup.target}."


def _turn(referee: Referee) -> str:
    names = referee.setup.names
    seat = turn_of(referee)
    if seat >= 0:
        return f"It is {names[seat]}'s turn to {TO_DO[referee.phase]}."
    return {
        "cut": "Everybody cuts a card for the deal.",
        "deal": "The next deal is due.",
        "starter": f"{names[referee.table.dealer]} turns the starter up.",
        "won": "The game is won.",
    }.get(referee.phase, "The board has started another game.")


def _legal(referee: Referee) -> str:
    seat = turn_of(referee)
    round_ = referee.table.round
    if seat in referee.setup.computers:
        return f"The program knows what {referee.setup.names[seat]} holds."
    if referee.phase == "discard" and round_:
        return f"{referee.setup.names[seat]} holds {listed(sorted(round_.deal.hands[seat]))}."
    if referee.phase != "play":
        return "It is not time to play a card."
    name = referee.setup.names[seat]
    cards = legal_cards(referee)
    if cards:
        return f"{name} can play {listed(cards)}."
    game = round_.deal.game if round_ else None
    room = LIMIT - (game.count if game else 0)
    if room >= 10:
        return f"{name} can play any card."
    return f"{name} can play a card that counts {number_word(room)} or less, or says go."


_ANSWERS = {"C": _count, "B": _crib, "F": _starter, "V": _on_table, "S": _scores, "T": _turn, "L": _legal}


_CODE = r"(?:10|[2-9AJQKT])[CDHS]"
_SPOKEN = rf"(?P<rank>{'|'.join(RANK_WORDS)}) of (?P<suit>{'|'.join(SUIT_WORDS)})"
_TYPED = rf"(?P<rank>{'|'.join(RANK_WORDS)}|10|[2-9AJQKT])(?: of)? (?P<suit>(?:club|diamond|heart|spade)s?)"


def in_words(text: str, names: Iterable[str]) -> str:
    """The sentence with `the ten of diamonds` for TD, and with commas between several; names and quotes stay."""

    def say(matched: re.Match[str]) -> str:
        if not matched["cards"]:
            return matched[0]
        said = listed(parse_cards(matched["cards"]))
        return said if " " in matched["cards"] else f"the {said}"

    return re.sub(rf"{_kept(names)}|\b(?P<cards>{_CODE}(?: {_CODE})*)\b", say, text)


def in_codes(text: str, names: Iterable[str]) -> str:
    """The sentence with 5H for `five of hearts`, as it is typed; names and quotes stay."""
    return re.sub(rf"{_kept(names)}|\b(?:the )?{_SPOKEN}\b", _as_code, text)


def typed_in_codes(text: str, names: Iterable[str] = ()) -> str:
    """What somebody has typed, with 5H for `Five of hearts`, `5 hearts` or `the five of hearts`; names stay.

    An `and` between two cards is left out.
    """
    codes = re.sub(rf"{_kept(names)}|\b(?:the )?{_TYPED}\b", _as_code, text, flags=re.IGNORECASE)
    return re.sub(rf"\b({_CODE}),? and (?={_CODE}\b)", r"\1 ", codes, flags=re.IGNORECASE)


def rank_of_word(word: str) -> int:
    """0..12 for a rank without a suit, like Q, 10 or queen; -1 for any other word."""
    if word.lower() in RANK_WORDS:
        return RANK_WORDS.index(word.lower())
    return parse_card(f"{word}C") >> 2 if word.upper() in ("10", *RANKS) else -1


def ranks_as_codes(text: str, fitting: Sequence[int] | None) -> str:
    """The text with the only card that fits for each rank alone; raises CardError where none or several fit.

    Nothing is known of the cards where `fitting` is None: there a rank needs its suit. An `and` is left out.
    """
    words = [word for word in text.split() if word.lower() != "and"]
    for at, word in enumerate(words):
        rank = rank_of_word(word)
        if rank < 0:
            continue
        if fitting is None:
            raise CardError(f"{quote(word)} needs its suit, like {RANKS[rank]}H")
        cards = [card for card in fitting if card >> 2 == rank]
        if not cards:
            raise CardError(f"no {RANK_WORDS[rank]} fits here")
        if len(cards) > 1:
            raise CardError(f"{quote(word)} can be {' or '.join(map(card_name, cards))}")
        words[at] = card_name(cards[0])
    return " ".join(words)


def _as_code(matched: re.Match[str]) -> str:
    if not matched["rank"]:
        return matched[0]
    rank, suit = matched["rank"].lower(), matched["suit"].lower().removesuffix("s")
    place = RANK_WORDS.index(rank) if rank in RANK_WORDS else parse_card(f"{rank}C") >> 2
    return card_name(4 * place + SUIT_WORDS.index(f"{suit}s"))


def _kept(names: Iterable[str]) -> str:
    """What matches a name, what somebody has typed, or an example of what to type."""
    longest = sorted(names, key=len, reverse=True)
    return "|".join([r"'[^']*'", r"\blike [^;,.]*", *[rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest]])
