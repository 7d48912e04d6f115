"""A lower bound on the exploitability of a two-player strategy: the local best response.

Lisy and Bowling, "Equilibrium approximation quality of current no-limit poker bots" (2017): a
player who knows the strategy, and so the opponent's range exactly, takes the action that is best if
both check and call from then on. Whatever it wins is a lower bound of what the strategy can lose,
and it depends on what the player may do: protocols are fixed and all are reported. The protocols
are those of the DeepStack supplement (table 3) and the two of Brown, Sandholm and Amos (2018,
"Depth-limited solving for imperfect-information games", section 7).

A deal is played four times, with both holes in both seats. A strategy that always folds loses
exactly 250 where the response only calls, and exactly 750 where it may bet.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sixmax.blueprint.deal import draw
from sixmax.blueprint.run import Run, open_run
from sixmax.cards.deck import hole_cards
from sixmax.cards.matchups import matchups
from sixmax.errors import UserError
from sixmax.evaluation.lbr_kernels import play_deals
from sixmax.evaluation.lbr_places import Player
from sixmax.evaluation.lbr_value import Menu
from sixmax.evaluation.stage import each_once, game_digest
from sixmax.evaluation.statistics import (
    Protocol,
    Result,
    Sums,
    add,
    refuse_too_few,
    same_protocol,
)
from sixmax.files import write_json, write_text
from sixmax.game.rules import begin
from sixmax.game.tree import DECISION, FOLDABLE, Tree
from sixmax.jit import set_threads
from sixmax.progress import Progress, say
from sixmax.rng import child

CHUNK = 512  # deals between two reports of progress
DESIGN = "local best response of one player, duplicate: each deal with both holes in both seats"
PAYOFFS = (
    "net chips as played, no variance reduction",
    "net chips; at a showdown the mean over the opponent's range",
)
SAMPLE = "deal (mean over its four hands)"
ALL_IN, NONE = np.inf, np.nan
OPPONENTS = ("fold", "call", "random")  # beside the strategies of the run
F, C = True, False


class Rules(NamedTuple):
    """One protocol: ``menu`` for the kernels, ``words`` for people."""

    words: str
    menu: Menu


def _menu(
    fold: list[bool],
    sizes: tuple[list[float], ...] = ([], [], [], []),
    spread: tuple[int, ...] = (0, 0, 0, 0),
    opening: float = 0.0,
    may_pass: bool = False,
) -> Menu:
    table = np.full((4, max(1, *(len(row) for row in sizes))), NONE)
    for row, values in zip(table, sizes, strict=True):
        row[: len(values)] = values
    return Menu(np.array(fold), table, np.array(spread), opening, may_pass)


_MODICUM = [0.33 * 2**x for x in range(11)]
# # ASSUME the 56 sizes, which the papers do not print: even in logarithm, smallest raise to all-in.
PROTOCOLS: dict[str, Rules] = {
    "fc": Rules("fold, call", _menu([F, F, F, F])),
    "fcpa": Rules(
        "call; turn and river fold, call, pot, all-in",
        _menu([C, C, F, F], ([], [], [1, ALL_IN], [1, ALL_IN])),
    ),
    "56bets": Rules(
        "call; turn and river fold, call, 56 bets", _menu([C, C, F, F], spread=(0, 0, 56, 56))
    ),
    "56flop": Rules(
        "call; flop fold, call, 56 bets; turn and river fold, call",
        _menu([C, F, F, F], spread=(0, 56, 0, 0)),
    ),
    "modicum-1": Rules(
        "first fold or bet 3/4 pot, then fold, call",
        _menu([F, F, F, F], opening=0.75, may_pass=True),
    ),
    "modicum-2": Rules(
        "first bet 3/4 pot, call; flop fold, call, bet .33 x 2^(0..10) pots; then fold, call",
        _menu([C, F, F, F], ([], _MODICUM, [], []), opening=0.75),
    ),
}


def protocol(name: str, big_blind: int, game: str, payoff: str) -> Protocol:
    """The protocol called ``name``; ``game`` is a digest of rules, deck and buckets."""
    return Protocol(f"{DESIGN}; {PROTOCOLS[name].words}", payoff, SAMPLE, 2, big_blind, game)


def respond(
    run: Run,
    policy: np.ndarray,
    name: str,
    deals: int,
    seed: int,
    agent: str = "blueprint",
    progress: Callable[[int], None] = lambda n: None,
) -> tuple[Result, Result]:
    """What the local best response wins from ``policy`` by protocol ``name``: with the payoffs as
    dealt, and at showdowns as means over the range. Both estimate the same.

    The same seed gives the same result whatever the threads. Raises UserError for a game that is
    not two-player hold'em of four rounds.
    """
    refuse_too_few(deals)
    refuse_other_games(run)
    menu, player = PROTOCOLS[name].menu, opponent(run, policy)
    cards = hole_cards(run.ranks)
    table = equities(run.ranks) if _looks_preflop(menu) else np.zeros((1, 1))
    sums: list[list[Sums]] = [[], []]
    seats: list[list[list[Sums]]] = [[], []]
    for first in range(0, deals, CHUNK):
        n = min(CHUNK, deals - first)
        net = np.empty((n, 4, 2))
        play_deals(
            *menu, player, run.dealer.tables, begin(run.game), deal_cards(run, seed, first, n),
            cards, run.ranks, table, first, child(seed, "lbr draws"), net,
        )  # fmt: skip
        net *= 1000 / run.big_blind
        for k in range(2):
            sums[k].append(Sums.of(net[:, :, k].mean(axis=1)))
            by_seat = net[:, :, k].reshape(n, 2, 2).mean(axis=2)
            seats[k].append([Sums.of(np.ascontiguousarray(by_seat[:, s])) for s in range(2)])
        progress(n)
    digest = game_digest(run.identity["settings"]) if run.identity else ""
    found = []
    for k, payoff in enumerate(PAYOFFS):
        how = protocol(name, run.big_blind, digest, payoff)
        by_seat = tuple(add(s) for s in zip(*seats[k], strict=True))
        found.append(
            Result(f"lbr-{name}", agent, how, (int(seed),), 4 * deals, add(sums[k]), by_seat)
        )
    return found[0], found[1]


def refuse_other_games(run: Run) -> None:
    """Raise UserError for a run that the local best response cannot play on."""
    game = run.game
    if game.cards != "holdem" or game.seats != 2 or len(game.rounds) != 4:
        raise UserError(
            f"{run.folder}: {game.seats} seats, {len(game.rounds)} rounds of {game.cards}; the "
            "local best response wanted two-player hold'em of four rounds"
        )


def opponent(run: Run, policy: np.ndarray) -> Player:
    """The player of ``policy`` for the kernels."""
    tree, where = run.tree, run.layout
    buckets = np.array(run.dealer.buckets, np.int64)
    return Player(
        np.ascontiguousarray(tree.node), np.ascontiguousarray(tree.action), where.base,
        where.columns, buckets, policy, begin(run.game),
    )  # fmt: skip


def equities(ranks: int) -> np.ndarray:
    """The chance of each preflop class to win all-in against each, ties half: float64[C, C]."""
    found = matchups(ranks)
    deals = np.maximum(found.deals, 1)
    return 0.5 + (found.wins - found.wins.T) / (2 * deals)


def _looks_preflop(menu: Menu) -> bool:
    """Whether the response has a choice before the flop, for which it wants :func:`equities`."""
    sizes = bool((~np.isnan(menu.sizes[0])).any())
    return bool(menu.fold[0] or menu.may_pass or menu.spread[0] or sizes)


def deal_cards(run: Run, seed: int, first: int, n: int) -> np.ndarray:
    """Deals ``first`` … of ``seed``: int8[n, 9], two holes and a board."""
    cards, deck = np.empty((n, 9), np.int8), np.empty(4 * run.ranks, np.int8)
    for i in range(n):
        draw(child(seed, "lbr deals"), first + i, deck, cards[i])
    return cards


def open_policy(run: Run, agent: str) -> np.ndarray:
    """The policy of ``agent``: of the run, or one of OPPONENTS, in the run's tree."""
    if agent not in OPPONENTS:
        return run.policy(agent)
    if agent == "random":
        return np.zeros(run.layout.size, np.uint8)
    return certain(run, 0 if agent == "fold" else 1)


def certain(run: Run, a: int) -> np.ndarray:
    """The policy that takes action ``a`` where a fold is offered, and checks elsewhere."""
    policy = np.zeros(run.layout.size, np.uint8)
    tree: Tree = run.tree
    head = tree.node[:, 0].astype(np.int64)
    decision = head & 15 == DECISION
    for r in range(len(run.layout.base)):
        for seat in range(2):
            here = decision & (head >> 4 & 15 == seat) & (head >> 8 & 15 == r)
            slot = tree.node[here, 2] + np.where(head[here] & FOLDABLE, a, 0)
            bucket = np.arange(run.layout.buckets[r]) * run.layout.columns[r, seat]
            policy[(run.layout.base[r, seat] + bucket[:, None] + slot).ravel()] = 255
    return policy


def bound(
    folder: Path, agent: str, name: str, deals: int, seed: int, threads: int, out: Path
) -> None:
    """Write to ``out`` what protocol ``name`` wins from ``agent`` of the run in ``folder``."""
    if name not in PROTOCOLS:
        raise UserError(f"protocol {name!r}: unknown; wanted one of {', '.join(PROTOCOLS)}")
    set_threads(threads)
    run = open_run(folder)
    refuse_other_games(run)
    policy = open_policy(run, agent)
    with Progress(deals, f"local best response {name} against {agent}", "deals") as bar:
        plain, mean = respond(run, policy, name, deals, seed, agent, bar.add)
    write_json(out, {"as_dealt": plain.to_json(), "over_the_range": mean.to_json()})
    say(line(plain))


def line(result: Result) -> str:
    """One result as a line."""
    row: dict[str, Any] = result.to_json()
    low, high = row["interval"]
    return (
        f"{row['a']} wins {row['mean']:+.1f} mbb/game from {row['b']}, 95 % interval {low:+.1f} to "
        f"{high:+.1f}; {row['hands']:,} hands"
    )


def gather(files: list[Path], out: Path, text: Path) -> None:
    """Put the results of :func:`bound` into one table.

    Raises UserError for other files, for results of two games, and where one occurs twice.
    """
    rows = [_read(file) for file in files]
    same_protocol(rows, but="design")
    for name in {row.a for row in rows}:
        same_protocol([row for row in rows if row.a == name])
    each_once(files, rows)
    write_json(out, {"unit": "mbb/game", "bounds": [row.to_json() for row in rows]})
    write_text(text, "\n".join(line(row) for row in rows) + "\n")


def _read(file: Path) -> Result:
    try:
        values = json.loads(file.read_text(encoding="utf-8"))["as_dealt"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{file}: no local best response ({error!r}); make it again") from None
    return Result.from_json(values, str(file))
