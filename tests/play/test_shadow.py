"""The blueprint's node follows the hand that is really played."""

import numpy as np
import pytest

from search.holdem import small_run
from sixmax.game.betting import Betting
from sixmax.game.rules import ACTOR, BETTING, CALL, FOLD, HIGH, PHASE, ROUND
from sixmax.game.tree import find, n_actions, round_of, seat_of
from sixmax.play.lookup import actions
from sixmax.play.shadow import Shadow


def start():
    run, _ = small_run()
    return Betting(run.game), Shadow(run.game, run.tree), run


def act(betting, shadow, action, u=None):
    played = shadow.act(betting.hand, action, u)
    betting.act(action)
    return played


def test_act__in_the_tree_is_the_path_of_the_tree():
    betting, shadow, run = start()
    for action in (350, CALL, FOLD):
        act(betting, shadow, action)
    assert shadow.node == find(run.tree, (350, CALL, FOLD))
    np.testing.assert_array_equal(shadow.hand, betting.hand)
    assert shadow.real(betting.hand) == actions(run.tree, shadow.node)


def test_act__raise_of_another_size_stays_a_raise():
    betting, shadow, run = start()
    act(betting, shadow, 270, 0.9)
    assert shadow.node == find(run.tree, (350,))
    assert shadow.hand[HIGH] == 350
    # What is done next is done in the real hand: a raise there is all-in.
    assert shadow.real(betting.hand)[:2] == [FOLD, CALL]
    assert shadow.real(betting.hand)[2] == 2000


@pytest.mark.parametrize("seed", range(40))
def test_meet__whatever_is_played_the_same_seat_acts_or_the_shadow_waits(seed):
    """The trap: the node follows a translated action and the state the real one."""
    random = np.random.default_rng(seed)
    betting, shadow, run = start()
    while not betting.over:
        same = shadow.meet(betting.hand)
        if same:
            head = run.tree.node[shadow.node, 0]
            assert seat_of(head) == betting.actor == shadow.hand[ACTOR]
            assert round_of(head) == betting.round == shadow.hand[ROUND]
            assert len(shadow.real(betting.hand)) == n_actions(head)
        else:
            assert shadow.hand[PHASE] != BETTING or shadow.hand[ROUND] > betting.round
        span = betting.raise_range
        choice = [CALL, CALL] + ([FOLD] if betting.to_call else [])
        choice += [int(random.integers(span[0], span[1] + 1))] * 2 if span else []
        act(betting, shadow, int(random.choice(choice)), random.random())
