"""A response to given play, against the best of all."""

from types import SimpleNamespace

import numpy as np
import pytest

from cfr.games import PLAIN, small
from sixmax.betting.tree import n_actions, round_of, seat_of
from sixmax.cfr.full.sweep import nash_conv
from sixmax.cfr.layout import infoset, section
from sixmax.cfr.policy import from_sums, shares
from sixmax.self_generated.response import respond

pytestmark = pytest.mark.usefixtures("one_thread")


def leduc():
    """Leduc as a run, and a policy drawn at random."""
    tree, dealer, layout, _ = small("leduc", 2)
    schedule = SimpleNamespace(batch=50, scale=PLAIN.scale, schedule=lambda: PLAIN)
    weight = np.random.default_rng(4).integers(1, 100, layout.size).astype(np.int32)
    run = SimpleNamespace(tree=tree, dealer=dealer, layout=layout, schedule=schedule)
    return run, from_sums(tree, layout, weight)


def gain(run, policy, seat):
    """The most chips that ``seat`` could win more."""
    strategy = shares(run.tree, run.layout, policy)
    return nash_conv(run.tree, run.layout, run.dealer.deals, strategy).gains[seat]


@pytest.mark.parametrize("seat", [0, 1])
def test_respond__comes_to_a_best_response_and_leaves_the_others_play(seat):
    run, policy = leduc()
    first = shares(run.tree, run.layout, policy)[: run.layout.start[1]]
    actual = respond(run, policy, first, seat, 30_000, 3)
    for r in range(2):
        place = section(run.layout, r, 1 - seat)
        assert np.array_equal(actual[place], policy[place])
    assert gain(run, policy, seat) > 1.0
    assert gain(run, actual, seat) < 0.1


def test_respond__plays_on_as_before_where_it_never_came():
    """The other never raises, so no row after a raise of his is met."""
    run, policy = leduc()
    tree, rows = run.tree, {0: [], 1: []}
    for x in tree.decision_nodes():
        head = int(tree.node[x, 0])
        bucket = np.arange(run.layout.buckets[round_of(head)])
        at = infoset(run.layout, round_of(head), seat_of(head), bucket, tree.node[x, 2])
        rows[seat_of(head)].append((int(x), at[:, None] + np.arange(n_actions(head))))
    for x, at in rows[1]:
        raises = np.array([tree.action[y] > 0 for y in tree.children(x)])
        policy[at[:, raises]] = 0
    first = shares(tree, run.layout, policy)[: run.layout.start[1]]
    actual = respond(run, policy, first, 0, 30_000, 3)
    unmet = [raised_by_other(tree, x) for x, _ in rows[0]]
    assert 0 < sum(unmet) < len(unmet)
    assert [np.array_equal(actual[at], policy[at]) for _, at in rows[0]] == unmet


def raised_by_other(tree, x):
    """Whether seat 1 raised on the way to ``x``."""
    while (before := int(tree.parent[x])) >= 0:
        if tree.seat(before) == 1 and tree.action[x] > 0:
            return True
        x = before
    return False


def test_respond__meets_the_first_round_that_it_is_given():
    """In it the other plays another policy than in the rounds after it."""
    run, policy = leduc()
    given = policy.copy()
    place = section(run.layout, 0, 1)
    own = np.random.default_rng(8).integers(1, 100, run.layout.size).astype(np.int32)
    given[place] = from_sums(run.tree, run.layout, own)[place]
    gains, done = [], []
    for play in (given, policy):
        first = shares(run.tree, run.layout, play)[: run.layout.start[1]]
        response = respond(run, policy, first, 0, 30_000, 3, done.append)
        response[place] = given[place]
        gains.append(gain(run, response, 0))
    assert sum(done) == 60_000
    assert gains[0] < 0.1 < gains[1]
