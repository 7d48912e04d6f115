"""Configurations that tests plan, and the lines of their plans."""

import functools
from pathlib import Path

from sixmax.betting.config import GameConfig
from sixmax.betting.tree_count import count
from sixmax.config import load
from sixmax.plan.stages import stages

CONFIG = Path(__file__).parents[2] / "config"


def preset(*names, **sections):
    """The default with the presets ``names``, then changed as by :func:`changed`."""
    return changed(load(*(CONFIG / f"{name}.yaml" for name in ("default", *names))), **sections)


def changed(config, **sections):
    """``config`` with other keys in some of its sections: search={"first": 1}."""
    parts = {name: getattr(config, name).model_copy(update=keys) for name, keys in sections.items()}
    return config.model_copy(update=parts)


def counted(config):
    """The tree of ``config``, counted once for each game."""
    return _counted(config.game.model_dump_json())


@functools.cache
def _counted(game):
    return count(GameConfig.model_validate_json(game))


def lines(config):
    """The plan of ``config``, a line a stage."""
    return {line.stage: line for line in stages(config, counted(config))}
