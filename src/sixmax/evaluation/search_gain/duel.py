"""Whole hands: a searching player against copies of the blueprint, each deal from each seat.

The blueprint first plays each deal in all seats: that hand shows the searching player without
search, with the same draws, as the number that decides an action depends on the deal and the
betting so far alone. A sample is the difference of the chips won in a seat, zero where nobody's
play changes. The mean over seats is the win rate against copies, as in
:mod:`sixmax.evaluation.match.duplicate`, because copies of one agent break even on every deal.
"""

from collections.abc import Callable

import numpy as np

from sixmax.base.rng import child, unit
from sixmax.betting.config import SEEN
from sixmax.blueprint.run import Run
from sixmax.cards.deck import hole_id
from sixmax.evaluation.aivat.recorded import Recorded, Taken
from sixmax.evaluation.aivat.scored_match import COLUMNS, of_column
from sixmax.evaluation.match.by_hand import result_of
from sixmax.games.holdem import deal_cards, look_up_cards
from sixmax.scores.statistics import Protocol, Result, refuse_too_few
from sixmax.search.agent import draw
from sixmax.search.config import NEVER, SearchConfig
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import FrozenAction, Position, SearchFunction, SearchResult

DESIGN = (
    "1 who searches against copies of the blueprint, duplicate: cards and draws of a deal fixed"
)
PAYOFF = "net chips less those of the same seat where all play the blueprint"
SAMPLE = "deal (mean over the seats)"


def protocol(seats: int, big_blind: int, game: str, digest: str | None = None) -> Protocol:
    """The protocol of :func:`play`.

    ``game`` is a digest of rules, deck and buckets, ``digest`` that of the values of AIVAT.
    """
    payoff = PAYOFF if digest is None else f"AIVAT with the values {digest}, of {PAYOFF}"
    return Protocol(DESIGN, payoff, SAMPLE, seats, big_blind, game)


class _Watched:
    """A searcher, and whether it knows own earlier actions of the hole that is held."""

    def __init__(self, searcher: SearchFunction):
        self.searcher, self.knows = searcher, False

    def __call__(
        self, position: Position, frozen: tuple[FrozenAction, ...], seed: int
    ) -> SearchResult:
        self.knows |= bool(frozen)
        return self.searcher(position, frozen, seed)


def play(
    run: Run,
    policy: np.ndarray,
    config: SearchConfig,
    searcher: SearchFunction,
    protocol: Protocol,
    deals: int,
    seed: int,
    progress: Callable[[int], None] = lambda n: None,
    scored: Recorded | None = None,
) -> list[Result]:
    """Play ``deals`` deals, each with the searching player in every seat.

    ``policy`` uint8[layout.size] is the blueprint's. Raises ValueError for fewer than two deals.
    One result, or with ``scored`` one for each of COLUMNS of AIVAT, the first being the same: the
    column of the searching player's hand less that of the blueprint's hand. ``protocol`` is that of
    the last. The same seed gives the same result, unless the search is limited in seconds.
    ``progress`` counts deals.
    """
    refuse_too_few(deals)
    seats = run.game.seats
    won = np.zeros((deals, seats, len(COLUMNS) if scored else 1))
    for number in range(deals):
        cards, plain = deal_cards(seed, number, seats, run.ranks), []
        hand = run, policy, config, searcher, cards, seed, number
        base, reached = play_hand(*hand, -1, plain)
        for hero in range(seats):
            if not reached >> hero & 1:
                continue
            searched = []
            net, _ = play_hand(*hand, hero, searched)
            won[number, hero] = net[hero] - base[hero]
            if scored is not None:
                boards = child(seed, "boards", number, hero)
                won[number, hero] = scored.columns(cards, hero, searched, boards)
                won[number, hero] -= scored.columns(cards, hero, plain, boards)
        progress(1)
    won *= 1000 / protocol.big_blind
    names = COLUMNS if scored else COLUMNS[-1:]
    return [
        result_of(("search", "blueprint"), of_column(protocol, name), seed, won[:, :, i])
        for i, name in enumerate(names)
    ]


def play_hand(
    run: Run,
    policy: np.ndarray,
    config: SearchConfig,
    searcher: SearchFunction,
    cards: np.ndarray,
    seed: int,
    number: int,
    hero: int,
    decisions: list[Taken] | None = None,
) -> tuple[np.ndarray, int]:
    """Play one hand with the searching player in seat ``hero``, -1 for none.

    ``policy`` is uint8[layout.size], ``cards`` int8[2 seats + 5]. Returns net chips float64[seats],
    and the mask of seats with a decision that a searching player would search. Appends every
    decision to ``decisions``.
    """
    seats, board, reached = run.game.seats, cards[2 * run.game.seats :], 0
    own = int(child(seed, "hand", number))
    watched = _Watched(searcher)
    plain = PublicHand(run, policy, config.model_copy(update=NEVER), searcher, own)
    mine = PublicHand(run, policy, config, watched, own, seat=hero) if hero >= 0 else plain
    hands = [plain] if hero < 0 else [plain, mine]
    holes = [hole_id(*cards[2 * p : 2 * p + 2]) for p in range(seats)]
    while not plain.betting.over:
        if plain.needs_cards:
            seen = len(plain.board)
            for hand in hands:
                hand.deal(board[seen : SEEN[plain.betting.round]])
        seat = plain.betting.actor
        reached |= (plain.betting.round >= config.first) << seat
        so_far = "".join(f"{a}," for r in plain.rounds for a in r.done)
        u = unit(child(seed, "draw", number, so_far))
        play = (mine if seat == hero else plain).play()
        if seat == hero:
            mine.freeze(holes[seat], play)
        action = draw(play, holes[seat], u)
        if decisions is not None:
            seen = seat == hero and watched.knows
            decisions.append(Taken(play.offered, action, play.played, seen))
        for hand in hands:
            hand.act(action)
        if seat == hero and action < 0:  # after its fold nothing changes its chips
            break
    if not plain.betting.over:
        net = -plain.betting.contributed.astype(np.float64)
        return net, reached
    bucket, rank = np.empty((1, seats, 4), np.int32), np.empty((1, 1, seats), np.int32)
    look_up_cards(cards[None], run.dealer.tables, bucket, rank)
    return plain.betting.payoffs(rank[0, 0]), reached
