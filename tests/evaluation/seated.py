"""Players of a small run in memory, by seat."""

from search.holdem import small_run
from sixmax.evaluation import agents
from sixmax.evaluation.players import Player, TablePlayer
from sixmax.game.betting import Betting
from sixmax.game.rules import CALL, FOLD


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
    """Raises to any number of chips that is legal: nothing that a tree offers."""

    name = "wild"

    def begin(self, number, seat, hole, game, seed):
        self.betting = Betting(game)

    def deal(self, cards):
        pass

    def act(self, u):
        limits = self.betting.raise_range
        if limits is None or u > 0.6:
            return FOLD if u > 0.9 and self.betting.to_call else CALL
        return limits[0] + int((limits[1] - limits[0]) * (u / 0.6) ** 6)

    def see(self, action):
        self.betting.act(action)
