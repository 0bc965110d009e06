"""Swiss: in each round play each other who stand about equal, and nobody twice if that can be."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

Pair = tuple[int, int]
NEAR = 12  # places down the standings that are looked at first


def swiss(
    order: Sequence[int], met: Collection[frozenset[int]], byes: Mapping[int, int]
) -> tuple[list[Pair], int | None]:
    """The pairs of the next round, of all in the `order` of the standings, and who sits out.

    Of those with the fewest byes, whoever stands last sits out. Two meet again only where there is no other way.
    """
    left, bye = list(order), None
    if len(left) % 2:
        fewest = min(byes.get(who, 0) for who in left)
        bye = next(who for who in reversed(left) if byes.get(who, 0) == fewest)
        left.remove(bye)
    pairs: list[Pair] = []
    while left:
        who = left.pop(0)
        # From the top down with the next below. That can end with two who have met: then a pair above is broken up.
        other = next((each for each in left if frozenset((who, each)) not in met), None)
        if other is None:
            other = _swap(who, left, pairs, met) or left[0]
        left.remove(other)
        pairs.append((who, other))
    return pairs, bye


def _swap(who: int, left: list[int], pairs: list[Pair], met: Collection[frozenset[int]]) -> int | None:
    """Break the nearest pair above, so that its two and `who` can have others; returns the new opponent of `who`."""
    for at in range(len(pairs) - 1, -1, -1):
        for one, other in (pairs[at], pairs[at][::-1]):
            if frozenset((who, one)) in met:
                continue
            new = next((each for each in left if frozenset((other, each)) not in met), None)
            if new is not None:
                pairs[at] = (other, new)
                left[left.index(new)] = one
                return one
    return None
