"""Values of the first round of the small run of tests/search/holdem.py, drawn at random."""

import functools

import numpy as np

from search.holdem import RANKS, small_run
from sixmax.betting.rules import begin
from sixmax.ongoing.locate import places
from sixmax.search.solvers.first_round import FirstRound
from sixmax.search.solvers.limited.game import betting_round
from sixmax.search.solvers.limited.hands import edges, hands_on
from sixmax.search.subgame import PublicState, build, depth, leaf_nodes

NO_BOARD = np.empty(0, np.int8)


def whole_round(choices=2, choosers=2):
    """The first round as a subgame, with the raises of the run."""
    run, _ = small_run(2)
    state = PublicState(run.game, begin(run.game), NO_BOARD, (), ())
    return build(
        state, run.game.rounds, places(run.game, run.tree), RANKS, 5, depth(state),
        choices=choices, choosers=choosers,
    )  # fmt: skip


@functools.cache
def drawn(number=3):
    """So many values of each player; the first are the same for both."""
    tree, n = whole_round(1).tree, RANKS**2
    node = tree.node[leaf_nodes(tree), 2].copy()
    chips = np.random.default_rng(9).normal(0, 200, (2, number, len(node), n, n))
    chips[1, 0] = chips[0, 0]
    hands = hands_on(NO_BOARD, small_run(2)[0].buckets, RANKS)
    return FirstRound(node, chips.astype(np.float32), edges(hands, NO_BOARD, RANKS))


def first_round_game(choices=2, choosers=2):
    """The values, and the game of the solver with them."""
    kept, subgame = drawn(), whole_round(choices, choosers)
    hands = hands_on(NO_BOARD, small_run(2)[0].buckets, RANKS)
    return kept, betting_round(subgame.tree, hands, kept.lead, kept.at(subgame))
