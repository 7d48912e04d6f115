"""The leaf function of the small hold'em run of tests/search/holdem.py."""

import functools

import numpy as np

from search.holdem import RANKS, leaves, small_run
from sixmax.cards.deck import classes
from sixmax.leaf_function import config, features, states
from sixmax.leaf_function.network import LeafFunction, Network


@functools.cache
def tables():
    """Strength and spread; those before the flop are drawn."""
    preflop = np.random.default_rng(3).random((RANKS**2, 2)).astype(np.float32)
    return features.HandTables(classes(RANKS), preflop, *features.on_flops(RANKS))


@functools.cache
def small_source(seats):
    """Where states of the run of ``seats`` are drawn from."""
    run, policy = small_run(seats)
    return states.source(run, policy, leaves(seats).packed, tables())


def network(seats, layers=3, units=8, choices=4):
    """A network with random weights."""
    random = np.random.default_rng(6)
    shapes = (
        (len(config.names(seats, choices)), units), (units,), (layers - 1, units, units),
        (layers - 1, units), (units, choices), (choices,),
    )  # fmt: skip
    return Network(*(random.normal(size=shape).astype(np.float32) for shape in shapes))


def function(seats):
    """A leaf function with random weights."""
    return LeafFunction(network(seats), tables().preflop, RANKS, 4)
