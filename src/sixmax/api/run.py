"""A run, opened: its agents, and any spot of its game."""

import functools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sixmax.agents.open_players import PLAYERS, check_run
from sixmax.agents.registry import BASELINES, continuation_name, open_agents
from sixmax.api import checks
from sixmax.api.spot import Spot, settings_of
from sixmax.api.walk import Address
from sixmax.base.errors import UserError
from sixmax.betting.notation import in_acpc_notation
from sixmax.blueprint.run import Run, open_run, snapshots
from sixmax.continuation.store import load_names
from sixmax.ongoing.policies import MatchGame, Policy, match_game

if TYPE_CHECKING:
    from sixmax.api.play import LiveTable

_BET = re.compile(r"(?:^|[\s,;/])b\s*\d", re.I)
_OPEN = 6  # policies kept open: some are copies in memory


class OpenedRun:
    """A trained strategy with its game; :func:`open` makes it. It is never written to.

    folder: of its stores, which zarr and xarray open
    """

    def __init__(self, run: Run):
        self.run, self.folder, self.name = run, run.folder, run.folder.name
        self.game: MatchGame = match_game(run.tree, run.layout)
        self._policies = functools.lru_cache(_OPEN)(lambda name: open_agents(run, [name])[1][0])

    @property
    def agents(self) -> list[str]:
        """The names that :meth:`agent` takes, the blueprint first.

        More there are: ``-purified`` and other endings of the blueprint's, ``raises-5``.
        """
        names = ["blueprint", "blueprint-purified", *snapshots(self.folder)[::-1]]
        names += [continuation_name(name) for name in self.continuations]
        return [*names, *BASELINES, "search"]

    @property
    def continuations(self) -> list[str]:
        """The names of its continuation strategies; none where it was trained without."""
        try:
            return load_names(self.run)
        except UserError:
            return []

    def agent(self, name: str = "blueprint", **search: Any) -> "Agent":
        """The agent ``name`` of this run. Raises UserError where there is none.

        ``search`` are keys of the config's section `search`, and ``setting``, "full" or "fast": for
        the agents that search.
        """
        return Agent(self, name, search)

    def at(self, actions: str = "", board: str = "", agent: str = "blueprint") -> Spot:
        """The spot after ``actions`` on ``board``, where ``agent`` plays: ``at("f f r225 c")``.

        Actions are f, c (check or call) and rN, a raise to N chips of the whole hand; a slash ends
        a round. ``board`` has the cards of the rounds begun: ``8d4d3s``. Raises UserError for an
        impossible spot, an unknown agent, and a run that is not of hold'em to the river.
        """
        check_run(self.run)
        if _BET.search(checks.text("actions", actions, "f f r225 c")):
            raise UserError(
                f"actions {actions!r}: wanted rN, a raise to N chips of the whole hand, also for a "
                "bet (in a solved endgame bN counts the chips of the round)"
            )
        words, seen = in_acpc_notation(actions), checks.text("board", board, "8d4d3s")
        return Spot(Address(words, seen).walk(self.agent(agent)))

    def play(
        self, against: str | Sequence[str] = "blueprint", seat: str = "rotate", seed: int = 1
    ) -> "LiveTable":
        """Take a seat against agents, one for all other seats or a list with one for each.

        ``seat`` is a position, as BTN, or "rotate": then all move on by a seat a hand. The table
        shows the hand; its method ``act`` takes your actions. Raises UserError for agents and seats
        that there are not.
        """
        from sixmax.api.play import LiveTable

        check_run(self.run)
        names = [against] if isinstance(against, str) else against
        kind = "a name, or a list with one for each other seat"
        for name in checks.one("against", names, (list, tuple), kind):
            checks.text("against", name, "blueprint")
        place = checks.text("seat", seat, "BTN")
        return LiveTable(self.run, list(names), place, checks.whole("seed", seed, 0))

    def policy(self, name: str) -> Policy:
        """The table of the agent ``name``, as kernels read it. Raises UserError."""
        return self._policies(name)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: name, game, size."""
        game = self.run.game
        return {
            "name": self.name, "cards": game.cards, "players": game.seats,
            "stacks": list(game.stacks), "blinds": list(game.blinds),
            "decisions": int(self.run.tree.decisions.sum()),
            "infoset_actions": self.run.layout.size,
            "buckets": self.run.layout.buckets.tolist(), "agents": self.agents,
        }  # fmt: skip

    def __repr__(self) -> str:
        game = self.run.game
        return (
            f"{self.name}: {game.cards}, {game.seats} players, stacks "
            f"{'/'.join(map(str, sorted(set(game.stacks))))}, blinds "
            f"{'/'.join(str(b) for b in game.blinds if b) or '0'}; "
            f"{int(self.run.tree.decisions.sum()):,} decisions, "
            f"{self.run.layout.size:,} infoset actions"
        )


class Agent:
    """An agent of a run, by its name.

    by_hand: whether it has no table, and decides hand by hand, as search does
    """

    def __init__(self, of: OpenedRun, name: str, search: dict[str, Any] | None = None):
        """Raises UserError for an unknown name, and for ``search`` that is of no agent's use."""
        checks.text("agent", name, "blueprint")
        self.of, self.name, self.run, self.game = of, name, of.run, of.game
        self.by_hand = name in PLAYERS
        if self.by_hand:
            check_run(of.run)
            self.config = settings_of(of.run, search or {})
        elif search:
            raise UserError(f"agent {name!r}: found {', '.join(search)}, wanted no settings")
        else:
            of.policy(name)  # an unknown name is refused at once

    @property
    def policy(self) -> Policy:
        """Its table, as kernels read it."""
        return self.of.policy(self.name)

    def __repr__(self) -> str:
        return f"{self.name} of {self.of.name}"


def open(path: str | Path) -> OpenedRun:
    """Open ``results/{run}``, or a packed run as ``starter.sixmax``.

    Raises UserError where there is none, or a part of it is missing or damaged.
    """
    if not isinstance(path, Path):
        path = Path(checks.text("path", path, "starter.sixmax"))
    return OpenedRun(open_run(path))
