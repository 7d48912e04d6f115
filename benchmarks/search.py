"""Searches a second: a river endgame, a flop with two players and one with three."""

from functools import partial

import numpy as np

from benchmarks.games import BenchGame, as_run, preset
from benchmarks.measure import ONE_AND_TWO, TWO, Meter, cores, timed
from sixmax.cfr.methods import DCFR
from sixmax.cfr.policy import from_regrets
from sixmax.game.config import GameConfig
from sixmax.game.rules import CALL, FOLD
from sixmax.jit import set_threads
from sixmax.search.public_hand import PublicHand
from sixmax.search.searcher import Searcher
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.validate.river import river


def river_endgame(meter: Meter, iterations: int) -> None:
    """A river of 1,081 hands a side, solved by the search's solver of all hands."""
    meter.begin("search: a river of two players, all hands")
    game = river()  # a pot of 500
    for threads in ONE_AND_TWO:
        set_threads(threads)
        off = RangeSolver(game, DCFR).run(iterations).nash_conv().total / 2
        meter.watch()
        turns = [
            timed(lambda: RangeSolver(game, DCFR).run(iterations), iterations) for _ in range(3)
        ]
        facts, what = {"exploitability, % of the pot": off / 5}, f"{iterations} iterations"
        meter.add(f"{what}, {cores(threads)}", "iterations/s", turns, threads=threads, facts=facts)


def flop(
    meter: Meter, on: BenchGame, game: GameConfig, ranks: int, packed: np.ndarray, iterations: int
) -> None:
    """A search of the flop on the table of ``on``, in seconds: two players, and three."""
    meter.begin(f"search: a flop, the default tree, blueprint's buckets, {cores(TWO)}")
    set_threads(TWO)
    run, policy = as_run(on, game, ranks), from_regrets(on.tree, on.layout, on.table.regret)
    few = max(1, iterations // 200)
    update = {"buckets": 0, "bets": [], "iterations": iterations, "board_iterations": few}
    config = preset("default").search.model_copy(update=update)
    for players, what in (
        (2, f"two players, {few:,} iterations of all hands"),
        (3, f"three players, {iterations:,} iterations of Monte Carlo CFR"),
    ):
        before = [FOLD] * (game.seats - players) + [CALL] * players

        def search(seed: int, before: list[int] = before) -> None:
            hand = PublicHand(
                run, policy, config, Searcher(run, policy, config, packed=packed), seed
            )
            for action in before:
                hand.act(action)
            hand.deal("AhKd9c")
            hand.play()

        search(0)
        meter.watch()
        turns = [timed(partial(search, s)) for s in (1, 2, 3)]
        meter.add(what, "searches/s", turns, threads=TWO)
