"""Side pots and exact payoffs."""

from sixmax.base.jit import njit, uncounted


@njit
def return_uncalled(chips):
    """Give back, in place, the chips of the highest bettor beyond the second highest.

    Returns the number of chips given back.
    """
    first = second = owner = 0
    for seat in range(chips.size):
        if chips[seat] > first:
            first, second, owner = chips[seat], first, seat
        elif chips[seat] > second:
            second = chips[seat]
    chips[owner] = second
    return first - second


@uncounted
def payoffs(contributed, mask, rank, out):
    """Write the net chips of every seat into ``out`` (float64[seats]).

    ``contributed`` is int[seats], chips put in over the whole hand; ``mask`` the bit mask of the
    contenders (seats that have not folded, at least one); ``rank`` is int[seats], higher wins and
    equal ranks share, read for contenders only. A pot goes to the best contenders who have paid
    into it in full and is split exactly: there is no odd-chip rule, halves occur. A bet that
    nobody called comes back, being a pot with one contender. Folded chips above the bets of
    all contenders belong to the last pot.
    """
    top = 0
    for seat in range(contributed.size):
        out[seat] = 0.0 - contributed[seat]
        if mask >> seat & 1:
            top = max(top, contributed[seat])
    below = 0
    while below < top:
        level, best = top, rank[0]
        winners = 0
        for seat in range(contributed.size):
            if mask >> seat & 1 and contributed[seat] > below:
                level = min(level, contributed[seat])
                if winners == 0 or rank[seat] > best:
                    best, winners = rank[seat], 1
                elif rank[seat] == best:
                    winners += 1
        pot = 0
        for seat in range(contributed.size):
            upto = contributed[seat] if level == top else min(contributed[seat], level)
            pot += max(0, upto - below)
        share = pot / winners
        for seat in range(contributed.size):
            in_pot = mask >> seat & 1 and contributed[seat] > below
            if in_pot and rank[seat] == best:
                out[seat] += share
        below = level
