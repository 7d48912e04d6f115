"""Hands of a table of agents, and the *Control*: the hand again with a copy in one's seat.

Supplement, "Variance reduction via AIVAT": each hand is replayed with a copy of the other agent in
the seat of the player who is measured, and its winnings are subtracted. Among copies of itself
it wins nothing on average, so this changes no expectation; where both would have done the same, the
luck of the cards cancels.

Cards and draws are those of :mod:`sixmax.evaluation.match.duplicate`. So a hand in which both fold
in the first round after the same actions counts zero by itself; the supplement has a rule for that.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.rng import child
from sixmax.cfr.deals import Dealer
from sixmax.evaluation.match.play import play_hands
from sixmax.ongoing.policies import MatchGame, Policy


class Played(NamedTuple):
    """Hands of ``n`` deals, each played ``k`` times; places are those of the line-up.

    net, control: float64[n, k, places]   chips won in each place, and by the Control in its seat
    alike: bool[n, k]   place 0 and its Control fold in the first round after the same actions
    end: int64[n, k]    the terminal node of each hand; none where the betting left the tree
    beside: int64[n]    that of the hand of Controls alone
    """

    net: np.ndarray
    control: np.ndarray
    alike: np.ndarray
    end: np.ndarray | None = None
    beside: np.ndarray | None = None


def turns(seats: int, first: int, n: int, every: bool) -> np.ndarray:
    """The seats that the players have moved on in each hand of deals ``first`` …: int64[n, k].

    ``every`` plays each deal from all seats; otherwise from one, the next with the next deal.
    """
    if every:
        return np.tile(np.arange(seats), (n, 1))
    return (np.arange(first, first + n) % seats)[:, None]


def play(
    team: tuple[Policy, ...],
    lineup: np.ndarray,
    turn: np.ndarray,
    control: int,
    game: MatchGame,
    dealer: Dealer,
    seed: int,
    first: int,
) -> Played:
    """Play deals ``first`` … of ``seed``, and each once more with the Control in all seats.

    ``team[lineup[i, m]]`` plays place m of deal i and sits in seat (m + turn[i, j]) % seats in its
    hand j; ``team[control]`` is the Control. ``lineup`` is int64[n, seats], ``turn`` int64[n, k].
    """
    n, seats = lineup.shape
    dealt = dealer.deal(child(seed, "deals"), first, n)
    hands = play_hands(team, lineup, turn, game, dealt, seed, first)
    same, still = np.full((n, seats), control), np.zeros((n, 1), np.int64)
    copies = play_hands(team, same, still, game, dealt, seed, first)
    seat = (np.arange(seats) + turn[..., None]) % seats  # of each place: [n, k, places]
    beside = np.take_along_axis(copies.net, seat, axis=2)
    alike = (hands.left >= 0) & (hands.left == np.take_along_axis(copies.left, seat, axis=2))
    return Played(hands.net, beside, alike[..., 0], hands.end, copies.end[:, 0])
