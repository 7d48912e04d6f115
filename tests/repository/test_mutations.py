"""The bugs of other systems, planted in a copy of the package: a test of ours must fail.

docs/traps.md says which bug is caught where. A mutation replaces one piece of source that occurs
once in the package; the named test then runs in a process of its own. Without the compiler, where
that is quicker than compiling.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numba
import pytest

ROOT = Path(__file__).parents[2]
RANGES = "tests/search/solvers/ranges"
MCCFR, TRAIN = "tests/cfr/sampled/test_batch.py", "tests/cfr/sampled/test_train.py"


class Mutation(NamedTuple):
    """``old`` becomes ``new``; ``test`` must notice. ``jit``: with the compiler, which is slow;
    ``threads``: it shows only where there are so many."""

    name: str
    old: str
    new: str
    test: str
    jit: bool = False
    threads: int = 1


LAST = """traversals += iterations * seats
        if (factor := discounts.get(t + iterations - 1)) is not None:"""
VISITED = """
            rows = [
                (row // 16 + k, factor)
                for c in range(len(log.row))
                for row in log.row[c, : log.used[c, 0]]
                for k in range(row % 16 + 1)
            ]
            for at, by in dict(rows).items():
                table.regret[at] = np.rint(table.regret[at] * by)"""

QUICK = [
    Mutation(
        "only the last seat is updated",
        "deal, me = i // seats, i % seats\n",
        "deal, me = i // seats, seats - 1\n",
        f"{MCCFR}::test_batch__moves_the_regrets_of_every_seat",
    ),
    Mutation(
        "discounting never runs, by precedence",
        "if t < self.discount_until and t % self.discount_every == 0:",
        "if t < self.discount_until & t % self.discount_every == 0:",
        "tests/cfr/sampled/test_schedule.py::test_discount_factor__after_n_intervals_is_its_closed_form",
    ),
    Mutation(
        "discounting never runs, seen in training",
        "if t < self.discount_until and t % self.discount_every == 0:",
        "if t < self.discount_until & t % self.discount_every == 0:",
        f"{TRAIN}::test_discount__linear_until_its_end_and_for_infosets_never_visited",
    ),
    Mutation(
        "only what the last batch visited is discounted",
        LAST + "\n            discount(table.regret, factor)",
        LAST + VISITED,
        f"{TRAIN}::test_discount__linear_until_its_end_and_for_infosets_never_visited",
    ),
    Mutation(
        "pruning in 5 % of the iterations",
        "unit(state) < pruning.share",
        "unit(state) >= pruning.share",
        f"{MCCFR}::test_pruning__on_its_share_of_iterations_and_for_the_whole_iteration",
    ),
    Mutation(
        "pruning drawn for each node",
        "            elif prune and round_of(head) != last_round:",
        "            elif unit(~(state + np.uint64(x))) < pruning.share"
        " and round_of(head) != last_round:",
        f"{MCCFR}::test_pruning__on_its_share_of_iterations_and_for_the_whole_iteration",
    ),
    Mutation(
        "pruning on the river",
        "if prune and round_of(head) != last_round:",
        "if prune:",
        f"{MCCFR}::test_pruning__never_on_the_last_round_nor_for_actions_that_end_the_hand",
    ),
    Mutation(
        "pruning of actions that end the hand",
        " or _ends(node, first + a, a, head)",
        "",
        f"{MCCFR}::test_batch__equals_slow_twin",
    ),
    Mutation(
        "no regret floor",
        "min(max(regret[at + a], floor), CEILING)",
        "min(regret[at + a], CEILING)",
        "tests/cfr/sampled/test_log.py::test_apply_log__holds_the_floor_after_the_sum_and_lets_pruned_actions_return",
    ),
    Mutation(
        "the floor cuts half way",
        "regret[at + a] += out.delta[c, e, a]",
        "regret[at + a] = max(regret[at + a] + out.delta[c, e, a], floor)",
        "tests/cfr/sampled/test_log.py::test_apply_log__holds_the_floor_after_the_sum_and_lets_pruned_actions_return",
    ),
    Mutation(
        "what threads add together is not held between the bounds",
        "if not held:",
        "if False:",
        "tests/cfr/sampled/test_log.py::test_apply_log__holds_the_floor_after_the_sum_and_lets_pruned_actions_return",
    ),
    Mutation(
        "regrets weighted by depth",
        "gain = (value[d, b] - v) * scale",
        "gain = (value[d, b] - v) * scale * depth",
        f"{MCCFR}::test_batch__equals_slow_twin",
    ),
    Mutation(
        "opponents sampled uniformly, without a weight",
        "a = sample(regret, at, n, unit(state))",
        "a = np.int64(unit(state) * n)",
        f"{MCCFR}::test_batch__equals_slow_twin",
    ),
    Mutation(
        "an average for two players: not all that the others may do is followed",
        "pending[depth, 1] = turns.start[k], turns.start[k + 1]",
        "pending[depth, 1] = turns.start[k], min(turns.start[k] + 1, turns.start[k + 1])",
        f"{MCCFR}::test_batch__equals_slow_twin",
    ),
    Mutation(
        "own infosets by the cards of another seat",
        "infoset(layout, r, p, deals.bucket[deal, p, r], 0)",
        "infoset(layout, r, p, deals.bucket[deal, (p + 1) % seats, r], 0)",
        "tests/cfr/sampled/test_information.py::test_batch__every_seat_moves_only_what_it_knows",
    ),
    Mutation(
        "a resumed run deals from the beginning again",
        "dealer.deal(deal_seed, t, iterations)",
        "dealer.deal(deal_seed, t - first, iterations)",
        f"{TRAIN}::test_train__same_bits_for_any_threads_and_for_resumed_runs",
    ),
    Mutation(
        "distance of masses as if they were positions",
        "return np.abs(gap[..., :-1]).sum(axis=-1)",
        "return np.abs(np.sort(a) - np.sort(b)).mean(axis=-1)",
        "tests/abstraction/clustering/test_emd.py::test_emd__shifted_by_k_bins_is_k_bins",
    ),
    Mutation(
        "a seat is passed over",
        "    _advance(hand, actor + 1)\n",
        "    _advance(hand, actor + 2)\n",
        "tests/game/test_properties.py::test_turns__nobody_acts_out_of_turn_and_nobody_is_left_out",
    ),
    Mutation(
        "the odd chip of a shared pot is lost",
        "share = pot / winners",
        "share = pot // winners",
        "tests/game/test_properties.py::test_chips__are_conserved",
    ),
    Mutation(
        "an earlier round's all-in is asked again",
        "if hand[CHIPS + seat] < hand[STACKS + seat]:\n            mask |= 1 << seat",
        "if hand[CHIPS + seat] <= hand[STACKS + seat]:\n            mask |= 1 << seat",
        "tests/game/test_properties.py::test_turns__nobody_acts_out_of_turn_and_nobody_is_left_out",
    ),
    Mutation(
        "attributes of stores are not sealed",
        '"seal": _seal(kept)',
        "",
        "tests/store/test_damage.py::test_read__detects_changed_attributes",
    ),
    Mutation(
        "empty buckets stay empty",
        "centroid = _reseed(points, weight, centroid, distance, empty)",
        "pass",
        "tests/abstraction/clustering/test_kmeans.py::test_cluster__empty_buckets_are_given_a_centroid",
    ),
    Mutation(
        "damaged stores are read",
        "if digest(array) != self",
        "if False and digest(array) != self",
        "tests/store/test_io.py::test_read__detects_damage",
    ),
    Mutation(
        "beliefs are not updated on what a player does",
        "weight = beliefs[..., seat, :] * likelihood",
        "weight = beliefs[..., seat, :] * 1.0",
        "tests/search/test_bayes.py::test_beliefs__of_two_players_are_bayes_rule",
    ),
    Mutation(
        "a leaf's node is that of the translated actions, its chips those of the true ones",
        "hand_at(places, x, mine)\n        for seat",
        "mine[:] = real\n        for seat",
        "tests/search/test_subgame.py::test_leaves__node_and_state_agree",
    ),
    Mutation(
        "a local best response that raises before the flop",
        "_menu([C, C, F, F], ([], [], [1, ALL_IN], [1, ALL_IN])),",
        "_menu([C, C, F, F], ([1], [], [1, ALL_IN], [1, ALL_IN])),",
        "tests/evaluation/exploitability/test_lbr.py::test_decide__offers_what_the_papers_table_says",
    ),
    Mutation(
        "the flop and the later rounds of 56 bets mistaken for each other",
        "_menu([C, C, F, F], spread=(0, 0, 56, 56))",
        "_menu([C, F, F, F], spread=(0, 56, 0, 0))",
        "tests/evaluation/exploitability/test_lbr.py::test_decide__offers_what_the_papers_table_says",
    ),
    Mutation(
        "an opponent's hand of both my cards is taken off twice",
        "add_left(won, i, held, low[i], high[i], lanes, same[i])",
        "add_left(won, i, held, low[i], high[i], lanes, lows.size)",
        f"{RANGES}/test_terminals.py::test_value_ends__equals_every_pair_of_hands",
        jit=True,
    ),
    Mutation(
        "ties are lost in a subgame",
        "for j in range(below, upto):",
        "for j in range(below, below):",
        f"{RANGES}/test_terminals.py::test_value_ends__equals_every_pair_of_hands",
        jit=True,
    ),
    Mutation(
        "reach of the wrong player",
        "after = (slots + a, source[1]) if player == 0 else (source[0], slots + a)",
        "after = (slots + a, source[1]) if player == 1 else (source[0], slots + a)",
        f"{RANGES}/test_parts.py::test_public__sources_are_the_players_last_actions",
    ),
    Mutation(
        "hands of a bucket count alike, however likely they are",
        "        first[bucket[h]] += prior[h] * row[h]\n        second",
        "        first[bucket[h]] += row[h]\n        second",
        f"{RANGES}/test_rows.py::test_sum_by_bucket__is_numpys",
    ),
    Mutation(
        "a hypothesis is not weighed by what it predicted",
        "after[..., seat, :] = weight / total",
        "after[..., seat, :] = weight / weight.sum(axis=-1, keepdims=True)",
        "tests/search/test_bayes.py::test_hypotheses__are_weighed_by_how_well_they_predict",
    ),
    Mutation(
        "Libratus's average counts a sampled action as if it were always explored",
        "np.rint(COUNT / chained)",
        "np.rint(COUNT)",
        "tests/cfr/sampled/test_libratus.py::test_traverse__expects_what_full_width_cfr_adds",
    ),
    Mutation(
        "Libratus's floor of 2 % on each action, not on their chain",
        "_LEAST / chained, half",
        "_LEAST, half",
        "tests/cfr/sampled/test_libratus.py::test_traverse__expects_what_full_width_cfr_adds",
    ),
    Mutation(
        "safe solving: an alternative beside a value that is not of the hand alone",
        "inside, outside = value[h] / gadget.left[h], gadget.alternative[h]",
        "inside, outside = value[h], gadget.alternative[h]",
        "tests/cfr/test_gadget.py::test_resolve__is_the_game_with_the_alternative",
    ),
    Mutation(
        "maxmargin without the alternatives",
        "margin = value[h] / gadget.left[h] - gadget.alternative[h]",
        "margin = value[h] / gadget.left[h]",
        "tests/cfr/test_gadget.py::test_maxmargin__is_the_solution_of_its_linear_program",
    ),
    Mutation(
        "gifts are taken from the opponent",
        "values += gifts(game, blueprint",
        "values -= gifts(game, blueprint",
        "tests/libratus/test_alternatives.py::test_alternatives__reach_adds_the_gifts",
    ),
    Mutation(
        "nested solving offers the value of the subgame, not of the decision before the bet",
        "values = before.solution.values_at(node, best=True)[opponent]",
        "values = before.solution.values_at(0, best=True)[opponent]",
        "tests/search/test_nested.py::test_search__a_bet_of_the_tree_brings_no_hand_more_than_its_decision",
        jit=True,
    ),
    Mutation(
        "a gap is filled by the mean of its sizes",
        "(a + b + 2 * a * b) / (a + b + 2), total",
        "(a + b) / 2, total",
        "tests/improve/test_gaps.py::test_score__two_bets_in_one_gap_add_up",
    ),
    Mutation(
        "a turn card as if no hand held cards",
        "1 / (n - 7))",
        "1 / (n - 3))",
        "tests/flop_games/test_game.py::test_nash_conv__of_some_flops_is_that_of_listed_deals",
    ),
    Mutation(
        "a leaf's value counts pairs of holes that share a card",
        "meet[mine[:, None] == theirs] = 0",
        "meet[mine[:, None] == theirs] = 1",
        "tests/modicum/test_leaf_values.py::test_matrices__are_walks_of_one_class_at_a_time",
        jit=True,
    ),
    Mutation(
        "self-generated values are made stronger where they beat the equilibrium's",
        "out[i] -= sign * chips",
        "out[i] += sign * chips",
        "tests/modicum/test_makers.py::test_weakened__no_class_beats_the_equilibrium",
        jit=True,
    ),
]

SLOW = [
    Mutation(
        "training that changes nothing",
        "apply_part(regret, count, out, pruning.floor, 1)",
        "pass",
        f"{TRAIN}::test_train__kuhn_converges",
        jit=True,
    ),
    Mutation(
        "an average of two players' play alone",
        "        counts = count_every > 0 and t % count_every == 0\n",
        "        counts = count_every > 0 and t % count_every == 0 and me < 2\n",
        f"{TRAIN}::test_train__three_player_kuhn_converges",
        jit=True,
    ),
    Mutation(
        "regrets of the first two players alone",
        "deal, me = i // seats, i % seats\n",
        "deal, me = i // seats, i % 2\n",
        f"{TRAIN}::test_train__three_player_kuhn_converges",
        jit=True,
    ),
    Mutation(
        "threads that add to one regret lose what the other added",
        """builder.add(
            builder.atomic_rmw("add", place, arguments[2], "monotonic"), arguments[2]
        )""",
        """[x := builder.add(builder.load(place), arguments[2]), builder.store(x, place)][0]""",
        "tests/cfr/sampled/test_log.py::test_apply_log__is_apply_part_on_several_threads",
        jit=True,
        threads=2,
    ),
    Mutation(
        "threads take the same parts of a batch",
        'builder.atomic_rmw("add", place, ir.IntType(64)(1), "monotonic")',
        "[x := builder.load(place), builder.store(builder.add(x, ir.IntType(64)(1)), place)][0]",
        "tests/test_jit.py::test_claim__gives_every_number_once",
        jit=True,
        threads=2,
    ),
    Mutation(
        "regrets weighted by depth, in expectation",
        "gain = (value[d, b] - v) * scale",
        "gain = (value[d, b] - v) * scale * depth",
        f"{MCCFR}::test_batch__expectation_is_the_full_width_update",
        jit=True,
    ),
    Mutation(
        "features from every other river",
        "for card in range(4 * ranks):\n            if not _holds(cards[:4], card):",
        "for card in range(0, 4 * ranks, 2):\n            if not _holds(cards[:4], card):",
        "tests/abstraction/test_buckets.py::test_bucket__is_the_nearest_by_brute_force",
        jit=True,
    ),
    Mutation(
        "AIVAT with our strategy at an opponent's nodes",
        "chances(m.theirs, m.game, x, s.other[seat, r], s.line)",
        "chances(m.ours, m.game, x, s.other[seat, r], s.line)",
        "tests/evaluation/aivat/test_scored_match.py::test_columns__every_hand_against_the_oracle",
        jit=True,
    ),
]


def copy(folder):
    """A copy of the package in ``folder``."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "sixmax", folder / "sixmax", ignore=ignored)


def plant(folder, mutation):
    """Replace the text in the copy; it must occur there exactly once."""
    sources = {f: f.read_text(encoding="utf-8") for f in sorted(folder.rglob("*.py"))}
    hits = [f for f, text in sources.items() for _ in range(text.count(mutation.old))]
    assert len(hits) == 1, f"{mutation.old!r} occurs {len(hits)} times: say where to plant it"
    hits[0].write_text(sources[hits[0]].replace(mutation.old, mutation.new), encoding="utf-8")


def outcome(folder, test, jit):
    """pytest's exit status and output for ``test`` against the copy in ``folder``."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": str(folder / "numba"),
        "NUMBA_DISABLE_JIT": "0" if jit else "1",
    }
    options = ["-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "slow or not slow"]
    command = [sys.executable, "-m", "pytest", *options, test]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def assert_caught(mutation, folder):
    if mutation.threads > numba.config.NUMBA_NUM_THREADS:
        pytest.skip(f"shows on {mutation.threads} threads, here is one")
    copy(folder)
    plant(folder, mutation)
    status, output = outcome(folder, mutation.test, mutation.jit)
    assert status == 1, output[-3000:]  # 1: a test failed; 2 to 5: it could not run
    assert re.search(r"^E  ", output, re.M), output[-3000:]
    assert not re.search(
        r"^E +(SyntaxError|NameError|TypeError|ImportError|NotImplementedError)", output, re.M
    ), output


@pytest.mark.parametrize("mutation", QUICK[:2], ids=lambda m: m.name)
def test_mutation__is_caught(mutation, tmp_path):
    """Two of them in every run, so that this file cannot rot."""
    assert_caught(mutation, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("mutation", QUICK[2:] + SLOW, ids=lambda m: m.name)
def test_mutation__is_caught_slowly(mutation, tmp_path):
    assert_caught(mutation, tmp_path)


@pytest.mark.parametrize("mutation", QUICK + SLOW, ids=lambda m: m.name)
def test_mutation__has_its_place_in_the_source(mutation, tmp_path):
    copy(tmp_path)
    plant(tmp_path, mutation)


@pytest.mark.slow
@pytest.mark.parametrize("jit", [False, True])
def test_copy__without_a_bug_passes_the_same_tests(jit, tmp_path):
    copy(tmp_path)
    for test in sorted({m.test for m in QUICK + SLOW if m.jit == jit}):
        status, output = outcome(tmp_path, test, jit)
        assert status == 0, output[-3000:]
