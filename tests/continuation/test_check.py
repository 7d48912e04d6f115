import numpy as np
import pytest

from continuation.sampled import fits, sampled
from oracles import continuation as oracle
from sixmax.base.errors import UserError
from sixmax.betting.tree_build import build
from sixmax.cfr.layout import layout
from sixmax.cfr.packed_actions import bit_layout
from sixmax.continuation.check import REFUSED, Fit, _chi_square, refuse_bad
from sixmax.continuation.generate import STRATEGIES
from sixmax.games import GAMES


def test_fit__honest_samples_pass(game):
    from scipy.stats import chi2

    result = fits(game, sampled(game))
    assert [f.strategy for f in result] == list(STRATEGIES)
    for f in result:
        assert f.impossible == 0
        assert f.degrees > 10
        assert f.p_value == pytest.approx(chi2.sf(f.statistic, f.degrees))
        assert f.p_value > 1e-3
    refuse_bad(result)


def test_fit__p_values_of_honest_samples_are_spread_evenly(game):
    p = [f.p_value for seed in range(10) for f in fits(game, sampled(game, seed=seed))]
    assert abs(np.mean(p) - 0.5) < 4 * np.sqrt(1 / 12 / len(p))


def test_fit__infosets_with_a_choice_are_counted(game):
    tree, layout, policy = game
    rows = ((policy[at : at + len(k)], k) for *_, at, k in oracle.infosets(tree, layout))
    expected = sum(1 for row, k in rows if max(oracle.biased(row, k, "call", 5)) < 1)
    assert fits(game, sampled(game))[2].infosets == expected


def test_fit__a_planted_bias_is_caught(game):
    result = fits(game, sampled(game, 7.0))  # 7 where the strategies say 5
    assert result[0].p_value > REFUSED  # the unbiased strategy has no bias to be wrong about
    assert all(f.p_value < REFUSED for f in result[2:])
    with pytest.raises(UserError, match=r"^continuation 'call': .*chi-square"):
        refuse_bad(fits(game, sampled(game)[[0, 1, 3, 2]]))


def test_fit__a_strategy_in_the_place_of_another_is_caught(game):
    assert all(f.p_value < REFUSED for f in fits(game, sampled(game)[[3, 0, 1, 2]]))


def test_fit__an_impossible_action_is_caught(game):
    tree, layout, policy = game
    packed, certain = sampled(game), policy.copy()
    bits, _ = bit_layout(tree, layout)
    r, p, b, x, at, kinds = next(i for i in oracle.infosets(tree, layout) if len(i[-1]) > 1)
    bit = bits.base[r, p] + b * bits.columns[r, p] + bits.slot[x]
    action = oracle.unpack(packed[0], bit, len(kinds))
    certain[at : at + len(kinds)] = 0
    certain[at + (action + 1) % len(kinds)] = 255
    result = fits((tree, layout, certain), packed)
    assert result[0].impossible == 1
    with pytest.raises(UserError, match="probability 0"):
        refuse_bad(result)


def test_fit__a_game_too_small_to_test_passes():
    tree = build(GAMES["kuhn"].config(2))
    small = layout(tree, [3])
    game = tree, small, np.zeros(small.size, np.uint8)
    for f in fits(game, sampled(game)):
        assert (f.statistic, f.degrees, f.p_value) == (0.0, 0, 1.0)


def test_refuse_bad__one_line(refused):
    with refused("512.2 on 100 degrees"):
        refuse_bad([Fit("raise", 512.25, 100, 1e-40, 9000, 0)])


def test_chi_square__last_bits_that_differ_between_processors_are_left_out(monkeypatch):
    """The bits of eigenvectors depend on the vector units that LAPACK finds."""
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(4), 50)
    draws = rng.integers(1_000, 100_000, 50)
    covariance = draws[:, None, None] * (p[:, :, None] * np.eye(4) - p[:, :, None] * p[:, None])
    off = np.array([rng.multinomial(n, q) - n * q for n, q in zip(draws, p, strict=True)])
    expected = _chi_square(off, covariance)
    eigh = np.linalg.eigh

    def other_processor(matrix):
        variance, axes = eigh(matrix)
        return variance * (1 + 1e-14), axes

    monkeypatch.setattr(np.linalg, "eigh", other_processor)
    actual = _chi_square(off, covariance)
    assert actual == expected
    assert 0 < expected[1] <= 150
