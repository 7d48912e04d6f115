"""The stage ``self_generated``: values at the end of the first round, by responses.

A response is sampled training in which the other's play is given. Against one who does not learn,
external sampling comes to a best response in the abstraction: it is the solution of a Markov
decision process (Brown, Sandholm and Amos 2018, section 4).
"""

from pathlib import Path
from typing import Annotated, Any

import numpy as np

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.progress import Done, Progress, quiet, say
from sixmax.base.rng import child
from sixmax.blueprint.run import Run, open_run
from sixmax.cards.deck import ROUNDS
from sixmax.cfr.layout import section
from sixmax.cfr.policy import complete, from_regrets
from sixmax.cfr.sampled.schedule import Schedule
from sixmax.cfr.sampled.train import Training, new_table, train
from sixmax.search.solvers.first_round import NO_BOARD, FirstRound, ranges_at
from sixmax.search.solvers.limited.hands import edges, hands_on
from sixmax.self_generated import values as leaves
from sixmax.self_generated.config import RESPONSES, Responses, SelfGeneratedConfig
from sixmax.store import records, write

_DISCOUNTS = 20  # in the first half of a training
_FIXED = 1_000_000  # regret of a sure action, where play is given
_NEVER = 1 << 62


class _Row(records.Form):
    seat: int
    strategy: int
    value: float
    won: float
    left: float


class _Check(records.Form):
    unit: str
    config: dict[str, Any]
    seed: int
    strategies: list[_Row]


CHECK = records.RecordKind(
    "the strategies of the first round", "sixmax stage self-generated", _Check
)


@options.stage
def self_generated(
    folder: options.Run,
    config: Annotated[SelfGeneratedConfig, options.changes("self_generated")],
    seed: Annotated[int, options.seed("Of training and deals.", default=1)],
    threads: options.Threads, out: options.Store,
    check: Annotated[Path, options.Option("Value and gain of each strategy, as JSON.")],
    work: Responses = RESPONSES,
) -> None:  # fmt: skip
    """Make values at the end of the first round, for search.

    For two players. The first round is solved with the strategies that the opponent has so far;
    its response to that solution is one more. Search before the flop reads the values from
    results/{run}/self_generated. The report has a row for each strategy: the value of the first
    round to its player before it, and its gain over the blueprint.

    \b
    sixmax stage self-generated --run results/modicum-200bb --config '{"values": 10}' --seed 1 \\
        --out results/modicum-200bb/self_generated/values.zarr \\
        --check results/modicum-200bb/self_generated/check.json

    Raises UserError for ``config.values`` below 2, and for a run that is not of two players and
    hold'em's four rounds.
    """
    run = open_run(folder)
    if config.values < 2:
        raise UserError(
            f"self_generated.values: found {config.values}, wanted 2 or more; the paper has 10"
        )
    if run.buckets is None or run.game.seats != 2 or len(run.game.rounds) != len(ROUNDS):
        raise UserError(
            f"{folder}: found {run.game.seats} seats, {len(run.game.rounds)} rounds; wanted a run "
            "of two players, hold'em with its four rounds"
        )
    maker, record = _Maker(run, work, seed), []
    total = 2 * (config.values - 1) * work.iterations
    with Progress(total, "self-generated", "iterations") as progress:
        for _ in range(1, config.values):
            record += maker.another(progress.add)
    write(out, "self-generated", maker.kept.stored(), run=run.identity["digest"])
    settings = config.model_dump() | work._asdict()
    values = {"unit": "chips", "config": settings, "seed": seed, "strategies": record}
    records.write(check, CHECK, values)


class _Maker:
    """The values so far, and the next strategy of each player."""

    def __init__(self, run: Run, work: Responses, seed: int):
        self._run, self._work, self._seed = run, work, seed
        self._policy = run.policy("blueprint")
        self._hands = hands_on(NO_BOARD, run.buckets, run.ranks)
        node = leaves.leaf_starts(run)
        self._ranges = ranges_at(run, self._policy, node)
        lead = edges(self._hands, NO_BOARD, run.ranks)
        base = self._estimated(self._policy)
        self.kept = FirstRound(node, np.stack([base[None]] * 2), lead, self._ranges)

    def another(self, progress: Any) -> list[dict[str, Any]]:
        """Add a strategy of each player; the rows of the record."""
        kept, made, rows = self.kept, [], []
        number = kept.chips.shape[1]
        for seat in (0, 1):
            trunk = leaves.solve(self._run, kept, seat, self._work.trunk_iterations)
            response = respond(
                self._run, self._policy, trunk.strategy, seat, self._work.iterations,
                int(child(self._seed, "response", seat, number)), progress,
            )  # fmt: skip
            values = self._estimated(response)
            base = kept.chips[seat, 0]
            lowered = leaves.weakened(self._hands, self._ranges, seat, base, values)
            made.append(lowered)
            ends = (each - base for each in (values, lowered))
            more, left = (leaves.won(self._hands, self._ranges, seat, each) for each in ends)
            rows.append({
                "seat": seat, "strategy": number, "value": trunk.value, "won": more, "left": left,
            })  # fmt: skip
            say(
                f"self-generated: seat {seat}, strategy {number}: value of the first round with "
                f"those before {trunk.value:+.2f} chips; gain over the blueprint, from the "
                f"blueprint's ranges, {more:+.2f}, weakened {left:+.2f}"
            )
        self.kept = kept._replace(chips=np.concatenate([kept.chips, np.array(made)[:, None]], 1))
        return rows

    def _estimated(self, policy: np.ndarray) -> np.ndarray:
        """All from the same deals, so that the luck of a deal favours no strategy."""
        seed = int(child(self._seed, "roll-outs"))
        return leaves.estimated(self._run, policy, self._work.roll_outs, seed)


def respond(
    run: Run, policy: np.ndarray, first: np.ndarray, seat: int, iterations: int, seed: int,
    progress: Done = quiet,
) -> np.ndarray:  # fmt: skip
    """The response of ``seat``, with ``policy`` in the rows of the other: uint8[layout.size].

    The other plays ``first`` float64[entries of the first round] there, and then ``policy``.
    ``iterations`` are rounded up to whole batches; ``progress`` is called with those done since.

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
    schedule = _schedule(run, last)
    training = Training(run.tree, layout, run.dealer, table, schedule, seed, learner=seat)
    train(training, 1, last, progress)
    learned = complete(run.tree, layout, from_regrets(run.tree, layout, table.regret), policy)
    for r in range(len(layout.buckets)):
        place = section(layout, r, other)
        learned[place] = policy[place]
    return learned


def _schedule(run: Run, last: int) -> Schedule:
    """The run's, without pruning and counters, and with discounts in the first half."""
    batch = run.schedule.batch
    every = max(last // (2 * _DISCOUNTS) // batch, 1) * batch
    return run.schedule.schedule()._replace(
        discount_every=every, discount_until=last // 2, count_after=_NEVER, prune_after=_NEVER,
        prune_share=0.0, prune_half=0,
    )  # fmt: skip
