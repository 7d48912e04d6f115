"""Tables of agents hand by hand against the oracle; the sums that the Control keeps."""

import numpy as np
import pytest

from evaluation.small_games import CALLER, MIXED, PACKED, RANDOM, RULE, agents_of
from oracles import evaluation as oracle
from sixmax.base.jit import set_threads
from sixmax.base.rng import child, stream
from sixmax.evaluation.match.duplicate import net_chips
from sixmax.evaluation.match.play import play_controlled

KINDS = (MIXED, PACKED, RANDOM, RULE, CALLER)


def one_against(game, kinds, deals):
    """The second of ``kinds`` in place 0, copies of the first around it, who is the Control."""
    seats = game.config.seats
    lineup = np.zeros((deals, seats), np.int64)
    lineup[:, 0] = 1
    team = tuple(agents_of(game)[k][0] for k in kinds)
    return play_controlled(team, lineup, 0, game.ground, game.dealer, 1, 0)


@pytest.mark.parametrize("name", ["kuhn3", "leduc3", "uneven"])
def test_play_controlled__every_hand_of_a_mixed_table_against_the_oracle(name, request):
    game = request.getfixturevalue(name)
    seats, deals = game.config.seats, 30
    fast, slow = zip(*(agents_of(game)[k] for k in KINDS), strict=True)
    lineup = np.random.default_rng(5).integers(0, len(KINDS), (deals, seats))
    actual = play_controlled(fast, lineup, 3, game.ground, game.dealer, 1, 0)
    dealt = game.dealer.deal(child(1, "deals"), 0, deals)
    alike = 0
    for i in range(deals):
        draws = stream(child(1, "draws"), np.uint64(i))
        hand = dealt.bucket[i], dealt.rank[i, 0], draws
        copies, copies_folded = oracle.play_table(game.tree, [slow[3]] * seats, *hand)
        for j in range(seats):
            at = (np.arange(seats) + j) % seats  # seat of each place
            agents = [None] * seats
            for place, seat in enumerate(at):
                agents[seat] = slow[lineup[i, place]]
            won, folded = oracle.play_table(game.tree, agents, *hand)
            np.testing.assert_allclose(actual.net[i, j], won[at], atol=1e-9)
            np.testing.assert_allclose(actual.control[i, j], copies[at], atol=1e-9)
            expected = folded[at[0]] >= 0 and folded[at[0]] == copies_folded[at[0]]
            assert actual.alike[i, j] == expected
            alike += expected
    if name == "uneven":  # Kuhn and Leduc have no folds without a bet before them
        assert alike > 0


@pytest.mark.parametrize("pair", [(MIXED, RULE), (PACKED, RANDOM), (CALLER, MIXED)])
def test_play_controlled__copies_around_one_are_a_match(leduc3, pair):
    actual = one_against(leduc3, pair, 500).net[..., 0]
    other, copied = (agents_of(leduc3)[k][0] for k in pair[::-1])
    expected = net_chips((other, copied), leduc3.ground, leduc3.dealer, 1, 0, 500)
    np.testing.assert_array_equal(actual, expected)


def test_play_controlled__alike_hands_are_zero_by_themselves(uneven):
    played = one_against(uneven, (MIXED, RULE), 2000)
    np.testing.assert_array_equal(
        played.net[played.alike][:, 0], played.control[played.alike][:, 0]
    )
    assert 0.02 < played.alike.mean() < 0.98
    # many others are not
    other = played.net[..., 0] != played.control[..., 0]
    assert other[~played.alike].mean() > 0.1


def test_play_controlled__any_number_of_threads(leduc3, one_thread):
    expected = one_against(leduc3, (MIXED, RANDOM), 2000)
    set_threads(2)
    actual = one_against(leduc3, (MIXED, RANDOM), 2000)
    for a, b in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(a, b)
