"""The count in words, as a player says it while pointing at the cards.

    count     = nothing | steps
    nothing   = "nothing" | "nineteen", the old joke, when it is asked for
    steps     = each fifteen with the total so far: "fifteen two", "fifteen four"
                then sets, runs, flush, nobs: all but the last with the total so far, "a pair is six",
                the last with the whole, "and a double run of three for twelve"
    step      = "a pair" | "a pair royal" | "a double pair royal" | "a run of three" to "six"
                | "a flush of four" to "six" | "nobs" | a named shape
    shape     = "a double run of three" | "a double run of four" | "a triple run" | "a double double run"

A named shape takes its pairs along. A shape without a name, which only six cards can make, is said as its runs, then
its sets: "eight runs of three are forty, and three pairs for forty-six". Equal steps are said together: "two pairs
for four".
"""

from __future__ import annotations

from cribboard_core.show import Show

NUMBERS = (
    ("nothing", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    + ("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
)  # fmt: skip
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")

# (number of runs, their length, points of the sets among their cards): the name
_SHAPES = {
    (2, 3, 2): "double run of three",
    (2, 4, 2): "double run of four",
    (3, 3, 6): "triple run",
    (4, 3, 4): "double double run",
}


def number_word(number: int) -> str:
    """A number in words, beyond 99 in digits; 0 is said `nothing`."""
    if number > 99:  # a count of cards that redo has brought back under others
        return str(number)
    if number < 20:
        return NUMBERS[number]
    ones = "-" + NUMBERS[number % 10] if number % 10 else ""
    return TENS[number // 10] + ones


def shapes(show: Show) -> list[tuple[str, int, tuple[int, ...]]]:
    """The parts of a show as (name, points, cards), runs and their pairs joined into a named shape if there is one."""
    fifteens = [part for part in show.parts if part[0] == "fifteen"]
    sets = [part for part in show.parts if part[0].endswith("pair") or part[0].endswith("royal")]
    runs = [part for part in show.parts if part[0] == "run"]
    rest = [part for part in show.parts if part[0] in ("flush", "nobs")]
    run_cards = sorted({card for run in runs for card in run[2]})
    inside = [part for part in sets if part[2][0] in run_cards]
    outside = [part for part in sets if part not in inside]
    name = _SHAPES.get((len(runs), runs[0][1], _total(inside))) if runs else None
    shape = [(name, _total(runs) + _total(inside), tuple(run_cards))] if name else runs + inside
    return fifteens + outside + shape + rest


def steps(show: Show, nineteen: bool = False) -> list[tuple[str, int, tuple[int, ...]]]:
    """What is said, step by step, as (words, total so far, cards of the step)."""
    said: list[tuple[str, int, tuple[int, ...]]] = []
    total = 0
    waiting = _together(shapes(show))
    while waiting:
        name, points, number, cards = waiting.pop(0)
        total += points * number
        if name == "fifteen":
            words = f"fifteen {number_word(total)}"
        elif waiting:
            words = f"{_phrase(name, points, number)} {'is' if number == 1 else 'are'} {number_word(total)}"
        else:
            words = f"{'and ' if said else ''}{_phrase(name, points, number)} for {number_word(total)}"
        said.append((words, total, cards))
    return said or [("nineteen" if nineteen else "nothing", 0, ())]


def sentence(show: Show, nineteen: bool = False) -> str:
    """The whole count, like `fifteen two, fifteen four, and a double run of three for twelve`."""
    return ", ".join([words for words, _, _ in steps(show, nineteen)])


def _total(parts: list[tuple[str, int, tuple[int, ...]]]) -> int:
    return sum([part[1] for part in parts])


def _together(parts: list[tuple[str, int, tuple[int, ...]]]) -> list[tuple[str, int, int, tuple[int, ...]]]:
    """Equal neighbours other than fifteens as one (name, points of each, how many, cards of all)."""
    joined: list[tuple[str, int, int, tuple[int, ...]]] = []
    for name, points, cards in parts:
        if name != "fifteen" and joined and joined[-1][:2] == (name, points):
            _, _, number, others = joined.pop()
            joined.append((name, points, number + 1, tuple(sorted(set(others + cards)))))
        else:
            joined.append((name, points, 1, cards))
    return joined


def _phrase(name: str, points: int, number: int) -> str:
    """`a run of three`, `two runs of three`."""
    if name == "nobs":
        return name
    article = "a" if number == 1 else number_word(number)
    plural = "" if number == 1 else "s"
    if name in ("run", "flush"):
        return f"{article} {name}{plural} of {number_word(points)}"
    return f"{article} {name.replace('pair', 'pair' + plural)}"
