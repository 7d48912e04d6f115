"""The format of a stored tree, in words and numbers that are written beside it.

With them a reader who has Zarr and NumPy, and not this package, can follow the betting and decode
the record of a node; :func:`sixmax.cfr.layout.stored` says the same of a strategy.
"""

from typing import Any

from sixmax.betting.config import GameConfig
from sixmax.betting.tree import DECISION, FOLDABLE, FOLDED, SHOWDOWN, SIDEPOTS
from sixmax.cards.deck import ROUNDS

# Bit fields of the first number of a record: the lowest bit, and the number of bits.
HEAD = {
    "kind": [0, 4],
    "seat": [4, 4],
    "round": [8, 4],
    "actions": [12, 8],
    "fold_offered": [FOLDABLE.bit_length() - 1, 1],
}
# The other three numbers of a record, by the kind of the node.
RECORDS = {
    "decision": ["first_child", "slot", "chips_of_the_seat"],
    "all_but_the_seat_folded": ["pot", "chips_of_the_seat", "unused"],
    "showdown_of_equal_chips": ["pot", "chips_of_each_contender", "mask_of_contenders"],
    "showdown_with_side_pots": ["row_of_contributed", "unused", "mask_of_contenders"],
}
KINDS = dict(zip((DECISION, FOLDED, SHOWDOWN, SIDEPOTS), RECORDS, strict=True))


def stored(game: GameConfig) -> dict[str, Any]:
    """The attributes of the stored tree of ``game`` as JSON: seats, rounds, actions, records.

    ``node[x, 0]`` holds the bit fields of ``head``, each as [lowest bit, bits]; ``node[x, 1:]``
    what ``records`` lists for the kind of x.
    """
    return {
        "seats": list(game.positions),
        "rounds": list(ROUNDS[: len(game.rounds)]),
        "actions": {"-1": "fold", "0": "check or call", "above 0": "raise to, chips in all"},
        "record": {
            "head": HEAD,
            "kinds": {str(kind): name for kind, name in KINDS.items()},
            "records": RECORDS,
            "children": "node first_child + k is reached by action k, 0 <= k < actions",
        },
    }
