"""Small games with a blueprint that is poor, because it cannot tell enough hands apart."""

import functools
from typing import NamedTuple

import numpy as np

from cfr.games import PLAIN
from sixmax.base.jit import set_threads, threads_in_use
from sixmax.betting.tree import Tree
from sixmax.betting.tree_build import build
from sixmax.cfr.deals import Deals, TableDealer
from sixmax.cfr.full.sweep import Field, field, nash_conv
from sixmax.cfr.layout import Layout, layout
from sixmax.cfr.policy import shares
from sixmax.cfr.sampled.train import Training, new_table, train
from sixmax.games import GAMES
from sixmax.games import reduced_holdem as reduced_holdem
from sixmax.studies.validate.small_search import lossless, maps


class Small(NamedTuple):
    tree: Tree
    deals: Deals
    layout: Layout
    game: Field

    def exploitability(self, strategy):
        return nash_conv(self.tree, self.layout, self.deals, strategy).total / 2


@functools.cache
def leduc(seats=2):
    tree, deals = build(GAMES["leduc"].config(seats)), GAMES["leduc"].deals(seats)
    addresses = layout(tree, list(deals.buckets))
    return Small(tree, deals, addresses, field(tree, addresses, deals))


@functools.cache
def reduced():
    tree, deals = build(reduced_holdem.game()), reduced_holdem.deals()
    addresses = layout(tree, list(deals.buckets))
    return Small(tree, deals, addresses, field(tree, addresses, deals))


@functools.cache
def coarse():
    """Leduc's blueprint that knows of the board only whether its card is above, below or paired."""
    return _trained(leduc(), maps("leduc"), 10_000)


@functools.cache
def coarse_reduced():
    """The blueprint of reduced hold'em, which then knows only how many cards of a kind it has."""
    return _trained(reduced(), maps("reduced"), 100_000)


def _trained(small, merged, iterations):
    """By the production kernels, on the buckets of ``merged``; as a strategy of lossless ones."""
    before = threads_in_use()
    bucket = np.stack([m[small.deals.bucket[:, :, r]] for r, m in enumerate(merged)], axis=2)
    dealer = TableDealer(Deals(bucket.astype(np.int32), small.deals.rank))
    addresses = layout(small.tree, dealer.buckets)
    table, plan = new_table(addresses, len(merged)), PLAIN._replace(scale=10_000.0, batch=50)
    set_threads(1)
    train(Training(small.tree, addresses, dealer, table, plan, 1), 1, iterations)
    set_threads(before)
    return lossless(shares(small.tree, addresses, table.count), addresses, small.layout, merged)
