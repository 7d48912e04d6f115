"""Slow twins of ``game``: plain lists, one rule a line, nothing taken from the package."""

import math
from dataclasses import dataclass, field
from fractions import Fraction

FOLD, CALL = -1, 0


@dataclass
class Table:
    """A hand of no-limit betting, told in words of the rule book."""

    stacks: list[int]  # chips before the hand
    blinds: list[int]
    antes: list[int]
    first: list[int]
    put: list[int] = field(default_factory=list)  # chips in the middle, by seat
    folded: set[int] = field(default_factory=set)
    queue: list[int] = field(default_factory=list)  # seats still to be asked, in order
    acted: set[int] = field(default_factory=set)  # in this round
    steps: list[int] = field(default_factory=list)  # by how much each raise of the round raised
    round: int = 0
    last_round: int = 0  # round of the last action

    def __post_init__(self):
        for stack, blind, ante in zip(self.stacks, self.blinds, self.antes, strict=True):
            paid = min(ante, stack)
            self.put.append(paid + min(blind, stack - paid))
        self._ask_from(self.first[0])
        self._settle()

    @property
    def seats(self):
        return len(self.stacks)

    @property
    def left(self):
        return [s for s in range(self.seats) if s not in self.folded]

    @property
    def over(self):
        return not self.queue

    @property
    def actor(self):
        return self.queue[0]

    @property
    def high(self):
        return max(self.put)

    @property
    def to_call(self):
        return min(self.high, self.stacks[self.actor]) - self.put[self.actor]

    @property
    def big_blind(self):
        return max(1, *self.blinds)

    @property
    def raise_range(self):
        full = max([self.big_blind, *self.steps])
        owed = self.high - self.put[self.actor]
        stack = self.stacks[self.actor]
        if stack <= self.high or not self._somebody_can_answer(self.actor):
            return None
        if self.actor in self.acted and owed < full:
            return None  # short all-ins only since the last action: not reopened
        return min(stack, self.high + full), stack

    def act(self, action):
        seat = self.queue.pop(0)
        self.last_round = self.round
        self.acted.add(seat)
        if action == FOLD:
            self.folded.add(seat)
        elif action == CALL:
            self.put[seat] = min(self.high, self.stacks[seat])
        else:
            self.steps.append(action - self.high)
            self.put[seat] = action
            self._ask_from((seat + 1) % self.seats, without=seat)
        self._settle()

    def _ask_from(self, start, without=None):
        order = [(start + k) % self.seats for k in range(self.seats)]
        self.queue = [
            s
            for s in order
            if s != without and s not in self.folded and self.put[s] < self.stacks[s]
        ]

    def _somebody_can_answer(self, seat):
        return any(self.stacks[s] > self.high for s in self.left if s != seat)

    def _settle(self):
        """Find who is asked next; move on by rounds when nobody is."""
        while True:
            if len(self.left) == 1:
                self.queue = []
                return
            while self.queue:
                seat = self.queue[0]
                if self.put[seat] < self.high or self._somebody_can_answer(seat):
                    return
                self.queue.pop(0)
            if self.round + 1 == len(self.first):
                return
            self.round += 1
            self.acted, self.steps = set(), []
            self._ask_from(self.first[self.round])


def table(game, actions=()):
    """The :class:`Table` of a GameConfig after ``actions``."""
    result = Table(list(game.stacks), list(game.blinds), list(game.antes), list(game.first))
    for action in actions:
        result.act(action)
    return result


def payoffs(put, contenders, rank):
    """Net chips as Fractions, chip by chip: the n-th chips of all seats are one little pot."""
    net = [Fraction(-p) for p in put]
    best_so_far = contenders
    for chip in range(1, max(put) + 1):
        paid = [s for s in range(len(put)) if put[s] >= chip]
        able = [s for s in paid if s in contenders]
        if able:
            best = max(rank[s] for s in able)
            best_so_far = [s for s in able if rank[s] == best]
        for s in best_so_far:  # chips nobody left can match go to who won the chip below
            net[s] += Fraction(len(paid), len(best_so_far))
    return net


def raises(game, state):
    """The raise-to amounts that the config offers at ``state``, a Table."""
    sizes = game.rounds[state.round]
    done = len(state.steps)
    if done >= sizes.max_raises or len(state.left) > sizes.max_players or not state.raise_range:
        return []
    low, high = state.raise_range
    deepest = max(state.stacks[s] for s in state.left if s != state.actor)
    high = min(high, max(low, deepest))
    pot = sum(state.put) + state.to_call
    amounts = set()
    for size in sizes.sizes[min(done, len(sizes.sizes) - 1)]:
        if size == "A":
            amount = high
        elif isinstance(size, str):
            amount = state.high + int(size.split()[0])
        else:
            amount = state.high + math.floor(size * pot + 0.5)
        amounts.add(min(max(amount, low), high))
    return sorted(amounts)


def actions(game, state):
    """Fold (never for free), call, and the raises offered."""
    return [FOLD] * (state.to_call > 0) + [CALL] + raises(game, state)


def returned(put):
    """Chips by seat after the uncalled part of the highest bet went back."""
    second = sorted(put)[-2]
    return [min(p, second) for p in put]


def tree(game, before=(), scope=None):
    """The betting tree: one dict a node, numbered as the package numbers them.

    Or the part after the actions ``before`` that ``scope`` shows, rounds counted from there.
    """
    nodes = [{"parent": -1, "action": CALL}]
    slots = {}
    first = table(game, before).round if before else 0

    def is_leaf(state, history):
        if not history:
            return False
        raised = history[-1] > CALL and state.round == first
        beyond = state.round - first >= scope.rounds
        return beyond or (raised and len(state.steps) >= scope.raises)

    def offered_at(state, history):
        on_path = list(scope.taken[: len(history)]) == history and len(history) < len(scope.taken)
        wanted = {int(scope.taken[len(history)])} if on_path else set()
        if scope.folded >> state.actor & 1:
            return list(wanted or {FOLD if state.to_call else CALL})
        return sorted({*actions(game, state), *wanted})

    def write_decision(at, state, in_round, player, offered):
        slot = slots.get((in_round, player), 0)
        children = [len(nodes) + k for k in range(len(offered))]
        nodes[at] |= {"kind": "decision", "round": in_round, "player": player, "slot": slot}
        nodes[at] |= {"put": list(state.put), "children": children}
        nodes.extend({"parent": at, "action": a} for a in offered)
        return slot + len(offered)

    def choose(at, state):
        level, in_round = [(at, {})], state.last_round - first
        for seat in state.left:
            if state.put[seat] == state.stacks[seat]:
                continue
            hit, end = [], None
            for x, chosen in level:
                end = write_decision(x, state, in_round, seat, [-2, -3, -4, -5])
                hit += [(y, {**chosen, seat: k}) for k, y in enumerate(nodes[x]["children"])]
            slots[in_round, seat] = end
            level = hit
        for x, chosen in level:
            nodes[x].update(
                kind="leaf", round=in_round, put=list(state.put), leaf=at, chosen=chosen
            )

    def expand(at, history):
        state = table(game, [*before, *history])
        node = nodes[at]
        if state.over:
            left = state.left
            node.update(round=state.last_round - first, put=state.put, left=left)
            if len(left) == 1:
                node["kind"] = "folded"
            else:
                node["put"] = returned(state.put)
                same = len({node["put"][s] for s in left}) == 1
                node["kind"] = "showdown" if same else "sidepots"
            return
        if scope and is_leaf(state, history):
            choose(at, state)
            return
        offered = offered_at(state, history) if scope else actions(game, state)
        place = (state.round - first, state.actor)
        slots[place] = write_decision(at, state, *place, offered)
        for child, action in zip(node["children"], offered, strict=True):
            expand(child, [*history, action])

    expand(0, [])
    return nodes
