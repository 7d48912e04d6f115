"""Every array that sixmax stores, declared once: name, dtype, dimensions, unit, meaning.

A store is a Zarr group with the attributes ``format`` ("sixmax/<kind>"), ``version``,
``digests`` (one per array) and ``made_by`` (config, seed, code digest, package versions). Letters
in ``dims`` are the same size wherever they occur in one store.
"""

from typing import NamedTuple


class Array(NamedTuple):
    """One stored array. ``raw`` arrays are one uncompressed chunk, so they can be mapped."""

    dtype: str
    dims: tuple[str, ...]
    unit: str
    meaning: str
    raw: bool = False


class Kind(NamedTuple):
    """One kind of store."""

    version: int
    meaning: str
    arrays: dict[str, Array]


KINDS: dict[str, Kind] = {}


def declare(name: str, version: int, meaning: str, **arrays: Array) -> None:
    """Add a kind of store to :data:`KINDS`."""
    KINDS[name] = Kind(version, meaning, arrays)
