"""Settings of search that a run kept before ``player`` took the place of switches."""

from typing import Any

from sixmax.base.errors import UserError
from sixmax.search.players import PLAYERS, PlayerKind

_SWITCHES = PlayerKind("", "")  # with the defaults of before
_ITERATIONS = {
    "vector_iterations": 200, "turn_iterations": None, "board_iterations": 1_000,
    "limited_iterations": 500,
}  # fmt: skip


def translated(old: dict[str, Any], constants: dict[str, Any]) -> dict[str, Any]:
    """The section `search` of today that searches as the section ``old`` did.

    ``constants`` are keys of before and their only value today. Raises UserError where no section
    of today searches so.
    """
    section, fast = dict(old), {"board_iterations": 150, "buckets": 0} | old.get("fast", {})
    player = _player(section)
    if section.get("off_tree_players") == 0:
        del section["off_tree_players"]
        section["off_tree"] = None
    for key, value in constants.items():
        if (found := section.pop(key, value)) != value:
            raise UserError(f"search.{key}: found {found}, today only {value}")
    if (found := fast.pop("buckets")) != 0 and (found is not None or section.get("buckets") != 0):
        raise UserError(f"search.fast.buckets: found {found}, today only 0")
    full = {key: section.pop(key, default) for key, default in _ITERATIONS.items()}
    quick = {key: fast.pop(key, None) for key in _ITERATIONS}
    both = full | {key: number for key, number in quick.items() if number is not None}
    fast["vector_iterations"] = _by_round(player, **both)
    return section | {
        "player": player.name, "vector_iterations": _by_round(player, **full), "fast": fast
    }  # fmt: skip


def _player(section: dict[str, Any]) -> PlayerKind:
    """The row of PLAYERS with the switches of ``section``, which are taken out."""
    if "player" in section:
        raise UserError("search.player stands beside keys of before")
    switches = {key: section.pop(key) for key in _SWITCHES._fields[2:] if key in section}
    if "limited" in switches:
        switches["limited"] = tuple(switches["limited"])
    wanted = _SWITCHES._replace(**switches)
    for row in PLAYERS.values():
        if row[2:] == wanted[2:]:
            return row
    found = ", ".join(f"{key} {value}" for key, value in switches.items())
    raise UserError(f"no player of search.player has {found}")


def _by_round(
    player: PlayerKind, vector_iterations: int, turn_iterations: int | None,
    board_iterations: int, limited_iterations: int,
) -> list[int]:  # fmt: skip
    """The iterations over all hands from preflop to river."""
    on_turn = turn_iterations or vector_iterations
    return [
        limited_iterations,
        limited_iterations if 1 in player.limited else board_iterations,
        on_turn if player.exact_from <= 2 else board_iterations,
        vector_iterations,
    ]
