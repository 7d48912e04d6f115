"""Rows that are equal: all of them share the findings for one."""

import numpy as np


def equal_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One of each kind of equal rows int64[kinds], and the kind int64[n] of each row.

    ``rows`` is int[n, columns]. The kinds are in an order that the content alone decides, and the
    row of each is its first.
    """
    whole = np.ascontiguousarray(rows)
    whole = whole.view(np.dtype((np.void, whole.dtype.itemsize * whole.shape[1])))[:, 0]
    _, first, kind = np.unique(whole, return_index=True, return_inverse=True)
    return first, kind
