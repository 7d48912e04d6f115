"""A duplicate match between two agents that play from tables, of one run or of two."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.blueprint.identity import game_digest
from sixmax.blueprint.run import Run
from sixmax.errors import UserError
from sixmax.evaluation.agents.policies import MatchGame, Policy
from sixmax.evaluation.match import two_runs
from sixmax.evaluation.match.duplicate import play, protocol
from sixmax.evaluation.scores.statistics import Result

Progress = Callable[[int], None]
Contest = Callable[[int, np.uint64, Progress], Result]  # deals, seed, progress


class Entrant(NamedTuple):
    """An agent: its name, and its policy in the game of its run."""

    name: str
    run: Run
    game: MatchGame
    policy: Policy


def contest(a: Entrant, b: Entrant, boards: int | None = None) -> Contest:
    """The match of ``a`` against copies of ``b``.

    ``boards`` says how all-in pots are counted: None as they came, else as
    :mod:`sixmax.evaluation.hands.all_in` says. Raises UserError where a game without boards is to
    be averaged, and for two runs of different games.
    """
    return _of_one_run(a, b, boards) if a.run is b.run else _of_two_runs(a, b, boards)


def _of_one_run(a: Entrant, b: Entrant, boards: int | None) -> Contest:
    run = a.run
    if boards is not None and run.buckets is None:
        raise UserError(
            f"{run.folder}: all-in pots over boards wanted hold'em, found {run.game.cards}; leave "
            "out --all-in"
        )
    terms = protocol(run.game.seats, run.big_blind, game_digest(run.identity["settings"]), boards)

    def held(deals: int, seed: np.uint64, progress: Progress) -> Result:
        names, agents = (a.name, b.name), (a.policy, b.policy)
        return play(names, agents, a.game, run.dealer, terms, deals, seed, progress, boards)

    return held


def _of_two_runs(a: Entrant, b: Entrant, boards: int | None) -> Contest:
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

    def held(deals: int, seed: np.uint64, progress: Progress) -> Result:
        sides = (a.game, a.policy), (b.game, b.policy)
        return two_runs.play(names, (a.run, b.run), sides, deals, seed, progress)

    return held
