import numpy as np
import pytest

from evaluation.small_games import agents_of, random_policy
from oracles import aivat as oracle
from oracles import evaluation
from oracles.evaluation import policy_agent
from sixmax.evaluation.agents import CALLER, PACKED, POLICY, RANDOM, RULE, agent
from sixmax.evaluation.aivat import _first_round, listed
from sixmax.evaluation.values import estimate, root_means

GAMES = ["kuhn3", "leduc2", "leduc3"]


def groups(game):
    counts = game.layout.buckets
    every = np.arange(counts.max())
    return np.stack([every * (every < n) for n in counts]).astype(np.uint8)


def arbitrary_values(game, seed=1, size=5.0):
    """The shape of an estimate, filled with nonsense."""
    found = estimate(game.ground, game.dealer, agents_of(game)[RANDOM][0], groups(game), 3000, seed)
    noise = np.random.default_rng(seed).normal(0, size, found.value.size)
    return found._replace(value=noise.astype(np.float32))


def setting(game, values):
    deals, times, _ = listed(game.deals)
    mean = root_means(values, _first_round(game.dealer, len(game.config.stacks)))
    return deals, times, mean


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("kind", [POLICY, RULE, PACKED, RANDOM, CALLER])
@pytest.mark.parametrize("known", [True, False])
def test_columns__unbiased_by_enumeration_whatever_the_values(name, kind, known, request):
    game = request.getfixturevalue(name)
    if name == "leduc3" and kind in (RULE, CALLER):
        pytest.skip("enough of the largest game")
    ours = agent(POLICY, random_policy(game, 11))
    theirs, twin = agents_of(game)[kind]
    values = arbitrary_values(game)
    deals, times, mean = setting(game, values)
    seats = len(game.config.stacks)
    for hero in range(seats):
        actual = oracle.expectation(
            game.ground, values, mean, deals, times, hero, ours, theirs, np.full(seats, known)
        )[0]
        plays = policy_agent(game.tree, game.layout, ours.table), twin
        expected = evaluation.expectation(
            game.tree, plays, hero, game.deals.bucket, game.deals.rank[:, 0]
        )
        np.testing.assert_allclose(actual, [expected, expected, 0, 0, expected], atol=1e-6)
