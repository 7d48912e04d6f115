"""Matches between agents of two runs, against hands followed one by one."""

import functools

import numpy as np
import pytest

from evaluation.seated import blueprint
from oracles.games import holdem
from oracles.play import Follower
from search.holdem import RANKS, small_run
from sixmax.agents.registry import calling, uniform
from sixmax.base import errors, jit, rng
from sixmax.betting import config, rules, state, tree_build
from sixmax.cards.deck import hole_id
from sixmax.cfr.layout import layout
from sixmax.cfr.policy import from_sums
from sixmax.evaluation.match import duplicate
from sixmax.evaluation.match.two_runs import net_chips, play, refuse_other_games
from sixmax.games.holdem import HoldemDealer
from sixmax.hands.record import record
from sixmax.ongoing.hand import blueprint_buckets
from sixmax.ongoing.policies import Side, act, match_game, mixed

SEED, DEALS = 7, 60


@functools.cache
def other_run(seats):
    """A run of the same game with other bet sizes, more of them, and half the buckets."""
    run, _ = small_run(seats)
    rounds = [
        {"sizes": [[0.5, 2], [1]], "max_raises": 2, "max_players": seats},
        *[{"sizes": [[0.4, "A"], [1]], "max_raises": 2, "max_players": 2}] * 3,
    ]
    game = config.GameConfig.parse({**run.game.model_dump(), "rounds": rounds}, "game")
    fewer = {
        name: np.where(bucket == 255, 255, bucket // 2).astype(np.uint8)
        for name, bucket in run.buckets._asdict().items()
        if name in ("flop", "turn", "river")
    }
    counts = np.array([RANKS**2, 3, 3, 3], np.int32)
    buckets = run.buckets._replace(counts=counts, **fewer)
    tree, dealer = tree_build.build(game), HoldemDealer(buckets, RANKS, seats, boards=2)
    other = run._replace(
        game=game, tree=tree, dealer=dealer, buckets=buckets, layout=layout(tree, dealer.buckets)
    )
    weight = np.random.default_rng(6).integers(1, 100, other.layout.size)
    return other, from_sums(tree, other.layout, weight.astype(np.int32))


def sides(seats):
    """Both runs, and the side of each."""
    runs, result = [], []
    for run, policy in (small_run(seats), other_run(seats)):
        game = match_game(run.tree, run.layout)
        runs.append(run)
        result.append(Side(game, mixed(game, policy)))
    return tuple(runs), tuple(result)


def hand(runs, pair, deal, hero):
    """The net chips of ``hero``, by the readable forms of rules, translation and look-up."""
    game, dealer = runs[0].game, runs[0].dealer
    cards = dealer.cards(rng.child(SEED, "deals"), deal, 1)[0]
    hole, board = cards[: 2 * game.seats].reshape(-1, 2), cards[2 * game.seats :]
    draws = np.uint64(rng.stream(rng.child(SEED, "draws"), np.uint64(deal)))
    betting, actions = state.Betting(game), [[]]
    own = [Follower(run.game, run.tree) for run in runs]
    while not betting.over:
        real, seat = betting.hand.copy(), betting.actor
        while len(actions) <= betting.round:
            actions.append([])
        k = int(seat != hero)
        if own[k].meet(real):
            seen = board[: config.SEEN[betting.round]]
            bucket = blueprint_buckets(runs[k], seen)[hole_id(*hole[seat])]
            u = rng.unit(np.uint64(rng.stream(draws, np.uint64(1 << 62))))
            side = pair[k]
            chosen = act(side.policy, side.game, np.int64(own[k].node), bucket, u)
            action = own[k].real(real)[chosen]
        else:
            action = rules.CALL
        for each in own:
            each.act(real, action, rng.unit(np.uint64(rng.stream(draws, np.uint64(1 << 63)))))
        betting.act(action)
        actions[-1].append(action)
        draws = np.uint64(rng.stream(draws, np.uint64(action + 1)))
    names = tuple(str(p) for p in range(game.seats))
    played = record(deal, names, game, RANKS, tuple(map(tuple, actions)), cards)
    return played.payoffs[hero]


@pytest.mark.parametrize("seats", [2, 3])
def test_net_chips__every_hand_against_hands_followed_one_by_one(seats):
    runs, pair = sides(seats)
    actual = net_chips(pair, runs, SEED, 5, DEALS)
    expected = [[hand(runs, pair, 5 + i, hero) for hero in range(seats)] for i in range(DEALS)]
    np.testing.assert_allclose(actual, expected)
    assert len(np.unique(actual)) > 15


def test_net_chips__threads_and_chunks_change_nothing(one_thread):
    runs, pair = sides(3)
    parts = [net_chips(pair, runs, SEED, first, 100) for first in (0, 100)]
    jit.set_threads(2)
    whole = net_chips(pair, runs, SEED, 0, 200)
    np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_play__an_agent_against_itself_breaks_even_on_every_deal():
    runs, pair = sides(3)
    one = (runs[0], runs[0])
    agent = (pair[0].game, pair[0].policy)
    result = play(("a", "b"), one, (agent, agent), 300, 1)
    assert result.deals.total == pytest.approx(0, abs=1e-6)
    assert result.deals.square == pytest.approx(0, abs=1e-6)
    assert result.seat[0].square > 0


def test_play__chips_won_by_one_side_are_lost_by_the_other_heads_up():
    """Two players: A against B on a deal from both seats is B against A."""
    runs, pair = sides(2)
    net = net_chips(pair, runs, SEED, 0, 400)
    back = net_chips(pair[::-1], runs[::-1], SEED, 0, 400)
    np.testing.assert_allclose(net, -back[:, ::-1])
    assert np.abs(net).sum() > 0


def test_play__agrees_with_a_match_on_one_tree():
    """The caller against a random player: the same on a tree, but for the draws."""
    run, game, _ = blueprint(3)
    agents = (calling(game), uniform(game))
    tree = duplicate.play(
        ("a", "b"), agents, game, run.dealer, duplicate.protocol(3, 100, ""), 20_000, 1
    )
    real = play(("a", "b"), (run, run), tuple((game, agent) for agent in agents), 20_000, 1)
    error = np.hypot(tree.deals.standard_error, real.deals.standard_error)
    assert abs(tree.deals.mean - real.deals.mean) < 4 * error
    assert abs(tree.deals.mean) > 10 * error


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"stacks": [1000, 2000, 2000]}, "found stacks ="),
        ({"blinds": [50, 200, 0]}, "found blinds ="),
        ({"antes": [10, 10, 10]}, "found antes ="),
        ({"first": [2, 1, 1, 1]}, "found first ="),
        ({"board_cards": 4}, "found board_cards = 4"),
        ({"rounds": [holdem([2000] * 3).rounds[0]] * 2}, "found rounds = 2"),
        ({"ranks": 13}, "found ranks = 13"),
        ({"buckets": None}, "wanted one of hold'em"),
    ],
)
def test_refuse_other_games__names_the_rule_the_deck_or_none(changed, expected):
    run, _ = small_run(3)
    if not changed.keys() & {"ranks", "buckets"}:
        changed = {"game": run.game.model_copy(update=changed)}
    with pytest.raises(errors.UserError, match=expected):
        refuse_other_games(run, run._replace(**changed))
