"""From a position to a solved subgame, by either solver, and its start from the blueprint."""

import functools

import numpy as np
import pytest

from search.holdem import SEARCH, on, small_run, small_searcher, widened, with_player
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.tree import CHOICE, is_decision, n_actions, round_of, seat_of
from sixmax.cards.deck import hole_cards, parse_cards
from sixmax.continuation import compress, generate
from sixmax.evaluation.search_gain.expected_gain import Measurement, gain_in_round
from sixmax.evaluation.search_gain.round_tree import round_tree
from sixmax.evaluation.search_gain.spots import enter, spots
from sixmax.ongoing.hand import blueprint_buckets, blueprint_rows
from sixmax.search import public_hand, result
from sixmax.search.searcher import Searcher, warm_start
from sixmax.search.solvers import all_hands
from sixmax.search.solvers.problem import EnoughError
from sixmax.search.subgame import PublicState, build

FLOP, RIVER = "AhKd9c", 3
CONFIG = SEARCH.model_copy(update={"buckets": 0, "iterations": 400})


@functools.cache
def searcher(seats=3, **changes):
    return small_searcher(CONFIG.model_copy(update=changes), seats)


def hand(seats=3, config=CONFIG, own=None, **changes):
    run, policy = small_run(seats)
    return public_hand.PublicHand(run, policy, config, own or searcher(seats, **changes), seed=7)


def on_the_flop(before=(CALL, CALL, CALL), **options):
    return on(hand(**options), *before, FLOP)


def test_play__with_three_players_on_the_flop_has_rows_that_differ_by_hand():
    at = on_the_flop()
    play = at.play()
    np.testing.assert_allclose(play.rows.sum(axis=1), 1)
    assert play.offered == at.run.tree.offered(at.node)
    assert play.rows[:, 1].std() > 0.05, "hands that differ play alike"


@pytest.mark.parametrize("seats", [2, 3])
def test_play__tables_of_two_bytes_change_nothing(seats):
    run, policy = small_run(seats)
    wide = Searcher(widened(run), policy, CONFIG, packed=searcher(seats).leaf_game.packed)
    before = (CALL,) * seats
    expected = on_the_flop(before, seats=seats).play()
    actual = on_the_flop(before, seats=seats, own=wide).play()
    np.testing.assert_array_equal(actual.rows, expected.rows)


@pytest.mark.usefixtures("one_thread")
def test_search__at_leaves_with_any_number_of_continuations():
    """One, six and the four of the supplement. Too many for a record are refused in one line."""
    run, policy = small_run()
    lean = [generate.Continuation(f"lean {k}", policy, k % 3 - 1, 5.0 + k) for k in range(17)]
    played = []
    for number in (1, 6):
        packed = compress.pack(run.tree, run.layout, lean[:number], 1)
        by_number = Searcher(run, policy, CONFIG, packed=packed)
        played.append(on_the_flop(own=by_number).play().rows)
        np.testing.assert_allclose(played[-1].sum(axis=1), 1)
    four = on_the_flop().play().rows
    assert not np.allclose(played[0], played[1])
    assert not np.allclose(played[1], four)
    too_many = Searcher(run, policy, CONFIG, packed=compress.pack(run.tree, run.layout, lean, 1))
    with pytest.raises(UserError, match="continuations: found 17, wanted 1 to 16 with 3 seats"):
        on_the_flop(own=too_many).play()


def test_search__is_not_made_again_for_actions_that_it_has():
    at = on_the_flop()
    at.play()
    at.act(CALL)
    at.play()
    assert at.searches == 1


def widest(tree, in_round):
    """The most actions of a decision in a round of ``tree``."""
    head = tree.node[:, 0]
    return n_actions(head[(is_decision(head)) & (round_of(head) == in_round)]).max()


def test_search__has_more_first_bets_in_the_round_that_it_searches_alone():
    """A pot of 200: .75 of it makes 250 in all, .5 makes 200 and two pots make 500."""
    before = (CALL, CALL)
    plain = on_the_flop(before, seats=2)
    more = on_the_flop(before, seats=2, bets=((), (0.5, 2), (9,)))
    assert plain.play().offered == [CALL, 250]
    assert more.play().offered == [CALL, 200, 250, 500]
    assert widest(more.search().tree, 0) == widest(plain.search().tree, 0) + 2
    assert widest(more.search().tree, 1) == widest(plain.search().tree, 1)
    assert on_the_flop(before, seats=2, bets=((9,), (), (9,))).play().offered == [CALL, 250]


def test_search__has_no_more_sizes_for_the_raise_of_a_bet():
    run, policy = small_run(2)
    rounds = [r.model_copy(update={"max_raises": 2}) for r in run.game.rounds]
    config = CONFIG.model_copy(update={"rounds": rounds, "bets": [[], [0.5, 2]]})
    own = Searcher(run, policy, config, packed=searcher(2).leaf_game.packed)
    tree = on_the_flop((CALL, CALL), seats=2, config=config, own=own).search().tree
    first, second = (tree.find(betting) for betting in ((), (250,)))
    assert n_actions(tree.node[first, 0]) == 4
    assert n_actions(tree.node[second, 0]) == 3  # fold, call, and the one raise of the blueprint


def test_search__off_tree_action_is_added_and_the_root_searched_anew():
    at = on_the_flop()
    offered = at.play().offered
    at.act(250)
    assert 250 not in offered
    then = at.play()
    assert at.searches == 2
    assert then.offered[0] == FOLD
    assert 250 in at.search().play(()).offered


def test_search__after_an_own_decision_keeps_it_for_the_hand_held():
    """Also where it is nothing that the search itself would find."""
    at = on_the_flop()
    hole, play = 57, at.play()
    odd = play.rows.copy()
    odd[hole] = [0.25, 0.75]
    at.freeze(hole, play._replace(rows=odd))
    on(at, CALL, 250).play()  # off the tree: the subgame is solved again
    after = at.search().play(()).rows
    np.testing.assert_allclose(after[hole][:2], [0.25, 0.75], atol=2e-3)
    assert not np.isclose(after[:, 0], 0.25, atol=2e-3).all()


def test_hand__plays_on_over_rounds_with_a_search_in_each():
    at = on_the_flop()
    at.play()
    on(at, CALL, CALL, CALL, "Td")
    beliefs = at.beliefs()
    np.testing.assert_allclose(beliefs.sum(axis=1), 1)
    blocked = (hole_cards(6) == parse_cards("Td", 6)).any(axis=1)
    assert not beliefs[:, blocked].any()
    at.play()
    assert at.searches == 2


@pytest.mark.parametrize("vector", [0, 100_000])
def test_search__of_the_river_beats_the_blueprint_by_either_solver(monkeypatch, vector):
    monkeypatch.setattr(all_hands, "VECTOR_NODES", vector)
    run, policy = small_run(2)
    config = CONFIG.model_copy(update={"first": RIVER, "iterations": 4000})
    solver = searcher(2, iterations=4000)
    total, n = np.zeros(2), 0
    for _, spot in spots(run, policy, RIVER, 11):
        if spot is None:
            continue
        at = enter(public_hand.PublicHand(run, policy, config, solver, seed=n), spot)
        beliefs = at.beliefs()
        around = round_tree(at, beliefs)
        total += gain_in_round(Measurement(run, policy, 2000), around, beliefs, n).mean(axis=0)
        n += 1
        if n == 5:
            break
    # The blueprint is drawn at random: good play against it wins a good part of a blind.
    assert (total / n > 20).all()


@pytest.mark.parametrize(("vector", "expected"), [(0, 400), (10_000, 50)])
def test_search__says_how_many_iterations_its_own_solver_runs(monkeypatch, vector, expected):
    """Not those of the other: Monte Carlo CFR has many short ones, the exact solver few."""
    monkeypatch.setattr(all_hands, "VECTOR_NODES", vector)
    begun, done = [], []
    run, policy = small_run(2)
    config = CONFIG.model_copy(update={"first": RIVER})
    watched = small_searcher(config, 2, begin=lambda n: begun.append(n) or done.append)
    at = public_hand.PublicHand(run, policy, config, watched, seed=7)
    on(at, CALL, CALL, FLOP, CALL, CALL, "Td", CALL, CALL, "Jc").play()
    assert begun == [expected]
    assert sum(done) == expected


def test_search__of_three_with_one_all_in_is_left_to_monte_carlo():
    run, policy = small_run()
    game = run.game.model_copy(update={"stacks": [2000, 2000, 500]})
    at = public_hand.PublicHand(run, policy, CONFIG, searcher(), seed=7, game=game)
    play = on(at, 500, CALL, CALL, FLOP, CALL, CALL, "Td").play()  # the short stack, all-in
    assert bin(at.betting.contenders).count("1") == 3
    free = at.beliefs()[0] > 0
    np.testing.assert_allclose(play.rows[free].sum(axis=1), 1)


@pytest.mark.parametrize(("choosers", "seats"), [("all", {0, 1, 2}), ("opponents", {0, 2})])
def test_search__seats_that_choose_at_leaves(choosers, seats):
    """The second seat searches: with `opponents` its own hand goes on as the blueprint does."""
    run, policy = small_run(3)
    config = with_player(CONFIG, choosers=choosers)
    at = public_hand.PublicHand(run, policy, config, searcher(player=config.player), seed=7, seat=1)
    tree = on(at, CALL, CALL, CALL, FLOP).search().tree
    decisions = tree.decision_nodes()
    choosing = decisions[tree.action[tree.node[decisions, 1]] <= CHOICE]
    assert set(seat_of(tree.node[choosing, 0]).tolist()) == seats
    assert at.copy(seat=2).rounds[-1].result is (
        at.rounds[-1].result if choosers == "all" else None
    )


@pytest.mark.parametrize("seats", [3, 2])
def test_search__that_is_ended_plays_the_best_so_far(seats):
    """Both solvers: few of 4,000 iterations, and rows for all hands."""
    message, changes = [], {"iterations": 4000, "vector_iterations": [4000] * 4}

    def begin(iterations):
        def progress(n):
            message.append(n)
            if sum(message) >= 60:
                raise EnoughError

        return progress

    config = CONFIG.model_copy(update=changes)
    own = small_searcher(config, seats, begin=begin)
    play = on_the_flop((CALL,) * seats, seats=seats, own=own).play()
    assert sum(message[:-1]) < 60 <= sum(message) < 200
    np.testing.assert_allclose(play.rows.sum(axis=1)[play.rows.any(axis=1)], 1)
    uniform = np.full(len(play.offered), 1 / len(play.offered))
    assert np.abs(play.rows - uniform)[play.rows.any(axis=1)].max() > 0.2


def flop_subgame(taken=()):
    (run, policy), at = small_run(), on_the_flop()
    state = PublicState(run.game, at.rounds[-1].root, at.board, (CALL, CALL, CALL), tuple(taken))
    return run, policy, state, build(state, run.game.rounds, searcher().places, run.ranks, 5)


def test_warm_start__is_the_blueprint_where_the_trees_are_the_same():
    run, policy, state, subgame = flop_subgame()
    starts = warm_start(run, policy, searcher().places, subgame)
    at = on_the_flop()
    bucket = blueprint_buckets(run, state.board)
    expected = blueprint_rows(run, policy, at.node, bucket)
    assert starts[0][0] == 0
    np.testing.assert_array_equal(starts[0][1], expected)
    assert all(len(subgame.tree.offered(node)) == rows.shape[1] for node, rows in starts)
    assert len(starts) > 3


def test_warm_start__leaves_out_what_the_blueprint_does_not_offer():
    *_, subgame = flop_subgame()
    run, policy, _, more = flop_subgame(taken=(317,))  # an off-tree bet, so two sizes are offered
    starts = dict(warm_start(run, policy, searcher().places, more))
    assert 0 not in starts
    assert len(more.tree.offered(0)) == len(subgame.tree.offered(0)) + 1
    assert starts


def test_search__of_a_hand_that_nobody_believes_in_plays_the_blueprint():
    run, policy, state, _ = flop_subgame()
    at = on_the_flop(config=CONFIG)
    beliefs = at.beliefs().copy()
    expected = blueprint_rows(run, policy, at.node, blueprint_buckets(run, state.board))
    never = int(np.abs(expected[:, 0] - 0.5 * (expected[:, 0] > 0)).argmax())  # a clear preference
    beliefs[:, never] = 0.0
    beliefs /= beliefs.sum(axis=1, keepdims=True)
    starts = searcher()(result.Position(state, beliefs), (), 3)
    play = starts.play(())
    assert not np.allclose(expected[never], 1 / expected.shape[1], atol=0.1)
    np.testing.assert_allclose(play.rows[never], expected[never], atol=2 / 255)  # bytes
    met = np.flatnonzero(beliefs[0])
    assert not np.allclose(play.rows[met], expected[met], atol=0.1)
