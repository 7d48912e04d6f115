"""Slow twin of ``sixmax.cards.strength_ladder``: every pair of hands."""

from oracles.cards import best_hand, holes


def ends(board, weight, ranks=13):
    """{hole: (weight left, what is beaten and half of what is level)}; ``weight`` {hole: float}."""
    held = [h for h in holes(ranks) if not set(h) & set(board)]
    value = {h: best_hand((*h, *board), ranks) for h in held}
    found = {}
    for mine in held:
        left = won = 0.0
        for theirs in held:
            if not set(mine) & set(theirs):
                left += weight[theirs]
                level = value[mine] == value[theirs]
                won += weight[theirs] * ((value[mine] > value[theirs]) + level / 2)
        found[mine] = left, won
    return found
