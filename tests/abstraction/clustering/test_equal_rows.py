import numpy as np
import pytest

from sixmax.abstraction.clustering.equal_rows import equal_rows


@pytest.mark.parametrize("dtype", [np.int16, np.uint16, np.int32])
def test_equal_rows__equals_twin(dtype):
    rows = np.random.default_rng(1).integers(0, 4, (200, 3)).astype(dtype)
    first, kind = equal_rows(rows)
    kinds = {}
    for i, row in enumerate(rows.tolist()):
        kinds.setdefault(tuple(row), []).append(i)
    assert sorted(first.tolist()) == sorted(members[0] for members in kinds.values())
    for members in kinds.values():
        assert set(kind[members].tolist()) == {kind[members[0]]}
        assert first[kind[members[0]]] == members[0]


def test_equal_rows__of_none_and_of_one_kind():
    assert [len(part) for part in equal_rows(np.empty((0, 3), np.int16))] == [0, 0]
    first, kind = equal_rows(np.ones((5, 2), np.int16))
    assert (first.tolist(), kind.tolist()) == ([0], [0] * 5)
