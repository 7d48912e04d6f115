"""A match of one agent against copies of another, of the same run or of another one.

All that makes the record of a match is here. The command's own module knows every player that
searches: an edit of search would repeat matches, if the workflow went by its code.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from sixmax.agents.registry import open_agents
from sixmax.base.errors import UserError
from sixmax.base.rng import child
from sixmax.blueprint.run import Run, open_run
from sixmax.evaluation.match import duplicate, two_runs
from sixmax.evaluation.match.pairings import Pairing
from sixmax.ongoing.policies import MatchGame, Policy
from sixmax.scores.statistics import RESULT, Result
from sixmax.store.records import write


class Contestant(NamedTuple):
    """An agent: its name, and its policy in the game of its run."""

    name: str
    run: Run
    game: MatchGame
    policy: Policy


def contestants(
    folder: Path, against: Path | None, pairing: Pairing
) -> tuple[Contestant, Contestant]:
    """The agents of ``pairing``, the second of the run in ``against`` where there is one."""
    run = open_run(folder)
    if against is None:
        game, (a, b) = open_agents(run, list(pairing))
        return Contestant(pairing.a, run, game, a), Contestant(pairing.b, run, game, b)
    other = open_run(against)
    (game_a, (a,)), (game_b, (b,)) = open_agents(run, [pairing.a]), open_agents(other, [pairing.b])
    return Contestant(pairing.a, run, game_a, a), Contestant(pairing.b, other, game_b, b)


def of_deals(seed: int) -> int:
    """The seed of deals and draws: all matches of one ``seed`` are played on the same deals."""
    return child(seed, "evaluation")


def keep(result: Result, out: Path) -> None:
    """Write the record of a match to ``out``."""
    write(out, RESULT, result.to_json())


def contest(
    a: Contestant, b: Contestant, deals: int, seed: int,
    progress: Callable[[int], None] = lambda n: None, boards: int | None = None,
) -> Result:  # fmt: skip
    """Play ``deals`` deals of ``a`` against copies of ``b``; ``progress`` counts them.

    ``boards`` as in :func:`sixmax.evaluation.match.duplicate.play`. Raises UserError for boards
    where there are none or of two runs, for two runs of different games, or of one name.
    """
    names, run, draws = (a.name, b.name), a.run, of_deals(seed)
    if run is b.run:
        if boards is not None and run.buckets is None:
            raise UserError(
                f"{run.folder}: all-in pots over boards wanted hold'em, found {run.game.cards}; "
                "leave out --all-in"
            )
        terms = duplicate.protocol(run.game.seats, run.big_blind, run.game_digest, boards)
        agents = a.policy, b.policy
        return duplicate.play(
            names, agents, a.game, run.dealer, terms, deals, draws, progress, boards
        )
    if boards is not None:
        raise UserError("--all-in is for agents of one run; leave it out, or --against")
    two_runs.refuse_other_games(run, b.run)
    folders = run.folder.resolve(), b.run.folder.resolve()
    if folders[0].name == folders[1].name and folders[0] != folders[1]:
        raise UserError(
            f"{folders[0]} and {folders[1]}: two runs of one name, which nobody could tell apart "
            "in the result; rename one of the folders"
        )
    names = f"{folders[0].name}/{a.name}", f"{folders[1].name}/{b.name}"
    sides = (a.game, a.policy), (b.game, b.policy)
    return two_runs.play(names, (run, b.run), sides, deals, draws, progress)
