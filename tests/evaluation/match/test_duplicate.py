"""Duplicate matches of kernels, against the oracle; all-in pots over boards that could come."""

import numpy as np
import pytest

from evaluation.seated import blueprint
from evaluation.small_games import CALLER, FOLDER, MIXED, PACKED, RANDOM, RULE, agents_of, mean_win
from oracles import evaluation as oracle
from sixmax.agents.registry import uniform
from sixmax.base.errors import UserError
from sixmax.base.jit import set_threads
from sixmax.base.rng import child, stream
from sixmax.evaluation.match.duplicate import hands, net_chips, play, protocol
from sixmax.hands import all_in, formats, replay
from sixmax.ongoing.policies import mixed
from sixmax.scores.statistics import same_protocol

KINDS = (RANDOM, CALLER, FOLDER, RULE, MIXED, PACKED)
PAIRS = [(MIXED, RANDOM), (RANDOM, RULE), (RULE, CALLER), (CALLER, PACKED), (PACKED, MIXED)]
PAIRS += [(FOLDER, MIXED), (RANDOM, FOLDER)]


def chips(game, agents, deals, seed=1):
    return net_chips(agents, game.ground, game.dealer, seed, 0, deals)


def match(game, agents, deals, seed=1):
    kind = protocol(game.config.seats, 1, "toy")
    return play(("a", "b"), agents, game.ground, game.dealer, kind, deals, seed)


def seated(seats):
    run, game, player = blueprint(seats)
    return run, game, (player, uniform(game))


@pytest.mark.parametrize("name", ["kuhn3", "leduc2", "uneven"])
@pytest.mark.parametrize("pair", PAIRS)
def test_net_chips__every_hand_against_the_oracle(name, pair, request):
    game = request.getfixturevalue(name)
    seats = game.config.seats
    ours, theirs = zip(*(agents_of(game)[k] for k in pair), strict=True)
    actual = chips(game, ours, 40)
    dealt = game.dealer.deal(child(1, "deals"), 0, 40)
    for i in range(40):
        draws = stream(child(1, "draws"), np.uint64(i))
        for hero in range(seats):
            expected = oracle.play_hand(
                game.tree, theirs, hero, dealt.bucket[i], dealt.rank[i, 0], draws
            )
            assert actual[i, hero] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "pairs"), [("kuhn3", PAIRS[:5]), ("leduc3", [(MIXED, PACKED), (RULE, RANDOM)])]
)
def test_play__expectation_by_enumeration(name, pairs, request):
    game = request.getfixturevalue(name)
    for pair in pairs:
        ours, theirs = zip(*(agents_of(game)[k] for k in pair), strict=True)
        result = match(game, ours, 60_000)
        expected = [1000 * mean_win(game, theirs, hero) for hero in range(3)]
        for seat, value in zip(result.seat, expected, strict=True):
            assert abs(seat.mean - value) < 4 * seat.standard_error
        assert abs(result.deals.mean - np.mean(expected)) < 4 * result.deals.standard_error
        # the bound means something: in some seat the game is far from even
        assert max(abs(s.mean) / s.standard_error for s in result.seat) > 20


@pytest.mark.parametrize("kind", KINDS)
def test_net_chips__against_copies_of_itself_every_deal_breaks_even(uneven, kind):
    ours = agents_of(uneven)[kind][0]
    sums = chips(uneven, (ours, ours), 3000).sum(axis=1)
    np.testing.assert_allclose(sums, 0, atol=1e-9)


def test_net_chips__always_folding_costs_what_was_posted(uneven):
    folder, rule = agents_of(uneven)[FOLDER][0], agents_of(uneven)[RULE][0]
    actual = chips(uneven, (folder, rule), 500)
    assert (actual[:, [0, 2, 3]] == [-50, 0, 0]).all()
    assert set(actual[:, 1]) <= {-100.0, 50.0, 0.0, 100.0, 300.0, 900.0} | set(
        actual[:, 1][actual[:, 1] > 0]
    )


@pytest.mark.parametrize("pair", [(MIXED, RULE), (PACKED, RANDOM)])
def test_play__any_number_of_threads(leduc3, one_thread, pair):
    agents = tuple(agents_of(leduc3)[k][0] for k in pair)
    expected = match(leduc3, agents, 10_000)
    set_threads(2)
    actual = match(leduc3, agents, 10_000)
    assert actual == expected


def test_net_chips__in_parts_as_in_whole(leduc3):
    agents = agents_of(leduc3)[MIXED][0], agents_of(leduc3)[RANDOM][0]
    expected = net_chips(agents, leduc3.ground, leduc3.dealer, 7, 0, 1000)
    begin = range(0, 1000, 250)
    parts = [net_chips(agents, leduc3.ground, leduc3.dealer, 7, first, 250) for first in begin]
    np.testing.assert_array_equal(np.concatenate(parts), expected)


def test_play__another_seed_is_another_match(kuhn3):
    agents = agents_of(kuhn3)[MIXED][0], agents_of(kuhn3)[RANDOM][0]
    assert match(kuhn3, agents, 1000, 1).deals != match(kuhn3, agents, 1000, 2).deals


def test_play__shared_draws_tell_near_twins_apart_with_fewer_deals(leduc3):
    """Against its copy with one infoset changed: an error far below that of the hands."""
    policy = agents_of(leduc3)[MIXED][0].table
    changed = policy.copy()
    changed[:2] = changed[1::-1]
    pair = mixed(leduc3.ground, changed), mixed(leduc3.ground, policy)
    result = match(leduc3, pair, 20_000)
    assert result.deals.standard_error < 0.2 * result.seat[0].standard_error


def test_play__bad_arguments(kuhn3):
    agents = agents_of(kuhn3)[RANDOM][0], agents_of(kuhn3)[CALLER][0]
    with pytest.raises(ValueError, match="1 deals, wanted at least 2"):
        match(kuhn3, agents, 1)
    with pytest.raises(ValueError, match="6 seats"):
        play(("a", "b"), agents, kuhn3.ground, kuhn3.dealer, protocol(6, 1, "toy"), 10, 1)


@pytest.mark.parametrize("seats", [2, 3])
def test_hands__are_those_of_the_match_to_the_chip(tmp_path, one_thread, seats):
    run, game, pair = seated(seats)
    expected = net_chips(pair, game, run.dealer, 7, 0, 40)
    result = list(hands(("blueprint", "random"), pair, game, run, 40, 7))
    actual = np.array([r.payoffs[r.names.index("blueprint")] for r in result])
    np.testing.assert_allclose(actual, expected.ravel())
    assert [r.number for r in result] == list(range(40 * seats))
    assert all(r.names[k % seats] == "blueprint" for k, r in enumerate(result))
    with formats.written(tmp_path / "x.log", formats.FORMATS["acpc"], run.game) as add:
        for hand in result:
            add(hand)
    tally = replay.replay([tmp_path / "x.log"])
    assert (tally.hands, tally.mismatches, tally.damaged) == (40 * seats, 0, 0)
    assert tally.players["blueprint"].total == pytest.approx(10 * expected.sum())


@pytest.mark.parametrize("seats", [2, 3])
def test_net_chips__every_hand_as_its_record_averaged_one_by_one(one_thread, seats):
    run, ground, pair = seated(seats)
    actual = net_chips(pair, ground, run.dealer, 7, 0, 60, boards=0).ravel()
    plain = net_chips(pair, ground, run.dealer, 7, 0, 60).ravel()
    result = list(hands(("a", "b"), pair, ground, run, 60, 7))
    expected = [all_in.expected(r)[r.names.index("a")] for r in result]
    np.testing.assert_allclose(actual, expected, atol=1e-6)
    assert (actual != plain).sum() > 5
    assert (actual == plain).sum() > 5


def test_net_chips__over_boards_have_the_same_mean_less_noise_and_copies_break_even(one_thread):
    run, ground, pair = seated(3)
    plain, drawn = (net_chips(pair, ground, run.dealer, 7, 0, 4000, b) for b in (None, 20))
    difference = (plain - drawn).mean(axis=1)
    assert abs(difference.mean()) < 4 * difference.std() / np.sqrt(difference.size)
    assert drawn.mean(axis=1).var() < 0.9 * plain.mean(axis=1).var()
    copies = net_chips((pair[0], pair[0]), ground, run.dealer, 7, 0, 200, 20)
    np.testing.assert_allclose(copies.sum(axis=1), 0, atol=1e-6)


def test_play__other_payoffs_are_another_protocol(one_thread):
    run, ground, pair = seated(2)
    results = [
        play(("a", "b"), pair, ground, run.dealer, protocol(2, 100, "x", b), 20, 1, boards=b)
        for b in (None, 0, 20)
    ]
    assert len({r.protocol.payoff for r in results}) == 3
    assert "all boards" in results[1].protocol.payoff
    assert "20 boards" in results[2].protocol.payoff
    for other in results[1:]:
        with pytest.raises(UserError, match="different protocols cannot be put together: payoff"):
            same_protocol([results[0], other])
