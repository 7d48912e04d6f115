"""States at leaves, drawn from the blueprint's own play, and their values by roll-outs.

A hand is played until a search of its first or second round would end: where the flop begins; or,
with more than two players on the flop, where the turn begins or after the second raise
(:func:`sixmax.search.subgame.depth`). One seat, which will ask for the value, plays every action
but a fold alike, as a traverser explores all of them; the others play the blueprint. A hand that
ends before is dealt anew. Then every other seat draws its continuation.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import in_parts, inlined, njit, read_only
from sixmax.base.progress import Done
from sixmax.base.rng import below, child, step, stream, unit
from sixmax.betting.leaf_choices import choice_bits
from sixmax.betting.rules import CALL, CHIPS, FOLD, FOLDERS, LENGTH, POT, SEATS, STACKS
from sixmax.betting.tree import Tree, is_decision, n_actions, round_of, seat_of
from sixmax.blueprint.run import Run
from sixmax.cards.deck import ROUNDS
from sixmax.cards.isomorphism import boards
from sixmax.cfr.advance import STOP, advance
from sixmax.cfr.layout import Layout, infoset
from sixmax.cfr.packed_actions import bit_layout
from sixmax.cfr.regret import match
from sixmax.cfr.sampled.leaves import Beyond, LeafDeal, roll_out
from sixmax.leaf_function.config import names
from sixmax.leaf_function.features import HandTables, features_kernel
from sixmax.ongoing.locate import Places, hand_at, places

_MOST_ACTIONS = 64
_DEALS = 1 << 16  # played at a time
_PATIENCE = 30  # rounds of deals without a state
_STATES = 1 << 13  # rolled out at a time
_SHOWN = (0, 3)  # cards that a leaf of the first and of the second round knows


class States(NamedTuple):
    """Drawn states, all of leaves of one round."""

    node: np.ndarray  # int32[n]: the blueprint's
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
    """The source of states of ``run``, whose players play ``policy`` and go on as ``packed``."""
    return StateSource(run, places(run.game, run.tree), policy, packed, hands)


def draw_states(of: StateSource, known: int, n: int, seed: int) -> States:
    """``n`` states of leaves of round ``known``. Raises UserError where the game has none."""
    run, seats, drawn, total, idle = of.run, of.run.game.seats, [], 0, 0
    deals, play, choose = (child(seed, name) for name in ("deal", "play", "choose"))
    first = 0
    while total < n:
        cards = run.dealer.cards(deals, first, _DEALS)[:, : 2 * seats + 5]
        bucket, rank = run.dealer.look_up(cards)
        node, asks = np.empty(_DEALS, np.int32), np.empty(_DEALS, np.int8)
        how = StatePlay(run.tree, run.layout, of.policy, known, play)
        in_parts(_DEALS, _play_kernel, how, bucket, first, (node, asks))
        kept = np.flatnonzero(node >= 0)
        reached, choices = (node[kept], asks[kept]), np.empty(len(kept), np.int32)
        _choose_kernel(of.places, reached, first + kept, len(of.packed), choose, choices)
        drawn.append(States(*reached, choices, cards[kept]))
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
    asked = of.places, of.hands, boards(of.run.ranks, 3), known, seats, choices
    in_parts(len(out), features_kernel, asked, states, out)
    return out


class StatePlay(NamedTuple):
    """Play on to a leaf of round ``known``."""

    tree: Tree
    layout: Layout
    policy: np.ndarray
    known: int
    seed: np.uint64


@njit
def _play_kernel(play, bucket, first, reached, start, stop):
    """Write the node that each hand comes to, -1 for no leaf, and the seat that asks."""
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
        match(policy, at, n, weight)
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


class LeafSample(NamedTuple):
    """Features and values, in pots, of states."""

    x: np.ndarray  # float32[n, features]
    mean: np.ndarray  # float64[n, choices]: of the roll-outs, by the own choice
    variance: np.ndarray  # float64[n, choices]: of one roll-out


def sample(
    of: StateSource, known: int, n: int, rollouts: int, seed: int, progress: Done
) -> LeafSample:
    """``n`` states of leaves of round ``known``, 0 or 1, each with so many roll-outs.

    A function of ``seed`` alone, whatever the threads. ``progress`` is called with states done.
    """
    states = draw_states(of, known, n, child(seed, "states"))
    parts = []
    for first in range(0, n, _STATES):
        part = States(*(column[first : first + _STATES] for column in states))
        mean, variance = roll(of, part, known, rollouts, child(seed, "boards", first))
        parts.append(LeafSample(features_of(of, part, known), mean, variance))
        progress(len(part.node))
    return LeafSample(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def roll(
    of: StateSource, states: States, known: int, rollouts: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of roll-outs by own choice, of the same boards: float64[n, choices]."""
    run, n = of.run, len(states.node)
    bucket, rank = run.dealer.look_up(redeal(of, states, known, rollouts, seed))
    bits = bit_layout(run.tree, run.layout)[0]
    beyond = Beyond(
        run.tree.node, run.tree.contributed, *bits, read_only(of.packed),
        np.empty((0, 0), np.int32), np.empty(0), choice_bits(len(of.packed)),
    )  # fmt: skip
    values = np.empty((2, n, len(of.packed)))
    in_parts(n, _roll_kernel, (of.places, beyond, rank, bucket), states, values)
    return values[0], values[1]


def redeal(of: StateSource, states: States, known: int, rollouts: int, seed: int) -> np.ndarray:
    """``states.cards`` so often, the board drawn anew: int8[n * rollouts, 2 seats + 5]."""
    n, (_, width) = len(states.node), states.cards.shape
    cards = np.repeat(states.cards, rollouts, axis=0).reshape(n, rollouts, width)
    seen = 2 * of.run.game.seats + _SHOWN[known]
    in_parts(n, _redeal_kernel, cards, seen, 4 * of.run.ranks, seed)
    return cards.reshape(-1, width)


@njit
def _redeal_kernel(cards, known, deck, seed, start, stop):
    """Draw all of ``cards`` int8[n, times, cards] anew after the first ``known`` of each row."""
    for i in range(start, stop):
        state = stream(seed, np.uint64(i))
        for k in range(cards.shape[1]):
            row = cards[i, k]
            taken = np.uint64(0)
            for at in range(known):
                taken |= np.uint64(1) << np.uint64(row[at])
            for at in range(known, row.size):
                while True:
                    state = step(state)
                    card = np.uint64(below(state, deck))
                    if not taken >> card & np.uint64(1):
                        break
                taken |= np.uint64(1) << card
                row[at] = np.int8(card)


@njit
def _roll_kernel(of, states, values, start, stop):
    """Write mean and variance to ``values`` float64[2, states, choices]."""
    (places, beyond, rank, bucket), (node, asks, choices, _) = of, states
    mean, variance, rollouts = values[0], values[1], len(rank) // len(node)
    net, hand = np.empty(bucket.shape[1]), np.empty(LENGTH, np.int64)
    for i in range(start, stop):
        me = np.int64(asks[i])
        hand_at(places, node[i], hand)
        for k in range(mean.shape[1]):
            chosen, total, squares = choices[i] | k << beyond.bits * me, 0.0, 0.0
            for j in range(i * rollouts, (i + 1) * rollouts):
                won = roll_out(beyond, node[i], chosen, me, LeafDeal(rank[j], bucket[j]), net)
                share = (won + hand[CHIPS + me]) / hand[POT]
                total += share
                squares += share * share
            mean[i, k] = total / rollouts
            left = max(squares - total * total / rollouts, 0.0)
            variance[i, k] = left / (rollouts - 1)
