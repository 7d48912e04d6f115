"""Players by their names: of policies, and of PLAYERS, which decide hand by hand.

A new one is a class, and a row of PLAYERS.
"""

import functools
import re
from collections.abc import Callable

import numpy as np

from sixmax.agents.player import ImprovedPlayer, Player, RaisingPlayer, SearchPlayer, TablePlayer
from sixmax.agents.registry import RAISES, open_agents, policy_of, pots_of
from sixmax.base.errors import UserError
from sixmax.blueprint.run import Run, improvement, open_improved
from sixmax.ongoing.policies import match_game
from sixmax.search.config import SearchConfig
from sixmax.search.result import SearchCache
from sixmax.search.searcher import Searcher
from sixmax.search.solvers.problem import Begin, quiet

SEARCH = "search"  # the name of the player that searches
IMPROVED = "improved"  # of the one that remembers the opponent's bets
Left = Callable[[], float] | None  # the seconds left for a decision


class PlayerSource:
    """The run of the players at a table; policies and searches are opened once for all of them."""

    def __init__(self, run: Run, config: SearchConfig | None, begin: Begin, left: Left):
        self.run, self.config = run, config or SearchConfig()
        self._begin, self._left = begin, left
        self._game = match_game(run.tree, run.layout)
        self._policy = functools.cache(lambda agent: policy_of(run, self._game, agent))

    def of_policy(self, name: str, agent: str, kind: type = TablePlayer, *more: float) -> Player:
        """A player of ``kind`` by the policy of ``agent`` of the registry. Raises UserError."""
        return kind(self.run, name, self._policy(agent), self._game, *more)

    @functools.cached_property
    def searches(self) -> tuple[np.ndarray, SearchCache]:
        """The policy uint8[layout.size] that plays outside of searches, and the searches."""
        policy = self.run.policy(self.config.blueprint)
        searcher = Searcher(self.run, policy, self.config, self._begin, left=self._left)
        return policy, SearchCache(searcher)


def _improved(source: PlayerSource, name: str) -> Player:
    """The blueprint with the branch of the run's folder ``improve/type1``.

    Raises UserError where there is none, or one of another run or another type.
    """
    run, plain = source.run, source.of_policy(name, "blueprint")
    improved = open_improved(run, run.folder / "improve" / "type1")
    improved_by = improvement(improved.folder)
    if improved_by["type"] != 1:
        raise UserError(f"{improved.folder}: made by type {improved_by['type']}, wanted type 1")
    game, (policy,) = open_agents(improved, ["blueprint"])
    special = TablePlayer(improved, plain.name, policy, game)
    return ImprovedPlayer(run, plain, special, improved_by["bets"][0])


def _raising(source: PlayerSource, name: str) -> Player:
    # It needs no run that has its raise, as the agent of the registry does.
    return source.of_policy(name, "blueprint", RaisingPlayer, pots_of(name))


def _of_policy(source: PlayerSource, name: str) -> Player:
    return source.of_policy(name, name)


# A player hand by hand: its name, as a regular expression, and the function that opens it.
PLAYERS: dict[str, Callable[[PlayerSource, str], Player]] = {
    SEARCH: lambda source, name: SearchPlayer(source.run, source.config, *source.searches),
    IMPROVED: _improved,
    RAISES.pattern: _raising,
}


def open_players(
    run: Run, names: list[str], config: SearchConfig | None = None, begin: Begin = quiet,
    left: Left = None,
) -> list[Player]:  # fmt: skip
    """A player for each of ``names``: of PLAYERS, as ``search``, or an agent of the registry.

    Each plays its own hand, but searches are shared: a search knows no private hand. ``begin``
    watches them, and they keep to the seconds that ``left`` gives, as in Searcher. Raises
    UserError for an unknown name, and for ``improved`` where the run has no branch of type 1.
    """
    check_run(run)
    source = PlayerSource(run, config, begin, left)
    openers = [
        next((opener for form, opener in PLAYERS.items() if re.fullmatch(form, name)), _of_policy)
        for name in names
    ]
    for name, opener in zip(names, openers, strict=True):
        if opener is _of_policy:
            source.of_policy(name, name)  # an unknown one is refused before a search is prepared
    return [opener(source, name) for name, opener in zip(names, openers, strict=True)]


def check_run(run: Run) -> None:
    """Raise UserError unless ``run`` is one of hold'em to the river."""
    if run.buckets is None or len(run.game.rounds) != 4:
        raise UserError(
            f"{run.folder}: a run of {run.game.cards} with {len(run.game.rounds)} rounds, wanted "
            "hold'em with 4"
        )
