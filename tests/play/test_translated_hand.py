"""The blueprint's node follows the hand that is really played."""

import numpy as np
import pytest

from oracles.games import holdem
from oracles.play import Follower
from search.holdem import small_run
from sixmax.betting.rules import ACTOR, BETTING, CALL, FOLD, HIGH, PHASE, ROUND
from sixmax.betting.state import Betting
from sixmax.betting.tree import find, n_actions, round_of, seat_of
from sixmax.betting.tree_build import build
from sixmax.play.lookup import actions
from sixmax.play.translate import TranslatedHand


def start():
    run, _ = small_run()
    return Betting(run.game), TranslatedHand(run.game, run.tree), run


def act(betting, hand, action, u=None):
    played = hand.act(betting.hand, action, u)
    betting.act(action)
    return played


def test_act__in_the_tree_is_the_path_of_the_tree():
    betting, hand, run = start()
    for action in (350, CALL, FOLD):
        act(betting, hand, action)
    assert hand.node == find(run.tree, (350, CALL, FOLD))
    np.testing.assert_array_equal(hand.hand, betting.hand)
    assert hand.real(betting.hand) == actions(run.tree, hand.node)


def test_act__raise_of_another_size_stays_a_raise():
    betting, hand, run = start()
    act(betting, hand, 270, 0.9)
    assert hand.node == find(run.tree, (350,))
    assert hand.hand[HIGH] == 350
    # The next action takes place in the real hand: a raise there is all-in.
    assert hand.real(betting.hand)[:2] == [FOLD, CALL]
    assert hand.real(betting.hand)[2] == 2000


def test_act__a_limp_becomes_the_smallest_raise_where_nobody_limps():
    run, _ = small_run()
    tree = build(without_limps(run.game))
    betting, hand = Betting(run.game), TranslatedHand(run.game, tree)
    act(betting, hand, CALL)
    smallest = int(tree.action[2])
    assert hand.node == find(tree, (smallest,))
    act(betting, hand, CALL)
    assert hand.node == find(tree, (smallest, CALL))


def without_limps(game):
    first = game.rounds[0].model_copy(update={"limps": "blinds"})
    return game.model_copy(update={"rounds": [first, *game.rounds[1:]]})


@pytest.mark.parametrize("limps", ["all", "blinds"])
@pytest.mark.parametrize("seed", range(40))
def test_meet__whatever_is_played_the_same_seat_acts_or_it_waits(seed, limps):
    """The trap: the node follows a hand action and the state the real one."""
    random = np.random.default_rng(seed)
    betting, hand, run = start()
    tree = run.tree
    if limps == "blinds":
        tree = build(without_limps(run.game))
        hand = TranslatedHand(run.game, tree)
    while not betting.over:
        same = hand.meet(betting.hand)
        if same:
            head = tree.node[hand.node, 0]
            assert seat_of(head) == betting.actor == hand.hand[ACTOR]
            assert round_of(head) == betting.round == hand.hand[ROUND]
            assert len(hand.real(betting.hand)) == n_actions(head)
        else:
            assert hand.hand[PHASE] != BETTING or hand.hand[ROUND] > betting.round
        span = betting.raise_range
        choice = [CALL, CALL] + ([FOLD] if betting.to_call else [])
        choice += [int(random.integers(span[0], span[1] + 1))] * 2 if span else []
        act(betting, hand, int(random.choice(choice)), random.random())


def test_real__where_all_limped_the_big_blind_has_no_fold():
    """In the tree the first of them raised, and the big blind may fold to it."""
    run, _ = small_run()
    tree = build(without_limps(run.game))
    betting, hand = Betting(run.game), TranslatedHand(run.game, tree)
    for _ in range(2):
        act(betting, hand, CALL)
    assert hand.meet(betting.hand)
    assert actions(tree, hand.node) == [FOLD, CALL, 2000]
    assert betting.to_call == 0
    assert hand.real(betting.hand) == [CALL, CALL, 2000]


def test_real__one_chip_to_call_may_be_folded_to():
    game = holdem([200] * 3, blinds=[1, 2, 0])
    betting = Betting(game.model_copy(update={"stacks": [300] * 3}))
    hand = TranslatedHand(game, build(game))
    act(betting, hand, FOLD)
    assert betting.to_call == 1
    assert hand.real(betting.hand)[:2] == [FOLD, CALL]


@pytest.mark.parametrize("limps", ["all", "blinds"])
@pytest.mark.parametrize("seed", range(40))
def test_act__where_the_twin_is_whatever_is_played(seed, limps):
    random = np.random.default_rng(seed)
    betting, hand, run = start()
    if limps == "blinds":
        hand = TranslatedHand(run.game, build(without_limps(run.game)))
    twin = Follower(run.game, hand.tree)
    while not betting.over:
        met = hand.copy().meet(betting.hand)
        assert met == twin.copy().meet(betting.hand)
        if met:
            hand.meet(betting.hand)
            twin.meet(betting.hand)
            assert hand.real(betting.hand) == twin.real(betting.hand)
        span = betting.raise_range
        choice = [CALL, CALL] + ([FOLD] if betting.to_call else [])
        choice += [int(random.integers(span[0], span[1] + 1))] * 2 if span else []
        action, u = int(random.choice(choice)), None if random.random() < 0.2 else random.random()
        assert hand.distance(betting.hand, action) == twin.distance(betting.hand, action)
        assert hand.translate(betting.hand, action, u) == twin.translate(betting.hand, action, u)
        assert hand.act(betting.hand, action, u) == twin.act(betting.hand, action, u)
        betting.act(action)
        assert hand.node == twin.node
        np.testing.assert_array_equal(hand.hand, twin.hand)
