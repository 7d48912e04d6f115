"""The blueprint's own values against listed deals, and the errors that they state."""

import itertools

import numpy as np
import pytest

from oracles.cfr import counterfactual
from oracles.exact.values import node_values
from search.holdem import small_run
from sixmax.base.errors import UserError
from sixmax.base.progress import Progress
from sixmax.betting.tree import n_actions, seat_of
from sixmax.betting.tree_build import build
from sixmax.blueprint import checkpoint, values
from sixmax.blueprint.config import no_values
from sixmax.cards.deck import hole_cards, n_cards
from sixmax.cfr.layout import infoset, layout
from sixmax.cfr.policy import from_sums, shares
from sixmax.games.holdem import HoldemDealer
from threads import same_on_two_threads


def estimate(run, policy, boards, in_round):
    with Progress(len(boards), "values", "boards") as progress:
        return values.estimate(run, policy, boards, in_round, progress)


def every_deal(run, boards):
    """Both players' holes on each of ``boards``: all that share no card, as deals."""
    holes, rows = hole_cards(run.ranks), []
    for board in boards:
        free = holes[~np.isin(holes, board).any(axis=1)]
        a, b = (x.ravel() for x in np.meshgrid(np.arange(len(free)), np.arange(len(free))))
        apart = ~(free[a][:, :, None] == free[b][:, None, :]).any(axis=(1, 2))
        both = np.concatenate([free[a[apart]], free[b[apart]]], axis=1)
        rows.append(np.concatenate([both, np.tile(board, (len(both), 1))], axis=1))
    cards = np.ascontiguousarray(np.concatenate(rows), np.int8)
    return run.dealer.look_up(cards)


@pytest.fixture(scope="module")
def run():
    """Two players on a deck of 24 cards; a fifth of their actions are never taken."""
    run, policy = small_run(2)
    weight = policy.astype(np.int32) * (np.random.default_rng(3).random(policy.size) < 0.8)
    return run, from_sums(run.tree, run.layout, weight)


@pytest.fixture(scope="module")
def one_round():
    """The first round of the same game alone, then five cards and the showdown."""
    whole, _ = small_run(2)
    game = whole.game.model_copy(update={"rounds": whole.game.rounds[:1], "first": [0]})
    tree, dealer = build(game), HoldemDealer(whole.buckets, whole.ranks, 2, rounds=1)
    own = layout(tree, dealer.buckets)
    run = whole._replace(game=game, tree=tree, layout=own, dealer=dealer)
    return run, from_sums(tree, own, np.random.default_rng(4).integers(0, 9, own.size, np.int32))


@pytest.fixture(scope="module")
def listed(run):
    """Two boards, and the sums over all their deals."""
    run, policy = run
    boards = run.dealer.cards(7, 0, 2)[:, 4:9]
    deals = every_deal(run, boards)
    return boards, len(deals.rank), node_values(run.game, run.tree, run.layout, policy, deals)


@pytest.mark.parametrize("in_round", [0, 1, 2, 3])
def test_estimate__equals_listed_deals_on_the_same_boards(run, listed, in_round):
    run, policy = run
    boards, deals, expected = listed
    actual = estimate(run, policy, boards, in_round)
    assert sorted(x for x, r in expected if r == in_round) == actual.node.tolist()
    for i, x in enumerate(actual.node):
        value, reach = expected[x, in_round]
        met = reach > 0
        np.testing.assert_allclose(actual.reach[i], reach / deals, rtol=1e-5, atol=1e-12)
        np.testing.assert_allclose(actual.value[i][met], value[met] / reach[met], rtol=1e-4)
        assert np.isnan(actual.value[i][~met]).all()


def test_estimate__equals_the_exact_sweep_of_cfr(one_round):
    """The counterfactual value of an action is that of the node it leads to."""
    run, policy = one_round
    some = np.array(list(itertools.combinations(range(0, n_cards(run.ranks), 4), 5)), np.int8)
    deals, strategy = every_deal(run, some), shares(run.tree, run.layout, policy)
    actual = estimate(run, policy, some, 0)
    total = np.nan_to_num(actual.value) * actual.reach
    for me in (0, 1):
        expected = counterfactual(run.tree, run.layout, deals, strategy, me)
        for x in run.tree.decision_nodes():
            head = int(run.tree.node[x, 0])
            if seat_of(head) == me:
                at = infoset(run.layout, 0, me, np.arange(run.layout.buckets[0]), 0)
                at = at + run.tree.node[x, 2]
                for a, below in zip(range(n_actions(head)), run.tree.children(x), strict=True):
                    np.testing.assert_allclose(
                        total[below, me], expected[at + a], rtol=1e-4, atol=1e-5
                    )


def test_estimate__of_two_players_sums_to_zero(run):
    """At the start of the game nobody has acted: the means over all hands are a zero-sum game's."""
    run, policy = run
    actual = estimate(run, policy, run.dealer.cards(1, 0, 20)[:, 4:9], 0)
    start = actual.value[0] * actual.reach[0]
    assert abs(np.nansum(start)) < 1e-3 < abs(np.nansum(start[0]))
    assert np.nansum(actual.reach[0], axis=1) == pytest.approx([1, 1])
    assert np.isfinite(actual.value[actual.reach > 0]).all()
    assert (np.isnan(actual.value) == (actual.boards == 0)).all()


def test_estimate__errors_are_as_large_as_stated(one_round):
    run, policy = one_round
    every = np.array(list(itertools.combinations(range(n_cards(run.ranks)), 5)), np.int8)
    drawn = np.random.default_rng(2).permutation(len(every))[:6000]
    many = estimate(run, policy, every[drawn], 0)
    few = estimate(run, policy, run.dealer.cards(9, 0, 300)[:, 4:9], 0)
    known = (few.boards > 30) & (few.error > 0)
    score = (few.value - many.value)[known] / few.error[known]
    assert known.sum() > 100
    assert 0.6 < (score**2).mean() < 1.6


def test_estimate__does_not_depend_on_threads(run):
    run, policy = run
    boards = run.dealer.cards(5, 0, 7)[:, 4:9]
    same_on_two_threads(lambda _: estimate(run, policy, boards, 2))


@pytest.fixture
def stored(run, tmp_path, monkeypatch):
    """The run with its blueprint on disk, and the values of the turn beside it."""
    run, policy = run
    run = run._replace(folder=tmp_path, identity={"digest": "own"})
    monkeypatch.setattr(values, "open_run", lambda folder: run)
    checkpoint.save_policy(
        tmp_path / "blueprint" / "strategy.zarr", run.identity, policy, run.layout
    )
    values.node_values(tmp_path, "turn", 4, 1, tmp_path / "blueprint" / "values" / "turn.zarr")
    return run, policy


def test_stage__writes_the_estimate_and_load_reads_it(stored):
    run, policy = stored
    actual = values.load(run, "turn")
    boards = run.dealer.cards(values.child(run.seed, "blueprint values", "turn"), 0, 4)[:, 4:9]
    for expected, array in zip(estimate(run, policy, boards, 2), actual, strict=True):
        np.testing.assert_array_equal(array, expected)


def test_load__refuses_the_values_of_another_blueprint(stored):
    run, policy = stored
    with pytest.raises(UserError, match="river"):
        values.load(run, "river")
    checkpoint.save_policy(
        run.folder / "blueprint" / "strategy.zarr", run.identity, 255 - policy, run.layout
    )
    with pytest.raises(UserError, match="another blueprint"):
        values.load(run, "turn")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"rounds": 2}, "found the round 'turn', wanted one of preflop, flop"),
        ({"seats": 3}, "found 3 seats of holdem, wanted 2 of holdem"),
        ({"cards": "kuhn"}, "found 2 seats of kuhn, wanted 2 of holdem"),
    ],
)
def test_no_values__of_other_games_and_rounds(change, expected):
    game = small_run(change.get("seats", 2))[0].game
    rounds = game.rounds[: change.get("rounds", 4)]
    game = game.model_copy(update={"rounds": rounds, "cards": change.get("cards", "holdem")})
    assert no_values(["preflop", "turn"], game) == expected
    assert no_values([], game) == ""
    assert no_values(["turn", "turn"], game) == "found turn, turn, wanted each round once"
