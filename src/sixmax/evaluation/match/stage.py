"""The stages ``match`` and ``matches``: play one pairing, gather all of a run."""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

from sixmax.agents.registry import open_agents
from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.files import write_text
from sixmax.base.options import argument
from sixmax.base.progress import Progress, say
from sixmax.base.rng import child
from sixmax.base.stage import stage
from sixmax.blueprint.identity import game_digest
from sixmax.blueprint.run import Run, open_run
from sixmax.evaluation.match import two_runs
from sixmax.evaluation.match.duplicate import play, protocol
from sixmax.evaluation.match.pairings import OPPONENT, Pairing
from sixmax.evaluation.match.table import table
from sixmax.evaluation.records import MATCHES
from sixmax.ongoing.policies import MatchGame, Policy
from sixmax.scores.statistics import RESULT, Protocol, Result, same_protocol
from sixmax.store.records import read, write

Counter = Callable[[int], None]
Contest = Callable[[int, np.uint64, Counter], Result]  # deals, seed, progress
_SNAPSHOT = re.compile(r"snapshot-(\d+)")


class Contestant(NamedTuple):
    """An agent: its name, and its policy in the game of its run."""

    name: str
    run: Run
    game: MatchGame
    policy: Policy


@stage
def match(
    folder: Path, pairing: Pairing, deals: int, seed: int, threads: int, out: Path,
    boards: int | None = None, against: Path | None = None,
) -> None:  # fmt: skip
    """Play ``pairing`` on the run in ``folder`` and write its result to ``out``.

    ``boards`` says how all-in pots are counted: None as they came, else as
    :mod:`sixmax.hands.all_in` says. The second agent is one of the run in ``against``,
    where there is one (:mod:`sixmax.evaluation.match.two_runs`). All matches of a seed are played
    on the same deals, so that their results can be compared. Raises UserError where a game without
    boards is to be averaged, and for two runs of different games.
    """
    held = contest(*_entrants(folder, against, pairing), boards)
    started = time.perf_counter()
    with Progress(deals, f"{pairing.a} vs {pairing.b}", "deals") as bar:
        result = held(deals, child(seed, "evaluation"), bar.add)
    spent = time.perf_counter() - started
    say(
        f"{line(result.to_json())}; {result.hands:,} hands in {spent:.1f} s, "
        f"{result.hands / spent:,.0f} a second on {threads} thread{'s' * (threads > 1)}"
    )
    write(out, RESULT, result.to_json())


def _entrants(
    folder: Path, against: Path | None, pairing: Pairing
) -> tuple[Contestant, Contestant]:
    if against is None:
        run = open_run(folder)
        game, policies = open_agents(run, list(pairing))
        a, b = (Contestant(n, run, game, p) for n, p in zip(pairing, policies, strict=True))
        return a, b
    runs = open_run(folder), open_run(against)
    games = [open_agents(run, [name]) for run, name in zip(runs, pairing, strict=True)]
    a, b = (
        Contestant(name, run, game, policy)
        for name, run, (game, (policy,)) in zip(pairing, runs, games, strict=True)
    )
    return a, b


def contest(a: Contestant, b: Contestant, boards: int | None = None) -> Contest:
    """The match of ``a`` against copies of ``b``.

    ``boards`` says how all-in pots are counted: None as they came, else as
    :mod:`sixmax.hands.all_in` says. Raises UserError where a game without boards is to
    be averaged, and for two runs of different games.
    """
    return _of_one_run(a, b, boards) if a.run is b.run else _of_two_runs(a, b, boards)


def _of_one_run(a: Contestant, b: Contestant, boards: int | None) -> Contest:
    run = a.run
    if boards is not None and run.buckets is None:
        raise UserError(
            f"{run.folder}: all-in pots over boards wanted hold'em, found {run.game.cards}; leave "
            "out --all-in"
        )
    terms = protocol(run.game.seats, run.big_blind, game_digest(run.identity["settings"]), boards)

    def held(deals: int, seed: np.uint64, progress: Counter) -> Result:
        names, agents = (a.name, b.name), (a.policy, b.policy)
        return play(names, agents, a.game, run.dealer, terms, deals, seed, progress, boards)

    return held


def _of_two_runs(a: Contestant, b: Contestant, boards: int | None) -> Contest:
    if boards is not None:
        raise UserError("--all-in is for agents of one run; leave it out, or --against")
    two_runs.refuse_other_games(a.run, b.run)
    folders = a.run.folder.resolve(), b.run.folder.resolve()
    if folders[0].name == folders[1].name and folders[0] != folders[1]:
        raise UserError(
            f"{folders[0]} and {folders[1]}: two runs of one name, which nobody could tell apart "
            "in the result; rename one of the folders"
        )
    names = f"{folders[0].name}/{a.name}", f"{folders[1].name}/{b.name}"

    def held(deals: int, seed: np.uint64, progress: Counter) -> Result:
        sides = (a.game, a.policy), (b.game, b.policy)
        return two_runs.play(names, (a.run, b.run), sides, deals, seed, progress)

    return held


def read_result(path: Path) -> Result:
    """A result that :func:`match` wrote. Raises UserError where it is not one."""
    return Result.from_json(read(path, RESULT), str(path))


@stage
def gather(
    files: Annotated[list[Path], argument("RESULTS...")],
    out: options.Out, text: options.Text,
) -> None:  # fmt: skip
    """Gather the results of matches into one table.

    \b
    sixmax stage matches results/default/evaluation/match/*.json --out table.json --text table.txt

    Raises UserError where they do not, and where a pairing occurs twice.
    """
    shared, rows = read_together(files)
    over_training = [
        {"after_interval": int(snapshot[1]), **_figures(r)}
        for r in rows
        if (snapshot := _SNAPSHOT.fullmatch(r["a"])) and r["b"] == OPPONENT
    ]
    record = {
        "protocol": rows[0]["protocol"],
        "matches": [r for r in rows if not _SNAPSHOT.fullmatch(r["a"])],
        "over_training": {"opponent": OPPONENT, "snapshots": over_training},
    }
    write(out, MATCHES, record)
    write_table(shared, rows, text)


def read_together(files: list[Path]) -> tuple[Protocol, list[dict[str, Any]]]:
    """The protocol and the rows of the results in ``files``, as plain values.

    Raises UserError where they were not played by the same protocol, or a pairing occurs twice.
    """
    results = [read_result(file) for file in files]
    shared = same_protocol(results)
    each_once(files, results)
    return shared, [result.to_json() for result in results]


def write_table(shared: Protocol, rows: list[dict[str, Any]], text: Path) -> None:
    """Write ``rows`` as aligned text to ``text`` and the log."""
    lines = table(shared, rows)
    write_text(text, lines)
    say(lines.rstrip())


def each_once(files: list[Path], results: list[Result]) -> None:
    """Raise UserError where two of ``files`` hold results of the same agents.

    Results of two trainings, or of two seeds, would stand in one table without a word.
    """
    seen: dict[tuple[str, str], Path] = {}
    for file, result in zip(files, results, strict=True):
        if (first := seen.setdefault((result.a, result.b), file)) is not file:
            raise UserError(
                f"{result.a} vs {result.b} is in {first} and in {file}; wanted each pairing once"
            )


def _figures(row: dict[str, Any]) -> dict[str, Any]:
    return {k: row[k] for k in ("mean", "standard_error", "level", "interval", "deals", "hands")}


def line(row: dict[str, Any]) -> str:
    """The result ``row`` of a match, as one line of the log."""
    low, high = row["interval"]
    return (
        f"{row['a']} vs {row['b']}: {row['mean']:+.1f} mbb/game, standard error "
        f"{row['standard_error']:.1f}, 95 % interval {low:+.1f} to {high:+.1f}"
    )
