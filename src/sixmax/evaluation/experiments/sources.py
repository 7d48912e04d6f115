"""Where the hands of an experiment come from: tables of agents, in kernels."""

from typing import NamedTuple

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.evaluation.agents.policies import open_agent, open_ground
from sixmax.evaluation.aivat.scored_match import columns
from sixmax.evaluation.aivat.values import Values
from sixmax.evaluation.experiments.experiment import ALONE, COPIES, Source, Table
from sixmax.evaluation.match.control import Played, play, turns
from sixmax.jit import njit
from sixmax.rng import below, child, step, stream

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
    """Every deal from all seats, and the name of the Control.

    The Control is a copy of those that all others are: of the agent, or of the one participant
    that surrounds it; where several do, of the agent. AIVAT takes participants for strangers, whose
    policies nobody knows.
    """
    names = [agent, *participants]
    ground = open_ground(run, names)
    team = tuple(open_agent(run, name) for name in names)
    copied = control_of(kind, participants)
    seats = run.game.seats

    def source(measured: int, first: int, n: int) -> Table:
        own = int(child(seed, "participant", measured))
        lineup = seated(kind, measured, own, first, n, len(participants), seats)
        turn = turns(seats, first, n, every=True)
        played = play(team, lineup, turn, copied, ground, run.dealer, own, first)
        if scored is None:
            return Table(played, lineup[:, 1:] - 1)
        m = max(0, min(n, scored.deals - first))
        won = _by_aivat(played, m, own, first) if m else np.empty(0)
        return Table(played, lineup[:, 1:] - 1, {AIVAT: won})

    def _by_aivat(played: Played, m: int, own: int, first: int) -> np.ndarray:
        """Of the first ``m`` deals, less the Control's where copies surround a stranger."""
        around, copies = played.end[:m], kind == COPIES
        how = (team[0], team[0]), ground, run.dealer, scored.values, own, first, m
        won = columns(*how, known=False, copies=copies, ends=around)[..., -1].mean(axis=1)
        if copies:
            beside = np.repeat(played.beside[:m, None], seats, axis=1)
            won -= columns(*how, copies=True, ends=beside)[..., -1].mean(axis=1)
        return won

    return source, names[copied]


def control_of(kind: str, participants: list[str]) -> int:
    """Whose copy the Control is: 0 the agent, 1 the one participant that surrounds it."""
    return int(kind == ALONE and len(participants) == 1)


def seated(
    kind: str, measured: int, seed: int, first: int, n: int, participants: int, seats: int
) -> np.ndarray:
    """Who sits in each place of deals ``first`` …: int64[n, seats], 0 the agent, then participants.

    Place 0 is that of who is measured.
    """
    if kind == ALONE:
        return lineups(seed, first, n, participants, seats)
    lineup = np.zeros((n, seats), np.int64)
    lineup[:, 0] = 1 + measured
    return lineup


def lineups(seed: int, first: int, n: int, participants: int, seats: int) -> np.ndarray:
    """Who sits in each place of deals ``first`` …: int64[n, seats], 0 the agent, then participants.

    Drawn anew for each deal, all alike; nobody sits twice before everybody has a seat.
    """
    found = np.zeros((n, seats), np.int64)
    _lineups_kernel(child(seed, "lineups"), first, participants, found)
    return found


@njit
def _lineups_kernel(seed, first, participants, found):
    order = np.empty(participants, np.int64)
    for i in range(len(found)):
        state = stream(seed, np.uint64(first + i))
        for place in range(1, found.shape[1]):
            at = (place - 1) % participants
            if at == 0:
                order[:] = np.arange(1, participants + 1)
            state = step(state)
            other = at + below(state, participants - at)
            order[at], order[other] = order[other], order[at]
            found[i, place] = order[at]
