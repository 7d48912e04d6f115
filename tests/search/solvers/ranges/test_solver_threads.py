"""The same bits and the same kernel for any number of threads."""

import inspect

import numba
import numpy as np
import pytest

from search.solvers.ranges.small import BOARDS, RANKS, small_ranges, small_tree
from sixmax.base.jit import set_threads, threads_in_use
from sixmax.betting.config import GameConfig
from sixmax.betting.tree_build import build
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.search.solvers.ranges.walk import learn


def test_solve__same_bits_for_any_threads():
    before, totals = threads_in_use(), []
    for threads in (1, 2):
        set_threads(threads)
        for rounds in (1, 2):
            game = endgame(small_tree(rounds), BOARDS[rounds], small_ranges(), ranks=RANKS)
            totals.append(RangeSolver(game).run(5).total.tobytes())
    set_threads(before)
    assert totals[:2] == totals[2:]


FULL = np.random.default_rng(5).random((2, 1326))  # enough hands that two threads work at once


def wide_river():
    """A river of many parts."""
    sizes = {"sizes": [[0.25, 0.5, 1, 2, "A"], [0.5, 1, "A"]], "max_raises": 9, "max_players": 2}
    config = GameConfig(stacks=[2000] * 2, blinds=[0, 0], antes=[10, 10], first=[0], rounds=[sizes])
    return endgame(build(config), "Qs8h5d2s7c", FULL), ()


def bucketed_turn():
    """Sixteen rivers an iteration, whose hands share the rows of buckets, and one part on each."""
    sizes = {"sizes": [[1, "A"]], "max_raises": 9, "max_players": 2}
    config = GameConfig(
        stacks=[3500] * 2, blinds=[0, 0], antes=[500] * 2, first=[0, 0], rounds=[sizes] * 2
    )
    few = np.tile(np.arange(1326) % 7, (48, 1))
    game = endgame(build(config), "Qs8h5d2s", FULL, (None, few))
    assert len(game.public.round) == 2
    return game, (16,)


@pytest.mark.parametrize("make", [wide_river, bucketed_turn])
def test_solve__same_bits_where_threads_share_the_work(make):
    if numba.config.NUMBA_NUM_THREADS < 2:
        pytest.skip("one core")
    before, results = threads_in_use(), []
    for threads in (1, 2, 2):
        set_threads(threads)
        game, sample = make()
        assert len(game.public.decisions) * max((1, *sample)) > 200
        solver = RangeSolver(game, sample=sample, seed=3).run(20)
        results.append(solver.regret.tobytes() + solver.total.tobytes())
    set_threads(before)
    assert results[0] == results[1] == results[2]


def test_solve__all_games_take_the_same_kernel():
    """Another order of memory would be another type, and half a minute more of compiling."""
    for game, _ in (wide_river(), bucketed_turn()):
        RangeSolver(game).run(1)
    at = list(inspect.signature(learn.py_func).parameters).index("threads")
    threads = [signature[at] for signature in learn.signatures]
    assert len(set(threads)) == len(threads) <= 2  # none for one thread, a number for more
