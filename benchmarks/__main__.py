"""Measure this machine: `make bench`, or `python -m benchmarks`; `python -m benchmarks growth`."""

import tempfile
import time
from pathlib import Path

import click

from benchmarks import (
    abstraction,
    cards,
    growth,
    ideas,
    memory,
    paper,
    picture,
    play,
    startup,
    storage,
    table,
    targets,
    training,
)
from benchmarks.fit import fit
from benchmarks.ground import default_game, ground, preset
from benchmarks.measure import Meter, machine
from benchmarks.publish import publish
from sixmax.files import write_json, write_text
from sixmax.jit import set_threads

OUT = Path("results/bench")
SHIPPED = Path(__file__).parent / "table.json"  # the table of docs/performance.md
PARTS = ("cards", "abstraction", "training", "storage", "start", "playing")


@click.group(invoke_without_command=True)
@click.option(
    "--run",
    "folder",
    type=click.Path(path_type=Path),
    default="results/default",
    show_default=True,
    help="A trained run, measured too where it is there.",
)
@click.option("--out", type=click.Path(path_type=Path), default=OUT, show_default=True)
@click.option("--fill", default=60.0, show_default=True, help="Seconds that a table is filled.")
@click.option(
    "--only", type=click.Choice(PARTS), multiple=True, help="These parts; others stay as they are."
)
@click.option("--small", is_flag=True, help="Everything once, at its smallest: for the tests.")
@click.pass_context
def main(
    context: click.Context, folder: Path, out: Path, fill: float, only: tuple, small: bool
) -> None:
    """Measure every stage, in eight minutes, and compare with the table before it."""
    if context.invoked_subcommand:
        return
    meter = Meter(1 if small else 5, say=click.echo)
    trained = folder if _trained(folder) else None
    measure(meter, trained, 0.0 if small else fill, small, only or PARTS)
    report(table.record(meter, keep=out / "table.json" if only else None), meter, out)


def measure(
    meter: Meter, folder: Path | None, fill: float, small: bool, parts: tuple = PARTS
) -> None:
    """All measurements of ``parts``, one after the other."""
    with tempfile.TemporaryDirectory() as scratch:
        aside, entries = Path(scratch), 1 << (16 if small else 28)
        if "cards" in parts:
            memory.measure(meter, *((0.001, 1000) if small else (memory.GB,)))
            cards.measure(meter, 0.01 if small else 1.0)
        if "abstraction" in parts:
            few = abstraction.Size(6, 10, 4, 5, 500, 500, 0.2)
            abstraction.measure(meter, few if small else abstraction.Size(), 2)
        if "training" in parts:
            training.tree_build(meter, training.games(small))
            training.small_games(meter, 0.01 if small else 0.5)
            training.hold_em(meter, 0.05 if small else 1.0, fill, folder, small)
            training.discount_pass(meter, entries)
        if "storage" in parts:
            storage.checkpoint(meter, aside, entries)
        if "start" in parts:
            startup.measure(meter, aside)
        if "playing" in parts:
            _playing(meter, small)
    meter.end()


def _playing(meter: Meter, small: bool) -> None:
    """What needs a strategy: one of some seconds of training."""
    game, ranks = (default_game(3), 6) if small else (preset("default").game, 13)
    on = ground("six players", game, ranks, (5, 5, 5) if small else (200, 200, 200))
    set_threads(2)
    training.fill(on, 0.1 if small else 15.0)
    packed = storage.continuation(meter, on)
    play.match(meter, on, packed, 50 if small else 20_000)
    play.river_endgame(meter, 5 if small else 200)
    play.flop_search(meter, on, game, ranks, packed, 200 if small else 100_000)


def report(found: dict, meter: Meter, out: Path) -> None:
    """Write the table beside the one before it, and say what has become slower."""
    kept = out / "table.json"
    reference = kept if kept.exists() else SHIPPED
    before = table.load(reference)
    text = f"{table.markdown(found, before)}\n{targets.markdown(found)}"
    if kept.exists():
        kept.replace(out / "table-before.json")
    write_text(out / "table.md", text)
    write_json(kept, found)
    click.echo(f"\n{text}\n{kept}, {found['seconds']} s; compared with {reference}")
    for sentence in table.slower(meter.lines, table.by_name(before)):
        click.echo(f"SLOWER: {sentence}")


@main.command("growth")
@click.option("--out", type=click.Path(path_type=Path), default=OUT, show_default=True)
@click.option("--fill", default=8.0, show_default=True, help="Seconds of training a game.")
@click.option("--small", is_flag=True, help="Two games, shortly: for the tests.")
def grow(out: Path, fill: float, small: bool) -> None:
    """How nodes a second and memory grow with tree, buckets, players and cores; in four minutes."""
    start, meter = time.monotonic(), Meter(1 if small else 3, say=click.echo)
    points = growth.measure(meter, 0.1 if small else fill, 0.05 if small else 0.7, small)
    found = growth.record(points, machine(), start)
    write_json(out / "growth.json", found)
    write_text(out / "growth.svg", picture.draw(points))
    click.echo(f"\n{picture.markdown(points)}")
    if not small:
        click.echo(f"for src/sixmax/rates.py: {fit(points)}")


@main.command("ideas")
@click.option("--out", type=click.Path(path_type=Path), default=OUT, show_default=True)
@click.option(
    "--iterations", default=ideas.ITERATIONS, show_default=True, help="That fill the table."
)
@click.option("--turns", default=ideas.TURNS, show_default=True, help="Of every pair.")
@click.option("--small", is_flag=True, help="Everything once, at its smallest: for the tests.")
def ideas_command(out: Path, iterations: int, turns: int, small: bool) -> None:
    """Ideas that are known to pay, each in turns with the form without it; in five minutes."""
    found = ideas.measure(*((2000, 1) if small else (iterations, turns)), small, click.echo)
    record = {"machine": machine(), "found": [x._asdict() for x in found]}
    write_json(out / "ideas.json", record)


@main.command("publish")
@click.option("--out", type=click.Path(path_type=Path), default=OUT, show_default=True)
def publish_command(out: Path) -> None:
    """Put table, targets, curves and comparison into docs/performance.md; keep them to compare."""
    for path in publish(out):
        click.echo(f"{path}: written")


@main.command("paper")
def paper_command() -> None:
    """What training at the paper's scale would take, by the model of `plan`."""
    click.echo(paper.text(paper.estimate()))


def _trained(folder: Path) -> bool:
    return any((folder / "blueprint" / "state").glob("[0-9]*.zarr"))


if __name__ == "__main__":
    main()
