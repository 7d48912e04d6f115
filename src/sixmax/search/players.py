"""Players: how a search is made. A row is the player of a paper, or differs by a few words.

``search.player`` of the config names a row. Users choose a whole player and no single field, since
fields depend on each other: a safe solver walks all boards, and values that one player chooses end
a round.
"""

from typing import Annotated, Any, NamedTuple

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from sixmax.base.errors import one_of


class PlayerKind(NamedTuple):
    """What a player is. Rounds are 0 preflop to 3 river; the defaults are Pluribus's."""

    name: str
    text: str  # for lists of players
    nested: str = "none"  # or the gadget by which bets of the opponent are solved safely
    nested_bets: str = "all"  # the opponent's that get a subgame; off_tree: those the tree lacks
    begin: str = "safe"  # a nested round goes on with the last solution, or anew from ``beliefs``
    exact_from: int = 3  # round from which all boards are walked, without buckets
    # ASSUME where nested solving begins the opponent may hold any hand, with this probability. From
    # beliefs alone one who calls with all hands wins by the first solution of libratus
    # (docs/notebook/exploitability/players.md).
    any_hand: float = 0.0
    shift: float = 0.0  # sizes of a hand's subgames differ by up to this share
    choosers: str = "all"  # at leaves; opponents: not the one who searches
    limited: tuple[int, ...] = ()  # rounds with which searches end; 0 by self-generated values
    leaf_values: int | None = None  # continuations at a leaf, the first so many; None: all
    leaf: str = "rollout"  # or ``learned``, by the network of ``leaf_function``

    @property
    def by_seat(self) -> bool:
        """Whether a search is from the point of view of a seat."""
        return self.nested != "none" or self.choosers == "opponents"


_PLURIBUS = PlayerKind("pluribus", "any number of players")
_ANY = "but a search begins as if the opponent held any hand with probability .2"
_LIBRATUS = PlayerKind(
    "libratus-believing", "two players, from the turn on: each bet of the opponent is solved "
    "safely; the player of the paper", nested="resolve", exact_from=2, shift=0.08,
)  # fmt: skip
_MODICUM = PlayerKind(
    "modicum-believing", "two players: searches end with the round before the flop and with the "
    "flop, where the opponent chooses among several values; the player of the paper",
    nested="resolve", nested_bets="off_tree", begin="beliefs", exact_from=2, choosers="opponents",
    limited=(0, 1),
)  # fmt: skip
PLAYERS: dict[str, PlayerKind] = {
    row.name: row
    for row in (
        _PLURIBUS,
        _PLURIBUS._replace(
            name="pluribus-learned", leaf="learned",
            text="pluribus, with the network of `leaf_function` in the place of roll-outs",
        ),
        _LIBRATUS._replace(name="libratus", any_hand=0.2, text=f"libratus-believing, {_ANY}"),
        _LIBRATUS,
        _LIBRATUS._replace(name="libratus-maxmargin", nested="maxmargin",
            text="libratus-believing, by another safe gadget"),
        _LIBRATUS._replace(name="libratus-unshifted", shift=0.0,
            text="libratus-believing, with the sizes as they are given"),
        _MODICUM._replace(name="modicum", any_hand=0.2, text=f"modicum-believing, {_ANY}"),
        _MODICUM,
        _MODICUM._replace(name="modicum-one-value", leaf_values=1,
            text="modicum-believing, whose opponent goes on as the blueprint does"),
    )
}  # fmt: skip


def _player(value: Any) -> PlayerKind:
    if isinstance(value, PlayerKind):
        return value
    if not isinstance(value, str) or value not in PLAYERS:
        raise ValueError(f"a player; {one_of(str(value), PLAYERS)}")
    return PLAYERS[value]


# A field of a config section: a row by its name.
PlayerByName = Annotated[
    PlayerKind,
    PlainValidator(_player),
    PlainSerializer(lambda player: player.name),
    WithJsonSchema({"enum": list(PLAYERS)}),
]
