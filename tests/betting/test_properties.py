"""Properties of every hand of every game, without a twin that could share a mistake."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.cards import hand_value
from oracles.games import games, hand_after
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.state import Betting

randoms = st.randoms(use_true_random=False)


def legal(betting, random):
    """Some legal action: raises as often as calls, folds less often."""
    low, high = betting.raise_range or (CALL, CALL)
    return random.choice([CALL, low, random.randint(low, high)] + [FOLD] * (betting.to_call > 0))


def played(game, random):
    """The hand before every action and at its end, and the actions."""
    hands, actions = [Betting(game)], []
    while not hands[-1].over:
        actions.append(legal(hands[-1], random))
        hands.append(hands[-1].copy())
        hands[-1].act(actions[-1])
    return hands, actions


def seats_of(mask):
    return [seat for seat in range(mask.bit_length()) if mask >> seat & 1]


def owing(betting, game):
    """Seats that must still answer: not folded, not all-in, with less in than another."""
    put = betting.contributed
    return [
        seat
        for seat in seats_of(betting.contenders)
        if put[seat] < min(put.max(), game.stacks[seat])
    ]


@settings(max_examples=150)
@given(games(), randoms)
def test_chips__are_conserved(game, random):
    hands, actions = played(game, random)
    for before, action, after in zip(hands, actions, hands[1:], strict=False):
        change = after.contributed - before.contributed
        assert (after.contributed + after.stacks).tolist() == game.stacks
        assert (after.stacks >= 0).all()
        assert change[before.actor] == change.sum()  # only who acts pays
        assert change.sum() == 0 if action == FOLD else change.sum() == before.to_call or action > 0
    end = hands[-1]
    net, put = end.payoffs([random.randint(0, 3) for _ in game.stacks]), end.contributed
    assert abs(net.sum()) < 1e-9
    for seat in range(game.seats):
        others = sum(min(put[seat], put[p]) for p in range(game.seats) if p != seat)
        assert -put[seat] <= net[seat] <= others + 1e-9
        assert end.contenders >> seat & 1 or net[seat] == -put[seat]


@settings(max_examples=150)
@given(games(), randoms)
def test_turns__nobody_acts_out_of_turn_and_nobody_is_left_out(game, random):
    hands, actions = played(game, random)
    asked = set()  # since the round began or the last raise
    for before, action, after in zip(hands, actions, hands[1:], strict=False):
        actor = before.actor
        assert before.contenders >> actor & 1
        assert before.stacks[actor] > 0
        assert actor not in asked
        asked = {actor} if action > 0 else asked | {actor}
        skipped_from = actor + 1
        if not after.over and after.round > before.round:
            assert owing(after, game) == []
            asked, skipped_from = set(), game.first[after.round]
        if after.over:
            assert after.contenders.bit_count() == 1 or owing(after, game) == []
            continue
        n = game.seats
        skipped = [(skipped_from + k) % n for k in range((after.actor - skipped_from) % n)]
        assert not set(skipped) & set(owing(after, game))
    assert [h.round for h in hands] == sorted(h.round for h in hands)


@settings(max_examples=60)
@given(games(), randoms)
def test_replay__equals_play_from_every_point(game, random):
    hands, actions = played(game, random)
    for start in range(len(actions) + 1):
        again = hands[start].copy()
        for action in actions[start:]:
            again.act(action)
        assert again.hand.tolist() == hands[-1].hand.tolist()
    for one, two in pairwise(hands):  # and no hand was changed by what came after it
        assert one.hand.tolist() != two.hand.tolist()


@settings(max_examples=150)
@given(games(), randoms, st.integers(-3, 80))
def test_act__what_is_refused_changes_nothing(game, random, action):
    for betting in played(game, random)[0]:
        before, low_high = betting.hand.tolist(), betting.raise_range
        allowed = not betting.over and (
            action == CALL
            or (action == FOLD and betting.to_call > 0)
            or (low_high is not None and low_high[0] <= action <= low_high[1])
        )
        if allowed:
            betting.copy().act(action)
        else:
            with pytest.raises(UserError):
                betting.act(action)
        assert betting.hand.tolist() == before


def deal(random, seats):
    cards = random.sample(range(52), 2 * seats + 5)
    return [cards[2 * s : 2 * s + 2] for s in range(seats)], cards[2 * seats :]


def net(betting, holes, board):
    return betting.payoffs([hand_value([*hole, *board]) for hole in holes]).tolist()


@settings(max_examples=100)
@given(games(seats=(2, 6)), randoms, st.permutations(range(4)))
def test_payoffs__suits_renamed_give_the_same(game, random, suits):
    def renamed(cards):
        return [4 * (c // 4) + suits[c % 4] for c in random.sample(cards, len(cards))]

    betting = played(game, random)[0][-1]
    holes, board = deal(random, game.seats)
    expected = net(betting, holes, board)
    assert net(betting, [renamed(h) for h in holes], renamed(board)) == expected


@settings(max_examples=100)
@given(games(seats=(2, 6), stack=12), randoms)
def test_payoffs__cards_of_equals_exchanged_exchange_what_they_win(game, random):
    """Two seats still in that have put in the same are told apart by their cards alone."""
    betting = played(game, random)[0][-1]
    holes, board = deal(random, game.seats)
    expected, put = net(betting, holes, board), betting.contributed
    left = seats_of(betting.contenders)
    for a in left:
        for b in left:
            if put[a] == put[b]:
                order = list(range(game.seats))
                order[a], order[b] = b, a
                actual = net(betting, [holes[s] for s in order], board)
                assert actual == pytest.approx([expected[s] for s in order])


@settings(max_examples=100)
@given(games(seats=(3, 6)), st.integers(1, 5), randoms)
def test_payoffs__seats_rotated_with_their_cards_give_rotated_payoffs(game, by, random):
    def rotate(seats):
        return [seats[(seat - by) % game.seats] for seat in range(game.seats)]

    change = {name: rotate(getattr(game, name)) for name in ("stacks", "blinds")}
    change["first"] = [(seat + by) % game.seats for seat in game.first]
    hands, actions = played(game, random)
    rotated = hand_after(game.model_copy(update=change), actions)
    holes, board = deal(random, game.seats)
    expected = rotate(net(hands[-1], holes, board))
    assert net(rotated, rotate(holes), board) == pytest.approx(expected)
