"""Bugs of training: sampling, regrets, discounts, pruning, averages, threads."""

from repository.planted.mutation import Mutation

MCCFR, TRAIN = "tests/cfr/sampled/test_batch.py", "tests/cfr/sampled/test_train.py"

LAST = """traversals += iterations * (seats if training.learner == EVERY_SEAT else 1)
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
    Mutation("the sum of the shards goes on",
        "np.rint(total[i] / shards)", "np.rint(total[i] / 1)",
        "tests/cfr/sampled/test_shards.py::test_changes__are_those_of_plain_integers"),
    Mutation("a player whose strategy is given learns too",
        "if learner.seat not in (EVERY_SEAT, me) or not", "if not",
        f"{TRAIN}::test_train__one_learner_comes_to_a_best_response_and_the_other_stays_as_it_is"),
    Mutation("only the last seat is updated",
        "deal, me = i // seats, i % seats\n", "deal, me = i // seats, seats - 1\n",
        f"{MCCFR}::test_batch__moves_the_regrets_of_every_seat"),
    Mutation("discounting never runs, by precedence",
        "if t < self.discount_until and t % self.discount_every == 0:",
        "if t < self.discount_until & t % self.discount_every == 0:",
        "tests/cfr/sampled/test_schedule.py::test_discount_factor__after_n_intervals_is_its_closed_form"),
    Mutation("discounting never runs, seen in training",
        "if t < self.discount_until and t % self.discount_every == 0:",
        "if t < self.discount_until & t % self.discount_every == 0:",
        f"{TRAIN}::test_discount__linear_until_its_end_and_for_infosets_never_visited"),
    Mutation("only what the last batch visited is discounted",
        LAST + "\n            discount(table.regret, factor)", LAST + VISITED,
        f"{TRAIN}::test_discount__linear_until_its_end_and_for_infosets_never_visited"),
    Mutation("pruning in 5 % of the iterations",
        "unit(step(state)) < pruning.share", "unit(step(state)) >= pruning.share",
        f"{MCCFR}::test_pruning__on_its_share_of_iterations_and_for_the_whole_iteration"),
    Mutation(
        "pruning drawn for each node",
        "            elif prune and round_of(head) != last_round:",
        "            elif unit(~(state + np.uint64(x))) < pruning.share"
        " and round_of(head) != last_round:",
        f"{MCCFR}::test_pruning__on_its_share_of_iterations_and_for_the_whole_iteration",
    ),
    Mutation("pruning on the river",
        "if prune and round_of(head) != last_round:", "if prune:",
        f"{MCCFR}::test_pruning__never_on_the_last_round_nor_for_actions_that_end_the_hand"),
    Mutation("pruning of actions that end the hand",
        " or _ends(node, first + a, a, head)", "",
        f"{MCCFR}::test_batch__equals_slow_twin"),
    Mutation("no regret floor",
        "min(max(regret[at + a], floor), CEILING)", "min(regret[at + a], CEILING)",
        "tests/cfr/sampled/test_log.py::test_apply_log__holds_the_floor_after_the_sum_and_lets_pruned_actions_return"),
    Mutation("the floor cuts half way",
        "regret[at + a] += out.delta[c, e, a]",
        "regret[at + a] = max(regret[at + a] + out.delta[c, e, a], floor)",
        "tests/cfr/sampled/test_log.py::test_apply_log__holds_the_floor_after_the_sum_and_lets_pruned_actions_return"),
    Mutation("the sum over threads is not held between the bounds",
        "if not held:", "if False:",
        "tests/cfr/sampled/test_log.py::test_apply_log__holds_the_floor_after_the_sum_and_lets_pruned_actions_return"),
    Mutation("regrets weighted by depth",
        "gain = (value[d, b] - v) * scale", "gain = (value[d, b] - v) * scale * depth",
        f"{MCCFR}::test_batch__equals_slow_twin"),
    Mutation("opponents sampled uniformly, without a weight",
        "a = sample(regret, at, n, unit(state))", "a = np.int64(unit(state) * n)",
        f"{MCCFR}::test_batch__equals_slow_twin"),
    Mutation("an average for two players: not all that the others may do is followed",
        "pending[depth, 1] = turns.start[k], turns.start[k + 1]",
        "pending[depth, 1] = turns.start[k], min(turns.start[k] + 1, turns.start[k + 1])",
        f"{MCCFR}::test_batch__equals_slow_twin"),
    Mutation("own infosets by the cards of another seat",
        "infoset(layout, r, p, dealt.bucket[deal, p, r], 0)",
        "infoset(layout, r, p, dealt.bucket[deal, (p + 1) % seats, r], 0)",
        "tests/cfr/sampled/test_information.py::test_batch__every_seat_moves_only_what_it_knows"),
    Mutation("a resumed run deals from the beginning again",
        "dealer.deal(deal_seed, t, iterations)", "dealer.deal(deal_seed, t - first, iterations)",
        f"{TRAIN}::test_train__same_bits_for_any_threads_and_for_resumed_runs"),
    Mutation("Libratus's average counts a sampled action as if it were always explored",
        "np.rint(COUNT / chained)", "np.rint(COUNT)",
        "tests/cfr/sampled/test_libratus.py::test_traverse__expects_what_full_width_cfr_adds"),
    Mutation("Libratus's floor of 2 % on each action, not on their chain",
        "_LEAST / chained, half", "_LEAST, half",
        "tests/cfr/sampled/test_libratus.py::test_traverse__expects_what_full_width_cfr_adds"),
]  # fmt: skip

SLOW = [
    Mutation("training that changes nothing",
        "apply_part(regret, count, log, learner.pruning.floor, 1)", "pass",
        f"{TRAIN}::test_train__kuhn_converges", jit=True),
    Mutation("an average of two players' play alone",
        "        counts = learner.count_every > 0 and _counts(learner, t)\n",
        "        counts = learner.count_every > 0 and _counts(learner, t) and me < 2\n",
        f"{TRAIN}::test_train__three_player_kuhn_converges", jit=True),
    Mutation("regrets of the first two players alone",
        "deal, me = i // seats, i % seats\n", "deal, me = i // seats, i % 2\n",
        f"{TRAIN}::test_train__three_player_kuhn_converges", jit=True),
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
    Mutation("threads take the same parts of a batch",
        'builder.atomic_rmw("add", place, ir.IntType(64)(1), "monotonic")',
        "[x := builder.load(place), builder.store(builder.add(x, ir.IntType(64)(1)), place)][0]",
        "tests/base/test_jit.py::test_claim__gives_every_number_once", jit=True, threads=2),
    Mutation("regrets weighted by depth, in expectation",
        "gain = (value[d, b] - v) * scale", "gain = (value[d, b] - v) * scale * depth",
        f"{MCCFR}::test_batch__expectation_is_the_full_width_update", jit=True),
]  # fmt: skip
