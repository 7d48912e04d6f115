"""Tables with a row of hands (or buckets) for each action, and arithmetic on rows."""

from typing import NamedTuple

import numpy as np

from sixmax.jit import njit, unchecked

ZERO = np.float32(0.0)


class Rows(NamedTuple):
    """The layout of a table of float32, one array for all rounds.

    A decision has one row for each action, one entry for each hand on each board, or for each
    bucket: entry ``base[r] + ((board * columns[r] + column) * size[r]`` and so on.

    base, columns, size: int64[rounds]  columns are action columns
    start: int64[rounds]                first of the round in ``bucket``, board after board; -1 in
                                        a round without buckets
    bucket: int32[entries]              of each hand
    """

    base: np.ndarray
    columns: np.ndarray
    size: np.ndarray
    start: np.ndarray
    bucket: np.ndarray


@njit
def _row(public, rows, x, r, board):
    """The address of the first row of a decision."""
    if rows.start[r] >= 0:
        board = 0
    return rows.base[r] + (board * rows.columns[r] + public.column[x]) * rows.size[r]


@njit
def _buckets(rows, r, board, n):
    begin = rows.start[r] + board * n
    return rows.bucket[begin : begin + n]


@unchecked
def strategies(public, rows, table, x, n, r, board, out):
    """Regret matching for every hand: ``out[a, hand]``."""
    size, at = rows.size[r], _row(public, rows, x, r, board)
    even = np.float32(1.0 / n)
    if rows.start[r] >= 0:
        bucket = _buckets(rows, r, board, out.shape[1])
        for h in range(bucket.size):
            total = ZERO
            for a in range(n):
                total += max(table[at + a * size + bucket[h]], ZERO)
            for a in range(n):
                weight = max(table[at + a * size + bucket[h]], ZERO)
                out[a, h] = weight / total if total > 0.0 else even
        return
    total = out[n - 1]  # holds the sum until its own turn
    last = table[at + (n - 1) * size : at + n * size]
    for h in range(size):
        total[h] = max(last[h], ZERO)
    for a in range(n - 1):
        row, to = table[at + a * size : at + (a + 1) * size], out[a]
        for h in range(size):
            to[h] = max(row[h], ZERO)
            total[h] += to[h]
    for a in range(n - 1):
        to = out[a]
        for h in range(size):
            share = to[h] / total[h]
            to[h] = share if total[h] > ZERO else even
    for h in range(size):
        share = max(last[h], ZERO) / total[h]
        total[h] = share if total[h] > ZERO else even


@njit
def learn(public, rows, work, x, n, r, board, value, strategy, mean, own):
    """Add the regrets of a decision of mine, and its strategy to the sums."""
    size, at = rows.size[r], _row(public, rows, x, r, board)
    positive, negative = np.float32(work.keep[0]), np.float32(work.keep[1])
    shrink, weight = np.float32(work.keep[2]), np.float32(work.keep[3])
    if rows.start[r] >= 0:
        bucket = _buckets(rows, r, board, mean.size)
        for a in range(n):
            for h in range(bucket.size):
                i, w = at + a * size + bucket[h], weight * work.prior[h]
                work.table[i] += w * (value[a, h] - mean[h])
                work.total[i] += w * own[h] * strategy[a, h]
        return
    for a in range(n):
        regret = work.table[at + a * size : at + (a + 1) * size]
        _regrets(regret, value[a], mean, positive, negative, weight)
        total = work.total[at + a * size : at + (a + 1) * size]
        _totals(total, strategy[a], own, shrink, weight)


@njit
def _regrets(regret, value, mean, positive, negative, weight):
    for h in range(regret.size):
        new = regret[h] + weight * (value[h] - mean[h])
        regret[h] = new * (positive if new > ZERO else negative)


@njit
def _totals(total, strategy, own, shrink, weight):
    for h in range(total.size):
        total[h] = total[h] * shrink + weight * own[h] * strategy[h]


@njit
def multiply(left, right, out):
    for h in range(out.size):
        out[h] = left[h] * right[h]


@njit
def add(out, value, weight):
    for h in range(out.size):
        out[h] += weight * value[h]


@njit
def sum_rows(value, out):
    out[:] = value[0]
    for a in range(1, len(value)):
        for h in range(out.size):
            out[h] += value[a, h]


@njit
def mean_rows(value, strategy, out):
    out[:] = ZERO
    for a in range(len(value)):
        for h in range(out.size):
            out[h] += value[a, h] * strategy[a, h]


@njit
def largest_rows(value, out):
    out[:] = value[0]
    for a in range(1, len(value)):
        for h in range(out.size):
            out[h] = max(out[h], value[a, h])
