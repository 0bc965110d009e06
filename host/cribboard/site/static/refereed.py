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
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import legal_cards, state, turn_of
from cribboard_core.cards import card_name

YOU, COMPUTER = 0, 1
NAMES = ("You", "The computer")

referee = None


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
    found = []
    with open("/tables.bin", "rb") as file:
        for kind, size in tables._SIZES:
            found.append(array(kind, file.read(size * (2 if kind == "H" else 1))))
    win, kept, thrown, hands, pegs = found
    tables.use(tables.Tables(win, kept, thrown, pegs, hands))


def warm():
    """Fill the tables that take a second, while the person looks at the cards."""
    players.levels.discard(players.levels.EXPERT, list(range(6)), 0, (121, 121))
    return "{}"


def based(told, epoch):
    return list(pack_match(Standing.read(json.loads(told)).match(), epoch))


def begin(level, target, told, epoch):
    """A game against the computer of this level; `told` is the board's answer to state."""

    def begun():
        global referee
        setup = Setup(NAMES, (0, 1), target=target, dealt=True, computers=(COMPUTER,), levels=(level,))
        base = based(told, epoch)
        referee = Referee(setup, base)
        return {"game": {"setup": setup.told(), "base": base}, "state": shown()}

    return rules.said(begun)


def resume(game, acts, told, epoch):
    """The game that was left, after these acts; `over` when it is won or the board has another one by now."""

    def resumed():
        global referee
        left = json.loads(game)
        referee = Referee.replay(Setup.read(left["setup"]), left["base"], json.loads(acts))
        theirs = Standing.read(json.loads(told))
        mine = referee.tally.match_at(theirs.rev)
        same = mine is not None and Standing.of(mine) == theirs
        found = {"act": None, "over": False}
        if referee.phase == "won" or referee.tally.base[3] != epoch or not (same or referee.match.game == theirs.game):
            found["over"] = True
        elif not same:
            found["act"] = acted(["base"] + based(told, epoch))["act"]
        found["state"] = shown()
        return found

    return rules.said(resumed)


def due():
    """What the program does now as dealer or as a player; `act` is null when it is the person's turn."""

    def done():
        act = players.dealers_act(referee, Chance())
        if act is None and turn_of(referee) == COMPUTER:
            act = players.own_act(referee)
        return acted(act) if act else {"act": None, "said": [], "state": shown()}

    return rules.said(done)


def act(name, cards):
    """What the person does: discard or play."""
    return rules.said(lambda: acted([name, YOU, cards]))


def rebase(told, epoch):
    """Somebody has used the board's buttons: from now on the score is the board's."""
    return rules.said(lambda: acted(["base"] + based(told, epoch)))


def lacking(rev):
    """The next command that a board which stands there still lacks, or null."""

    def found():
        left = referee.tally.pending(rev)
        return {"command": list(left[0][1].command) if left else None}

    return rules.said(found)


def acted(act):
    """Do it: the act, what is said of it, what was counted, and how the table is then."""
    counts = []
    said = []
    for fall in referee.act(act):
        said.append(yours(fall.text))
        if fall.command and fall.command[0] == "hand":
            _, side, cards, starter, crib, _ = fall.command
            counts.append(json.loads(rules.counted(cards, starter, crib)))
            counts[-1]["seat"] = referee.setup.places.index(side)
    return {"act": act, "said": [text for text in said if text], "counts": counts, "state": shown()}


def yours(text):
    """A sentence in which the person is called You."""
    words = text.replace("You's", "Your").replace("for You", "for you").replace("for The", "for the").split(" ")
    for at in range(1, len(words)):
        verb = words[at].rstrip(".")
        if words[0] == "You" and words[at - 1] in ("You", "and") and verb.endswith("s"):
            words[at] = verb[:-1] + words[at][len(verb) :]
    return " ".join(words)


def shown():
    """What the person may see: the referee's own state, with his cards and those on the table."""
    found = state(referee)
    round_ = referee.table.round
    found["own"] = found["legal"] = found["pile"] = []
    if round_ and referee.phase not in ("deal", "won"):
        deal, game = round_.deal, round_.deal.game
        held = game.hands if game else deal.hands
        found["own"] = [card_name(card) for card in sorted(held[YOU])]
        found["theirs"] = len(held[COMPUTER])
        if found["turn"] == YOU:
            found["legal"] = [card_name(card) for card in legal_cards(referee)]
        if game:
            laid = game.rows[len(game.rows) - len(game.pile) :]
            found["pile"] = [[row[0], card_name(row[1])] for row in laid]
    return found
