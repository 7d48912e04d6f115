"""Commands that read the results of stages: show, strategy."""

from pathlib import Path

import click

from sixmax.cli.options import AGENT, FILE, RUN_OR_FOUND


@click.command()
@click.argument("store", type=FILE)
def show(store: Path) -> None:
    """List the arrays of a STORE with meanings and units, and the settings that made it.

    Of a packed run, print the card and the size of its parts. All content is held against its
    digests.

    \b
    sixmax show results/default/abstraction/flop.zarr
    sixmax show default.sixmax
    """
    import json

    if store.is_file():
        from sixmax.pack.stage import described

        click.echo(described(store))
        return

    from sixmax.store.io import kind_of, read
    from sixmax.store.schema import KINDS

    kind = kind_of(store)
    content = read(store, kind)
    click.echo(f"{store}: {kind}, version {KINDS[kind].version}. {KINDS[kind].meaning}.")
    for name, spec in KINDS[kind].arrays.items():
        array = content[name]
        dims = " x ".join(f"{d} {n:,}" for d, n in zip(spec.dims, array.shape, strict=True))
        unit = f" [{spec.unit}]" if spec.unit else ""
        click.echo(f"  {name}: {array.dtype}, {dims}{unit}: {spec.meaning}")
    for name, value in content.attributes.items():
        if name not in ("format", "version", "digests", "seal"):
            click.echo(f"  {name} = {json.dumps(value)}")
    click.echo("  every array matches its digest")


@click.command()
@RUN_OR_FOUND
@AGENT
@click.argument("actions", nargs=-1)
def strategy(folder: Path, agent: str, actions: tuple[str, ...]) -> None:
    """Print how every hand class plays before the flop, after the given ACTIONS.

    ACTIONS are the betting so far: f, c, or r and the chips raised to, counted over the whole hand.

    \b
    sixmax strategy --run results/default                 under the gun, first in
    sixmax strategy --run results/default f f r225        an answer to the cut-off's raise
    """
    from sixmax.blueprint.run import open_run
    from sixmax.play.preflop_chart import preflop_table

    run = open_run(folder)
    click.echo(preflop_table(run, run.policy(agent), actions))
