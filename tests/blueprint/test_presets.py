"""Floor and threshold of the presets against what one iteration can add to a regret."""

from pathlib import Path

import pytest

from sixmax.config import load

CONFIG = Path(__file__).parents[2] / "config"
PRESETS = ["default", "hunl", "libratus", "modicum", "overnight", "pluribus", "starter", "tiny"]


@pytest.mark.parametrize("preset", PRESETS)
def test_floor__lies_further_below_the_threshold_than_one_iteration_reaches(preset):
    """An iteration visits a row once, and moves it by all chips in play at the most.

    So a regret just above the threshold is not cut off by the floor, and an action at the floor
    needs more than luck to be looked at again, yet not many good iterations.
    """
    config = load(CONFIG / "default.yaml", CONFIG / f"{preset}.yaml")
    blueprint = config.blueprint
    reach = sum(config.game.stacks) * blueprint.scale
    gap = blueprint.prune_threshold - blueprint.regret_floor
    if blueprint.prune_half:  # on the floor an action is still explored, with 2 %
        assert gap >= 49 * blueprint.prune_half
    else:
        assert reach <= gap <= 200 * reach
    assert blueprint.prune_threshold < -reach
    assert 0.9 <= blueprint.prune_share <= 0.95  # the paper: 95 % of the iterations, not 5 %


def test_presets__are_all_looked_at():
    assert sorted(p.stem for p in CONFIG.glob("*.yaml")) == PRESETS
