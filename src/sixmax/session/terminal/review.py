"""The command ``review``: opinions about the decisions in a file of hands, as text."""

from collections.abc import Iterator
from pathlib import Path

from sixmax.base.errors import UserError, printable
from sixmax.base.files import write_json
from sixmax.base.progress import Progress
from sixmax.base.stage import stage
from sixmax.betting.state import positions
from sixmax.blueprint.run import Run, open_run
from sixmax.cards.deck import format_cards
from sixmax.hands.hand_file import STDIN, name_of, size
from sixmax.search.config import SearchConfig
from sixmax.session.opinion import Adviser, Opinion
from sixmax.session.review import Reviewed, as_values, summary
from sixmax.session.review import review as of_file
from sixmax.session.terminal import words


@stage
def review(
    file: Path, folder: Path, player: str | None, opinion: str, worst: int, seed: int,
    config: SearchConfig, threads: int, out: Path | None = None,
) -> list[str]:  # fmt: skip
    """Review the hands of ``file`` by agents of the run in ``folder``; the lines to print.

    ``worst`` > 0 lists so many decisions, the costliest first, in place of all hands. ``out`` gets
    all decisions as JSON, :func:`sixmax.session.review.as_values`. Raises
    UserError as :func:`sixmax.session.review.review` does.
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
    lines = [*words.COST.splitlines(), "", *words.columns(opinion)]
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
    position = positions(run.game.seats, run.game.first[0])[seat]
    hole = words.spaced(format_cards(record.holes[seat], run.ranks))
    seen = each.opinions[-1].board if len(each.opinions) == 1 else record.board
    board = words.spaced(format_cards(seen, run.ranks))
    won = f"{record.payoffs[seat]:+,.0f}"
    first = f"hand {record.number} · {record.names[seat][:20]}, {position}, {hole} · {board}"
    return [f"{first.removesuffix(' · ')} · {won}", *map(words.row, each.opinions)]
