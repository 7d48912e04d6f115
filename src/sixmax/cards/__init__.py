"""Cards: the deck, hand values, situations up to suits, exact equities.

All parametrised by the number of ranks R: the deck holds the top R ranks, n = 4R cards.
H = n(n-1)/2 is the number of holes (hands of two cards), B the number of canonical boards.
"""
