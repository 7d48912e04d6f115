"""Hands a second of matches, experiments and AIVAT; and searches: a river endgame, a flop with two
players and three."""

import numpy as np

from benchmarks.ground import Ground, as_run, preset
from benchmarks.measure import ONE_AND_TWO, TWO, Meter, cores, once
from sixmax.cards.deck import n_holes
from sixmax.cfr.policy import from_regrets
from sixmax.evaluation.agents import policies
from sixmax.evaluation.aivat.scored_match import columns
from sixmax.evaluation.aivat.values_estimate import estimate
from sixmax.evaluation.aivat.values_fit import fit
from sixmax.evaluation.experiments.sources import lineups
from sixmax.evaluation.match import control
from sixmax.evaluation.match.control import turns
from sixmax.evaluation.match.duplicate import net_chips
from sixmax.game.config import GameConfig
from sixmax.game.rules import CALL, FOLD
from sixmax.jit import set_threads
from sixmax.search.hand import PublicHand
from sixmax.search.searcher import Searcher
from sixmax.validate.river import river


def match(meter: Meter, on: Ground, packed: np.ndarray, deals: int) -> None:
    """Hands a second of the current strategy against itself, and against a continuation."""
    meter.begin(f"match, duplicate, {cores(TWO)}")
    set_threads(TWO)
    where = policies.ground(on.tree, on.layout)
    policy = policies.agent(policies.POLICY, from_regrets(on.tree, on.layout, on.table.regret))
    for name, other in (
        ("itself", policy),
        ("a continuation", policies.agent(policies.PACKED, packed[0])),
    ):

        def play(other: policies.Agent = other) -> float:
            net = net_chips((policy, other), where, on.dealer, 1, 0, deals)
            return float(net.size)

        meter.rate(f"strategy against {name}", "hands/s", play, threads=TWO)


def experiment(meter: Meter, on: Ground, packed: np.ndarray, deals: int) -> None:
    """Hands a second of whole tables: one among five continuations, and the Control's hand."""
    meter.begin(f"experiment, {cores(TWO)}")
    set_threads(TWO)
    where, seats = policies.ground(on.tree, on.layout), on.tree.columns.shape[1]
    policy = policies.agent(policies.POLICY, from_regrets(on.tree, on.layout, on.table.regret))
    team = policy, *(policies.agent(policies.PACKED, row) for row in packed)
    turn = turns(seats, 0, deals, every=True)
    lineup = lineups(1, 0, deals, len(packed), seats)

    def tables() -> float:
        control.play(team, lineup, turn, 0, where, on.dealer, 1, 0)
        return float(turn.size + deals)

    meter.rate("one among continuations", "hands/s", tables, threads=TWO)


def aivat(meter: Meter, on: Ground, game: GameConfig, hands: int, deals: int) -> None:
    """Hands a second of the self-play that its values come from, and of those that it scores."""
    meter.begin(f"AIVAT, {cores(TWO)}")
    set_threads(TWO)
    where, seats = policies.ground(on.tree, on.layout), on.tree.columns.shape[1]
    policy = policies.agent(policies.POLICY, from_regrets(on.tree, on.layout, on.table.regret))
    found = []

    def learn() -> float:
        values = estimate(game, where, on.dealer, policy, hands, 1)
        found[:] = [fit(values, where, on.dealer, policy, hands, 2)]
        return 2.0 * hands

    def score() -> float:
        columns((policy, policy), where, on.dealer, found[0], 3, 0, deals)
        return float(deals * seats)

    meter.rate("self-play for its values, played twice", "hands/s", learn, turns=3, threads=TWO)
    meter.rate("hands scored", "hands/s", score, turns=3, threads=TWO)


def river_endgame(meter: Meter, iterations: int) -> None:
    """A river of 1,081 hands a side, solved by the search's solver of all hands."""
    from sixmax.cfr.full.solve import DCFR
    from sixmax.search.solvers.ranges.solver import RangeSolver

    meter.begin("search: a river of two players, all hands")
    game = river()
    pot = 500
    for threads in ONE_AND_TWO:
        set_threads(threads)
        RangeSolver(game, DCFR).run(1)
        meter.watch()
        solvers = []

        def solve(solvers: list = solvers) -> None:
            solvers[:] = [RangeSolver(game, DCFR).run(iterations)]

        name = f"{iterations} iterations, {cores(threads)}"
        meter.add(
            name, "iterations/s", [once(solve, iterations) for _ in range(3)], threads=threads
        )
    found = solvers[0].nash_conv()
    meter.note(
        f"{len(game.tree.node)} nodes x {n_holes(13)} holes, exploitability after {iterations} "
        f"iterations {100 * found.total / 2 / pot:.2f} % of the pot"
    )


def flop_search(
    meter: Meter, on: Ground, game: GameConfig, ranks: int, packed: np.ndarray, iterations: int
) -> None:
    """A search of the flop on the table of ``on``, in seconds: two players, and three."""
    meter.begin(f"search: a flop, the default tree, blueprint's buckets, {cores(TWO)}")
    set_threads(TWO)
    run = as_run(on, game, ranks)
    policy = from_regrets(on.tree, on.layout, on.table.regret)
    config = preset("default").search.model_copy(
        update={
            "buckets": 0,
            "iterations": iterations,
            "board_iterations": max(1, iterations // 200),
        }
    )
    for players in (2, 3):
        if game.seats < players:
            continue
        before = [FOLD] * (game.seats - players) + [CALL] * players

        def search(seed: int, before: list[int] = before) -> None:
            hand = PublicHand(
                run, policy, config, Searcher(run, policy, config, packed=packed), seed
            )
            for action in before:
                hand.act(action)
            hand.deal("AhKd9c" if ranks >= 6 else "AhKdQc")
            hand.play()

        search(0)
        meter.watch()
        what = f"two players, {config.board_iterations:,} iterations of all hands"
        if players == 3:
            what = f"three players, {iterations:,} iterations of Monte Carlo CFR"
        meter.add(what, "searches/s", [once(lambda s=s: search(s)) for s in (1, 2, 3)], threads=TWO)
