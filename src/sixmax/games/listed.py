"""Games whose deals are all listed, laid out for exact solving: any number of players.

Three ways to one: the deals of a known game (:func:`of_deals`), deals and betting of one's own
(:func:`of_cards`), and a table of payoffs (:func:`of_payoffs`); :func:`game` takes the last two.
"""

import functools
import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting.config import GameConfig
from sixmax.betting.state import spell
from sixmax.betting.tree import DECISION, FOLDED, Tree, pack_head, round_of, seat_of, tree_of_nodes
from sixmax.betting.tree_build import build
from sixmax.cfr.deals import Deals
from sixmax.cfr.full.sweep import Field, NashConv, field, score
from sixmax.cfr.layout import Layout, layout, slabs

_MOST_ACTIONS = 255  # of a decision: the tree packs the number in a byte


@dataclass(frozen=True, eq=False)
class ListedGame:
    """A game that full-width CFR solves and exact best responses judge.

    tree, layout: the public tree, and the places of the infosets in a strategy
    field: every node with every deal
    known: by round, the name of each bucket: all that a player knows of the cards there
    words: by player, the names of actions; None: f, c and rN, as in ACPC logs
    """

    title: str
    tree: Tree
    layout: Layout
    field: Field
    known: tuple[tuple[str, ...], ...]
    words: tuple[tuple[str, ...], ...] | None = None

    @property
    def players(self) -> int:
        return self.tree.columns.shape[1]

    def actions(self, node: int) -> tuple[str, ...]:
        """The names of the actions at ``node``; none where the game is over."""
        below = self.tree.children(node)
        if self.words is not None and below:
            return self.words[self.tree.seat(node)][: len(below)]
        return tuple(spell(int(self.tree.action[child])) for child in below)

    def find(self, actions: Iterable[str]) -> int:
        """The node after ``actions``, named as :meth:`actions` does. Raises UserError."""
        node = 0
        for word in actions:
            offered = self.actions(node)
            if word not in offered:
                wanted = f"one of {', '.join(offered)}" if offered else "none: the game is over"
                raise UserError(f"action {word!r}: wanted {wanted}")
            node = self.tree.children(node)[offered.index(word)]
        return node

    def score(self, strategy: np.ndarray) -> NashConv:
        """The exact distance of ``strategy`` float64[layout.size] from an equilibrium."""
        return score(self.field, self.tree, self.layout, strategy)

    @functools.cached_property
    def infosets(self) -> int:
        """The number of infosets, of all players."""
        head, slot = self.tree.node[self.tree.decision_nodes()][:, [0, 2]].T
        slots = np.unique(np.stack([round_of(head), seat_of(head), slot]), axis=1)
        return int(self.layout.buckets[slots[0]].sum())

    def __repr__(self) -> str:
        return (
            f"{self.title}: {self.players} players, {len(self.tree.node)} nodes, "
            f"{self.infosets} infosets, {len(self.field.chance)} deals that differ"
        )


def of_deals(
    title: str, config: GameConfig, deals: Deals, known: Sequence[Sequence[str]] = ()
) -> ListedGame:
    """The game of ``config`` with all its equally likely ``deals``.

    ``known`` names the buckets of each round; without names they are numbers.
    """
    tree = build(config)
    places = layout(tree, list(deals.buckets))
    names = known or [[str(bucket) for bucket in range(n)] for n in deals.buckets]
    return ListedGame(title, tree, places, field(tree, places, deals), tuple(map(tuple, names)))


def of_cards(
    title: str,
    rules: Mapping[str, Any],
    dealt: Iterable[tuple[Sequence[Sequence[Hashable]], Sequence[float]]],
) -> ListedGame:
    """A game of one's own, from ``rules`` and all ``dealt`` hands as of :func:`game`.

    What is seen is any hashable value. Antes, blinds and seats first to act may be left out (0).
    Raises UserError for deals that do not fit the rules, and where a player forgets.
    """
    config, rows, strengths = _config(rules), [], []
    for seen, strength in _pairs(dealt):
        shape = [len(rounds) for rounds in seen]
        if shape != [len(config.rounds)] * config.seats or len(strength) != config.seats:
            raise UserError(
                f"deal {len(rows) + 1}: found rounds {shape} and {len(strength)} strengths, wanted "
                f"{config.seats} players with {len(config.rounds)} rounds and a strength each"
            )
        rows.append(seen)
        strengths.append([_strength(len(rows), each) for each in strength])
    if not rows:
        raise UserError("deals: found none, wanted every deal of the game")
    bucket = np.empty((len(rows), config.seats, len(config.rounds)), np.int32)
    known = []
    for r in range(len(config.rounds)):
        names = dict.fromkeys(seen[r] for row in rows for seen in row)
        number = {name: k for k, name in enumerate(names)}
        bucket[:, :, r] = [[number[seen[r]] for seen in row] for row in rows]
        known.append([_name(name) for name in names])
    _, rank = np.unique(np.array(strengths), return_inverse=True)
    deals = Deals(bucket, rank.reshape(len(rows), 1, -1).astype(np.int32))
    try:
        return of_deals(title, config, deals, known)
    except ValueError as error:
        raise UserError(f"deals: {error}") from None


def _pairs(dealt: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """The deals, each a pair of sequences by player. Raises UserError."""
    wanted = "pairs (seen, strength), each with an entry for each player"
    try:
        for number, deal in enumerate(dealt, 1):
            seen, strength = deal
            if any(not isinstance(row, (list, tuple, str)) for row in (seen, strength, *seen)):
                raise UserError(f"deal {number}: found {str(deal)[:40]!r}, wanted {wanted}")
            yield seen, strength
    except (TypeError, ValueError):
        raise UserError(f"deals: found {str(dealt)[:40]!r}, wanted {wanted}") from None


def _strength(number: int, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise UserError(
            f"deal {number}: found the strength {value!r}, wanted a number, the highest wins"
        )
    return float(value)


def _config(rules: Mapping[str, Any]) -> GameConfig:
    stacks, rounds = rules.get("stacks", ()), rules.get("rounds", ())
    if not all(isinstance(each, (list, tuple)) for each in (stacks, rounds)):
        raise UserError("game: wanted lists of stacks and of rounds, as in the section `game`")
    seats = len(stacks)
    given = {"blinds": [0] * seats, "antes": [0] * seats, "first": [0] * len(rounds), **rules}
    given["rounds"] = [{"max_players": seats, **each} for each in rounds]
    return GameConfig.parse({"cards": "listed", **given}, "game")


def _name(value: Hashable) -> str:
    return "/".join(map(str, value)) if isinstance(value, tuple) else str(value)


def of_payoffs(
    title: str, payoffs: Sequence[Any] | np.ndarray, words: Sequence[str] | None = None
) -> ListedGame:
    """A game in which all players choose at once, from ``payoffs`` as of :func:`game`.

    ``words`` name the actions; without words they are 1, 2, … Raises UserError for other shapes,
    and for values that are no numbers.
    """
    try:
        table = np.array(payoffs, np.float64)
    except (TypeError, ValueError):
        raise UserError("payoffs: wanted a table of numbers, its rows of one length") from None
    if table.ndim == 2:
        table = np.stack([table, -table])
    players = table.ndim - 1
    if players < 2 or len(table) != players or not np.isfinite(table).all() or not table.size:
        raise UserError(
            f"payoffs: found shape {np.shape(payoffs)}, wanted (rows, columns), or (players, "
            "actions of each player …), of finite numbers"
        )
    counts = table.shape[1:]
    most = max(counts)
    if most > _MOST_ACTIONS:
        raise UserError(f"payoffs: found {most} actions, wanted {_MOST_ACTIONS} at most")
    if words is not None and (len(set(words)) != len(words) or {len(words)} != set(counts)):
        raise UserError(
            f"actions: found {len(words)} words, wanted one for each of the {most} actions, each "
            "once; players with other numbers of actions have none"
        )
    tree = _simultaneous(counts)
    places = layout(tree, [1])
    values = np.zeros((players, len(tree.node), 1))
    values[:, -table[0].size :, 0] = table.reshape(players, -1)
    offset = slabs(places, np.zeros((players, 1, 1), np.int64))
    names = tuple(words or map(str, range(1, most + 1)))
    whole = Field(tree.node, offset, values, np.ones(1))
    return ListedGame(title, tree, places, whole, (("",),), (names,) * players)


def _simultaneous(counts: Sequence[int]) -> Tree:
    """One player after the other, each without sight of the others: its nodes share a slot."""
    node, action, first = [], [0], 0
    for seat, actions in enumerate(counts):
        width = int(np.prod(counts[:seat]))
        below = first + width
        for k in range(width):
            node.append([pack_head(DECISION, seat, 0, actions, False), below + actions * k, 0, 0])
            action += range(-1, actions - 1)
        first = below
    node += [[FOLDED, 0, 0, 0]] * int(np.prod(counts))
    return tree_of_nodes(node, action, np.array([counts]))


def game(
    rules: Mapping[str, Any] | Sequence[Any] | np.ndarray,
    deals: Iterable[tuple[Sequence[Sequence[Hashable]], Sequence[float]]] | None = None,
    title: str = "game",
    actions: Sequence[str] | None = None,
) -> ListedGame:
    """A game to solve: ``game([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])``.

    * A table of payoffs, where all choose at once: float[rows, columns] of the first of two
      players, the second loses as much; or float[players, actions of the first, …] of each.
      ``actions`` names them.
    * ``rules`` of the betting, as the section `game` of a config, with all ``deals``, equally
      likely: pairs (seen, strength), ``seen[player][round]`` all that a player knows of the cards
      in a round, ``strength[player]`` the showdown's, the highest wins::

        kuhn = {"stacks": [2, 2], "antes": [1, 1],
                "rounds": [{"sizes": [["1 chips"]], "max_raises": 1}]}
        cards = (1, 2, 3)
        game(kuhn, [([[a], [b]], [a, b]) for a in cards for b in cards if a != b])

    Raises UserError for values that make no game.
    """
    if isinstance(rules, Mapping):
        if deals is None:
            raise UserError("game: found rules without deals, wanted both, or a table of payoffs")
        return of_cards(title, rules, deals)
    if deals is not None:
        raise UserError("game: found payoffs with deals, wanted rules (a dict) with them")
    return of_payoffs(title, rules, actions)
