"""Every array that sixmax stores, declared once: name, dtype, dimensions, unit, meaning.

A store is a Zarr group with the attributes ``format`` ("sixmax/<kind>"), ``version``, ``digests``
(one per array), ``packages`` (their versions) and ``seal`` (digest of all others). Stages add
their inputs: ``config``, ``code``, ``game``, or the digest of the ``run``. A name in ``dims`` has
one size in a store, and is no array's: xarray would take that for the index of the dimension.
"""

from typing import NamedTuple


class Array(NamedTuple):
    """One stored array. ``raw`` arrays are one uncompressed chunk, so they can be mapped.

    ``dtype`` is "uint8", or "uint8 or uint16" where the content decides.
    """

    dtype: str
    dims: tuple[str, ...]
    unit: str
    meaning: str
    raw: bool = False


class StoreKind(NamedTuple):
    version: int
    meaning: str
    arrays: dict[str, Array]


KINDS: dict[str, StoreKind] = {}


def declare(name: str, version: int, meaning: str, **arrays: Array) -> None:
    """Add a kind of store to :data:`KINDS`."""
    KINDS[name] = StoreKind(version, meaning, arrays)


# --- abstraction ---------------------------------------------------------------------------------
_WINS = "twice the wins plus the ties against every hand, summed over runouts"
declare(
    "features-preflop", 1, "Every preflop class, in the order of sixmax.cards.deck.classes",
    histogram=Array("uint32", ("class", "bin"), "runouts", "by river win probability"),
    win=Array("uint32", ("class",), "half hands", _WINS),
    cluster=Array("uint8", ("class",), "", "cluster of opponents' hands, 0 the weakest"),
)  # fmt: skip
for _round, _type, _of in (("flop", "uint16", "runouts"), ("turn", "uint8", "rivers")):
    declare(
        f"features-{_round}", 1,
        f"Every {_round} situation, in the order of sixmax.cards.isomorphism",
        histogram=Array(_type, ("situation", "bin"), _of, "by river win probability"),
        win=Array("uint32", ("situation",), "half hands", _WINS),
    )  # fmt: skip
declare(
    "features-river", 1, "Every river situation, in the order of sixmax.cards.isomorphism",
    ochs=Array("uint16", ("situation", "cluster"), "1/65535", "win probability against a cluster"),
    win=Array("uint16", ("situation",), "half hands", _WINS),
)  # fmt: skip
declare(
    "buckets", 1,
    "The buckets of one betting round, numbered by ascending strength (preflop: by class)",
    bucket=Array(
        "uint8 or uint16", ("board", "hole"), "",
        "by canonical board; the largest number of its dtype if blocked", raw=True,
    ),
    centroid=Array("float32", ("bucket_id", "feature"), "", "share of bin; river: win probability"),
    size=Array("int64", ("bucket_id",), "situations", "in each bucket"),
    deals=Array("int64", ("bucket_id",), "deals", "in each bucket, suits told apart"),
    strength=Array("float32", ("bucket_id",), "probability", "to win against a random hand, mean"),
)  # fmt: skip

# --- blueprint -----------------------------------------------------------------------------------
declare(
    "tree", 1, "The public betting tree; sixmax.betting.tree.Tree explains the records",
    node=Array("int32", ("node_id", "field"), "", "packed records", raw=True),
    parent=Array("int32", ("node_id",), "node", "-1 for the root"),
    action=Array(
        "int32", ("node_id",), "chips", "how the node was reached: -1 fold, 0 call, raise-to",
    ),
    contributed=Array("int32", ("sidepot", "seat"), "chips", "put in, at showdowns with side pots"),
    columns=Array("int64", ("round", "seat"), "entries", "actions of all nodes of (round, seat)"),
    decisions=Array("int64", ("round",), "nodes", "decision nodes of each round"),
)  # fmt: skip
_TABLES = {
    "regret": Array("int32", ("entry",), "regret units", "regret of every action of every infoset"),
    "count": Array("int32", ("counted_entry",), "1/1024 visits", "UPDATE-STRATEGY's counters"),
}
declare(
    "state", 1, "A checkpoint of training; sixmax.cfr.layout says where an infoset lies", **_TABLES
)  # fmt: skip
declare(
    "state-mean", 1,
    "The same of a run with a running mean of strategies in the rounds that are not counted",
    **_TABLES,
    mean=Array("uint16", ("later_entry",), "1/255", "sum of the strategies taken in so far"),
)  # fmt: skip
declare(
    "delta", 2,
    "What one shard of an interval changes in the checkpoint before it, discounted to its end",
    regret_changed=Array("uint8", ("byte",), "bits", "the regrets that change: bit 7 is the first"),
    regret=Array("int32", ("change",), "regret units", "added to each of them, in their order"),
    count_changed=Array("uint8", ("counted_byte",), "bits", "the same of the action counters"),
    count=Array("int32", ("counted_change",), "1/1024 visits", "added to each of them"),
)  # fmt: skip
declare(
    "strategy", 1,
    "A policy: 255ths that sum to 255 in each infoset, all zero where training never came",
    policy=Array("uint8", ("entry",), "1/255", "probability of each action", raw=True),
)  # fmt: skip

declare(
    "node-values", 1,
    "The blueprint's own values at the nodes of one round; sixmax.blueprint.values.NodeValues",
    node=Array("int32", ("row",), "node", "decisions of the round, and where their actions lead"),
    value=Array("float32", ("row", "seat", "bucket_id"), "chips", "net over the hand, a mean"),
    error=Array("float32", ("row", "seat", "bucket_id"), "chips", "standard error of the value"),
    reach=Array(
        "float32", ("row", "seat", "bucket_id"), "probability",
        "that chance deals the bucket and the opponent plays to the node: the weight of the value",
    ),
    boards=Array("int32", ("row", "seat", "bucket_id"), "boards", "sampled, with such a hand"),
)  # fmt: skip

# --- continuation --------------------------------------------------------------------------------
declare(
    "continuation", 1,
    "One sampled action per infoset and continuation strategy, in the fewest bits",
    packed=Array(
        "uint8", ("strategy", "byte"), "",
        "by the attribute strategies; sixmax.cfr.packed_actions says where an infoset lies",
        raw=True,
    ),
)  # fmt: skip

# --- leaf function -------------------------------------------------------------------------------
declare(
    "leaf-function", 1,
    "A network that values leaves of a search, in pots, from sixmax.leaf_function.features",
    first=Array("float32", ("feature", "unit"), "", "weights of the first layer"),
    first_bias=Array("float32", ("unit",), "", "its biases"),
    weight=Array("float32", ("later_layer", "from_unit", "unit"), "", "of the later layers"),
    bias=Array("float32", ("later_layer", "unit"), "", "their biases"),
    last=Array("float32", ("unit", "choice"), "pots", "of the outputs, one for each continuation"),
    last_bias=Array("float32", ("choice",), "pots", "their biases"),
    preflop=Array("float32", ("class", "hand_feature"), "", "strength and spread of a class"),
)  # fmt: skip

# --- self-generated ------------------------------------------------------------------------------
declare(
    "self-generated", 1,
    "Net chips of seat 0 at the end of the first round, where a player plays on by one of several "
    "strategies and the other by the blueprint; strategy 0 is the blueprint",
    node=Array("int32", ("leaf",), "", "decision of the blueprint's tree with which a flop begins"),
    chips=Array(
        "float32", ("chooser", "strategy", "leaf", "class", "other_class"), "chips",
        "of seat 0, by its class and that of seat 1; chooser: the seat whose strategy it is",
    ),
    lead=Array(
        "float32", ("class", "other_class"), "",
        "probability that a class wins less that it loses, over all boards",
    ),
)  # fmt: skip

# --- search --------------------------------------------------------------------------------------
declare(
    "flop-buckets", 1,
    "Buckets after one canonical flop, numbered by ascending strength; 65535 where impossible",
    turn=Array("uint16", ("card", "hole"), "", "by turn card and hole", raw=True),
    river=Array("uint16", ("pair", "hole"), "", "by hole_id of turn and river, and hole", raw=True),
    turn_strength=Array("float32", ("turn_bucket",), "probability", "to win against any hand"),
    river_strength=Array("float32", ("river_bucket",), "probability", "to win against any hand"),
)  # fmt: skip

declare(
    "endgame", 2,
    "A solved endgame of two players; sixmax.api.endgame_solution.EndgameSolution lays it out anew",
    board=Array("int8", ("card",), "", "the cards seen when it begins"),
    ranges=Array("float64", ("player", "hole"), "", "weights, first of the player who acts first"),
    total=Array(
        "float32 or int16", ("entry",), "",
        "sums of strategies, by which the average is played; sixmax.search.solvers.ranges.rows",
    ),
)  # fmt: skip

# --- evaluation ----------------------------------------------------------------------------------
declare(
    "values", 2,
    "What self-play of the blueprint wins from each node on; sixmax.evaluation.aivat.values.Values",
    block=Array("int32", ("node_id",), "node", "whose block counts in the first round, -1 none"),
    at=Array("int64", ("node_id",), "entry", "where the block of a node begins, -1 for none"),
    value=Array("float32", ("entry",), "chips", "means, then by the cards of each seat", raw=True),
    seats=Array("int16", ("node_id",), "", "mask of the seats that have not folded"),
    chips=Array("int32", ("node_id", "seat"), "chips", "put in"),
    pot=Array("int32", ("node_id",), "chips", "that can be won"),
    situation=Array("int16", ("node_id",), "", "round, players, chips, bets; -1 nothing to decide"),
    equity=Array("float32", ("round", "bucket_id", "other"), "pots", "of a bucket against another"),
    strength=Array("float32", ("round", "bucket_id"), "pots", "of a bucket against any"),
    share=Array(
        "float32", ("situation_id", "role", "equity_knot", "strength_knot"), "pots",
        "more than that",
    ),
)  # fmt: skip

# --- libratus ------------------------------------------------------------------------------------
declare(
    "flop-strategy", 3,
    "A blueprint of a flop game, all hands told apart; sixmax.studies.flop_games.game.FlopGame",
    strategy=Array("float64", ("entry",), "probability", "of each action"),
    by_class=Array("float64", ("seat", "node_id", "class"), "chips", "mean value of a node"),
    by_flop=Array("float64", ("seat", "node", "flop", "hole"), "chips", "mean value, three rounds"),
    by_hole=Array("float64", ("seat", "root", "board", "hole"), "chips", "mean value of a root"),
)  # fmt: skip

# --- modicum -------------------------------------------------------------------------------------
declare(
    "flop-equilibrium", 1,
    "An equilibrium of a flop game without buckets; sixmax.studies.flop_games.game.FlopGame",
    strategy=Array("float64", ("entry",), "probability", "of each action"),
)  # fmt: skip
declare(
    "leaf-values", 2, "Continuations of an opponent from the flop on, and their values at leaves",
    equilibrium=Array("float32", ("entry",), "probability", "of each action by the first choice"),
    responses=Array(
        "uint8", ("response", "entry"), "",
        "the other choices, where they are pure: 0 or 1, and 255 where they are as the first",
    ),
    values=Array("float64", ("choice", "leaf", "class", "other"), "chips", "times probability"),
    less=Array("float64", ("choice", "leaf", "class"), "chips", "that a class was weakened by"),
)  # fmt: skip
