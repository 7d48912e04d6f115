"""AIVAT of recorded hands, with the players' policies given for whole ranges.

An agent that searches has no table: it gives its policy for every hole at each of its decisions.
The terms are those of :mod:`.holdem`, with a probability for each particle instead of each bucket.

Actions need not be in the tree of the values. Payoffs are those of the real hand. Before its end it
has the value of its node by translation (to the likelier size), scaled by the pot; without a node,
that of its equity. A correction has expectation 0 as long as each child has one value and the
policy is the true one.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.abstraction.features_kernels import Deck
from sixmax.base.jit import read_only
from sixmax.betting.config import SEEN
from sixmax.betting.rules import ACTOR, FOLD, FOLDERS, PHASE, return_uncalled
from sixmax.betting.tree import SIDEPOTS
from sixmax.blueprint.run import Run
from sixmax.cards.deck import hole_cards, hole_id
from sixmax.evaluation.aivat import corrections, observer
from sixmax.evaluation.aivat.corrections import ACTION, CHANCE, COLUMNS
from sixmax.evaluation.aivat.holdem import dealt, ended, look_ahead, see, set_holdem, work_space
from sixmax.evaluation.aivat.observer import Observed
from sixmax.evaluation.aivat.playout import play_out
from sixmax.evaluation.aivat.scored_match import DRAWS
from sixmax.evaluation.aivat.values import Asked, Values, equity_over, root_means, worth
from sixmax.ongoing.hand import Hand
from sixmax.ongoing.policies import MatchGame, Policy


class Taken(NamedTuple):
    """A decision of a hand."""

    offered: Sequence[int]  # FOLD, CALL and raises-to, ascending, each once
    action: int  # that was taken
    rows: np.ndarray | None  # float64[holes, offered]: policy of each hole; None if unknown
    seen: bool = False  # whether rows depend on the hole held: search with frozen own actions

    @property
    def policy(self) -> np.ndarray:
        """The policy of each hole, which sums to 1: float64[holes, offered]."""
        total = self.rows.sum(axis=1, keepdims=True)
        return self.rows / np.where(total > 0, total, 1.0)


class _State:
    """A public state of a real hand, which does not change.

    node: with the same seats left and the same to act, or none; -1 without one
    same: whether the node's hand is the real one
    paid: int32[seats], chips put in, less an uncalled bet at the end
    """

    def __init__(self, hand: Hand):
        self._hand, self.betting = hand, hand.betting
        met = self.betting.over or hand.meet()
        alike = all(hand.mine[k] == hand.real[k] for k in (PHASE, FOLDERS, ACTOR))
        self.node = hand.node if met and alike else -1
        self.same = self.node >= 0 and np.array_equal(hand.mine, hand.real)
        self.paid = self.betting.contributed.astype(np.int32)
        if self.betting.over:
            return_uncalled(self.paid)

    def after(self, action: int) -> "_State":
        """After FOLD, CALL or a raise-to. Raises UserError for an illegal action."""
        hand = self._hand.copy()
        hand.act(action)
        return _State(hand)

    @property
    def won(self) -> bool:
        """Whether all but one have folded."""
        return self.betting.over and not self.betting.showdown

    def net(self, seat: int) -> float:
        """Net chips of ``seat`` where all but one have folded."""
        return float(self.betting.payoffs()[seat])

    def pots(self, values: Values) -> float:
        """The pot divided by that of the node."""
        return 1.0 if self.same else float(self.paid.sum()) / float(values.pot[self.node])

    def end_of(self, v: Observed) -> Observed:
        """``v`` in a tree whose root is this showdown: kernels read payoffs from a tree."""
        node = np.array([[SIDEPOTS, 0, 0, self.betting.contenders]], np.int32)
        paid = self.paid[None].copy()
        tree = self._hand.run.tree._replace(node=read_only(node), contributed=read_only(paid))
        return v._replace(m=v.m._replace(game=v.m.game._replace(tree=tree)))


class Recorded:
    """Scores hands of ``run`` one by one with ``values``.

    Play-outs use the policies ``believed``, of the hero and of the others, in ``match_game``;
    corrections of decisions their own rows alone.
    """

    def __init__(
        self, run: Run, match_game: MatchGame, values: Values, believed: tuple[Policy, Policy],
        draws: int = DRAWS,
    ):  # fmt: skip
        self._run, dealer, known = run, run.dealer, np.full(run.game.seats, True)
        mean = root_means(values, dealer, run.game.seats)
        self._match = observer.MatchConstants(match_game, values, *believed, known, mean)
        steps = observer.longest(match_game.tree.parent)
        self._cards, self._observer = work_space(
            self._match, steps, dealer.board_cards, dealer.tables,
            Deck(dealer.ranks, hole_cards(dealer.ranks)), draws,
        )  # fmt: skip

    def columns(
        self, cards: np.ndarray, hero: int, taken: Sequence[Taken], state: np.uint64
    ) -> np.ndarray:
        """Chips of seat ``hero`` by COLUMNS: float64[5].

        ``cards`` int8[2 seats + board] were dealt; ``taken`` are all decisions, up to the end or to
        the hero's fold, and the hero's have rows; ``state`` seeds the drawn boards. Raises
        UserError for an illegal action, ValueError for a hand that is not over.
        """
        s, c, out, r = self._observer, self._cards, np.zeros(len(COLUMNS)), 0
        c.dealt[:] = cards
        set_holdem(c, hero, s)
        v, at = Observed(self._match, hero, s), _State(Hand(self._run))
        corrections.begin(v, out)
        hole, seen = [hole_id(*pair) for pair in cards[: 2 * s.rank.size].reshape(-1, 2)], False
        for decision in taken:
            if at.betting.round > r:
                r += 1
                out[CHANCE] += self._dealt(v, at, r, state)
            seat, action = at.betting.actor, decision.action
            if seat == hero:
                if decision.seen and not seen:
                    out[CHANCE] += self._shown(v, at, r, hole[hero])
                    seen = True
                out[ACTION] += self._own_action(v, at, r, decision)
                if action == FOLD:
                    corrections.finish(-float(at.paid[hero]), -float(at.paid[hero]), out)
                    return out
                observer.spread_out(s, r)
            elif decision.rows is not None:
                out[ACTION] += self._others_action(v, at, r, decision, hole[seat])
            at = at.after(action)
        if not at.betting.over:
            raise ValueError(f"the hand ends where seat {at.betting.actor} is to act")
        if at.won:
            corrections.finish(at.net(hero), at.net(hero), out)
        else:
            ended(at.end_of(v), c, 0, r, state, out)
        return out

    def _dealt(self, v: Observed, at: _State, r: int, state: np.uint64) -> float:
        """The correction for the cards of round ``r``; drops the holes that they block."""
        s, c, x = v.s, self._cards, at.node
        if x < 0:
            s.ahead[0] = 0
            see(c, r, c.dealt[2 * s.rank.size :][: SEEN[r]], s)
            observer.keep(s, r)
            return 0.0
        correction = dealt(v, c, x, r, state) - corrections.value_of_cards(v, x, r)
        look_ahead(c, r, s)
        return correction * at.pots(v.m.values)

    def _shown(self, v: Observed, at: _State, r: int, hole: int) -> float:
        """Show the observer the hero's ``hole``; returns the correction for it."""
        s, n = v.s, int(self._cards.count[0])
        held = np.zeros(len(s.weight))
        held[np.flatnonzero(self._cards.hole[:n] == hole)] = 1.0
        correction = _value(v, at, r, s.weight) - _value(v, at, r, held)
        s.weight[:] = held
        observer.spread_out(s, r)
        return correction

    def _others_action(self, v: Observed, at: _State, r: int, decision: Taken, hole: int) -> float:
        """The correction for the action of another player, who has ``hole``."""
        expected, actual = 0.0, 0.0
        for action, chance in zip(decision.offered, decision.policy[hole], strict=True):
            if chance > 0.0 or action == decision.action:
                value = _value(v, at.after(action), r, v.s.weight)
                expected += chance * value
                if action == decision.action:
                    actual = value
        return expected - actual

    def _own_action(self, v: Observed, at: _State, r: int, decision: Taken) -> float:
        """The same for the hero's own action, over the range, which it narrows."""
        s, n = v.s, int(self._cards.count[0])
        weight = np.zeros((len(decision.offered), len(s.weight)))
        weight[:, :n] = (decision.policy[self._cards.hole[:n]] * s.weight[:n, None]).T
        expected, actual, range_after = 0.0, 0.0, None
        for action, part in zip(decision.offered, weight, strict=True):
            if (chance := part.sum()) <= 0.0:
                continue
            after = part / chance
            if action == FOLD:
                value = -float(at.paid[v.hero])
            else:
                value = _value(v, at.after(action), r, after)
            expected += chance * value
            if action == decision.action:
                actual, range_after = value, after
        if range_after is None:
            raise ValueError(
                f"action {decision.action} has probability 0 for every hole of the player"
            )
        s.weight[:] = range_after
        return expected - actual


def _value(v: Observed, at: _State, r: int, weight: np.ndarray) -> float:
    """The hero's value of ``at`` with the range ``weight`` and the cards of round ``r``."""
    (m, hero, s), z = v._replace(s=v.s._replace(weight=weight)), at.node
    if at.won:
        return at.net(hero)
    if at.betting.over and r == s.own.shape[0] - 1:
        return float(observer.mean_net(at.end_of(Observed(m, hero, s)), 0, r, s.every))
    held, put_in = weight > 0, float(at.paid[hero])
    mine = np.bincount(s.own[r, held], weight[held], len(s.spread))
    if z < 0:
        share = equity_over(m.values, at.betting.contenders, r, hero, mine, s.other)
        return float(float(at.paid.sum()) * share - put_in)
    if r > 0:
        v = play_out(Observed(m, hero, s), z, r, s.every)
    else:
        tree = m.game.tree
        acts = tree.is_decision(z) and tree.round(z) == r and tree.seat(z) == hero
        v = worth(m.values, Asked(z, hero, r, acts), mine, s.other)
    chips = float(m.values.chips[z, hero])
    return (v + chips) * at.pots(m.values) - (chips if at.same else put_in)
