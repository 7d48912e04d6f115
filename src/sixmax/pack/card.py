"""The card of a packed run: its making, its strength, its purpose."""

import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sixmax.base.code_digest import commit
from sixmax.blueprint.packed import CARD
from sixmax.blueprint.run import Run
from sixmax.evaluation.records import MATCHES, WHOLE_GAIN
from sixmax.report.words import between, copies, count, signed
from sixmax.store import read
from sixmax.store.records import keys
from sixmax.store.records import read as read_record

USE = (
    "Research, matches between your own agents, and sanctioned protocols. It reads no screens and "
    "plays on no sites."
)
_KIND = keys(
    "the card of a packed run", "sixmax pack",
    "name", "run", "game", "size", "training", "strength", "search", "settings", "use", "licence",
    "packed_by",
)  # fmt: skip
_FIGURES = ("a", "b", "mean", "standard_error", "level", "interval", "deals", "hands")


def card(run: Run, name: str) -> dict[str, Any]:
    """The card of ``run`` as plain JSON values; an unpacked run keeps that which it came with.

    ``strength`` has its matches and ``search`` the gain of search, where they were measured.
    """
    kept = run.folder / CARD
    if kept.exists():
        return read_record(kept, _KIND)
    place = run.folder / "blueprint" / "strategy.zarr"
    settings, trained = run.identity["settings"], read(place, "strategy").attributes
    written = (place / "zarr.json").stat().st_mtime
    return {
        "name": name,
        "run": run.identity["digest"],
        "game": {
            "cards": run.game.cards,
            "deck": 4 * run.ranks,
            "players": run.game.seats,
            "stacks": run.game.stacks,
            "blinds": run.game.blinds,
        },
        "size": {
            "decisions": [int(n) for n in run.tree.decisions],
            "buckets": [int(n) for n in run.layout.buckets],
            "actions": run.layout.size,
        },
        "training": {
            "algorithm": settings["blueprint"].get("algorithm", "pluribus"),
            "iterations": trained.get("iterations", 0),
            "hands": trained.get("iterations", 0) * run.game.seats,
            "ended": f"{datetime.datetime.fromtimestamp(written, datetime.UTC):%Y-%m-%d}",
            "packages": trained["packages"],
        },
        "strength": _matches(run.folder),
        "search": _gain(run.folder),
        "settings": settings,
        "use": USE,
        "licence": "MIT",
        "packed_by": {"sixmax": version("sixmax"), "commit": commit()},
    }


def text(card: dict[str, Any]) -> str:
    """``card`` to read."""
    game, size, training = card["game"], card["size"], card["training"]
    big, stacks = max(game["blinds"]), sorted(set(game["stacks"]))
    deep = " or ".join(f"{stack / big:g}" for stack in stacks) if big else "no"
    lines = [
        f"{card['name']}: a strategy of {game['players']} players for {game['cards']}, "
        f"{game['deck']} cards, {deep} big blinds",
        "",
        f"trained   {count(training['iterations'])} iterations, {count(training['hands'])} hands, "
        f"by {training['algorithm']}; ended on {training['ended']}",
        f"size      {count(sum(size['decisions']))} decisions, buckets "
        f"{'/'.join(map(str, size['buckets']))}, {count(size['actions'])} infoset actions",
        f"run       {card['run']}, by sixmax {training['packages']['sixmax']}; packed by "
        f"{card['packed_by']['sixmax']}, commit {card['packed_by']['commit']}",
        f"licence   {card['licence']}",
        f"use       {card['use']}",
        "",
        *_strength(card),
    ]
    return "\n".join(lines) + "\n"


def _strength(card: dict[str, Any]) -> list[str]:
    others = copies(card["game"]["players"])
    lines = [
        f"  {row['a']} against {others} of {row['b']}: {signed(row['mean'])} "
        f"({between(row['interval'])}), {count(row['hands'])} hands"
        for row in card["strength"]
    ]
    if search := card["search"]:
        lines.append(
            f"  gain of search over it: {signed(search['mean'])} ({between(search['interval'])}), "
            f"{count(search['hands'])} hands"
        )
    if not lines:
        return ["strength  not measured"]
    return ["strength, in mbb/game with 95 % intervals", *lines]


def _matches(folder: Path) -> list[dict[str, Any]]:
    path = folder / "evaluation" / "matches.json"
    if not path.exists():
        return []
    table = read_record(path, MATCHES)
    return [
        {name: row[name] for name in _FIGURES} | {"protocol": table["protocol"]}
        for row in table["matches"]
    ]


def _gain(folder: Path) -> dict[str, Any] | None:
    """The gain of search over the blueprint; None over a snapshot, which is not packed."""
    path = folder / "evaluation" / "search" / "gain.json"
    if not path.exists():
        return None
    record = read_record(path, WHOLE_GAIN)
    if record["config"].get("blueprint", "").startswith("snapshot"):
        return None
    return {**record["gain"]["all"], "hands": record["hands"], "unit": record["unit"]}
