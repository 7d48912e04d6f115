"""A tight-aggressive bot of a few rules: an opponent that owes nothing to training.

Before the flop it looks at how many hands are better than its own, and opens the more of them the
fewer players are left behind it. After the flop it takes the mean win probability of its bucket
against one random hand to the power of the opponents left, bets when that is well above its share,
and calls when it beats the pot odds. It never bluffs and never mixes.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit, parallel, prange, uncounted
from sixmax.betting.config import GameConfig
from sixmax.betting.rules import CALL, CHIPS, HIGH, LEFT, POT, RAISES
from sixmax.betting.tree import Tree, fields, is_decision, n_actions, offers_fold, round_of, seat_of
from sixmax.blueprint.run import Run
from sixmax.cards.deck import classes
from sixmax.cfr.deals import Dealer
from sixmax.cfr.layout import entry
from sixmax.cfr.packed_actions import bit_layout
from sixmax.cfr.policy import rows
from sixmax.ongoing.policies import MatchGame, Policy, pure

# Share of hands that are opened, by the number of players behind: none, small blind, button ...
OPEN = (0.20, 0.35, 0.40, 0.26, 0.19, 0.15)
RERAISE = 0.05  # best share of hands that reraise, divided by the raises before it
FLAT = 0.16  # best share of hands that call a raise, divided likewise
BIG_BLIND_FLAT = 0.30  # the same in the big blind
BET_ABOVE = 1.25  # bets when the win probability is this many times an equal share
RAISE_ABOVE = 1.6  # raises a bet likewise
CAUTION = 0.06  # added to the pot odds for each bet or raise of the round
SIZE = 0.75  # of the pot: the raise of the tree that is nearest to it is taken
_STRENGTH_DEALS = 100_000


class RuleBook(NamedTuple):
    """The inputs of the rules."""

    context: np.ndarray  # int32[nodes, 4], as of :func:`context`
    strength: np.ndarray  # float64[rounds, bucket]: mean win probability against a random hand
    better: np.ndarray  # float64[bucket]: share of hands that are better in the first round
    open: np.ndarray  # float64[seats]: share of hands that are opened


def rule_book(game: GameConfig, tree: Tree, strength: np.ndarray, weight: np.ndarray) -> RuleBook:
    """The book for ``game``.

    ``strength`` float[rounds, buckets] is the mean win probability of each bucket, ``weight``
    float64[buckets] the frequency of each bucket of the first round.
    """
    order = np.argsort(-strength[0, : weight.size], kind="stable")
    share = weight[order] / weight.sum()
    better = np.empty(weight.size)
    better[order] = np.cumsum(share) - share / 2
    behind = (game.first[0] - 1 - np.arange(game.seats)) % game.seats  # players that act later
    opened = np.array(OPEN)[np.minimum(behind, len(OPEN) - 1)]
    return RuleBook(context(game, tree), strength.astype(np.float64), better, opened)


def class_weights(run: Run) -> np.ndarray:
    """The frequency of each bucket of the first round, up to a factor: float64[buckets]."""
    if run.buckets is None:
        return np.ones(run.dealer.buckets[0])
    return np.bincount(classes(run.ranks)).astype(np.float64)


def rule_policy(
    config: GameConfig, game: MatchGame, strength: np.ndarray, weight: np.ndarray
) -> Policy:
    """The bot's policy in ``game``; the other arguments as of :func:`rule_book`."""
    book, bits = rule_book(config, game.tree, strength, weight), game.bits
    packed = np.zeros(bit_layout(game.tree, game.layout)[1].bytes, np.uint8)
    table = rows(game.tree)
    rounds, seats = bits.base.shape
    for r in range(rounds):
        score = _scores(book, r, game.layout.buckets[r], seats)
        for p in range(seats):
            node = table.node[slice(*table.start[r * seats + p : r * seats + p + 2])]
            above, choice = _decide(book, game.tree, node)
            to = bits.slot[node], int(bits.base[r, p]), int(bits.columns[r, p])
            _pack_kernel(score, book.context[node, 2], above, choice, *to, packed)
    return pure(game, packed)


@parallel
def _pack_kernel(score, opponents, above, choice, slot, base, columns, packed):
    """Pack the actions of all buckets at nodes whose bits lie at ``slot`` int32[n]."""
    for b in prange(score.shape[0]):
        first = entry(base, columns, b, 0)
        _pack_bucket(score[b], opponents, above, choice, slot, first, packed)


@uncounted
def _pack_bucket(score, opponents, above, choice, slot, first, packed):
    for i in range(slot.size):
        hand = score[opponents[i]]
        action = choice[i, 0] if hand > above[i, 0] else choice[i, 1] * (hand > above[i, 1])
        bit = first + slot[i]
        word = action << (bit & 7)
        packed[bit >> 3] |= np.uint8(word & 255)
        if word > 255:
            packed[(bit >> 3) + 1] |= np.uint8(word >> 8)


def sampled_strength(dealer: Dealer, seed: int) -> np.ndarray:
    """Strength for :func:`rule_book` of a game without features: float64[rounds, buckets].

    It is the mean over deals and opponents of winning at the showdown, ties counting half.
    """
    deals = dealer.deal(seed, 0, _STRENGTH_DEALS)
    more = deals.rank[:, 0, :, None] - deals.rank[:, 0, None, :]
    wins = ((more > 0) + 0.5 * (more == 0)).sum(axis=2) - 0.5  # less the tie with oneself
    wins /= deals.rank.shape[2] - 1
    most, rounds = max(dealer.buckets), len(dealer.buckets)
    strength = np.zeros((rounds, most))
    for r in range(rounds):
        bucket = deals.bucket[:, :, r].ravel()
        dealt = np.bincount(bucket, minlength=most)
        strength[r] = np.bincount(bucket, wins.ravel(), most) / np.maximum(dealt, 1)
    return strength


def context(game: GameConfig, tree: Tree) -> np.ndarray:
    """Pot, chips to call, opponents left, raises of the round at each decision: int32[nodes, 4]."""
    head = tree.node[:, 0]
    chips = [CHIPS + seat for seat in range(game.seats)]
    hand = fields(game, tree, (POT, HIGH, LEFT, RAISES, *chips))
    own = np.take_along_axis(hand, (4 + seat_of(head) % game.seats)[:, None], axis=1)[:, 0]
    seen = np.stack([hand[:, 0], hand[:, 1] - own, hand[:, 2] - 1, hand[:, 3]], axis=1)
    seen[~is_decision(head)] = 0
    return seen


@njit
def _scores(book, in_round, buckets, seats):
    """The score of each bucket against n opponents: float64[buckets, seats], n < seats.

    Before the flop less the share of better hands, after it the probability to beat them all.
    """
    score = np.empty((buckets, seats))
    for b in range(buckets):
        for n in range(seats):
            if in_round == 0:
                score[b, n] = -book.better[b]
            else:
                score[b, n] = book.strength[in_round, b] ** np.int32(n)
    return score


@njit
def _decide(book, tree, node):
    """The rules at ``node`` int32[n]: bounds float64[n, 2] and actions int64[n, 2].

    A score above bound [n, 0] takes action [n, 0], else one above [n, 1] action [n, 1], else 0.
    """
    above, choice = np.empty((node.size, 2)), np.empty((node.size, 2), np.int64)
    for i in range(node.size):
        x = node[i]
        head = tree.node[x, 0]
        fold, n = np.int64(offers_fold(head)), n_actions(head)
        pot, to_call = np.float64(book.context[x, 0]), np.float64(book.context[x, 1])
        opponents, raises = book.context[x, 2], book.context[x, 3]
        if round_of(head) == 0:
            attack, stay = _preflop(book, seat_of(head), raises)
            above[i] = -attack, -stay
        else:
            share = 1.0 / (opponents + 1.0)
            above[i, 0] = (BET_ABOVE if raises == 0 else RAISE_ABOVE**raises) * share
            above[i, 1] = to_call / (pot + to_call) + CAUTION * raises
        choice[i] = fold, fold
        if n > fold + 1:
            wanted = to_call + tree.node[x, 3] + SIZE * (pot + to_call)
            choice[i, 0] = _nearest_raise(tree, x, fold, n, wanted)
    return above, choice


@uncounted
def _preflop(book, seat, raises):
    """Shares of better hands below which the bot raises, and stays in."""
    if raises == 0:
        return book.open[seat], book.open[seat]
    flat = BIG_BLIND_FLAT if seat == 1 else FLAT
    return RERAISE / raises, flat / raises


@uncounted
def _nearest_raise(tree, x, fold, n, wanted):
    first = tree.node[x, 1]
    best = fold + 1 if tree.action[first + fold] == CALL else fold
    for a in range(best + 1, n):
        if abs(tree.action[first + a] - wanted) < abs(tree.action[first + best] - wanted):
            best = a
    return np.int64(best)
