"""Where the hands of an experiment come from: tables of agents, in kernels."""

from typing import NamedTuple

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.errors import UserError
from sixmax.evaluation.agents import open_agent, open_ground
from sixmax.evaluation.aivat import columns
from sixmax.evaluation.control import play, turns
from sixmax.evaluation.experiment import ALONE, Source, Table
from sixmax.evaluation.values import Values
from sixmax.jit import njit
from sixmax.rng import below, child, step, stream

AIVAT = "AIVAT"  # the score of that name


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
    that surrounds it; where several do, of the agent. AIVAT is for one among copies of another:
    raises UserError where it is ``scored`` among several participants.
    """
    if scored and kind == ALONE and len(participants) > 1:
        raise UserError(
            f"experiment {kind} with {len(participants)} participants at a table: AIVAT scores one "
            "agent among copies of another; take `copies`, or one participant"
        )
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
        pair = team[lineup[0, 0]], team[lineup[0, 1]]
        won = np.empty((0, seats))
        if m:
            won = columns(pair, ground, run.dealer, scored.values, own, first, m)[..., -1]
        return Table(played, lineup[:, 1:] - 1, {AIVAT: won.mean(axis=1)})

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
