"""Measure this machine: `make bench`, or `python -m benchmarks`; `publish` the table."""

import tempfile
import time
from pathlib import Path

import click

from benchmarks import abstraction, cards, growth, play, search, start, storage, table, training
from benchmarks.games import default_game, holdem_game, sizes
from benchmarks.measure import LEAST, TWO, Meter
from sixmax.base.errors import UserError
from sixmax.base.files import write_text
from sixmax.base.jit import set_threads
from sixmax.cli.process import wait_briefly

OUT = Path("results/bench")
PARTS = ("cards", "abstraction", "training", "storage", "start", "play", "growth")


@click.group(invoke_without_command=True)
@click.option("--run", "folder", type=click.Path(path_type=Path), default="results/default",
              show_default=True, help="A trained run, measured too where it is there.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), default=OUT, show_default=True)
@click.option("--only", type=click.Choice(PARTS), multiple=True,
              help="These parts; others stay as they are.")  # fmt: skip
@click.option("--small", is_flag=True, help="Everything once, at its smallest: for the tests.")
@click.option("--fail", is_flag=True, help="Exit with status 1 where something became slower.")
@click.pass_context
def main(
    context: click.Context, folder: Path, out: Path, only: tuple, small: bool, fail: bool
) -> None:
    """Measure every stage, in a quarter of an hour, and compare with the published table."""
    if context.invoked_subcommand:
        return
    wait_briefly()  # as the commands that are measured
    begin, settings = time.monotonic(), (1, 0.0, "--small") if small else (5, LEAST, "")
    meter = Meter(*settings)
    record = out / table.PUBLISHED.name
    kept = table.load(record)
    for part in only or PARTS:
        measure(meter, folder, small, part)
        lines = table.merged(meter.lines, kept)
        table.save(record, lines)  # an error later costs its own part alone
    if not only:  # lines that are measured no more
        table.save(record, lines := meter.lines)
    write_text(out / "table.md", f"{table.markdown(lines)}\n\n{table.targets(lines)}\n")
    click.echo(f"\n{(out / 'table.md').read_text()}\n{record}, {time.monotonic() - begin:.0f} s")
    click.echo(f"all changes: python -m pyperf compare_to {table.PUBLISHED} {record} --table")
    changes = table.slower(meter.lines, table.load(table.ROOT / table.PUBLISHED))
    for sentence in changes:
        click.echo(f"SLOWER: {sentence}")
    if fail and changes:
        context.exit(1)


def measure(meter: Meter, folder: Path, small: bool, part: str) -> None:
    """All measurements of a part."""
    entries, turn, fill = (1 << 16, 0.05, 0.1) if small else (1 << 28, 0.5, 30.0)
    with tempfile.TemporaryDirectory() as scratch:
        works = {
            "cards": lambda: cards.measure(meter, 0.01 if small else 1.0),
            "abstraction": lambda: abstraction.measure(meter, small, TWO),
            "training": lambda: training.measure(meter, turn, fill, folder, small, entries),
            "storage": lambda: storage.checkpoint(meter, Path(scratch), entries),
            "start": lambda: start.measure(meter, Path(scratch)),
            "play": lambda: _playing(meter, small),
            "growth": lambda: growth.measure(meter, fill / 10, turn, small),
        }
        works[part]()


def _playing(meter: Meter, small: bool) -> None:
    """The parts that need a strategy: one of some seconds of training."""
    game, (ranks, counts) = default_game(3 if small else 6), sizes(small)
    on = holdem_game("a strategy to play with", game, ranks, counts)
    set_threads(TWO)
    training.fill(on, 0.1 if small else 15.0)
    packed = storage.strategies(meter, on)
    play.measure(meter, on, packed, game, small)
    search.endgames(meter, 8 if small else 200)
    search.flop(meter, on, game, ranks, packed, 200 if small else 100_000)


@main.command("publish")
@click.option("--out", type=click.Path(path_type=Path), default=OUT, show_default=True)
@click.option("--busy", is_flag=True, help="Even a record that was measured beside other work.")
@click.option("--slower", is_flag=True, help="Even if a line is slower than before.")
def publish_command(out: Path, busy: bool, slower: bool) -> None:
    """Put table and targets into docs/results and docs/notebook; keep them to compare."""
    for path in table.publish(out, busy=busy, worse=slower):
        click.echo(f"{path}: written")


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        raise SystemExit(str(error)) from None
