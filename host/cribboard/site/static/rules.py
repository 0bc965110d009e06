"""Cards counted in a page, by cribboard_core.

Every function takes text and numbers and gives JSON: {"error": ...}, or what it says below.
"""

import json

from cribboard_core.aloud import number_word, sentence, shapes, steps
from cribboard_core.cards import card_name, parse_card, parse_cards
from cribboard_core.pile import pile_points
from cribboard_core.show import count


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


def mistakes(text, pins, board):
    """What the firmware says against a settings.toml, its pins that are not among these ("" stands for any), and what
    a board of this name, its source and its fuse do not carry.
    """
    from cribboard.hardware.feed import overfed, strip_fuse
    from cribboard_fw.settings import Settings, SettingsError

    try:
        parsed = Settings(text)
    except SettingsError as error:
        return json.dumps({"mistakes": str(error).split("\n"), "unsafe": []})
    named = list(parsed.strip_pins) + [parsed.undo_pin, parsed.deal_pin]
    for three in parsed.buttons:
        named += three or []
    known = pins.split()
    lacking = [pin for pin in named + [parsed.piezo_pin] if pin and known and pin not in known]
    return json.dumps(
        {
            "mistakes": ["this controller has no pin " + pin for pin in lacking],
            "unsafe": list(overfed(parsed, board)) or strip_fuse(parsed),
        }
    )


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
    counted_hand = {"points": show.points, "text": sentence(show), "parts": parts, "crib": show.crib}
    counted_hand["cards"], counted_hand["starter"] = names(sorted(show.hand)), card_name(show.starter)
    return counted_hand


def pile(cards):
    """What the last of these cards of a count makes."""

    def made():
        points, parts = pile_points(parse_cards(cards))
        return {"points": points, "text": " and ".join([part_words(name, some) for name, some, _ in parts])}

    return said(made)


def part_words(name, points):
    article = "a run of " + number_word(points) if name == "run" else name
    if name.endswith("pair") or name.endswith("royal"):
        article = "a " + name
    return article + " for " + number_word(points)
