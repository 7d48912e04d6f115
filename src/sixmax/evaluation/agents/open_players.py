"""Players by their names: those of tables, of search, and of the self-improver."""

from collections.abc import Callable

from sixmax.blueprint.run import Run
from sixmax.errors import UserError
from sixmax.evaluation.agents.improved_player import improved_player
from sixmax.evaluation.agents.player import (
    Player,
    RaisingPlayer,
    SearchPlayer,
    TablePlayer,
)
from sixmax.evaluation.agents.raises import pots_of
from sixmax.evaluation.agents.registry import open_agents
from sixmax.search.agent import SearchCache
from sixmax.search.config import SearchConfig
from sixmax.search.searcher import Searcher
from sixmax.search.solvers.problem import Begin, quiet

SEARCH = "search"  # the name of the player that searches
IMPROVED = "improved"  # of the one that remembers the opponent's bets


def open_players(
    run: Run,
    names: list[str],
    config: SearchConfig | None = None,
    begin: Begin = quiet,
    left: Callable[[], float] | None = None,
) -> list[Player]:
    """A player for each of ``names``: ``search``, ``improved``, or an agent of the registry.

    Each plays its own hand, but tables are opened once, and searches are shared: a search
    knows no private hand. ``begin`` watches them, and they keep to the seconds that ``left`` gives,
    as in Searcher. ``raises-5`` needs no run that has its raise. Raises UserError for an unknown
    name, and for ``improved`` as :func:`sixmax.evaluation.agents.improved_player.improved_player`.
    """
    check_run(run)
    tables = sorted({_table(name) for name in names if name != SEARCH})
    game, agents = open_agents(run, tables)
    opened = dict(zip(tables, agents, strict=True))
    config = config or SearchConfig()
    search = ()
    if SEARCH in names:
        policy = run.policy(config.blueprint)
        search = (policy, SearchCache(Searcher(run, policy, config, begin, left=left)))

    def player(name: str) -> Player:
        if name == SEARCH:
            return SearchPlayer(run, config, *search)
        policy = opened[_table(name)]
        if (pots := pots_of(name)) is not None:
            return RaisingPlayer(run, name, policy, game, pots)
        if name == IMPROVED:
            return improved_player(run, TablePlayer(run, name, policy, game))
        return TablePlayer(run, name, policy, game)

    return [player(name) for name in names]


def _table(name: str) -> str:
    """The agent of the registry whose policy the player ``name`` starts from."""
    return "blueprint" if name == IMPROVED or pots_of(name) is not None else name


def check_run(run: Run) -> None:
    """Raise UserError unless ``run`` is one of hold'em to the river."""
    if run.buckets is None or len(run.game.rounds) != 4:
        raise UserError(
            f"{run.folder}: a run of {run.game.cards} with {len(run.game.rounds)} rounds, wanted "
            "hold'em with 4"
        )
