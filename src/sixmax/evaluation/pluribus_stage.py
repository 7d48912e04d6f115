"""The stage ``pluribus``: an agent of the run held to the decisions that Pluribus really made.

The score of a decision is the log loss in nats: minus the logarithm of the probability that the
agent gives, with Pluribus's cards in Pluribus's place, to the kind of action that Pluribus chose
(fold, check or call, raise; sizes are counted apart). Lower is nearer; it says how alike two
players are, not how strong. # ASSUME a policy of 255ths knows no chance below half of one: each
kind that is legal gets 1/512 more before the shares are made to sum to 1, so that no loss is
infinite.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from sixmax.blueprint.run import Run, open_run
from sixmax.cards.deck import classes, hole_id, parse_cards
from sixmax.errors import UserError
from sixmax.evaluation.agents import class_weights, open_agent, open_ground
from sixmax.evaluation.firstin import first_in, like_pluribus, totals
from sixmax.evaluation.habits import SIZES, self_play
from sixmax.evaluation.pluribus import KINDS, NAME, Decision, decisions, hands, proportion
from sixmax.evaluation.search_match import NEVER
from sixmax.evaluation.statistics import LEVEL, Sums, interval
from sixmax.files import write_json
from sixmax.game.betting import positions
from sixmax.game.config import SEEN
from sixmax.game.notation import Record
from sixmax.progress import Progress, say
from sixmax.rng import child, generator
from sixmax.search.config import SearchConfig
from sixmax.search.hand import Hand, Searcher
from sixmax.search.searcher import Searcher as Opened

FLOOR = 1 / 512  # added to the probability of each kind that is legal
ROUNDS = ("preflop", "flop", "turn", "river")


def compare_pluribus(
    folder: Path,
    logs: Path,
    agent: str,
    self_hands: int,
    seed: int,
    out: Path,
    search: SearchConfig | None = None,
    searched_hands: int = 0,
) -> None:
    """Write to ``out`` how ``agent`` ("blueprint" or a snapshot) of the run in ``folder`` compares
    with the hands in ``logs``; ``self_hands`` hands of self-play show its habits.

    With ``search`` also what a player finds who searches by it, at the decisions that it searches
    in ``searched_hands`` of the hands.

    Raises UserError for a run of another game than Pluribus's, and for logs that are not its.
    """
    run = open_run(folder)
    if not like_pluribus(run.game, run.ranks) or run.big_blind != 100:
        raise UserError(
            f"{folder}: another game than Pluribus played; wanted six seats, blinds 50/100, "
            "10,000 chips and a full deck; leave evaluation.pluribus_hands empty"
        )
    records = hands(logs)
    made = [d for record in records for d in decisions(record)]
    own = [d for d in made if d.name == NAME]
    policy = run.policy(agent)
    with Progress(len(records), f"{agent} in Pluribus's place", "hands") as bar:
        scored = losses(run, policy, own, SearchConfig(**NEVER), _no_search, seed, bar.add)
    habits = self_play(
        open_agent(run, agent), open_ground(run, [agent]), run.dealer, run.game, self_hands, seed
    )
    record = {
        "agent": agent,
        "unit": "nats a decision for losses, percent for shares",
        "level": LEVEL,
        "hands": len(records),
        "decisions": len(own),
        "first_in": _first_in(run, policy, own, scored),
        "totals": _totals(run, policy, records, own),
        "later": _later(own, scored),
        "sizes": _sizes(own, habits.sizes),
        "donk": _donk(made, habits.donk),
        "self_play_hands": self_hands,
    }
    if search is not None and searched_hands:
        record["search"] = _searched(run, policy, own, scored, search, searched_hands, seed)
    write_json(out, record)
    for line in summary(record):
        say(line)


def _searched(
    run: Run, policy: np.ndarray, own: list[Decision], scored: np.ndarray,
    config: SearchConfig, wanted: int, seed: int,
) -> dict[str, Any]:  # fmt: skip
    """Losses of search beside those of the agent alone, at the same decisions, by round.

    The hands are drawn from those in which Pluribus has a decision that is searched.
    """
    deep = list({id(d.record): d.record for d in own if d.in_round >= config.first}.values())
    order = generator(seed, "searched hands").permutation(len(deep))[:wanted]
    picked = {id(deep[k]) for k in order}
    at = [i for i, d in enumerate(own) if id(d.record) in picked and d.in_round >= config.first]
    with Progress(len(picked), "search in Pluribus's place", "hands") as bar:
        made = [own[i] for i in at]
        found = losses(run, policy, made, config, Opened(run, config), seed, bar.add)
    rows = []
    for r, name in enumerate(ROUNDS):
        here = np.array([d.in_round == r for d in made], bool)
        loss = {"search": _figures(found[here]), "agent": _figures(scored[at][here])}
        rows.append({"round": name, "loss": loss})
    return {"hands": len(picked), "config": config.model_dump(), "rounds": rows}


def losses(
    run: Run,
    policy: np.ndarray,
    made: list[Decision],
    config: SearchConfig,
    searcher: Searcher,
    seed: int,
    progress: Callable[[int], None] = lambda n: None,
) -> np.ndarray:
    """The log loss of the run's player at each decision, in nats: float64[decisions].

    ``made`` are in the order of play, all of a hand one after the other.
    """
    found, hand, record = np.empty(len(made)), None, None
    for i, decision in enumerate(made):
        if decision.record is not record:
            record, done = decision.record, 0
            hand = Hand(run, policy, config, searcher, int(child(seed, "pluribus", i)))
            progress(1)
        done = _catch_up(hand, record, done, decision.at)
        hole = hole_id(*parse_cards(record.holes[decision.seat]))
        play = hand.play()
        kinds = np.zeros(len(KINDS))
        np.add.at(kinds, np.minimum(np.array(play.offered), 1) + 1, play.played[hole])
        found[i] = log_loss(kinds, decision.legal, decision.kind)
    return found


def log_loss(kinds: np.ndarray, legal: np.ndarray, chosen: int) -> float:
    """Minus the log of the share of ``chosen`` among ``kinds`` float64[3] and a floor."""
    floored = (kinds + FLOOR) * legal
    return float(-np.log(floored[chosen] / floored.sum()))


def _catch_up(hand: Hand, record: Record, done: int, at: int) -> int:
    """Play actions ``done`` … ``at - 1`` of the record in ``hand``; returns ``at``."""
    actions = [a for part in record.actions for a in part]
    board = "".join(record.boards)
    for action in actions[done:at]:
        hand.act(action)
        if hand.needs_cards:
            seen = len(hand.board)
            hand.deal(board[2 * seen : 2 * SEEN[hand.betting.round]])
    return at


def _no_search(*_: Any) -> Any:
    raise AssertionError("this player never searches")


def _figures(values: np.ndarray) -> dict[str, Any]:
    """Of log losses; ``probability`` is the mean of what was given to the kind chosen.

    None where there are too few to say.
    """
    sums = Sums.of(np.ascontiguousarray(values, np.float64))
    return {
        "mean": sums.mean if sums.n else None,
        "probability": float(np.exp(-values).mean()) if sums.n else None,
        "standard_error": sums.standard_error if sums.n > 1 else None,
        "interval": list(interval(sums)) if sums.n > 1 else None,
        "n": sums.n,
    }


def _by_frequency(made: list[Decision], key: Callable[[Decision], Any]) -> np.ndarray:
    """The loss of who knows how often Pluribus did each kind, by ``key``: in sample, and so the
    least that any player can reach who looks at nothing else."""
    seen = _counted(made, key)
    return np.array([-np.log(seen[key(d)][d.kind] / seen[key(d)].sum()) for d in made])


def _left_out(made: list[Decision]) -> np.ndarray:
    """The loss of who knows all of Pluribus's first-in decisions but the one that is predicted.

    Shares by seat and class, to which those by seat are added as one more decision, and to those
    one of each kind.
    """
    by_seat = _counted(made, lambda d: d.seat)
    by_class = _counted(made, lambda d: (d.seat, _hand_class(d)))
    found = np.empty(len(made))
    for i, d in enumerate(made):
        itself = np.eye(len(KINDS))[d.kind]
        seat = by_seat[d.seat] - itself + 1
        share = by_class[d.seat, _hand_class(d)] - itself + seat / seat.sum()
        found[i] = -np.log(share[d.kind] / share.sum())
    return found


def _counted(made: list[Decision], key: Callable[[Decision], Any]) -> dict[Any, np.ndarray]:
    """How often each kind was chosen, by ``key``."""
    seen: dict[Any, np.ndarray] = {}
    for d in made:
        seen.setdefault(key(d), np.zeros(len(KINDS)))[d.kind] += 1
    return seen


def _hand_class(decision: Decision) -> int:
    return int(classes(13)[hole_id(*parse_cards(decision.record.holes[decision.seat]))])


def _first_in(
    run: Run, policy: np.ndarray, own: list[Decision], scored: np.ndarray
) -> dict[str, Any]:
    """Losses where Pluribus was first in, and frequencies by seat."""
    picked = np.array([d.first_in for d in own])
    made = [d for d in own if d.first_in]
    seat = np.array([d.seat for d in made])
    share = class_weights(run) / class_weights(run).sum()
    names, rows = positions(run.game.seats, run.game.first[0]), []
    for spot in first_in(run.tree, run.layout, policy):
        here = [d for d in made if d.seat == spot.seat]
        rows.append(
            {
                "name": names[spot.seat],
                "loss": _figures(scored[picked][seat == spot.seat]),
                "pluribus": {
                    kind: proportion(sum(d.kind == k for d in here), len(here))
                    for k, kind in enumerate(KINDS)
                },
                "agent": dict(zip(KINDS, (100 * (spot.kinds @ share)).tolist(), strict=True)),
            }
        )
    return {
        "decisions": len(made),
        "loss": {
            "agent": _figures(scored[picked]),
            "uniform": _figures(np.full(len(made), np.log(len(KINDS)))),
            "seat": _figures(_by_frequency(made, lambda d: d.seat)),
            "seat_and_class_left_out": _figures(_left_out(made)),
            "seat_and_class": _figures(_by_frequency(made, lambda d: (d.seat, _hand_class(d)))),
        },
        "seats": rows,
    }


def _later(own: list[Decision], scored: np.ndarray) -> list[dict[str, Any]]:
    """Losses at the decisions where Pluribus was not first in, by round."""
    found = []
    for r, name in enumerate(ROUNDS):
        at = [i for i, d in enumerate(own) if d.in_round == r and not d.first_in]
        made = [own[i] for i in at]
        found.append(
            {
                "round": name,
                "loss": {
                    "agent": _figures(scored[at]),
                    "uniform": _figures(np.array([np.log(d.legal.sum()) for d in made])),
                    "facing": _figures(_by_frequency(made, lambda d: tuple(d.legal))),
                },
            }
        )
    return found


def _totals(
    run: Run, policy: np.ndarray, records: list[Record], own: list[Decision]
) -> dict[str, Any]:
    """VPIP, PFR, three-bets and the defence of the big blind, of both, in percent."""
    preflop = [d for d in own if d.in_round == 0]
    played = sum(NAME in record.names for record in records)
    chips = {id(d.record) for d in preflop if d.kind == 2 or (d.kind == 1 and d.to_call > 0)}
    raised = {id(d.record) for d in preflop if d.kind == 2}
    facing = [d for d in preflop if d.raises == 1]
    blind = [d for d in facing if d.seat == 1]
    theirs = {
        "vpip": proportion(len(chips), played),
        "pfr": proportion(len(raised), played),
        "three_bet": proportion(sum(d.kind == 2 for d in facing), len(facing)),
        "bb_defends": proportion(sum(d.kind > 0 for d in blind), len(blind)),
    }
    whole = totals(run.tree, run.layout, policy, class_weights(run))
    ours = {
        "vpip": whole.vpip.mean(), "pfr": whole.pfr.mean(),
        "three_bet": whole.three_bet, "bb_defends": whole.bb_defends,
    }  # fmt: skip
    return {k: {"pluribus": theirs[k], "agent": 100 * float(ours[k])} for k in theirs}


def _sizes(own: list[Decision], counted: np.ndarray) -> list[dict[str, Any]]:
    """How raises are spread over sizes, by round: the first raise of a round, and later ones."""
    rows = []
    for r, name in enumerate(ROUNDS):
        for later in range(2):
            here = [d for d in own if d.in_round == r and min(d.raises, 1) == later]
            theirs = np.bincount([d.size for d in here if d.size >= 0], minlength=len(SIZES))
            rows.append(
                {
                    "round": name,
                    "raise": ("first", "later")[later],
                    "sizes": list(SIZES),
                    "pluribus": theirs.tolist(),
                    "agent": counted[r, later].tolist(),
                }
            )
    return rows


def _donk(made: list[Decision], counted: np.ndarray) -> dict[str, Any]:
    chances = [d for d in made if d.donk]
    split = [[d for d in chances if (d.name == NAME) == own] for own in (True, False)]
    bets = [proportion(sum(d.kind == 2 for d in part), len(part)) for part in split]
    of, hits = counted.sum(axis=0).tolist()
    return {"pluribus": bets[0], "professionals": bets[1], "agent": proportion(hits, of)}


def summary(record: dict[str, Any]) -> list[str]:
    """What the log says."""
    names = {"agent": record["agent"], "seat_and_class_left_out": "seat and class"}
    names |= {"facing": "by what it faces", "seat": "seat alone"}
    shown = ("agent", "uniform", "seat", "seat_and_class_left_out", "facing")
    parts = [("first in", record["first_in"]["loss"])]
    parts += [(f"{row['round']}, not first in", row["loss"]) for row in record["later"]]
    lines = [f"{record['decisions']:,} decisions of {NAME}, log loss in nats (± standard error):"]
    for where, loss in parts:
        figures = [f"{names.get(k, k)} {_plus_minus(loss[k])}" for k in shown if k in loss]
        lines.append(f"{where}, {loss['agent']['n']:,} decisions: {', '.join(figures)}")
    for row in record.get("search", {}).get("rounds", []):
        both = ", ".join(f"{names.get(k, k)} {_plus_minus(v)}" for k, v in row["loss"].items())
        lines.append(f"searched, {row['round']}, {row['loss']['search']['n']:,} decisions: {both}")
    bets = [f"{k} {_short(record['donk'][k]['share'])}" for k in record["donk"]]
    return [*lines, f"donk bets, % of chances: {', '.join(bets)}"]


def _plus_minus(figures: dict[str, Any]) -> str:
    error = figures["standard_error"]
    return _short(figures["mean"], 3) + (f" ± {error:.3f}" if error else "")


def _short(value: float | None, digits: int = 1) -> str:
    return "none" if value is None else f"{value:.{digits}f}"
