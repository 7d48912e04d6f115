import numpy as np
import pytest

from oracles import continuation as oracle
from sixmax.base.errors import UserError
from sixmax.betting.tree_build import build
from sixmax.cfr.layout import layout
from sixmax.cfr.packed_actions import bit_layout
from sixmax.continuation.check import REFUSED, Fit, _chi_square, fit, refuse_bad
from sixmax.continuation.compress import pack
from sixmax.continuation.generate import STRATEGIES, biased
from sixmax.games import GAMES


def packed(game, factor=5.0, seed=1):
    """The sampled actions of the game's continuations."""
    tree, regret_layout, policy = game
    return pack(tree, regret_layout, biased(policy, factor), seed)


def fits_of(game, rows=None):
    """The fits of ``rows``, or of honest samples, to the continuations of the game's policy."""
    tree, regret_layout, policy = game
    return fit(tree, regret_layout, biased(policy, 5.0), packed(game) if rows is None else rows)


def test_fit__honest_samples_pass(game):
    from scipy.stats import chi2

    fits = fits_of(game)
    assert [f.strategy for f in fits] == list(STRATEGIES)
    for f in fits:
        assert f.impossible == 0
        assert f.degrees > 10
        assert f.p_value == pytest.approx(chi2.sf(f.statistic, f.degrees))
        assert f.p_value > 1e-3
    refuse_bad(fits)


def test_fit__p_values_of_honest_samples_are_spread_evenly(game):
    samples = (packed(game, seed=seed) for seed in range(10))
    p = [f.p_value for rows in samples for f in fits_of(game, rows)]
    assert abs(np.mean(p) - 0.5) < 4 * np.sqrt(1 / 12 / len(p))


def test_fit__infosets_with_a_choice_are_counted(game):
    tree, regret_layout, policy = game
    rows = ((policy[at : at + len(k)], k) for *_, at, k in oracle.infosets(tree, regret_layout))
    expected = sum(1 for row, k in rows if max(oracle.biased(row, k, "call", 5)) < 1)
    assert fits_of(game)[2].infosets == expected


def test_fit__a_planted_bias_is_caught(game):
    fits = fits_of(game, packed(game, factor=7.0))  # where the strategies say 5
    assert fits[0].p_value > REFUSED  # the unbiased strategy has no bias to be wrong about
    assert all(f.p_value < REFUSED for f in fits[2:])
    with pytest.raises(UserError, match=r"^continuation 'call': .*chi-square"):
        refuse_bad(fits_of(game, packed(game)[[0, 1, 3, 2]]))


def test_fit__a_strategy_in_the_place_of_another_is_caught(game):
    assert all(f.p_value < REFUSED for f in fits_of(game, packed(game)[[3, 0, 1, 2]]))


def test_fit__an_impossible_action_is_caught(game):
    tree, regret_layout, policy = game
    drawn, certain = packed(game), policy.copy()
    bits, _ = bit_layout(tree, regret_layout)
    r, p, b, x, at, kinds = next(i for i in oracle.infosets(tree, regret_layout) if len(i[-1]) > 1)
    bit = bits.base[r, p] + b * bits.columns[r, p] + bits.slot[x]
    action = oracle.unpack(drawn[0], bit, len(kinds))
    certain[at : at + len(kinds)] = 0
    certain[at + (action + 1) % len(kinds)] = 255
    fits = fits_of((tree, regret_layout, certain), drawn)
    assert fits[0].impossible == 1
    with pytest.raises(UserError, match="probability 0"):
        refuse_bad(fits)


def test_fit__a_game_too_small_to_test_passes():
    tree = build(GAMES["kuhn"].config(2))
    regret_layout = layout(tree, [3])
    for f in fits_of((tree, regret_layout, np.zeros(regret_layout.size, np.uint8))):
        assert (f.statistic, f.degrees, f.p_value) == (0.0, 0, 1.0)


def test_refuse_bad__one_line():
    with pytest.raises(UserError) as caught:
        refuse_bad([Fit("raise", 512.25, 100, 1e-40, 9000, 0)])
    assert "\n" not in str(caught.value)
    assert "512.2 on 100 degrees" in str(caught.value)


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
