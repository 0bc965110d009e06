"""A game at the page's table: the referee and the computer of `cribboard play`, with a person as seat 0.

Every function takes numbers and JSON and gives JSON, as in `rules`. An act is the referee's; the page keeps each before
the board hears of it, with the `game` that it belongs to: its setup and the pegs that it began with.
"""

import json
from array import array
from binascii import unhexlify

import page  # `random` is the browser's
import rules

from cribboard import players
from cribboard.board.messages import Standing
from cribboard.computer import tables
from cribboard.playing import judge
from cribboard.referee.options import Options, fields, read_options
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import legal_cards, state, turned_over
from cribboard_core.cards import card_name
from cribboard_core.events import KINDS

YOU, COMPUTER = 0, 1
NAMES = ("You", "The computer")
RULES = (
    "muggins",
    "overcount",
    "playroom",
    "exact",
    "tournament",
    "nineteen",
)  # beside counting; what one person can use

HANDS = 40  # of the computer, tried for each card of a review: as many as an expert tries in a game
WORST = 3

referee = None
base = None  # the pegs that the game began with
review = None  # of the game that is over, as it grows, and how many of its acts it has seen
program = None  # the computer, which waits when what was taken back was its own


class Chance:
    """random.Random, as the dealer uses it, from the browser's source of chance."""

    def randrange(self, most):
        bits = 1 << 24
        while True:
            drawn = int.from_bytes(unhexlify(page.random(3)), "big")
            if drawn < bits - bits % most:
                return drawn % most

    def shuffle(self, cards):
        for at in range(len(cards) - 1, 0, -1):
            other = self.randrange(at + 1)
            cards[at], cards[other] = cards[other], cards[at]

    def sample(self, cards, number):
        shuffled = list(cards)
        self.shuffle(shuffled)
        return shuffled[:number]


def read_tables():
    """Have the computer know by heart what the page has loaded."""
    columns = []
    with open("/tables.bin", "rb") as file:
        for kind, size in tables._SIZES:
            columns.append(array(kind, file.read(size * (1 if kind == "B" else 2))))
    tables.use(tables.as_stored(columns))


def warm():
    """Fill the tables that take a second, while the person looks at the cards."""
    players.levels.discard(players.levels.EXPERT, list(range(6)), 0, (121, 121))
    for role in tables.ROLES:
        tables.tables().worths(role)
    return "{}"


def based(standing, epoch):
    return list(pack_match(Standing.read(json.loads(standing)).match(), epoch))


def house(chosen):
    """The house rules to choose from, each with the words for `play --option`; an error if these do not go together."""

    def listed():
        read_options(json.loads(chosen))
        by_hand = {
            "word": "counting=manual",
            "text": "Counting by hand: you claim your points, and the program compares",
        }
        says = {option.name: option.metadata["says"] for option in fields(Options)}
        switches = [{"word": name + "=on", "text": titled(name) + ": " + says[name]} for name in RULES]
        return {"rules": [by_hand] + switches}

    answer = rules.said(listed)
    return answer.replace("counting=manual", "counting by hand") if '"error"' in answer else answer


def titled(name):
    return name[0].upper() + name[1:]


def begin(level, target, chosen, standing, epoch):
    """A game against the computer of this level by the chosen house rules; `standing` is the board's state."""

    def begun():
        global base, program, referee, review
        options = read_options(json.loads(chosen))
        setup = Setup(NAMES, (0, 1), target=target, options=options, dealt=True, computers=(COMPUTER,), levels=(level,))
        base = based(standing, epoch)
        review = None
        referee = Referee(setup, base)
        program = players.Program(Chance(), clock)
        return {"game": {"setup": setup.to_json(), "base": base}, "state": shown()}

    return rules.said(begun)


def resume(game, acts, standing, epoch):
    """The game that was left, after these acts; `over` when it is won or the board has another one by now."""

    def resumed():
        global base, program, referee, review
        program = players.Program(Chance(), clock)
        review = None
        left = json.loads(game)
        base = left["base"]
        referee = Referee.replay(Setup.from_json(left["setup"]), left["base"], json.loads(acts))
        theirs = Standing.read(json.loads(standing))
        mine = referee.pegs.match_at(theirs.rev)
        same = mine is not None and Standing.of(mine) == theirs
        answer = {"acts": [], "over": False}
        if referee.phase == "won" or referee.pegs.base[3] != epoch or not (same or referee.match.game == theirs.game):
            answer["over"] = True
        elif not same:
            answer["acts"] = acted(["base"] + based(standing, epoch))["acts"]
        answer["state"] = shown()
        return answer

    return rules.said(resumed)


def due():
    """What the program does now as dealer or as a player; no acts when it is the person's turn."""

    def done():
        act = None if program.held else players.due(referee, Chance())
        return acted(act) if act else acted()

    return rules.said(done)


def act(name, *args):
    """What the person does: discard, play, claim or muggins."""
    return rules.said(lambda: answered([name, YOU] + list(args)))


def hint():
    """What an expert would do in the person's place, in a sentence."""

    def hinted():
        act = players.own_act(referee, players.levels.EXPERT)
        said = {"discard": "An expert throws ", "play": "An expert plays ", "claim": "It counts "}
        return {"text": said[act[0]] + str(act[2]) + "."}

    return rules.said(hinted)


def undo():
    """Take back to what the person did last."""

    def undone():
        global review
        review = None
        return answered(["undo"])

    return rules.said(undone)


def go_on():
    """The program waits no longer."""

    return rules.said(lambda: answered(players.GO_ON))


def pressed(rows, standing, epoch):
    """Somebody has used the board's buttons: their events, or where these do not fit, the score as it is now."""

    def taken():
        acts = []
        for row in json.loads(rows):
            if row[0] == referee.match.rev + 1 and row[1] in KINDS and row[1] != "restore":
                acts.append(["board", KINDS.index(row[1])] + row[2:6])
                referee.act(acts[-1])
        if referee.phase == "left" or Standing.of(referee.match) != Standing.read(json.loads(standing)):
            acts.append(["base"] + based(standing, epoch))
            referee.act(acts[-1])
        return {"acts": acts, "said": [], "counts": [], "state": shown()}

    return rules.said(taken)


def judged():
    """Look at one more choice of the person in a game that is over; at the end what all of them came to."""

    def looked():
        global review
        acts = list(referee.acts)
        if review is None:
            review = [judge.judging(referee.setup, base, acts, (YOU,), HANDS), 0]
        before = growing = None
        while review[1] < len(acts) and (before is None or len(growing.choices) == before):
            growing = next(review[0])
            review[1] += 1
            if before is None:
                before = len(growing.choices)
        report = {"done": review[1], "of": len(acts)}
        if review[1] == len(acts):
            choices = growing.choices
            report["best"] = len([choice for choice in choices if not choice.cost])
            report["choices"] = len(choices)
            report["cost"] = judge.share(growing.cost(YOU))
            report["worst"] = [choice_entry(choice) for choice in growing.worst(WORST)]
            review = None
        return report

    return rules.said(looked)


def choice_entry(choice):
    """A choice for the page."""
    return {
        "deal": choice.deal,
        "crib": choice.discard,
        "chose": [card_name(card) for card in choice.chose],
        "better": [card_name(card) for card in choice.best],
        "cost": judge.share(choice.cost),
        "reason": choice.reason,
    }


def lacking(rev):
    """The next command that a board which stands there still lacks, or null."""

    def missing():
        left = referee.pegs.pending(rev)
        return {"command": list(left[0][1].command) if left else None}

    return rules.said(missing)


def acted(*acts):
    """Do them: the acts, what is said of them, the hands that were counted, and how the table is then."""
    answer = nothing_yet()
    for act in acts:
        perform(act, answer)
    answer["state"] = shown()
    return answer


def answered(act):
    """What the person answers, and what the program does about it."""
    answer = nothing_yet()
    program.do(referee, act, lambda one: perform(one, answer))
    answer["state"] = shown()
    return answer


def clock():
    """Nobody's time is limited in a page."""
    return 0.0


def nothing_yet():
    return {"acts": [], "said": [], "counts": []}


def perform(act, answer):
    """Do an act, and add what comes of it; with muggins without points, so that nobody learns what was missed."""
    why = players.reason(referee, act)
    claimed = referee.table.round.counted_next() if act[0] == "claim" and referee.phase == "claim" else None
    outcomes = referee.act(act)
    answer["acts"].append(act)
    for outcome in outcomes:
        if outcome.text:
            answer["said"].append(yours(outcome.text))
        if outcome.command and outcome.command[0] == "hand" and not referee.setup.options.muggins:
            _, side, cards, starter, crib, _ = outcome.command
            count = json.loads(rules.counted(cards, starter, crib))
            count["seat"] = referee.setup.places.index(side)
            answer["counts"].append(count)
            claimed = None
    if claimed:
        seat, kind, cards = claimed
        starter = card_name(referee.table.round.deal.starter)
        names = [card_name(card) for card in cards]
        answer["counts"].append({"seat": seat, "crib": kind == "crib", "cards": names, "starter": starter})
    if why:
        answer["said"].append(why)


VERBS = {"has": "have", "goes": "go"}


def yours(text):
    """A sentence in which the person is called you."""
    words = text.replace("You's", "Your").split(" ")
    yours = False
    for at in range(len(words)):
        starts = at == 0 or words[at - 1][-1] in ".?!"
        bare = words[at].rstrip(".,;")
        if starts:
            yours = words[at] == "You"
        if at and (words[at - 1] in ("You", "you") or (yours and words[at - 1] == "and")):
            verb = VERBS.get(bare) or (bare[:-1] if bare.endswith("s") else bare)
            words[at] = verb + words[at][len(bare) :]
        elif not starts and bare in ("You", "Your", "The"):
            words[at] = words[at][0].lower() + words[at][1:]
    return " ".join(words)


def goes_on():
    """Whether the program has something to do before the person has."""
    phase = referee.phase
    if program.held or phase in ("won", "left"):
        return False
    if players.call(referee) or players.computers_turn(referee):
        return True
    return phase in ("cut", "starter", "show") or (phase == "deal" and not referee.table.deals)


def shown():
    """What the person may see: the referee's own state, with their cards and those on the table."""
    view = state(referee)
    round_ = referee.table.round
    view["own"] = view["legal"] = view["pile"] = []
    view["program"] = goes_on()
    view["do"] = players.prompt(referee, program.held, YOU).what
    view["back"] = players.can_take_back(referee, program.held)
    view["muggins"] = players.may_call(referee, YOU)
    if round_ and referee.phase not in ("deal", "won"):
        deal, game = round_.deal, round_.deal.game
        hands = game.hands if game else deal.hands
        view["own"] = [card_name(card) for card in sorted(hands[YOU])]
        view["theirs"] = len(hands[COMPUTER])
        if view["turn"] == YOU:
            view["legal"] = [card_name(card) for card in legal_cards(referee)]
        if game:
            view["turned"] = not game.pile  # what has come to 31 or a go can be seen until the next card
            laid = game.rows[len(game.rows) - len(game.pile) :] or turned_over(game)
            view["pile"] = [[row[0], card_name(row[1])] for row in laid]
    return view
