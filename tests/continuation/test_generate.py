import numpy as np
import pytest

from oracles import continuation as oracle
from sixmax.base.errors import UserError
from sixmax.betting.config import GameConfig
from sixmax.betting.tree_build import build
from sixmax.cfr.policy import rows
from sixmax.continuation import generate
from sixmax.continuation.generate import (
    CHECKS,
    FOLDS,
    FOLDS_OR_CALLS,
    GENERATORS,
    STRATEGIES,
    Continuation,
)
from sixmax.games import GAMES


def weights(row, fold, strategy, factor=5.0):
    out = np.empty(len(row))
    row = np.array(row, np.uint8)
    kind = generate.biased(row, factor)[STRATEGIES.index(strategy)].kind
    total = generate.weigh(row, int(fold), kind, factor, out)
    assert total == pytest.approx(out.sum())
    return out / total


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_bias__every_row_of_a_tree_against_the_oracle(game, strategy):
    tree, layout, policy = game
    for *_, at, kinds in list(oracle.infosets(tree, layout))[::7]:
        row = policy[at : at + len(kinds)]
        expected = [float(p) for p in oracle.biased(row, kinds, strategy, 5)]
        actual = weights(row, kinds[0] == -1, strategy)
        np.testing.assert_allclose(actual, expected, rtol=1e-12)


def test_bias__by_hand():
    # fold .2, call .4, raises .4: times five and renormalised
    row = [51, 102, 51, 51]
    np.testing.assert_allclose(weights(row, 1, "unbiased"), [0.2, 0.4, 0.2, 0.2])
    np.testing.assert_allclose(weights(row, 1, "fold"), np.array([5, 2, 1, 1]) / 9)
    np.testing.assert_allclose(weights(row, 1, "call"), np.array([1, 10, 1, 1]) / 13)
    np.testing.assert_allclose(weights(row, 1, "raise"), np.array([1, 2, 5, 5]) / 13)


def test_bias__an_action_that_is_not_there_changes_nothing():
    np.testing.assert_allclose(weights([51, 204], 0, "fold"), [0.2, 0.8])
    np.testing.assert_allclose(weights([51, 204], 1, "raise"), [0.2, 0.8])


def test_bias__a_raise_beside_a_fold_alone_is_no_call():
    np.testing.assert_allclose(weights([51, 204], FOLDS, "call"), [0.2, 0.8])
    np.testing.assert_allclose(weights([51, 204], FOLDS, "raise"), np.array([1, 20]) / 21)


def test_leads__where_only_the_blinds_may_limp():
    """Under the gun, first in, folds or raises; the small blind may call."""
    sizes = {"sizes": [[1], ["A"]], "max_raises": 2, "max_players": 3, "limps": "blinds"}
    game = GameConfig(stacks=[100] * 3, blinds=[5, 10, 0], antes=[0] * 3, first=[2], rounds=[sizes])
    tree = build(game)
    table = rows(tree)
    lead = dict(
        zip(table.node.tolist(), generate.leads(tree, table.node, table.n).tolist(), strict=True)
    )
    actual = [lead[tree.find(path)] for path in ([], [-1], [-1, 0])]
    assert actual == [FOLDS, FOLDS_OR_CALLS, CHECKS]


def test_bias__an_untrained_infoset_is_uniform_first():
    np.testing.assert_allclose(weights([0, 0, 0], 1, "call"), np.array([1, 5, 1]) / 7)


def test_bias__one_action():
    for strategy in STRATEGIES:
        np.testing.assert_array_equal(weights([255], 0, strategy), [1.0])
        np.testing.assert_array_equal(weights([0], 0, strategy), [1.0])


def test_bias__an_action_without_probability_stays_without():
    np.testing.assert_allclose(weights([0, 255, 0], 1, "fold"), [0, 1, 0])


def test_generators__have_names_apart_by_which_a_store_is_known():
    assert len({maker.names for maker in GENERATORS.values()}) == len(GENERATORS)
    assert [generate.made_by(maker.names) for maker in GENERATORS.values()] == list(GENERATORS)
    assert generate.made_by(["fold", "unbiased"]) is None


def test_generators__make_the_names_that_they_declare():
    for maker in GENERATORS.values():
        assert tuple(c.name for c in maker.make(None, np.zeros(3, np.uint8), 5.0)) == maker.names


def test_make__unknown_generator():
    with pytest.raises(UserError, match="'byas': unknown; did you mean 'bias'"):
        generate.make("byas", None, 5.0)


def test_leads__kuhn():
    tree = build(GAMES["kuhn"].config(2))
    table = rows(tree)
    expected = np.where(tree.action[table.node] > 0, FOLDS_OR_CALLS, CHECKS)
    np.testing.assert_array_equal(generate.leads(tree, table.node, table.n), expected)


def test_leads__actions_in_another_order_are_refused():
    tree = build(GAMES["kuhn"].config(2))
    swapped = tree._replace(action=np.where(tree.action == 0, 1, tree.action))
    with pytest.raises(ValueError, match="must be"):
        generate.groups(swapped)


@pytest.mark.parametrize("exact", [False, True])
def test_probabilities__of_any_list_of_policies(game, exact):
    """Of two policies, one of them leaning to calls; rows of zeros are uniform."""
    tree, layout, policy = game
    other = np.roll(policy, 1).astype(float) / 255 if exact else np.roll(policy, 1)
    some = [Continuation("as it is", policy), Continuation("calls", other, 0, 3.0)]
    actual = generate.probabilities(tree, layout, some)
    assert actual.shape == (2, layout.size)
    for *_, at, kinds in list(oracle.infosets(tree, layout))[::7]:
        here = slice(at, at + len(kinds))
        expected = [float(p) for p in oracle.biased(policy[here], kinds, "unbiased", 5)]
        np.testing.assert_allclose(actual[0, here], expected, rtol=1e-12)
        row = np.rint(255 * other[here]).astype(int) if exact else other[here]
        expected = [float(p) for p in oracle.biased(row, kinds, "call", 3)]
        np.testing.assert_allclose(actual[1, here], expected, rtol=1e-9)
