"""Players of a small run in memory, by seat."""

from search.holdem import small_run
from sixmax.evaluation import agents
from sixmax.evaluation.players import Player, TablePlayer
from sixmax.game.betting import Betting


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


class Wild(Player):
    """Raises to any number of chips that is legal: nothing that a tree offers. How often, and
    whether it folds, is for ``act`` to say."""

    name = "wild"

    def begin(self, number, seat, hole, game, seed):
        self.betting = Betting(game)

    def deal(self, cards):
        pass

    def see(self, action):
        self.betting.act(action)
