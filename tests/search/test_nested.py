"""Nested solving in play: a solution after each bet, its guarantee, the next card."""

import numpy as np
import pytest

from search.holdem import NESTED as CONFIG
from search.holdem import nested_searcher as searcher
from search.holdem import on, small_run, small_searcher, with_player
from sixmax.base.errors import UserError
from sixmax.betting.config import RoundSizes
from sixmax.betting.rules import CALL, FOLD
from sixmax.cards.deck import parse_cards
from sixmax.search.nested import Nested, size_factor
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchCache
from sixmax.search.searcher import _scaled
from sixmax.search.solvers import all_hands

FLOP, TURN, RIVER = "AhKd9c", "Td", "Jd"
TREE, BET = 250, 333  # raises to: the tree's only bet of .75 pots, and one that it lacks
ONCE = CONFIG.model_copy(update={"vector_iterations": [1] * 4})


def on_the_turn(config=CONFIG, seat=1, seed=7, searcher_of=searcher):
    """Two players who called and checked so far; seat 1 is to act."""
    run, policy = small_run(2)
    hand = PublicHand(run, policy, config, searcher_of(config), seed, seat=seat)
    on(hand, CALL, CALL, FLOP, CALL, CALL, TURN)
    assert hand.betting.actor == 1
    return hand


def after_a_bet(**options):
    return on(on_the_turn(**options), CALL, BET)


def test_search__after_a_bet_off_the_tree_begins_with_its_real_size():
    hand = after_a_bet()
    play, result = hand.play(), hand.search()
    assert hand.searches == 2
    assert isinstance(result, Nested)
    assert [link.begin for link in result.links] == [0, 2]
    pot = hand.betting.contributed.sum()
    folded = result.links[1].solved.tree.find((FOLD,))
    assert result.links[1].solved.tree.node[folded, 1] == pot == 100 + BET
    assert play.offered[:2] == [-1, CALL]
    np.testing.assert_allclose(play.rows.sum(axis=1), 1)


def gain_of_a_bet(bet, gadget, any_hand=0.0):
    """The most chips that a hand wins by ``bet`` more than its decision before was worth."""
    config = with_player(CONFIG, nested=gadget, any_hand=any_hand)
    hand = on(on_the_turn(config=config), CALL, bet)
    first, second = (link.solved for link in hand.search().links)
    before = first.values_at(first.tree.find((CALL,)), best=True)[0]
    best = second.values_at(0, best=True)[0]
    known = np.isfinite(before) & np.isfinite(best)
    assert known.sum() > 100
    return (best - before)[known].max()


@pytest.mark.parametrize("any_hand", [0.0, 0.2])
@pytest.mark.parametrize("gadget", ["resolve", "maxmargin"])
def test_search__a_bet_of_the_tree_brings_no_hand_more_than_its_decision(gadget, any_hand):
    assert gain_of_a_bet(TREE, gadget, any_hand) < 4  # chips, of a pot of 200


def test_search__maxmargin_leaves_the_least_to_a_bet_off_the_tree():
    """Some hands may win by a size that the opponent had not: here as few chips as can be."""
    assert gain_of_a_bet(BET, "maxmargin") < gain_of_a_bet(BET, "resolve") < 40


def test_search__of_the_river_goes_on_with_the_turns():
    hand = after_a_bet()
    turn = hand.search()
    hand.act(CALL)
    card = int(parse_cards(RIVER, hand.run.ranks)[0])
    hand.deal(RIVER)
    play = hand.play()
    assert hand.searches == 2, "nothing is solved for a card"
    solved = turn.links[1].solved
    expected = solved.after(solved.tree.find((CALL,)), card)
    river = hand.search()
    np.testing.assert_array_equal(river.links[0].solved.average, expected.average)
    np.testing.assert_array_equal(river.gifts, turn.gifts)
    assert play.offered[0] == CALL
    hand.act(CALL)
    hand.act(play.offered[1])
    hand.play()
    assert hand.searches == 3
    assert [link.begin for link in hand.search().links] == [0, 2]
    before = river.links[0].solved.values_at(1, best=True)[0]
    best = hand.search().links[1].solved.values_at(0, best=True)[0]
    gain = best - before - river.gifts
    assert np.nanmax(gain) < 4  # chips, of a pot of 866


def test_search__own_actions_are_no_bets_to_answer():
    hand = on_the_turn()
    hand.play()
    hand.act(TREE)
    assert hand.search().covers((TREE,))
    assert hand.searches == 1


def test_search__an_own_action_off_the_tree_is_solved_from_the_root():
    hand = on_the_turn()
    hand.play()
    on(hand, 290, 900)
    play = hand.play()
    assert play.offered[:2] == [-1, CALL]
    assert isinstance(hand.search(), Nested)


@pytest.mark.parametrize("own", [700, 950])
def test_search__an_own_raise_off_the_tree_after_an_answered_bet_stays_safe(own):
    """The answer to a bet is solved again, with our raise in its tree, and the next one follows."""
    hand = after_a_bet()
    hand.play()
    hand.act(own)
    assert hand.search().covers((CALL, BET, own))
    hand.act(own + 800)
    result = hand.search()
    assert isinstance(result, Nested)
    assert [link.begin for link in result.links] == [0, 2, 4]
    assert hand.play().offered[:2] == [FOLD, CALL]


def test_search__on_the_river_keeps_the_turns_solution_after_an_own_raise_off_the_tree():
    hand = on(after_a_bet(), CALL, RIVER, CALL, 800)
    expected = hand.search()
    hand.act(1900)
    result = hand.search()
    assert [link.begin for link in result.links] == [0, 2]
    before, after = (r.links[0].solved.average for r in (expected, result))
    np.testing.assert_array_equal(after, before)
    assert min(result.gifts.max(), expected.gifts.max()) > 5  # chips: nothing is forgotten
    assert result.covers((CALL, 800, 1900))


def test_search__shifts_raises_in_chips_too():
    rows = [["300 chips", 1, "A"]]
    sizes = RoundSizes(sizes=rows, max_raises=1, max_players=2)
    assert _scaled(sizes, 1.05).sizes == [["315 chips", 1.05, "A"]]


def test_search__before_the_turn_is_not_nested():
    """A raise far off the tree before the flop is searched once, and unsafely."""
    run, policy = small_run(2)
    config = CONFIG.changed(off_tree=10, iterations=200)
    hand = PublicHand(run, policy, config, searcher(config), 7, seat=1)
    hand.act(475)
    assert hand.play().offered[:2] == [FOLD, CALL]
    assert hand.searches == 1
    assert not isinstance(hand.search(), Nested)


def test_search__has_iterations_of_its_own_on_a_turn():
    config = with_player(CONFIG, nested="none").changed(vector_iterations=[1, 1, 7, 300])
    hand = on_the_turn(config=config)
    solution = hand.search()
    assert solution.iterations == 7
    on(hand, CALL, CALL, RIVER)
    assert hand.search().iterations == 300


def test_searcher__of_three_players_refuses_nested_solving():
    with pytest.raises(UserError, match="the run has 3 seats"):
        small_searcher(CONFIG, 3)


def test_search__of_a_subgame_that_is_sampled_is_not_nested(monkeypatch):
    monkeypatch.setattr(all_hands, "VECTOR_NODES", 0)
    config = CONFIG.model_copy(update={"iterations": 200})
    hand = after_a_bet(config=config)
    assert not isinstance(hand.search(), Nested)
    assert hand.play().offered[:2] == [-1, CALL]
    on(hand, CALL, RIVER)
    assert hand.play().offered[0] == CALL


def test_play__same_seed_same_strategy_and_a_cache_tells_alternatives_apart():
    cache = SearchCache(searcher())
    plays = [after_a_bet(searcher_of=lambda config: cache).play().rows for _ in range(2)]
    np.testing.assert_array_equal(*plays)
    assert cache.searches == 2
    np.testing.assert_array_equal(after_a_bet().play().rows, plays[0])


def test_beliefs__go_on_after_a_bet_off_the_tree():
    hand = after_a_bet()
    hand.play()
    on(hand, CALL, RIVER)
    beliefs = hand.beliefs()
    np.testing.assert_allclose(beliefs.sum(axis=1), 1)
    assert beliefs[1].std() > 0


@pytest.mark.parametrize("seed", range(3))
def test_search__shifts_sizes_by_a_share_of_the_seed(seed):
    config = with_player(ONCE, shift=0.08)
    hand = on_the_turn(config=config, seed=seed)
    bet = hand.play().offered[1]
    assert abs(bet - TREE) <= 0.08 * 150 + 1
    assert bet == on_the_turn(config=config, seed=seed).play().offered[1]
    others = {on_the_turn(config=config, seed=s).play().offered[1] for s in range(8)}
    assert min(others) < TREE < max(others)


def test_search__shifts_all_sizes_of_a_hand_alike():
    """The turn, after a bet, and after a raise that no tree has: the same share of the pot."""
    config = with_player(ONCE, shift=0.08)
    hand = on_the_turn(config=config)
    factor = size_factor(0.08, 7)
    assert hand.play().offered[1] == round(100 + 0.75 * factor * 200)
    on(hand, CALL, BET)
    raises = hand.play().offered[2:-1]
    assert raises == [round(BET + 0.75 * factor * (100 + 2 * BET)) for _ in raises]


@pytest.mark.parametrize("actions", [(TREE, 700), (290, 700, 1200, 2000), (CALL, BET, 700, 1300)])
@pytest.mark.parametrize("nested", ["resolve", "none"])
def test_search__from_the_root_keeps_a_frozen_row(actions, nested):
    """An own bet, raised off the tree; an own raise off the tree, raised again."""
    few = CONFIG.model_copy(update={"vector_iterations": [5] * 4})
    hand = on_the_turn(config=with_player(few, shift=0.08, nested=nested))
    for action in actions:
        if hand.betting.actor == 1:
            play = hand.play()
            hole, odd = int(hand.now()[1].argmax()), play.rows.copy()
            odd[hole] = np.eye(len(play.offered))[0] / 2 + 0.5 / len(play.offered)
            hand.freeze(hole, play._replace(rows=odd))
        hand.act(action)
    result = hand.search()
    np.testing.assert_allclose(hand.play().rows.sum(axis=1), 1)
    for frozen in hand.rounds[-1].frozen * (nested == "none"):
        play = result.play(frozen.before)
        actual = dict(zip(play.offered, play.rows[frozen.hole], strict=True))
        expected = dict(zip(frozen.offered, frozen.row, strict=True))
        assert actual == pytest.approx({**dict.fromkeys(actual, 0.0), **expected})


def test_gifts__are_what_the_bets_gave_away():
    """A bet on the turn and one on the river: each gives the value of its decision less its own."""
    hand, expected = after_a_bet(), 0.0
    for street in ("turn", "river"):
        if street == "river":
            on(hand, CALL, RIVER)
            hand.play()
            on(hand, CALL, 800)
        result = hand.search()
        before, after = (link.solved for link in result.links[-2:])
        values = before.values_at(before.tree.find((CALL,)), best=True)[0]
        entered = after.values_at(0, best=True)[0]
        expected = np.maximum(expected + np.nan_to_num(values - entered, nan=0.0), 0)
        np.testing.assert_allclose(result.gifts, expected)
        assert result.gifts.max() > 5  # chips


def test_copy__of_another_seat_searches_for_itself():
    hand = after_a_bet()
    result = hand.search()
    assert hand.copy().search() is result
    assert hand.copy(seat=1).search() is result
    other = hand.copy(seat=0)
    assert other.search() is not result
    assert other.search().seat == 0
