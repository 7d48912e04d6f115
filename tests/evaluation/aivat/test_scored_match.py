import numpy as np
import pytest

from evaluation.scored import nonsense
from evaluation.small_games import CALLER, MIXED, PACKED, RANDOM, RULE, agents_of, random_policy
from oracles import aivat as oracle
from oracles import evaluation
from oracles.evaluation import policy_agent
from sixmax.base.rng import child
from sixmax.betting.tree import is_decision
from sixmax.evaluation.aivat.scored_match import ScoredGame, columns
from sixmax.evaluation.aivat.small_games import listed
from sixmax.evaluation.aivat.values import root_means
from sixmax.evaluation.aivat.values_estimate import estimate
from sixmax.evaluation.match.duplicate import net_and_ends, net_chips, whole_hands
from sixmax.ongoing.policies import mixed

GAMES = ["kuhn3", "leduc2", pytest.param("leduc3", marks=pytest.mark.slow)]


def setting(game):
    """The shape of an estimate, filled with nonsense; the distinct deals, and the mean by seat."""
    player = agents_of(game)[RANDOM][0]
    values = estimate(game.config, game.ground, game.dealer, player, 3000, 1)
    values = nonsense(values, 5.0, 5.0)
    return values, listed(game.deals)[0], root_means(values, game.dealer, game.config.seats)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("kind", [MIXED, RULE, PACKED, RANDOM, CALLER])
@pytest.mark.parametrize("known", [True, False])
def test_columns__unbiased_by_enumeration_whatever_the_values(name, kind, known, request):
    game = request.getfixturevalue(name)
    if name == "leduc3" and kind in (RULE, CALLER):
        pytest.skip("enough of the largest game")
    ours, (theirs, twin) = mixed(game.ground, random_policy(game, 11)), agents_of(game)[kind]
    plays = policy_agent(game.tree, game.layout, ours.table), twin
    holds_by_enumeration(game, (ours, theirs), plays, known)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("kind", [MIXED, PACKED])
def test_columns__of_the_copies_around_a_stranger_are_unbiased_too(name, kind, request):
    game = request.getfixturevalue(name)
    (ours, twin), theirs = agents_of(game)[kind], mixed(game.ground, random_policy(game, 11))
    plays = twin, policy_agent(game.tree, game.layout, theirs.table)
    holds_by_enumeration(game, (ours, theirs), plays, True, copies=True)


def holds_by_enumeration(game, pair, plays, known, copies=False):
    """Over all deals and actions the columns are the true win rate, and corrections nothing."""
    values, deals, mean = setting(game)
    seats = game.config.seats
    for hero in range(seats):
        actual = oracle.expectation(
            game.ground, values, mean, deals, hero, *pair, np.full(seats, known), copies
        )[0]
        rank = game.deals.rank[:, 0]
        expected = evaluation.expectation(game.tree, plays, hero, game.deals.bucket, rank)
        np.testing.assert_allclose(actual, [expected, expected, 0, 0, expected], atol=1e-6)


def played(game, pair, n, seed=1):
    """Deals, and where they end with the first of ``pair`` in each seat."""
    number = listed(game.deals)[1]
    at = number[game.dealer.rows(child(seed, "deals"), 0, n)]
    ends = net_and_ends(pair, game.ground, game.dealer, seed, 0, n)[1]
    for i, d in enumerate(at):
        for hero in range(game.config.seats):
            yield i, d, hero, int(ends[i, hero])


@pytest.mark.parametrize("name", ["kuhn3", "leduc2", "leduc3", "uneven"])
@pytest.mark.parametrize("known", [True, False])
def test_columns__every_hand_against_the_oracle(name, known, request):
    game = request.getfixturevalue(name)
    ours, (theirs, twin) = mixed(game.ground, random_policy(game, 11)), agents_of(game)[MIXED]
    values, deals, mean = setting(game)
    actual = columns(ScoredGame((ours, theirs), game.ground, game.dealer, values, known), 1, 0, 12)
    plays = policy_agent(game.tree, game.layout, ours.table), twin
    for i, d, hero, end in played(game, (ours, theirs), 12):
        may = np.full(game.config.seats, known)
        expected = oracle.columns(game.tree, values, deals, d, end, plays, hero, may, mean)
        np.testing.assert_allclose(actual[i, hero], expected, atol=1e-4)


@pytest.mark.parametrize("copies", [False, True])
def test_columns__the_result_is_that_of_the_match(leduc3, copies):
    pair = agents_of(leduc3)[MIXED][0], agents_of(leduc3)[RULE][0]
    values, *_ = setting(leduc3)
    whole = whole_hands(pair, leduc3.ground, leduc3.dealer, 5, 0, 60)
    over = whole.end[10:] if copies else None
    actual = columns(
        ScoredGame(pair, leduc3.ground, leduc3.dealer, values), 5, 10, 50, copies, over
    )
    expected = net_chips(pair, leduc3.ground, leduc3.dealer, 5, 10, 50)
    np.testing.assert_allclose(actual[:, :, 0], expected)


@pytest.mark.parametrize("bug", [None, *oracle.CLASSIC])
def test_columns__the_classic_mistakes_fail_the_enumeration(leduc2, bug):
    """The mistakes of public implementations (reference of traps): the enumeration sees each."""
    game, ours = leduc2, random_policy(leduc2, 11)
    theirs = random_policy(leduc2, 12)
    twins = [policy_agent(game.tree, game.layout, p) for p in (ours, theirs)]
    values, deals, mean = setting(game)
    winnings = oracle.outcomes(game.tree, deals, twins, 0, [True, True])
    actual = expected = 0.0
    for d in range(len(deals.times)):
        for end in oracle.ends(game.tree, 0):
            p = deals.times[d] / deals.times.sum()
            p *= reached(game.tree, twins, deals.bucket[d], int(end))
            if p > 0:
                row = oracle.columns(
                    game.tree, values, deals, d, int(end), twins, 0, [True, True], mean, bug,
                    winnings,
                )  # fmt: skip
                actual, expected = actual + p * row[4], expected + p * row[0]
    assert (abs(actual - expected) < 1e-5) == (bug is None)
    assert bug is None or abs(actual - expected) > 0.01


def reached(tree, agents, bucket, end):
    """The probability that the players take the actions to ``end``, seat 0 by the first agent."""
    path, p = oracle.path_to(tree, end), 1.0
    for i, x in enumerate(path):
        if is_decision(tree.node[x, 0]):
            seat, r, _, first, _, _ = evaluation.fields(tree, x)
            taken = path[i + 1] - first if i + 1 < len(path) else 0
            p *= agents[min(seat, 1)](x, bucket[seat, r])[taken]
    return p


def test_columns__a_mean_of_the_same_data_takes_the_edge_away(leduc2):
    """A mean of the sample itself would remove all: ours was frozen before the first card."""
    pair = agents_of(leduc2)[RULE][0], agents_of(leduc2)[RANDOM][0]
    values = estimate(leduc2.config, leduc2.ground, leduc2.dealer, pair[0], 3000, 1)
    scored = columns(ScoredGame(pair, leduc2.ground, leduc2.dealer, values), 3, 0, 2000)
    plain, best = scored[:, :, 0].mean(axis=1), scored[:, :, 4].mean(axis=1)
    error = best.std() / np.sqrt(len(best))
    assert abs(best.mean() - plain.mean()) < 4 * plain.std() / np.sqrt(len(plain))
    assert best.mean() > 5 * error  # and (best - best.mean()).mean() would be 0
