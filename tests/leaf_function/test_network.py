"""The network: scikit-learn's, the twin's and that of the kernels."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from leaf_function.small import function, small_source, tables
from oracles import search as twin
from search.holdem import RIVER, small_run, subgame
from sixmax.base.errors import UserError
from sixmax.betting.rules import LENGTH, contenders
from sixmax.betting.tree import LEAF, kind_of
from sixmax.cfr.sampled.leaves import LeafDeal, end_scratch, learned_value, value_of_end
from sixmax.leaf_function.config import NetworkSizes
from sixmax.leaf_function.features import on_board
from sixmax.leaf_function.network import fit, load, of_layers, on_leaves
from sixmax.ongoing.locate import hand_at
from sixmax.search.solvers.deal import SubgameDealer
from sixmax.search.subgame import SubgameCards

RANDOM = np.random.default_rng(8)
X = RANDOM.random((600, 20)).astype(np.float32)
Y = np.stack([X[:, 0] * X[:, 1], 2 * X[:, 2] - 1], axis=1).astype(np.float32)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("layers", [1, 3])
def test_predict__is_that_of_scikit_learn(layers):
    from sklearn.neural_network import MLPRegressor

    model = MLPRegressor(hidden_layer_sizes=(16,) * layers, max_iter=3, random_state=1).fit(X, Y)
    ours = of_layers(model.coefs_, model.intercepts_)
    np.testing.assert_allclose(ours.predict(X), model.predict(X), atol=1e-5)
    expected = [twin.network_values(ours, row) for row in X[:5]]
    np.testing.assert_allclose(ours.predict(X[:5]), expected, atol=1e-5)


def test_fit__learns_more_than_the_mean_and_is_the_same_with_any_threads():
    result = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            result.append(fit(X, Y, NetworkSizes(layers=2, units=32, epochs=30, batch=50), 5))
    for one, two in zip(*result, strict=True):
        assert one.dtype == np.float32
        np.testing.assert_array_equal(one, two)
    untrained = ((Y - Y.mean(axis=0)) ** 2).mean()  # 0.18
    assert ((result[0].predict(X) - Y) ** 2).mean() < untrained / 5


@pytest.mark.parametrize(
    ("board", "actions"), [(RIVER[:3], [0, 0, 0]), (RIVER[:0], []), (RIVER[:3], [300, 0, 0])]
)
def test_learned_value__is_the_twin_at_every_leaf(board, actions):
    run, policy = small_run(3)
    game = subgame(3, board, actions)
    node, contributed = game.tree.node, game.tree.contributed
    of, result, flop = small_source(3), function(3), len(board) > 0
    learned = on_leaves(result, of.places, board, game.leaves.node, game.leaves.ratio, 3, 2)
    dealer = SubgameDealer(np.ones((3, 276)), board, 1, SubgameCards(6, run.buckets), holes=True)
    hands, deals = on_board(board, 6, tables().preflop), dealer.deal(np.uint64(4), 0, 20)
    np.testing.assert_array_equal(deals.future[:, :, :1], deals.bucket)
    scratch, hand = end_scratch(3, learned), np.empty(LENGTH, int)
    leaves = np.flatnonzero(kind_of(node[:, 0]) == LEAF)
    assert len(leaves) > 100
    seen = set()
    for i, x in enumerate(leaves[:: max(1, len(leaves) // 150)]):
        row, at, choices = node[x, 1], node[x, 2], node[x, 3]
        hand_at(of.places, np.int64(at), hand)
        held = deals.future[i % 20]
        for me in range(3):
            if not contenders(hand) >> me & 1:
                continue
            chosen = [int(choices) >> 2 * p & 3 for p in range(3)]
            strength = hands.feature[held[:, 0]]
            features = twin.leaf_features(hand, me, chosen, strength, hands.texture, flop, 4, 3)
            share = twin.network_values(result.network, features)[chosen[me]]
            expected = share * contributed[row].sum() - contributed[row, me]
            expected = min(max(expected, -4000.0), 4000.0)  # two stacks of 2,000
            actual = learned_value(learned, game.tree, x, me, held, scratch.units)
            assert actual == pytest.approx(expected, abs=1e-5 * contributed[row].sum() * 40)
            any_kind = value_of_end(
                learned, game.tree, x, me, LeafDeal(deals.rank[0], held), scratch
            )
            assert any_kind == actual
            seen.add((round(share, 4), me))
    assert len(seen) > 50, "leaves differ"


def test_load__without_a_leaf_function_is_one_line(tmp_path):
    run = small_run(3)[0]._replace(folder=tmp_path)
    with pytest.raises(UserError, match=r"player is pluribus-learned; run `sixmax stage leaf-f"):
        load(run, 4)
