"""The solvers of a subgame, in the order in which they are asked."""

from sixmax.search.config import SearchConfig
from sixmax.search.solvers import sampled
from sixmax.search.solvers.limited import solver as limited
from sixmax.search.solvers.problem import Solver
from sixmax.search.solvers.ranges import solver as ranges
from sixmax.search.subgame import Subgame

SOLVERS: dict[str, Solver] = {"ranges": ranges, "limited": limited, "sampled": sampled}


def choose(subgame: Subgame, config: SearchConfig) -> Solver:
    """The first solver that takes ``subgame``."""
    return next(solver for solver in SOLVERS.values() if solver.takes(subgame, config))
