"""Samples of the biased continuations of a game (tree, layout, policy), and their test."""

from sixmax.continuation import check, compress, generate


def sampled(game, factor=5.0, seed=1):
    tree, layout, policy = game
    return compress.pack(tree, layout, generate.biased(policy, factor), seed)


def fits(game, packed):
    """How well ``packed`` fits continuations whose bias is 5."""
    tree, layout, policy = game
    return check.fit(tree, layout, generate.biased(policy, 5.0), packed)
