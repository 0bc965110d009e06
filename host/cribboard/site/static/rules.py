"""The rules in a page: cards counted and dealt by cribboard_core, and a computer that plays by them.

Every function takes text and numbers and gives JSON: {"error": ...}, or what it says below. Seat 0 is the person, seat
1 the computer; an event of a deal has the words for people and the command that pegs it on the board.
"""

import json

from cribboard_core.aloud import number_word, sentence, shapes, steps
from cribboard_core.cards import PACK_SIZE, PIPS, card_name, parse_card, parse_cards
from cribboard_core.deal import PLAY, Deal, first_dealer
from cribboard_core.pile import LIMIT, pile_points
from cribboard_core.show import count

YOU, COMPUTER = 0, 1
FIVE, FIFTEEN = 5, 15


def names(cards):
    return [card_name(card) for card in cards]


def said(answer):
    """The answer of a function as JSON, or what the rules say against it."""
    try:
        return json.dumps(answer())
    except ValueError as error:
        return json.dumps({"error": str(error)})


def counted(cards, starter, crib):
    """A hand counted part by part, as a player says it."""
    return said(lambda: explained(count(parse_cards(cards), parse_card(starter), bool(crib))))


def explained(show):
    named = shapes(show)
    parts = []
    before = 0
    for words, total, cards in steps(show):
        if total == before:
            break  # nothing
        name, left = named[0][0], total - before
        while left:
            left -= named.pop(0)[1]
        step = {"name": name, "cards": names(cards), "points": total - before, "total": total, "text": words}
        parts.append(step)
        before = total
    found = {"points": show.points, "text": sentence(show), "parts": parts, "crib": show.crib}
    found["cards"], found["starter"] = names(sorted(show.hand)), card_name(show.starter)
    return found


def pile(cards):
    """What the last of these cards of a count makes."""

    def made():
        points, parts = pile_points(parse_cards(cards))
        return {"points": points, "text": " and ".join([part_words(name, some) for name, some, _ in parts])}

    return said(made)


class Hand:
    """One deal between the person and the computer."""

    def __init__(self, dealer, pack):
        self.deal = Deal(2, dealer, pack)

    def state(self):
        """What the person may see."""
        deal = self.deal
        play = deal.game
        own = play.hands[YOU] if play else deal.hands[YOU]
        theirs = play.hands[COMPUTER] if play else deal.hands[COMPUTER]
        found = {"phase": deal.phase, "dealer": deal.dealer, "turn": deal.turn, "own": names(sorted(own))}
        found["theirs"] = len(theirs)
        found["starter"] = card_name(deal.starter) if deal.starter >= 0 else None
        found["count"] = play.count if play else 0
        laid = play.rows[len(play.rows) - len(play.pile) :] if play else []
        found["pile"] = [[row[0], card_name(row[1])] for row in laid]
        found["legal"] = names(play.legal(YOU)) if deal.phase == PLAY and deal.turn == YOU else []
        found["passed"] = list(play.passed) if play else []
        found["crib_next"] = deal.shows_crib
        return found

    def after(self, events):
        return {"events": [event(*one) for one in events], "state": self.state()}


hand = None


def cut(cards):
    """Who deals first: the card of the person, then the computer's; -1 cuts again."""
    return said(lambda: {"dealer": first_dealer(parse_cards(cards))})


def begin(dealer, pack):
    """Deal this pack."""

    def dealt():
        global hand
        hand = Hand(dealer, parse_cards(pack))
        return hand.after([])

    return said(dealt)


def discard(cards):
    """The person lays these away, the computer its own, and the starter is turned up."""

    def laid():
        deal = hand.deal
        deal.discard(YOU, parse_cards(cards))
        deal.discard(COMPUTER, thrown(deal.hands[COMPUTER], deal.dealer == COMPUTER))
        return hand.after(deal.cut(0))  # the pack is shuffled: the cut is where it lies

    return said(laid)


def play(card):
    """The person lays a card; "" lets the computer lay one."""

    def laid():
        deal = hand.deal
        seat = YOU if card else COMPUTER
        chosen = parse_card(card) if card else choose(deal.game.pile, deal.game.legal(COMPUTER))
        found = hand.after(deal.play(seat, chosen))
        found["seat"], found["card"] = seat, card_name(chosen)
        return found

    return said(laid)


def show():
    """What is counted next."""

    def shown():
        events = hand.deal.show()
        found = hand.after(events)
        found["count"] = explained(events[0][3])
        return found

    return said(shown)


def event(seat, kind, points, detail):
    """An event of the deal: whose, its points, its words, and the command for the board without its tag."""
    if kind in ("hand", "crib"):
        cards = "".join(names(detail.hand))
        command = ["hand", seat, cards, card_name(detail.starter), int(kind == "crib"), points]
        return {"seat": seat, "kind": kind, "points": points, "text": sentence(detail), "command": command}
    if kind == "nibs":
        return {"seat": seat, "kind": kind, "points": points, "text": "nibs for two", "command": ["nibs", seat]}
    if kind == "play":
        words = [part_words(name, made) for name, made, _ in detail[1]]
        text = " and ".join(words)
        return {"seat": seat, "kind": kind, "points": points, "text": text, "command": ["peg", seat, points]}
    text = "go for one" if kind == "go" else "the last card for one"
    return {"seat": seat, "kind": kind, "points": points, "text": text, "command": ["go", seat]}


def part_words(name, points):
    article = "a run of " + number_word(points) if name == "run" else name
    if name.endswith("pair") or name.endswith("royal"):
        article = "a " + name
    return article + " for " + number_word(points)


def choose(pile, legal):
    """The computer's card: most points, then none that offers a fifteen or 31, then the highest."""
    total = sum([PIPS[card >> 2] for card in pile])
    best = None
    for card in legal:
        after = total + PIPS[card >> 2]
        worth = (pile_points(pile + [card])[0], after not in (FIVE, LIMIT - 10), PIPS[card >> 2], card)
        if best is None or worth > best:
            best = worth
    return best[3]


def thrown(dealt, own_crib):
    """The computer's discard: the best average of the hand over all starters, and the crib by a rule of thumb."""
    best = None
    for one in range(len(dealt)):
        for other in range(one):
            away = [dealt[one], dealt[other]]
            kept = [card for card in dealt if card not in away]
            starters = [card for card in range(PACK_SIZE) if card not in dealt]
            total = sum([count(kept, starter, False).points for starter in starters])
            crib = len(starters) * in_crib(away)
            worth = (total + crib if own_crib else total - crib, away)
            if best is None or worth[0] > best[0]:
                best = worth
    return best[1]


def in_crib(cards):
    """What two cards are worth in a crib, roughly: what they make together, fives, and cards that may run."""
    low, high = sorted([card >> 2 for card in cards])
    points = 2 * (low == high) + 2 * (PIPS[low] + PIPS[high] == FIFTEEN)
    return points + sum([card >> 2 == FIVE - 1 for card in cards]) + (0 < high - low < 3) * 0.5
