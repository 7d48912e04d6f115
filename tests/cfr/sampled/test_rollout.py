"""Leaves: the kernels on a tree that ends early, against walking on by hand."""

import math

import numpy as np
import pytest

from cfr.games import OFF, PLAIN, learner, random_regrets, run
from oracles.cfr import Twin, net_chips
from sixmax.base.jit import read_only
from sixmax.base.rng import step, stream
from sixmax.betting.leaf_choices import ALL_SEATS
from sixmax.betting.rules import begin
from sixmax.betting.sizing import sizes
from sixmax.betting.tree import CHOICE, LEAF, is_decision, kind_of, n_actions, round_of, seat_of
from sixmax.betting.tree_build import WHOLE, build, build_from
from sixmax.cfr.layout import layout
from sixmax.cfr.packed_actions import bit_layout, read_action
from sixmax.cfr.sampled.average import turns
from sixmax.cfr.sampled.leaves import Beyond, LeafDeal, leaf_value
from sixmax.cfr.sampled.log import apply_log, new_log
from sixmax.cfr.sampled.train import FrozenRegrets, Training, new_table, train
from sixmax.continuation.compress import pack
from sixmax.continuation.generate import Continuation, biased
from sixmax.games import GAMES
from sixmax.search.solvers.deal import SearchDeals

pytestmark = pytest.mark.usefixtures("one_thread")
SEED = np.uint64(11)


class Leduc:
    """The first round of Leduc poker, with leaves that lead into the whole game."""

    def __init__(self, seats=2, choices=4, choosers=ALL_SEATS):
        game = GAMES["leduc"].config(seats)
        self.whole, dealt = build(game), GAMES["leduc"].deals(seats)
        regret_layout = layout(self.whole, list(dealt.buckets))
        policy = np.random.default_rng(2).integers(1, 60, regret_layout.size).astype(np.uint8)
        four = biased(policy, 5.0)
        more = [Continuation(f"raises {k}", policy, 1, k) for k in range(7, 3 + choices)]
        self.packed = pack(self.whole, regret_layout, (four + more)[:choices], 3)
        self.width = math.ceil(math.log2(choices))
        self.bits = bit_layout(self.whole, regret_layout)[0]
        scope = WHOLE._replace(rounds=1, choices=choices, choosers=choosers)
        self.tree = build_from(begin(game), sizes(game), scope)
        self.layout = layout(self.tree, list(dealt.buckets[:1]))
        rows = len(self.tree.contributed)
        number = np.zeros(rows, np.int64)
        for x in np.flatnonzero(kind_of(self.tree.node[:, 0]) == LEAF):
            taken = [a for a in self.tree.path(x) if a > CHOICE]
            number[self.tree.node[x, 1]] = self.whole.find(taken)
        self.tree = self.tree.with_leaves(number)
        ratio = np.linspace(0.5, 2.0, rows)  # as if pots were others than in the whole game
        self.beyond = Beyond(
            self.whole.node, self.whole.contributed, *self.bits, read_only(self.packed),
            self.tree.contributed.copy(), ratio, self.width,
        )  # fmt: skip
        chips = self.tree.contributed * ratio[:, None]
        self.tree = self.tree._replace(contributed=read_only(np.rint(chips).astype(np.int32)))
        draw = np.random.default_rng(4).choice(len(dealt.rank), 60, replace=False)
        self.deals = SearchDeals(dealt.bucket[draw][:, :, :1].copy(), dealt.rank[draw],
                                 dealt.bucket[draw])  # fmt: skip

    def value(self, x, deal):
        """Net chips of all seats at LEAF ``x``, by hand."""
        _, row, at, choices = self.tree.node[x]
        while is_decision(self.whole.node[at, 0]):
            head, child = self.whole.node[at, 0], self.whole.node[at, 1]
            p, r, n = seat_of(head), round_of(head), n_actions(head)
            bit = self.bits.base[r, p] + self.deals.future[deal, p, r] * self.bits.columns[r, p]
            strategy = self.packed[choices >> self.width * p & (1 << self.width) - 1]
            at = child + read_action(strategy, bit + self.bits.slot[at], n)
        net = net_chips(self.whole, at, self.deals.rank[deal, 0])
        scale = self.beyond
        return (net + scale.chips[row]) * scale.ratio[row] - self.tree.contributed[row]


class LeafTwin(Twin):
    """The slow traversal, with leaves."""

    def __init__(self, game, regret, deal):
        super().__init__(game.tree, game.layout, regret, OFF, 1000.0, 1)
        self.game, self.deal = game, deal

    def traverse(self, x, me, bucket, rank, prune):
        if kind_of(self.tree.node[x, 0]) == LEAF:
            return self.game.value(x, self.deal)[me]
        return super().traverse(x, me, bucket, rank, prune)


@pytest.fixture(scope="module")
def leduc():
    return Leduc()


@pytest.mark.parametrize(
    ("choices", "choosers"), [(4, ALL_SEATS), (1, ALL_SEATS), (6, ALL_SEATS), (13, 0b10)]
)
def test_leaf_value__is_the_hand_played_on_by_hand(choices, choosers):
    leduc = Leduc(2, choices, choosers)
    leaves = np.flatnonzero(kind_of(leduc.tree.node[:, 0]) == LEAF)
    met, net = 0, np.empty(2)
    for i, x in enumerate(leaves):
        deal, row = i % 60, leduc.tree.node[x, 1]
        expected = leduc.value(x, deal)
        for p in range(2):
            dealt = LeafDeal(leduc.deals.rank[deal], leduc.deals.future[deal])
            actual = leaf_value(leduc.beyond, leduc.tree, x, p, dealt, net)
            assert actual == pytest.approx(expected[p], abs=1e-9)
            met += actual != 0
        real = leduc.tree.contributed[row].sum()
        rounding = leduc.beyond.chips[row].sum() * leduc.beyond.ratio[row] - real
        assert expected.sum() == pytest.approx(rounding)
    assert met > 50 or choices == 1
    chosen = {tuple(a for a in leduc.tree.path(x) if a <= CHOICE) for x in leaves}
    assert len(chosen) == choices ** bin(choosers & 3).count("1")


def test_batch__with_leaves_equals_the_slow_twin(leduc):
    regret, seats = random_regrets(leduc.layout.size), 2
    log = new_log(16384, 16384, 8)
    read = learner(leduc.tree, leduc.layout, OFF, SEED, count_every=0, leaves=leduc.beyond)
    assert run(read, regret, leduc.deals, log, parts=2)
    gain = np.zeros(regret.size, np.int32)
    apply_log(gain, np.zeros(regret.size, np.int32), log, -(2**31) + 1, 1)
    expected = np.zeros(regret.size, np.int64)
    with np.errstate(over="ignore"):
        for i in range(len(leduc.deals.rank) * seats):
            deal, me = i // seats, i % seats
            twin = LeafTwin(leduc, regret, deal)
            start = np.uint64(stream(SEED, np.uint64((1 + deal) * seats + me)))
            twin.state = np.uint64(step(start))
            twin.traverse(0, me, leduc.deals.bucket[deal], leduc.deals.rank[deal], False)
            expected += twin.gain
    assert np.abs(expected).max() > 1000
    assert np.abs(gain - expected).max() <= 1


def test_turns__count_a_choice_that_nodes_share_once(leduc):
    """Of a leaf's nodes of the later players, who cannot see what the earlier ones chose."""
    own = turns(leduc.tree, 1)
    slots = own.turn[:, 1]
    heads = leduc.tree.node[:, 0]
    decisions = np.flatnonzero(is_decision(heads))
    different = {(int(seat_of(heads[x])), int(leduc.tree.node[x, 2])) for x in decisions}
    assert len(slots) == len(different) < len(decisions)


class Fixed:
    """A dealer that repeats the deals of a game."""

    def __init__(self, deals):
        self.deals, self.buckets = deals, [1]

    def deal(self, seed, first, n):
        at = np.arange(first, first + n) % len(self.deals.rank)
        return SearchDeals(*(part[at] for part in self.deals))


def test_train__frozen_rows_do_not_learn_and_the_others_answer_to_them(leduc):
    schedule = PLAIN._replace(batch=20, discount_every=100, discount_until=900, scale=10.0)
    frozen = FrozenRegrets(np.arange(3), np.array([0, 10**6, 0], np.int32))
    tables = []
    for rows in (None, frozen):
        table = new_table(leduc.layout)
        if rows is not None:
            table.regret[frozen.at] = frozen.regret
        training = Training(
            leduc.tree, leduc.layout, Fixed(leduc.deals), table, schedule, 1, leduc.beyond, rows
        )  # fmt: skip
        train(training, 1, 1000)
        tables.append(table.regret)
    free, fixed = tables
    assert np.array_equal(fixed[frozen.at], frozen.regret)
    assert not np.array_equal(free[frozen.at], frozen.regret)
    assert not np.array_equal(free[3:], fixed[3:])
