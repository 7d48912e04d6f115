"""Bugs of cards, rules, stores and evaluation."""

from repository.planted.mutation import Mutation

QUICK = [
    Mutation(
        "distance of masses as if they were positions",
        "np.cumsum(histogram[:, :-1], axis=1, dtype=np.uint16, out=out)",
        "out[...] = np.sort(histogram[:, :-1], axis=1)",
        "tests/abstraction/clustering/test_emd.py::test_emd__shifted_by_k_bins_is_k_bins",
    ),
    Mutation(
        "a seat is passed over",
        "    _advance(hand, actor + 1)\n",
        "    _advance(hand, actor + 2)\n",
        "tests/betting/test_properties.py::test_turns__nobody_acts_out_of_turn_and_nobody_is_left_out",
    ),
    Mutation(
        "the odd chip of a shared pot is lost",
        "share = pot / winners",
        "share = pot // winners",
        "tests/betting/test_properties.py::test_chips__are_conserved",
    ),
    Mutation(
        "an earlier round's all-in is asked again",
        "if hand[CHIPS + seat] < hand[STACKS + seat]:\n            mask |= 1 << seat",
        "if hand[CHIPS + seat] <= hand[STACKS + seat]:\n            mask |= 1 << seat",
        "tests/betting/test_properties.py::test_turns__nobody_acts_out_of_turn_and_nobody_is_left_out",
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
        "if actual != self.attributes[",
        "if False and actual != self.attributes[",
        "tests/store/test_io.py::test_read__detects_damage",
    ),
    Mutation(
        "a local best response that raises before the flop",
        "_menu([C, C, F, F], ([], [], [1, ALL_IN], [1, ALL_IN])),",
        "_menu([C, C, F, F], ([1], [], [1, ALL_IN], [1, ALL_IN])),",
        "tests/evaluation/exploitability/test_lbr_play.py::test_decide__offers_what_the_papers_table_says",
    ),
    Mutation(
        "the flop and the later rounds of 56 bets mistaken for each other",
        "_menu([C, C, F, F], spread=(0, 0, 56, 56))",
        "_menu([C, F, F, F], spread=(0, 56, 0, 0))",
        "tests/evaluation/exploitability/test_lbr_play.py::test_decide__offers_what_the_papers_table_says",
    ),
    Mutation(
        "a gap is filled by the mean of its sizes",
        "(a + b + 2 * a * b) / (a + b + 2)\n",
        "(a + b) / 2\n",
        "tests/studies/improve/test_gaps.py::test_score__two_bets_in_one_gap_add_up",
    ),
    Mutation(
        "a turn card as if no hand held cards",
        "1 / (n - 7))",
        "1 / (n - 3))",
        "tests/studies/flop_games/test_game.py::test_nash_conv__of_some_flops_is_that_of_listed_deals",
    ),
]

SLOW = [
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
