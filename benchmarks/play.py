"""Hands a second of matches, experiments and AIVAT."""

from functools import partial

import numpy as np

from benchmarks.games import BenchGame
from benchmarks.measure import TWO, Meter, cores
from sixmax.base.jit import set_threads
from sixmax.betting.config import GameConfig
from sixmax.cfr.policy import from_regrets
from sixmax.evaluation.aivat.scored_match import ScoredGame, columns
from sixmax.evaluation.aivat.values import Values
from sixmax.evaluation.aivat.values_estimate import estimate
from sixmax.evaluation.aivat.values_fit import fit
from sixmax.evaluation.experiments.hands import lineups
from sixmax.evaluation.match.duplicate import net_chips
from sixmax.evaluation.match.play import play_controlled
from sixmax.ongoing import policies


def measure(meter: Meter, on: BenchGame, packed: np.ndarray, game: GameConfig, small: bool) -> None:
    """The current strategy of ``on`` against itself, and against continuations ``packed``."""
    set_threads(TWO)
    tree, layout, dealer, table = on.training[:4]
    rules, seats = policies.match_game(tree, layout), tree.columns.shape[1]
    policy = policies.mixed(rules, from_regrets(tree, layout, table.regret))
    others = [policies.pure(rules, row) for row in packed]
    meter.begin(f"match, duplicate, {cores(TWO)}")
    deals = 50 if small else 20_000
    for name, other in (("itself", policy), ("a continuation", others[0])):
        match = partial(net_chips, (policy, other), rules, dealer, 1, 0, deals)
        meter.rate(f"strategy against {name}", "hands/s", match().size, match, threads=TWO)
    meter.begin(f"experiment, {cores(TWO)}")
    tables = 50 if small else 8_000
    lineup = lineups(1, 0, tables, len(packed), seats)
    played = partial(play_controlled, (policy, *others), lineup, 0, rules, dealer, 1, 0)
    meter.rate("one among continuations", "hands/s", (seats + 1) * tables, played, threads=TWO)
    meter.begin(f"AIVAT, {cores(TWO)}")
    hands, scored = (500, 5) if small else (100_000, 200)

    def learn() -> Values:
        estimated = estimate(game, rules, dealer, policy, hands, 1)
        return fit(estimated, rules, dealer, policy, hands, 2)

    label = "self-play for its values, played twice"
    values = meter.rate(label, "hands/s", 2 * hands, learn, turns=3, threads=TWO)
    match = ScoredGame((policy, policy), rules, dealer, values)
    score = partial(columns, match, 3, 0, scored)
    meter.rate("hands scored", "hands/s", scored * seats, score, turns=3, threads=TWO)
