"""A search: build the subgame of a position, choose a solver, return its solution."""

import functools
from collections.abc import Callable, Sequence

import numpy as np

from sixmax.abstraction.flop.store import FlopBuckets, is_kept, of_board
from sixmax.base.errors import UserError
from sixmax.betting import rules
from sixmax.betting.bet_size import scaled
from sixmax.betting.config import RoundSizes
from sixmax.betting.leaf_choices import ALL_SEATS
from sixmax.betting.tree import CHOICE, MAX_ACTIONS, is_decision, round_of
from sixmax.blueprint.run import Run
from sixmax.continuation.generate import Continuation
from sixmax.continuation.mixed import mixed_play
from sixmax.continuation.store import load_exact
from sixmax.leaf_function.network import load
from sixmax.ongoing.hand import blueprint_buckets, blueprint_rows
from sixmax.ongoing.locate import Places, locate, places
from sixmax.search.config import SearchConfig
from sixmax.search.constraints import FrozenRow
from sixmax.search.result import FrozenAction, Position, Solution
from sixmax.search.solvers import all_hands, first_round, sampled
from sixmax.search.solvers.limited import solver as limited
from sixmax.search.solvers.problem import Begin, Problem, Solver, leaf_game, quiet
from sixmax.search.subgame import Subgame, SubgameCards, build, depth

# The first whose ``takes`` says so solves a subgame. ``ranges``: two players from the flop on, to
# the end of the hand, so each river of two. ``limited``: games of two seats, in the rounds that the
# player of the config limits. ``sampled``: all others.
SOLVERS: dict[str, Solver] = {"ranges": all_hands, "limited": limited, "sampled": sampled}

# With a clock:
SHORTEST = 0.1  # seconds: no search begins that has less
# ASSUME a search cut below a quarter of its iterations plays worse than the blueprint: on the turn
# of `hunl` 50 of 400 lost, 150 gained (docs/results/search.md).
LEAST = 0.25
MAKING = 10.0  # seconds: buckets of a flop are made only if there is more


class OutOfTimeError(Exception):
    """A search had no time, or so little that its result is not worth playing."""


class Searcher:
    """A search function for the hands of one run."""

    def __init__(
        self, run: Run, policy: np.ndarray, config: SearchConfig, begin: Begin = quiet,
        packed: np.ndarray | None = None, continuations: Sequence[Continuation] | None = None,
        left: Callable[[], float] | None = None,
    ):  # fmt: skip
        """``policy`` is the blueprint's, uint8[layout.size].

        ``packed`` uint8[continuations, bytes] and ``continuations``, as they mix, replace those in
        the folder of the run. ``left`` gives the seconds that a search may still take; searches are
        then cut, and results depend on the speed of the machine. Raises UserError for a player of
        two in a game of more seats.
        """
        if config.player.nested != "none" and run.game.seats != 2:
            raise UserError(
                f"player {config.player.name}, and the run has {run.game.seats} seats: it is "
                "for two players; wanted pluribus"
            )
        self.run, self.policy, self.config, self.begin = run, policy, config, begin
        self._left = left
        self.places: Places = places(run.game, run.tree)
        self.leaf_game = leaf_game(run, packed)._replace(places=self.places)
        self._first = policy
        if config.player.limited and run.game.seats == 2:
            exact = load_exact(run) if continuations is None else continuations
            self.leaf_game = self.leaf_game._replace(mixed=mixed_play(run, exact))
            self._first = exact[0].policy  # leaves are of it, and so the rows before them
        if config.player.leaf == "learned":
            function = load(run, len(self.leaf_game.packed))
            self.leaf_game = self.leaf_game._replace(function=function)

    def __call__(self, position: Position, frozen: tuple[FrozenAction, ...], seed: int) -> Solution:
        """Search ``position``; decisions in ``frozen`` stay as they were. Raises OutOfTimeError."""
        problem, config = self.problem(position, frozen, seed), self.config
        solver = next(s for s in SOLVERS.values() if s.takes(problem.subgame, config))
        # ASSUME a subgame too large for the safe solver is solved unsafely.
        if not solver.SAFE:
            problem = problem._replace(alternative=None)
        return self._solve(solver, problem)

    def problem(self, position: Position, frozen: tuple[FrozenAction, ...], seed: int) -> Problem:
        """The problem of a search. Raises UserError where values of leaves are missing."""
        run, config = self.run, self.config
        early = position.state.round == 0 and 0 in config.player.limited
        if early and self.leaf_game.first_round is None:
            self.leaf_game = self.leaf_game._replace(first_round=first_round.load(run, self._first))
        rounds = self._raises(position.state.round, position.factor)
        own = self._own_buckets(position.state.board)
        buckets = own or int(run.buckets.counts.max())
        scope = depth(position.state, config.player.limited)._replace(
            choices=self._choices(position), choosers=self._choosers(position.seat)
        )
        subgame = build(position.state, rounds, self.places, run.ranks, buckets, scope)
        return Problem(
            subgame, position.beliefs, seed,
            SubgameCards(run.ranks, run.buckets, self._later(subgame, own)),
            [row for action in frozen if (row := _frozen_row(subgame, action))],
            functools.partial(warm_start, run, self._first, self.places, subgame),
            position.alternative, self.leaf_game,
        )  # fmt: skip

    def _solve(self, solver: Solver, problem: Problem) -> Solution:
        """The solution of ``problem``, in the time left. Raises OutOfTimeError."""
        if self._left is None:
            return solver.solve(problem, self.config, self.begin)
        if (seconds := self._left()) < SHORTEST:
            raise OutOfTimeError(f"{seconds:.2f} s left for a search")
        if 0 < self.config.seconds < seconds:
            seconds = self.config.seconds
        begun: list[int] = []
        # No limit where it is infinite: 0 says so.
        limit = self.config.model_copy(update={"seconds": seconds if np.isfinite(seconds) else 0.0})
        solution = solver.solve(problem, limit, lambda n: begun.append(n) or self.begin(n))
        if solution.iterations < LEAST * sum(begun):
            raise OutOfTimeError(f"{solution.iterations} of {sum(begun)} iterations")
        return solution

    def _choices(self, position: Position) -> int:
        """The number of continuations at a leaf, the first ones of the run, or of those kept."""
        there, wanted = len(self.leaf_game.packed), self.config.player.leaf_values
        kept = self.leaf_game.first_round
        if kept is not None and position.state.round == 0:
            return min(kept.chips.shape[1], wanted or MAX_ACTIONS)
        if wanted is not None and wanted > there:
            raise UserError(
                f"player {self.config.player.name} has {wanted} values at a leaf, and the run "
                f"{there} continuations; wanted {there} at most"
            )
        return wanted or there

    def _choosers(self, seat: int | None) -> int:
        """The mask of the seats that choose at leaves, where ``seat`` searches."""
        # ASSUME all choose where nobody in particular searches.
        if self.config.player.choosers == "all" or seat is None:
            return ALL_SEATS
        return ALL_SEATS & ~(1 << seat)

    def _raises(self, searched: int, factor: float) -> list[RoundSizes]:
        """The raises of a subgame by round, times ``factor``; ``searched`` has ``bets``, too."""
        rounds, bets = list(self.config.rounds or self.run.game.rounds), self.config.bets
        if searched < len(bets) and bets[searched]:
            first, *others = rounds[searched].sizes
            more = {"sizes": [[*first, *bets[searched]], *(others or [first])]}
            rounds[searched] = rounds[searched].model_copy(update=more)
        return rounds if factor == 1 else [_scaled(sizes, factor) for sizes in rounds]

    def _own_buckets(self, board: np.ndarray) -> int:
        """The buckets of each later round that are the search's own; 0: the blueprint's."""
        own = self.config.buckets
        hurry = own and len(board) and self._left is not None and self._left() < MAKING
        return 0 if hurry and not is_kept(self.run.folder, board, own) else own

    def _later(self, subgame: Subgame, own: int) -> FlopBuckets | None:
        """``own`` buckets of the later rounds, made on first use; None: the blueprint's."""
        if len(subgame.tree.columns) == 1 or not own:
            return None
        return of_board(self.run.folder, subgame.state.board, own)


def _scaled(sizes: RoundSizes, factor: float) -> RoundSizes:
    rows = [[scaled(size, factor) for size in row] for row in sizes.sizes]
    return sizes.model_copy(update={"sizes": rows})


def _frozen_row(subgame: Subgame, frozen: FrozenAction) -> FrozenRow | None:
    """A frozen action at its node. Actions that were not offered have probability zero.

    None where the subgame lacks the decision, or an action that was offered there, as the first
    subgame of nested solving lacks bets off the tree.
    """
    try:
        node = subgame.tree.find(frozen.before)
    except UserError:
        return None
    offered = subgame.tree.offered(node)
    if not set(frozen.offered) <= set(offered):
        return None
    row = np.zeros(len(offered))
    for action, p in zip(frozen.offered, frozen.row, strict=True):
        row[offered.index(action)] += p
    return FrozenRow(node, frozen.hole, row)


def warm_start(
    run: Run, policy: np.ndarray, places: Places, subgame: Subgame
) -> list[tuple[int, np.ndarray]]:
    """The blueprint's rows, float64[holes, actions], at decisions of the subgame's round 0.

    Monte Carlo CFR deals each hand a few times in a thousand iterations, and a hand of belief 0
    never. With these rows as its first regrets, a hand plays the blueprint until it has been dealt
    often enough (Brown & Sandholm, "Strategy-Based Warm Starting for Regret Minimization in Games",
    AAAI 2016, in its simplest form). ``policy`` is uint8[layout.size]. A decision is left out if
    the blueprint's nearest node offers another number of raises.

    # ASSUME the paper starts from zero.
    """
    state, tree, starts = subgame.state, subgame.tree, []
    bucket, start = blueprint_buckets(run, state.board), rules.begin(state.game)
    head = tree.node[:, 0]
    for x in np.flatnonzero(is_decision(head) & (round_of(head) == 0)).tolist():
        offered = tree.offered(x)
        if offered[0] <= CHOICE:
            continue
        taken = np.array([*state.before, *tree.path(x)], np.int64)
        node, _ = locate(places, start, taken)
        if node >= 0 and _kinds(run.tree.offered(node)) == _kinds(offered):
            starts.append((x, blueprint_rows(run, policy, node, bucket)))
    return starts


def _kinds(offered: list[int]) -> list[int]:
    """Actions without the sizes of raises, to compare two nodes by."""
    return [min(action, rules.CALL + 1) for action in offered]
