"""A player's response to the other: sampled training in which the other's play is given.

Against one who does not learn, external sampling comes to a best response in the abstraction: it is
the solution of a Markov decision process (Brown, Sandholm and Amos 2018, section 4).
"""

from collections.abc import Callable

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.cfr.layout import section
from sixmax.cfr.methods import Schedule
from sixmax.cfr.policy import complete, from_regrets
from sixmax.cfr.sampled.train import Training, new_table, train

_DISCOUNTS = 20  # in the first half of a training
_FIXED = 1_000_000  # regret of a sure action, where play is given
_NEVER = 1 << 62


def respond(
    run: Run, policy: np.ndarray, first: np.ndarray, seat: int, iterations: int, seed: int,
    progress: Callable[[int], None] = lambda n: None,
) -> np.ndarray:  # fmt: skip
    """The response of ``seat``, with ``policy`` in the rows of the other: uint8[layout.size].

    The other plays ``first`` float64[entries of the first round] there, and then ``policy``
    uint8[layout.size]. ``iterations`` are rounded up to whole batches. ``progress`` is called with
    the iterations done since.

    # ASSUME the last strategy of the training is the response, and an infoset that it never met
    plays on as ``policy``: the paper leaves open how a response is approximated.
    """
    layout, batch, other = run.layout, run.schedule.batch, 1 - seat
    table = new_table(layout)
    for r in range(len(layout.buckets)):
        place = section(layout, r, other)
        given = first[place] * _FIXED if r == 0 else policy[place] * float(_FIXED // 255)
        table.regret[place] = np.rint(given)
    last = -(-iterations // batch) * batch
    train(
        Training(
            run.tree, layout, run.dealer, table, _schedule(run, last), seed, learner=seat
        ),
        1, last, progress,
    )  # fmt: skip
    learned = complete(run.tree, layout, from_regrets(run.tree, layout, table.regret), policy)
    for r in range(len(layout.buckets)):
        place = section(layout, r, other)
        learned[place] = policy[place]
    return learned


def _schedule(run: Run, last: int) -> Schedule:
    """That of the run without pruning and counters, and with discounts in the first half."""
    batch = run.schedule.batch
    every = max(last // (2 * _DISCOUNTS) // batch, 1) * batch
    return run.schedule.schedule()._replace(
        discount_every=every, discount_until=last // 2, count_after=_NEVER, prune_after=_NEVER,
        prune_share=0.0, prune_half=0,
    )  # fmt: skip
