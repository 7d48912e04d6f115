"""The command that says what a run will cost."""

from pathlib import Path

import click

from sixmax.cli.options import FILE, Json


@click.command()
@click.argument("presets", nargs=-1, type=click.Path(path_type=Path))
@click.option("--config", "values", type=Json(), help="A whole config as JSON, in place of files.")
@click.option("--out", type=FILE, help="Where to write the plan as JSON.")
def plan(presets: tuple[Path, ...], values: dict | None, out: Path | None) -> None:
    """What each stage will cost: rows, memory, disk, time. Nothing big is allocated.

    PRESETS are config files, later ones overriding earlier ones key by key:

    \b
    sixmax plan config/default.yaml config/overnight.yaml
    """
    import tempfile

    from sixmax import config
    from sixmax.errors import UserError
    from sixmax.plan.plan import plan as make

    if (values is None) == (not presets):
        raise UserError("plan: give config files or --config, one of the two")
    whole = config.check(values) if values is not None else config.load(*presets)
    with tempfile.TemporaryDirectory() as aside:
        click.echo(make(whole, out or Path(aside, "plan.json")))
