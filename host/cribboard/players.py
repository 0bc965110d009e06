"""The program at a refereed table: it plays for the computers, deals, turns up and counts."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from cribboard.analyst.discard import KEPT
from cribboard.analyst.points import odds
from cribboard.computer import levels
from cribboard.computer.many import Many
from cribboard.computer.playing import Seen, as_played
from cribboard.computer.tables import DEALER, PONE, chance_to_win, percent, while_counting
from cribboard.referee.outcomes import Act, RefereeError
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import legal_cards, overdue, turn_of
from cribboard.referee.timer import Timer
from cribboard_core.cards import PACK_SIZE, card_name, cards_text, parse_card, parse_cards
from cribboard_core.deal import Deal

PACK = range(PACK_SIZE)


def level_of(setup: Setup, seat: int) -> str:
    """How well the computer at a seat plays."""
    at = setup.computers.index(seat)
    return setup.levels[at] if at < len(setup.levels) else levels.EXPERT


def own_act(referee: Referee, level: str = "") -> Act:
    """The act of a computer whose turn it is: a discard, a card, or its claim; at its own level unless one is named."""
    seat, round_ = turn_of(referee), referee.table.round
    assert round_ is not None  # noqa: S101 (somebody's turn is in a round)
    deal, level = round_.deal, level or level_of(referee.setup, seat)
    if referee.phase == "discard":
        return ["discard", seat, cards_text(list(_discard(referee, deal, seat, level)))]
    if referee.phase == "claim":
        _, kind, cards = round_.counted_next()
        return ["claim", seat, levels.claim(level, cards, deal.starter, kind == "crib")]
    card = _card(referee, deal, seat, level)
    assert deal.game is not None  # noqa: S101 (the play is on)
    if not referee.setup.options.manual:
        return ["play", seat, card_name(card)]
    return ["play", seat, card_name(card), levels.claim_card(level, [*deal.game.pile, card])]


def reason(referee: Referee, act: Act) -> str:
    """Why a learner among two is about to do this, in its own words; of a discard only when its hand is shown."""
    round_, setup = referee.table.round, referee.setup
    learners = [seat for seat in setup.computers if level_of(setup, seat) == levels.LEARNER]
    if round_ is None or setup.players != 2 or not learners:
        return ""
    if act[0] == "play" and act[1] in learners:
        seat, why = act[1], levels.why_card(seen_by(referee, act[1]), parse_card(act[2]))
    elif act[0] in ("show", "claim") and round_.counted_next()[:2] in [(seat, "hand") for seat in learners]:
        seat, _, kept = round_.counted_next()
        why = levels.why_kept(kept, act[0] == "show")
    else:
        return ""
    return f"{setup.names[seat]}: \u201c{why[0].upper()}{why[1:]}.\u201d"


def call(referee: Referee) -> Act | None:
    """The call of a computer that sees what an opponent has missed, if muggins is played."""
    round_, setup = referee.table.round, referee.setup
    if round_ is None or round_.open_for < 0 or round_.missed <= 0 or referee.phase == "won":
        return None
    what = f"{referee.table.deals} {round_.open_for} {round_.missed} {len(referee.acts)}"
    for seat in setup.computers:
        against = setup.side(seat) != setup.side(round_.open_for)
        if against and levels.sees_missed(level_of(setup, seat), what):
            return ["muggins", seat, round_.missed]
    return None


def chances_in_words(referee: Referee) -> str:
    """Each player's chance to win by the scores and the deal, whatever the cards are."""
    setup = referee.setup
    if setup.players != 2:
        return "The chance to win is known for games of two."
    if setup.options.five_card:
        return "The chance to win is not known for five-card cribbage."
    if referee.table.dealer < 0 or not referee.begun or referee.phase == "won":
        return "No game is on, so nobody has a chance to win."
    first = percent(chance_of_first(referee))
    shares = f"{setup.names[0]} {first} %, {setup.names[1]} {100 - first} %"
    return f"Chance to win from here, cards aside: {shares}."


def chance_of_first(referee: Referee) -> float:
    """Seat 0's chance in a running game of two, by the scores and by what is still to be counted in this deal."""
    return chance_from(referee, fronts(referee))


def fronts(referee: Referee) -> tuple[int, int]:
    """The scores of a game of two, by seat."""
    setup, match = referee.setup, referee.match
    return match.front(setup.side(0)), match.front(setup.side(1))


def chance_from(referee: Referee, scores: tuple[int, int]) -> float:
    """The same if the score were another, by seat; who has reached the target has won."""
    setup, round_, over = referee.setup, referee.table.round, referee.table.phase == "deal"
    if max(scores) >= setup.target:
        return float(scores[0] >= setup.target)
    dealer = referee.table.due if over else referee.table.dealer
    needs = [setup.target - scores[seat] for seat in (1 - dealer, dealer)]
    if round_ is not None and not over and round_.deal.has_shown(1 - dealer):
        chance = while_counting((needs[0], needs[1]), not round_.deal.has_shown(dealer))
    else:
        chance = chance_to_win(setup.target - needs[1], setup.target - needs[0], True, setup.target)
    return chance if dealer == 0 else 1 - chance


def seen_by(referee: Referee, seat: int) -> Seen:
    """What a player of two knows in the play, and nothing else."""
    round_ = referee.table.round
    assert round_ is not None and round_.deal.game is not None  # noqa: S101 (the play is on)
    deal, game, setup = round_.deal, round_.deal.game, referee.setup
    scores = [referee.match.front(setup.side(one)) for one in (seat, 1 - seat)]
    return Seen(
        seat,
        deal.dealer,
        tuple(sorted(game.hands[seat])),
        _thrown(referee, deal, seat),
        as_played(game.rows),
        deal.starter,
        (scores[0], scores[1]),
        setup.target,
    )


def seen_among_many(referee: Referee, seat: int) -> Many:
    """What a player of three or more knows in the play, and nothing else."""
    round_ = referee.table.round
    assert round_ is not None and round_.deal.game is not None  # noqa: S101 (the play is on)
    deal, game = round_.deal, round_.deal.game
    throws = deal.sizes.dealer_to_crib if seat == deal.dealer else deal.sizes.to_crib
    thrown = _thrown(referee, deal, seat) if throws else ()
    out = (deal.starter, *thrown, *[row[1] for row in game.rows])
    left = tuple([len(hand) for hand in game.hands])
    return Many(seat, tuple(sorted(game.hands[seat])), out, left, tuple(game.pile), deal.sides)


def _thrown(referee: Referee, deal: Deal, seat: int) -> tuple[int, ...]:
    """What a seat laid into this crib; a discard that was taken back may be among the acts."""
    for act in reversed(referee.acts):
        if act[:2] == ["discard", seat] and set(cards := parse_cards(act[2])) <= set(deal.crib):
            return tuple(cards)
    raise AssertionError(f"seat {seat} has not discarded")


def _discard(referee: Referee, deal: Deal, seat: int, level: str) -> Sequence[int]:
    dealt, number = sorted(deal.hands[seat]), deal.to_discard(seat)
    own_crib = deal.side(seat) == deal.side(deal.dealer)
    if deal.players == 2:
        target = referee.setup.target
        mine, other = [target - referee.match.front(referee.setup.side(one)) for one in (seat, 1 - seat)]
        return levels.discard(level, dealt, DEALER if own_crib else PONE, (mine, other))
    if number == 1 and len(dealt) == KEPT + 1:
        return levels.discard_one(level, dealt, own_crib)
    return best_hand(dealt, number)


def best_hand(dealt: list[int], number: int) -> Sequence[int]:
    """With more cards to keep than four, the best hand alone; six players keep five."""

    def average(thrown: Sequence[int]) -> float:
        away = list(thrown)
        return odds([card for card in dealt if card not in away], away).average

    return max(combinations(dealt, number), key=average) if number else []


def _card(referee: Referee, deal: Deal, seat: int, level: str) -> int:
    legal = legal_cards(referee)
    if len(legal) == 1:
        return legal[0]
    if deal.players == 2:
        return levels.card(level, seen_by(referee, seat))
    return levels.card_among_many(level, seen_among_many(referee, seat))


def dealers_act(referee: Referee, chance: random.Random) -> Act | None:
    """What the program does as the one who deals and counts: the cut, the deal, the starter, the show; else None.

    What was taken back comes again.
    """
    phase, setup = referee.phase, referee.setup
    if setup.dealt and (again := referee.again(phase)):
        return again
    if phase == "cut" and setup.dealt and referee.winners:  # a new game that was taken back to its beginning
        return ["new", setup.places.index(referee.match.dealer)]
    if phase == "cut" and setup.dealt:
        return ["cut", cards_text(chance.sample(PACK, setup.players))]
    if phase == "deal":
        pack = list(PACK)
        chance.shuffle(pack)
        return ["deal", cards_text(pack) if setup.dealt else None]
    round_ = referee.table.round
    if phase == "starter" and setup.dealt and round_ is not None:
        return ["starter", card_name(round_.deal.pack[chance.randrange(len(round_.deal.pack))])]
    return ["show"] if phase == "show" else None


def automatic(referee: Referee, chance: random.Random) -> Act | None:
    """What the program does now without being asked; nothing while somebody may still call muggins."""
    if waits_for_call(referee):
        return None
    round_ = referee.table.round
    if round_ is not None and _faces_people(referee.setup, round_.open_for):  # a person calls first
        return dealers_act(referee, chance) or _own(referee)
    return due(referee, chance)


def due(referee: Referee, chance: random.Random) -> Act | None:
    """What the program has to do now: deal, turn up, count, and play for the computers."""
    return call(referee) or dealers_act(referee, chance) or _own(referee)


def _own(referee: Referee) -> Act | None:
    return own_act(referee) if computers_turn(referee) else None


def computers_turn(referee: Referee) -> bool:
    """Whether a player whom the program plays has something to do."""
    return referee.phase in ("discard", "play", "claim") and turn_of(referee) in referee.setup.computers


def waits_for_call(referee: Referee) -> bool:
    """Whether the program waits for Enter, so that there is time for a person to call muggins."""
    round_ = referee.table.round
    if round_ is None or round_.open_for < 0:
        return False
    if referee.phase == "deal":
        return not _passed_on(referee)
    return computers_turn(referee) and _faces_people(referee.setup, round_.open_for)


def by_program(act: Act, setup: Setup, open_for: int) -> bool:
    """Whether an act was the program's own doing, and not let go by Enter; muggins could be called on `open_for`."""
    if act[0] == "deal":
        return open_for < 0
    if act[0] == "show" or (setup.dealt and act[0] in ("cut", "starter")):
        return True
    computers = act[0] in ("discard", "play", "claim", "muggins") and act[1] in setup.computers
    return computers and not _may_call(setup, open_for)


def _may_call(setup: Setup, seat: int) -> bool:
    """Whether a person may call muggins on this seat, another person's; -1 is nobody."""
    return seat not in setup.computers and _faces_people(setup, seat)


def _faces_people(setup: Setup, seat: int) -> bool:
    """Whether a person plays against this seat; -1 is nobody."""
    people = [other for other in range(setup.players) if other not in setup.computers]
    return seat >= 0 and any(setup.side(other) != setup.side(seat) for other in people)


def _passed_on(referee: Referee) -> bool:
    """Whether somebody has passed the deal on with the board's button, as Enter does it."""
    due = referee.table.due
    return due != referee.table.dealer and referee.match.dealer == referee.setup.places[due]


def can_take_back(referee: Referee, held: bool) -> bool:
    """Whether there is anything to take back; `held` says that the program waits after an undo."""
    own = _own_doings(referee)
    return bool(own) and (not all(own) or referee.phase == "won" or held)


def take_back(referee: Referee, held: bool, act: Callable[[Act], object]) -> bool:
    """Take back to what a player did last, past what the program does by itself; Enter is a player's doing.

    `act` does one undo. When the game was won by the program's own acts alone, the newest of them is taken back.
    Returns whether the program waits now, since what was taken back was its own.
    """
    own, undoable = _own_doings(referee), referee.undoable()
    if own and not can_take_back(referee, held):
        raise RefereeError("there is nothing to take back in this game")
    waits = bool(own) and all(own)
    last = own.index(False) if False in own else 0
    let_go = bool(own) and undoable[last][2] >= 0 and undoable[last][1][0] in ("deal", "play", "claim")
    for _ in range(last + 1):  # when there is nothing, the referee says why
        act(["undo"])
    if let_go and not waits_for_call(referee):  # nobody can call any more what was told
        return referee.phase == "deal" or computers_turn(referee)
    return waits


GO_ON: Act = ["go on"]  # the answer of somebody who calls nothing, or lets the program go on after an undo
ASKS = {"discard": "throw", "play": "play", "claim": "count", "hand": "hand"}


@dataclass(frozen=True)
class Prompt:
    """What is asked now, and of the player at which `seat`, -1 for all.

    `what` is throw, play, count or hand, call (muggins, or go on), go on, won, the phase of what the whole table does,
    or wait for somebody else.
    """

    what: str
    seat: int = -1


def prompt(referee: Referee, held: bool = False, person: int = -1) -> Prompt:
    """What is asked of a person, by default of all; `held` says that the program waits after an undo."""
    phase, round_, setup = referee.phase, referee.table.round, referee.setup
    if phase == "won":
        return Prompt("won")
    if held:
        return Prompt("go on")
    seat = turn_of(referee)
    if phase == "discard" and person >= 0 and round_ is not None and round_.deal.to_discard(person):
        seat = person  # all throw at the same time
    if phase in ("cut", "starter", "crib"):
        return Prompt(phase, seat)
    if phase in ASKS and (seat == person if person >= 0 else seat not in setup.computers):
        return Prompt(ASKS[phase], seat)
    if may_call(referee, person):
        return Prompt("call", seat)
    return Prompt(phase if seat < 0 else "wait", seat)


def may_call(referee: Referee, person: int = -1) -> bool:
    """Whether a person, by default any, may call what an opponent has missed, or has not missed."""
    round_, setup = referee.table.round, referee.setup
    if round_ is None or round_.open_for < 0 or referee.phase == "won":
        return False
    return setup.side(person) != setup.side(round_.open_for) if person >= 0 else _faces_people(setup, round_.open_for)


class Program:
    """The program at one table; `clock` gives seconds. It waits (`held`) when what was taken back was its own."""

    def __init__(self, chance: random.Random, clock: Callable[[], float]) -> None:
        self.held = False
        self._let_go = -1  # how many acts there were when nobody called
        self._chance = chance
        self._timer = Timer(clock)

    def act(self, referee: Referee) -> Act | None:
        """What it does now without being asked: it ends the time to claim, deals, counts, or plays for a computer."""
        if self.held:
            return None
        if self._let_go == len(referee.acts):
            return due(referee, self._chance)
        return overdue(referee, self._timer) or automatic(referee, self._chance)

    def do(self, referee: Referee, answer: Act, act: Callable[[Act], object]) -> None:
        """What an answer of a person comes to; `act` does each act.

        Ahead of what would let a miss go, a computer calls it. An undo takes back to what a player did last.
        """
        if answer == GO_ON:
            self.held, self._let_go = False, self._let_go if self.held else len(referee.acts)
        elif answer == ["undo"]:
            self.take_back(referee, act)
        elif answer == ["cut", None]:
            act(self.cut(referee))
        else:
            called = self.before(referee, answer)
            if called is not None:
                act(called)
            if called is None or referee.phase != "won":
                act(answer)

    def cut(self, referee: Referee) -> Act:
        """The cards that the program cuts for the deal, before a game that is not the first."""
        return referee.again("cut") or ["cut", cards_text(self._chance.sample(PACK, referee.setup.players))]

    def before(self, referee: Referee, act: Act) -> Act | None:
        """What a computer calls before a person's act that lets a miss go: nobody else has called it."""
        if computers_turn(referee):
            return None
        cards = legal_cards(referee) if referee.phase == "play" else []
        can = act[0] == "claim" or (act[0] == "go" and not cards) or (act[0] == "play" and parse_card(act[2]) in cards)
        return call(referee) if can else None

    def late(self, referee: Referee) -> bool:
        """Whether the time of the player who counts has run out."""
        return not self.held and overdue(referee, self._timer) is not None

    def pause(self) -> None:
        """Restart the time limit of the player who counts."""
        self._timer.stop()

    def take_back(self, referee: Referee, act: Callable[[Act], object]) -> None:
        """Take back to what a player did last; a time that ran out begins again."""
        self._timer.stop()
        self.held = take_back(referee, self.held, act)


def _own_doings(referee: Referee) -> list[bool]:
    """Of each thing that undo would take back, whether the program did it by itself."""
    setup = referee.setup
    return [
        not on_board and not after_win and by_program(act, setup, open_for)
        for on_board, act, open_for, after_win in referee.undoable()  # what comes after a win was asked for
    ]
