"""Samples of the biased continuations of a game (tree, layout, policy), and their test."""

from sixmax.continuation.check import fit
from sixmax.continuation.compress import pack
from sixmax.continuation.generate import biased


def sampled(game, factor=5.0, seed=1):
    tree, layout, policy = game
    return pack(tree, layout, biased(policy, factor), seed)


def fits(game, packed):
    """How well ``packed`` fits continuations whose bias is 5."""
    tree, layout, policy = game
    return fit(tree, layout, biased(policy, 5.0), packed)
