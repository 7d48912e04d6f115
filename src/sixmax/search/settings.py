"""The settings of search that a run keeps, of today and of before.

Commands about the run search by them; ``--config`` changes keys.
"""

import json
from pathlib import Path
from typing import Annotated, Any

from sixmax.base import options
from sixmax.base.config_section import each_once
from sixmax.base.errors import UserError
from sixmax.base.progress import say
from sixmax.base.retired import refuse_retired
from sixmax.blueprint.packed import CARD
from sixmax.search.config import BATCH, OFF_TREE_PLAYERS, VECTOR_BOARDS, VECTOR_NODES, SearchConfig
from sixmax.search.players import PLAYERS, PlayerKind
from sixmax.store import records

SETTINGS = "search/settings.json"  # in the folder of a run
SPEEDS = ("full", "fast")
# Keys of before, and their only value today.
_CONSTANTS = {
    "off_tree_players": OFF_TREE_PLAYERS, "batch": BATCH, "method": "dcfr",
    "vector_nodes": VECTOR_NODES, "vector_boards": VECTOR_BOARDS,
}  # fmt: skip
_SWITCHES = PlayerKind("", "")  # with the defaults of before
_ITERATIONS = {
    "vector_iterations": 200, "turn_iterations": None, "board_iterations": 1_000,
    "limited_iterations": 500,
}  # fmt: skip


class _Settings(records.Form):
    search: dict[str, Any]


KEPT_SETTINGS = records.RecordKind(
    "the search settings of a run", "sixmax stage search-settings", _Settings
)


def search_config(
    text: str | None, setting: str = "full", folder: Path | None = None
) -> SearchConfig:
    """The section that the run in ``folder`` keeps, else the defaults, with changes.

    ``text`` is a JSON object of the changes, or None. Raises UserError for unknown keys, values and
    settings. One line tells that a run keeps none, unless the changes are a whole section. A packed
    run without them was told so when it was packed.
    """
    if setting not in SPEEDS:
        raise UserError(f"setting {setting!r}: wanted {' or '.join(SPEEDS)}")
    try:
        changes = json.loads(text or "{}", object_pairs_hook=each_once)
    except (UserError, ValueError):
        changes = None
    if not isinstance(changes, dict):
        return SearchConfig.parse_json(text or "{}", "search")  # raises: it is no such object
    refuse_retired({"search": changes})
    kept = kept_settings(folder) if folder else {}
    whole = SearchConfig.model_fields.keys() - changes.keys() <= {"flops"}
    if folder and folder.exists() and not (kept or whole):
        say_missing(folder)
    if isinstance(fast := changes.get("fast"), dict):
        changes["fast"] = kept.get("fast", {}) | fast
    return SearchConfig.parse(kept | changes, "search").at_speed(setting)


def kept_settings(folder: Path) -> dict[str, Any]:
    """The section `search` that the run in ``folder`` keeps, or {}.

    That of an older run is translated. Raises UserError where no section of today has its search.
    """
    if not (file := folder / SETTINGS).exists():
        return {}
    kept = records.read(file, KEPT_SETTINGS)["search"]
    try:
        refuse_retired({"search": kept})
    except UserError:
        try:
            return _translated(kept)
        except (UserError, TypeError) as error:
            raise UserError(
                f"{file}: kept by an older sixmax ({error}); `snakemake {file}` with the run's "
                "config makes it anew, or `sixmax stage search-settings --config '{…}' --out "
                f"{file}`; a packed run wants `sixmax unpack` before"
            ) from None
    return kept


def say_missing(folder: Path) -> None:
    """Tell that the run in ``folder`` keeps no settings of search; a packed one was told before."""
    if not (folder / CARD).exists():
        text = "{0} is missing: searches by defaults; `snakemake {0}` with its config makes it"
        say(text.format(folder / SETTINGS))


def settings_for_copies(folder: Path) -> dict[str, Any]:
    """The content of SETTINGS, or {} and a line about it, for a copy without snapshots."""
    if not (kept := kept_settings(folder)):
        say_missing(folder)
    if kept.get("blueprint", "").startswith("snapshot"):
        kept["blueprint"] = "blueprint"
    return {"search": kept} if kept else {}


_SECTION = options.Option("The section `search`, as JSON.", kind="search section")


@options.stage
def keep(config: Annotated[SearchConfig, _SECTION], out: options.Out) -> None:
    """Keep the settings of search in the run.

    \b
    sixmax stage search-settings --config '{"first": 2}' --out results/default/search/settings.json
    """
    records.write(out, KEPT_SETTINGS, {"search": json.loads(config.complete())})


def _translated(old: dict[str, Any]) -> dict[str, Any]:
    """The section `search` of today that searches as the section ``old`` did, by its average.

    Raises UserError where no section of today searches so.
    """
    section, fast = dict(old), {"board_iterations": 150, "buckets": 0} | old.get("fast", {})
    section.pop("average", None)  # all searches play theirs
    player = _player(section)
    if section.get("off_tree_players") == 0:
        del section["off_tree_players"]
        section["off_tree"] = None
    for key, value in _CONSTANTS.items():
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
