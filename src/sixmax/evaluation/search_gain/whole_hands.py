"""The gain of search in every round: whole hands, in expectation over private hands.

The gain telescopes over the rounds. The term of round r compares searching in round r, with the
blueprint after it, to the blueprint from round r on, at the states that a player reaches who has
searched in all rounds before r. Each term is an expectation over the hands that everybody may hold
there (:mod:`sixmax.evaluation.search_gain.one_round`). Only the betting and the board are sampled,
by playing a hand: the searching player by its search, the others by the blueprint. It may go on in
several ways into a round, whose mean counts. The mean over hands is the win rate of one searching
player among copies of the blueprint, the same number as that of
:mod:`sixmax.evaluation.search_gain.duel`, without any assumption.

The reach probabilities tracked here are the true ones, and differ from the beliefs of the searching
player, who takes the others to play its average strategy and plays the last iterate itself. Where a
round goes on beyond the leaves of its subgame (after the second raise on a flop with three
players), the searching player plays the blueprint for the rest of the round.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.rng import child, unit
from sixmax.betting.config import ROUNDS, SEEN
from sixmax.betting.rules import FOLD
from sixmax.blueprint.run import Run
from sixmax.evaluation.search_gain.one_round import gain
from sixmax.evaluation.search_gain.round_tree import STRATEGIES, round_tree, standing
from sixmax.ongoing.bayes import after_action, after_cards
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchResult, pick
from sixmax.search.solvers.deal import SubgameDealer, holes_of
from sixmax.search.subgame import SubgameCards

RIVER = 3
ONE_WAY = (1, 1, 1, 1)  # into each round


class Measurement(NamedTuple):
    """Parameters of a measurement: so many ``deals`` are scored in each round.

    A hand goes on in ``branches[r]`` ways into round r, and the mean of them counts: later rounds
    bring most of the luck, and the searches before them are then made once.
    """

    run: Run
    policy: np.ndarray  # uint8[layout.size], the blueprint's
    deals: int
    branches: Sequence[int] = ONE_WAY


def gains(
    measurement: Measurement, hand: PublicHand, seat: int, seed: int, rounds: int = RIVER + 1
) -> np.ndarray:
    """The chips that ``seat`` gains by searching from ``hand`` on: float64[STRATEGIES, rounds].

    The first of the strategies is played in all rounds before; the others share its hands. ``hand``
    begins a round and is not changed. At most ``rounds`` rounds are followed; 1 is the gain of
    searching in this round alone.
    """
    hand = hand.copy(seat)
    return _from(measurement, hand, hand.beliefs(), seat, seed, rounds)


def _from(
    measurement: Measurement, hand: PublicHand, truth: np.ndarray, seat: int, seed: int, rounds: int
) -> np.ndarray:
    """The same where ``truth`` float64[seats, holes] are the hands that all really bring."""
    run, policy, deals, branches = measurement
    won, in_round = np.zeros((len(STRATEGIES), len(ROUNDS))), hand.betting.round
    work = int(child(seed, "round", in_round))
    around = round_tree(hand, truth, seat)
    for k, strategy in enumerate(STRATEGIES):
        chips = gain(run, policy, around, truth, deals, work, strategy)
        won[k, in_round] = chips[:, seat].mean()
    if in_round == RIVER or rounds == 1:
        return won
    ways = branches[in_round + 1]
    dealer = SubgameDealer(truth, hand.board, 1, SubgameCards(run.ranks, run.buckets))
    cards = dealer.cards(child(work, "way"), 0, ways)
    for way in range(ways):
        # The first way has the seeds of a hand that goes on in one.
        own = seed if way == 0 else int(child(seed, "branch", in_round, way))
        draws = int(child(own, "round", in_round))
        twin, dealt = hand.copy(), cards[way : way + 1]
        reach = _play_round(twin, seat, truth, dealt, draws)
        if twin.betting.over or not twin.betting.contenders >> seat & 1:
            continue
        board = dealt[0, 2 * run.game.seats :][: SEEN[twin.betting.round]]
        twin.deal(board[len(twin.board) :])
        reach = after_cards(reach, board, run.ranks)
        won += _from(measurement, twin, reach, seat, own, rounds - 1) / ways
    return won


def _play_round(
    hand: PublicHand, seat: int, truth: np.ndarray, cards: np.ndarray, seed: int
) -> np.ndarray:
    """Play ``hand`` with the holes of ``cards`` to the end of its round or a fold of ``seat``.

    Returns the reach of every hole after it, float64[seats, holes].
    """
    holes, draws = holes_of(cards, hand.game.seats)[0], 0
    result: SearchResult | None = hand.search()
    while not (hand.betting.over or hand.needs_cards):
        actor = hand.betting.actor
        if result is not None:
            result = standing(hand, result, actor == seat)
        searched = actor == seat and result is not None
        play = result.play(tuple(hand.rounds[-1].done)) if searched else hand.blueprint()
        a = pick(play.played[holes[actor]], unit(child(seed, "act", draws)))
        draws += 1
        truth = after_action(truth, actor, play.played[:, a])
        hand.act(play.offered[a])
        if actor == seat and play.offered[a] == FOLD:
            break
    return truth
