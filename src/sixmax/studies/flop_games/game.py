"""Two-player hold'em that ends on flop or turn, where chance deals one of some flops.

With all 1,755 it is flop hold'em. With fewer it is a game of its own, whose exact values take that
share of the time. Chance turns the suits of the flop at random, so that before the flop the 169
classes lose nothing. Every turn card may follow a flop.
"""

import math
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self

import numpy as np
from pydantic import Field

from sixmax.abstraction.flop.store import chosen
from sixmax.base.config_section import Section
from sixmax.base.errors import UserError
from sixmax.base.options import Option
from sixmax.betting.config import MAX_SIZES, GameConfig, RoundSizes, Size
from sixmax.betting.rules import begin, limits
from sixmax.betting.sizing import sizes
from sixmax.betting.tree import Tree, is_decision, round_of
from sixmax.betting.tree_build import WHOLE, build_from
from sixmax.cards.deck import classes, n_cards, n_holes
from sixmax.cards.isomorphism import boards
from sixmax.cfr.full.sweep import NashConv
from sixmax.cfr.layout import Layout, layout
from sixmax.evaluation.exploitability.boards import boards_of, pairs
from sixmax.evaluation.exploitability.exact_holdem import GameCards, RangeWalk, nash_conv
from sixmax.store import read

BIG_BLIND = 100  # chips
MBB = 1000 / BIG_BLIND  # a chip in thousandths of a big blind
MOST_NODES = 100_000
Sizes = list[Annotated[list[Size], Field(max_length=MAX_SIZES)]]


class FlopGameSettings(Section):
    """A flop game; with sizes on the ``turn`` it ends there."""

    explained = "config/tables/libratus.yaml"

    stack: int = Field(ge=2 * BIG_BLIND)  # chips
    preflop: Sizes = Field(min_length=1)
    flop: Sizes = Field(min_length=1)
    turn: Sizes | None = Field(default=None, min_length=1, exclude_if=lambda sizes: sizes is None)
    max_raises: int = Field(ge=1, le=20)
    flops: int = Field(ge=1, le=1755)

    def rules(self) -> GameConfig:
        """The rules: blinds of 50 and 100, the showdown on the flop, or on the turn."""
        rounds = [
            RoundSizes(sizes=sizes, max_raises=self.max_raises, max_players=2)
            for sizes in (self.preflop, self.flop, self.turn)
            if sizes is not None
        ]
        return GameConfig(
            stacks=[self.stack] * 2, blinds=[BIG_BLIND // 2, BIG_BLIND], antes=[0, 0],
            first=[0, 1, 1][: len(rounds)], rounds=rounds, board_cards=1 + len(rounds),
        )  # fmt: skip

    def opening(self, size: float) -> int:
        """Chips of the first player who opens with a raise of ``size`` pots.

        Raises UserError where it cannot be made, or is all-in.
        """
        chips = BIG_BLIND + round(size * 2 * BIG_BLIND)
        _, least, most = (int(n) for n in limits(begin(self.rules())))
        if not least <= chips < most:
            raise UserError(
                f"{chips} chips: wanted {least} to {most - 1}, a raise that is not all-in"
            )
        return chips

    def with_bets(self, sizes: list[float]) -> Self:
        """The game where the first bet on the flop may have these sizes too, in pots.

        Raises UserError for sizes that are no bets or that the game has, and for a game that ends
        on the turn.
        """
        if self.turn is not None:
            raise UserError("a game of three rounds: wanted one that ends on the flop")
        first, *others = self.flop
        for size in sizes:
            if not (math.isfinite(size) and size > 0):
                raise UserError(f"size {size}: wanted a bet above 0, in pots")
            if size in first:
                raise UserError(f"size {size:g}: the game has it; wanted one that it lacks")
        if not first:
            raise UserError("the game has no bet on the flop: wanted one beside the missing size")
        return self.parse(
            {**self.model_dump(), "flop": [sorted(sizes) + first, *others]}, "the larger game"
        )


GameOption = Annotated[
    FlopGameSettings,
    Option("Stack, raises and flops, as in config/tables; JSON.", "--game", kind="game"),
]


class FlopGame(NamedTuple):
    """A game with all that exact values need."""

    config: GameConfig
    ranks: int
    tree: Tree
    layout: Layout  # tells all situations apart: bucket ``H * b + hole`` on board b of a round
    cards: GameCards  # its boards are those of ``flops``, in three rounds the turns after each, too
    flops: np.ndarray  # int64[F]: canonical
    chance: np.ndarray  # float64[F]: their probabilities
    board: np.ndarray  # int8[B, cards]: of the last round
    roots: tuple[int, ...]  # where the last round's betting begins: subgames are solved anew

    @property
    def last(self) -> int:
        """The last round, 1 or 2."""
        return len(self.cards.boards)

    def walk(self, strategy: np.ndarray, seat: int) -> RangeWalk:
        """Exact values for ``seat`` against ``strategy`` float64[layout.size]."""
        return RangeWalk(self.tree, self.layout, self.cards, strategy, seat)

    def nash_conv(self, strategy: np.ndarray) -> NashConv:
        """Value and gain of each seat, in chips a hand, for ``strategy`` float64[layout.size]."""
        return nash_conv(self.tree, self.layout, self.cards, strategy)


def open_game(settings: FlopGameSettings, seed: int, bet: float = 0.0, ranks: int = 13) -> FlopGame:
    """The game of ``settings``, with flops drawn by ``seed``.

    A ``bet`` in pots is one more size of the first player's opening. Raises UserError for a bet
    that cannot be made, and for a tree of more than MOST_NODES nodes.
    """
    rules = settings.rules()
    which = np.array(chosen(settings.flops, ranks, seed), np.int64)
    taken = np.array([settings.opening(bet)] if bet else [], np.int64)
    tree = build_from(begin(rules), sizes(rules), WHOLE._replace(taken=taken), MOST_NODES)
    holes, flops = n_holes(ranks), boards(ranks, 3).cards[which]
    count = boards(ranks, 3).count[which].astype(np.float64)
    chance, rounds = count / count.sum(), len(rules.rounds)
    board = flops
    if rounds == 3:
        deck = range(n_cards(ranks))
        board = np.array([[*flop, c] for flop in flops for c in deck if c not in flop], np.int8)
    cards = _cards(flops, board, chance, ranks)
    infosets = layout(tree, [ranks * ranks, *(len(b.weight) * holes for b in cards.boards)])
    head, last = tree.node[:, 0], rounds - 1
    starts = is_decision(head) & (round_of(head) == last)
    starts[1:] &= round_of(head[tree.parent[1:]]) < last
    roots = tuple(int(x) for x in np.flatnonzero(starts))
    return FlopGame(rules, ranks, tree, infosets, cards, which, chance, board, roots)


def _cards(flops: np.ndarray, board: np.ndarray, chance: np.ndarray, ranks: int) -> GameCards:
    """As :func:`exact_holdem.cards`, of some flops; an all-in before it is decided on the last."""
    holes, n, dealt, chance_of = n_holes(ranks), n_cards(ranks), [], np.ones(1)
    rounds = [(flops, chance / (math.comb(n - 3, 2) * math.comb(n - 5, 2)))]
    if board is not flops:  # turns: cards that neither flop nor hands have
        rounds.append((board, np.full(len(board), 1 / (n - 7))))
    for cards, weight in rounds:
        bucket = np.arange(len(cards) * holes).reshape(-1, holes)
        dealt.append(boards_of(cards, weight, bucket, ranks))
        chance_of = chance_of.repeat(len(cards) // len(chance_of)) * weight
    of_hole = classes(ranks)
    share = pairs(dealt[0], dealt[0].weight, of_hole, shown=False)
    lead = pairs(dealt[-1], chance_of, of_hole, shown=True)
    return GameCards(of_hole, share, lead, tuple(dealt))


def ratio(total: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """``total`` over ``weight``, arrays that go together; 0 where the weight is 0."""
    return np.divide(total, weight, out=np.zeros(total.shape), where=weight > 0)


class StoredGame(NamedTuple):
    """The game of a store, and the ``attributes`` of that: ``seed`` and more."""

    settings: FlopGameSettings
    game: FlopGame
    attributes: dict[str, Any]


def open_stored(store: Path, kind: str) -> tuple[StoredGame, dict[str, np.ndarray]]:
    """The game of a ``store`` of ``kind``, and its arrays, a ``strategy`` among them.

    Raises UserError where the strategy is not of that game.
    """
    kept = read(store, kind)
    settings = FlopGameSettings.parse(kept.attributes["game"], str(store))
    game = open_game(settings, kept.attributes["seed"], kept.attributes.get("bet", 0.0))
    size = kept["strategy"].size
    if size != game.layout.size:
        raise UserError(
            f"{store}: {size:,} entries, the game wants {game.layout.size:,}; make it anew"
        )
    return StoredGame(settings, game, kept.attributes), dict(kept)
