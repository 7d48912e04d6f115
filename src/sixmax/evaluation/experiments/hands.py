"""The hands of an experiment, by tables in kernels or hand by hand, and its command.

Every participant has deals of its own.
"""

from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from sixmax.agents.open_players import SEARCH, open_players
from sixmax.agents.registry import open_agents
from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.jit import njit
from sixmax.base.options import Option, argument
from sixmax.base.progress import Progress, say
from sixmax.base.rng import below, child, step, stream
from sixmax.betting.rules import FOLD
from sixmax.blueprint.run import Run, open_run
from sixmax.evaluation.aivat import scored_match
from sixmax.evaluation.aivat.scored_match import ScoredGame, columns
from sixmax.evaluation.aivat.values import Values, load
from sixmax.evaluation.experiments.experiment import (
    ALONE,
    COPIES,
    EXPERIMENT,
    KINDS,
    Experiment,
    Setup,
    Source,
    TableHands,
    deals_each,
    measure,
    to_json,
)
from sixmax.evaluation.match import results
from sixmax.evaluation.match.by_hand import play_hand
from sixmax.evaluation.match.play import Played, play_controlled
from sixmax.games.holdem import deal_cards
from sixmax.hands.record import Record
from sixmax.scores.statistics import Result
from sixmax.search.config import SearchConfig, SearchSettings
from sixmax.store.records import write

AIVAT = "AIVAT"  # the score of that name
WHOSE = {  # policies it uses: supplement, "Variance reduction via AIVAT"
    ALONE: "the policy of the agent alone",
    COPIES: "the policies of the copies, each on its own, less the Control's",
}


class Scored(NamedTuple):
    """The first ``deals`` deals of each participant are scored by AIVAT with ``values``."""

    values: Values
    deals: int


def _places(setup: Setup, seed: int, measured: int, first: int, n: int) -> tuple[int, np.ndarray]:
    """The seed of deals ``first`` …, and the player in each place: int64[n, seats].

    Place 0 is measured: participant ``measured`` among copies of the agent, or the agent.
    """
    own = int(child(seed, "participant", measured))
    if setup.kind == ALONE:
        return own, lineups(own, first, n, len(setup.participants), setup.seats)
    lineup = np.zeros((n, setup.seats), np.int64)
    lineup[:, 0] = 1 + measured
    return own, lineup


def tables(run: Run, setup: Setup, seed: int, scored: Scored | None = None) -> Source:
    """Hands of agents that play from tables: every deal from all seats.

    AIVAT treats participants as strangers, whose policies are unknown.
    """
    game, team = open_agents(run, list(setup.names))
    seats, copies = setup.seats, setup.kind == COPIES

    def source(measured: int, first: int, n: int) -> TableHands:
        own, lineup = _places(setup, seed, measured, first, n)
        played = play_controlled(team, lineup, setup.control, game, run.dealer, own, first)
        if scored is None:
            return TableHands(played, lineup[:, 1:] - 1)
        m = max(0, min(n, scored.deals - first))
        won = _by_aivat(played, m, own, first) if m else np.empty(0)
        return TableHands(played, lineup[:, 1:] - 1, {AIVAT: won})

    def _by_aivat(played: Played, m: int, own: int, first: int) -> np.ndarray:
        """AIVAT of the first ``m`` deals, less the Control's where copies surround a stranger."""
        match = ScoredGame((team[0], team[0]), game, run.dealer, scored.values)
        hidden = match._replace(known=False)
        won = columns(hidden, own, first, m, copies, played.end[:m])[..., -1].mean(axis=1)
        if copies:
            beside = np.repeat(played.beside[:m, None], seats, axis=1)
            won -= columns(match, own, first, m, True, beside)[..., -1].mean(axis=1)
        return won

    return source


def by_hand(run: Run, setup: Setup, seed: int, config: SearchConfig) -> Source:
    """Hands of players who may search: one hand a deal, seats in turn.

    Each hand is played once more with the Control in all seats; a search that occurs in both runs
    once.
    """
    seats = setup.seats
    opened = open_players(run, [name for name in setup.names for _ in range(seats)], config)
    team = [opened[k : k + seats] for k in range(0, len(opened), seats)]

    def source(measured: int, first: int, n: int) -> TableHands:
        own, lineup = _places(setup, seed, measured, first, n)
        net, control = np.zeros((2, n, 1, seats))
        alike = np.zeros((n, 1), bool)
        for i, number in enumerate(range(first, first + n)):
            cards = deal_cards(own, number, seats, run.ranks)
            draws = int(child(own, "draws", number))
            seat = (np.arange(seats) + number) % seats  # of each place
            players = [team[k][p] for p, k in sorted(zip(seat, lineup[i], strict=True))]
            dealt = run.game, run.ranks, cards, number, draws
            played, copies = play_hand(players, *dealt), play_hand(team[setup.control], *dealt)
            net[i, 0], control[i, 0] = played.payoffs[seat], copies.payoffs[seat]
            alike[i] = both_fold(played, copies, int(seat[0]))
        return TableHands(Played(net, control, alike), lineup[:, 1:] - 1)

    return source


def both_fold(played: Record, control: Record, seat: int) -> bool:
    """Whether ``seat`` folds in the first round of both hands, after the same actions."""
    done = played.actions[0]
    if (seat, FOLD) not in done:
        return False
    end = done.index((seat, FOLD)) + 1
    return done[:end] == control.actions[0][:end]


def lineups(seed: int, first: int, n: int, participants: int, seats: int) -> np.ndarray:
    """Random line-ups around the agent, one a deal from ``first`` on: int64[n, seats].

    0 is the agent, participants follow; the measured player has place 0. All participants are
    equally likely; nobody sits twice before everybody has a seat.
    """
    lineup = np.zeros((n, seats), np.int64)
    _lineups_kernel(child(seed, "lineups"), first, participants, lineup)
    return lineup


@njit
def _lineups_kernel(seed, first, participants, lineup):
    order = np.empty(participants, np.int64)
    for i in range(len(lineup)):
        state = stream(seed, np.uint64(first + i))
        for place in range(1, lineup.shape[1]):
            at = (place - 1) % participants
            if at == 0:
                order[:] = np.arange(1, participants + 1)
            state = step(state)
            drawn = at + below(state, participants - at)
            order[at], order[drawn] = order[drawn], order[at]
            lineup[i, place] = order[at]


@options.stage
def experiment(
    folder: options.Run,
    kind: Annotated[str, argument("KIND", choices=KINDS)],
    agent: options.Agent,
    participants: Annotated[list[str], Option("The other agents, separated by commas.")],
    deals: Annotated[int, Option(
        "Shared equally by the participants; each share is cut to a multiple of the seats.", least=1
    )],
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
    run = open_run(folder)
    each = deals_each(kind, deals, len(participants), run.game.seats)
    streams = len(participants) if kind == COPIES else 1
    own, others, rules = int(child(seed, "experiment", kind)), tuple(participants), run.game
    setup = Setup(kind, agent, others, rules.seats, run.big_blind, run.game_digest)
    scored, searching = None, SEARCH in setup.names
    if values is not None and searching:
        raise UserError("experiment with search: AIVAT is for agents of tables; leave out --values")
    if values is not None:
        frozen, digest = load(run, values)
        scored = Scored(frozen, min(each, aivat_deals // streams))
        setup = setup._replace(payoffs={AIVAT: scored_match.payoff(digest, WHOSE[kind])})
    source = (
        by_hand(run, setup, own, search.config) if searching else tables(run, setup, own, scored)
    )
    with Progress(streams * each, f"experiment {kind}", "deals") as bar:
        result = measure(setup, source, deals, points, own, bar.add)
    record = to_json(result)
    if searching:
        record |= {"setting": search.setting, "config": search.config.model_dump()}
    say(text(result))
    write(out, EXPERIMENT, record)


def text(result: Experiment) -> str:
    """Every score, and the results by participant, as aligned lines."""
    seats = result.best.result.protocol.seats
    tables = f"1 + {seats - 1}" if result.kind == ALONE else f"{seats - 1} + 1"
    head = f"{'':24} {results.HEAD} {'hands':>11}"
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
    return f"{name:24} {results.columns(result.to_json())} {result.hands:11,}"
