"""The command of roll-outs at a spot: worth."""

from pathlib import Path

import click

from sixmax.cli.options import AGENT, DEALS, RUN_OR_FOUND, SEEDS, THREADS, Names


@click.command()
@click.argument("actions", default="")
@RUN_OR_FOUND
@AGENT
@click.option("--board", default="", help="The cards seen, as in 8d4d3s.")
@click.option("--less", required=True, help="The action that the others are compared with.")
@click.option("--hands", type=Names(), help="Hand classes with a row each, as in AA,T9s.")
@click.option("--deals", type=DEALS, default=16384, show_default=True,
    help="Rounded up to a multiple of 64. All hands and actions meet the same ones.")  # fmt: skip
@click.option("--seed", type=SEEDS, default=1, show_default=True, help="Of deals and actions.")
@THREADS
def worth(
    actions: str, folder: Path, agent: str, board: str, less: str,
    hands: list[str] | None, deals: int, seed: int, threads: int,
) -> None:  # fmt: skip
    """Roll out the worth of each action after ACTIONS, everybody playing the agent's strategy.

    Prints the worth of each other action less that of the action --less, in big blinds, with half
    a 95 % interval: for the range, for the part of it that takes this action, and for hands.
    ACTIONS are as for `sixmax advise`. The explorer (`sixmax serve`) shows the same for every hand.

    \b
    sixmax worth ffff --less c --hands AA,JJ --run results/default   small blind: raise or limp
    sixmax worth ffr250ffc/c --board 8d4d3s --less c --run results/default
    """
    from sixmax.api.run import open
    from sixmax.base.jit import set_threads
    from sixmax.base.progress import Bars
    from sixmax.serve.jobs.worth_text import weights_of, worth_text
    from sixmax.session.range_worth import PARTS

    set_threads(threads)
    spot, of_part = open(folder).at(actions, board, agent), -(-deals // PARTS)
    weights = weights_of(spot.chart, less, hands or ())
    with Bars("roll-outs", "deal") as bars:
        result = spot.roll_out(of_part, seed, bars.begin)
    click.echo(f"{agent}: {PARTS * of_part:,} deals; big blinds, ± half a 95 % interval")
    blind = spot.walk.run.big_blind
    click.echo(worth_text(spot.chart, blind, result, less, weights))
