"""What search gains in games small enough to judge it exactly: ``python -m benchmarks.search``.

Leduc poker and reduced hold'em, each with a blueprint that the production kernels train on few
buckets. Prints Markdown: exploitability, in chips a game, of play that searches at every root.
"""

import sys
import time

import numpy as np

from benchmarks.ground import PLAIN
from sixmax.cfr.deals import Deals, TableDealer
from sixmax.cfr.full.best_response import nash_conv
from sixmax.cfr.full.solve import CFR_PLUS, solve
from sixmax.cfr.full.sweep import field
from sixmax.cfr.layout import Layout, layout
from sixmax.cfr.policy import shares, uniform
from sixmax.cfr.sampled.train import new_table, train
from sixmax.game.tree import Tree
from sixmax.game.tree_build import build
from sixmax.games import reduced_holdem, toy
from sixmax.search.loss import early_loss
from sixmax.search.solvers.exact_small import Plan, Search
from sixmax.validate.small_search import lossless
from sixmax.validate.small_search import maps as maps_of

TRAINED = 100_000  # iterations of the blueprint
SCHEDULE = PLAIN._replace(batch=50, count_after=0, scale=10_000.0)


def blueprint(tree: Tree, deals: Deals, fine: Layout, maps: tuple[np.ndarray, ...]) -> np.ndarray:
    """Trained on the buckets of ``maps``, as a strategy of lossless ones."""
    bucket = np.stack([m[deals.bucket[:, :, r]] for r, m in enumerate(maps)], axis=2)
    dealer = TableDealer(Deals(bucket.astype(np.int32), deals.rank))
    where = layout(tree, dealer.buckets)
    table = new_table(where, len(maps))
    train(tree, where, dealer, table, SCHEDULE, 1, 1, TRAINED)
    return lossless(shares(tree, where, table.count), where, fine, maps)


def main(name: str) -> None:
    game, deals = {
        "leduc": lambda: (toy.game("leduc"), toy.deals("leduc")),
        "reduced": lambda: (reduced_holdem.game(), reduced_holdem.deals()),
    }[name]()
    maps = maps_of(name)
    tree = build(game)
    where = layout(tree, list(deals.buckets))
    whole = field(tree, where, deals)
    poor = blueprint(tree, deals, where, maps)
    rounds = len(maps)

    def score(strategy: np.ndarray) -> float:
        return nash_conv(tree, where, deals, strategy).total / 2

    def row(label: str, strategy: np.ndarray = poor, **plan: object) -> None:
        begin = time.perf_counter()
        found = Search(tree, where, whole, strategy, Plan(**{"iterations": 300, **plan})).nested()
        spent = time.perf_counter() - begin
        cells = f"{score(found.average):.3f} | {score(found.last):.3f} | {spent:.1f}"
        print(f"| {label} | {cells} |", flush=True)

    print(f"{name}: blueprint {score(poor):.3f}, uniform {score(uniform(tree, where)):.3f}\n")
    print("| search | average | last | s |\n|---|---|---|---|")
    for first in (0, 1):
        for choices in (1, 2, 3, 4):
            row(f"from round {first}, {choices} continuations", first=first, choices=choices)
    for n in (10, 30, 100, 1000):
        row(f"from round 1, {n} iterations", first=1, iterations=n)
    for label, depth in (
        ("1 action", {"actions": 1}),
        ("2 actions", {"actions": 2}),
        *((f"{n} rounds", {"rounds": n}) for n in range(1, rounds + 1)),
    ):
        row(f"from round 0, leaves after {label}", **depth)
    one = tuple(np.zeros(n, int) for n in deals.buckets)
    for label, buckets in (("1 bucket", one), ("the blueprint's", maps), ("lossless", ())):
        row(f"from round 0 to the end, later rounds: {label}", rounds=rounds, buckets=buckets)
    same = tuple(np.arange(n) for n in deals.buckets)
    fine = blueprint(tree, deals, where, same)
    print(f"\nblueprint trained losslessly: {score(fine):.3f}\n")
    for first, choices in ((0, 1), (0, 4), (1, 4)):
        row(f"from round {first}, {choices} continuations", fine, first=first, choices=choices)
    good = solve(tree, where, deals, 300, CFR_PLUS)[300]
    for label, strategy in (("coarse", poor), (f"near equilibrium ({score(good):.4f})", good)):
        lost = [f"{early_loss(tree, where, whole, strategy, 1, 300):.4f}"]
        for choices in (1, 2, 3, 4):
            found = Search(tree, where, whole, strategy, Plan(300, choices, method=CFR_PLUS))
            lost.append(f"{early_loss(tree, where, whole, found.nested().average, 1, 300):.4f}")
        print(f"\nfirst round alone, blueprint {label}; then 1-4 continuations: {lost}", flush=True)


if __name__ == "__main__":
    for chosen in sys.argv[1:] or ["leduc", "reduced"]:
        main(chosen)
