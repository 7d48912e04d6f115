"""DeepMind's OpenSpiel as a judge: its games, its values and best responses, our strategies."""

import pyspiel

from oracles.cfr import head, row_of

NAMES = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}


def load(name, seats):
    return pyspiel.load_game(NAMES[name], {"players": seats})


def policy(name, tree, layout, strategy):
    """``strategy``, laid out like our regrets, as OpenSpiel's tabular policy.

    Every decision node of ours, with every card of the actor and on the board, is played up to in
    OpenSpiel's game, actions matched by their order: both have fold, call, raise.
    """
    seats = tree.columns.shape[1]
    ranks, suits, boards = seats + 1, (1 if name == "kuhn" else 2), (0 if name == "kuhn" else 1)
    game, table = load(name, seats), {}
    for x in range(len(tree.node)):
        kind, player, in_round, n = head(tree, x)
        if kind:
            continue
        for own in range(ranks * suits):
            for board in range(ranks * suits) if in_round else [None]:
                if own == board:
                    continue
                state = _reach(game, tree, x, _deal(seats, player, own, board, boards))
                actions = state.legal_actions()
                assert state.current_player() == player
                assert len(actions) == n
                bucket = own // suits
                if in_round:
                    bucket = bucket * ranks + board // suits
                shares = strategy[row_of(tree, layout, x, bucket)]
                table[state.information_state_string()] = list(zip(actions, shares, strict=True))
    return game, pyspiel.TabularPolicy(table)


def _deal(seats, player, own, board, boards):
    """Cards in the order in which they are dealt: ``own`` to ``player``, low ones to the rest."""
    rest = [card for card in range(2 * seats + 2) if card not in (own, board)]
    cards = [own if seat == player else rest.pop(0) for seat in range(seats)]
    return cards + [rest.pop(0) if board is None else board] * boards


def _reach(game, tree, x, cards):
    """OpenSpiel's state at our node x, its chance nodes dealing ``cards``."""
    steps = [child - int(tree.node[before, 1]) for before, child in tree.steps(x)]
    state, cards = game.new_initial_state(), [*cards]
    for step in (*steps, None):
        while state.is_chance_node():
            state.apply_action(cards.pop(0))
        if step is not None:
            state.apply_action(state.legal_actions()[step])
    return state


def values(game, policy):
    """Expected net chips of every seat."""
    return pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)


def nash_conv(game, policy):
    return pyspiel.nash_conv(game, policy)
