"""Predictions of Pluribus's decisions by a player in its place, and four measures of them.

The player follows the real hand action by action, so that raises are translated as at the table
(:mod:`sixmax.ongoing.translate`), and is asked with Pluribus's cards before each of its actions.

*loss*: minus the logarithm of the probability that was given to the kind of action chosen, in
nats. # ASSUME a policy of 255ths knows no chance below half of one: each kind that is legal gets
FLOOR more before the shares are made to sum to 1, so that no loss is infinite. A strategy that is
all but pure is judged by this floor alone wherever it is wrong, so three measures stand beside it
that are not: *mixed*, the loss of a player who acts at random in one decision of twenty (a share
fixed beforehand); *brier*, the squared distance between the probabilities and the action, 0 to
2 (Brier 1950); *agreement*, the percentage of decisions whose kind was the likeliest one.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sixmax.base.progress import Done, quiet
from sixmax.base.rng import child
from sixmax.betting.notation import form
from sixmax.blueprint.run import Run
from sixmax.cards.deck import classes, parse_cards
from sixmax.evaluation.pluribus.decisions import KINDS, PlayedDecision
from sixmax.scores.statistics import Sums, interval
from sixmax.search.config import SearchConfig
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchFunction

FLOOR = 1 / 512  # added to the probability of each kind that is legal
RANDOM_SHARE = 0.05  # of the decisions of the player whose loss is "mixed"; chosen, not fitted
MEASURES = ("loss", "mixed", "brier", "agreement")
# The reason of a loss, the first that holds.
CASES = {
    "silent": "the tree offers one kind alone where Pluribus had a choice",
    "absent": "the tree does not offer the kind that Pluribus chose",
    "never": "offered, and the strategy never takes it with this hand",
    "sometimes": "the strategy takes it with this hand, always or sometimes",
}


class Predicted(NamedTuple):
    """Probabilities of fold, check or call, and raise (of any size), by decision."""

    kinds: np.ndarray  # float64[decisions, 3]: rows sum to 1
    offered: np.ndarray  # bool[decisions, 3]: whether the player has such an action at all

    def at(self, index: np.ndarray | list[int]) -> "Predicted":
        """The same of some decisions alone: ``index`` int[n], or bool[decisions]."""
        return Predicted(self.kinds[index], self.offered[index])


def predicted(
    run: Run, policy: np.ndarray, decisions: list[PlayedDecision], config: SearchConfig,
    searcher: SearchFunction, seed: int, progress: Done = quiet,
) -> Predicted:  # fmt: skip
    """The prediction of the run's player at each decision; ``progress`` counts hands.

    ``decisions`` are in the order of play, hand by hand. Random numbers, as of translation, depend
    on the seed and the hand alone.
    """
    shape = len(decisions), len(KINDS)
    prediction = Predicted(np.zeros(shape), np.zeros(shape, bool))
    hand, record = None, None
    for i, decision in enumerate(decisions):
        if decision.record is not record:
            record, done = decision.record, 0
            own = int(child(seed, "pluribus", form(record)))
            hand = PublicHand(run, policy, config, searcher, own)
            actions = [a for part in record.actions for a in part]
            turns = hand.decisions(parse_cards("".join(record.boards)))
            progress(1)
        for action in actions[done : decision.at]:
            next(turns)
            hand.act(action)
        next(turns)
        done = decision.at
        play = hand.play()
        kind = np.minimum(np.array(play.offered), 1) + 1
        np.add.at(prediction.kinds[i], kind, play.rows[decision.hole])
        prediction.offered[i, kind] = True
    return prediction


def scores(
    decisions: list[PlayedDecision], players: dict[str, np.ndarray], itself: str | None = None
) -> dict[str, dict[str, Any]]:
    """Figures by measure and by player; ``players`` give probabilities float64[decisions, 3].

    The row "itself" is the expected score of the player ``itself``, had it made the decisions.
    """
    table: dict[str, dict[str, Any]] = {name: {} for name in MEASURES}
    hand = _hands(decisions)
    for player, kinds in players.items():
        for name, (each, own) in _measured(decisions, kinds).items():
            table[name][player] = figures(each, hand)
            if player == itself:
                table[name]["itself"] = figures(own, hand)
    return table


def difference(
    decisions: list[PlayedDecision], kinds: np.ndarray, baseline: np.ndarray
) -> dict[str, Any]:
    """Figures by measure of the scores of ``kinds`` less those of ``baseline``."""
    first, second = _measured(decisions, kinds), _measured(decisions, baseline)
    hand = _hands(decisions)
    return {name: figures(first[name][0] - second[name][0], hand) for name in MEASURES}


def _measured(
    decisions: list[PlayedDecision], kinds: np.ndarray
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """By measure the score of each decision, and its expectation if ``kinds`` were the policy."""
    legal = uniform(decisions) > 0
    took = np.eye(len(KINDS))[[d.kind for d in decisions]].reshape(-1, len(KINDS))
    share, even = _shares(kinds, legal), _shares(np.ones_like(kinds), legal)
    best = share >= share.max(axis=1, keepdims=True, initial=0)
    with np.errstate(divide="ignore"):
        measures = {  # were each kind the one chosen: float64[decisions, 3]
            "loss": -np.log(_shares(share + FLOOR, legal)),
            "mixed": -np.log((1 - RANDOM_SHARE) * share + RANDOM_SHARE * even),
            "brier": (share**2).sum(axis=1, keepdims=True) - 2 * share + 1,
            "agreement": 100 * best / best.sum(axis=1, keepdims=True),
        }
    allowed = {name: np.where(legal, each, 0) for name, each in measures.items()}
    return {n: ((m * took).sum(axis=1), (m * share).sum(axis=1)) for n, m in allowed.items()}


def _shares(kinds: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """``kinds`` where they are legal, rows made to sum to 1."""
    kept = kinds * legal
    return kept / kept.sum(axis=1, keepdims=True)


def figures(values: np.ndarray, hand: np.ndarray) -> dict[str, Any]:
    """Mean of ``values`` float64[decisions], with standard error and interval; None for few.

    ``hand`` int64[decisions] numbers the hands, which are the samples: decisions of a hand share
    its cards. The mean is a ratio of two sums over hands, its variance by linearisation (Cochran,
    Sampling Techniques, 1977, section 6.3), the interval Student's t.
    """
    n, of_hand = values.size, np.bincount(hand)
    if n == 0:
        return {"mean": None, "standard_error": None, "interval": None, "n": 0, "hands": 0}
    mean, hands = float(values.mean()), of_hand.size
    apart = np.bincount(hand, values) - mean * of_hand  # less the mean of a hand of that length
    sums = Sums.of(mean + apart * hands / n)
    return {
        "mean": mean,
        "standard_error": sums.standard_error if hands > 1 else None,
        "interval": list(interval(sums)) if hands > 1 else None,
        "n": n,
        "hands": hands,
    }


def _hands(decisions: list[PlayedDecision]) -> np.ndarray:
    """The hand of each decision, numbered in their order: int64[decisions]."""
    seen: dict[int, int] = {}
    return np.array([seen.setdefault(id(d.record), len(seen)) for d in decisions], np.int64)


def cases(decisions: list[PlayedDecision], agent: Predicted) -> dict[str, dict[str, float | int]]:
    """By each of CASES: the number of decisions, and their part of the mean loss."""
    legal = uniform(decisions) > 0
    at, kind = np.arange(len(decisions)), np.array([d.kind for d in decisions], np.int64)
    loss, _ = _measured(decisions, agent.kinds)["loss"]
    silent = (agent.offered.sum(axis=1) == 1) & (legal.sum(axis=1) > 1)
    absent, never = ~agent.offered[at, kind], agent.kinds[at, kind] == 0
    which = np.select([silent, absent, never], [0, 1, 2], 3)
    return {
        name: {
            "decisions": int((which == k).sum()),
            "of_loss": float(loss[which == k].sum() / max(len(decisions), 1)),
        }
        for k, name in enumerate(CASES)
    }


def uniform(decisions: list[PlayedDecision]) -> np.ndarray:
    """The prediction from the rules alone, uniform over legal kinds: float64[decisions, 3]."""
    return np.array([d.legal for d in decisions], np.float64).reshape(-1, len(KINDS))


def by_frequency(
    decisions: list[PlayedDecision], key: Callable[[PlayedDecision], Any]
) -> np.ndarray:
    """The prediction from Pluribus's own frequencies by ``key``: float64[decisions, 3].

    It is in sample, so no prediction from this key alone has a lower loss.
    """
    seen = _counted(decisions, key)
    return np.array([seen[key(d)] for d in decisions]).reshape(-1, len(KINDS))


def left_out(decisions: list[PlayedDecision]) -> np.ndarray:
    """The prediction by seat and class from all other decisions: float64[decisions, 3].

    Frequencies by seat, with one more decision of each kind, count as one decision of the class.
    """
    by_seat = _counted(decisions, lambda d: d.seat)
    by_class = _counted(decisions, seat_and_class)
    shares = np.empty((len(decisions), len(KINDS)))
    for i, d in enumerate(decisions):
        itself = np.eye(len(KINDS))[d.kind]
        seat = by_seat[d.seat] - itself + 1
        shares[i] = by_class[seat_and_class(d)] - itself + seat / seat.sum()
    return shares


def seat_and_class(decision: PlayedDecision) -> tuple[int, int]:
    """The seat, and the class of the cards held there."""
    return decision.seat, int(classes(13)[decision.hole])


def _counted(
    decisions: list[PlayedDecision], key: Callable[[PlayedDecision], Any]
) -> dict[Any, np.ndarray]:
    """The counts of the kinds chosen, by ``key``."""
    seen: dict[Any, np.ndarray] = {}
    for d in decisions:
        seen.setdefault(key(d), np.zeros(len(KINDS)))[d.kind] += 1
    return seen
