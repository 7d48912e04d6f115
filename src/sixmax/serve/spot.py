"""A spot as plain JSON values: the table, the path to it, strategies there, a typed size."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from sixmax.api.walk import Address, Decision, TreeSize, Walk
from sixmax.base.errors import UserError
from sixmax.betting.config import SEEN
from sixmax.betting.rules import CALL, FOLD, HIGH
from sixmax.betting.state import Betting, spell
from sixmax.blueprint.run import Run
from sixmax.cards.deck import ROUNDS, class_names, format_cards
from sixmax.ongoing.translate import fraction
from sixmax.serve.library import Library
from sixmax.session.person import raise_to

_WORDS = re.compile(r"r(\d{1,9})|a|all[- ]?in", re.ASCII)


def spot(library: Library, address: Address) -> dict[str, Any]:
    """The page of ``address``. Raises UserError for an impossible spot.

    ``state`` is "decide", "deal" (the board of the next round) or "over".
    """
    walk = address.walk(library.open(address.agent))
    betting = walk.betting
    state = "over" if betting.over else "deal" if walk.needs_cards else "decide"
    out = {
        "address": address.fields(), "state": state, "names": class_names(library.run.ranks),
        "table": table_of(walk.run, betting, walk.base, cards(walk.board, walk.run.ranks)),
        "path": path_of(walk.decisions, betting, walk.board, walk.run.ranks),
        "needs": walk.needs_cards, "strategies": [],
    }  # fmt: skip
    if state == "decide":
        decision = walk.here()
        out["now"] = entry_of(decision, address.actions, walk.board, walk.run.ranks)
        out["raise"] = [to - walk.base for to in betting.raise_range or ()]
        out["strategies"] = [_shown(library, address.agent, walk, decision)]
        if address.beside:  # the hand may be followed in the game of another run
            other = address.walk(library.open(address.beside))
            out["strategies"].append(_shown(library, address.beside, other, other.here()))
    elif address.beside:
        library.open(address.beside)  # an unknown name is refused everywhere
    return out


def _shown(library: Library, name: str, walk: Walk, decision: Decision) -> dict[str, Any]:
    strategy = decision.strategy
    options = [option_of(decision.before, action, decision.base) for action in strategy.offered]
    buckets = int(walk.run.layout.buckets[decision.before.round])
    return {
        "name": name, "label": library.labels[name], "options": options, "waits": decision.waits,
        "buckets": buckets, **strategy.to_dict(),
    }  # fmt: skip


def table_of(
    run: Run, betting: Betting, base: int | np.ndarray, board: Sequence[str]
) -> dict[str, Any]:
    """Seats, stacks, bets of the round, pot and ``board``; amounts in chips.

    ``base`` chips were put in by each player before the round. Where cards are due nobody acts.
    """
    waits = not betting.over and len(board) < SEEN[betting.round]
    button = run.game.first[0] if betting.seats == 2 else betting.seats - 1
    table = around(betting, base, board, button, waits)
    return {**table, "big_blind": run.big_blind, "round": ROUNDS[betting.round]}


def around(
    betting: Betting, base: int | np.ndarray, board: Sequence[str], button: int, waits: bool
) -> dict[str, Any]:
    """What :func:`table_of` has of any two players or more; ``waits`` where cards are due."""
    before = np.minimum(betting.contributed, betting.hand[HIGH] if waits else base)
    seats = [
        {
            "name": name, "stack": int(betting.stacks[seat]),
            "bet": int(betting.contributed[seat] - before[seat]),
            "folded": not betting.contenders >> seat & 1,
            "acts": seat == betting.actor and not waits, "button": seat == button,
        }
        for seat, name in enumerate(betting.names)
    ]  # fmt: skip
    left, result = [seat["name"] for seat in seats if not seat["folded"]], ""
    if betting.over:
        result = f"showdown: {', '.join(left)}" if betting.showdown else f"{left[0]} wins the pot"
    return {
        "seats": seats, "pot": int(betting.contributed.sum()),
        "to_call": 0 if betting.over else betting.to_call, "board": list(board), "result": result,
    }  # fmt: skip


def path_of(
    decisions: Sequence[Decision], now: Betting, board: np.ndarray, ranks: int, first: int = 0
) -> list[dict[str, Any]]:
    """The ``decisions`` made and the boards dealt, in order, each with its alternatives.

    ``now`` is the betting after them. Play began in the round ``first`` of the hand.
    """
    path: list[dict[str, Any]] = []
    before, in_round = "", first

    def deal() -> None:
        seen = board[SEEN[in_round - 1] : SEEN[in_round]]
        path.append({"round": ROUNDS[in_round], "deal": cards(seen, ranks)})

    for decision in decisions:
        while in_round < first + decision.before.round:
            in_round += 1
            before += "/"
            deal()
        path.append(entry_of(decision, before, board[: SEEN[in_round]], ranks))
        before += spell(decision.action)
    if not now.over and len(board) > SEEN[in_round]:
        in_round += 1
        deal()
    return path


def entry_of(decision: Decision, before: str, board: np.ndarray, ranks: int) -> dict[str, Any]:
    """A decision: the player to act and all actions there, with the address of each.

    ``before`` are the actions so far, ``board`` int8[cards] is the one seen.
    """
    betting, strategy = decision.before, decision.strategy
    share = dict(zip(strategy.offered, strategy.total.tolist(), strict=True))
    legal = {CALL, *([FOLD] if betting.to_call else []), *share} | ({decision.action} - {None})
    text, options = format_cards(board, ranks), []
    for action in sorted(legal):
        after = betting.copy()
        after.act(action)
        closes = not after.over and after.round > betting.round
        options.append({
            **option_of(betting, action, decision.base),
            "share": round(share[action], 4) if action in share else None,
            "taken": action == decision.action,
            "address": {"actions": before + spell(action) + "/" * closes, "board": text},
        })  # fmt: skip
    return {
        "round": ROUNDS[SEEN.index(len(board))], "seat": betting.names[betting.actor],
        "stack": int(betting.stacks[betting.actor]), "options": options,
        "translation": _translated(decision.translation),
    }  # fmt: skip


def option_of(betting: Betting, action: int, base: int) -> dict[str, Any]:
    """An action in the words of a table: its kind, chips of this round, and share of the pot.

    ``base`` chips were put in by each player before this round.
    """
    kind = {FOLD: "fold", CALL: "call" if betting.to_call else "check"}.get(action, "raise")
    option: dict[str, Any] = {"word": spell(action), "kind": kind}
    if kind == "call":
        option["chips"] = betting.to_call
    if kind == "raise":
        if int(betting.hand[HIGH]) == base:
            option["kind"] = "bet"
        option["chips"] = action - base
        option["pots"] = round(float(fraction(betting.hand, action)), 3)
        stack = betting.contributed[betting.actor] + betting.stacks[betting.actor]
        option["all_in"] = bool(action == stack)
    return option


def _translated(sizes: Sequence[TreeSize]) -> dict[str, Any] | None:
    """The sizes that stand for a raise off the tree; the likelier is followed."""
    if not sizes:
        return None
    return {
        "sizes": [
            {"word": spell(raise_to), "share": round(share, 4), "pots": round(pots, 3)}
            for raise_to, share, pots in sizes
        ],
        "followed": spell(max(reversed(sizes), key=lambda size: size.share).raise_to),
    }


def cards(board: np.ndarray, ranks: int) -> list[str]:
    """The cards of ``board`` int8[cards] one by one, such as "8d"."""
    return [format_cards([card], ranks) for card in board]


def typed(library: Library, address: Address, text: str) -> dict[str, Any]:
    """The raise that ``text`` names, its address, and the sizes of the tree that stand for it.

    ``r663`` counts the chips of the whole hand, other sizes are those of
    :func:`sixmax.session.person.raise_to`. Raises UserError for other text and an illegal raise.
    """
    walk = address.walk(library.opened.agent())
    decision, size = walk.here(), text.strip().lower()
    before, base = decision.before, decision.base
    if before.raise_range is None:
        raise UserError(before.why_illegal(1))
    low, high = before.raise_range
    if words := _WORDS.fullmatch(size):
        action = int(words[1] or high)
    else:
        pot = int(before.contributed.sum()) + before.to_call
        action = raise_to(size, int(before.hand[HIGH]), pot, base, library.run.big_blind)
    if action is None:
        raise UserError(f"size {text[:40]!r}: wanted chips as in 300, or 3bb, 75% or all-in")
    if not low <= action <= high:
        raise UserError(before.why_illegal(action))
    return {
        **option_of(before, action, base),
        "address": {**address.fields(), "actions": address.actions + spell(action)},
        "translation": _translated(walk.translation(action)),
    }
