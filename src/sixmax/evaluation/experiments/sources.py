"""The hands of an experiment: agents' tables in kernels, or players hand by hand."""

from typing import NamedTuple

import numpy as np

from sixmax.agents.open_players import open_players
from sixmax.agents.registry import open_agents
from sixmax.base.jit import njit
from sixmax.base.rng import below, child, step, stream
from sixmax.betting.rules import FOLD
from sixmax.blueprint.run import Run
from sixmax.evaluation.aivat.scored_match import ScoredGame, columns
from sixmax.evaluation.aivat.values import Values
from sixmax.evaluation.experiments.experiment import ALONE, COPIES, Source, TableHands
from sixmax.evaluation.match.by_hand import play_hand
from sixmax.evaluation.match.play import Played, play_controlled, turns
from sixmax.games.holdem import deal_cards
from sixmax.hands.record import Record
from sixmax.search.config import SearchConfig

AIVAT = "AIVAT"  # the score of that name
WHOSE = {  # policies it uses: supplement, "Variance reduction via AIVAT"
    ALONE: "the policy of the agent alone",
    COPIES: "the policies of the copies, each on its own, less the Control's",
}


class Scored(NamedTuple):
    """The first ``deals`` deals of each participant are scored by AIVAT with ``values``."""

    values: Values
    deals: int


def tables(
    run: Run,
    kind: str,
    agent: str,
    participants: list[str],
    seed: int,
    scored: Scored | None = None,
) -> tuple[Source, str]:
    """Hands of agents that play from tables: every deal from all seats; and the Control's name.

    The Control is a copy of the agent, or of the only participant if that surrounds the agent.
    AIVAT treats participants as strangers, whose policies are unknown.
    """
    names = [agent, *participants]
    game, team = open_agents(run, names)
    copied = control_of(kind, participants)
    seats = run.game.seats

    def source(measured: int, first: int, n: int) -> TableHands:
        own = int(child(seed, "participant", measured))
        if kind == ALONE:
            lineup = lineups(own, first, n, len(participants), seats)
        else:
            lineup = around(measured, n, seats)
        turn = turns(seats, first, n, every=True)
        played = play_controlled(team, lineup, turn, copied, game, run.dealer, own, first)
        if scored is None:
            return TableHands(played, lineup[:, 1:] - 1)
        m = max(0, min(n, scored.deals - first))
        won = _by_aivat(played, m, own, first) if m else np.empty(0)
        return TableHands(played, lineup[:, 1:] - 1, {AIVAT: won})

    def _by_aivat(played: Played, m: int, own: int, first: int) -> np.ndarray:
        """AIVAT of the first ``m`` deals, less the Control's where copies surround a stranger."""
        around, copies = played.end[:m], kind == COPIES
        match = ScoredGame((team[0], team[0]), game, run.dealer, scored.values)
        hidden = match._replace(known=False)
        won = columns(hidden, own, first, m, copies, around)[..., -1].mean(axis=1)
        if copies:
            beside = np.repeat(played.beside[:m, None], seats, axis=1)
            won -= columns(match, own, first, m, True, beside)[..., -1].mean(axis=1)
        return won

    return source, names[copied]


def by_hand(
    run: Run, kind: str, agent: str, participants: list[str], config: SearchConfig, seed: int
) -> tuple[Source, str]:
    """Hands of players who may search: one hand a deal, seats in turn; and the Control's name.

    Each hand is played once more with the Control in all seats; a search that occurs in both runs
    once.
    """
    names, seats = [agent, *participants], run.game.seats
    opened = open_players(run, [name for name in names for _ in range(seats)], config)
    team = [opened[k * seats : (k + 1) * seats] for k in range(len(names))]
    copied = control_of(kind, participants)

    def source(measured: int, first: int, n: int) -> TableHands:
        own = int(child(seed, "participant", measured))
        if kind == ALONE:
            lineup = lineups(own, first, n, len(participants), seats)
        else:
            lineup = around(measured, n, seats)
        net, control = np.zeros((2, n, 1, seats))
        alike = np.zeros((n, 1), bool)
        for i, number in enumerate(range(first, first + n)):
            cards = deal_cards(own, number, seats, run.ranks)
            draws = int(child(own, "draws", number))
            seat = (np.arange(seats) + number) % seats  # of each place
            players = [team[k][p] for p, k in sorted(zip(seat, lineup[i], strict=True))]
            dealt = run.game, run.ranks, cards, number, draws
            played, copies = play_hand(players, *dealt), play_hand(team[copied], *dealt)
            net[i, 0], control[i, 0] = played.payoffs[seat], copies.payoffs[seat]
            alike[i] = both_fold(played, copies, int(seat[0]))
        return TableHands(Played(net, control, alike), lineup[:, 1:] - 1)

    return source, names[copied]


def both_fold(played: Record, control: Record, seat: int) -> bool:
    """Whether ``seat`` folds in the first round of both hands, after the same actions."""
    done = played.actions[0]
    if (seat, FOLD) not in done:
        return False
    end = done.index((seat, FOLD)) + 1
    return done[:end] == control.actions[0][:end]


def control_of(kind: str, participants: list[str]) -> int:
    """Whose copy the Control is: 0 the agent, 1 the only participant if that surrounds it."""
    return int(kind == ALONE and len(participants) == 1)


def around(measured: int, n: int, seats: int) -> np.ndarray:
    """Line-ups of copies of the agent around participant ``measured``, as of :func:`lineups`."""
    lineup = np.zeros((n, seats), np.int64)
    lineup[:, 0] = 1 + measured
    return lineup


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
