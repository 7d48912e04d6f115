"""The blueprint's own values: chips of each player by node and bucket when both play it.

Two players of hold'em. The value of a bucket at a node is its counterfactual value over its
counterfactual reach: the mean over the deals in which the player holds a hand of the bucket, each
weighed by the probability that chance and the opponent's strategy bring the game there (Zinkevich
et al. 2007, section 3.1). The player's own strategy counts from the node on, not before it. Safe
subgame solving compares such values with those of its own strategies (Brown and Sandholm 2017,
"Safe and nested subgame solving for imperfect-information games").

Boards are sampled; on each board all hands of both players are swept exactly. The boards are
independent, so the standard error of a mean over them is known.
"""

from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import Annotated, NamedTuple

import numpy as np

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.jit import read_only, threads_in_use
from sixmax.base.progress import Progress, say
from sixmax.base.rng import child
from sixmax.betting.tree import Tree, is_decision, round_of
from sixmax.blueprint import identity
from sixmax.blueprint.config import no_values
from sixmax.blueprint.run import Run, open_run
from sixmax.blueprint.values_kernels import SelfPlay, add_board, lay_board, room, stakes, sweep
from sixmax.cards.deck import ROUNDS, n_cards
from sixmax.store import read, write


class NodeValues(NamedTuple):
    """Values of the nodes of one round, by the buckets of that round."""

    node: np.ndarray  # int32[rows]: decisions of the round and their children, ascending
    value: np.ndarray  # float32[rows, seats, buckets]: net chips over the hand; NaN where no reach
    error: np.ndarray  # float32, the same: standard error; NaN for fewer than two boards
    reach: np.ndarray  # float32, the same: probability of the bucket and the opponent's actions
    boards: np.ndarray  # int32, the same: sampled boards with such a hand


@options.stage
def node_values(
    folder: options.Run,
    round_name: Annotated[str, options.Option("The betting round.", "--round", choices=ROUNDS)],
    boards: Annotated[int, options.Option("Sampled; all hands are played on each.", least=2)],
    threads: options.Threads, out: options.Store,
) -> None:  # fmt: skip
    """Estimate the blueprint's own values, by node and bucket.

    For the decisions of a round and the nodes that they lead to: the counterfactual value of each
    player's buckets in chips, its standard error, and its weight, the reach.

    Raises UserError for more than two players, a game without hold'em's cards, or a round that the
    run does not have.
    """
    run = open_run(folder)
    if reason := no_values([round_name], run.game):
        raise UserError(f"{folder}: values of nodes: {reason}")
    seed = child(run.seed, "blueprint values", round_name)
    dealt = run.dealer.cards(seed, 0, boards)[:, 4 : 4 + run.game.board_cards]
    with Progress(boards, f"values of the {round_name}", "boards") as progress:
        values = estimate(run, run.policy("blueprint"), dealt, ROUNDS.index(round_name), progress)
    error = values.error[np.isfinite(values.error)]
    middle = f"{np.median(error):.3g} (median)" if error.size else "unknown"
    say(
        f"values of the {round_name}: {len(values.node):,} nodes; "
        f"{error.size / values.error.size:.0%} of their buckets on two boards or more, "
        f"standard error {middle} chips"
    )
    write(
        out, "node-values", values._asdict(), run=run.identity["digest"],
        blueprint=_blueprint(run), round=round_name, sampled=boards,
    )  # fmt: skip


def rows_of(tree: Tree, in_round: int) -> np.ndarray:
    """The decisions of ``in_round`` and the nodes after their actions, ascending: int32[rows]."""
    inside = is_decision(tree.node[:, 0]) & (round_of(tree.node[:, 0]) == in_round)
    return np.flatnonzero(inside | inside[tree.parent] & (tree.parent >= 0)).astype(np.int32)


def estimate(
    run: Run, policy: np.ndarray, boards: np.ndarray, in_round: int, progress: Progress
) -> NodeValues:
    """The values of ``policy`` uint8[layout.size] over ``boards`` int8[boards, cards].

    Exact for the game in which chance draws one of ``boards``, each as likely.
    """
    tree, layout, threads = run.tree, run.layout, threads_in_use()
    node, count = rows_of(tree, in_round), int(layout.buckets[in_round])
    row = np.full(len(tree.node), -1, np.int32)
    row[node] = np.arange(len(node))
    stake, policy = stakes(tree.node, tree.contributed), read_only(policy)
    self_play = SelfPlay(tree.node, stake, layout, policy, row, in_round)
    rooms = [room(tree, int(layout.buckets.max()), run.ranks) for _ in range(threads)]
    sums = np.zeros((threads, len(node), 2, count, 2))
    moments, met = np.zeros((len(node), 2, count, 5)), np.zeros((len(node), 2, count), np.int32)

    def play(slot: int, board: np.ndarray) -> None:
        hands = lay_board(run.dealer.tables, run.ranks, board, rooms[slot])
        sweep(self_play, hands, rooms[slot], sums[slot])

    with ThreadPoolExecutor(threads) as pool:
        for first in range(0, len(boards), threads):
            batch = boards[first : first + threads]
            list(pool.map(play, range(len(batch)), batch))
            for slot in range(len(batch)):  # in the order of the boards, whatever the threads
                add_board(sums[slot], moments, met)
            progress.add(len(batch))
    left = n_cards(run.ranks) - boards.shape[1]
    return _settle(node, moments, met, len(boards) * comb(left, 2) * comb(left - 2, 2))


def _settle(node: np.ndarray, moments: np.ndarray, met: np.ndarray, deals: int) -> NodeValues:
    """Ratios of sums over boards, and their standard errors by the residuals of each board."""
    c, w, cc, cw, ww = np.moveaxis(moments, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = c / w
        residual = np.maximum(cc - 2 * value * cw + value * value * ww, 0)
        error = np.sqrt(residual * met / (met - 1)) / w
    error[met < 2] = np.nan
    value, error, reach = (a.astype(np.float32) for a in (value, error, w / deals))
    return NodeValues(node, value, error, reach, met)


def _blueprint(run: Run) -> str:
    """The content digest of the blueprint, which another number of intervals changes."""
    return identity.content_digest(read(run.folder / "blueprint/strategy.zarr", "strategy"))


def load(run: Run, round_name: str) -> NodeValues:
    """The values of a round of ``run``. Raises UserError without them, or of another blueprint."""
    store = read(run.folder / "blueprint" / "values" / f"{round_name}.zarr", "node-values")
    wanted = (run.identity["digest"], _blueprint(run))
    if (store.attributes.get("run"), store.attributes.get("blueprint")) != wanted:
        raise UserError(f"{store.path}: of another blueprint; run `sixmax stage node-values` again")
    return NodeValues(*(store[name] for name in NodeValues._fields))
