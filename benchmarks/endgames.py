"""Solve known endgames to a target, and print a table: `python -m benchmarks.endgames`."""

import time
from typing import NamedTuple

import click

import sixmax as sx
from sixmax.api.endgame import Endgame
from sixmax.base.jit import set_threads
from sixmax.cli.process import wait_briefly

WIDE = "22+,A2s+,K5s+,Q8s+,J8s+,T8s+,97s+,86s+,75s+,65s,A8o+,KTo+,QTo+,JTo"
CALL = "22-99,AJs-A2s,KTs-K8s,QTs+,J9s+,T8s+,97s+,KJo+,QJo"
MOST = "22+,A2+,K2+,Q2+,J2+,T5+,95+,86+,85s,75s+,65,64s,54s,53s"
NEARLY_ALL = "22+,A2+,K2+,Q2+,J2+,T2+,94+,84+,74+,64+,54,53s,92s+,82s+,72s+"
# The ranges of two solvers' examples: of a solver in Rust, and of TexasSolver.
RUST = (
    "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
    "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
)
TEXAS = (
    "AA,KK,QQ,JJ,TT,99:0.75,88:0.75,77:0.5,66:0.25,55:0.25,AK,AQs,AQo:0.75,AJs,AJo:0.5,ATs:0.75,"
    "A6s:0.25,A5s:0.75,A4s:0.75,A3s:0.5,A2s:0.5,KQs,KQo:0.5,KJs,KTs:0.75,K5s:0.25,K4s:0.25,"
    "QJs:0.75,QTs:0.75,Q9s:0.5,JTs:0.75,J9s:0.75,J8s:0.75,T9s:0.75,T8s:0.75,T7s:0.75,98s:0.75,"
    "97s:0.75,96s:0.5,87s:0.75,86s:0.5,85s:0.5,76s:0.75,75s:0.5,65s:0.75,64s:0.5,54s:0.75,"
    "53s:0.5,43s:0.5",
    "QQ:0.5,JJ:0.75,TT,99,88,77,66,55,44,33,22,AKo:0.25,AQs,AQo:0.75,AJs,AJo:0.75,ATs,ATo:0.75,"
    "A9s,A8s,A7s,A6s,A5s,A4s,A3s,A2s,KQ,KJ,KTs,KTo:0.5,K9s,K8s,K7s,K6s,K5s,K4s:0.5,K3s:0.5,"
    "K2s:0.5,QJ,QTs,Q9s,Q8s,Q7s,JTs,JTo:0.5,J9s,J8s,T9s,T8s,T7s,98s,97s,96s,87s,86s,76s,75s,65s,"
    "64s,54s,53s,43s",
)
TURN, FLOP, HALF = [[1, "A"], ["A"]], [[0.5, "A"], ["A"]], [[1, "A"], [0.5, "A"]]


class Known(NamedTuple):
    """An endgame, and how near to an equilibrium it is solved."""

    name: str
    game: Endgame
    target: float = 0.003  # of the pot


def known() -> list[Known]:
    """The endgames of docs/notebook/performance/endgames.md."""
    deep = sx.endgame("KsTh7d4c", 500, 19750, (MOST, NEARLY_ALL), [[1, "A"]])
    rust = sx.endgame("Td9d6h", 200, 900, RUST, FLOP)
    texas = sx.endgame("QsJh2h", 1000, 9500, TEXAS, HALF)
    return [
        Known("river, 39 pots", sx.endgame("KsTh7d4c2s", 500, 19750, ("random", "random"))),
        Known("river, 10 pots", sx.endgame("QsJs8d3c3h", 400, 4000, (CALL, WIDE))),
        Known("turn, 3.5 pots", sx.endgame("4s8hTc9h", 500, 1750, (WIDE, CALL), TURN, 2)),
        Known("turn, 10 pots", sx.endgame("QsJs8d3c", 400, 4000, (CALL, WIDE), TURN, 2)),
        Known("deep turn, 39 pots", deep, 0.0055),
        Known("flop Td9d6h", rust),
        Known("flop Td9d6h, 16 bits", rust.packed),
        Known("flop QsJh2h", texas),
        Known("flop QsJh2h, 16 bits", texas.packed),
    ]


def measured(one: Known, threads: int, turns: int) -> str:
    """A line of the table: the best of ``turns``, or of one that takes over ten seconds."""
    set_threads(threads)
    sx.solve(one.game, iterations=1)  # compiled, and its pages touched
    solutions = []
    for _ in range(turns):
        solutions.append(sx.solve(one.game, target=one.target))
        if solutions[-1].seconds > 10:
            break
    solution = min(solutions, key=lambda each: each.seconds)
    game, solver = one.game, solution.solver
    begin = time.perf_counter()
    solver.run(10)
    each = (time.perf_counter() - begin) / 10
    hands = " and ".join(f"{len(mine.first):,}" for mine in solver.game.hands)
    tables = solver.game.rows.entries * 2 * game.bits / 8e9
    return (
        f"| {one.name} | {len(game.tree.node)} | {hands} | {solution.method} "
        f"| {100 * solution.exploitability_of_pot:.2f} | {solution.iterations} | {1000 * each:.3g} "
        f"| {solution.seconds:.3g} | {tables:.2g} | {solution.value[0]:.1f} |"
    )


@click.command()
@click.option("--only", default="", help="Those whose name has this in it.")
@click.option("--threads", type=click.IntRange(1), default=2, show_default=True)
@click.option("--turns", type=click.IntRange(1), default=3, show_default=True)
def main(only: str, threads: int, turns: int) -> None:
    """Solve known endgames until a best response gains no more than .3 % of the pot.

    The deep turn ends at .55 %. Six minutes on two cores, with 2 GB.
    """
    wait_briefly()  # as the commands that are measured
    click.echo("| endgame | nodes | hands | method | % of the pot | iterations | ms an iteration "
               "| seconds | tables, GB | EV of OOP |\n" + "|---" * 10 + "|")  # fmt: skip
    for one in known():
        if only in one.name:
            click.echo(measured(one, threads, turns))


if __name__ == "__main__":
    main()
