"""The stage ``compare``: an agent's play before the flop, beside Pluribus's published figures."""

from pathlib import Path

from sixmax.blueprint.run import open_run
from sixmax.errors import UserError
from sixmax.evaluation.agents.policies import class_weights
from sixmax.evaluation.pluribus.first_in import like_pluribus, record
from sixmax.files import write_json
from sixmax.progress import say


def compare(folder: Path, agent: str, out: Path) -> None:
    """Write how ``agent`` ("blueprint" or a snapshot) plays before the flop to ``out``, as JSON.

    Beside it stands what Pluribus did where the game is the one that it played.
    """
    run = open_run(folder)
    if agent != "blueprint" and not agent.startswith("snapshot-"):
        raise UserError(f"agent {agent!r}: wanted blueprint or a snapshot, as in snapshot-00004")
    weight = class_weights(run)
    beside = like_pluribus(run.game, run.ranks)
    found = record(run.tree, run.layout, run.policy(agent), weight, beside)
    ranks = run.ranks if run.game.cards == "holdem" else None
    write_json(out, {"agent": agent, "cards": run.game.cards, "ranks": ranks, **found})
    for spot in found["first_in"]:
        theirs = f", Pluribus {spot['pluribus']['raise']:.1f} %" if beside else ""
        say(
            f"first in {spot['name']}: raise {spot['raise']:.1f} %{theirs}; "
            f"limp {spot['limp']:.1f} %"
        )
