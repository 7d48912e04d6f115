"""The frozen identity of a training run: a change of it makes another run.

Kept as ``run.json`` beside the checkpoints, with the content digests of the tree and buckets it
trains on; every checkpoint carries its digest. Settings that training does not read are no part:
threads and memory, the number of intervals, which snapshots are averaged.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from sixmax.base.errors import UserError
from sixmax.base.files import write_text
from sixmax.blueprint.config import BlueprintConfig
from sixmax.store import Store

# Settings that the config had as keys once: no config can say other values.
_CONSTANTS = (
    "blueprint.prune_share", "abstraction.restarts", "abstraction.max_iterations",
    "abstraction.ochs_clusters", "blueprint.mean_after",
)  # fmt: skip
_GAME = ("ranks", "game", "abstraction")  # settings that make it another game to agents


def settings(
    seed: int, ranks: int, game: Any, abstraction: Any, blueprint: BlueprintConfig
) -> dict:
    """The settings that training is a function of, as plain JSON values.

    ``abstraction`` is None for the small games, which have none.
    """
    merge = {"merge": "mean"} if blueprint.shards > 1 else {}  # younger than the first runs, too
    return merge | {
        "seed": seed,
        "ranks": ranks,
        "game": game.model_dump(mode="json"),
        "abstraction": {} if abstraction is None else abstraction.frozen(),
        "blueprint": blueprint.frozen(),
    }


def digest(identity: dict) -> str:
    """16 hex digits of an identity."""
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:16]


def game_digest(settings: dict[str, Any]) -> str:
    """A digest of the game that agents of a run play: rules, bet sizes, deck and abstraction."""
    return digest({name: settings[name] for name in _GAME})


def refuse_other(file: Path, wanted: dict) -> None:
    """Raise UserError where ``file`` (a run.json) froze settings that differ from ``wanted``.

    Called before any job starts, because rebuilding the tree or the buckets under a trained
    run would already spoil it.
    """
    if not file.exists():
        return
    frozen = read(file.parents[1])["settings"]
    if frozen == wanted:
        return
    key, old, new = _first_difference(*_in_keys_of_today(frozen, wanted))
    now = "the config now says"
    if key in _CONSTANTS:
        now = "no key any more; its blueprint plays on, but only an older sixmax trains it on; now"
    raise UserError(
        f"{file}: this run was trained with {key} = {_said(old)}, {now} {_said(new)}; "
        f"give the new config another run name, or delete {file.parent} to train anew"
    )


def refuse_shorter(folder: Path, intervals: int) -> None:
    """Raise UserError where the run in ``folder`` was trained for more than ``intervals``.

    Its earlier checkpoints are gone: training would have to begin anew, over the later ones.
    """
    trained = max((int(p.stem) for p in folder.glob("state/[0-9]*.zarr")), default=0)
    if trained > intervals:
        raise UserError(
            f"{folder}: trained for {trained} intervals, the config now says {intervals}; "
            "say at least as many, give the config another run name, or delete the folder"
        )


def content_digest(store: Store) -> str:
    """16 hex digits of the content of a store."""
    return digest(store.attributes["digests"])


def write(file: Path, wanted: dict, content: dict[str, str]) -> None:
    """Freeze settings and content digests; refuse where checkpoints belong to another identity.

    Raises UserError then, and where a checkpoint is damaged.
    """
    identity = {"settings": wanted, "content": content}
    identity["digest"] = digest(identity)
    for state in sorted(file.parent.glob("state/*.zarr/zarr.json")):
        try:
            attributes = json.loads(state.read_text(encoding="utf-8"))["attributes"]
        except (ValueError, KeyError, TypeError):
            raise UserError(
                f"{state.parent}: damaged store; delete the folder to train it anew"
            ) from None
        if attributes.get("run") != identity["digest"]:
            before = attributes.get("content", {})
            changed = [n for n, d in content.items() if before.get(n) != d]
            raise UserError(
                f"{state.parent}: trained on another {', '.join(changed) or 'config'} than is "
                f"there now; delete {file.parent} to train anew, or bring the old one back"
            )
    write_text(file, json.dumps(identity, indent=1, sort_keys=True) + "\n")


def read(folder: Path) -> dict:
    """The frozen identity of the run in ``folder`` (``results/{run}``).

    Raises UserError where it cannot be read or was edited.
    """
    file = folder / "blueprint" / "run.json"
    if not file.exists():
        raise UserError(
            f"{folder}: found no trained run, wanted results/{{run}} with "
            "blueprint/run.json; run `snakemake blueprint`, or name another folder"
        )
    try:
        identity = json.loads(file.read_text(encoding="utf-8"))
        body = {"settings": identity["settings"], "content": identity["content"]}
        intact = identity["digest"] == digest(body)
    except (OSError, ValueError, KeyError, TypeError):
        intact = False
    if not intact:
        raise UserError(
            f"{file}: not the identity of a training run, or edited by hand; "
            f"delete {file.parent} to train anew"
        )
    return identity


def _said(value: Any) -> str:
    return "its default" if value is None else str(value)


def _in_keys_of_today(*both: dict) -> list[dict]:
    """Settings without `algorithm`, which `prune_half` tells, and without `mean_after` of means."""
    sections = [dict(settings.get("blueprint", {})) for settings in both]
    means = ["mean_every" in section for section in sections]
    for section in sections:
        section.pop("algorithm", None)
        after = section.pop("mean_after", 0) if any(means) else 0
        if all(means):
            section["average_after"] = after
    return [
        settings | {"blueprint": section} for settings, section in zip(both, sections, strict=True)
    ]


def _first_difference(old: Any, new: Any, path: str = "") -> tuple[str, Any, Any]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            if old.get(key) != new.get(key):
                return _first_difference(old.get(key), new.get(key), f"{path}.{key}".lstrip("."))
    return path, old, new
