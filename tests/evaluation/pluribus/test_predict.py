"""An agent in Pluribus's place: asked about its own play it says just what it plays."""

import functools
from pathlib import Path

import numpy as np
import pytest

from sixmax.abstraction.buckets import Buckets
from sixmax.base.rng import child
from sixmax.betting.config import RoundSizes
from sixmax.betting.notation import parse
from sixmax.betting.tree import n_actions
from sixmax.betting.tree_build import build
from sixmax.blueprint.run import Run
from sixmax.cards.deck import classes, n_holes
from sixmax.cards.isomorphism import boards
from sixmax.cfr.layout import layout
from sixmax.evaluation.match.duplicate import hands
from sixmax.evaluation.pluribus.decisions import GAME, decisions
from sixmax.evaluation.pluribus.predict import no_search, predicted
from sixmax.evaluation.pluribus.scores import scores, uniform
from sixmax.games.holdem import HoldemDealer
from sixmax.hands.record import to_line
from sixmax.ongoing.policies import match_game, mixed
from sixmax.search.config import NEVER, SearchConfig

SEED = 3
BUCKETS = (169, 5, 5, 5)


@functools.cache
def shuffled():
    """Pluribus's game with invented buckets and a policy of random rows, a third of them pure.

    The buckets change with the board and both cards.
    """
    sizes = RoundSizes(sizes=[[0.5]], max_raises=1, max_players=2)
    first = RoundSizes(sizes=[[0.5, 1]], max_raises=2, max_players=6)
    game = GAME.model_copy(update={"rounds": [first, sizes, sizes, sizes]})
    hole = (np.arange(n_holes(13)) % 5).astype(np.uint8)
    turned = np.stack([np.roll(hole, k) for k in range(7)])
    tables = [turned[np.arange(len(boards(13, k).cards)) % 7] for k in (3, 4, 5)]
    counts = np.array(BUCKETS, np.int32)
    buckets = Buckets(classes(13)[None], *tables, counts, np.zeros((4, 169), np.float32))
    tree, dealer = build(game), HoldemDealer(buckets, 13, 6)
    place = layout(tree, dealer.buckets)
    run = Run(Path("made-up"), {}, 1, 13, game, None, tree, place, dealer, buckets)
    rng = np.random.default_rng(1)
    policy = rng.integers(0, 100, place.size) * rng.integers(0, 2, place.size)
    return run, policy.astype(np.uint8)


@pytest.fixture(scope="module")
def own_play():
    """Decisions of hands of self-play, written and read, and what the agent gives to each kind."""
    run, policy = shuffled()
    names = ("blueprint", "blueprint")
    game = match_game(run.tree, run.layout)
    pair = (mixed(game, policy),) * 2
    played = list(hands(names, pair, game, run, 60, SEED))
    result = [d for record in played for d in decisions(parse(to_line(record)))]
    return result, predicted(run, policy, result, SearchConfig(**NEVER), no_search, SEED)


def test_predicted__own_play_gets_the_rows_that_were_played(own_play):
    result, actual = own_play
    run, policy = shuffled()
    deals = run.dealer.deal(child(SEED, "deals"), 0, 60).bucket
    later, expected = 0, []
    for d in result:
        node = run.tree.find([a for part in d.record.actions for a in part][: d.at])
        first, n = int(run.tree.node[node, 1]), n_actions(int(run.tree.node[node, 0]))
        bucket = int(deals[d.record.number // 6, d.seat, d.in_round])
        at = run.layout.base[d.in_round, d.seat] + run.tree.node[node, 2]
        row = policy[at + bucket * run.layout.columns[d.in_round, d.seat] :][:n].astype(float)
        row = row / row.sum() if row.any() else np.full(n, 1 / n)
        expected.append(np.zeros(3))
        np.add.at(expected[-1], np.minimum(run.tree.action[first : first + n], 1) + 1, row)
        later += d.in_round > 0
    np.testing.assert_allclose(actual.kinds, expected, atol=1e-12)
    assert later > 500


def test_scores__own_play_costs_its_entropy_and_less_than_chance(own_play):
    output, result = own_play
    players = {"agent": result.kinds, "uniform": uniform(output)}
    for in_round in range(4):
        at = [i for i, d in enumerate(output) if d.in_round == in_round]
        some = [output[i] for i in at]
        measured = scores(some, {k: v[at] for k, v in players.items()}, "agent")
        for name, each in measured.items():
            apart = each["agent"]["mean"] - each["itself"]["mean"]
            assert abs(apart) < 4 * each["agent"]["standard_error"], (in_round, name)
        loss = measured["loss"]
        assert loss["agent"]["interval"][1] < loss["uniform"]["mean"]


def test_predicted__the_draws_of_a_hand_do_not_depend_on_the_others(own_play):
    output, result = own_play
    run, policy = shuffled()
    last = [d for d in output if d.record is output[-1].record]
    alone = predicted(run, policy, last, SearchConfig(**NEVER), no_search, SEED)
    np.testing.assert_array_equal(alone.kinds, result.at(slice(-len(last), None)).kinds)
