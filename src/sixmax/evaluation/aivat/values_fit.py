"""The stage ``values``, and the part that it fits: corrections of the pot share.

A cell of ``Values.share``, by situation, equity and strength, is a mean over the hands that got
there, weighed by the square of the pot: chips won minus the values without it, divided by the pot.
Cells of few hands are shrunk towards the mean over all strengths of their equity, and that mean
towards zero.
"""

from typing import Annotated, NamedTuple

import numpy as np

from sixmax.agents.registry import open_agents
from sixmax.base import options
from sixmax.base.jit import in_parts, njit, read_only, uncounted
from sixmax.base.progress import Done, Progress, quiet, say
from sixmax.base.rng import child
from sixmax.betting.tree import is_decision, round_of, seat_of
from sixmax.blueprint.run import open_run
from sixmax.cards.deck import card_bit, pack
from sixmax.cards.evaluate import evaluate_packed
from sixmax.cfr.deals import Dealer
from sixmax.evaluation.aivat.values import KNOTS, Values, equity_of, first_round
from sixmax.evaluation.aivat.values_estimate import estimate
from sixmax.evaluation.match.duplicate import dealt_cards
from sixmax.evaluation.match.play import self_play
from sixmax.games.holdem import HoldemDealer
from sixmax.ongoing.policies import MatchGame, Policy
from sixmax.store import write

FEW = 20.0  # hands that a prior counts for
_PARTS = 16


class LearnedHands(NamedTuple):
    """Hands of self-play, or one of them."""

    bucket: np.ndarray  # int32[n, seats, rounds]
    cards: np.ndarray  # int8[n, cards]
    net: np.ndarray  # float64[n, seats]
    deck: int  # cards; 0 for games without


@options.stage
def values(
    folder: options.Run,
    hands: Annotated[int, options.Option("Of self-play.", least=1)],
    seed: options.Seed, threads: options.Threads, out: options.Store,
) -> None:  # fmt: skip
    """Estimate the value function of AIVAT from self-play.

    Run it before you look at the hands that AIVAT will score.

    \b
    sixmax values --run results/default --hands 2000000 --seed 1 --out values.zarr
    """
    run = open_run(folder)
    game, (player,) = open_agents(run, ["blueprint"])
    with Progress(hands, "values: self-play", "hands") as bar:
        table = estimate(run.game, game, run.dealer, player, hands, child(seed, "values"), bar.add)
    with Progress(hands, "values: equities in chips", "hands") as bar:
        table = fit(table, game, run.dealer, player, hands, child(seed, "values", "fit"), bar.add)
    write(out, "values", table._asdict(), run=run.identity["digest"], hands=hands, seed=seed)
    say(
        f"values: {np.count_nonzero(table.at >= 0):,} nodes of the first round have their own, "
        f"{sum(a.nbytes for a in table) / 1e6:.0f} MB"
    )


def fit(
    values: Values, game: MatchGame, dealer: Dealer, player: Policy, hands: int, seed: int,
    progress: Done = quiet,
) -> Values:  # fmt: skip
    """``values`` with ``share`` fitted to ``hands`` hands of ``player`` in all seats.

    The result does not depend on the number of threads.
    """
    sums = np.zeros((_PARTS, *values.share.shape, 3))
    done, deck = 0, 4 * dealer.ranks if isinstance(dealer, HoldemDealer) else 0
    for dealt, end, net in self_play(game, dealer, player, hands, seed, progress):
        cards = np.empty((len(end), 0), np.int8)
        if deck:
            cards = dealt_cards(dealer, seed, done, *net.shape)
        learned = LearnedHands(dealt.bucket, cards, net, deck)
        in_parts(_PARTS, _learn_parts, values, game.tree, learned, end, sums)
        done += len(end)
    gained, pots, met = np.moveaxis(sums.sum(axis=0), -1, 0)
    few = FEW * pots.sum(axis=(2, 3)) / np.maximum(met.sum(axis=(2, 3)), 1)
    few = np.maximum(few, 1e-9)[:, :, None, None]
    usual = gained.sum(axis=3, keepdims=True) / (pots.sum(axis=3, keepdims=True) + few)
    share = (gained + few * usual) / (pots + few)
    return values._replace(share=read_only(share.astype(np.float32)))


@njit
def _learn_parts(values, tree, hands, end, sums, start, stop):
    n, seats = hands.net.shape
    mine = np.zeros(values.equity.shape[1])
    for part in range(start, stop):
        for i in range(n * part // _PARTS, n * (part + 1) // _PARTS):
            x = end[i]
            hand = LearnedHands(hands.bucket[i], hands.cards[i], hands.net[i], hands.deck)
            while x > 0:
                for p in range(seats):
                    if values.seats[x] >> p & 1:
                        _learn(values, tree, hand, (x, p), mine, sums[part])
                x = tree.parent[x]


@uncounted
def _learn(values, tree, hand, at, mine, sums):
    """Add a hand that reached a node by an action of the first round, or by the last of another.

    ``at`` is the node and the seat, ``hand`` one of LearnedHands.
    """
    (x, p), (bucket, cards, net, deck) = at, hand
    head, last = tree.node[x, 0], round_of(tree.node[tree.parent[x], 0])
    r = round_of(head)
    if not is_decision(head) or not (last == 0 or r > last):
        return
    situation, b, pot = values.situation[x], bucket[p, last], np.float64(values.pot[x])
    if situation < 0:
        return
    acts, h, left = r == last and seat_of(head) == p, values.strength[last, b], values.seats[x]
    rounds = bucket.shape[1]
    if last == rounds - 2 and last == 2 and deck > 0:  # as AIVAT looks at the last card ahead
        e = share_ahead(cards, deck, left, p)
    else:
        e = equity_of(values, left, last, p, b, bucket)
    value = pot * e - values.chips[x, p]
    if last == 0 and values.block[x] >= 0:
        mine[b] = 1.0
        value = first_round(values, values.block[x], p, mine, bucket)
        mine[b] = 0.0
    _add(sums[situation, 2 * acts + (left >> (p + 1) == 0)], e, h, pot, net[p] - value)


@uncounted
def _add(sums, e, h, pot, more):
    """Add the chips won ``more`` than expected to the four cells around equity and strength."""
    n = KNOTS - 1
    at, by = min(max(e, 0.0), 1.0) * n, min(max(h, 0.0), 1.0) * n
    low, under = min(np.int64(at), n - 1), min(np.int64(by), n - 1)
    for i in range(low, low + 2):
        for j in range(under, under + 2):
            weight = (1.0 - abs(at - i)) * (1.0 - abs(by - j))
            sums[i, j, 0] += weight * pot * more
            sums[i, j, 1] += weight * pot * pot
            sums[i, j, 2] += weight


@uncounted
def share_ahead(cards, deck, left, p):
    """The mean pot share of seat ``p`` among those ``left``, over all possible last cards.

    ``cards`` int8[2 seats + 5] are the holes and the board, of ``deck`` cards in all.
    """
    seats, board = (len(cards) - 5) // 2, pack(cards[len(cards) - 5 : len(cards) - 1])
    dealt, won, n = pack(cards[: len(cards) - 1]), 0.0, 0
    for card in range(deck):
        if dealt & card_bit(card):
            continue
        n += 1
        shown = board | card_bit(card)
        mine, ties = evaluate_packed(shown | pack(cards[2 * p : 2 * p + 2])), 1
        for q in range(seats):
            if q != p and left >> q & 1:
                theirs = evaluate_packed(shown | pack(cards[2 * q : 2 * q + 2]))
                if theirs > mine:
                    ties = 0
                    break
                ties += theirs == mine
        if ties:
            won += 1.0 / ties
    return won / n
