"""AIVAT of hold'em on a deck of 24 cards, by simulation."""

import numpy as np
import pytest

from evaluation.scored import ends, nonsense, table
from sixmax.evaluation.agents.policies import calling, uniform
from sixmax.evaluation.aivat.scored_match import columns
from sixmax.evaluation.match.duplicate import net_chips
from sixmax.jit import set_threads, threads_in_use

CHANCE, ACTION, AIVAT = 2, 3, 4


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize(("opponent", "known"), [(uniform, True), (calling, False)])
@pytest.mark.parametrize("sense", [True, False])
def test_columns__corrections_are_nothing_on_average(seats, opponent, known, sense):
    run, where, player, values = table(seats)
    values = values if sense else nonsense(values)
    pair, n = (player, opponent(where)), 1500 if seats < 6 else 600
    found = columns(pair, where, run.dealer, values, 3, 0, n, known, draws=4)
    np.testing.assert_allclose(
        found[:, :, 0], net_chips(pair, where, run.dealer, 3, 0, n), atol=1e-6
    )
    a_deal = found.mean(axis=1)
    against = np.stack([a_deal[:, CHANCE], a_deal[:, ACTION], a_deal[:, AIVAT] - a_deal[:, 0]])
    error = against.std(axis=1) / np.sqrt(n)
    assert (abs(against.mean(axis=1)) < 4 * error).all()
    assert np.isfinite(found).all()
    if sense:
        assert found[:, :, AIVAT].var() < found[:, :, 0].var() / 2


@pytest.mark.parametrize("seats", [3, 6])
def test_columns__of_copies_around_a_stranger(seats):
    run, where, player, values = table(seats)
    pair, n = (calling(where), player), 400
    over = ends(pair, where, run.dealer, 3, n)
    found = columns(pair, where, run.dealer, values, 3, 0, n, draws=4, copies=True, ends=over)
    np.testing.assert_allclose(
        found[:, :, 0], net_chips(pair, where, run.dealer, 3, 0, n), atol=1e-6
    )
    a_deal = found.mean(axis=1)
    against = np.stack([a_deal[:, CHANCE], a_deal[:, ACTION], a_deal[:, AIVAT] - a_deal[:, 0]])
    assert (abs(against.mean(axis=1)) < 4 * against.std(axis=1) / np.sqrt(n)).all()
    assert found[:, :, AIVAT].var() < found[:, :, 0].var() / 2


def test_columns__any_number_of_threads_and_parts():
    run, where, player, values = table(3, 2000)
    pair, before = (player, uniform(where)), threads_in_use()
    set_threads(1)
    expected = columns(pair, where, run.dealer, values, 3, 0, 60)
    set_threads(2)
    parts = [columns(pair, where, run.dealer, values, 3, f, 20) for f in (0, 20, 40)]
    set_threads(before)
    np.testing.assert_array_equal(np.concatenate(parts), expected)
