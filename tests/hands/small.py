"""Hands of three players that several tests read, write and change."""

import pytest

from processes import ROOT
from sixmax.cards.deck import parse_cards

LOGS = ROOT.parent / "shared" / "data" / "pluribus_hands"
needs_logs = pytest.mark.skipif(not LOGS.is_dir(), reason=f"Pluribus's hands are not at {LOGS}")
CARDS = parse_cards("AhAd KcKd 2c2d 7h8h9s Jd 2s")  # of three players, and the board
NAMES = ("a", "b'c", "d")
PHH = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 cbr 6', 'p1 f', 'p2 f']
"""


def counts(tally):
    """Hands, mismatches and damaged ones."""
    return tally.hands, tally.mismatches, tally.damaged
