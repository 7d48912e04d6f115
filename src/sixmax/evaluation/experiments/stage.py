"""The stage ``experiment``: one of the paper's two experiments on a run, written as JSON."""

from pathlib import Path
from typing import Annotated, Any

from sixmax.agents.open_players import SEARCH
from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.options import Option, argument
from sixmax.base.progress import Progress, say
from sixmax.base.rng import child
from sixmax.base.stage import stage
from sixmax.blueprint.identity import game_digest
from sixmax.blueprint.run import open_run
from sixmax.evaluation.aivat import scored_match
from sixmax.evaluation.aivat.values import load
from sixmax.evaluation.experiments import sources
from sixmax.evaluation.experiments.experiment import (
    COPIES,
    KINDS,
    Experiment,
    GameIdentity,
    Score,
    deals_each,
)
from sixmax.evaluation.experiments.experiment import run as play
from sixmax.evaluation.match.results import HEAD, columns
from sixmax.scores.statistics import Result, ResultForm, Sums
from sixmax.search.config import SearchSettings
from sixmax.store.records import Form, RecordKind, foreign, read, write


@stage
def experiment(
    folder: options.Run,
    kind: Annotated[str, argument("KIND", choices=KINDS)],
    agent: options.Agent,
    participants: Annotated[list[str], Option("The other agents, separated by commas.")],
    deals: Annotated[
        int,
        Option(
            ("Shared equally by the participants; each share is cut to a multiple of the seats."),
            least=1,
        ),
    ],
    points: Annotated[int, Option("Of the curves.", least=1, default=100)],
    seed: options.Seed, threads: options.Threads, out: options.Out, search: SearchSettings,
    values: Annotated[Path, Option("The store of `sixmax values`, for AIVAT.")] | None = None,
    aivat_deals: Annotated[int, Option("AIVAT scores so many deals.", least=0)] = 0,
) -> None:  # fmt: skip
    """Play the paper's 1 + 5 or 5 + 1 experiment, with its Control.

    KIND `alone` seats one copy of the agent among participants drawn for each deal (5H+1AI);
    `copies` seats five copies of it around one participant (1H+5AI). Agents are those of `sixmax
    match`, and `search`. With search, hands are played one by one, seconds each, so take few.

    \b
    sixmax experiment copies --run results/default --participants rule,call --deals 20000 \\
        --seed 1 --out copies.json
    sixmax experiment copies --run results/default --agent search --participants rule --deals 24 \\
        --seed 1 --out search.json

    Raises UserError for unknown agents, for AIVAT of search and for too few deals.
    """
    if (values is None) != (not aivat_deals):
        raise UserError("experiment: give --values and --aivat-deals, or neither")
    config, setting = search
    run = open_run(folder)
    each = deals_each(kind, deals, len(participants), run.game.seats)
    streams = len(participants) if kind == COPIES else 1
    game = GameIdentity(run.game.seats, run.big_blind, game_digest(run.identity["settings"]))
    own = int(child(seed, "experiment", kind))
    scored, payoffs = None, {}
    searching = SEARCH in (agent, *participants)
    if values is not None and aivat_deals and searching:
        raise UserError("experiment with search: AIVAT is for agents of tables; leave out --values")
    if values is not None and aivat_deals:
        frozen, digest = load(run, values)
        scored = sources.Scored(frozen, min(each, aivat_deals // streams))
        payoffs[sources.AIVAT] = scored_match.payoff(digest, sources.WHOSE[kind])
    if searching:
        source, copied = sources.by_hand(run, kind, agent, participants, config, own)
    else:
        source, copied = sources.tables(run, kind, agent, participants, own, scored)
    with Progress(streams * each, f"experiment {kind}", "deals") as bar:
        result = play(
            kind, (agent, tuple(participants), copied), source, game, deals, points, own, bar.add,
            payoffs,
        )  # fmt: skip
    record = to_json(result)
    if searching:
        record |= {"setting": setting, "config": config.model_dump()}
    say(text(result))
    write(out, EXPERIMENT, record)


def to_json(result: Experiment) -> dict[str, Any]:
    """Plain values, the derived figures included; ``course`` rows are [samples, total, square]."""
    return {
        "experiment": result.kind,
        "agent": result.agent,
        "participants": list(result.participants),
        "control": result.control,
        "alike": result.alike,
        "scores": [
            {
                "score": score.name,
                **score.result.to_json(),
                "course": [[s.n, s.total, s.square] for s in score.course],
            }
            for score in result.scores
        ],
        "each": [each.to_json() for each in result.each],
    }


def read_experiment(path: Path) -> Experiment:
    """Read the file of :func:`experiment`. Raises UserError for any other file."""
    values = read(path, EXPERIMENT)
    scores = tuple(
        Score(
            row["score"],
            Result.from_json(row, str(path)),
            tuple(Sums(*sums) for sums in row["course"]),
        )
        for row in values["scores"]
    )
    if values["experiment"] not in KINDS or not scores:
        raise foreign(path, EXPERIMENT, f"experiment is {values['experiment']!r}")
    return Experiment(
        values["experiment"], values["agent"], tuple(values["participants"]), values["control"],
        scores, tuple(Result.from_json(row, str(path)) for row in values["each"]),
        values["alike"],
    )  # fmt: skip


class _ScoreForm(ResultForm):
    score: str
    course: list[tuple[int, float, float]]


class _ExperimentForm(Form):
    experiment: str
    agent: str
    participants: list[str]
    control: str
    alike: Any
    scores: list[_ScoreForm]
    each: list[ResultForm]


EXPERIMENT = RecordKind("an experiment", "sixmax experiment", _ExperimentForm)


def text(result: Experiment) -> str:
    """Every score, and the one that decides by participant, as aligned lines."""
    seats = result.best.result.protocol.seats
    tables = f"1 + {seats - 1}" if result.kind == KINDS[0] else f"{seats - 1} + 1"
    head = f"{'':24} {HEAD} {'hands':>11}"
    rows = [_row(score.name, score.result) for score in result.scores]
    each = [_row(r.b if result.kind == COPIES else r.a, r) for r in result.each]
    return "\n".join(
        [
            f"{result.kind}, {tables}: {result.agent} with {', '.join(result.participants)}; "
            f"Control: {result.control}",
            head, *rows, *(["by participant:"] if each else []), *each,
        ]
    )  # fmt: skip


def _row(name: str, result: Result) -> str:
    return f"{name:24} {columns(result.to_json())} {result.hands:11,}"
