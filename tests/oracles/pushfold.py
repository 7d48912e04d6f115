"""The heads-up push-or-fold game as a matrix game of 169 classes, solved by CFR+."""

import numpy as np


def solve(share, lead, stack, iterations=3000):
    """Average strategies (jam[C], call[C]) for ``stack`` big blinds, the small blind being half.

    ``share`` float[C, C] is the probability that the players hold two classes, ``lead`` that the
    row's wins less that it loses (CFR+: Tammelin et al., IJCAI 2015; linear averaging).
    """
    jam, call = np.full(len(share), 0.5), np.full(len(share), 0.5)
    gained, mean = np.zeros((2, 2, len(share))), np.zeros((2, len(share)))
    for t in range(1, iterations + 1):
        jam_value, fold_value = small_blind(share, lead, stack, call)
        jam = _update(gained[0], jam_value, fold_value, jam)
        call_value, fold_value = big_blind(share, lead, stack, jam)
        call = _update(gained[1], call_value, fold_value, call)
        mean += t * np.array([jam, call])
    return mean / (iterations * (iterations + 1) / 2)


def small_blind(share, lead, stack, call):
    """What jamming and folding are worth to each class, times its probability."""
    return share @ (1 - call) + stack * lead @ call, -0.5 * share.sum(axis=1)


def big_blind(share, lead, stack, jam):
    """What calling and folding are worth where the small blind has jammed."""
    return stack * lead @ jam, -1.0 * share @ jam


def exploitability(share, lead, stack, jam, call):
    """The mean over the seats of what a best response wins, in big blinds."""
    first = np.maximum(*small_blind(share, lead, stack, call)).sum()
    unjammed = 0.5 * (share.sum(axis=1) @ (1 - jam))
    second = np.maximum(*big_blind(share, lead, stack, jam)).sum() + unjammed
    return (first + second) / 2


def _update(gained, yes, no, now):
    value = now * yes + (1 - now) * no
    gained[0] = np.maximum(gained[0] + yes - value, 0)
    gained[1] = np.maximum(gained[1] + no - value, 0)
    total = gained.sum(axis=0)
    return np.where(total > 0, gained[0] / np.where(total > 0, total, 1), 0.5)
