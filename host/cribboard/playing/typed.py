"""Reads what is typed at the table: an act, a letter that asks, or a mistake."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from cribboard.board.commands import back_peg
from cribboard.errors import ArgumentError, CribboardError
from cribboard.names import Names, key
from cribboard.players import computers_turn, prompt
from cribboard.playing.hint import hinted
from cribboard.referee import answers
from cribboard.referee.answers import LETTERS
from cribboard.referee.outcomes import Act
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import legal_cards, turn_of
from cribboard.referee.wording import rank_of_word, ranks_as_codes, typed_in_codes
from cribboard_core.aloud import number_word
from cribboard_core.cards import PACK_SIZE, CardError, card_name, cards_text, parse_cards, quote
from cribboard_core.match import Match
from cribboard_core.pack import PIPS
from cribboard_core.pile import LIMIT
from cribboard_core.play import UNSEEN


def question(referee: Referee, held: bool = False) -> str:
    """What is asked for now; `held` says that the program waits after an undo."""
    setup, asked_for = referee.setup, prompt(referee, held)
    what, seat = asked_for.what, asked_for.seat
    dealer = setup.names[referee.table.dealer]
    round_ = referee.table.round
    name = setup.names[seat]
    if what == "go on":
        return "Press Enter to let the program go on:"
    if what == "cut":
        return f"Type the cards cut by {listed_names(setup)}, or who deals:"
    if what == "starter":
        return f"{dealer}, turn up the starter:"
    if what == "crib":
        return f"{dealer}, turn your crib over:"
    if what == "won":
        cuts = setup.options.cut_each_game and not setup.dealt
        again = "the cards cut for the next game" if cuts else "new for the next game"
        return f"Type {again},{' review for what each choice cost,' * setup.can_review} undo or quit:"
    if round_ is None or seat < 0:
        return "Press Enter for the next deal:"
    if what in ("call", "wait"):
        return f"Press Enter for {name}'s {'card' if referee.phase == 'play' else 'count'}, or call muggins:"
    own = len(setup.computers) == setup.players - 1
    if what == "throw":
        due = round_.deal.to_discard(seat)
        asked = f"{name}, discard {number_word(due)}"
        return f"{asked}: {cards_text(sorted(round_.deal.hands[seat]))}" if own else f"{asked} (L shows your cards):"
    if what == "hand":
        due = round_.deal.not_named
        return f"{name}, type the {'card' if due == 1 else f'{number_word(due)} cards'} that you did not play:"
    if what == "count":
        _, kind, cards = round_.counted_next()
        asked = f"{name}, count your {kind}: {cards_text(cards)} with {cards_text([round_.deal.starter])}"
        limit = setup.options.time_limit
        return f"{asked}; you have {limit} seconds" if limit else asked
    assert round_.deal.game is not None  # noqa: S101 (the play is on)
    asked, cards = f"{name} to play. Count {round_.deal.game.count}", legal_cards(referee) if own else []
    if setup.dealt and not own:
        return f"{asked} (L shows your cards)."
    return f"{asked}. You can play: {cards_text(cards)}" if cards else f"{asked}."


def listed_names(setup: Setup) -> str:
    """All players, like `Ann, Bob and Cleo`."""
    return f"{', '.join(setup.names[:-1])} and {setup.names[-1]}"


def expected(referee: Referee) -> str:
    """What can be typed now, in a few words."""
    players = referee.setup.players
    if computers_turn(referee):
        return f"Enter to let {referee.setup.names[turn_of(referee)]} go on"
    cut = referee.setup.options.cut_each_game and not referee.setup.dealt
    return {
        "cut": f"the {number_word(players)} cards cut for the deal, or the name of who deals first",
        "deal": "deal, when the next cards are dealt",
        "discard": "the cards to discard",
        "starter": "the starter, like 5H",
        "play": "a card, like 5H, or go",
        "claim": "the points, 0 for none",
        "crib": "the cards of the crib, like 5H 6C 7D 8S",
        "hand": "the cards of the hand that were not played, like KH",
        "won": "the cards cut for the deal, or: new Bob" if cut else "new for the next game, or undo",
    }.get(referee.phase, "quit")


def standing(referee: Referee) -> str:
    """The scores, who deals, the count and whose turn it is: what stands in the bar of a terminal."""
    said = [answers.answer(referee, "S")] if referee.begun else []
    if referee.table.dealer >= 0 and referee.phase not in ("cut", "won", "left"):
        said.append(f"{referee.setup.names[referee.table.dealer]} deals.")
    game = referee.table.round.deal.game if referee.table.round else None
    if game is not None and referee.phase == "play":
        said.append(f"The count is {game.count}.")
    return " ".join([*said, answers.answer(referee, "T")])


def help_lines(referee: Referee) -> list[str]:
    """What can be typed now, in at most eight lines of a terminal."""
    setup, options = referee.setup, referee.setup.options
    calls = referee.phase in ("play", "claim", "deal") and options.muggins
    queen = ", and q is a queen" if asks_for_cards(referee) else ""
    hints = ", and hint what an expert does" if hinted(referee) else ""
    return [
        f"Now: type {expected(referee)}.",
        *_HELP_NOW.get(referee.phase, ()),
        *(["5H 2 plays a card and claims two points."] if referee.phase == "play" and options.manual else ()),
        *(["muggins 4 calls four missed points."] if calls and setup.count == 2 else ()),
        *(["When the deal went wrong: misdeal, or dealer Bob."] if referee.phase == "starter" else ()),
        f"state says how it stands{hints}.",
        "C count, S scores, T turn, B crib, F starter, V table, L what can be played, W chances.",
        f"undo takes back the last thing. quit ends{queen}. help has the rest.",
    ]


_HELP_NOW = {
    "cut": ("One card for each player in their order, like 9H 2C. The lowest deals.",),
    "discard": ("Like 5H 6C, or five of hearts, or 5 or queen where only one card fits.",),
    "play": ("A rank, like 5 or queen, is enough where one card fits; go when none does.",),
}

HELP = """9H 2C      at the start: the cards that were cut for the deal, or the dealer's name
5H         play this card, or: five of hearts; 5H 2 also claims its points, if players count
go         you have no card that you can play
12         claim twelve points, 0 for none
undo       take back the last thing that happened
muggins 4  call four points that were missed; with more than two players say who calls: muggins Bob 4
C          show the count, or the hand that is being counted
B, F, V    show whose crib it is; the starter; the cards on the table
S, T, L    show the scores; whose turn it is; what can be played
W          show each player's chance to win
           S, T, C, B, F, V are also: score, turn, count, crib, starter, table
H, help    show what can be typed now; all that can be typed
state      show the scores, the dealer, the count and whose turn it is
hint       alone against the computer: what an expert would do
review     after a game with the program's cards: what each choice cost
plain      from now on no bar; plain off brings it back
quit       end; cribboard play resumes the game. Where a card is asked for, q is a queen, and t a ten
           that you can play
To correct the score: set Bob 57, penalty Bob 2, penalty Bob 2 back, false Bob 110
When the deal went wrong: misdeal, steal Bob, dealer Bob (who should have), dead Bob or dead crib (too many cards),
dead Bob KH (a card that a house rule takes out of the play)"""

WORDS = ("quit", "q", "exit", "help", "state", "hint", "review", "plain", "board", "mine")
ASKED = {"score": "S", "scores": "S", "turn": "T", "count": "C", "crib": "B", "starter": "F", "table": "V"}
_APART = re.compile(r"\b(10|[2-9AJKQT]) +([CDHS♣♦♥♠])(?!\w)", re.IGNORECASE)  # 10 s, typed with a blank


@dataclass(frozen=True)
class Typed:
    """One of these: an act, a letter (or `H`) with what to say behind its answer, or a word for the program."""

    act: Act | None = None
    letter: str = ""
    also: str = ""
    word: str = ""


def read_line(line: str, referee: Referee, letters: str = "") -> Typed:
    """What a line means now; raises CribboardError, which says what can be typed, when it means nothing.

    The capitals among `letters` ask in any case; other letters may be ranks.
    """
    words = line.replace(",", " ").split()
    words = typed_in_codes(" ".join(words), referee.setup.names).split()
    first = words[0].lower() if words else ""
    if referee.phase == "cut" and _is_name(words, referee):  # there a name is asked for, whatever else it may mean
        return Typed(["new", seat_of(" ".join(words), referee)])
    if len(words) == 1 and first in ("q", "t") and words[0] not in letters and asks_for_cards(referee):
        return _rank_or_letter(words[0], referee)
    if len(words) == 1 and first in ASKED:
        return Typed(letter=ASKED[first])
    if len(words) == 1 and (first.upper() in [*LETTERS, "W", "H"] or first == "?"):
        return Typed(letter="H" if first == "?" else first.upper())
    if (first in WORDS and len(words) == 1) or [word.lower() for word in words] == ["plain", "off"]:
        return Typed(word={"q": "quit", "exit": "quit"}.get(first, " ".join(words).lower()))
    verb = _VERBS.get(first)
    if verb is not None:
        return Typed(verb(words[1:], referee))
    return Typed(_as_expected(_APART.sub(r"\1\2", " ".join(words)), referee))


def asks_for_cards(referee: Referee) -> bool:
    """Whether somebody is to type cards now."""
    return referee.phase in ("cut", "discard", "starter", "play", "hand", "crib") and not computers_turn(referee)


def _rank_or_letter(word: str, referee: Referee) -> Typed:
    """The only ten or queen that fits. Else `t` asks whose turn it is, and `q` is refused, so that nobody leaves by a
    card that cannot be played.
    """
    rank = rank_of_word(word)
    fitting = [card for card in may_be_typed(referee) if card >> 2 == rank]
    either = " or ".join(map(card_name, fitting))
    if len(fitting) == 1:
        return Typed(_as_expected(word, referee))
    if word.lower() == "t":
        return Typed(letter="T", also=f"For a ten type its suit, like {card_name(fitting[0])}." if fitting else "")
    if fitting:
        raise ArgumentError(f"{quote(word)} can be {either}", "type one of these; to leave, type quit")
    if referee.phase in ("discard", "play"):
        raise ArgumentError("no queen fits here", "to leave, type quit")
    raise ArgumentError(f"{quote(word)} is a queen here", "type it with its suit, like QH; to leave, type quit")


def seat_of(word: str, referee: Referee) -> int:
    """The seat of a name, a number or a colour."""
    setup = referee.setup
    match = Match(setup.target, setup.mask, setup.count, setup.places[0])
    called = {place: _plain(name) for place, name in zip(setup.places, setup.names, strict=True)}
    return setup.places.index(Names(match, called).find_place(word))


def _plain(name: str) -> str:
    """A name as it is typed in a line, where blanks and commas are all the same."""
    return " ".join(name.replace(",", " ").split())


def _is_name(words: list[str], referee: Referee) -> bool:
    return key(" ".join(words)) in [key(_plain(name)) for name in referee.setup.names]


def _split(words: list[str], referee: Referee) -> tuple[int, list[str]]:
    """The seat that the first words name, as many as make a name, and the words behind them."""
    ends = next((at for at in range(len(words), 1, -1) if _is_name(words[:at], referee)), 1)
    return seat_of(" ".join(words[:ends]), referee), words[ends:]


def _as_expected(line: str, referee: Referee) -> Act:
    """Cards, points or a name, as the phase asks for."""
    phase, words = referee.phase, line.split()
    if computers_turn(referee):
        raise _not_now(line, referee)
    if phase == "deal" and not words:
        return ["deal", None]
    if phase == "claim" and len(words) == 1 and words[0].isdecimal():
        return ["claim", turn_of(referee), _number(words[0])]
    if phase == "cut" and words and _means_a_player(words, referee):
        return ["new", seat_of(line, referee)]
    if phase == "play":
        first = " ".join(words[:-1])
        claimed = len(words) > 1 and words[-1].isdecimal() and bool(_cards(first) or rank_of_word(first) >= 0)
        card = " ".join(words[:-1] if claimed else words)
        return ["play", turn_of(referee), _one(card, referee), *([_number(words[-1])] if claimed else [])]
    if phase == "starter":
        return ["starter", _one(line, referee)]
    if phase == "won" and words and referee.setup.options.cut_each_game and not referee.setup.dealt:
        phase = "cut"
    if phase in ("cut", "hand", "crib", "discard") and words:
        cards = _all(line, referee)
        return _discard(cards, referee) if phase == "discard" else [phase, cards_text(cards)]
    raise _not_now(line, referee)


def _not_now(line: str, referee: Referee) -> CribboardError:
    what = f"{quote(line)} is not possible now" if line else "nothing was typed"
    return ArgumentError(what, f"type {expected(referee)}; H shows help")


def _discard(cards: list[int], referee: Referee) -> Act:
    round_, seat = referee.table.round, turn_of(referee)
    due = round_.deal.to_discard(seat) if round_ else 0
    if len(cards) != due:
        said = f"that is {number_word(len(cards))} card{'s' * (len(cards) > 1)}"
        raise ArgumentError(said, f"discard {number_word(due)}")
    return ["discard", seat, cards_text(cards)]


def _means_a_player(words: list[str], referee: Referee) -> bool:
    """Whether a line at the cut has no card in it, or the number of a player."""
    if len(words) == 1 and words[0] in [str(place + 1) for place in referee.setup.places]:
        return True
    return not any(_cards(word) or rank_of_word(word) >= 0 for word in words)


def _cards(text: str) -> list[int]:
    try:
        return parse_cards(text)
    except CardError:
        return []


def _all(text: str, referee: Referee) -> list[int]:
    try:
        text = ranks_as_codes(text, may_be_typed(referee) if referee.phase in ("discard", "play") else None)
        if text.isdecimal():
            raise CardError(f"{quote(text)} is not a card")
        return parse_cards(text, referee.phase)
    except CardError as error:
        what = str(error).partition("; write ")[0]  # in general; here it is known what is to be typed
        raise ArgumentError(what, f"type {expected(referee)}; H shows help") from error


def may_be_typed(referee: Referee) -> list[int]:
    """The cards that the seat to discard or to play may mean: of its hand, or where nobody shows it, those unseen."""
    deal = referee.table.round.deal if referee.table.round else None
    if deal is None or referee.phase not in ("discard", "play"):
        return []
    if referee.phase == "discard":
        return sorted(deal.hands[turn_of(referee)])
    game = deal.game
    assert game is not None  # noqa: S101 (the play is on)
    if UNSEEN not in game.hands[game.turn]:
        return legal_cards(referee)
    seen = {deal.starter, *(row[1] for row in game.rows)}
    return [card for card in range(PACK_SIZE) if card not in seen and game.count + PIPS[card >> 2] <= LIMIT]


def completions(line: str, referee: Referee) -> tuple[int, list[str]]:
    """Where the word begins that is typed last, and what may stand there: cards that can be played, names and words.

    Cards of a hand that other players at the terminal must not see are no such words.
    """
    verb, blank, rest = line.lstrip().partition(" ")
    called = [_plain(name) for name in referee.setup.names]
    if blank and verb.lower() in _OF_NAMES:
        start, words = len(line) - len(rest.lstrip()), called + ["crib"] * (verb.lower() == "dead")
    elif referee.phase == "cut":
        start, words = len(line) - len(line.lstrip()), called
    else:
        start = len(line) - len(line.split(" ")[-1])
        words = [card_name(card) for card in _open_cards(referee, line[start:])]
        words += [*_VERBS, *WORDS, *ASKED] if line.strip() and not line[:start].strip() else []
    typed = line[start:].casefold()
    return start, [word for word in dict.fromkeys(words) if word.casefold().startswith(typed) and len(word) > 1]


_OF_NAMES = ("muggins", "new", "penalty", "set", "false", "steal", "dealer", "dead")


def _open_cards(referee: Referee, typed: str) -> list[int]:
    """The cards to name without giving anything away; the whole pack only from its first letter on."""
    setup = referee.setup
    if not setup.dealt:
        return may_be_typed(referee) if typed else []
    return may_be_typed(referee) if hinted(referee) else []


def _one(text: str, referee: Referee) -> str:
    cards = _all(text, referee)
    if len(cards) != 1:
        what = f"that is {number_word(len(cards))} cards" if cards else "nothing was typed"
        one = "play one" if referee.phase == "play" else "type one"
        raise ArgumentError(what, one if cards else f"type {expected(referee)}; H shows help")
    return cards_text(cards)


_CALL = "say who calls and how many: muggins Bob 4"
_FINE = "say whose penalty it is and how many: penalty Bob 2, or penalty Bob 2 back"
_PEGS = "say whose peg and where it belongs: set Bob 57, or set Bob 57 50 with the back peg"
_CLAIMED = "say who claimed the game and their true score: false Bob 110"


def _number(word: str) -> int:
    if not word.isdecimal() or len(word) > 3:
        raise ArgumentError(f"{quote(word)} is not a number of points", "type it in digits, like 12")
    return int(word)


def _need(words: list[str], what: str, *numbers: int) -> list[str]:
    """The words behind a verb or a name, of which there are one of these numbers; else `what` says what to type."""
    if len(words) not in numbers:
        raise ArgumentError(what)
    return words


def _some(words: list[str], what: str) -> list[str]:
    return _need(words, what, *range(1, len(words) + 1))


def _alone(verb: str, words: list[str]) -> list[str]:
    return _need(words, f"type {verb} alone, without more words", 0)


def _go(words: list[str], referee: Referee) -> Act:
    _alone("go", words)
    if referee.phase != "play":
        raise _not_now("go", referee)
    return ["go", turn_of(referee)]


def _muggins(words: list[str], referee: Referee) -> Act:
    """With two sides the one who can call is clear."""
    round_ = referee.table.round
    if len(words) > 1:
        seat, rest = _split(words, referee)
        points = _number(_need(rest, _CALL, 1)[0])
        setup, missing = referee.setup, round_.open_for if round_ else -1
        if missing >= 0 and setup.side(seat) == setup.side(missing):
            other = next(name for at, name in enumerate(setup.names) if setup.side(at) != setup.side(seat))
            raise ArgumentError(
                f"{setup.names[seat]}'s side scored that, so only an opponent can call it",
                f"type muggins {other} {points}",
            )
        return ["muggins", seat, points]
    _need(words, "say how many points: muggins 4" if referee.setup.count == 2 else _CALL, 1)
    if referee.setup.count > 2:
        raise ArgumentError(_CALL)
    missing = round_.open_for if round_ and round_.open_for >= 0 else 0
    return ["muggins", (missing + 1) % referee.setup.players, _number(words[0])]


def _new(words: list[str], referee: Referee) -> Act:
    cuts = referee.phase == "won" and referee.setup.options.cut_each_game
    if not words and (referee.phase == "cut" or (cuts and not referee.setup.dealt)):
        raise _not_now("new", referee)
    if not words and cuts:
        return ["cut", None]
    return ["new", seat_of(" ".join(words), referee) if words else referee.next_dealer()]


def _penalty(words: list[str], referee: Referee) -> Act:
    seat, rest = _split(_some(words, _FINE), referee)
    points, *back = _need(rest, _FINE, 1, 2)
    if back not in ([], ["back"]):
        raise ArgumentError(f"{quote(back[0])} is not back", "type penalty Bob 2 back")
    return ["penalty", seat, _number(points), len(back)]


def _set(words: list[str], referee: Referee) -> Act:
    seat, rest = _split(_some(words, _PEGS), referee)
    holes = [_number(word) for word in _need(rest, _PEGS, 1, 2)]
    front = holes[0]
    return ["set", seat, front, holes[1] if holes[1:] else back_peg(referee.match, referee.setup.side(seat), front)]


def _false(words: list[str], referee: Referee) -> Act:
    seat, rest = _split(_some(words, _CLAIMED), referee)
    return ["false", seat, _number(_need(rest, _CLAIMED, 1)[0])]


def _undo(words: list[str], referee: Referee) -> Act:
    return ["undo", *_alone("undo", words)]


def _deal(words: list[str], referee: Referee) -> Act:
    return ["deal", *_alone("deal", words), None]


def _misdeal(words: list[str], referee: Referee) -> Act:
    return ["misdeal", *_alone("misdeal", words)]


def _steal(words: list[str], referee: Referee) -> Act:
    return ["steal", seat_of(" ".join(_some(words, "say who has stolen the deal: steal Bob")), referee)]


def _dealer(words: list[str], referee: Referee) -> Act:
    return ["dealer", seat_of(" ".join(_some(words, "say who should have dealt: dealer Bob")), referee)]


def _dead(words: list[str], referee: Referee) -> Act:
    if key(" ".join(_some(words, "say what is dead, like dead Bob or dead crib or dead Bob KH"))) == "crib":
        return ["crib", ""]
    seat, card = _split(words, referee)
    return ["dead_card", seat, _one(_APART.sub(r"\1\2", " ".join(card)), referee)] if card else ["dead", seat]


_VERBS: dict[str, Callable[[list[str], Referee], Act]] = {
    "go": _go,
    "muggins": _muggins,
    "new": _new,
    "penalty": _penalty,
    "set": _set,
    "false": _false,
    "undo": _undo,
    "deal": _deal,
    "misdeal": _misdeal,
    "steal": _steal,
    "dealer": _dealer,
    "dead": _dead,
}
