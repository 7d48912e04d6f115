"""The solvers of a subgame, in the order in which they are asked."""

from sixmax.search.config import SearchConfig
from sixmax.search.solvers import sampled
from sixmax.search.solvers.limited import solver as limited
from sixmax.search.solvers.problem import Solver
from sixmax.search.solvers.ranges import solver as ranges
from sixmax.search.subgame import Subgame

SOLVERS: dict[str, Solver] = {"ranges": ranges, "limited": limited, "sampled": sampled}
SAFE = ("ranges", "limited")  # those that know safe solving


def choose(subgame: Subgame, config: SearchConfig) -> tuple[Solver, bool]:
    """The first solver that takes ``subgame``, and whether it knows safe solving."""
    name, solver = next((n, s) for n, s in SOLVERS.items() if s.takes(subgame, config))
    return solver, name in SAFE
