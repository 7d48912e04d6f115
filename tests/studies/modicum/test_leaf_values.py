"""Matrices of leaf values: by a walk for each class, and by enumeration of all deals."""

import numpy as np

from sixmax.betting.tree import is_decision, n_actions, round_of, seat_of
from sixmax.cfr.advance import terminal_value
from sixmax.cfr.layout import entries, infoset
from sixmax.studies.flop_games.game import open_game
from sixmax.studies.modicum import makers
from studies.flop_games.small import FEW, listed
from studies.modicum.small import SMALL, game, solved


def test_matrices__are_walks_of_one_class_at_a_time():
    of, strategy = game(), solved()
    actual = makers.matrices(of, (strategy, strategy))
    walk, each = of.walk(strategy, 0), np.eye(len(of.cards.share))
    for i, root in enumerate(of.roots):
        expected = np.stack([walk.preflop(root, one)[0] for one in each], axis=1)
        np.testing.assert_allclose(actual[i], expected, atol=1e-6 * np.abs(expected).max())


def played(of, strategy, x, bucket, rank):
    """Net chips of seat 0 from node ``x`` on in one deal: the slow and obvious way."""
    head, first, slot, chips = (int(n) for n in of.tree.node[x])
    if not is_decision(head):
        return terminal_value(of.tree.node, of.tree.contributed, rank, head, x, 0, np.empty(2))
    seat, r = seat_of(head), round_of(head)
    at = int(infoset(of.layout, r, seat, bucket[seat, r], slot))
    total = 0.0
    for a, child in enumerate(of.tree.children(x)):
        if seat == 0 and a == 0 and int(of.tree.action[child]) < 0:  # a fold loses what is in
            total += strategy[0][at] * -chips
            continue
        total += strategy[seat][at + a] * played(of, strategy, child, bucket, rank)
    assert n_actions(head) == a + 1
    return total


def test_matrices__of_a_best_response_are_those_of_all_deals():
    """Twelve cards: every deal by itself, where the opponent answers best after each leaf."""
    settings = SMALL.model_copy(update={"flops": 1, "preflop": [[1], ["A"]], "max_raises": 2})
    of = open_game(settings, 2, ranks=FEW)
    strategy = np.random.default_rng(1).random(of.layout.size)
    for x in of.tree.decision_nodes():
        rows = entries(of.tree, of.layout, int(x))
        strategy[rows] /= strategy[rows].sum(axis=1, keepdims=True)
    response = strategy.copy()
    for root in of.roots:
        makers.respond(of, response, 0, root, np.ones(of.cards.boards[0].bucket.shape))
    assert not np.allclose(response, strategy)
    actual = makers.matrices(of, (response, strategy))
    deals = listed(of)
    for i, root in enumerate(of.roots):
        expected = np.zeros_like(actual[i])
        for bucket, rank in zip(deals.bucket, deals.rank, strict=True):
            chips = played(of, (response, strategy), root, bucket, rank)
            expected[bucket[0, 0], bucket[1, 0]] += chips / len(deals.rank)
        np.testing.assert_allclose(actual[i], expected, atol=1e-5 * np.abs(expected).max())
