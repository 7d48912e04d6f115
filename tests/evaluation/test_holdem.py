"""Hold'em games trained by the production kernels, judged exactly: mbb are 1/1000 big blind."""

import pytest

from evaluation.test_pushfold import PLAIN
from sixmax.cfr.policy import shares, uniform
from sixmax.cfr.train import new_table, train
from sixmax.evaluation.holdem import open_holdem
from sixmax.game import holdem


def mbb(opened, strategy):
    """Exploitability and the small blind's value."""
    found = opened.score(strategy)
    unit = 1000 / holdem.BIG_BLIND
    return unit * found.total / 2, unit * found.values[0]


def trained(opened, schedule, iterations):
    table = new_table(opened.layout, counted=len(opened.game.rounds))
    train(opened.tree, opened.layout, opened.dealer, table, schedule, 1, 1, iterations)
    assert -(2**30) < table.regret.min() < table.regret.max() < 2**30
    return shares(opened.tree, opened.layout, table.count)


@pytest.mark.parametrize(("name", "most"), [("preflop", 10), ("flop", 150)])
def test_train__on_a_deck_of_twenty_cards(name, most):
    """Untrained: 1,252 mbb and 1,806. Found: 4.6 and 105."""
    opened = open_holdem(name, ranks=5)
    untrained, _ = mbb(opened, uniform(opened.tree, opened.layout))
    actual, _ = mbb(opened, trained(opened, PLAIN, 300_000))
    assert untrained > 1200
    assert actual < most


@pytest.mark.slow
def test_train__preflop_only():
    """Twenty big blinds, before the flop alone. Untrained: 1,338 mbb. Found: 7.9 mbb."""
    opened = open_holdem("preflop")
    untrained, _ = mbb(opened, uniform(opened.tree, opened.layout))
    actual, value = mbb(opened, trained(opened, PLAIN, 1_000_000))
    assert untrained == pytest.approx(1338.02, abs=0.01)
    assert actual < 15
    assert value == pytest.approx(-58.5, abs=5)


@pytest.mark.slow
def test_train__flop_holdem():
    """Ten big blinds, the full deck. Untrained: 1,814 mbb. Found: 303 mbb after 3 million
    iterations, 120 after 10 million, 56 after 30 million."""
    opened = open_holdem("flop")
    untrained, _ = mbb(opened, uniform(opened.tree, opened.layout))
    schedule = PLAIN._replace(batch=1000, discount_until=1_500_000, discount_every=15_000)
    actual, _ = mbb(opened, trained(opened, schedule, 3_000_000))
    assert untrained == pytest.approx(1813.73, abs=0.01)
    assert actual < 400
