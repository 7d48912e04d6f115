"""What the fast reader finds in many lines at once, put into a tally."""

from typing import NamedTuple

import numpy as np

from sixmax.evaluation.hands import all_in
from sixmax.evaluation.hands.record import Record, big_blind
from sixmax.evaluation.hands.tally import Tally, label
from sixmax.evaluation.scores.statistics import Sums
from sixmax.game.config import GameConfig

LINES = 1 << 14  # lines checked at once


class Room(NamedTuple):
    """What the kernel writes of ``LINES`` lines."""

    kind: np.ndarray
    place: np.ndarray
    net: np.ndarray
    name: np.ndarray
    span: np.ndarray

    @classmethod
    def of(cls, seats: int) -> "Room":
        return cls(
            np.empty(LINES, np.uint8),
            np.empty((LINES, 2), np.int64),
            np.empty((LINES, seats)),
            np.empty((LINES, seats), np.uint64),
            np.empty((LINES, seats, 2), np.int64),
        )


def add_up(
    rows: np.ndarray, block: bytes, room: Room, names: dict[int, str], game: GameConfig,
    tally: Tally, called: list[str] | None = None,
) -> dict[str, float]:  # fmt: skip
    """Add up what the players won in the good lines ``rows``, and return their chips by name.

    ``called`` are the names of players who are numbers in the lines.
    """
    won: dict[str, float] = {}
    if not len(rows):
        return won
    tally.hands += len(rows)
    at = label(game)
    net = room.net[rows].ravel()
    found, first, which = np.unique(room.name[rows], return_index=True, return_inverse=True)
    chips = np.bincount(which.ravel(), net)
    which, mbb = _by_hand(which.reshape(len(rows), game.seats), net * (1000 / big_blind(game)))
    spans = room.span[rows].reshape(-1, 2)
    hands, total = np.bincount(which), np.bincount(which, mbb)
    square = np.bincount(which, mbb * mbb)
    for k, key in enumerate(found.tolist()):
        if key not in names:
            a, b = spans[first[k]]
            name = block[a:b].decode("utf-8", "replace")
            names[key] = name if called is None else called[int(name)]
        tally.won(at, names[key], Sums(int(hands[k]), float(total[k]), float(square[k])))
        won[names[key]] = won.get(names[key], 0.0) + float(chips[k])
    return won


def _by_hand(which: np.ndarray, mbb: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Who won what in a hand, flat: the mean over the seats of a player who has more than one.

    ``which`` is int[hands, seats], the players; their hands, not their seats, are independent.
    """
    near = np.sort(which, axis=1)
    if not (near[:, 1:] == near[:, :-1]).any():
        return which.ravel(), mbb
    players = which.max() + 1
    key = which + players * np.arange(len(which))[:, None]
    key, at, seats = np.unique(key, return_inverse=True, return_counts=True)
    return key % players, np.bincount(at.ravel(), mbb) / seats


def count(hand: Record, net: np.ndarray, where: str, boards: int | None, tally: Tally) -> None:
    """Put one hand into ``tally``, whose payoffs the rules say are ``net``.

    Raises UserError for an all-in pot that cannot be averaged over ``boards``.
    """
    chips = hand.payoffs if boards is None else all_in.expected(hand, boards, hand.number)
    tally.hand(hand, net, where, chips * (1000 / big_blind(hand.rules)))
