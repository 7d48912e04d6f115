"""A player's response to the other: sampled training in which the other's play is given.

Against one who does not learn, external sampling comes to a best response in the abstraction: it is
the solution of a Markov decision process (Brown, Sandholm and Amos 2018, section 4).
"""

from collections.abc import Callable

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.cfr.layout import section
from sixmax.cfr.policy import from_regrets
from sixmax.cfr.sampled.schedule import Schedule
from sixmax.cfr.sampled.train import new_table, train

_DISCOUNTS = 20  # in the first half of a training
_FIXED = 1_000_000  # regret of a sure action, where play is given
# Chips by which the blueprint's own play is ahead at first: so rare infosets keep it.
_START = 4.0
_NEVER = 1 << 62


def respond(
    run: Run, policy: np.ndarray, first: np.ndarray, seat: int, iterations: int, seed: int,
    progress: Callable[[int], None] = lambda n: None,
) -> np.ndarray:  # fmt: skip
    """The response of ``seat``, with ``policy`` in the rows of the other: uint8[layout.size].

    The other plays ``first`` float64[entries of the first round] there, and then ``policy``
    uint8[layout.size]. ``iterations`` are rounded up to whole batches. ``progress`` is called with
    the iterations done since.
    """
    layout, batch = run.layout, run.schedule.batch
    table = new_table(layout)
    given = policy.astype(np.int64) * (_FIXED // 255)
    given[: len(first)] = np.rint(first * _FIXED)
    own = np.rint(policy.astype(np.float64) * (_START * run.schedule.scale / 255))
    for r in range(len(layout.buckets)):
        for p in (0, 1):
            place = section(layout, r, p)
            table.regret[place] = (own if p == seat else given)[place]
    last = -(-iterations // batch) * batch
    train(
        run.tree, layout, run.dealer, table, _schedule(run, last), seed, 1, last, progress,
        learner=seat,
    )  # fmt: skip
    learned = from_regrets(run.tree, layout, table.regret)
    out = policy.copy()
    for r in range(len(layout.buckets)):
        place = section(layout, r, seat)
        out[place] = learned[place]
    return out


def _schedule(run: Run, last: int) -> Schedule:
    """That of the run without pruning and counters, and with discounts in the first half."""
    batch = run.schedule.batch
    every = max(last // (2 * _DISCOUNTS) // batch, 1) * batch
    return run.schedule.schedule()._replace(
        discount_every=every, discount_until=last // 2, count_after=_NEVER, prune_after=_NEVER,
        prune_share=0.0, prune_half=0,
    )  # fmt: skip
