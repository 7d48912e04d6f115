"""A χ² test that the sampled actions follow the strategies that they were drawn from.

Each infoset is one draw from its own distribution. Infosets are grouped by number of actions,
likeliest action and the probability of that, those without training apart. In a group, observed
less expected counts have a covariance that is known exactly, the sum of those of the infosets;
along each of its axes with enough variance they are nearly normal, so that the sum of their
squares over the variances is χ² distributed with one degree of freedom an axis.
"""

import itertools
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import njit, parallel, prange
from sixmax.base.progress import track
from sixmax.betting.tree import MAX_ACTIONS, Tree, n_actions
from sixmax.cfr.layout import Layout, infoset
from sixmax.cfr.packed_actions import action_bit, bit_layout, read_action
from sixmax.continuation.generate import LEADS, Continuation, groups, leaning, stored, weigh

REFUSED = 1e-6  # p-value below which a strategy is not accepted
_BINS = 8  # of the largest probability
_CHUNKS = 16  # runs of buckets, whatever the threads: sums have a fixed order
_DIGITS = 6  # of χ²: the last bits of eigenvectors differ between processors
_LEAST_VARIANCE = 100.0  # draws², so that an axis is normal far enough into the tails


class Fit(NamedTuple):
    """One strategy's test."""

    strategy: str
    statistic: float  # χ²
    degrees: int  # of freedom
    p_value: float
    infosets: int  # with more than one possible action
    impossible: int  # infosets whose action has no probability: must be none


class Drawn(NamedTuple):
    """Sums over the actions drawn, by chunk of buckets."""

    off: np.ndarray  # float64[chunks, cells, actions]: observed less expected
    covariance: np.ndarray  # float64[chunks, cells, actions, actions], the lower triangle
    untrained: np.ndarray  # int64[chunks, n, lead, action]: of infosets without training
    tally: np.ndarray  # int64[chunks, 2]: infosets, and those whose action is impossible


def fit(
    tree: Tree, layout: Layout, continuations: list[Continuation], packed: np.ndarray
) -> list[Fit]:
    """Test each of ``packed`` uint8[continuations, bytes] against its continuation."""
    pairs = zip(continuations, packed, strict=True)
    return [_fit_one(tree, layout, continuation, row) for continuation, row in pairs]


def refuse_bad(fits: list[Fit]) -> None:
    """Raise UserError where a strategy's actions do not follow its distributions."""
    for f in fits:
        if f.impossible:
            raise UserError(
                f"continuation {f.strategy!r}: {f.impossible:,} of {f.infosets:,} sampled actions "
                "have probability 0, wanted none; the packing is wrong, do not use it"
            )
        if f.p_value < REFUSED:
            raise UserError(
                f"continuation {f.strategy!r}: sampled actions do not follow the strategy: "
                f"chi-square {f.statistic:.1f} on {f.degrees} degrees of freedom, "
                f"p = {f.p_value:.1e}, wanted at least {REFUSED:g}; the sampling is wrong"
            )


def _fit_one(tree, layout, continuation, packed) -> Fit:
    from scipy.special import chdtrc

    bits, _ = bit_layout(tree, layout)
    most = int(n_actions(tree.node[:, 0]).max())
    cells = (most + 1) * LEADS * most * _BINS
    drawn = Drawn(
        np.zeros((_CHUNKS, cells, most)),
        np.zeros((_CHUNKS, cells, most, most)),
        np.zeros((_CHUNKS, most + 1, LEADS, most), np.int64),
        np.zeros((_CHUNKS, 2), np.int64),
    )
    parts, name, lean = groups(tree), continuation.name, leaning(continuation)
    for group in track(parts, len(parts), f"continuation {name}: check", "rounds x seats"):
        _tally_kernel(layout, bits, group, lean, packed, drawn)
    off, covariance, untrained, tally = (part.sum(axis=0) for part in drawn)
    more = _untrained_cells(untrained, lean.kind, lean.factor)
    statistic, degrees = _chi_square(
        np.concatenate([off, more[0]]), np.concatenate([covariance, more[1]])
    )
    p_value = float(chdtrc(degrees, statistic)) if degrees else 1.0
    infosets, impossible = (int(n) for n in tally)
    return Fit(name, statistic, degrees, p_value, infosets, impossible)


def _untrained_cells(count, kind, factor) -> tuple[np.ndarray, np.ndarray]:
    """Cells of the infosets without training, where all with the same actions are alike.

    ``count`` [n, lead, action] are the actions drawn where there are n actions, by their ``leads``.
    """
    most = count.shape[2]
    off, covariance = np.zeros((LEADS * most, most)), np.zeros((LEADS * most, most, most))
    for i, (n, lead) in enumerate(itertools.product(range(2, most + 1), range(LEADS))):
        p = np.zeros(most)
        total = weigh(np.zeros(n, np.uint8), lead, kind, factor, p)
        p[:n] /= total
        drawn = count[n, lead].sum()
        off[i] = count[n, lead] - drawn * p
        covariance[i] = drawn * (np.diag(p) - np.outer(p, p))
    return off, covariance


def _chi_square(off: np.ndarray, covariance: np.ndarray) -> tuple[float, int]:
    """Σ (projection of ``off``)² / variance over the axes with enough variance; their number.

    ``off`` [cells, actions] is observed less expected, ``covariance`` [cells, actions, actions]
    has its lower triangle filled.
    """
    met = np.flatnonzero(covariance.trace(axis1=1, axis2=2) >= _LEAST_VARIANCE)
    variance, axes = np.linalg.eigh(covariance[met])
    along = np.einsum("gi,gij->gj", off[met], axes)
    enough = variance >= _LEAST_VARIANCE
    total = float((along[enough] ** 2 / variance[enough]).sum())
    return round(total, _DIGITS), int(enough.sum())


@parallel
def _tally_kernel(layout, bits, group, leaning, packed, drawn):
    in_round, seat, node, slot, count, lead = group
    policy, kind, factor = leaning
    off, covariance, untrained, tally = drawn
    buckets = layout.buckets[in_round]
    for c in prange(_CHUNKS):
        p = np.empty(MAX_ACTIONS)
        for b in range(buckets * c // _CHUNKS, buckets * (c + 1) // _CHUNKS):
            for i in range(slot.size):
                n = np.int64(count[i])
                if n < 2:
                    continue
                at = infoset(layout, in_round, seat, b, slot[i])
                action = read_action(packed, action_bit(bits, in_round, seat, b, node[i]), n)
                if action >= n:
                    tally[c, 1] += 1
                    continue
                row = policy[at : at + n]
                if stored(row) == 0:
                    untrained[c, n, np.int64(lead[i]), action] += 1
                    tally[c, 0] += 1
                    continue
                total = weigh(row, lead[i], kind, factor, p)
                largest, likeliest = _normalise(p, n, total)
                tally[c, 1] += p[action] == 0.0
                if largest < 1.0:
                    tally[c, 0] += 1
                    cell = (n * LEADS + lead[i]) * off.shape[2] + likeliest
                    cell = cell * _BINS + np.int64(largest * _BINS)
                    _add(off[c, cell], covariance[c, cell], p, n, action)


@njit
def _normalise(p, n, total):
    """Make ``p[:n]`` sum to one; the largest, and where the first of the largest is."""
    largest, likeliest, scale = 0.0, np.int64(0), 1.0 / total
    for a in range(n):
        p[a] = p[a] * scale if p[a] < total else 1.0
        if p[a] > largest:
            largest, likeliest = p[a], np.int64(a)
    return largest, likeliest


@njit
def _add(off, covariance, p, n, action):
    """Add one draw to the lower triangle of its cell."""
    off[action] += 1.0
    for a in range(n):
        off[a] -= p[a]
        covariance[a, a] += p[a]
        for b in range(a + 1):
            covariance[a, b] -= p[a] * p[b]
