"""The kept values of the first round: their place in a subgame, and their store."""

import numpy as np
import pytest

from search.holdem import NO_BOARD, RANKS, drawn, small_run, whole_round
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, after, begin
from sixmax.ongoing.locate import places
from sixmax.ongoing.translate import probability
from sixmax.search.solvers.first_round import STORE, FirstRound, load, ranges_at
from sixmax.search.subgame import PublicState, build, depth, leaf_nodes, sizes_beside
from sixmax.self_generated.values import leaf_starts
from sixmax.store import write

N = RANKS**2


def known_places(opening=(1,)):
    run, _ = small_run(2, opening=opening)
    return places(run.game, run.tree)


def after_bets(bets, opening, choices=2):
    """Values drawn for all leaves of a run, and its subgame after ``bets``; the bettor chooses."""
    run, policy = small_run(2, opening=opening)
    root = after(begin(run.game), bets)
    state = PublicState(run.game, root, NO_BOARD, bets, ())
    scope = depth(state)._replace(choices=choices, choosers=1 << (len(bets) - 1) % 2)
    subgame = build(state, run.game.rounds, known_places(opening), RANKS, 5, scope)
    node = leaf_starts(run)
    chips = np.random.default_rng(3).normal(0, 200, (2, choices, len(node), N, N))
    chips[1, 0] = chips[0, 0]  # the blueprint
    lead = np.zeros((N, N), np.float32)
    return FirstRound(node, chips.astype(np.float32), lead, ranges_at(run, policy, node)), subgame


def leaf_after(kept, opening, *actions):
    """The number of the leaf after ``actions``."""
    run, _ = small_run(2, opening=opening)
    return int(np.flatnonzero(kept.node == run.tree.find(actions))[0])


def of_leaf(kept, seat, choice, number, put, bet):
    """Those behind ``put`` in the pot of ``bet``: float64[class of seat 0, the other's]."""
    return (kept.chips[seat, choice, number].astype(float) + put) * bet / put - bet


@pytest.mark.parametrize("bettor", [0, 1])
def test_at__after_a_bet_between_two_sizes_is_their_mean_by_reach(bettor):
    """Seat 0 opens, or seat 1 raises a limp: by .75 of the pot, between .5 and 1."""
    opening, limp = (0.5, 1.0), (CALL,) * bettor
    kept, subgame = after_bets((*limp, 250), opening)
    number = [leaf_after(kept, opening, *limp, put, CALL) for put in (200, 300)]
    reach = kept.reach[1 - bettor, number]
    reach[:, 3] = 0  # a class that comes to neither leaf
    reach[1, 4] = 0  # and one that comes to the first alone
    kept.reach[1 - bettor, number] = reach
    near = probability(0.5, 1.0, 0.75)
    actual = kept.at(subgame, known_places(opening))
    assert actual.shape == (2, 2, N, N)
    for choice in (0, 1):
        small, large = (
            of_leaf(kept, bettor, choice, i, put, 250)
            for i, put in zip(number, (200, 300), strict=True)
        )
        expected = np.empty((N, N))
        for c in range(N):
            less, more = near * reach[0, c], (1 - near) * reach[1, c]
            part = less / (less + more) if less + more else near
            ours = (slice(None), c) if bettor == 0 else c
            expected[ours] = part * small[ours] + (1 - part) * large[ours]
        np.testing.assert_allclose(actual[1, choice], -expected, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(actual[0, choice], expected.T, rtol=1e-6, atol=1e-6)
    assert np.ptp(reach[0, 5:] / reach[:, 5:].sum(axis=0)) > 0.1


@pytest.mark.parametrize("seen", ["all classes", "some", "none"])
@pytest.mark.parametrize(("bet", "opening"), [
    (300, (0.5, 1.0)),  # the blueprint has it
    (500, (0.5, 1.0)),  # larger than all
    (600, (1.0, "A")),  # between the pot and all-in, behind which there is no flop
    (1900, (1.0, "A")),  # nearer to all-in
])  # fmt: skip
def test_at__after_other_bets_is_the_one_size_with_a_leaf(bet, opening, seen):
    """Also for classes that never come there: no other place in the tree is as good."""
    kept, subgame = after_bets((bet,), opening)
    number = leaf_after(kept, opening, 300, CALL)
    if seen != "all classes":
        kept.reach[1, number, : N if seen == "none" else 7] = 0
    actual = kept.at(subgame, known_places(opening))
    for choice in (0, 1):
        expected = of_leaf(kept, 0, choice, number, 300, bet)
        np.testing.assert_allclose(actual[1, choice], -expected, rtol=1e-6, atol=1e-6)


def test_at__of_a_leaf_without_values_is_refused():
    kept, subgame = after_bets((250,), (0.5, 1.0))
    few = FirstRound(kept.node[:1], kept.chips[:, :, :1], kept.lead, kept.reach[:, :1])
    with pytest.raises(ValueError, match="found flops at nodes"):
        few.at(subgame, known_places((0.5, 1.0)))


@pytest.mark.parametrize(("bets", "expected"), [
    ((), None), ((CALL,), None), ((300,), None), ((500,), None), ((150,), None),
    ((250,), (200, 300, probability(0.5, 1.0, 0.75))),
    ((CALL, 250), (200, 300, probability(0.5, 1.0, 0.75))),
    ((250, 2000), None),  # all-in is the only raise there
])  # fmt: skip
def test_sizes_beside__are_those_of_the_last_bet(bets, expected):
    game = small_run(2, opening=(0.5, 1.0))[0].game
    state = PublicState(game, after(begin(game), bets), NO_BOARD, bets, ())
    assert sizes_beside(state, known_places((0.5, 1.0))) == expected


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


def test_load__refuses_values_that_are_missing_or_of_another_run(tmp_path):
    small, policy = small_run(2)
    run = small._replace(folder=tmp_path, identity={"digest": "mine"})
    with pytest.raises(
        UserError, match=r"looks up values there; make it by `sixmax stage self-gen"
    ):
        load(run, policy)
    write(tmp_path / STORE, "self-generated", drawn().stored(), run="mine")
    kept = load(run, policy)
    assert all(map(np.array_equal, kept, drawn()))
    with pytest.raises(UserError, match="of another run"):
        load(run._replace(identity={"digest": "other"}), policy)
