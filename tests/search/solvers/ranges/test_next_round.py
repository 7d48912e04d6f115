"""A solution after the next card: strategies by listed deals, values by their mean."""

import numpy as np
import pytest

from oracles.cards import ends, holes
from search.solvers.ranges import small
from search.solvers.ranges.small import BOARDS, RANKS, H, small_ranges, small_tree
from sixmax.betting.rules import CALL
from sixmax.cfr.full import solve as listed
from sixmax.cfr.layout import infoset, strategy_at
from sixmax.cfr.methods import DCFR, LINEAR, PCFR_PLUS
from sixmax.search.constraints import FrozenRow
from sixmax.search.solvers.ranges.game import compatible, endgame
from sixmax.search.solvers.ranges.rows import first_row
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.search.solvers.ranges.tree_parts import COLUMN, NODE, PLAYER
from sixmax.search.solvers.ranges.values import action_values, values_by_hole

CHECKS = (CALL, CALL)


def turn(buckets=(), ranges=None):
    ranges = small_ranges() if ranges is None else ranges
    return endgame(small_tree(2), BOARDS[2], ranges, buckets, RANKS, every=True)


def cards():
    return [board[-1] for board in small.boards_after(BOARDS[2])[1]]


def test_after__every_card_has_the_rows_of_listed_deals():
    """After a bet and a call, where two iterations leave no longer the uniform strategy."""
    tree = small_tree(2)
    layout, deals = small.listed_game(2, small_ranges(), tree)
    expected = listed.solve(tree, layout, deals, 2, LINEAR)[2]
    solver = RangeSolver(turn(), LINEAR).run(2)
    path = (int(tree.action[tree.children(0)[-2]]), CALL)
    root = tree.find(path)
    met = 0
    for b, card in enumerate(cards()):
        twin = solver.after(root, card)
        actual, after = twin.strategy(), twin.game.tree
        for x in after.decision_nodes():
            node, seat = tree.find((*path, *after.path(x))), after.seat(x)
            dealt = np.unique(deals.bucket[:, seat, 1])
            holes = dealt[dealt // H == b] % H
            at = infoset(layout, 1, seat, b * H + holes[:, None], tree.node[node, 2])
            rows = expected[at + np.arange(len(tree.offered(node)))]
            own = strategy_at(after, twin.game.layout, actual, int(x))[holes]
            assert own == pytest.approx(rows, abs=1e-4)
            met += np.abs(rows - rows.mean(axis=1, keepdims=True)).max() > 0.1
    assert met > 3


def test_after__every_table_comes_along():
    """Also that of a predictive method: with the sums in its place both strategies are one."""
    solver = RangeSolver(turn(), PCFR_PLUS).run(4)
    root, card = solver.game.tree.find(CHECKS), cards()[2]
    average, last = (solver.after(root, card).strategy(flag) for flag in (False, True))
    assert np.abs(average - last).max() > 0.1
    for table in (solver.regret, solver.expected):
        table[:] = solver.total
    twin = solver.after(root, card)
    assert np.array_equal(twin.strategy(last=True), average)
    assert np.array_equal(twin.regret, twin.total)


def test_after__values_of_all_cards_make_those_of_the_round_before():
    """Where both always check before the card, its value is the mean over cards."""
    solver = RangeSolver(turn(), DCFR).run(20)
    game = solver.game
    for row in game.public.decisions:
        x, player = int(row[NODE]), int(row[PLAYER])
        if x not in (0, game.tree.find([CALL])):
            continue
        n = len(game.hands[player].first)
        at = first_row(game.rows, game.hands[player], 0, 0, player, int(row[COLUMN]))
        below = game.tree.offered(x)
        for a, action in enumerate(below):
            solver.total[at + a * n : at + (a + 1) * n] = action == CALL
    expected, root = values_by_hole(solver, 2, 0, False), game.tree.find(CHECKS)
    for me in (0, 1):
        whole, chance = np.zeros((2, H))
        for card in cards():
            twin = solver.after(root, card)
            values = values_by_hole(twin, 2, 0, False)[me]
            mine, theirs = twin.game.hands[me], twin.game.hands[1 - me]
            # Its range is scaled to 1 on the board: by the weight that the card leaves.
            left = small_ranges()[1 - me].astype(float)
            weight = left[theirs.first]
            share = compatible(mine, theirs, weight)
            chance[mine.first] += share
            whole[mine.first] += share * np.nan_to_num(values[mine.first])
        known = np.isfinite(expected[me])
        assert known.sum() > 20
        assert whole[known] / chance[known] == pytest.approx(expected[me, known], abs=1e-3)


def test_after__hands_that_shared_a_bucket_share_its_row():
    boards = small.boards_after(BOARDS[2])[1]
    given = np.random.default_rng(1).integers(0, 7, (len(boards), H)).astype(np.int32)
    solver = RangeSolver(turn((None, given)), LINEAR).run(30)
    root, b = solver.game.tree.find(CHECKS), 3
    twin = solver.after(root, boards[b][-1])
    rows = strategy_at(twin.game.tree, twin.game.layout, twin.strategy(), 0)
    holes = twin.game.hands[twin.game.tree.seat(0)].first
    for bucket in range(7):
        same = rows[holes[given[b, holes] == bucket]]
        assert (same == same[0]).all()
    assert len(np.unique(rows[holes], axis=0)) == 7


def test_after__a_card_that_a_whole_range_holds_leaves_no_nan():
    ranges = np.zeros((2, H))
    ranges[0] = 1
    held = [h for h in range(H) if h in turn().hands[0].first]
    ranges[1, held[0]] = 1
    solver = RangeSolver(turn(ranges=ranges), DCFR).run(5)
    low = int(solver.game.hands[1].low[0])
    if low not in cards():
        low = int(solver.game.hands[1].high[0])
    twin = solver.after(solver.game.tree.find(CHECKS), low)
    assert np.isfinite(twin.strategy()).all()


def check_down(weight):
    """Net chips of each hand in a pot of 20 that is checked down, against ``weight`` float[H]."""
    of, out = holes(RANKS), np.full(H, np.nan)
    for hand, (left, won) in ends(BOARDS[1], dict(zip(of, weight, strict=True)), RANKS).items():
        out[of.index(hand)] = 10 * (2 * won - left) / left
    return out


def test_action_values__keep_the_rows_that_are_frozen():
    """The second player checks behind with every hand, as frozen, though it learned to bet."""
    tree, ranges = small_tree(1), small_ranges()
    game = endgame(tree, BOARDS[1], ranges, ranks=RANKS)
    check = tree.offered(0).index(CALL)
    behind = tree.children(0)[check]
    row = np.array([float(action == CALL) for action in tree.offered(behind)])
    frozen = [FrozenRow(behind, int(hole), row) for hole in game.hands[1].first]
    values, _ = action_values(RangeSolver(game, frozen=frozen).run(100), 0)
    held = np.isfinite(values[check])
    assert held.sum() > 10
    np.testing.assert_allclose(values[check, held], check_down(ranges[1])[held], atol=1e-4)
    free, _ = action_values(RangeSolver(game).run(100), 0)
    assert np.nanmax(np.abs(free[check] - values[check])) > 1
