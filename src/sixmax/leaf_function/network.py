"""The network of a leaf function: fitted, stored, and tabled for the leaves of a search."""

import warnings
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import njit, read_only
from sixmax.base.progress import Done, quiet
from sixmax.betting.rules import LENGTH, POT, STACKS
from sixmax.blueprint.run import Run
from sixmax.cfr.sampled.leaves import Learned
from sixmax.leaf_function.config import HAND, PUBLIC, NetworkSizes, names
from sixmax.leaf_function.features import on_board, place_features, places_of, public_features
from sixmax.ongoing.locate import Places, hand_at
from sixmax.store import read

STORE = "leaf_function/network.zarr"
RATE = 1e-3  # of Adam
_TAIL = 3  # the mean of the weights of the last third of the epochs is kept


class Network(NamedTuple):
    """Weights float32, laid out (from, to), and biases: U units a layer, outputs by own choice."""

    first: np.ndarray  # [features, U]
    first_bias: np.ndarray  # [U]
    weight: np.ndarray  # [layers - 1, U, U]
    bias: np.ndarray  # [layers - 1, U]
    last: np.ndarray  # [U, choices]
    last_bias: np.ndarray  # [choices]

    def predict(self, x: np.ndarray) -> np.ndarray:
        """Values of features ``x`` float32[n, features], in pots: float32[n, choices]."""
        h = np.maximum(x @ self.first + self.first_bias, 0)
        for weight, bias in zip(self.weight, self.bias, strict=True):
            h = np.maximum(h @ weight + bias, 0)
        return h @ self.last + self.last_bias


def fit(
    x: np.ndarray, y: np.ndarray, sizes: NetworkSizes, seed: int, progress: Done = quiet
) -> Network:
    """Fit scikit-learn's MLPRegressor to features ``x`` and values ``y``, in pots.

    ``x`` float32[n, features], ``y`` float32[n, choices]. Least squares by Adam; the mean of the
    weights of the last third of the epochs has less noise. One thread: with more BLAS may sum in
    another order. ``progress`` is called with the epochs done.
    """
    from sklearn.neural_network import MLPRegressor
    from threadpoolctl import threadpool_limits

    model = MLPRegressor(
        hidden_layer_sizes=(sizes.units,) * sizes.layers, alpha=0.0,
        batch_size=min(sizes.batch, len(x)),
        learning_rate_init=RATE,
        random_state=np.random.RandomState(seed & 0xFFFFFFFF),  # partial_fit keeps its state
    )  # fmt: skip
    kept = -(-sizes.epochs // _TAIL)
    total: list[np.ndarray] = []
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for epoch in range(sizes.epochs):
            model.partial_fit(x, y)
            if epoch >= sizes.epochs - kept:
                arrays = [a.astype(np.float64) for a in (*model.coefs_, *model.intercepts_)]
                total = [a + b for a, b in zip(total, arrays, strict=True)] if total else arrays
            progress(1)
    mean = [(a / kept).astype(np.float32) for a in total]
    return of_layers(mean[: sizes.layers + 1], mean[sizes.layers + 1 :])


def of_layers(coefs: list[np.ndarray], intercepts: list[np.ndarray]) -> Network:
    """The network with scikit-learn's ``coefs`` float[from, to] and ``intercepts`` float[to]."""
    units = coefs[0].shape[1]
    weight, bias = np.zeros((len(coefs) - 2, units, units)), np.zeros((len(coefs) - 2, units))
    for i in range(len(coefs) - 2):
        weight[i], bias[i] = coefs[i + 1], intercepts[i + 1]
    parts = (coefs[0], intercepts[0], weight, bias, coefs[-1], intercepts[-1])
    return Network(*(np.ascontiguousarray(part, np.float32) for part in parts))


class LeafFunction(NamedTuple):
    """The leaf function of a run."""

    network: Network
    preflop: np.ndarray  # float32[classes, 2]: strength and spread before the flop
    ranks: int
    choices: int


def load(run: Run, choices: int) -> LeafFunction:
    """The leaf function of ``run`` for so many continuations. Raises UserError for any other."""
    path = run.folder / STORE
    if not path.exists():
        raise UserError(
            f"{path}: missing, and search.player is pluribus-learned; run `sixmax stage "
            f"leaf-function --run {run.folder}`, or search with player pluribus"
        )
    store = read(path, "leaf-function")
    wanted = {"run": run.identity["digest"], "features": names(run.game.seats, choices)}
    for name, value in wanted.items():
        if store.attributes.get(name) != value:
            raise UserError(
                f"{path}: of another {name}; run `sixmax stage leaf-function --run "
                f"{run.folder}` again"
            )
    network = Network(*(np.asarray(store[name]) for name in Network._fields))
    return LeafFunction(network, np.asarray(store["preflop"]), run.ranks, choices)


def on_leaves(
    function: LeafFunction, places: Places, board: np.ndarray, node: np.ndarray, ratio: np.ndarray,
    seats: int, bits: int,
) -> Learned:  # fmt: skip
    """``function`` on the leaves of a search on ``board`` int8[0 or 3].

    ``node`` int32[rows] are the blueprint's nodes, -1 for rows that are no leaves, ``ratio``
    float64[rows] the pot of each leaf over that there, ``bits`` those of a seat's choice.
    """
    network, choices, rows = function.network, function.choices, len(node)
    hands = on_board(board, function.ranks, function.preflop)
    public = np.zeros((rows, seats, len(PUBLIC)), np.float32)
    place, pot = np.full((rows, seats, seats), -1, np.int8), np.zeros(rows)
    _public_kernel(places, node, len(board) > 0, hands.texture, public, place, pot)
    own, width = len(PUBLIC), len(HAND)
    after, each = own + width, place_features(choices)
    starts = [after + k * each for k in range(seats - 1)]
    of_hand = [_times(hands.feature, network.first[s : s + width]) for s in starts]
    nothing = np.zeros((1, network.first.shape[1]), np.float32)
    of_choice = [np.concatenate([nothing, network.first[s + width : s + each]]) for s in starts]
    arrays = (
        _times(public, network.first[:own]) + network.first_bias,
        _times(hands.feature, network.first[own:after]),
        np.stack(of_hand), np.stack(of_choice), place,
        network.weight, network.bias, network.last.T, network.last_bias, pot * ratio,
    )  # fmt: skip
    bound = float((seats - 1) * places.start[STACKS : STACKS + seats].max())
    return Learned(*map(read_only, arrays), bound, bits)


def _times(features: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Their product, in an order of summation that no BLAS chooses."""
    return np.einsum("...f,fu->...u", features, weights)


@njit
def _public_kernel(places, node, flop, texture, public, place, pot):
    """Write the public features, the places and the blueprint's pots of rows with a node."""
    hand = np.empty(LENGTH, np.int64)
    for row in range(len(node)):
        if node[row] < 0:
            continue
        hand_at(places, np.int64(node[row]), hand)
        pot[row] = hand[POT]
        for me in range(public.shape[1]):
            public_features(hand, me, flop, texture, public[row, me])
            places_of(hand, me, place[row, me])
