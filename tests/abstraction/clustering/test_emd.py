import numpy as np
import pytest

from oracles import abstraction as oracle
from sixmax.abstraction.clustering.emd import SCALE, cumulative, fractions, l1, mass


def histograms(n, bins, total, seed=0):
    random = np.random.default_rng(seed)
    shares = random.dirichlet(np.full(bins, 0.3), n)
    return np.array([random.multinomial(total, s) for s in shares])


def distances(a, b):
    """In bins, between histograms of equal mass."""
    rows = zip(cumulative(np.asarray(a)), cumulative(np.asarray(b)), strict=True)
    return np.array([l1(x, y) for x, y in rows]) / mass(a)


@pytest.mark.parametrize("k", [0, 1, 7, 30])
def test_emd__shifted_by_k_bins_is_k_bins(k):
    from scipy.stats import wasserstein_distance

    # traps.md: others computed it on masses as if they were positions of samples
    a = np.zeros(50, np.int64)
    a[3:13] = np.arange(1, 11)
    b = np.roll(a, k)
    assert distances(a[None], b[None]).tolist() == [k]
    as_positions = wasserstein_distance(a, b)
    assert as_positions == pytest.approx(0)  # of the wrong reading, for every k


@pytest.mark.parametrize("total", [46, 1081])
def test_emd__equals_scipy(total):
    from scipy.stats import wasserstein_distance

    a, b = histograms(100, 50, total, 1), histograms(100, 50, total, 2)
    places = np.arange(50)
    expected = [wasserstein_distance(places, places, x, y) for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(distances(a, b), expected, atol=1e-12)
    assert np.min(expected) > 0.1
    assert mass(a) == total


@pytest.mark.parametrize(("total", "atol"), [(46, 1e-9), (1081, 1e-9), (2_118_760, 50 / SCALE)])
def test_emd__equals_carrying_earth(total, atol):
    """Heavy histograms are scaled."""
    a, b = histograms(30, 50, total, 3), histograms(30, 50, total, 4)
    expected = [oracle.emd(list(x), list(y)) for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(distances(a, b), expected, atol=atol)
    assert mass(a) == min(total, SCALE)


def test_fractions__inverts_cumulative():
    a = histograms(20, 50, 46, 11)
    np.testing.assert_allclose(fractions(cumulative(a), 46), a / 46, atol=1e-7)


def test_l1__equals_twin_at_the_ends_of_16_bits():
    x = np.array([0, 65535, 7, 65535], np.uint16)
    y = np.array([65535, 0, 9, 65535], np.uint16)
    assert l1(x, y) == oracle.distance(x, y, "emd") == 2 * 65535 + 2
