"""The command that predicts the cost of a run."""

from pathlib import Path

import click

from sixmax.cli.options import FILE, Json


@click.command()
@click.argument("presets", nargs=-1, type=FILE)
@click.option("--config", "values", type=Json(), help="A whole config as JSON, in place of files.")
@click.option("--out", type=FILE, help="The plan, as JSON.")
def plan(presets: tuple[Path, ...], values: dict | None, out: Path | None) -> None:
    """Predict rows, memory, disk and time of each stage. Allocates nothing big.

    PRESETS are config files; a later file overrides the keys that it names:

    \b
    sixmax plan config/default.yaml config/overnight.yaml
    """
    import tempfile

    from sixmax import config
    from sixmax.base.errors import UserError
    from sixmax.plan.plan import plan as make

    if (values is None) == (not presets):
        raise UserError("plan: give config files or --config, one of the two")
    checked = config.check(values) if values is not None else config.load(*presets)
    with tempfile.TemporaryDirectory() as scratch:
        click.echo(make(checked, out or Path(scratch, "plan.json")))
