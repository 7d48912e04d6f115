"""The kinds of bet and raise sizes that a config may offer.

A new kind is a row of KINDS and a line of :func:`sixmax.betting.sizing.raises`.
"""

import math
import re
from collections.abc import Callable
from typing import NamedTuple

Given = float | int | str  # a size in a config
MAX_FRACTION = 1000  # of the pot
FRACTION, ALL_IN, CHIPS = range(3)  # rows of KINDS


class SizeKind(NamedTuple):
    """A kind of size, as a config says it and as kernels take it."""

    words: str  # in messages
    form: str  # regular expression of its text; empty for a number
    number: Callable[[Given], float]  # for kernels
    scaled: Callable[[Given, float], Given]  # the size times a factor


KINDS = (
    SizeKind(
        f"a fraction of the pot above 0 and up to {MAX_FRACTION}", "",
        float, lambda size, factor: size * factor,
    ),
    SizeKind('"A" for all-in', "A", lambda size: 0.0, lambda size, factor: size),
    SizeKind(
        '"N chips" for a raise by N', "[1-9][0-9]{0,8} chips",
        lambda size: float(size.removesuffix(" chips")),
        lambda size, factor: f"{max(round(int(size.removesuffix(' chips')) * factor), 1)} chips",
    ),
)  # fmt: skip
FORM = "|".join(kind.form for kind in KINDS if kind.form)


def size_kind(size: Given) -> int:
    """The row of KINDS that ``size`` is of. Raises ValueError for none; it lists the kinds."""
    if isinstance(size, str):
        rows = [k for k, kind in enumerate(KINDS) if kind.form and re.fullmatch(kind.form, size)]
    else:
        rows = [FRACTION] if math.isfinite(size) and 0 < size <= MAX_FRACTION else []
    if not rows:
        *others, last = (kind.words for kind in KINDS)
        raise ValueError(f"{', '.join(others)}, or {last}")
    return rows[0]


def checked(size: Given) -> Given:
    """``size`` itself. Raises ValueError as :func:`size_kind`."""
    size_kind(size)
    return size


def packed(size: Given) -> tuple[int, float]:
    """``size`` as kernels take it: its row of KINDS and its number."""
    kind = size_kind(size)
    return kind, KINDS[kind].number(size)


def scaled(size: Given, factor: float) -> Given:
    """``size`` times ``factor``; all-in stays all-in."""
    return KINDS[size_kind(size)].scaled(size, factor)
