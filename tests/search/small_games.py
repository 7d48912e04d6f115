"""Small games with a blueprint that is poor, because it cannot tell enough hands apart."""

import functools
from typing import NamedTuple

import numpy as np

from cfr.games import PLAIN
from sixmax.cfr.deal import TableDealer
from sixmax.cfr.layout import Layout, layout
from sixmax.cfr.policy import shares
from sixmax.cfr.response import nash_conv
from sixmax.cfr.sweep import Field, field
from sixmax.cfr.train import new_table, train
from sixmax.game import reduced as reduced_holdem
from sixmax.game import toy
from sixmax.game.toy import Deals
from sixmax.game.tree import Tree, build
from sixmax.jit import set_threads, threads_in_use


class Small(NamedTuple):
    tree: Tree
    deals: Deals
    layout: Layout
    game: Field

    def exploitability(self, strategy):
        return nash_conv(self.tree, self.layout, self.deals, strategy).total / 2


@functools.cache
def leduc(seats=2):
    tree, deals = build(toy.game("leduc", seats)), toy.deals("leduc", seats)
    where = layout(tree, list(deals.buckets))
    return Small(tree, deals, where, field(tree, where, deals))


@functools.cache
def reduced():
    tree, deals = build(reduced_holdem.game()), reduced_holdem.deals()
    where = layout(tree, list(deals.buckets))
    return Small(tree, deals, where, field(tree, where, deals))


@functools.cache
def coarse():
    """Leduc's blueprint, which after the flop knows only whether its card pairs the board, lies
    above it or below."""
    own, board = np.divmod(np.arange(9), 3)
    return _trained(leduc(), (np.arange(3), np.where(own == board, 2, own > board)), 10_000)


@functools.cache
def coarse_reduced():
    """That of reduced hold'em, which then knows only how many cards of a kind it has."""
    ranks = range(reduced_holdem.RANKS)
    pairs = [(a, b) for a in ranks for b in ranks if a <= b]
    flops = [(*p, f) for p in pairs for f in ranks]
    turns = [(*cards, t) for cards in flops for t in ranks]
    alike = [np.array([max(map(c.count, c)) for c in hands]) - 1 for hands in (flops, turns)]
    return _trained(reduced(), (np.arange(10), alike[0], np.minimum(alike[1], 2)), 100_000)


def _trained(small, maps, iterations):
    """By the production kernels, on the buckets of ``maps``; as a strategy of lossless ones."""
    before = threads_in_use()
    bucket = np.stack([m[small.deals.bucket[:, :, r]] for r, m in enumerate(maps)], axis=2)
    dealer = TableDealer(Deals(bucket.astype(np.int32), small.deals.rank))
    where = layout(small.tree, dealer.buckets)
    table, plan = new_table(where, len(maps)), PLAIN._replace(scale=10_000.0, batch=50)
    set_threads(1)
    train(small.tree, where, dealer, table, plan, 1, 1, iterations)
    set_threads(before)
    return lossless(shares(small.tree, where, table.count), where, small.layout, maps)


def lossless(strategy, where, fine, maps):
    """A strategy by coarse buckets as one by fine ones."""
    found = np.empty(fine.size)
    for r, seat in np.ndindex(*fine.base.shape):
        n = fine.columns[r, seat]
        for b, old in enumerate(maps[r][: fine.buckets[r]]):
            at, to = where.base[r, seat] + old * n, fine.base[r, seat] + b * n
            found[to : to + n] = strategy[at : at + n]
    return found
