"""The stage ``leaf_function``: draw states, fit the network, judge it on unseen hands."""

import math
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.base.progress import Progress, say
from sixmax.base.rng import child
from sixmax.blueprint.run import Run, open_run
from sixmax.cards.deck import ROUNDS, classes
from sixmax.continuation.store import load
from sixmax.leaf_function.config import NETWORK, LeafFunctionConfig, NetworkSizes, names
from sixmax.leaf_function.features import HandTables, before_the_flop, on_flops
from sixmax.leaf_function.network import Network, fit
from sixmax.leaf_function.states import LeafSample, StateSource, sample, source
from sixmax.store import write

UNSEEN_STATES, UNSEEN_ROLLOUTS = 20_000, 64  # of each round, to judge by
SHOWN = (1, 4, 16, 64)  # roll-outs whose standard error stands beside
_Z = 1.96


@options.stage
def leaf_function(
    folder: options.Run,
    config: Annotated[LeafFunctionConfig, options.changes("leaf_function")],
    seed: Annotated[int, options.seed("Of states and weights.", default=1)],
    threads: options.Threads, out: options.Store,
    check: Annotated[Path, options.Option("Its errors on unseen hands, as JSON.")],
    sizes: NetworkSizes = NETWORK,
) -> None:  # fmt: skip
    """Fit a network that values the leaves of a search.

    States are drawn from the blueprint's own play; roll-outs of the continuations value them. The
    same bits for any number of threads. Search by the player `pluribus-learned`
    reads the network from results/{run}/leaf_function.

    \b
    sixmax stage leaf-function --run results/default --config '{"states": 2000000}' --seed 1 \\
        --out results/default/leaf_function/network.zarr \\
        --check results/default/leaf_function/check.json

    Raises UserError for ``config.states`` 0, and for a game without hold'em's four rounds or with
    too many features.
    """
    run = open_run(folder)
    if config.states < 2:
        raise UserError(
            f"leaf_function.states: found {config.states}, wanted 2 or more; 400,000 take minutes"
        )
    if run.buckets is None or len(run.game.rounds) != len(ROUNDS):
        raise UserError(f"{folder}: wanted a run of hold'em with its {len(ROUNDS)} rounds")
    continuations, packed = load(run)
    features = names(run.game.seats, len(packed))
    work = int(child(seed, "leaf_function"))
    preflop = before_the_flop(run)
    tables = HandTables(classes(run.ranks), preflop, *on_flops(run.ranks))
    of = source(run, run.policy("blueprint"), packed, tables)
    drawn = _drawn(of, config.states, sizes.rollouts, work, "states")
    x = np.concatenate([part.x for part in drawn])
    y = np.concatenate([part.mean for part in drawn]).astype(np.float32)
    with Progress(sizes.epochs, "leaf function: fit", "epochs") as progress:
        network = fit(x, y, sizes, int(child(work, "fit")), progress.add)
    unseen = _drawn(of, 2 * UNSEEN_STATES, UNSEEN_ROLLOUTS, work, "unseen")
    means = [part.mean.mean(axis=0) for part in drawn]
    record = judged(run, network, means, unseen, continuations, UNSEEN_ROLLOUTS)
    settings = config.model_dump() | sizes._asdict()
    record |= {"features": features, "config": settings, "seed": seed}
    _announce(record)
    write(
        out, "leaf-function", {**network._asdict(), "preflop": preflop}, features=features,
        run=run.identity["digest"], continuations=continuations, config=settings,
    )  # fmt: skip
    write_json(check, record)


def _drawn(of: StateSource, n: int, rollouts: int, seed: int, name: str) -> list[LeafSample]:
    """``n`` states, half of leaves of each round."""
    with Progress(n, f"leaf function: {name}", "states") as progress:
        return [
            sample(of, known, share, rollouts, int(child(seed, name, known)), progress.add)
            for known, share in enumerate((n // 2, n - n // 2))
        ]


def judged(
    run: Run, network: Network, means: list[np.ndarray], unseen: list[LeafSample],
    continuations: list[str], rollouts: int,
) -> dict[str, Any]:  # fmt: skip
    """Root mean square errors on ``unseen`` states, in pots, by round of the leaf.

    The noise of the ``rollouts`` drawn a state is told by their own variance and taken off.
    ``means`` are those of the values that the network has seen, by round float64[choices].
    """
    rounds = {}
    for known, part in enumerate(unseen):
        noise = part.variance / rollouts
        every = (network.predict(part.x) - part.mean) ** 2 - noise
        error = every.mean(axis=1)
        from_mean = ((means[known] - part.mean) ** 2 - noise).mean(axis=1)
        one = float(part.variance.mean())
        rounds[ROUNDS[known]] = {
            "states": len(part.x),
            "rollouts": rollouts,
            "error": _root(error),
            "error_of_mean": _root(from_mean),
            "error_of_rollouts": {str(k): math.sqrt(one / k) for k in SHOWN},
            "as_good_as_rollouts": one / max(float(error.mean()), 1e-12),
            "by_continuation": {
                name: math.sqrt(max(float(value), 0.0))
                for name, value in zip(continuations, every.mean(axis=0), strict=True)
            },
        }
    return {"unit": "pots", "rounds": rounds, "seats": run.game.seats}


def _root(squares: np.ndarray) -> dict[str, Any]:
    """The root of the mean, and of the ends of its 95 % interval."""
    mean, half = float(squares.mean()), _Z * float(squares.std(ddof=1)) / math.sqrt(len(squares))
    low, mid, high = (math.sqrt(max(value, 0.0)) for value in (mean - half, mean, mean + half))
    return {"rms": mid, "interval": [low, high]}


def _announce(record: dict[str, Any]) -> None:
    for name, row in record["rounds"].items():
        low, high = row["error"]["interval"]
        say(
            f"leaf function: leaves of the {name}: error {row['error']['rms']:.3f} pots "
            f"({low:.3f} to {high:.3f}); of the mean {row['error_of_mean']['rms']:.3f}, of one "
            f"roll-out {row['error_of_rollouts']['1']:.3f}: as good as "
            f"{row['as_good_as_rollouts']:.1f} roll-outs; {row['states']:,} unseen states"
        )
