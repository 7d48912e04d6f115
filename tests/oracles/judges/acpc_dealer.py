"""A dealer of the ACPC (protocol 2.0.0), from its text alone: nothing of ours is imported.

It seats connections and plays no-limit hold'em between them: rules, pots and hand values are its
own, slow and plain. It takes nothing on trust: a line of a player that is not the one answer
it was asked for raises :class:`FaultError`. Comments and the lines of a GUI are strewn in.
"""

import random
import re
import socket
import time
from collections import Counter
from itertools import combinations
from typing import NamedTuple

BOARD = (0, 3, 4, 5)  # cards seen by round


class FaultError(Exception):
    """A player broke the protocol or the rules."""


class ForfeitError(Exception):
    """A player ran out of time."""


class Limits(NamedTuple):
    """Seconds, as the ACPC's dealer counts them: of an answer, of a hand, of a hand on average."""

    response: float
    hand: float
    per_hand: float


class Game(NamedTuple):
    """As in a game definition; ``first`` counts seats from 0."""

    stacks: list[int]
    blinds: list[int]
    first: list[int]
    ranks: str  # of the deck, lowest first


class Hand:
    """One hand: the bets of each player, the players that are left, the player to act."""

    def __init__(self, game: Game):
        self.game, self.seats = game, len(game.stacks)
        self.put = [min(b, s) for b, s in zip(game.blinds, game.stacks, strict=True)]
        self.folded = [False] * self.seats
        self.round, self.texts = 0, [""]
        self.least = 2 * max(game.blinds)  # smallest raise-to
        self.waiting = self._order(game.first[0])

    def _order(self, first: int) -> list[int]:
        seats = [(first + k) % self.seats for k in range(self.seats)]
        return [p for p in seats if self.can_act(p)]

    def can_act(self, p: int) -> bool:
        return not self.folded[p] and self.put[p] < self.game.stacks[p]

    @property
    def left(self) -> list[int]:
        return [p for p in range(self.seats) if not self.folded[p]]

    @property
    def over(self) -> bool:
        return not self.waiting and (self.round == 3 or len(self.left) == 1 or self._all_in())

    def _all_in(self) -> bool:
        return sum(map(self.can_act, range(self.seats))) < 2

    @property
    def actor(self) -> int:
        return self.waiting[0]

    def limits(self) -> tuple[int, int] | None:
        """Smallest and largest raise-to of the actor."""
        p, top = self.actor, max(self.put)
        stack = self.game.stacks[p]
        if stack <= top or sum(map(self.can_act, range(self.seats))) < 2:
            return None
        return min(self.least, stack), stack

    def act(self, word: str) -> None:
        """``f``, ``c`` or ``rN``. Raises FaultError where it is illegal."""
        p, top = self.actor, max(self.put)
        if word == "f":
            if self.put[p] == top:
                raise FaultError("fold where checking is free")
            self.folded[p] = True
        elif word == "c":
            self.put[p] = min(top, self.game.stacks[p])
        else:
            hit = re.fullmatch(r"r([1-9]\d*)", word)
            limits = self.limits()
            if not hit or limits is None or not limits[0] <= int(hit[1]) <= limits[1]:
                raise FaultError(f"action {word!r}, wanted f, c or a raise within {limits}")
            to = int(hit[1])
            self.least = max(self.least, 2 * to - top)
            self.put[p] = to
            self.waiting = [p] + [q for q in self._order(p + 1) if q != p]
        self.texts[-1] += word
        self.waiting = [q for q in self.waiting[1:] if self.can_act(q)]
        if len(self.left) == 1:
            self.waiting = []
        while not self.waiting and self.round < 3 and len(self.left) > 1:
            self.round += 1
            self.texts.append("")
            self.least = max(self.put) + max(self.game.blinds)
            self.waiting = [] if self._all_in() else self._order(self.game.first[self.round])


def worth(cards: list[str], ranks: str) -> tuple:
    """The worth of the best five of ``cards``; larger is better."""
    return max(_five(five, ranks) for five in combinations(cards, 5))


def _five(cards: tuple[str, ...], ranks: str) -> tuple:
    at = [ranks.index(card[0]) for card in cards]
    groups = sorted(((n, r) for r, n in Counter(at).items()), reverse=True)
    shape, high = tuple(n for n, _ in groups), [r for _, r in groups]
    flush = len({card[1] for card in cards}) == 1
    low = sorted(at)
    straight = len(high) == 5 and low[4] - low[0] == 4
    if low == [0, 1, 2, 3, len(ranks) - 1]:  # the ace below the smallest
        straight, high = True, [3]
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    kind = 8 if straight and flush else 5 if flush else 4 if straight else kinds.get(shape, 0)
    return max(kind, kinds.get(shape, 0)), *(high[:1] if straight else high)


def payoffs(hand: Hand, holes: list[list[str]], board: list[str]) -> list[float]:
    """Net chips by seat: pots by level, each shared by the best of those who paid into it."""
    net = [-float(chips) for chips in hand.put]
    paid = 0
    for level in sorted(set(hand.put)):
        pot = sum(min(chips, level) - min(chips, paid) for chips in hand.put)
        inside = [p for p in hand.left if hand.put[p] >= level]
        if len(inside) > 1:
            value = {p: worth([*holes[p], *board], hand.game.ranks) for p in inside}
            inside = [p for p in inside if value[p] == max(value.values())]
        for p in inside:
            net[p] += pot / len(inside)
        paid = level
    return net


class Dealer:
    """Listens on a free port; :meth:`play` seats players in the order in which they connect."""

    def __init__(self, game: Game, players: int, seconds: float, limits: Limits | None = None):
        self.game, self.players, self.limits = game, players, limits
        self.server = socket.create_server(("127.0.0.1", 0))
        self.server.settimeout(seconds)
        self.port, self.seconds = self.server.getsockname()[1], seconds
        self.won: list[list[float]] = []  # of each hand, by player
        self.raises: list[int] = []

    def play(self, hands: int, seed: int) -> None:
        """Play ``hands`` hands; the players move one seat on with each. Raises FaultError."""
        self.random = random.Random(seed)
        self.lines, self.took = [], [0.0] * self.players  # seconds of the match, by player
        self.budget = hands * self.limits.per_hand if self.limits else 0.0
        connections = []
        for _ in range(self.players):
            connection, _ = self.server.accept()
            connection.settimeout(self.seconds)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connections.append(connection)
            self.lines.append(connection.makefile("rb"))
            if self.lines[-1].readline() != b"VERSION:2.0.0\r\n":
                raise FaultError("wanted VERSION:2.0.0 first")
        self.connections = connections
        for number in range(hands):
            self._hand(number)
        for connection, lines in zip(connections, self.lines, strict=True):
            connection.shutdown(socket.SHUT_WR)  # the end of the match
            if rest := lines.read():
                raise FaultError(f"{rest[:80]!r} was not asked for")
            connection.close()
        self.server.close()

    def _hand(self, number: int) -> None:
        hand, deck = Hand(self.game), [r + s for r in self.game.ranks for s in "cdhs"]
        self.random.shuffle(deck)
        holes = [deck[2 * p : 2 * p + 2] for p in range(hand.seats)]
        board = deck[2 * hand.seats :][:5]
        player = [(p + number) % hand.seats for p in range(hand.seats)]  # the player in seat p
        self.of_hand = [0.0] * self.players
        while True:
            states = [self._state(hand, number, p, holes, board) for p in range(hand.seats)]
            for p, state in enumerate(states):
                self._say(player[p], state)
            if hand.over:
                break
            word = self._ask(player[hand.actor], states[hand.actor])
            if word[0] == "r":
                self.raises.append(int(word[1:]))
            hand.act(word)
        net = payoffs(hand, holes, board)
        self.won.append([net[player.index(k)] for k in range(hand.seats)])

    def _state(self, hand: Hand, number: int, seat: int, holes: list, board: list[str]) -> str:
        shown = hand.over and len(hand.left) > 1
        cards = "|".join(
            "".join(holes[p]) if p == seat or (shown and p in hand.left) else ""
            for p in range(hand.seats)
        )
        for r in range(1, hand.round + 1):
            cards += "/" + "".join(board[BOARD[r - 1] : BOARD[r]])
        return f"MATCHSTATE:{seat}:{number}:{'/'.join(hand.texts)}:{cards}"

    def _say(self, player: int, line: str) -> None:
        aside = self.random.choice(["", "", "# a comment\r\n", "; for a GUI\r\n", "#\r\n"])
        self.connections[player].sendall(f"{aside}{line}\r\n".encode())

    def _ask(self, player: int, state: str) -> str:
        begun = time.monotonic()
        answer = self.lines[player].readline().decode()
        self._count(player, time.monotonic() - begun)
        head, _, word = answer.rpartition(":")
        if head != state or not word.endswith("\r\n"):
            raise FaultError(f"found {answer!r}, wanted {state}: and an action")
        return word[:-2]

    def _count(self, player: int, seconds: float) -> None:
        self.of_hand[player] += seconds
        self.took[player] += seconds
        if self.limits is None:
            return
        used = seconds, self.of_hand[player], self.took[player]
        if any(a > b for a, b in zip(used, (*self.limits[:2], self.budget), strict=True)):
            raise ForfeitError(f"player {player}: {used}, wanted {self.limits}")
