"""A spot as plain JSON values: the table, the path to it, and strategies there."""

from typing import Any

import numpy as np

from sixmax.api.spots.address import Address
from sixmax.api.spots.walk import Decision, Translation, Walk
from sixmax.betting.config import ROUNDS, SEEN
from sixmax.betting.rules import CALL, FOLD, HIGH
from sixmax.betting.state import Betting, spell
from sixmax.cards.deck import class_names, format_cards
from sixmax.ongoing.translate import fraction
from sixmax.serve.library import Library


def spot(library: Library, address: Address) -> dict[str, Any]:
    """The page of ``address``. Raises UserError for an impossible spot.

    ``state`` is "decide", "deal" (the board of the next round) or "over".
    """
    walk = address.walk(Walk(library.open(address.agent)))
    path, betting = _path(walk), walk.betting
    state = "over" if betting.over else "deal" if walk.needs_cards else "decide"
    out = {
        "address": address.fields(),
        "state": state,
        "names": class_names(library.run.ranks),
        "table": _table(walk),
        "path": path,
        "needs": walk.needs_cards,
        "strategies": [],
    }
    if state == "decide":
        decision = walk.here()
        out["now"] = _entry(walk, decision, address.actions)
        out["raise"] = [to - walk.base for to in betting.raise_range or ()]
        out["strategies"] = [_shown(library, address.agent, walk, decision)]
        if address.beside:
            out["strategies"].append(_beside(library, address))
    elif address.beside:
        library.open(address.beside)  # an unknown name is refused everywhere
    return out


def _beside(library: Library, address: Address) -> dict[str, Any]:
    """The other strategy, which may follow the hand in the game of another run."""
    walk = address.walk(Walk(library.open(address.beside)))
    return _shown(library, address.beside, walk, walk.here())


def _shown(library: Library, name: str, walk: Walk, decision: Decision) -> dict[str, Any]:
    strategy = decision.strategy
    options = [option_of(decision.before, action, decision.base) for action in strategy.offered]
    return {
        "name": name,
        "label": library.label(name),
        "options": options,
        "waits": decision.waits,
        "buckets": int(walk.run.layout.buckets[decision.before.round]),
        **strategy.to_dict(),
    }


def _table(walk: Walk) -> dict[str, Any]:
    """Seats, stacks, bets of the round, pot and board; amounts in chips."""
    betting, game, run = walk.betting, walk.run.game, walk.run
    shown = min(betting.round, len(SEEN) - 1)
    base = np.minimum(betting.contributed, betting.hand[HIGH] if walk.needs_cards else walk.base)
    names = betting.names
    button = "BTN" if "BTN" in names else names[game.first[0]] if game.seats == 2 else names[-1]
    seats = [
        {
            "name": name,
            "stack": int(betting.stacks[seat]),
            "bet": int(betting.contributed[seat] - base[seat]),
            "folded": not betting.contenders >> seat & 1,
            "acts": seat == betting.actor and not walk.needs_cards,
            "button": name == button,
        }
        for seat, name in enumerate(names)
    ]
    return {
        "seats": seats,
        "pot": int(betting.contributed.sum()),
        "to_call": betting.to_call if not betting.over else 0,
        "big_blind": run.big_blind,
        "round": ROUNDS[shown],
        "board": cards(walk.board, run.ranks),
        "result": _result(betting),
    }


def _result(betting: Betting) -> str:
    if not betting.over:
        return ""
    left = [name for seat, name in enumerate(betting.names) if betting.contenders >> seat & 1]
    return f"showdown: {', '.join(left)}" if betting.showdown else f"{left[0]} wins the pot"


def _path(walk: Walk) -> list[dict[str, Any]]:
    """The decisions made and the boards dealt, in order, each with its alternatives."""
    path: list[dict[str, Any]] = []
    before, in_round = "", 0
    for decision in walk.decisions:
        while in_round < decision.before.round:
            in_round += 1
            before += "/"
            path.append(_dealt(walk, in_round))
        path.append(_entry(walk, decision, before))
        before += spell(decision.action)
    if not walk.betting.over and len(walk.board) > SEEN[in_round]:
        path.append(_dealt(walk, in_round + 1))
    return path


def _dealt(walk: Walk, in_round: int) -> dict[str, Any]:
    seen = walk.board[SEEN[in_round - 1] : SEEN[in_round]]
    return {"round": ROUNDS[in_round], "deal": cards(seen, walk.run.ranks)}


def _entry(walk: Walk, decision: Decision, before: str) -> dict[str, Any]:
    """A decision: the player to act and all actions there, with the address of each."""
    betting, strategy = decision.before, decision.strategy
    share = dict(zip(strategy.offered, strategy.total.tolist(), strict=True))
    legal = {CALL, *([FOLD] if betting.to_call else []), *share}
    if decision.action is not None:
        legal.add(decision.action)
    board = format_cards(walk.board[: SEEN[betting.round]], walk.run.ranks)
    options = []
    for action in sorted(legal):
        after = betting.copy()
        after.act(action)
        closes = not after.over and after.round > betting.round
        options.append({
            **option_of(betting, action, decision.base),
            "share": round(share[action], 4) if action in share else None,
            "taken": action == decision.action,
            "address": {"actions": before + spell(action) + "/" * closes, "board": board},
        })  # fmt: skip
    return {
        "round": ROUNDS[betting.round],
        "seat": betting.names[betting.actor],
        "stack": int(betting.stacks[betting.actor]),
        "options": options,
        "translation": translated(decision.translation),
    }


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


def translated(translation: Translation | None) -> dict[str, Any] | None:
    """The sizes that stand for a raise off the tree; the likelier is followed."""
    if translation is None:
        return None
    smaller, larger, share, pots = translation
    shares = (share, 1 - share) if smaller != larger else (1.0,)
    return {
        "sizes": [
            {"word": spell(size), "share": round(p, 4), "pots": round(pot, 3)}
            for size, p, pot in zip((smaller, larger), shares, pots, strict=False)
        ],
        "followed": spell(smaller if share > 0.5 else larger),
    }


def cards(board: np.ndarray, ranks: int) -> list[str]:
    """The cards of ``board`` int8[cards] one by one, such as "8d"."""
    return [format_cards([card], ranks) for card in board]
