"""The table, opinions and results as lines of at most 80 columns, and their colours."""

import math
import os
import re
import textwrap
from collections.abc import Sequence
from typing import TextIO

from sixmax.betting.rules import CALL, FOLD
from sixmax.cards.deck import ROUNDS, format_cards
from sixmax.scores.statistics import Sums, interval
from sixmax.session.luck import SessionScore
from sixmax.session.opinion import Opinion
from sixmax.session.person import SeatView
from sixmax.session.review import Summary

LEAST = 0.005  # a share below it is not shown
_CODES = {"bold": "1", "red": "31", "green": "32", "blue": "34"}
_SUITS = {"h": "red", "d": "blue", "c": "green", "s": "bold"}
_CARD = re.compile(r"\b([2-9TJQKA])([cdhs])\b")
HELP = """\
f fold · c check or call · r SIZE bet or raise · a all-in
o the strategy's opinion now (counted as help) · s your result · ? this · q quit
SIZE counts the chips of this round, as in r 300; also r min, r half, r pot,
r 75% (of the pot after calling), r 3bb. Any legal size may be typed."""
COST = """\
cost: chips that the strategy's own play with your hand is worth more than your
action, on average over cards that you could not see, if all play the blueprint
afterwards; ± half of a 95 % interval. Below 0 yours is worth more."""


def spaced(cards: str) -> str:
    """Cards such as AhKd with blanks between them."""
    return " ".join(cards[i : i + 2] for i in range(0, len(cards), 2))


def opening(state: SeatView) -> list[str]:
    """The players and their chips, as the hand begins."""
    blinds = "/".join(f"{chips:,}" for chips in sorted(filter(None, state.blinds)))
    lines = [f"hand {state.number} · you are {state.positions[state.seat]} · blinds {blinds}"]
    for seat in range(len(state.names)):
        start = state.stacks[seat] + state.put_in[seat]
        posted = f"posts {state.put_in[seat]:,}" if state.put_in[seat] else ""
        held = spaced(state.hole) if seat == state.seat else ""
        lines.append(f"  {player(state, seat)} {start:>8,}  {held:8}{posted}".rstrip())
    return lines


def player(state: SeatView, seat: int) -> str:
    """Position and name of a seat, of one width."""
    return f"{state.positions[seat]:5} {state.names[seat][:20]:20}"


def last_action(state: SeatView) -> int:
    """The action that was done last."""
    return [action for part in state.actions for _, action in part][-1]


def happened(before: SeatView, after: SeatView) -> list[str]:
    """The action between two states of a hand, and the line of a round that it begins."""
    lines = [f"  {player(before, before.actor)} {deed(before, last_action(after))}"]
    if after.board != before.board and not after.over:
        left = sum(not gone for gone in after.folded)
        lines.append(f"{after.round}  {spaced(after.board)} · pot {after.pot:,} · {left} left")
    return lines


def deed(state: SeatView, action: int) -> str:
    """``action`` of the seat to act in ``state``, as a verb."""
    seat = state.actor
    owes = state.put_in[seat] < max(state.put_in)
    facing = owes if action <= CALL else facing_bet(state)
    text = done(action, facing, state.before[seat])
    if action == state.put_in[seat] + state.stacks[seat] and action > CALL:
        text += ", all-in"
    return text


def done(action: int, facing: bool, before: int = 0, noun: bool = False) -> str:
    """An action in words, chips of this round: a verb, or with ``noun`` its name."""
    if action == FOLD:
        return "fold" if noun else "folds"
    if action == CALL:
        word = "call" if facing else "check"
        return word if noun else f"{word}s"
    word = "raise" if facing else "bet"
    to = " to" if facing and not noun else ""
    return f"{word if noun else f'{word}s'}{to} {action - before:,}"


def choices(state: SeatView) -> list[str]:
    """The cards and chips of the person to act, and the choices."""
    to_call = f"{state.to_call:,} to call" if state.to_call else "nothing to call"
    behind = f"{state.stacks[state.seat]:,} behind"
    first = f"you have {spaced(state.hole)} · pot {state.pot:,} · {to_call} · {behind}"
    words = ["f fold", f"c call {state.to_call:,}"] if state.to_call else ["c check"]
    if state.raises:
        low, high = (chips - state.before[state.seat] for chips in state.raises)
        word = "raise" if facing_bet(state) else "bet"
        if low < high:
            words.append(f"r {word} {low:,} to {high:,}")
        words.append(f"a all-in {high:,}")
    return [first, " · ".join([*words, "o opinion", "? help"])]


def facing_bet(state: SeatView) -> bool:
    """Whether there is a bet in this round, blinds among them."""
    return max(p - b for p, b in zip(state.put_in, state.before, strict=True)) > 0


def ending(state: SeatView) -> list[str]:
    """All cards, and the chips that each seat won."""
    lines = [f"all cards  {spaced(state.board)}".rstrip()]
    for seat, hole in enumerate(state.shown):
        folded = "folded" if state.folded[seat] else ""
        won = f"{state.won[seat]:+,.0f}" if state.won[seat] else "0"
        lines.append(f"  {player(state, seat)} {spaced(hole)}  {won:>8}  {folded}".rstrip())
    return lines


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def mix(opinion: Opinion) -> str:
    """The strategy's actions with their shares, the commonest first."""
    pairs = sorted(zip(opinion.chance, opinion.offered, strict=True), key=lambda pair: -pair[0])
    parts = [f"{name(opinion, a)} {_percent(share)}" for share, a in pairs if share >= LEAST]
    return " · ".join(parts)


def name(opinion: Opinion, action: int) -> str:
    """An action of a decision as a noun."""
    facing = opinion.to_call > 0 if action <= CALL else opinion.facing
    return done(action, facing, opinion.before, noun=True)


def chips(sums: Sums) -> str:
    """A mean in chips with half of its 95 % interval."""
    low, high = interval(sums)
    margin = (high - low) / 2
    if max(abs(sums.mean), margin) < 0.5:
        return "0"
    return f"{sums.mean:+,.0f} ± {margin:,.0f}"


def decisions(opinions: Sequence[Opinion], agent: str) -> list[str]:
    """A row for each decision that was made: the action, the agent's own actions, the cost."""
    return [columns(agent), *map(row, opinions)]


def columns(agent: str) -> str:
    """The line above the rows of decisions."""
    return f"{'':8} {'pot':>7}  {'done':14} {agent[:30]:30} {'cost, chips':>15}"


def row(opinion: Opinion) -> str:
    """One decision that was made."""
    parts = mix(opinion).replace(" ", "\xa0").replace("\xa0·\xa0", " · ")  # kept whole
    first, *more = [line.replace("\xa0", " ") for line in textwrap.wrap(parts, 30)]
    did, cost = name(opinion, opinion.action), "–" if opinion.cost is None else chips(opinion.cost)
    lines = [f"{ROUNDS[opinion.in_round]:8} {opinion.pot:>7,}  {did:14} {first:30} {cost:>15}"]
    return "\n".join([*lines, *(f"{'':32} {rest}" for rest in more)])


def detail(opinion: Opinion, agent: str, ranks: int) -> list[str]:
    """One decision to come: how often the agent does each action, and its worth."""
    board = spaced(format_cards(opinion.board, ranks)) or "no board"
    lines = [
        f"{agent} with {spaced(format_cards(opinion.hole, ranks))}, {board}, "
        f"pot {opinion.pot:,}, {opinion.to_call:,} to call",
        f"  {'':14} {'how often':>10} {'worth in chips':>18}",
    ]
    for action, share in zip(opinion.offered, opinion.chance, strict=True):
        worth = "–" if opinion.worth is None else chips(opinion.worth.of(action))
        lines.append(f"  {name(opinion, action):14} {_percent(share):>10} {worth:>18}")
    return lines


def rate(sums: Sums) -> str:
    """A win rate with its 95 % interval."""
    low, high = interval(sums)
    between = f" (95 %: {low:+,.0f} to {high:+,.0f})" if math.isfinite(low) else ""
    return f"{sums.mean:+,.0f} mbb/hand{between}"


def result(score: SessionScore, big_blind: int, helped: int) -> list[str]:
    """The result of a session so far."""
    n = score.won.n
    total = score.won.total * big_blind / 1000
    hands = f"{n:,} hand{'' if n == 1 else 's'}, {total:+,.0f} chips"
    lines = [f"{hands}: {rate(score.won)}" if n else "no hand played to its end"]
    if score.late or score.adjusted is not None:
        text = "at work, kernels compile once" if score.late else rate(score.adjusted)
        lines.append(f"luck taken off by AIVAT: {text}")
    if helped:
        lines.append(f"help asked for {helped:,} time{'' if helped == 1 else 's'}")
    return lines


def welcome(run: str, seed: int, first: int) -> str:
    """The first line of a session."""
    on = f"; it goes on with hand {first}" if first > 1 else ""
    return f"{run}: --seed {seed} deals these hands again{on}; ? shows the keys"


def total(summary: Summary, agent: str) -> list[str]:
    """The last lines of a review."""
    hands = f"{summary.hands:,} hand{'' if summary.hands == 1 else 's'}"
    count = f"{summary.decisions:,} decision{'' if summary.decisions == 1 else 's'}"
    lines = [f"{hands}, {count}; {agent} does the same in {_percent(summary.share)} of the cases"]
    if summary.cost is not None:
        lines.append(f"cost of all decisions: {rate(summary.cost)}")
    return lines


class Paint:
    """Colours text for ``out``, where it is a terminal and NO_COLOR is not set."""

    def __init__(self, out: TextIO):
        dumb = os.environ.get("TERM") == "dumb"
        self.on = out.isatty() and not dumb and not os.environ.get("NO_COLOR")

    def __call__(self, text: str, colour: str = "") -> str:
        """``text`` in ``colour``, and its cards, such as Ah, each in the colour of its suit."""
        if not self.on:
            return text
        base = f"\x1b[{_CODES[colour]}m" if colour else ""
        suit = "\x1b[{}m{}\x1b[0m"
        cards = _CARD.sub(lambda card: suit.format(_CODES[_SUITS[card[2]]], card[0]) + base, text)
        return f"{base}{cards}\x1b[0m" if base else cards
