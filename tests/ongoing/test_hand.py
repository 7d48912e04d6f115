"""A hand in progress: the tree's hand follows the real one; all rows by real action."""

import numpy as np
import pytest

from oracles.games import holdem
from oracles.play import Follower
from search.holdem import RANKS, small_run
from sixmax.betting.rules import ACTOR, CALL, FOLD, HIGH, ROUND
from sixmax.betting.tree import n_actions, round_of, seat_of
from sixmax.betting.tree_build import build
from sixmax.cards.deck import holds
from sixmax.cfr.packed_actions import bit_layout
from sixmax.ongoing.hand import Hand, blueprint_rows, merged
from sixmax.ongoing.policies import mixed


def start(limps="all"):
    """A hand of the small run, or of one whose tree has no limps but the blinds'."""
    run, _ = small_run()
    return Hand(run if limps == "all" else run._replace(tree=build(without_limps(run.game))))


def without_limps(game):
    first = game.rounds[0].model_copy(update={"limps": "blinds"})
    return game.model_copy(update={"rounds": [first, *game.rounds[1:]]})


def test_act__raise_of_another_size_stays_a_raise():
    hand = start()
    hand.act(270, 0.9)
    assert hand.node == hand.run.tree.find((350,))
    assert hand.mine[HIGH] == 350
    # The next action takes place in the real hand: a raise there is all-in.
    assert hand.offered()[:2] == [FOLD, CALL]
    assert hand.offered()[2] == 2000


def test_act__a_limp_becomes_the_smallest_raise_where_nobody_limps():
    hand = start("blinds")
    tree = hand.run.tree
    hand.act(CALL)
    smallest = int(tree.action[2])
    assert hand.node == tree.find((smallest,))
    hand.act(CALL)
    assert hand.node == tree.find((smallest, CALL))


def test_offered__where_all_limped_the_big_blind_has_no_fold():
    """In the tree the first of them raised, and the big blind may fold to it: that is a check."""
    hand = start("blinds")
    for _ in range(2):
        hand.act(CALL)
    assert hand.meet()
    assert hand.run.tree.offered(hand.node) == [FOLD, CALL, 2000]
    assert hand.betting.to_call == 0
    assert hand.offered() == [CALL, CALL, 2000]
    run, policy = small_run()
    hand.run = hand.run._replace(layout=run.layout)
    tree_rows = hand.tree_rows(mixed(run, policy))
    play = hand.rows(mixed(run, policy))
    assert play.offered == [CALL, 2000]
    assert np.array_equal(play.chance(CALL), tree_rows[:, 0] + tree_rows[:, 1])
    assert not play.chance(FOLD).any()


@pytest.mark.parametrize("pure", [False, True])
def test_blueprint_rows__of_no_decision_is_refused(pure):
    run, policy = small_run()
    end = next(x for x in range(len(run.tree.node)) if not run.tree.is_decision(x))
    policy, bucket = mixed(run, policy)._replace(pure=pure), np.zeros(276, np.int32)
    with pytest.raises(ValueError, match=f"node {end} is no decision"):
        blueprint_rows(run, policy, end, bucket, bit_layout(run.tree, run.layout)[0])


def test_merged__each_action_once_ascending():
    rows = np.array([[0.1, 0.2, 0.3, 0.4], [1.0, 0.0, 0.0, 0.0]])
    play = merged([FOLD, 500, 500, CALL], rows)
    assert play.offered == [FOLD, CALL, 500]
    assert np.array_equal(play.rows, [[0.1, 0.4, 0.5], [1.0, 0.0, 0.0]])


def test_offered__one_chip_to_call_may_be_folded_to():
    game = holdem([200] * 3, blinds=[1, 2, 0])
    run = small_run()[0]._replace(game=game, tree=build(game))
    hand = Hand(run, game.model_copy(update={"stacks": [300] * 3}))
    hand.act(FOLD)
    assert hand.betting.to_call == 1
    assert hand.offered()[:2] == [FOLD, CALL]


@pytest.mark.parametrize("limps", ["all", "blinds"])
@pytest.mark.parametrize("seed", range(40))
def test_act__where_the_twin_is_whatever_is_played(seed, limps):
    """The trap, too: the node follows a hand action and the state the real one."""
    random, hand = np.random.default_rng(seed), start(limps)
    tree, betting, policy = hand.run.tree, hand.betting, mixed(*small_run())
    twin = Follower(hand.run.game, tree)
    while not betting.over:
        met = hand.copy().meet()
        assert met == twin.copy().meet(hand.real)
        if met:
            hand.meet()
            twin.meet(hand.real)
            head = tree.node[hand.node, 0]
            assert seat_of(head) == betting.actor == hand.mine[ACTOR]
            assert round_of(head) == betting.round == hand.mine[ROUND]
            assert len(hand.offered()) == n_actions(head)
            assert hand.offered() == twin.real(hand.real)
        else:
            play = hand.rows(policy)
            assert play.offered == [CALL]
            assert np.array_equal(play.rows[:, 0], ~holds(hand.board, RANKS))
        span = betting.raise_range
        choice = [CALL, CALL] + ([FOLD] if betting.to_call else [])
        choice += [int(random.integers(span[0], span[1] + 1))] * 2 if span else []
        action, u = int(random.choice(choice)), None if random.random() < 0.2 else random.random()
        real = hand.real.copy()
        assert hand.distance(action) == twin.distance(real, action)
        if met:
            smaller, larger, share = hand.sizes(action)
            chosen = smaller if (0.5 if u is None else u) < share else larger
            assert chosen == twin.translate(real, action, u)
        assert hand.act(action, u) == twin.act(real, action, u)
        assert hand.node == twin.node
        np.testing.assert_array_equal(hand.mine, twin.hand)
