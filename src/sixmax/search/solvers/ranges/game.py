"""The game that the solver of ranges takes: a public tree, its boards, two players' ranges."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting.tree import DECISION, FOLDED, SIDEPOTS, Tree, kind_of
from sixmax.betting.tree_cut import cut, later_rounds
from sixmax.cards.deck import as_cards, hole_cards, n_holes
from sixmax.cfr.layout import Layout, layout, strategy_at
from sixmax.cfr.regret import matched
from sixmax.search.solvers.ranges.boards import (
    EVERY,
    FINAL,
    SAME,
    Flops,
    FollowingBoards,
    RoundBoards,
    Suits,
    alike,
    boards,
    locate,
    renamed,
    renamed_holes,
    that_follow,
)
from sixmax.search.solvers.ranges.hands import Hands, hands
from sixmax.search.solvers.ranges.rows import HandRows, first_row
from sixmax.search.solvers.ranges.tree_parts import ACTIONS, COLUMN, NODE, PLAYER, Public, public

Buckets = Sequence[np.ndarray | None]


class RangeGame(NamedTuple):
    """A subgame of two players to the end of the hand, laid out by :func:`endgame`."""

    tree: Tree
    board: np.ndarray  # int8[cards] of round 0
    ranks: int  # of the deck
    suits: list[Suits]  # the permutations that leave the game as it is
    dealt: list[RoundBoards]  # the boards of each round that are walked
    layout: Layout  # of round 0, whose buckets are the H holes
    boards: FollowingBoards
    public: Public
    rows: HandRows
    hands: tuple[Hands, Hands]
    seats: tuple[int, int]  # of players 0 and 1 in the tree, ascending
    range: tuple[np.ndarray, np.ndarray]  # float32[n]: weights on the first board, of sum 1
    deals: float  # sum over the pairs of hands that go together


def endgame(
    tree: Tree,
    board: str | Sequence[int] | np.ndarray,
    ranges: np.ndarray,
    buckets: Buckets = (),
    ranks: int = 13,
    every: bool = False,
    final: int = FINAL,
    suits: Sequence[Suits] = EVERY,
    flops: Flops | None = None,
) -> RangeGame:
    """Lay out the subgame of ``tree`` on ``board`` with ``ranges`` float64[2, H] by hole.

    Ranges are weights, not normalised, of the players in the order of their seats. Hands of weight
    0 are left out, but with ``every`` they too have strategies and values. The showdown is on
    ``final`` cards. With ``buckets[r]``, int[boards of round r, H], all hands of a bucket in round
    r share a strategy, on every board; with None, or no entry, each hand has its own on each board.
    ``flops`` follow an empty ``board``. Boards alike up to suits are walked once, by those
    permutations of ``suits``, a group, that keep the board, the ranges and the first buckets; with
    buckets in later rounds by none. A solver that is given more, which tells suits apart, needs
    fewer of them. Raises UserError for boards, ranges or trees that do not fit, ValueError for such
    buckets.
    """
    wide, cards = _ranges(ranges, ranks), as_cards(board, ranks)
    if any(given is not None for given in buckets[1:]):
        suits = (SAME,)
    kept = list(wide)
    if len(buckets) and buckets[0] is not None:
        kept += [row for row in buckets[0] if len(row) == len(kept[0])]  # others are refused below
    group = alike(cards, ranks, kept, suits)
    dealt = that_follow(board, ranks, final, group, flops)
    known, rounds = boards(dealt, ranks), len(dealt)
    if tree.columns.shape[0] != rounds:
        raise UserError(
            f"tree of {tree.columns.shape[0]} rounds: wanted {rounds}, as many as a board of "
            f"{len(cards)} cards leaves"
        )
    if len(buckets) > rounds:
        raise UserError(f"buckets of {len(buckets)} rounds: wanted {rounds} at most")
    for r, given in enumerate(buckets):
        wanted = len(dealt[r].cards), n_holes(ranks)
        if given is not None and (given.shape != wanted or given.dtype.kind not in "iu"):
            raise ValueError(
                f"buckets of round {r}: found {given.dtype} of shape {given.shape}, wanted "
                f"integers of shape {wanted}"
            )
    seats = players_of(tree)
    players = hands(dealt, np.ones_like(wide, bool) if every else wide > 0, buckets, ranks)
    weights = [weight[mine.first] for weight, mine in zip(wide, players, strict=True)]
    if not all(weight.any() for weight in weights):
        raise UserError("ranges: wanted some weights above 0 for each player")
    rows = _rows(tree, seats, known, players, buckets)
    first, second = (weight / weight.sum() for weight in weights)
    by_hole = layout(tree._replace(columns=tree.columns[:1]), [n_holes(ranks)])
    scaled = first.astype(np.float32), second.astype(np.float32)
    # Before the flop a fold counts on the flops that both hands leave possible.
    parts = public(tree, seats, rounds, 0 if flops is None else 1)
    game = RangeGame(
        tree, cards, ranks, group, dealt, by_hole, known, parts, rows, players, seats, scaled, 0.0
    )
    deals = float(first @ facing(game, 0, second))
    if not deals > 0:
        raise UserError("ranges: found no two hands that go together, wanted one pair at least")
    return game._replace(deals=deals)


def next_round(
    game: RangeGame, node: int, card: int, ranges: np.ndarray
) -> tuple[RangeGame, np.ndarray]:
    """The subgame at ``node``, the first decision of round 1, when ``card`` is dealt.

    ``ranges`` float64[2, H] are those there. Returns it, every hand with rows of its own, and for
    each entry of its table the entry of ``game`` that it repeats, or -1: int64[entries].
    """
    part = cut(game.tree, node, lambda x: False, 1)
    tree, final = later_rounds(part.tree, 1), len(game.board) + len(game.boards.fan) - 1
    suits = [some for some in game.suits if renamed(card, some) == card]
    board = [*game.board, card]
    after = endgame(tree, board, ranges, (), game.ranks, every=True, final=final, suits=suits)
    origin = {int(row[NODE]): row for row in game.public.decisions}
    entry = np.full(after.rows.entries, -1)
    cards, above = hole_cards(game.ranks), len(game.board)
    places = [
        [locate(game.dealt, board[above:]) for board in of.cards.tolist()] for of in after.dealt
    ]
    for row in after.public.decisions:
        before, r = origin[int(part.origin[row[NODE]])], tree.round(row[NODE])
        for b, (walked, suits) in enumerate(places[r]):
            at, holes, _ = _own(after, r, int(after.boards.first[r]) + b, row)
            source = int(game.boards.first[r + 1]) + walked
            old, known, column = _own(game, r + 1, source, before)
            size = game.rows.buckets[r + 1] or len(known) + game.rows.behind
            of_hole = np.full(n_holes(game.ranks), -1)
            of_hole[known] = column
            own = of_hole[renamed_holes(cards[holes], suits)]
            for a in range(int(row[ACTIONS])):
                first = at + a * len(holes)
                entry[first : first + len(holes)] = np.where(own >= 0, old + a * size + own, -1)
    return after, entry


def rows_on(
    game: RangeGame, table: np.ndarray, decision: np.ndarray, place: int
) -> tuple[np.ndarray, np.ndarray]:
    """The strategy of ``table`` at a decision on a board: holes [n], and float64[n, actions].

    ``decision`` is a row of ``Public.decisions``, ``place`` that of a board of its round; of half
    width the ``table`` is int16. Hands whose numbers in it are not positive play uniformly.
    """
    r, actions = game.tree.round(int(decision[NODE])), int(decision[ACTIONS])
    first, hole, column = _own(game, r, place, decision)
    size = int(game.rows.buckets[r]) or len(hole) + game.rows.behind
    weight = table[first : first + actions * size].reshape(actions, size)
    if game.rows.behind:
        weight = np.ldexp(weight[:, :-1].astype(np.float64), weight[:, -1:])
    return hole, matched(weight[:, column].T.astype(np.float64))


def _own(
    game: RangeGame, r: int, place: int, decision: np.ndarray
) -> tuple[int, np.ndarray, np.ndarray]:
    """The first row of a decision on a board, the holes there, and the column of each in a row."""
    player, column = int(decision[PLAYER]), int(decision[COLUMN])
    held = game.hands[player]
    here = slice(int(held.begin[place]), int(held.begin[place + 1]))
    columns = held.bucket[here] if game.rows.buckets[r] else np.arange(here.stop - here.start)
    return int(first_row(game.rows, held, r, place, player, column)), held.hole[here], columns


def reach_to(game: RangeGame, strategy: np.ndarray, player: int, node: int) -> np.ndarray:
    """The probability that ``player`` plays its part of the way to ``node``: float64[n] by hand."""
    tree, hole = game.tree, game.hands[player].first
    reach = np.ones(len(hole))
    for before, below in reversed(tree.steps(node)):
        if tree.seat(before) == game.seats[player]:
            rows = strategy_at(tree, game.layout, strategy, before)
            reach *= rows[hole, below - int(tree.node[before, 1])]
    return reach


def facing(game: RangeGame, me: int, weight: np.ndarray) -> np.ndarray:
    """The ``weight`` float[m] of the other's hands that goes with each of mine: float64[n].

    Before the flop by the chance of the flops that both leave possible.
    """
    mine, theirs, dealt = game.hands[me], game.hands[1 - me], game.boards
    if len(game.board):
        return compatible(mine, theirs, weight)
    out = np.zeros(mine.begin[1])
    for place in range(dealt.first[1], dealt.first[2]):
        here, there = (slice(*of.begin[place : place + 2]) for of in (mine, theirs))
        left = compatible(mine, theirs, weight[theirs.up[there]], place)
        out[mine.up[here]] += left * dealt.chance[place] / dealt.group[place]
    renamed = mine.image[: mine.images[1]].reshape(-1, len(out))
    return out + sum(out[numbers] for numbers in renamed)


def _ranges(ranges: np.ndarray, ranks: int) -> np.ndarray:
    ranges = np.asarray(ranges, np.float64)
    if ranges.shape != (2, n_holes(ranks)):
        raise UserError(f"ranges: found shape {ranges.shape}, wanted (2, {n_holes(ranks)})")
    if not (np.isfinite(ranges).all() and (ranges >= 0).all()):
        raise UserError("ranges: wanted weights of 0 or more")
    return ranges


def players_of(tree: Tree) -> tuple[int, int]:
    """The seats of the two players left. Raises UserError for other trees, and for leaves."""
    kinds = kind_of(tree.node[:, 0])
    if (kinds > SIDEPOTS).any():
        raise UserError("tree with leaves: wanted one that goes to the end of the hand")
    masks = np.unique(tree.node[(kinds != DECISION) & (kinds != FOLDED), 3])
    seats = [s for s in range(tree.columns.shape[1]) if (masks >> s & 1).any()]
    if len(masks) != 1 or len(seats) != 2:
        raise UserError(f"tree of the players {seats}: wanted two, both of them left")
    return seats[0], seats[1]


def _rows(
    tree: Tree,
    seats: tuple[int, int],
    known: FollowingBoards,
    players: tuple[Hands, Hands],
    given: Buckets,
) -> HandRows:
    rounds = len(known.fan)
    # In one order of memory: kernels are compiled anew for another.
    columns = np.ascontiguousarray(tree.columns[:, seats], np.int64)
    buckets = np.zeros(rounds, np.int64)
    for r in range(min(rounds, len(given))):
        if given[r] is not None:
            first, last = known.first[r], known.first[r + 1]
            each = [h.bucket[h.begin[first] : h.begin[last]] for h in players]
            if min(of.min(initial=0) for of in each) < 0:
                raise ValueError(f"buckets of round {r}: found one below 0, wanted 0 or more")
            buckets[r] = 1 + max(of.max() for of in each)
    entries = [[h.begin[b] for b in known.first] for h in players]
    sizes = np.where(buckets[:, None] > 0, buckets[:, None], np.diff(entries).T) * columns
    # Rows by bucket come first.
    order = np.argsort(np.repeat(-buckets, 2), kind="stable")
    base = np.empty(2 * rounds, np.int64)
    base[order] = np.cumsum(sizes.ravel()[order]) - sizes.ravel()[order]
    base, shared = base.reshape(rounds, 2), int(sizes[buckets > 0].sum())
    base -= np.where(buckets[:, None] > 0, 0, np.array(entries).T[:-1] * columns)
    return HandRows(base, columns, buckets, shared, bool(buckets[1:].any()), int(sizes.sum()))


def compatible(mine: Hands, theirs: Hands, weight: np.ndarray, place: int = 0) -> np.ndarray:
    """The ``weight`` float[m] of ``theirs`` that share no card with each hand: float64[n].

    The hands are those on the board of ``place``.
    """
    here, there = (slice(*of.begin[place : place + 2]) for of in (mine, theirs))
    by_card = sum(np.bincount(cards[there], weight, 64) for cards in (theirs.low, theirs.high))
    own = np.append(weight, 0.0)[mine.same[here]]
    return weight.sum() - by_card[mine.low[here]] - by_card[mine.high[here]] + own
