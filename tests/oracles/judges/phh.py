"""Hands of PHH that pokerkit plays, random ones too: any stacks, posts, antes, and cents."""

import warnings
from decimal import Decimal
from fractions import Fraction

from pokerkit import Automation, HandHistory, NoLimitTexasHoldem

AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
RANKS, SUITS = "23456789TJQKA", "cdhs"


def by_pokerkit(text):
    """Net chips of each seat as pokerkit plays the hand ``text``, in whole chips, split exactly."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        history = HandHistory.loads(text)
        history.divmod = lambda chips, n: (Fraction(chips, n), 0)
        *_, state = history
    assert not state.status, "the hand is not over"
    return [float(chips) for chips in state.payoffs]


def number(chips, unit):
    """``chips`` of which ``unit`` are one, as a file has them."""
    return str(chips) if unit == 1 else f"{Decimal(chips) / unit:f}"


def table(rng, seats, unit=1):
    """The fields of a random game: straddles, posts, antes of one seat; some stacks are short."""
    big = rng.choice([2, 10, 100])
    posts = [big // 2, big] + [0] * (seats - 2)
    least = big
    if seats > 2 and rng.random() < 0.4:
        posts[2] = 2 * big
        least = rng.choice([big, 2 * big])
    if seats > 4 and rng.random() < 0.3:
        posts[-1] = big
    if rng.random() < 0.2:
        posts[:2] = posts[1::-1]
    ante = rng.choice([0, 0, max(1, big // 4)])
    antes, trimmed = [ante] * seats, rng.random() < 0.5
    if rng.random() < 0.4:
        antes, trimmed = [0] * seats, False
        antes[rng.randrange(seats)] = big
    stacks = [rng.randint(1, rng.choice([3, 40]) * big) for _ in range(seats)]
    return {
        "ante_trimming_status": str(trimmed).lower(),
        "antes": row(antes, unit),
        "blinds_or_straddles": row(posts, unit),
        "min_bet": number(least, unit),
        "starting_stacks": row(stacks, unit),
    }, (trimmed, antes, posts, least, stacks, seats)


def row(chips, unit):
    return f"[{', '.join(number(c, unit) for c in chips)}]"


def hand(rng, seats, unit=1):
    """The text of a random hand, and the net amounts of pokerkit, by seat.

    All cards are known. Nobody raises by less than a full raise, where pokerkit and the TDA differ.
    """
    fields, game = table(rng, seats, unit)
    deck = [rank + suit for rank in RANKS for suit in SUITS]
    rng.shuffle(deck)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # cards that pokerkit would have burnt
        actions, state = play(rng, game, deck, unit)
    lines = ["variant = 'NT'", *(f"{name} = {value}" for name, value in fields.items())]
    text = "\n".join([*lines, f"actions = {actions!r}", ""])
    return text, [float(Fraction(chips) / unit) for chips in state.payoffs]


def play(rng, game, deck, unit):
    """Random actions of a hand as PHH has them, with all that the dealer and showdowns say."""
    state = NoLimitTexasHoldem.create_state(
        AUTOMATIC, *game, divmod=lambda chips, n: (Fraction(chips, n), 0)
    )
    lines = []
    while state.status:
        if state.can_deal_hole():
            seat = state.hole_dealee_index
            cards = deck.pop() + deck.pop()
            state.deal_hole(cards)
            lines.append(f"d dh p{seat + 1} {cards}")
        elif state.can_deal_board():
            cards = "".join(deck.pop() for _ in range(state.street.board_dealing_count))
            state.deal_board(cards)
            lines.append(f"d db {cards}")
        elif state.can_show_or_muck_hole_cards():
            seat = state.showdown_index
            cards = "".join(map(repr, state.hole_cards[seat]))
            state.show_or_muck_hole_cards(cards)
            lines.append(f"p{seat + 1} sm {cards}")
        else:
            lines.append(act(rng, state, unit))
    return lines, state


def act(rng, state, unit):
    """Do a random action of ``state``; its line."""
    seat = state.actor_index
    low = state.min_completion_betting_or_raising_to_amount
    full = max(
        state.completion_betting_or_raising_amount,
        state.street.min_completion_betting_or_raising_amount,
    ) + max(state.bets)
    if low is not None and low >= full and rng.random() < 0.4:
        high = state.max_completion_betting_or_raising_to_amount
        chips = rng.choice([low, high, rng.randint(low, high), min(high, 2 * low)])
        state.complete_bet_or_raise_to(chips)
        return f"p{seat + 1} cbr {number(chips, unit)}"
    if state.can_fold() and state.checking_or_calling_amount and rng.random() < 0.3:
        state.fold()
        return f"p{seat + 1} f"
    state.check_or_call()
    return f"p{seat + 1} cc"
