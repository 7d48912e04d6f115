"""AIVAT of searched hands: unbiased off the tree too, and seen to fail where it is not."""

import functools

import numpy as np
import pytest

from evaluation.scored import nonsense, table
from evaluation.search_gain.fakes import BELIEVED, Drawn
from evaluation.search_gain.test_duel import CONFIG, how
from sixmax.evaluation.aivat.recorded import Recorded, Taken
from sixmax.evaluation.search_gain import duel
from sixmax.evaluation.search_gain.duel import play

RESULT, _, CHANCE, ACTION, AIVAT = range(5)
DEALS, SEED = 200, 3


@functools.cache
def columns(sense=True, mutant=None, deals=DEALS):
    """Of every deal, the mean over the seats: float64[deals, columns]; ``mutant`` of decisions."""
    run, place, player, values = table(3)
    scored = Recorded(run, place, values if sense else nonsense(values), (player, player), 2)
    result = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(duel, "result_of", lambda *given: result.append(given[-1].mean(axis=1)))
        if mutant:
            patch.setattr(duel, "Taken", lambda *args: mutant(Taken(*args)))
        play(run, player.table, CONFIG, Drawn, how(), deals, SEED, scored=scored)
    return np.stack(result, axis=1)


def away(result, column):
    """Standard errors from 0."""
    return abs(result[:, column].mean()) / (result[:, column].std() / np.sqrt(len(result)))


@pytest.mark.parametrize("sense", [True, False])
def test_play__corrections_are_nothing_on_average(sense):
    result = columns(sense)
    assert np.count_nonzero(result[:, RESULT]) > DEALS / 3
    assert away(result, CHANCE) < 4
    assert away(result, ACTION) < 4
    assert away(np.diff(result[:, [RESULT, AIVAT]]), 0) < 4
    if sense:
        assert result[:, AIVAT].var() < result[:, RESULT].var()


def test_play__rows_that_were_not_played_are_found_out():
    """The planted mistake: the rows that update beliefs, in place of those drawn from."""
    result = columns(
        mutant=lambda taken: taken._replace(rows=BELIEVED.get(id(taken.rows), [taken.rows])[-1])
    )
    assert away(result, ACTION) > 3
    assert away(np.diff(result[:, [RESULT, AIVAT]]), 0) > 3
