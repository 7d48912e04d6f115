"""Searches a second: endgames of river and turn, a flop with two players and one with three."""

from functools import partial

import numpy as np

from benchmarks.games import BenchGame, as_run, preset
from benchmarks.measure import ONE_AND_TWO, TWO, Meter, cores, timed
from sixmax.base.jit import set_threads
from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.tree_build import build
from sixmax.cards.deck import holds, n_holes, parse_cards
from sixmax.cfr.methods import DCFR_EXACT
from sixmax.cfr.policy import from_regrets
from sixmax.search.public_hand import PublicHand
from sixmax.search.searcher import Searcher
from sixmax.search.solvers.ranges.game import RangeGame, endgame
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.studies.validate.games import BOARD, POT, river

TURN = BOARD[:-2]


def endgames(meter: Meter, iterations: int) -> None:
    """A river, and two turns with bets of the pot and all-in, by the solver of all hands."""
    all_hands = np.ones((2, n_holes(13)))
    _endgame(meter, "river of two players, all hands", river(), iterations)
    _endgame(meter, "turn of two players, all hands", _turn(3500, all_hands), iterations // 4)
    some = "turn of two players, 57 nodes, 855 and 405 hands"  # as wide as one of a real match
    _endgame(meter, some, _turn(1500, _ranges(855, 405)), iterations // 2)


def _turn(stack: int, reach: np.ndarray) -> RangeGame:
    bets = RoundSizes(sizes=[[1, "A"]], max_raises=9, max_players=2)
    players = {"stacks": [stack] * 2, "blinds": [0, 0], "antes": [POT // 2] * 2, "first": [0, 0]}
    return endgame(build(GameConfig(**players, rounds=[bets] * 2)), TURN, reach)


def _ranges(*sizes: int) -> np.ndarray:
    """Reach of so many hands of each player, drawn among those that the turn leaves."""
    draw, reach = np.random.default_rng(1), np.zeros((len(sizes), n_holes(13)))
    left = np.flatnonzero(~holds(parse_cards(TURN)))
    for row, size in zip(reach, sizes, strict=True):
        row[draw.choice(left, size, replace=False)] = 1
    return reach


def _endgame(meter: Meter, name: str, game: RangeGame, n: int) -> None:
    meter.begin(f"search: a {name}")
    for threads in ONE_AND_TWO:
        set_threads(threads)
        off = 100 / POT * RangeSolver(game, DCFR_EXACT).run(n).nash_conv().total / 2
        meter.watch()
        turns = [timed(lambda: RangeSolver(game, DCFR_EXACT).run(n), n) for _ in range(3)]
        facts = {"exploitability, % of the pot": off, "decisions": int(game.tree.decisions.sum())}
        label, about = f"{n} iterations, {cores(threads)}", {"threads": threads, "facts": facts}
        meter.add(label, "iterations/s", turns, **about)


def flop(
    meter: Meter, on: BenchGame, game: GameConfig, ranks: int, packed: np.ndarray, iterations: int
) -> None:
    """A search of the flop on the table of ``on``, in seconds: two players, and three."""
    meter.begin(f"search: a flop, the default tree, blueprint's buckets, {cores(TWO)}")
    set_threads(TWO)
    tree, layout, _, table = on.training[:4]
    run, policy = as_run(on, game, ranks), from_regrets(tree, layout, table.regret)
    few = max(1, iterations // 200)
    update = {"buckets": 0, "bets": [], "iterations": iterations, "vector_iterations": [few] * 4}
    config = preset("default").search.model_copy(update=update)
    for players, label in (
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
        meter.add(label, "searches/s", turns, threads=TWO)
