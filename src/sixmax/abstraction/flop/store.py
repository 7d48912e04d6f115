"""Buckets of turn and river for one flop, finer than the blueprint's, for the search.

The supplement ("Abstraction and off-tree actions in subgames") takes 500 a round, for each flop
apart. They are made ahead (the workflow's target ``search``) or when they are first asked for, and
kept either way in results/{run}/search/flop: 3.6 MB a flop, memory-mapped.
"""

import functools
from collections.abc import Mapping
from math import isqrt
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

from sixmax.abstraction.features import Histograms, opponent_clusters, runouts, win_scale
from sixmax.abstraction.flop import cluster as flops
from sixmax.abstraction.flop.quality import draw, report
from sixmax.base import options
from sixmax.base.code_digest import code_digest
from sixmax.base.errors import UserError
from sixmax.base.files import READ_ONLY, write_bytes, write_json
from sixmax.base.options import Option, argument
from sixmax.base.progress import Progress, say
from sixmax.base.rng import child, generator
from sixmax.cards.deck import as_cards, format_cards, hole_cards
from sixmax.cards.isomorphism import boards, canonical_board, permute_hole
from sixmax.store import Store, read, write
from sixmax.store.schema import KINDS

BUCKETS = 500  # a round; the paper's number
SHOWN = 2  # flops made ahead whose report has a second seed and a picture
_MOST_UNWRITTEN = 16
# The arrays of the flops of runs that cannot be written, by their path and number of buckets.
_UNWRITTEN: dict[tuple[Path, int], dict[str, np.ndarray]] = {}


class FlopBuckets(NamedTuple):
    """Buckets of all hands after one flop.

    :func:`sixmax.abstraction.flop.kernels.turn_bucket` and ``river_bucket`` look them up.
    """

    turn: np.ndarray  # uint16[n, H]: by canonical turn card and hole; 65535 where impossible
    river: np.ndarray  # uint16[H, H]: by hole_id of canonical turn and river, and hole
    suits: np.ndarray  # int8[4]: the canonical suit of each suit
    hole: np.ndarray  # int16[H]: the canonical hole of each hole
    turn_strength: np.ndarray  # float32[turn buckets]: mean win probability, ascending
    river_strength: np.ndarray  # float32[river buckets]


def store_path(run: Path, flop: int) -> Path:
    """The store of the buckets of canonical flop number ``flop``; its quality lies beside."""
    return Path(run) / "search" / "flop" / f"{flop:04d}.zarr"


def of_board(run: Path, board: str | np.ndarray, buckets: int = BUCKETS) -> FlopBuckets:
    """The buckets after the flop that a board of three or more cards begins with.

    ``run`` is the folder results/{run}, ``board`` text or int8[3 to 5]. Made and kept where they
    are missing (seconds). Raises UserError for cards that are no flop of the run's deck.
    """
    ranks, flop, suits = find(run, board)
    store = arrays(run, flop, buckets)
    hole = np.array([permute_hole(lo, hi, suits) for lo, hi in hole_cards(ranks)], np.int16)
    turn, river = np.asarray(store["turn"]), np.asarray(store["river"])
    return FlopBuckets(turn, river, suits, hole, store["turn_strength"], store["river_strength"])


def is_kept(run: Path, board: str | np.ndarray, buckets: int = BUCKETS) -> bool:
    """Whether :func:`of_board` has nothing to make for ``board``, text or int8[3 to 5]."""
    path = store_path(run, find(run, board)[1])
    if (path, buckets) in _UNWRITTEN:
        return True
    return path.is_dir() and read(path, "flop-buckets").attributes.get("buckets") == buckets


def find(run: Path, board: str | np.ndarray) -> tuple[int, int, np.ndarray]:
    """Ranks of the run's deck, the number of the board's flop, the canonical suit of each suit.

    ``board`` is text or int8[3 to 5]; the suits are int8[4]. Raises UserError for cards that begin
    with no flop of the deck, or where the run's abstraction is missing.
    """
    ranks = deck_ranks(run)
    cards = as_cards(board, ranks)[:3]
    if len(cards) < 3:
        raise UserError(f"board of {len(cards)} cards: wanted a flop of 3, like AhKd2c")
    suits = np.empty(4, np.int8)
    return ranks, int(canonical_board(boards(ranks, 3), cards, suits)), suits


def arrays(run: Path, flop: int, buckets: int = BUCKETS) -> Mapping[str, np.ndarray]:
    """The arrays of a flop with ``buckets`` a round; made first where there are none.

    ``flop`` is its number in isomorphism.boards(ranks, 3). The arrays are those of the store
    "flop-buckets" (:mod:`sixmax.store.schema`), kept in the run, or in memory where the run cannot
    be written.
    """
    path = store_path(run, flop)
    if path.is_dir():
        store = read(path, "flop-buckets")
        if store.attributes.get("buckets") == buckets:
            return store
    if (path, buckets) in _UNWRITTEN:
        return _UNWRITTEN[path, buckets]
    say(f"flop {flop}: its buckets are made first, which takes some seconds, and then kept")
    clustered = _cluster(run, flop, buckets)
    try:
        _keep(path, clustered, report(clustered.river, clustered.turn, clustered.seed))
    except OSError as error:
        if error.errno not in READ_ONLY:
            raise
        say(f"{path}: cannot be written ({error.strerror}); the buckets are kept in memory")
        if len(_UNWRITTEN) >= _MOST_UNWRITTEN:
            _UNWRITTEN.clear()
        for name, array in clustered.arrays.items():  # as the store gives them: mapped ones
            array.flags.writeable = not KINDS["flop-buckets"].arrays[name].raw
        return _UNWRITTEN.setdefault((path, buckets), clustered.arrays)
    return read(path, "flop-buckets")


class _Clustered(NamedTuple):
    """The buckets of a flop before they are written."""

    flop: int
    cards: np.ndarray  # int8[3]
    ranks: int
    buckets: int
    seed: int
    river: flops.FlopRiver
    turn: flops.Turn
    arrays: dict[str, np.ndarray]  # of the store


def _cluster(run: Path, flop: int, buckets: int) -> _Clustered:
    """Cluster the hands of a flop into ``buckets`` a round; the seed is the flop's number.

    Raises UserError where there is no such flop, or where the run's abstraction is missing.
    """
    preflop = preflop_of(run)
    ranks = _ranks(preflop)
    check(ranks, flop, buckets)
    cards, seed = boards(ranks, 3).cards[flop], int(child(flop, "search", "flop"))
    river = flops.river(cards, ranks, opponents(run, preflop), buckets, seed)
    table = flops.spread(river.of, river.label)
    turn = flops.turn(cards, ranks, river, table, buckets, seed)
    arrays = {
        "turn": flops.spread(turn.of, turn.label),
        "river": table,
        "turn_strength": turn.strength.astype(np.float32),
        "river_strength": river.strength.astype(np.float32),
    }
    return _Clustered(flop, cards, ranks, buckets, seed, river, turn, arrays)


def _keep(path: Path, clustered: _Clustered, quality: dict[str, Any], **attributes: Any) -> None:
    """Write the store of a flop, and its quality report beside it."""
    about = {"flop": clustered.flop, "cards": format_cards(clustered.cards, clustered.ranks)}
    write_json(path.with_suffix(".json"), {**about, **quality})
    write(path, "flop-buckets", clustered.arrays, **about, buckets=clustered.buckets, **attributes)


def make(
    run: Path, flop: int, buckets: int = BUCKETS, out: Path | None = None, second: bool = False,
    **attributes: Any,
) -> None:  # fmt: skip
    """Cluster the hands of a flop into ``buckets`` a round, write its store and quality report.

    Two seconds on one core, and two once in a process, 0.2 GB. With ``second`` the report compares
    a clustering from a second seed, and a picture lies beside: twice as long again. The same for
    all runs that agree in the deck and in the clusters of opponents' hands: the seed is the flop's
    number. Raises UserError where there is no such flop, or where the run's abstraction is missing.
    """
    clustered, path = _cluster(run, flop, buckets), out or store_path(run, flop)
    _, cards, ranks, _, seed, river, turn, _ = clustered
    if second:
        again = flops.again(
            cards, ranks, river, buckets, int(child(seed, "second") >> np.uint64(1))
        )
        quality = report(river, turn, seed, again)
        picture = draw(format_cards(cards, ranks), river, turn, quality)
        write_bytes(path.with_suffix(".png"), picture)
    else:
        quality = report(river, turn, seed)
    _keep(path, clustered, quality, **attributes)


@options.stage
def make_all(
    run: options.Run,
    flops: Annotated[list[str], argument("FLOP...")],
    buckets: Annotated[int, Option("Of each round.", least=1)] = BUCKETS,
    second: Annotated[bool, Option("Also from a second seed, and a picture.")] = False,
    threads: options.Threads = 1,
) -> None:  # fmt: skip
    """Cluster turn and river after one flop, for search.

    FLOP is three cards or the number of a flop, several separated by spaces. Writes a store and a
    report of its quality to results/{run}/search/flop. Search makes a missing flop itself; this
    command makes it ahead. Two seconds on one core for the first, two for each, 4 MB a flop. A
    second seed tells in the report how far chance decides the buckets: with a picture, thrice as
    long.

    \b
    sixmax flop AhKd2c --run results/default

    Raises UserError before the first is made if one of them is no flop of the deck.
    """
    numbers = [int(f) if f.isascii() and f.isdigit() else find(run, f)[1] for f in flops]
    ranks = deck_ranks(run)
    for flop in numbers:
        check(ranks, flop, buckets)
    code = code_digest("abstraction.flop.store")
    with Progress(len(flops), "buckets of flops", "flops") as bar:
        for flop in numbers:
            make(run, flop, buckets, second=second, code=code)
            bar.add()


def chosen(flops: str | int, ranks: int, seed: int) -> list[int]:
    """The flops to make ahead, ascending: ``none``, ``all``, or a number of them by chance."""
    if flops == "none":
        return []
    every = len(boards(ranks, 3).count)
    if flops == "all" or flops >= every:
        return list(range(every))
    drawn = generator(seed, "search", "flops").choice(every, flops, replace=False)
    return sorted(int(flop) for flop in drawn)


def shown(flops: list[int], seed: int) -> list[int]:
    """Those of ``flops`` whose report has a second seed and a picture, ascending: all if few."""
    if len(flops) <= SHOWN:
        return flops
    drawn = generator(seed, "search", "shown").choice(flops, SHOWN, replace=False)
    return sorted(int(flop) for flop in drawn)


def parts(flops: list[int], seed: int) -> list[list[int]]:
    """``flops`` as jobs of the workflow make them: the shown few first, then some 40 jobs.

    A job makes several, because their common beginnings take as long as a flop.
    """
    few, size = shown(flops, seed), max(4, -(-len(flops) // 40))
    others = [flop for flop in flops if flop not in few]
    many = (others[begin : begin + size] for begin in range(0, len(others), size))
    return [each for each in (few, *many) if each]


def check(ranks: int, flop: int, buckets: int) -> None:
    """Raise UserError unless the deck has that flop and a bucket fits its two bytes."""
    last = len(boards(ranks, 3).count) - 1
    if not 0 <= flop <= last:
        raise UserError(f"flop {flop}: wanted 0 to {last}, the canonical flops of the deck")
    if not 1 <= buckets < 65535:
        raise UserError(f"{buckets} buckets: wanted 1 to 65534, a bucket is stored in two bytes")


def opponents(run: Path, preflop: Store) -> np.ndarray:
    """The cluster uint8[class] of opponents' hands that the run's features were made with.

    The features themselves are shared by runs and may lie elsewhere; the stores of the run tell.
    """
    clusters = read(Path(run) / "abstraction" / "river.zarr", "buckets")["centroid"].shape[1]
    return _opponents(preflop.path, preflop.attributes["digests"]["centroid"], clusters)


@functools.lru_cache(maxsize=8)
def _opponents(path: Path, digest: str, clusters: int) -> np.ndarray:
    """Two seconds, once for all flops of a process; ``digest`` is that of the centroids."""
    preflop = read(path, "buckets")
    ranks = _ranks(preflop)
    counts = np.rint(preflop["centroid"].astype(np.float64) * runouts(ranks, "preflop"))
    win = preflop["strength"].astype(np.float64) * win_scale(ranks, "preflop")
    return opponent_clusters(ranks, Histograms(counts.astype(np.uint32), win), clusters)


def preflop_of(run: Path) -> Store:
    """The preflop buckets of the run, which tell its deck. Raises UserError without them."""
    return read(Path(run) / "abstraction" / "preflop.zarr", "buckets")


def deck_ranks(run: Path) -> int:
    """Ranks of the deck of the run. Raises UserError where its abstraction is missing."""
    return _ranks(preflop_of(run))


def _ranks(preflop: Store) -> int:
    return isqrt(len(preflop["strength"]))
