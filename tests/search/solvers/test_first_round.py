"""The kept values of the first round: their place in a subgame, and their store."""

import numpy as np
import pytest

from search.holdem import NO_BOARD, RANKS, drawn, small_run, whole_round
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, after, begin
from sixmax.blueprint.run import Run
from sixmax.ongoing.locate import places
from sixmax.ongoing.translate import probability
from sixmax.search.solvers.first_round import STORE, FirstRound, load, ranges_at
from sixmax.search.subgame import PublicState, build, depth, leaf_nodes
from sixmax.store import write

N = RANKS**2


def known_places(opening=(1,)):
    run, _ = small_run(2, opening=opening)
    return places(run.game, run.tree)


def after_bet(bet, opening, choices=2):
    """Values drawn for the leaves of a run; its subgame after the first raise, to ``bet``.

    The flop leaves are those behind a call of one of the ``opening`` sizes, or of a limp.
    """
    run, policy = small_run(2, opening=opening)
    root = begin(run.game)
    state = PublicState(run.game, after(root, (bet,)), NO_BOARD, (bet,), ())
    scope = depth(state)._replace(choices=choices, choosers=1)
    subgame = build(state, run.game.rounds, known_places(opening), RANKS, 5, scope)
    called = [a for a in run.tree.offered(0)[1:] if a < 2000]
    node = np.array([run.tree.find((a, CALL)) for a in called], np.int32)
    chips = np.random.default_rng(3).normal(0, 200, (2, choices, len(node), N, N))
    lead = np.zeros((N, N), np.float32)
    return FirstRound(node, chips.astype(np.float32), lead, ranges_at(run, policy, node)), subgame


def of_leaf(kept, number, choice, put, bet):
    """Those behind ``put`` in the pot of ``bet``: float64[class of seat 0, the other's]."""
    return (kept.chips[0, choice, number].astype(float) + put) * bet / put - bet


def test_at__after_a_bet_between_two_sizes_is_their_mean_by_reach():
    kept, subgame = after_bet(250, (0.5, 1.0))
    kept.reach[1, 1, 3] = kept.reach[1, 2, 3] = 0  # a class that comes to neither leaf
    kept.reach[1, 2, 4] = 0  # and one that comes to the first alone
    near = probability(0.5, 1.0, 0.75)
    actual = kept.at(subgame, known_places((0.5, 1.0)))
    assert actual.shape == (2, 2, N, N)
    for choice in (0, 1):
        small, large = (of_leaf(kept, i, choice, put, 250) for i, put in ((1, 200), (2, 300)))
        expected = np.empty((N, N))
        for b in range(N):
            less, more = near * kept.reach[1, 1, b], (1 - near) * kept.reach[1, 2, b]
            part = less / (less + more) if less + more else near
            expected[:, b] = part * small[:, b] + (1 - part) * large[:, b]
        np.testing.assert_allclose(actual[1, choice], -expected, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(actual[0, choice], expected.T, rtol=1e-6, atol=1e-6)
    shares = kept.reach[1, 1] / (kept.reach[1, 1] + np.maximum(kept.reach[1, 2], 1e-9))
    assert np.ptp(shares[5:]) > 0.1


@pytest.mark.parametrize(("bet", "opening", "size"), [
    (300, (0.5, 1.0), 2),  # the blueprint has it
    (500, (0.5, 1.0), 2),  # larger than all
    (600, (1.0, "A"), 1),  # between the pot and all-in, behind which there is no flop
])  # fmt: skip
def test_at__after_other_bets_is_the_nearest_size_alone(bet, opening, size):
    kept, subgame = after_bet(bet, opening)
    actual = kept.at(subgame, known_places(opening))
    for choice in (0, 1):
        expected = of_leaf(kept, size, choice, 300, bet)
        np.testing.assert_allclose(actual[1, choice], -expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("chooser", [0, 1])
def test_at__has_the_choices_of_the_one_who_chooses(chooser):
    kept, subgame = drawn(), whole_round(3, 1 << chooser)
    actual, tree = kept.at(subgame, known_places()), subgame.tree
    leaves = leaf_nodes(tree)
    for x in {int(tree.parent[y]) for y in leaves}:
        for k, y in enumerate(tree.children(x)):
            i = int(np.flatnonzero(kept.node == tree.node[y, 2])[0])
            place = int(np.flatnonzero(leaves == y)[0])
            # The tree is that of the blueprint: chips are as they were kept, by [other's, own].
            np.testing.assert_allclose(actual[0, place], kept.chips[chooser, k, i].T, rtol=1e-6)
            np.testing.assert_allclose(actual[1, place], -kept.chips[chooser, k, i], rtol=1e-6)
    assert len(leaves) == 3 * len(kept.node) > 3


def test_at__of_more_choices_or_choosers_than_there_are_is_refused():
    with pytest.raises(ValueError, match="3 strategies, found a choice of more"):
        drawn().at(whole_round(4), known_places())
    with pytest.raises(ValueError, match="found two players who choose"):
        drawn().at(whole_round(2, 3), known_places())


def test_load__refuses_values_that_are_missing_or_of_another_run(tmp_path, monkeypatch):
    small, policy = small_run(2)
    run = small._replace(folder=tmp_path, identity={"digest": "mine"})
    monkeypatch.setattr(Run, "policy", lambda run, name: policy)
    with pytest.raises(
        UserError, match=r"looks up values there; make it by `sixmax stage self-gen"
    ):
        load(run)
    write(tmp_path / STORE, "self-generated", drawn().stored(), run="mine")
    kept = load(run)
    assert all(map(np.array_equal, kept, drawn()))
    with pytest.raises(UserError, match="of another run"):
        load(run._replace(identity={"digest": "other"}))
