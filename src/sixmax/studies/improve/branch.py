"""A branch of the betting, solved: an opponent's new bet, and all that may follow it.

Libratus, supplement, "Further details of the self-improvement algorithm": unsafe solving from the
opponent's decision on. Both sides are believed to have played the blueprint before. At the root
the opponent may fold, check or call, or make the new bet, and for type 2 also a default bet, so
that not all of its hands are taken to make the new one.
"""

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.progress import Done, quiet
from sixmax.betting.rules import CALL, after, begin
from sixmax.betting.sizing import sizes
from sixmax.betting.tree import Tree
from sixmax.betting.tree_build import WHOLE, build_from
from sixmax.blueprint.run import Run
from sixmax.cfr.layout import Layout, layout, section
from sixmax.cfr.policy import complete, from_regrets, from_sums
from sixmax.cfr.sampled.log import CEILING
from sixmax.cfr.sampled.schedule import Schedule
from sixmax.cfr.sampled.train import Training, new_table, train
from sixmax.ongoing.bayes import after_action, before_the_deal
from sixmax.ongoing.hand import blueprint_buckets, blueprint_rows
from sixmax.search.solvers.deal import SubgameDealer
from sixmax.search.subgame import SubgameCards
from sixmax.studies.improve.overlay import Branch, restrict

_BATCH = 200  # iterations that read the same frozen regrets
_DISCOUNTS = 50  # of Linear CFR, in the first half
_NO_BOARD = np.empty(0, np.int8)


def solve(
    run: Run, policy: np.ndarray, after: tuple[int, ...], raise_to: int, balanced: bool,
    iterations: int, seed: int, progress: Done = quiet,
) -> Branch:  # fmt: skip
    """Solve the branch of the bet ``raise_to``, at the decision of the first round ``after``.

    ``policy`` is the blueprint's, uint8[run.layout.size]. A ``balanced`` branch (type 2) has the
    default bet too: the raise of the game's own that the blueprint makes most often there. The
    strategy is the average of the second half of ``iterations`` of external sampling, or the last
    one where that never came. Raises UserError where the bet is not legal, or the tree has it.

    # ASSUME the play that follows the default bet has the blueprint's buckets as well; the paper's
    were coarser, to save time. # ASSUME the opponent may limp at the first decision, too: this
    blueprint does, Libratus's did not.
    """
    node = run.tree.find(after)
    offered = run.tree.offered(node)
    if raise_to in offered:
        raise UserError(f"raise to {raise_to}: the tree has it there; wanted one that it lacks")
    held = beliefs(run, policy, node)
    usual = {}
    if balanced:
        rows = blueprint_rows(run, policy, node, blueprint_buckets(run, _NO_BOARD))
        mean = held[run.tree.seat(node)] @ rows
        usual = {a: float(p) for a, p in zip(offered, mean, strict=True) if a > CALL}
    tree = _tree(run, after, raise_to, usual)
    root = next(child for child in tree.children(0) if tree.action[child] == raise_to)
    dealer = SubgameDealer(
        held, _NO_BOARD, len(tree.columns), SubgameCards(run.ranks, run.buckets),
        run.schedule.boards,
    )  # fmt: skip
    by_hole = layout(tree, dealer.buckets)
    table, schedule = new_table(by_hole, len(tree.columns)), _schedule(run, iterations)
    training = Training(tree, by_hole, dealer, table, schedule, seed)
    train(training, 1, _whole(iterations), progress)
    own = layout(tree, list(run.layout.buckets))
    count, regret = (_in_buckets(run, by_hole, own, each) for each in table[::-1])
    average, last = from_sums(tree, own, count), from_regrets(tree, own, regret)
    return Branch(tree, root, complete(tree, own, average, last))


def beliefs(run: Run, policy: np.ndarray, node: int) -> np.ndarray:
    """The hands of each seat at a decision of the first round, by Bayes: float64[seats, holes]."""
    held, bucket = before_the_deal(run.game.seats, run.ranks), blueprint_buckets(run, _NO_BOARD)
    at = 0
    for action in run.tree.path(node):
        rows = blueprint_rows(run, policy, at, bucket)
        taken = run.tree.offered(at).index(action)
        held = after_action(held, run.tree.seat(at), rows[:, taken])
        at = run.tree.children(at)[taken]
    return held


def _tree(run: Run, taken: tuple[int, ...], raise_to: int, usual: dict[int, float]) -> Tree:
    """The betting after ``taken`` with fold, call, the new bet, and the likeliest of ``usual``.

    The game's own raises alone can be it: branches that the run has already are not in its sizes.
    """
    scope = WHOLE._replace(taken=np.array([raise_to], np.int64))
    whole = build_from(after(begin(run.game), taken), sizes(run.game), scope)
    own = whole.offered(0)
    default = sorted((a for a in own if a in usual), key=lambda a: (-usual[a], a))[:1]
    return restrict(whole, [a for a in own if a <= CALL] + [raise_to] + default).tree


def _whole(iterations: int) -> int:
    return -(-iterations // _BATCH) * _BATCH


def _schedule(run: Run, iterations: int) -> Schedule:
    """Linear CFR in the first half, the average in the second; nothing is pruned."""
    last = _whole(iterations)
    every = -(-last // (2 * _BATCH * _DISCOUNTS)) * _BATCH
    return Schedule(
        batch=_BATCH, discount_every=every, discount_until=last // 2, count_every=1,
        count_after=last // 2, prune_after=0, prune_share=0.0, prune_threshold=0,
        regret_floor=-CEILING, scale=run.schedule.scale,
    )  # fmt: skip


def _in_buckets(run: Run, by_hole: Layout, own: Layout, table: np.ndarray) -> np.ndarray:
    """``table``, whose rows of the first round are by hole, in the run's buckets: float64."""
    total, bucket = np.zeros(own.size), blueprint_buckets(run, _NO_BOARD)
    total[own.start[1] :] = table[by_hole.start[1] :]
    for seat in range(run.game.seats):
        width = int(own.columns[0, seat])
        rows = table[section(by_hole, 0, seat)].reshape(-1, width)
        np.add.at(total[section(own, 0, seat)].reshape(-1, width), bucket, rows)
    return total
