"""Plans evenings of all sizes, and says what is wrong with any.

python -m league.plans                      # all 4 to 20 players, 1 to 10 tables, 3 to 12 rounds
python -m league.plans --sample 60 --seed 1
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import combinations, product
from random import Random

from cribboard.league.plan import NOTHING, plan

SIZES = list(product(range(4, 21), range(1, 11), range(3, 13)))


def faults(players, tables, rounds, seed=1, boards=None):
    """What is wrong with a plan, as sentences."""
    people = list(range(1, players + 1))
    electronic = range(1, (tables // 2 if boards is None else boards) + 1)
    schedule = plan(people, range(1, tables + 1), rounds, Random(seed), boards=electronic)
    return [] if schedule is None else judged(schedule, people, tables, electronic)


def judged(schedule, people, tables, electronic, past=NOTHING):
    """What is wrong with rounds, as sentences."""
    met, games, boards, lead = Counter(), Counter(), Counter(past.on_boards), Counter()
    wrong = []
    for number, pairings in enumerate(schedule, 1):
        busy = [who for each in pairings for who in each.pair]
        if len(set(busy)) < len(busy):
            wrong.append(f"somebody plays twice in round {number}")
        if len({each.table for each in pairings}) < len(pairings):
            wrong.append(f"two games at one table in round {number}")
        if len(pairings) < min(tables, len(people) // 2):
            wrong.append(f"a table is empty in round {number}")
        for each in pairings:
            met[frozenset(each.pair)] += 1
            games.update(each.pair)
            lead[each.pair[0]] += 1
            lead[each.pair[1]] -= 1
            boards.update(each.pair if each.table in electronic else ())
    meetings = [met[frozenset(pair)] for pair in combinations(people, 2)]
    if max(meetings) - min(meetings) > 1:
        wrong.append(f"two meet {max(meetings)} times before all have met {min(meetings) + 1} times")
    played = [games[who] for who in people]
    if max(played) - min(played) > 1:
        wrong.append(f"{min(played)} to {max(played)} games")
    if max(map(abs, lead.values()), default=0) > 1:
        wrong.append("first deals are not shared out")
    share, rest = divmod(sum(boards.values()), len(people))
    if any(not share - 1 <= boards[who] <= share + bool(rest) + 1 for who in people):
        wrong.append(f"{min(boards[who] for who in people)} to {max(boards.values())} games at boards")
    return wrong


def main():
    """Try all sizes, or a sample of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=len(SIZES))
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    bad = [(size, wrong) for size in Random(given.seed).sample(SIZES, given.sample) if (wrong := faults(*size))]
    for size, wrong in bad:
        print("{} players, {} tables, {} rounds: ".format(*size) + "; ".join(wrong))
    print(f"{given.sample} evenings planned, {len(bad)} wrong")
    raise SystemExit(bool(bad))


if __name__ == "__main__":
    main()
