"""Prints what the core answers to every case of the vector files; run by both interpreters, which must say the same."""

# ruff: noqa: PTH123, UP031

import json
import sys

from cribboard_core.aloud import sentence
from cribboard_core.cards import card_name, cards_text, parse_card, parse_cards
from cribboard_core.deal import Deal
from cribboard_core.pile import pile_points
from cribboard_core.play import replay
from cribboard_core.show import count

VECTORS = "/vectors" if sys.implementation.name == "micropython" else sys.argv[1]


def cards(text):
    return cards_text(parse_cards(text))


def shown(case):
    return count(parse_cards(case["hand"]), parse_card(case["starter"]), case["crib"])


def hands(case):
    show = shown(case)
    totals = {name: getattr(show, name) for name in ("points", "fifteens", "pairs", "runs", "flush", "nobs")}
    print([(kind, points, cards_text(some)) for kind, points, some in show.parts])
    return totals


def aloud(case):
    return sentence(shown(case))


def piles(text):
    points, parts = pile_points(parse_cards(text))
    return {"points": points, "parts": [[kind, some, cards_text(played)] for kind, some, played in parts]}


ANSWERS = {"cards": cards, "hands": hands, "aloud": aloud, "piles": piles, "plays": replay}


def plain(value):
    """A value as text that does not hang on the order of a dict."""
    if isinstance(value, dict):
        return "{%s}" % ", ".join(["%s: %s" % (key, plain(value[key])) for key in sorted(value)])
    if isinstance(value, (list, tuple)):
        return "[%s]" % ", ".join([plain(item) for item in value])
    if isinstance(value, str):
        return "'%s'" % "".join([char if " " <= char <= "~" else "<%x>" % ord(char) for char in value])
    return str(value)


for name in sorted(ANSWERS):
    with open("%s/%s.json" % (VECTORS, name), encoding="utf-8") as file:
        cases = json.load(file)
    for number, case in enumerate(cases):
        try:
            answer = ANSWERS[name](case["in"])
        except ValueError as error:
            answer = str(error)
        right = plain(answer) == plain(case["out"] if "out" in case else case["error"])
        print(name, number, "right" if right else "WRONG", plain(answer))
print("the pack", " ".join([card_name(card) for card in range(52)]))

deal = Deal(2, 0, None)
print("nibs", deal.turn_up(parse_card("JS")))
for move in ("KC", "QC", "2D", "go", "go", "5C", "KD", "4C", "3H", "9C", "go", "8C"):
    try:
        print(move, deal.go(deal.turn) if move == "go" else deal.play(deal.turn, parse_card(move)), deal.game.count)
    except ValueError as error:
        print(move, error)
print(deal.phase, deal.game.turn, deal.game.rows, deal.game.reneges, deal.kept)
