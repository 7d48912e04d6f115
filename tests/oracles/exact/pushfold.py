"""The heads-up push-or-fold game as a matrix game of 169 classes, solved by CFR+."""

import numpy as np

# holdemresources.net, "HeadsUp Push/Fold": the most big blinds at which a hand is jammed, and with
# which a jam is called; 20 stands for more, nan for gaps. Aces first, suited above the diagonal.
# Of the calls the rows of A to 8. They leave out the smaller gaps, as their page says.
JAM = """
20 20 20 20 20 20 20 20 20 20 20 20 20
20 20 20 20 20 20 20 20 20 20 20 19.9 19.3
20 20 20 20 20 20 20 20 20 20 16.3 13.5 12.7
20 20 20 20 20 20 20 20 18.6 14.7 13.5 10.6 8.5
20 20 20 20 20 20 20 20 20 11.9 10.5 7.7 6.5
20 20 20 20 20 20 20 20 20 14.4 6.9 4.9 3.7
20 18.0 13.0 13.3 17.5 20 20 20 20 18.8 10.1 2.7 2.5
20 16.1 10.3 8.5 9.0 10.8 14.7 20 20 20 13.9 2.5 2.1
20 15.1 9.6 6.5 5.7 5.2 7.0 10.7 20 20 16.3 nan 2.0
20 14.2 8.9 6.0 4.1 3.5 3.0 2.6 2.4 20 20 nan 2.0
20 13.1 7.9 5.4 3.8 2.7 2.3 2.1 2.0 2.1 20 nan 1.8
20 12.2 7.5 5.0 3.4 2.5 1.9 1.8 1.7 1.8 1.6 20 1.7
20 11.6 7.0 4.6 2.9 2.2 1.8 1.6 1.5 1.5 1.4 1.4 20
"""
CALL = """
20 20 20 20 20 20 20 20 20 20 20 20 20
20 20 20 20 20 20 17.6 15.2 14.3 13.2 12.1 11.4 10.7
20 20 20 20 20 16.1 13.0 10.5 9.9 8.9 8.4 7.8 7.2
20 20 19.5 20 18.0 13.4 10.6 8.8 7.0 6.9 6.1 5.8 5.6
20 20 15.3 12.7 20 11.5 9.3 7.4 6.3 5.2 5.2 4.8 4.5
20 17.1 11.7 9.5 8.4 20 8.2 7.0 5.8 5.0 4.3 4.1 3.9
20 13.8 9.7 7.6 6.6 6.0 20 6.5 5.6 4.8 4.1 3.6 3.5
"""


def published(table):
    """JAM or CALL as float64[classes], as far as known, in the order of sixmax.cards.deck."""
    return np.array(table.split(), float)


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
    """The worth of jamming and folding to each class, times its probability."""
    return share @ (1 - call) + stack * lead @ call, -0.5 * share.sum(axis=1)


def big_blind(share, lead, stack, jam):
    """The worth of calling and folding where the small blind has jammed."""
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
