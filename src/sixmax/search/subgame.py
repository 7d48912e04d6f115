"""The subgame of a search: the betting from the start of the current round on.

Its rounds are numbered from the current one as 0. Leaves and depth follow the supplement,
"Real-time search in Pluribus" and "Leaf node values in imperfect-information subgames"; actions
follow "Abstraction and off-tree actions in subgames".
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.abstraction.buckets import Buckets
from sixmax.abstraction.flop.store import FlopBuckets
from sixmax.base.errors import UserError
from sixmax.base.jit import njit
from sixmax.betting import rules
from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.betting.leaf_choices import CHOICES
from sixmax.betting.sizing import sizes
from sixmax.betting.tree import CHOICE, LEAF, Tree, kind_of
from sixmax.betting.tree_build import WHOLE, Scope, build_from
from sixmax.cards.deck import n_holes
from sixmax.cfr.layout import Layout, layout
from sixmax.ongoing.locate import SAME, TRANSLATED, Places, follow, hand_at, settle
from sixmax.ongoing.translate import find_child, translate

MOST_NODES = 1 << 24  # of a subgame: 256 MB


class PublicState(NamedTuple):
    """The public part of a hand, to search from ``root``: the start of a round or a bet in it."""

    game: GameConfig  # the rules and true stacks; its raise sizes do not matter
    root: np.ndarray  # int64[LENGTH] of sixmax.betting.rules, rounds numbered as in the game
    board: np.ndarray  # int8[0, 3, 4 or 5] cards, in the order dealt
    before: tuple[int, ...]  # actions before ``root``: FOLD, CALL or true raise-to
    taken: tuple[int, ...]  # actions since, likewise

    @property
    def round(self) -> int:
        """The betting round, counted from the first of the game."""
        return int(self.root[rules.ROUND])


class SubgameCards(NamedTuple):
    """The deck, and the buckets of the rounds after the current one."""

    ranks: int
    buckets: Buckets  # the blueprint's
    later: FlopBuckets | None = None  # those of one flop, made for search; None: the blueprint's


class Leaves(NamedTuple):
    """The starts of roll-outs in the blueprint's tree, by row of ``Tree.contributed``.

    Rows of SIDEPOTS terminals have node -1. At a LEAF x of the subgame's tree, ``node[x, 1]`` is
    the row (``contributed[row]`` are the real chips put in), ``node[x, 2]`` the blueprint's node
    and ``node[x, 3]`` the continuations (:mod:`sixmax.betting.leaf_choices`).

    With the blueprint's net chips ``net`` float64[seats] at the end of a roll-out, a leaf is worth
    ``(net + chips[row]) * ratio[row] - contributed[row]``: the chips that each seat takes out of
    the pot minus those that it puts in from there on, scaled to the real pot, minus its chips
    before. The sum over seats is zero.
    """

    node: np.ndarray  # int32[rows]: decision node of the blueprint's tree
    chips: np.ndarray  # int32[rows, seats]: put in by each seat at that node
    ratio: np.ndarray  # float64[rows]: real pot / pot at that node
    match: np.ndarray  # uint8[rows]: SAME, TRANSLATED or NEAREST of sixmax.ongoing.locate


class Subgame(NamedTuple):
    """A public betting tree that begins with ``state.root``."""

    state: PublicState
    tree: Tree  # rounds from the current one as 0; as many as the subgame reaches
    layout: Layout  # of all holes (hole_id) in round 0, of the search's buckets later
    leaves: Leaves
    choices: int = CHOICES  # continuations to choose from at a leaf

    @property
    def to_the_end(self) -> bool:
        """Whether the subgame has no leaves."""
        return bool((self.leaves.node < 0).all())


def depth(state: PublicState, limited: Sequence[int] = ()) -> Scope:
    """The depth of the subgame, by the rules of the supplement.

    Before the flop to the end of the round. On the flop, with more than two players at its start,
    to the turn or right after the second raise, whichever is earlier. Otherwise to the end; in a
    game of two seats, in the rounds of ``limited`` to the end of the round.

    # ASSUME after two raises or more, right after the next one.
    # ASSUME a player who has folded before the flop folds at once in all of the subgame: its root
    is the start of the hand, but the paper searches there with at most four players left.
    """
    hand, taken = rules.after(state.root, state.taken), np.array(state.taken, np.int64)
    rounds = int(state.root[rules.ROUNDS])
    if state.round == 0 and rounds > 1:
        return Scope(1, WHOLE.raises, taken, int(hand[rules.FOLDERS]))
    if state.round in limited and state.round < rounds - 1 and state.game.seats == 2:
        return Scope(1, WHOLE.raises, taken, WHOLE.folded)
    if state.round == 1 and rounds > 2 and state.root[rules.LEFT] > 2:
        return Scope(1, max(2, int(hand[rules.RAISES]) + 1), taken, WHOLE.folded)
    return WHOLE._replace(taken=taken)


def build(
    state: PublicState, rounds: Sequence[RoundSizes], places: Places, ranks: int = 13,
    buckets: int = 500, scope: Scope | None = None,
) -> Subgame:  # fmt: skip
    """The subgame of ``state``, with the raises of ``rounds`` (one for each round of the game).

    An action taken that ``rounds`` do not offer is added at its place. ``places`` finds the
    blueprint's node of each leaf; ``scope`` overrides :func:`depth`. Raises UserError for a tree of
    more than MOST_NODES, for more continuations than a record holds, and for a leaf without a node
    of the blueprint.
    """
    scope = scope or depth(state)
    offered = sizes(state.game.model_copy(update={"rounds": list(rounds)}))
    tree = build_from(state.root, offered, scope, MOST_NODES)
    counts = [n_holes(ranks)] + [buckets] * (len(tree.columns) - 1)
    leaves = find_leaves(tree, state, places)
    tree = tree.with_leaves(leaves.node)
    return Subgame(state, tree, layout(tree, counts), leaves, scope.choices)


def leaf_nodes(tree: Tree) -> np.ndarray:
    """The nodes of kind LEAF, one for each way in which the seats may choose: int64[l]."""
    return np.flatnonzero(kind_of(tree.node[:, 0]) == LEAF)


def leaf_chips(subgame: Subgame, won: np.ndarray) -> np.ndarray:
    """Net chips of two players at the leaves: float64[2, l, C, C], [other's class, own class].

    ``won`` float64[l, C, C] are those of seat 0 in the blueprint's game, [its class, the other's].
    """
    start, row = subgame.leaves, subgame.tree.node[leaf_nodes(subgame.tree), 1]
    put = subgame.tree.contributed[row, 0]
    chips, ratio, put = (x[:, None, None] for x in (start.chips[row, 0], start.ratio[row], put))
    out = np.empty((2, *won.shape))  # tens of megabytes: filled in place
    own = np.add(won, chips, out=out[1])
    own *= ratio
    own -= put
    out[0] = own.transpose(0, 2, 1)
    np.negative(own, out=own)
    return out


def sizes_beside(state: PublicState, places: Places) -> tuple[int, int, float] | None:
    """The blueprint's sizes beside the bet before the root, and the share of the smaller.

    They are raises-to, and the share is that of pseudo-harmonic translation. None where the
    blueprint has a bet of so many chips, or no size on one of its sides.
    """
    if not state.before:
        return None
    real, mine = rules.begin(state.game), places.start.copy()
    *before, bet = state.before
    x, _ = follow(places, mine, real, 0, SAME, np.array(before, np.int64))
    if x < 0:
        return None
    below, above, share = translate(places, x, mine, real, bet)
    return None if below == above else (int(below), int(above), float(share))


def find_leaves(tree: Tree, state: PublicState, places: Places, bet: int | None = None) -> Leaves:
    """The blueprint's node of each leaf of ``tree``, which begins with ``state.root``.

    The last action before the root becomes the blueprint's ``bet``; None: the likeliest.
    """
    real, blueprint = rules.begin(state.game), places.start.copy()
    before = np.array(state.before, np.int64)
    known = before if bet is None else before[:-1]
    x, match = follow(places, blueprint, real, 0, SAME, known)
    if bet is not None:
        x, match = find_child(places, x, bet), TRANSLATED
        rules.apply(blueprint, bet)
    rows, seats = tree.contributed.shape
    leaves = Leaves(
        np.full(rows, -1, np.int32), np.zeros((rows, seats), np.int32), np.ones(rows),
        np.zeros(rows, np.uint8),
    )  # fmt: skip
    first = _first_nodes_kernel(tree.node, tree.parent, tree.action, rows)
    root = state.root, blueprint, x, match
    lost = _leaves_kernel(places, tree, first, root, leaves)
    if lost >= 0:
        names = state.game.positions
        raise UserError(
            f"the blueprint has no node with the players left after {tree.describe(lost, names)!r}"
        )
    return leaves


@njit
def _first_nodes_kernel(node, parent, action, rows):
    """The node where the leaf of each row of ``contributed`` begins: int64[rows], or -1."""
    first = np.full(rows, -1, np.int64)
    for x in range(len(node)):
        if kind_of(node[x, 0]) == LEAF and first[node[x, 1]] < 0:
            at = np.int64(x)
            while action[at] <= CHOICE:
                at = np.int64(parent[at])
            first[node[x, 1]] = at
    return first


@njit
def _leaves_kernel(places, tree, first, root, leaves):
    """Fill ``leaves``, whose nodes are -1 before.

    ``root`` are the hand there, real and in the blueprint's tree, with its node and its match.
    Returns the first node without a place in the blueprint, or -1.
    """
    root_real, root_mine, at_root, root_match = root
    parent, action, (node, chips, ratio, match) = tree.parent, tree.action, leaves
    real, mine = np.empty(rules.LENGTH, np.int64), np.empty(rules.LENGTH, np.int64)
    actions = np.empty(256, np.int64)
    for row in range(first.size):
        if first[row] < 0:
            continue
        n, y = actions.size, first[row]
        while parent[y] >= 0:
            n -= 1
            actions[n] = action[y]
            y = parent[y]
        real[:], mine[:] = root_real, root_mine
        x, leaf_match = follow(places, mine, real, at_root, root_match, actions[n:])
        x, match[row] = settle(places, real, x, leaf_match)
        if x < 0:
            return first[row]
        node[row] = x
        hand_at(places, x, mine)
        for seat in range(chips.shape[1]):
            chips[row, seat] = mine[rules.CHIPS + seat]
        ratio[row] = real[rules.POT] / mine[rules.POT]
    return np.int64(-1)
