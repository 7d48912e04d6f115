"""Push or fold, ten big blinds, the full deck: what training reaches, and the published answer."""

import functools

import numpy as np
import pytest

from cfr.games import PLAIN as UNSCALED
from oracles import pushfold as oracle
from sixmax.abstraction.lossless import lossless
from sixmax.blueprint.deal import HoldemDealer
from sixmax.cards.deck import class_names
from sixmax.cfr.layout import layout
from sixmax.cfr.policy import shares, uniform
from sixmax.cfr.train import new_table, train
from sixmax.evaluation.exact import cards, nash_conv
from sixmax.game import holdem
from sixmax.game.tree import build

CLASSES = class_names(13)
PLAIN = UNSCALED._replace(batch=100, discount_every=10_000, discount_until=100_000, scale=10.0)


@functools.cache
def known():
    """The cards of every hold'em game of one round, and its buckets."""
    buckets = lossless(13, 1)
    return cards(holdem.game("pushfold"), buckets), buckets


@functools.cache
def equilibrium(stack):
    """(jam, call) of each class for ``stack`` big blinds, exploitable by less than 0.001 mbb."""
    table = known()[0]
    jam, call = oracle.solve(table.share, table.lead, stack)
    assert oracle.exploitability(table.share, table.lead, stack, jam, call) < 1e-6
    return dict(zip(CLASSES, jam, strict=True)), dict(zip(CLASSES, call, strict=True))


@pytest.mark.parametrize("stack", [3.0, 5.0, 7.0, 10.0, 12.0])
def test_equilibrium__is_the_published_chart(stack):
    """All 169 jams and the 91 calls that we have of holdemresources.net; hands whose last stack
    lies within 0.3 big blinds may be mixed, and 63s, 53s, 43s have gaps."""
    jam, call = (np.array(list(row.values())) for row in equilibrium(stack))
    for table, mine in ((oracle.JAM, jam), (oracle.CALL, call)):
        last = oracle.published(table)
        sure = np.abs(last - stack) > 0.3
        assert sure.sum() > 0.9 * last.size
        expected = (last > stack)[sure].astype(float)
        assert mine[: last.size][sure] == pytest.approx(expected, abs=0.05)


def test_train__pushfold_by_the_production_kernels_reaches_the_equilibrium():
    """Untrained: 499 mbb a hand. Found after 300,000 iterations: 4.7 mbb."""
    table, buckets = known()
    game = holdem.game("pushfold")
    tree = build(game)
    dealer = HoldemDealer(buckets, 13, 2, rounds=1, boards=8)
    where = layout(tree, dealer.buckets)
    trained = new_table(where)
    train(tree, where, dealer, trained, PLAIN, 1, 1, 300_000)
    strategy = shares(tree, where, trained.count)
    untrained = nash_conv(tree, where, table, uniform(tree, where)).total / 2
    actual = nash_conv(tree, where, table, strategy)
    assert untrained > 4.9  # chips; ten are a big blind
    assert actual.total / 2 < 0.1
    jam, call = (np.array(list(row.values())) for row in equilibrium(10.0))
    yes, no = oracle.small_blind(table.share, table.lead, 10.0, call)
    value = 10 * float(jam @ yes + (1 - jam) @ no)
    assert value == pytest.approx(-0.4537, abs=1e-4)
    assert actual.values[0] == pytest.approx(value, abs=0.1)
    ours, weight = strategy[1:338:2], table.share.sum(axis=1)
    assert ours @ weight == pytest.approx(jam @ weight, abs=0.02)  # 58.3 % of hands are jammed


def test_exploitability__of_an_oracle_strategy_is_what_the_oracle_says():
    table, _ = known()
    tree = build(holdem.game("pushfold"))
    where = layout(tree, [169])
    jam, call = np.random.default_rng(1).random((2, 169))
    strategy = np.stack([1 - jam, jam], axis=1).ravel(), np.stack([1 - call, call], axis=1).ravel()
    actual = nash_conv(tree, where, table, np.concatenate(strategy)).total / 2
    expected = 10 * oracle.exploitability(table.share, table.lead, 10.0, jam, call)
    assert actual == pytest.approx(expected, abs=1e-9)
