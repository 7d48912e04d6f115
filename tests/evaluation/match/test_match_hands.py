"""The hands of a match in kernels, one by one."""

import numpy as np
import pytest

from search.holdem import RANKS, small_run
from sixmax.agents import baselines
from sixmax.evaluation.match.duplicate import net_chips
from sixmax.evaluation.match.match_hands import hands
from sixmax.hands.replay import replay
from sixmax.hands.write import AcpcLog
from sixmax.ongoing import policies


@pytest.mark.parametrize("seats", [2, 3])
def test_hands__are_those_of_the_match_to_the_chip(tmp_path, one_thread, seats):
    run, policy = small_run(seats)
    game = policies.match_game(run.tree, run.layout)
    pair = policies.mixed(game, policy), baselines.uniform(game)
    expected = net_chips(pair, game, run.dealer, 7, 0, 40)
    result = list(hands(("blueprint", "random"), pair, game, run, 40, 7))
    actual = np.array([r.payoffs[r.names.index("blueprint")] for r in result])
    np.testing.assert_allclose(actual, expected.ravel())
    assert [r.number for r in result] == list(range(40 * seats))
    assert all(r.names[k % seats] == "blueprint" for k, r in enumerate(result))
    with AcpcLog(tmp_path / "x.log", run.game, RANKS) as log:
        for hand in result:
            log.add(hand)
    tally = replay([tmp_path / "x.log"])
    assert (tally.hands, tally.mismatches, tally.damaged) == (40 * seats, 0, 0)
    assert tally.players["blueprint"].total == pytest.approx(10 * expected.sum())
