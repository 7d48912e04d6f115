"""Matches played hand by hand, by players of any kind: one against copies, duplicate.

As in :mod:`sixmax.evaluation.match.duplicate` the cards stay and the seats rotate, and the draw
that decides an action is a function of (seed, deal, betting so far). Slower by a thousand times
than kernels on a tree, but seats may be taken by players that search, or that connect over ACPC.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from sixmax.agents.player import Player
from sixmax.base.rng import child
from sixmax.betting.config import GameConfig
from sixmax.blueprint.identity import digest, game_digest
from sixmax.blueprint.run import Run
from sixmax.evaluation.match.live_hand import LiveHand
from sixmax.games.holdem import deal_cards
from sixmax.hands import all_in
from sixmax.hands.record import Record, big_blind
from sixmax.scores.statistics import (
    PAYOFF,
    Protocol,
    Result,
    Sums,
    add,
    refuse_too_few,
)
from sixmax.search.config import SearchConfig

DESIGN = "1 against copies, hand by hand, duplicate: cards and draws of a deal fixed"
SAMPLE = "deal (mean over the seats)"


def protocol(seats: int, chips: int, game: str, boards: int | None = None) -> Protocol:
    """The protocol of :func:`play`; ``chips`` is the big blind, ``boards`` as in :func:`play`."""
    payoff = PAYOFF if boards is None else all_in.payoff(boards)
    return Protocol(DESIGN, payoff, SAMPLE, seats, chips, game)


def terms(run: Run, config: SearchConfig | None = None, boards: int | None = None) -> Protocol:
    """The :func:`protocol` of a match on ``run``, with a digest of the settings of a search."""
    whole = protocol(run.game.seats, run.big_blind, game_digest(run.identity["settings"]), boards)
    if config is None:
        return whole
    settings = digest({"config": config.model_dump(mode="json")})[:8]
    return replace(whole, design=f"{whole.design}; search by settings {settings}")


def play_hand(
    players: list[Player], game: GameConfig, ranks: int, cards: np.ndarray, number: int, seed: int
) -> Record:
    """Hand ``number`` of ``game`` between ``players`` by seat, with ``cards`` int8[2 seats + 5].

    ``seed`` is of all draws. Raises UserError for an illegal action.
    """
    hand = LiveHand(players, game, ranks, cards, number, seed)
    while not hand.over:
        hand.act(hand.decide())
    return hand.end()


def hands(
    agent: Player, opponents: list[Player], game: GameConfig, ranks: int, deals: int, seed: int
) -> Iterator[tuple[int, int, Record]]:
    """Deal, seat of ``agent`` and record of every hand; ``opponents`` sit in all other seats."""
    for deal in range(deals):
        cards = deal_cards(seed, deal, game.seats, ranks)
        draws = int(child(seed, "draws", deal))
        for hero in range(game.seats):
            players = [*opponents[:hero], agent, *opponents[hero:]]
            number = deal * game.seats + hero
            yield deal, hero, play_hand(players, game, ranks, cards, number, draws)


def play(
    agent: Player,
    opponents: list[Player],
    game: GameConfig,
    ranks: int,
    protocol: Protocol,
    deals: int,
    seed: int,
    boards: int | None = None,
    listener: Callable[[Record], None] = lambda record: None,
) -> Result:
    """Play ``deals`` deals, each with ``agent`` in every seat; ``listener`` gets every hand.

    ``boards`` is the number of boards that an all-in pot is counted over
    (:mod:`~sixmax.hands.all_in`); None: the one that came.
    """
    refuse_too_few(deals)
    won = np.zeros((deals, game.seats))
    for deal, hero, played in hands(agent, opponents, game, ranks, deals, seed):
        net = played.payoffs
        if boards is not None:
            net = all_in.expected(played, boards, int(child(seed, "boards", deal)))
        won[deal, hero] = net[hero] * 1000 / big_blind(game)
        listener(played)
    return result_of((agent.name, opponents[0].name), protocol, seed, won)


def result_of(names: tuple[str, str], protocol: Protocol, seed: int, won: np.ndarray) -> Result:
    """The result of a match with hands of ``won`` float64[deals, seats], mbb/game."""
    by_seat = tuple(Sums.of(np.ascontiguousarray(net)) for net in won.T)
    sums = add([Sums.of(won.mean(axis=1))])
    return Result(*names, protocol, (int(seed),), won.size, sums, by_seat)
