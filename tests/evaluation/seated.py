"""Players of a small run in memory, by seat."""

from search.holdem import small_run
from sixmax.evaluation import agents
from sixmax.evaluation.players import TablePlayer


def players(seats, kinds):
    """The run of ``search.holdem`` and a player of each of ``kinds``: blueprint, random or call."""
    run, policy = small_run(seats)
    ground = agents.ground(run.tree, run.layout)
    made = {
        "blueprint": agents.agent(agents.POLICY, policy),
        "random": agents.agent(agents.RANDOM),
        "call": agents.agent(agents.CALLER),
    }
    return run, [TablePlayer(run, kind, made[kind], ground) for kind in kinds]
