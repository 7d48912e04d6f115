"""States at leaves, drawn from the blueprint's own play, and their values by roll-outs.

A hand is dealt, and played until a search of its first or of its second round would end: where the
flop begins; or, with more than two players on the flop, where the turn begins or after the second
raise (:func:`sixmax.search.subgame.depth`). One seat, which will ask for the value, plays every
action but a fold alike, as a traverser explores all of them; the others play the blueprint. A hand
that ends before is dealt anew. Then every other seat draws its continuation.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import in_parts, inlined, njit
from sixmax.base.rng import below, child, step, stream, unit
from sixmax.betting.config import ROUNDS
from sixmax.betting.leaf_choices import choice_bits, choice_of
from sixmax.betting.rules import CALL, CHIPS, FOLD, FOLDERS, LENGTH, SEATS, STACKS
from sixmax.betting.tree import Tree, is_decision, n_actions, round_of, seat_of
from sixmax.blueprint.run import Run
from sixmax.cards.deck import hole_id
from sixmax.cards.isomorphism import Boards, boards, canonical_board, permute_hole
from sixmax.cfr.advance import STOP, advance
from sixmax.cfr.layout import Layout, infoset
from sixmax.cfr.policy import probabilities
from sixmax.games.holdem import look_up_cards
from sixmax.leaf_function.features import (
    HAND,
    PUBLIC,
    names,
    place_features,
    places_of,
    public_features,
)
from sixmax.ongoing.locate import Places, hand_at, places

_MOST_ACTIONS = 64
_DEALS = 1 << 16  # played at a time
_PATIENCE = 30  # rounds of deals without a state


class HandTables(NamedTuple):
    """Strength and spread of hands: of classes float32[classes, 2], and on every flop."""

    of_class: np.ndarray  # uint8[holes]
    preflop: np.ndarray  # float32[classes, 2]
    flop: np.ndarray  # float32[flops, holes, 2]
    texture: np.ndarray  # float64[flops]


class States(NamedTuple):
    """Drawn states, all of leaves of one round."""

    node: np.ndarray  # int32[n]: the blueprint's node
    asks: np.ndarray  # int8[n]: the seat that asks
    choices: np.ndarray  # int32[n]: of the others, as in the record of a LEAF
    cards: np.ndarray  # int8[n, 2 seats + 5]: the holes; a board of which the leaf knows a part


class StateSource(NamedTuple):
    """All that states are drawn from."""

    run: Run
    places: Places
    policy: np.ndarray  # uint8[layout.size]
    packed: np.ndarray  # uint8[continuations, bytes]
    hands: HandTables


def source(run: Run, policy: np.ndarray, packed: np.ndarray, hands: HandTables) -> StateSource:
    """The source of states of ``run``, whose players play ``policy`` and go on as ``packed``.

    ``policy`` is uint8[layout.size], ``packed`` uint8[continuations, bytes].
    """
    return StateSource(run, places(run.game, run.tree), policy, packed, hands)


def draw_states(of: StateSource, known: int, n: int, seed: int) -> States:
    """``n`` states of leaves of round ``known``. Raises UserError where the game has none."""
    run, seats, drawn, total, idle = of.run, of.run.game.seats, [], 0, 0
    deals, play, choose = (child(seed, name) for name in ("deal", "play", "choose"))
    first = 0
    while total < n:
        cards = run.dealer.cards(deals, first, _DEALS)[:, : 2 * seats + 5]
        bucket, rank = looked_up(run, cards)
        node, asks = np.empty(_DEALS, np.int32), np.empty(_DEALS, np.int8)
        how = StatePlay(run.tree, run.layout, of.policy, known, play)
        in_parts(_DEALS, _play_kernel, how, bucket, first, Reached(node, asks))
        kept = np.flatnonzero(node >= 0)
        choices = np.empty(len(kept), np.int32)
        _choose_kernel(
            of.places, Reached(node[kept], asks[kept]), first + kept, len(of.packed), choose,
            choices,
        )  # fmt: skip
        drawn.append(States(node[kept], asks[kept], choices, cards[kept]))
        total, first = total + len(kept), first + _DEALS
        idle = 0 if len(kept) else idle + 1
        if idle == _PATIENCE:
            raise UserError(
                f"leaf function: found no leaf of a search of the {ROUNDS[known]} in "
                f"{idle * _DEALS:,} hands of the blueprint; wanted a game that has some"
            )
    return States(*(np.concatenate(column)[:n] for column in zip(*drawn, strict=True)))


def features_of(of: StateSource, states: States, known: int) -> np.ndarray:
    """The features of ``states``: float32[n, features]."""
    seats, choices = of.run.game.seats, len(of.packed)
    out = np.zeros((len(states.node), len(names(seats, choices))), np.float32)
    asked = FeatureSource(of.places, of.hands, boards(of.run.ranks, 3), known, seats, choices)
    in_parts(len(out), _features_kernel, asked, states, out)
    return out


def looked_up(run: Run, cards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Buckets int32[n, seats, 4] and ranks int32[n, 1, seats] of ``cards`` int8[n, 2 seats + 5]."""
    bucket = np.empty((len(cards), run.game.seats, 4), np.int32)
    rank = np.empty((len(cards), 1, run.game.seats), np.int32)
    look_up_cards(np.ascontiguousarray(cards), run.dealer.tables, bucket, rank)
    return bucket, rank


class StatePlay(NamedTuple):
    """How hands are played on to a leaf of round ``known``."""

    tree: Tree
    layout: Layout
    policy: np.ndarray
    known: int
    seed: np.uint64


class Reached(NamedTuple):
    """The node that each hand came to, -1 for no leaf, and the seat that asks."""

    node: np.ndarray  # int32[n]
    asks: np.ndarray  # int8[n]


class FeatureSource(NamedTuple):
    """All that features of states of round ``known`` are computed from."""

    places: Places
    hands: HandTables
    flops: Boards
    known: int
    seats: int
    choices: int


@njit
def _play_kernel(play, bucket, first, reached, start, stop):
    node, asks = reached
    weight = np.empty(_MOST_ACTIONS)
    for i in range(start, stop):
        state = stream(play.seed, np.uint64(first + i))
        asks[i] = below(state, bucket.shape[1])
        node[i] = _play(play, bucket[i], asks[i], state, weight)


@njit
def _play(play, bucket, me, state, weight):
    """The node of a leaf that a hand comes to, or -1."""
    tree, seats, known = play.tree, np.int64(len(bucket)), play.known
    players, way = (play, bucket, me, weight), (seats, seats, np.int64(0), np.int64(0), state)
    x, (_, began, _, in_round, _) = advance(tree.node, np.int64(0), -1, _turn, players, way)
    if not is_decision(tree.node[x, 0]):
        return np.int64(-1)
    return x if in_round > known or not _solved(began, seats) else np.int64(-1)


@inlined
def _solved(began, seats):
    """Whether a round that so many players begin is searched to the end of the hand."""
    return began == 2 and seats > 2


@inlined
def _turn(players, x, way):
    """The action at ``x``; ``way`` has the players left, those at the start of the round, its
    raises, the round and the draws."""
    (tree, layout, policy, known, _), bucket, me, weight = players
    left, began, raises, in_round, state = way
    head, seats = tree.node[x, 0], len(bucket)
    if round_of(head) != in_round:
        in_round, began, raises = np.int64(round_of(head)), left, np.int64(0)
    if in_round > known or _solved(began, seats):
        return np.int64(STOP), (left, began, raises, in_round, state)
    if in_round == 1 and raises == 2 and seats > 2:
        return np.int64(STOP), (left, began, raises, in_round, state)
    seat, n = seat_of(head), n_actions(head)
    state = step(state)
    u, a = unit(state), np.int64(0)
    if seat == me:
        fold = np.int64(tree.action[tree.node[x, 1]] == FOLD)
        a = fold + np.int64(u * (n - fold))
    else:
        at = infoset(layout, in_round, seat, bucket[seat, in_round], tree.node[x, 2])
        probabilities(policy, at, n, weight)
        while a < n - 1 and u >= weight[a]:
            u -= weight[a]
            a += 1
    action = tree.action[tree.node[x, 1] + a]
    left -= np.int64(action == FOLD)
    raises += np.int64(action > CALL)
    return a, (left, began, raises, in_round, state)


@njit
def _choose_kernel(places, reached, number, n, seed, out):
    """Draw the choices of all but the asking seats, of those that have chips left."""
    (node, asks), bits = reached, choice_bits(n)
    hand = np.empty(LENGTH, np.int64)
    for i in range(len(node)):
        hand_at(places, node[i], hand)
        state, choices = stream(seed, np.uint64(number[i])), 0
        for seat in range(hand[SEATS]):
            if seat == asks[i] or hand[FOLDERS] >> seat & 1:
                continue
            if hand[CHIPS + seat] < hand[STACKS + seat]:
                state = step(state)
                choices |= below(state, n) << bits * seat
        out[i] = choices


@njit
def _features_kernel(of, states, out, start, stop):
    (places, hands, flops, known, seats, n), (node, asks, choices, cards) = of, states
    hand, place = np.empty(LENGTH, np.int64), np.empty(seats, np.int8)
    perm, own = np.empty(4, np.int8), np.empty((seats, 2), np.float32)
    for i in range(start, stop):
        hand_at(places, node[i], hand)
        texture = _hands_of(hands, flops, cards[i], known, perm, own)
        public_features(hand, asks[i], known == 1, texture, out[i])
        places_of(hand, asks[i], place)
        fill(asks[i], choices[i], place, own, n, out[i])


@njit
def _hands_of(hands, flops, cards, known, perm, out):
    """Write strength and spread of every seat's hand to ``out``; returns the texture."""
    board = 2 * len(out)
    flop = canonical_board(flops, cards[board : board + 3], perm) if known else 0
    for seat in range(len(out)):
        lo, hi = cards[2 * seat], cards[2 * seat + 1]
        if known:
            out[seat] = hands.flop[flop, permute_hole(lo, hi, perm)]
        else:
            out[seat] = hands.preflop[hands.of_class[hole_id(lo, hi)]]
    return hands.texture[flop] if known else 0.0


@njit
def fill(me, choices, place, own, n, out):
    """Write the features of hands and choices: ``place`` int8[seats] are the places, ``own``
    float32[seats, 2] strength and spread, ``n`` the continuations."""
    bits, at = choice_bits(n), len(PUBLIC)
    out[at], out[at + 1] = own[me]
    for seat in range(len(place)):
        if place[seat] >= 0:
            first = at + len(HAND) + place[seat] * place_features(n)
            out[first], out[first + 1] = own[seat]
            k = choice_of(choices, seat, bits)
            if k > 0:
                out[first + len(HAND) + k - 1] = 1.0
