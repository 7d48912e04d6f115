"""A small hold'em game with values for AIVAT."""

import functools

import numpy as np

from evaluation.seated import blueprint
from sixmax.base.jit import read_only
from sixmax.base.rng import child
from sixmax.evaluation.aivat.values import Values
from sixmax.evaluation.aivat.values_estimate import estimate
from sixmax.evaluation.aivat.values_fit import fit


@functools.cache
def table(seats, hands=20_000):
    run, game, player = blueprint(seats)
    values = estimate(run.game, game, run.dealer, player, hands, child(1, "values"))
    values = fit(values, game, run.dealer, player, hands, child(1, "fit"))
    return run, game, player, values


def nonsense(values, chips=300, share=0.3):
    """Other values, of about so many ``chips``: large enough to show."""
    random = np.random.default_rng(1)
    changed = values._replace(
        value=random.normal(0, chips, values.value.size).astype(np.float32),
        equity=random.random(values.equity.shape, np.float32),
        share=random.normal(0, share, values.share.shape).astype(np.float32),
    )
    return Values(*map(read_only, changed))
