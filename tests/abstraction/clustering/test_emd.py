import numpy as np
import pytest

from oracles import abstraction as oracle
from sixmax.abstraction.clustering.emd import SCALE, cumulative, emd, fractions, l1, mass


def histograms(n, bins, total, seed=0):
    random = np.random.default_rng(seed)
    shares = random.dirichlet(np.full(bins, 0.3), n)
    return np.array([random.multinomial(total, s) for s in shares])


@pytest.mark.parametrize("k", [0, 1, 7, 30])
def test_emd__shifted_by_k_bins_is_k_bins(k):
    from scipy.stats import wasserstein_distance

    # traps.md: others computed it on masses as if they were positions of samples
    a = np.zeros(50)
    a[3:13] = np.arange(1, 11)
    b = np.roll(a, k)
    assert emd(a, b) == pytest.approx(k)
    as_positions = wasserstein_distance(a, b)
    assert as_positions == pytest.approx(0)  # what the wrong reading gives, whatever k


def test_emd__equals_scipy():
    from scipy.stats import wasserstein_distance

    a, b = histograms(100, 50, 46, 1), histograms(100, 50, 1081, 2)
    places = np.arange(50)
    expected = [wasserstein_distance(places, places, x, y) for x, y in zip(a, b, strict=True)]
    actual = emd(a, b)
    np.testing.assert_allclose(actual, expected, atol=1e-12)
    assert np.min(expected) > 0.1


def test_emd__equals_carrying_earth():
    a, b = histograms(30, 12, 46, 3), histograms(30, 12, 46, 4)
    expected = [oracle.emd(list(x), list(y)) for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(emd(a, b), expected, atol=1e-9)


def test_emd__each_histogram_counts_as_mass_one():
    a, b = histograms(10, 50, 46, 5), histograms(10, 50, 46, 6)
    np.testing.assert_allclose(emd(7 * a, b / 46), emd(a, b), atol=1e-12)


@pytest.mark.parametrize(
    ("a", "b"), [([1, 2], [1, 2, 3]), ([0, 0], [1, 1]), ([2, -1], [1, 1])], ids=str
)
def test_emd__refuses_what_is_no_histogram(a, b):
    with pytest.raises(ValueError, match="histogram"):
        emd(a, b)


@pytest.mark.parametrize("total", [46, 1081])
def test_cumulative__l1_is_emd_times_mass(total):
    a, b = histograms(50, 50, total, 7), histograms(50, 50, total, 8)
    x, y = cumulative(a), cumulative(b)
    expected = np.rint(emd(a, b) * total)
    actual = [l1(p, q) for p, q in zip(x, y, strict=True)]
    np.testing.assert_array_equal(actual, expected)
    assert mass(a) == total


def test_cumulative__heavy_histograms_are_scaled():
    a, b = histograms(20, 50, 2_118_760, 9), histograms(20, 50, 2_118_760, 10)
    x, y = cumulative(a), cumulative(b)
    actual = [l1(p, q) / SCALE for p, q in zip(x, y, strict=True)]
    np.testing.assert_allclose(actual, emd(a, b), atol=50 / SCALE)
    assert mass(a) == SCALE


def test_fractions__inverts_cumulative():
    a = histograms(20, 50, 46, 11)
    np.testing.assert_allclose(fractions(cumulative(a), 46), a / 46, atol=1e-7)


def test_l1__equals_twin_at_the_ends_of_16_bits():
    x = np.array([0, 65535, 7, 65535], np.uint16)
    y = np.array([65535, 0, 9, 65535], np.uint16)
    assert l1(x, y) == oracle.distance(x, y, "emd") == 2 * 65535 + 2
