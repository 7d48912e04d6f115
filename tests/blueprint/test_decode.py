"""A strategy read by what is written beside it, with Zarr and NumPy and nothing of ours."""

import json

import pytest

from blueprint.leduc import prepare, train
from processes import PYTHON, printed
from sixmax.betting.tree import n_actions, round_of, seat_of
from sixmax.blueprint.run import open_run

# Reads the two stores of the folder argv[1]; for each [actions from the start, bucket] in the JSON
# argv[2], prints who is to act, in which round, after which actions, and the strategy in percent.
READER = """
import json, sys
import zarr

stores = (zarr.open_group(f"{sys.argv[1]}/{n}.zarr", mode="r") for n in ("tree", "strategy"))
tree, blueprint = stores
node, action, policy = tree["node"][...], tree["action"][...], blueprint["policy"][...]
record, layout, words = tree.attrs["record"], blueprint.attrs["layout"], tree.attrs["actions"]


def head(x):
    packed = int(node[x, 0])
    return {n: packed >> low & (1 << bits) - 1 for n, (low, bits) in record["head"].items()}


def fields(x):
    names = record["records"][record["kinds"][str(head(x)["kind"])]]
    return dict(zip(names, node[x, 1:].tolist()))


for actions, bucket in json.loads(sys.argv[2]):
    x = 0
    for wanted in actions:
        first = fields(x)["first_child"]
        (x,) = (c for c in range(first, first + head(x)["actions"]) if action[c] == wanted)
    about, own = head(x), fields(x)
    r, p, n = about["round"], about["seat"], about["actions"]
    at = layout["base"][r][p] + bucket * layout["columns"][r][p] + own["slot"]
    taken = [int(action[own["first_child"] + k]) for k in range(n)]
    names = [words.get(str(a), f"raise to {a}") for a in taken]
    assert ("fold" in names) == bool(about["fold_offered"])
    print(json.dumps([tree.attrs["seats"][p], tree.attrs["rounds"][r], own["chips_of_the_seat"],
                      names, policy[at:at + n].tolist()]))
assert not [name for name in sys.modules if name.startswith("sixmax")]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Leduc, trained for an interval, its snapshot taken as the blueprint."""
    folder = tmp_path_factory.mktemp("leduc")
    prepare(folder)
    train(folder, [1, 2])
    (folder / "blueprint" / "strategy.zarr").symlink_to(
        folder / "blueprint" / "snapshot" / "00002.zarr"
    )
    return folder


def test_reader__decodes_every_decision_of_leduc(folder):
    run = open_run(folder)
    tree, policy = run.tree, run.policy("blueprint")
    spots, expected = [], []
    for x in tree.decision_nodes():
        head, first, slot, chips = (int(v) for v in tree.node[x])
        r, seat, n = round_of(head), seat_of(head), n_actions(head)
        for bucket in range(run.layout.buckets[r]):
            at = run.layout.base[r, seat] + bucket * run.layout.columns[r, seat] + slot
            words = [tree.describe(first + k).split(", ")[-1].split(" / ")[-1] for k in range(n)]
            spots.append([tree.path(x), bucket])
            expected.append([r, chips, [word.split(" ", 1)[1] for word in words], at, n])
    said = printed(PYTHON, "-I", "-c", READER, folder / "blueprint", json.dumps(spots))
    lines = [json.loads(line) for line in said.splitlines()]
    assert len(lines) == len(spots) > 100
    for (_, in_round, chips, names, shares), (r, put_in, words, at, n) in zip(
        lines, expected, strict=True
    ):
        assert (in_round, chips) == (("preflop", "flop")[r], put_in)
        assert shares == policy[at : at + n].tolist()
        for name, word in zip(names, words, strict=True):
            assert word in name or word == name.replace("raise to", "raise")
    assert {line[0] for line in lines} in ({"P1", "P2"}, {"SB", "BB"})
    assert any(sum(line[4]) == 255 for line in lines)
