"""Commands that look into what the stages made: show, strategy."""

from pathlib import Path

import click

from sixmax.cli.options import FILE, RUN


@click.command()
@click.argument("store", type=FILE)
def show(store: Path) -> None:
    """What is inside a STORE: its arrays with meanings and units, and how it was made.

    \b
    sixmax show results/default/abstraction/flop.zarr
    """
    import json

    from sixmax.store.io import kind_of, read
    from sixmax.store.schema import KINDS

    kind = kind_of(store)
    opened = read(store, kind)
    click.echo(f"{store}: {kind}, version {KINDS[kind].version}. {KINDS[kind].meaning}.")
    for name, spec in KINDS[kind].arrays.items():
        array = opened[name]
        dims = " x ".join(f"{d} {n:,}" for d, n in zip(spec.dims, array.shape, strict=True))
        unit = f" [{spec.unit}]" if spec.unit else ""
        click.echo(f"  {name}: {array.dtype}, {dims}{unit}: {spec.meaning}")
    told = ("format", "version", "digests", "seal")
    made = {k: v for k, v in opened.attributes.items() if k not in told}
    for name, value in made.items():
        click.echo(f"  {name} = {json.dumps(value)}")
    click.echo("  every array matches its digest")


@click.command()
@RUN
@click.option("--agent", default="blueprint", show_default=True, help="Or snapshot-00004 …")
@click.argument("actions", nargs=-1)
def strategy(folder: Path, agent: str, actions: tuple[str, ...]) -> None:
    """How every hand class plays before the flop, after the given ACTIONS.

    ACTIONS are the betting so far: f, c, or r and the chips raised to, counted in all chips put in.

    \b
    sixmax strategy --run results/default                 under the gun, first in
    sixmax strategy --run results/default f f r225        the cut-off's raise answered
    """
    from sixmax.blueprint.run import open_run
    from sixmax.play.preflop_chart import preflop_table

    run = open_run(folder)
    click.echo(preflop_table(run, run.policy(agent), actions))
