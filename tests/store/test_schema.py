"""The declarations of the stores hold for any reader of Zarr."""

import numpy as np
import pytest
import zarr

from sixmax.store import read, write
from sixmax.store.schema import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_kind__no_array_is_named_like_a_dimension(kind):
    """xarray takes such an array for the index of the dimension, and frames grow to its product."""
    arrays = KINDS[kind].arrays
    dims = {dim for array in arrays.values() for dim in array.dims}
    assert not dims & arrays.keys()


def test_read__stores_whose_dimensions_had_other_names(tmp_path, monkeypatch):
    """Those of before are read: a dimension's name is a word for people."""
    arrays = {"policy": np.arange(9, dtype=np.uint8)}
    declared = KINDS["strategy"].arrays["policy"]
    with monkeypatch.context() as patch:
        old = declared._replace(dims=("policy",))
        patch.setitem(KINDS["strategy"].arrays, "policy", old)
        write(tmp_path / "s.zarr", "strategy", arrays)
    assert zarr.open_group(tmp_path / "s.zarr")["policy"].metadata.dimension_names == ("policy",)
    store = read(tmp_path / "s.zarr", "strategy")
    np.testing.assert_array_equal(store["policy"], arrays["policy"])
    assert declared.dims == ("entry",)
