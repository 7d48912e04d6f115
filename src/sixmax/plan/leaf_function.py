"""The cost of the learned values of leaves."""

from sixmax.cards.isomorphism import boards
from sixmax.config import Config
from sixmax.continuation.generate import GENERATOR, GENERATORS
from sixmax.leaf_function.config import NETWORK
from sixmax.leaf_function.features import names
from sixmax.leaf_function.stage import UNSEEN_ROLLOUTS, UNSEEN_STATES
from sixmax.plan import rates


def cost(config: Config, threads: int, share: float) -> tuple[float, float, float]:
    """Memory and disk in GB, and seconds; ``share``: the size of a flop beside the full deck's.

    The strength of the hands of every flop, the roll-outs of states seen and unseen, the fit.
    """
    section, flops = config.leaf_function, len(boards(config.deck.ranks, 3).count)
    choices = len(GENERATORS[GENERATOR].names)
    inputs, units = len(names(config.game.seats, choices)), NETWORK.units
    weights = units * (inputs + (NETWORK.layers - 1) * units + choices)
    unseen = 2 * UNSEEN_STATES * UNSEEN_ROLLOUTS
    rolled = (section.states * NETWORK.rollouts + unseen) / rates.ROLLED
    shared = flops * share / rates.STRONG_FLOPS + rolled
    fitting = section.states * NETWORK.epochs * weights / rates.FITTED
    memory = section.states * (8 * inputs + 24 * choices) / 1e9 + 2 * rates.PROCESS_GB
    return memory, 4 * weights / 1e9, rates.START_S + shared / threads + fitting
