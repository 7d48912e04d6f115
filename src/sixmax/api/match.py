"""Matches of agents, duplicate: one against copies of another, each deal from every seat."""

import json

from sixmax.api.run import Agent
from sixmax.blueprint.identity import game_digest
from sixmax.errors import UserError
from sixmax.evaluation.agents.open_players import open_players
from sixmax.evaluation.aivat import scored_match
from sixmax.evaluation.aivat.values import load
from sixmax.evaluation.match import by_hand
from sixmax.evaluation.match.contest import Entrant, contest
from sixmax.evaluation.scores.statistics import Result
from sixmax.rng import child
from sixmax.search.config import SearchConfig, search_config


def match(a: Agent, b: Agent, deals: int = 20_000, seed: int = 1, aivat: bool = False) -> Result:
    """Play ``deals`` deals of agent ``a`` against copies of ``b``, once with ``a`` in each seat.

    The cards and draws of a deal are fixed while the seats rotate. ``mean`` of the result is in
    mbb/game with a 95 % ``interval`` (Student's t over deals), ``count`` the hands. The agents may
    be of two runs of one real game. Those that play from tables play 10,000 deals in a second or
    two; one that searches takes seconds a hand. The same ``seed`` gives the same result. With
    ``aivat`` luck is taken off by the run's values of situations (sixmax.evaluation.aivat): the
    same win rate with a smaller interval, of other deals.

    Raises UserError for fewer than two deals, runs of different games, and agents of two runs of
    which one decides hand by hand.
    """
    if deals < 2:
        raise UserError(f"deals: found {deals}, wanted at least 2: fewer have no standard error")
    if aivat:
        return _without_luck(a, b, deals, seed)
    if a.by_hand or b.by_hand:
        return _by_hand(a, b, deals, seed)
    entrants = (Entrant(each.name, each.run, each.game, each.policy) for each in (a, b))
    return contest(*entrants)(deals, child(seed, "evaluation"), lambda n: None)


def _without_luck(a: Agent, b: Agent, deals: int, seed: int) -> Result:
    """As `sixmax aivat` plays them, the second agent's play known."""
    run = a.run
    if a.by_hand or b.by_hand or b.run is not run:
        raise UserError("aivat: wanted two agents of one opened run that play from tables")
    values, digest = load(run)
    game = game_digest(run.identity["settings"])
    protocols = scored_match.protocol(run.game.seats, run.big_blind, game, digest, True)
    results = scored_match.play(
        (a.name, b.name), (a.policy, b.policy), a.game, run.dealer, values, protocols, deals,
        child(seed, "aivat"), True,
    )  # fmt: skip
    return results[-1]


def _by_hand(a: Agent, b: Agent, deals: int, seed: int) -> Result:
    """As `sixmax table` plays them."""
    run = a.run
    if b.run.folder != run.folder:
        raise UserError(f"{a!r} and {b!r}: one decides hand by hand; wanted two agents of one run")
    config = settings_of(a if a.search or not b.search else b)
    first, *_ = open_players(run, [a.name], config)
    others = open_players(run, [b.name] * (run.game.seats - 1), config)
    draws = int(child(seed, "table"))
    return by_hand.play(
        first, others, run.game, run.ranks, by_hand.terms(run, config), deals, draws
    )


def settings_of(agent: Agent) -> SearchConfig:
    """The settings by which ``agent`` searches: its run's, with its own keys. Raises UserError."""
    keys = dict(agent.search)
    setting = keys.pop("setting", "full")
    return search_config(json.dumps(keys), setting, folder=agent.run.folder)
