"""A person at the table who acts by a seed, and hands played to their end."""

import numpy as np


class Person:
    """A person who calls mostly, folds and raises any size sometimes; or acts ``always`` alike."""

    def __init__(self, seed=1, always=None):
        self._random, self._always = np.random.default_rng(seed), always

    def action(self, state):
        if self._always is not None:
            return self._always
        u = self._random.random()
        if u < 0.15 and state.to_call:
            return -1
        if u < 0.6 or state.raises is None:
            return 0
        low, high = state.raises
        return int(self._random.integers(low, min(high, 4 * low) + 1)) if u < 0.95 else high


def finish(session, person):
    """Play the hand to its end; the states that the person saw on the way."""
    seen = [session.state()]
    while not session.over:
        if session.waits:
            session.act(person.action(session.state()))
        else:
            session.step()
        seen.append(session.state())
    return seen


def play(session, hands, person):
    """Play so many hands; their records."""
    records = []
    for _ in range(hands):
        if session.over:
            session.next_hand()
        finish(session, person)
        records.append(session.record)
    return records
