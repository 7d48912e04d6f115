"""Measure this machine: `make bench`, or `python -m benchmarks`; `python -m benchmarks growth`."""

import tempfile
from pathlib import Path

import click
from click.core import ParameterSource

from benchmarks import (
    abstraction,
    cards,
    growth,
    ideas,
    memory,
    paper,
    picture,
    play,
    programs,
    startup,
    storage,
    table,
    targets,
    training,
)
from benchmarks.change import Changes, compare
from benchmarks.fit import fit
from benchmarks.ground import default_game, ground, preset
from benchmarks.measure import LEAST, TWO, Meter, Others, machine
from benchmarks.publish import publish
from sixmax.errors import UserError
from sixmax.files import write_json, write_text
from sixmax.jit import set_threads

OUT = Path("results/bench")
SHIPPED = Path(__file__).parent / "table.json"  # the table of docs/performance.md
TURN = 0.5  # seconds of a turn of training, at least
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
@click.option("--fill", default=30.0, show_default=True, help="Seconds that a table is filled.")
@click.option(
    "--only", type=click.Choice(PARTS), multiple=True, help="These parts; others stay as they are."
)
@click.option("--small", is_flag=True, help="Everything once, at its smallest: for the tests.")
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    default=SHIPPED,
    show_default="the published table",
    help="The table to compare with.",
)
@click.option("--fail", is_flag=True, help="Exit with status 1 where something is slower or gone.")
@click.pass_context
def main(
    context: click.Context, folder: Path, out: Path, fill: float, only: tuple, small: bool,
    against: Path, fail: bool,
) -> None:  # fmt: skip
    """Measure every stage, in about eleven minutes, and compare with the published table."""
    if context.invoked_subcommand:
        return
    reference, kept = table.load(against), out / "table.json"
    meter = _meter(5, small, _departures(context))
    trained = folder if _trained(folder) else None
    measure(meter, trained, 0.1 if small else fill, small, only or PARTS)
    found = table.record(meter, keep=kept if only else None)
    text = f"{table.markdown(found, reference)}\n{targets.markdown(found)}"
    write_text(out / "table.md", text)
    write_json(kept, found)
    click.echo(f"\n{text}\n{kept}, {found['seconds']} s; compared with {against}")
    changes = compare(found, reference) if reference else Changes([], [], [])
    for sentence in (*(f"SLOWER: {x}" for x in changes.slower), *changes.gone):
        click.echo(sentence)
    if fail and (changes.slower or changes.gone):
        context.exit(1)


def _meter(turns: int, small: bool, departures: list[str]) -> Meter:
    """One that says everything as it comes; once and shortly where ``small``."""
    return Meter(1 if small else turns, click.echo, 0.0 if small else LEAST, departures)


def _departures(context: click.Context) -> list[str]:
    """The settings that change what is measured and were given."""
    return [
        f"--{name} {value}"
        for name, value in context.params.items()
        if name in ("fill", "iterations", "turns", "small")
        and context.get_parameter_source(name) is not ParameterSource.DEFAULT
    ]


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
            abstraction.measure(meter, few if small else abstraction.Size(), TWO)
        if "training" in parts:
            training.tree_build(meter, training.games(small))
            training.small_games(meter, 0.01 if small else 0.3)
            training.hold_em(meter, 0.05 if small else TURN, fill, folder, small)
            programs.measure(meter, *((0.1, 0.1) if small else (1.0, training.YOUNG)), small)
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
    meter.begin("a strategy to play with")
    game, ranks = (default_game(3), 6) if small else (preset("default").game, 13)
    on = ground("six players", game, ranks, (5, 5, 5) if small else (200, 200, 200))
    set_threads(TWO)
    training.fill(on, 0.1 if small else 15.0)
    storage.average(meter, on)
    packed = storage.continuation(meter, on)
    play.match(meter, on, packed, 50 if small else 20_000)
    play.experiment(meter, on, packed, 50 if small else 8_000)
    play.aivat(meter, on, game, *((500, 5) if small else (100_000, 200)))
    play.river_endgame(meter, 5 if small else 200)
    play.flop_search(meter, on, game, ranks, packed, 200 if small else 100_000)


@main.command("growth")
@click.option("--out", type=click.Path(path_type=Path), default=OUT, show_default=True)
@click.option("--fill", default=3.0, show_default=True, help="Seconds of training a game.")
@click.option("--small", is_flag=True, help="Two games, shortly: for the tests.")
@click.pass_context
def grow(context: click.Context, out: Path, fill: float, small: bool) -> None:
    """How nodes a second and memory grow with tree, buckets, players, cores; in three minutes."""
    meter = _meter(3, small, _departures(context))
    points = growth.measure(meter, 0.1 if small else fill, 0.05 if small else 0.5, small)
    found = growth.record(points, meter)
    write_json(out / "growth.json", found)
    write_text(out / "growth.svg", picture.draw(points))
    click.echo(f"\n{picture.markdown(points, found['machine']['cores'])}")
    if not small:
        click.echo(f"for src/sixmax/rates.py: {fit(points)}")


@main.command("ideas")
@click.option("--out", type=click.Path(path_type=Path), default=OUT, show_default=True)
@click.option(
    "--iterations", default=ideas.ITERATIONS, show_default=True, help="That fill the table."
)
@click.option("--turns", default=ideas.TURNS, show_default=True, help="Of every pair.")
@click.option("--small", is_flag=True, help="Everything once, at its smallest: for the tests.")
@click.pass_context
def ideas_command(
    context: click.Context, out: Path, iterations: int, turns: int, small: bool
) -> None:
    """Ideas that are known to pay, each in turns with the form without it; in five minutes."""
    meter = _meter(1, small, _departures(context))
    meter.begin("ideas")
    others = Others()
    found = ideas.measure(*((2000, 1) if small else (iterations, turns)), small, click.echo)
    meter.end()
    record = {"machine": machine(), "others": others.had(), **meter.stamps["ideas"]._asdict()}
    record["found"] = [x._asdict() for x in found]
    write_json(out / "ideas.json", record)


@main.command("publish")
@click.option("--out", type=click.Path(path_type=Path), default=OUT, show_default=True)
@click.option("--busy", is_flag=True, help="Even what was measured beside other work.")
@click.option("--slower", is_flag=True, help="Even if a line is slower than before, or gone.")
def publish_command(out: Path, busy: bool, slower: bool) -> None:
    """Put table, targets, curves and comparison into docs/performance.md; keep them to compare."""
    for path in publish(out, busy=busy, slower=slower):
        click.echo(f"{path}: written")


@main.command("paper")
def paper_command() -> None:
    """What training at the paper's scale would take, by the model of `plan`."""
    click.echo(paper.text(paper.estimate()))


def _trained(folder: Path) -> bool:
    return any((folder / "blueprint" / "state").glob("[0-9]*.zarr"))


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        raise SystemExit(str(error)) from None
