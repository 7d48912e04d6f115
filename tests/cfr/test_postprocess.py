"""Unlikely actions taken out of policies."""

import itertools

import numpy as np
import pytest

from cfr.games import remembered, three_handed
from sixmax.cfr.layout import infoset
from sixmax.cfr.policy import rows
from sixmax.cfr.postprocess import Postprocess, parse, postprocess

WAYS = ["purified", "threshold-20", "threshold-60", "range-30", "range-99"]
GAMES = {"remembered": remembered, "three_handed": three_handed}


def infosets(tree, layout):
    """(round, seat, node, bucket, address, number of actions) of every infoset, one by one."""
    table, (rounds, seats) = rows(tree), tree.columns.shape
    for group, (r, p) in enumerate(itertools.product(range(rounds), range(seats))):
        for i in range(table.start[group], table.start[group + 1]):
            for b in range(layout.buckets[r]):
                at = infoset(layout, r, p, b, table.slot[i])
                yield r, p, int(table.node[i]), b, int(at), int(table.n[i])


def drawn(tree, layout):
    """A policy drawn at random, with ties and with rows of zeros."""
    random = np.random.default_rng(1)
    policy = random.choice([0, 5, 40, 60, 100], layout.size).astype(np.uint8)
    for *_, b, at, n in infosets(tree, layout):
        if b == 0 and random.random() < 0.2:
            policy[at : at + n] = 0
    return policy


def expected(tree, layout, policy, process):
    """The slow twin: shares of one row after the other."""
    out, share = policy.copy(), process.percent / 100
    shares = {}
    for r, p, x, b, at, n in infosets(tree, layout):
        row = policy[at : at + n].astype(float)
        shares[r, p, x, b] = at, row / row.sum() if row.any() else None
    for (r, p, x, _), (at, row) in shares.items():
        if row is None:
            continue
        if process.kind == "purified":
            gone = row < row.max()
        elif process.kind == "threshold":
            gone = (row < share) & (row < row.max())
        else:
            hands = [other for (*key, _), (_, other) in shares.items() if key == [r, p, x]]
            trained = [other for other in hands if other is not None]
            likeliest = np.any([other == other.max() for other in trained], axis=0)
            gone = (np.max(trained, axis=0) < share) & ~likeliest & (r < 2)
        out[at : at + len(row)][gone] = 0
    return out


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("way", WAYS)
def test_postprocess__equals_the_slow_twin(game, way):
    tree, _, layout, _ = GAMES[game]()
    policy, (_, process) = drawn(tree, layout), parse(f"blueprint-{way}")
    before = policy.copy()
    actual = postprocess(tree, layout, policy, process)
    np.testing.assert_array_equal(actual, expected(tree, layout, policy, process))
    np.testing.assert_array_equal(policy, before)
    assert (actual != policy).any()
    for *_, at, n in infosets(tree, layout):
        assert actual[at : at + n].any() == policy[at : at + n].any()


LIMPS = [  # the shares of limping left to a bad hand and to a good one
    ("threshold-5", (6, 0)),  # gives the hand away
    ("range-5", (6, 4)),
    ("range-7", (0, 0)),
    ("purified", (0, 0)),
]


@pytest.mark.parametrize(("way", "limps"), LIMPS)
def test_postprocess__limping_of_the_article(way, limps):
    """A bad hand limps 6 %, a good one 4 %: a threshold of 5 % shows which it is."""
    tree, _, layout, _ = remembered()
    policy = np.zeros(layout.size, np.uint8)
    (_, _, _, _, bad, n), (_, _, _, _, good, _) = itertools.islice(infosets(tree, layout), 2)
    assert n > 2
    policy[bad : bad + 3], policy[good : good + 3] = (40, 6, 54), (30, 4, 66)
    actual = postprocess(tree, layout, policy, parse(f"blueprint-{way}")[1])
    assert (actual[bad + 1], actual[good + 1]) == limps


def test_parse__agents_and_what_is_done_to_them():
    assert parse("blueprint") == ("blueprint", None)
    assert parse("snapshot-00004") == ("snapshot-00004", None)
    assert parse("snapshot-00004-purified") == ("snapshot-00004", Postprocess("purified"))
    assert parse("blueprint-threshold-15") == ("blueprint", Postprocess("threshold", 15))
    assert parse("blueprint-range-4") == ("blueprint", Postprocess("range", 4))
    for name in ("blueprint-range-0", "blueprint-threshold-100", "blueprint-pure"):
        assert parse(name) == (name, None)
