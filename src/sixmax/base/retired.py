"""Keys of the config and commands that there were once, and what stands in their place."""

from typing import Any

from sixmax.base.errors import UserError

_PLAYER = "a row of search.player has it: pluribus, libratus, modicum, … (search/players.py)"
_NETWORK = "a constant, in leaf_function/config.py"
_RESPONSES = "a constant, in self_generated/config.py"
_IMPROVE = "an option of `sixmax improve`"

# By the path of a key, in the order of config/default.yaml. config/README.md has the same table.
RETIRED: dict[str, str] = {
    "abstraction.ochs_clusters": "a constant, 8",
    "abstraction.restarts": "a constant, 2; an option of `sixmax stage cluster`",
    "abstraction.max_iterations": "a constant, 50; an option of `sixmax stage cluster`",
    "abstraction.quality_sample": "the smaller of 100,000 and the largest of abstraction.sample",
    "blueprint.prune_share": "a constant, .95; without pruning prune_after is the last iteration",
    "blueprint.algorithm": "blueprint.prune_half above 0 is libratus, 0 pluribus",
    "blueprint.mean_after": "blueprint.average_after, for the running mean too",
    "blueprint.values_boards": "an option of `sixmax stage node-values`",
    "continuation.generator": "a constant, in continuation/generate.py",
    "leaf_function.rollouts": _NETWORK,
    "leaf_function.layers": _NETWORK,
    "leaf_function.units": _NETWORK,
    "leaf_function.epochs": _NETWORK,
    "leaf_function.batch": _NETWORK,
    "self_generated.iterations": _RESPONSES,
    "self_generated.trunk_iterations": _RESPONSES,
    "self_generated.roll_outs": _RESPONSES,
    "search.off_tree_players": "a constant, 4; search.off_tree: null for 0",
    "search.batch": "a constant, 100",
    "search.vector_nodes": "a constant, 5,000",
    "search.vector_boards": "a constant, 1",
    "search.exact_from": _PLAYER,
    "search.vector_iterations": "numbers by round, preflop to river; a single one was the river's",
    "search.turn_iterations": "the third number of search.vector_iterations",
    "search.board_iterations": "the second and third number of search.vector_iterations",
    "search.limited_iterations": "the first two numbers of search.vector_iterations",
    "search.method": "a constant, discounted CFR; `sixmax solve` has --method",
    "search.leaf": "search.player: pluribus-learned for learned, pluribus for rollout",
    "search.average": "a constant, true",
    "search.nested": "search.player: libratus-believing, libratus-maxmargin; pluribus for none",
    "search.nested_bets": _PLAYER,
    "search.begin": _PLAYER,
    "search.choosers": _PLAYER,
    "search.limited": "search.player: modicum-believing, whose searches end with preflop and flop",
    "search.leaf_values": "search.player: modicum-one-value for 1",
    "search.shift": "search.player: libratus-believing for .08, libratus-unshifted for 0",
    "search.fast.buckets": "a constant, the blueprint's",
    "search.fast.vector_iterations": "numbers by round, as search.vector_iterations",
    "search.fast.turn_iterations": "the third number of search.fast.vector_iterations",
    "search.fast.board_iterations": "the second and third number of search.fast.vector_iterations",
    "search.fast.limited_iterations": "the first two numbers of search.fast.vector_iterations",
    "evaluation.all_in": "an option of `sixmax match`",
    "evaluation.early_snapshot": "the first snapshot",
    "evaluation.search_flops": "true in the full setting, if search.flops is 8 or more",
    "evaluation.experiments.participants": "an option of `sixmax experiment`",
    "improve.logs": "improve.opponent, which may be a folder of hand logs",
    "improve.opponent": 'a text: an agent, as in raises-5, or a folder of hand logs; "" for none',
    "improve.hands": "an option of `sixmax table`",
    "improve.sizes": _IMPROVE,
    "improve.iterations": _IMPROVE,
    "improve.deals": "an option of `sixmax match`",
    "league.entrants": "league, the list itself",
    "league.deals": "a constant, 200,000; an option of `sixmax match`",
}


_RESHAPED: dict[str, tuple[type, ...]] = {  # keys of today, whose values were of another type
    "search.vector_iterations": (list,),
    "search.fast.vector_iterations": (list, type(None)),
    "improve.opponent": (str,),
}


def refuse_retired(values: dict[str, Any]) -> None:
    """Raise UserError where the sections ``values`` of a config have a key of RETIRED.

    A key of _RESHAPED is refused for a value of another type than today's alone.
    """
    for key, text in RETIRED.items():
        *path, name = key.split(".")
        section: Any = values
        for part in path:
            section = section.get(part) if isinstance(section, dict) else None
        if not isinstance(section, dict) or name not in section:
            continue
        if key not in _RESHAPED:
            raise UserError(f"config.{key}: no key any more; now {text}")
        if not isinstance(found := section[name], _RESHAPED[key]):
            raise UserError(f"config.{key}: found {found!r}; now {text}")


# Those that are `sixmax stage NAME` now are in sixmax.cli; docs/guide/run.md names them all.
COMMANDS: dict[str, str] = {
    "gains": "sixmax stage pool gain",
    "lbrs": "sixmax stage pool lbr",
    "holds": "sixmax stage verdict",
}
