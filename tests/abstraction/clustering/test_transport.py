import numpy as np
import pytest

from oracles import search as oracle
from sixmax.abstraction.clustering import transport
from threads import same_on_two_threads

BUCKETS, ATOMS = 30, 12


@pytest.fixture(scope="module")
def over():
    rng = np.random.default_rng(1)
    strength = np.sort(rng.integers(0, 65535, BUCKETS))[:, None]
    return transport.cost_matrix(
        np.clip(strength + rng.integers(-9000, 9000, (BUCKETS, 4)), 0, 65535)
    )


@pytest.fixture(scope="module")
def hands(over):
    """Hands that become neighbouring buckets, some of them of a draw: two groups far apart."""
    rng = np.random.default_rng(2)
    low = rng.integers(0, BUCKETS, (300, 1))
    result = rng.random((300, ATOMS)) < rng.choice([0, 0.25, 0.5], (300, 1))
    atoms = np.clip(low + rng.integers(-4, 5, (300, ATOMS)) + 20 * result, 0, BUCKETS - 1)
    return transport.hands(np.sort(atoms.astype(np.uint16), axis=1), np.ones(300, int), over)


def spread_out(hands, i):
    row = np.zeros(BUCKETS, int)
    row[hands.bucket[i, : hands.size[i]]] = hands.mass[i, : hands.size[i]]
    return row


def test_ground__is_euclidean_rounded_upwards():
    actual = transport.cost_matrix(np.array([[0, 0], [3, 4], [1, 1]], np.uint16))
    np.testing.assert_array_equal(actual.distance, [[0, 5, 2], [5, 0, 4], [2, 4, 0]])
    np.testing.assert_array_equal(actual.order, [[0, 2, 1], [1, 2, 0], [2, 0, 1]])
    np.testing.assert_array_equal(actual.near, [[0, 2, 5], [0, 4, 5], [0, 2, 4]])


def test_hands__count_equal_atoms_and_find_the_centre(over):
    atoms = np.array([[3, 3, 3, 7]], np.uint16)
    actual = transport.hands(atoms, np.array([2]), over)
    assert actual.size.tolist() == [2]
    np.testing.assert_array_equal(actual.bucket[0, :2], [3, 7])
    np.testing.assert_array_equal(actual.mass[0, :2], [3 * transport.UNITS, transport.UNITS])
    np.testing.assert_allclose(actual.centre[0], over.centroid[[3, 3, 3, 7]].mean(axis=0))


def test_distances__of_a_hand_moved_by_one_bucket_is_their_distance(over):
    atoms = np.array([[5] * ATOMS, [9] * ATOMS], np.uint16)
    hands = transport.hands(atoms, np.ones(2, int), over)
    mean = transport.means(hands, np.array([1, 0], np.int32), 2, BUCKETS)
    actual = transport.distances(hands, np.array([0, 1], np.int32), mean, over)
    np.testing.assert_array_equal(actual, [over.distance[5, 9] * hands.units] * 2)
    assert not transport.distances(hands, np.array([1, 0], np.int32), mean, over).any()


def test_means__weigh_hands_and_keep_the_mass(hands):
    weight = np.arange(1, 301)
    label = np.arange(300, dtype=np.int32) % 3
    actual = transport.means(hands._replace(weight=weight), label, 4, BUCKETS)
    assert actual.sum(axis=1).tolist() == [hands.units] * 3 + [0]
    rows = np.array([spread_out(hands, i) for i in range(300)])
    for k in range(3):
        expected = np.average(rows[label == k], axis=0, weights=weight[label == k])
        np.testing.assert_allclose(actual[k], expected, atol=1)


def test_distances__are_the_slow_greedy_ones_and_not_below_the_exact(over, hands):
    label = np.arange(300, dtype=np.int32) // 75
    mean = transport.means(hands, label, 4, BUCKETS)
    actual = transport.distances(hands, label, mean, over)
    exact, centre = [], mean @ over.centroid / hands.units
    for i in range(0, 300, 12):
        row = spread_out(hands, i)
        held = np.flatnonzero(row)
        between = over.distance[held]
        assert actual[i] == oracle.greedy_transport(
            row[held].tolist(), mean[label[i]].tolist(), between.tolist()
        )
        exact.append(oracle.transport(row[held], mean[label[i]], between))
        bound = np.linalg.norm(hands.centre[i] - centre[label[i]]) * hands.units
        assert bound <= exact[-1] + 1e-3
    greedy = actual[::12]
    assert (greedy >= np.array(exact) - 1e-3).all()
    assert greedy.sum() < 1.2 * np.sum(exact)


def test_nearest__is_that_of_all_means_whatever_the_guess(over, hands):
    label = np.random.default_rng(3).integers(0, 20, 300).astype(np.int32)
    mean = transport.means(hands, label, 22, BUCKETS)  # two of no hands
    every = [transport.distances(hands, np.full(300, c, np.int32), mean, over) for c in range(20)]
    for guess in (label, np.full(300, 21, np.int32)):
        actual, distance = transport.nearest(hands, guess, mean, over)
        np.testing.assert_array_equal(actual, np.argmin(every, axis=0))
        np.testing.assert_array_equal(distance, np.min(every, axis=0))


def test_cluster__improves_on_its_start_and_leaves_no_bucket_empty(over, hands):
    start = np.random.default_rng(4).integers(0, 20, 300).astype(np.int32)
    mean = transport.means(hands, start, 24, BUCKETS)
    before = transport.distances(hands, start, mean, over).mean() / hands.units
    actual = transport.cluster(hands, start, 24, over, 10)
    assert np.bincount(actual.label, minlength=24).min() > 0
    after = transport.distances(
        hands, actual.label, transport.means(hands, actual.label, 24, BUCKETS), over
    )
    assert after.mean() / hands.units < 0.5 * before
    assert actual.objective < 0.5 * before


def test_cluster__of_equal_hands_is_that_of_one_of_their_weight(over, hands):
    """From a start that tells them apart, too."""
    start = np.random.default_rng(6).integers(0, 20, 300).astype(np.int32)
    twice = transport.some(hands, np.repeat(np.arange(300), 2))
    actual = transport.cluster(twice, np.repeat(start, 2), 20, over, 6)
    expected = transport.cluster(hands._replace(weight=2 * hands.weight), start, 20, over, 6)
    np.testing.assert_array_equal(actual.label, np.repeat(expected.label, 2))
    assert actual.objective == pytest.approx(expected.objective)
    apart = np.random.default_rng(7).integers(0, 20, 600).astype(np.int32)
    label = transport.cluster(twice, apart, 20, over, 6).label
    np.testing.assert_array_equal(label[::2], label[1::2])


@pytest.mark.parametrize("iterations", [1, 4])
def test_cluster__is_lloyds_algorithm(over, hands, iterations):
    """By hand: means of the labels, the nearest of them, the mean distance to these."""
    label = (np.argsort(np.argsort(hands.centre.sum(axis=1))) // 50).astype(np.int32)
    start, objectives = label, []
    for _ in range(iterations):
        means = transport.means(hands, label, 6, BUCKETS)
        before, (label, distance) = label, transport.nearest(hands, label, means, over)
        objectives.append(distance.mean() / hands.units)
        assert set(label.tolist()) == set(range(6))
        assert (label != before).any()
    actual = transport.cluster(hands, start, 6, over, iterations)
    np.testing.assert_array_equal(actual.label, label)
    assert actual.objective == pytest.approx(min(objectives)) == pytest.approx(objectives[-1])


def test_cluster__is_the_same_whatever_the_threads(over, hands):
    start = np.arange(300, dtype=np.int32) % 20
    same_on_two_threads(lambda _: transport.cluster(hands, start, 20, over, 5).label)


@pytest.mark.parametrize("dtype", [np.int16, np.uint16, np.int32])
def test_equal_rows__equals_twin(dtype):
    rows = np.random.default_rng(1).integers(0, 4, (200, 3)).astype(dtype)
    first, kind = transport.equal_rows(rows)
    kinds = {}
    for i, row in enumerate(rows.tolist()):
        kinds.setdefault(tuple(row), []).append(i)
    assert sorted(first.tolist()) == sorted(members[0] for members in kinds.values())
    for members in kinds.values():
        assert set(kind[members].tolist()) == {kind[members[0]]}
        assert first[kind[members[0]]] == members[0]


def test_equal_rows__of_none_and_of_one_kind():
    assert [len(part) for part in transport.equal_rows(np.empty((0, 3), np.int16))] == [0, 0]
    first, kind = transport.equal_rows(np.ones((5, 2), np.int16))
    assert (first.tolist(), kind.tolist()) == ([0], [0] * 5)
