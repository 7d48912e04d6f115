"""Where the hands of an experiment come from that somebody searches in: the table hand by hand."""

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.evaluation.agents.player import open_players
from sixmax.evaluation.experiments.experiment import Source, Table
from sixmax.evaluation.experiments.sources import control_of, seated
from sixmax.evaluation.hands.record import Record
from sixmax.evaluation.match.by_hand import play_hand
from sixmax.evaluation.match.control import Played
from sixmax.game.rules import FOLD
from sixmax.games.holdem import deal_cards
from sixmax.rng import child
from sixmax.search.config import SearchConfig


def by_hand(
    run: Run, kind: str, agent: str, participants: list[str], config: SearchConfig, seed: int
) -> tuple[Source, str]:
    """One hand a deal, seats in turn, and the name of the Control, as of experiment_sources.

    Whoever is among the agent and the ``participants`` may search. Each hand is played once more
    with the Control in all seats; searches that both come to are made once.
    """
    names, seats = [agent, *participants], run.game.seats
    opened = open_players(run, [name for name in names for _ in range(seats)], config)
    team = [opened[k * seats : (k + 1) * seats] for k in range(len(names))]
    copied = control_of(kind, participants)

    def source(measured: int, first: int, n: int) -> Table:
        own = int(child(seed, "participant", measured))
        lineup = seated(kind, measured, own, first, n, len(participants), seats)
        net, control = np.zeros((2, n, 1, seats))
        alike = np.zeros((n, 1), bool)
        for i, number in enumerate(range(first, first + n)):
            cards, draws = (
                deal_cards(own, number, run.game.seats, run.ranks),
                int(child(own, "draws", number)),
            )
            seat = (np.arange(seats) + number) % seats  # of each place
            players = [team[k][p] for p, k in sorted(zip(seat, lineup[i], strict=True))]
            dealt = run.game, run.ranks, cards, number, draws
            played, copies = play_hand(players, *dealt), play_hand(team[copied], *dealt)
            net[i, 0], control[i, 0] = played.payoffs[seat], copies.payoffs[seat]
            alike[i] = both_fold(played, copies, int(seat[0]))
        return Table(Played(net, control, alike), lineup[:, 1:] - 1)

    return source, names[copied]


def both_fold(one: Record, other: Record, seat: int) -> bool:
    """Whether ``seat`` folds in the first round of both hands, after the same actions."""
    done = one.actions[0]
    if (seat, FOLD) not in done:
        return False
    end = done.index((seat, FOLD)) + 1
    return done[:end] == other.actions[0][:end]
