"""Flop games on the engine of ranges."""

from sixmax.studies.flop_games.learn import equilibrium
from sixmax.studies.flop_games.subgames import on_boards, reach_by_class
from sixmax.studies.modicum.makers import respond
from studies.flop_games.small import game, loses


def solved(*effort, **more):
    return equilibrium(game(), *effort, **more)


def test_learn__comes_near():
    assert loses(game(), solved(300)) < 0.005 * loses(game(), solved(1))


def test_learn__hands_that_hardly_come_to_a_flop_play_it_well_too():
    """They lose less to a best response of their own, against the range that they would meet."""
    of, lost = game(), []
    for spread in (0.0, 0.001):
        strategy, total = solved(200, spread=spread), 0.0
        for root in of.roots:
            never = reach_by_class(of, strategy, root, 1) < 1e-3
            held = on_boards(of, reach_by_class(of, strategy, root, 0))
            own = of.walk(strategy, 1).board(root, held, of.cards.boards)[0]
            best = respond(of, strategy.copy(), 1, root, held)
            total += (best - own)[:, never[of.cards.of_hole]].sum()
        lost.append(total)
    assert lost[1] < 0.5 * lost[0], lost
