"""The command ``review``: opinions about the decisions in a file of hands, as text."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from sixmax.base import options
from sixmax.base.errors import UserError, printable
from sixmax.base.files import write_json
from sixmax.base.options import Option
from sixmax.base.progress import Progress
from sixmax.blueprint.run import Run, open_run
from sixmax.cards.deck import format_cards
from sixmax.hands.hand_file import STDIN, name_of, size
from sixmax.search.config import SearchConfig
from sixmax.session.opinion import Adviser, Opinion
from sixmax.session.review import Reviewed, as_values, summary
from sixmax.session.review import review as of_file
from sixmax.session.terminal import words


@options.stage
def review(
    file: options.File, folder: options.FoundRun,
    player: Annotated[str, Option("Whose decisions; default: of all whose cards are known.")]
    | None,
    opinion: Annotated[str, Option("The agent that is asked.", default="blueprint")],
    worst: Annotated[
        int,
        Option("So many decisions, the costliest first. Default: all hands.", least=1),
    ]
    | None,
    seed: Annotated[int, options.seed("Of the sampled deals.", default=1)],
    config: Annotated[SearchConfig, options.SEARCH],
    threads: options.Threads,
    out: Annotated[Path, Option("All decisions, as JSON.")] | None = None,
) -> list[str]:  # fmt: skip
    """Go through played hands with an agent's opinion and their cost.

    FILE is an ACPC log or PHH. For each decision: the action done, the agent's own actions with
    those cards, and the cost by the blueprint's values.

    \b
    sixmax review hands.log --run results/default --player you --worst 10
    sixmax review hands.log --run results/default --out decisions.json

    Returns the lines to print. Raises UserError as :func:`sixmax.session.review.review` does.
    """
    if file != STDIN and (file.is_dir() or not file.exists()):
        raise UserError(f"{file}: no such file; wanted an ACPC log or a PHH file")
    run = open_run(folder)
    adviser = Adviser(run, opinion, config)
    with Progress(size([file]), "review", "B") as bar:
        reviewed = list(of_file(run, file, adviser, player, seed, bar.add))
    if not reviewed:
        raise UserError(f"{name_of(file)}: no decision of a player whose cards are known")
    if out is not None:
        write_json(out, {"opinion": opinion, "seed": seed, **as_values(run, reviewed)})
    hands = _costliest(reviewed, worst) if worst else reviewed
    lines = [*words.COST.splitlines(), "", words.columns(opinion)]
    for each in hands:
        lines += _hand(run, each)
    lines += ["", *words.total(summary(reviewed, run.big_blind), opinion)]
    return [printable(line) for line in lines]


def _costliest(reviewed: list[Reviewed], most: int) -> Iterator[Reviewed]:
    """The ``most`` decisions that cost most, each as a hand of its own."""

    def chips(item: tuple[Reviewed, Opinion]) -> float:
        return -item[1].cost.mean if item[1].cost is not None else 0.0

    every = [(each, opinion) for each in reviewed for opinion in each.opinions]
    for each, opinion in sorted(every, key=chips)[:most]:
        yield each._replace(opinions=[opinion])


def _hand(run: Run, each: Reviewed) -> list[str]:
    record, seat = each.record, each.seat
    position = run.game.positions[seat]
    hole = words.spaced(format_cards(record.holes[seat], run.ranks))
    seen = each.opinions[-1].board if len(each.opinions) == 1 else record.board
    board = words.spaced(format_cards(seen, run.ranks))
    won = f"{record.payoffs[seat]:+,.0f}"
    first = f"hand {record.number} · {record.names[seat][:20]}, {position}, {hole} · {board}"
    return [f"{first.removesuffix(' · ')} · {won}", *map(words.row, each.opinions)]
