"""A run, its packed file and the run unpacked from that: one and the same to every command."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from damage import flip
from leaf_function.small import network
from search.holdem import drawn
from sixmax.base.errors import UserError
from sixmax.base.jit import threads_in_use
from sixmax.blueprint.run import open_run
from sixmax.continuation.generate import biased
from sixmax.continuation.store import CONTENT, STORE, load, sample
from sixmax.leaf_function.config import names
from sixmax.leaf_function.network import STORE as NETWORK
from sixmax.leaf_function.network import load as load_network
from sixmax.pack import run_file
from sixmax.pack.run_file import pack, unpack
from sixmax.search.config import SearchConfig
from sixmax.search.settings import SETTINGS, keep, search_config
from sixmax.search.solvers import first_round
from sixmax.session.luck import open_luck
from sixmax.store import read, write
from sixmax.store.archive.read import opened


def files(folder):
    paths = (p for p in folder.rglob("*") if p.is_file())
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in paths}


def test_unpack__every_file_is_as_it_was(run, file, tmp_path):
    unpack(file, tmp_path / "home")
    actual, expected = files(tmp_path / "home"), files(run)
    new = {"LICENSE", "card.json", "card.txt", "continuation/recipe.json"}
    assert actual.keys() - expected.keys() == new
    assert {path: actual[path] for path in actual.keys() - new}.items() <= expected.items()
    left = {Path(path).parts[0] for path in expected.keys() - actual.keys()}
    assert left == {"continuation", "evaluation"}  # its check.json, and results


def test_pack__keeps_the_values_of_leaves_that_a_search_reads(copy, tmp_path):
    digest = open_run(copy).identity["digest"]
    write(copy / first_round.STORE, "self-generated", drawn().stored(), run=digest)
    preflop = np.zeros((36, 2), np.float32)
    learned = network(2)._asdict() | {"preflop": preflop}
    write(copy / NETWORK, "leaf-function", learned, run=digest, features=names(2, 4))
    pack(copy, tmp_path / "small.sixmax")
    opened_again = open_run(tmp_path / "small.sixmax")
    kept = first_round.load(opened_again, opened_again.policy("blueprint"))
    for name, expected in drawn().stored().items():
        np.testing.assert_array_equal(getattr(kept, name), expected)
    assert all(map(np.array_equal, load_network(opened_again, 4).network, network(2)))


def test_unpack__where_nothing_can_be_written_is_refused_at_once(file, tmp_path):
    (tmp_path / "plain").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        unpack(file, tmp_path / "plain" / "home")


def test_unpack__remakes_on_its_threads(file, tmp_path, monkeypatch):
    threads = []
    monkeypatch.setattr(run_file, "make_missing", lambda run: threads.append(threads_in_use()))
    unpack(file, tmp_path / "home", threads=1)
    assert threads == [1]


def test_pack__same_bytes_each_time_and_from_what_was_unpacked(run, file, tmp_path):
    pack(run, tmp_path / "again", threads=2)
    unpack(file, tmp_path / "small")
    pack(tmp_path / "small", tmp_path / "unpacked")
    pack(file, tmp_path / "file")
    for name in ("again", "unpacked", "file"):
        assert (tmp_path / name).read_bytes() == file.read_bytes(), name


def test_pack__search_by_a_snapshot_becomes_search_by_the_blueprint(copy, tmp_path):
    keep(SearchConfig(blueprint="snapshot-00001-purified", first=2), copy / SETTINGS)
    pack(copy, tmp_path / "packed")
    unpack(tmp_path / "packed", tmp_path / "home")
    assert search_config(None, folder=tmp_path / "home") == SearchConfig(first=2)


SEARCH = '{"buckets": 0, "iterations": 200, "vector_iterations": [20, 20, 20, 20]}'
COMMANDS = [
    ["strategy"],
    ["strategy", "r300"],
    ["match", "blueprint", "rule", "--deals", "20", "--seed", "1"],
    ["match", "blueprint", "continuation-fold", "--deals", "20", "--seed", "1"],
    ["table", "blueprint", "search", "--deals", "2", "--seed", "1", "--config", SEARCH],
    ["advise", "AhKd", "--actions", "cc/", "--board", "QhJd9c", "--config", SEARCH],
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: " ".join(words[:3]))
def test_commands__say_the_same_from_the_file(run, file, tmp_path, sixmax, command):
    said = []
    for name, place in (("folder", run), ("file", file)):
        out = tmp_path / f"{name}.json"
        wanted = ["--out", out] if "--seed" in command else []
        said.append((sixmax(*command, "--run", place, *wanted), out.exists() and out.read_bytes()))
    assert said[0] == said[1]
    assert said[0][0] or said[0][1]


def test_against__a_packed_run_has_its_own_name(copy, file, tmp_path, sixmax):
    out, options = tmp_path / "out.json", ["--deals", 20, "--seed", 1]
    other = copy.rename(tmp_path / "other")
    arguments = ["blueprint", "blueprint", "--run", other, *options, "--out", out]
    sixmax("match", *arguments, "--against", file)
    assert '"b": "small/blueprint"' in out.read_text()


def test_continuations__are_left_out_and_made_anew_when_wanted(run, file):
    with opened(file) as archive:
        assert CONTENT not in [part.path for part in archive.parts()]
    unpacked = open_run(file)
    assert not (unpacked.folder / CONTENT).exists()
    assert np.array_equal(load(unpacked)[1], load(open_run(run))[1])
    assert (unpacked.folder / CONTENT).read_bytes() == (run / CONTENT).read_bytes()


def test_continuations__of_an_unknown_maker_are_packed(copy, tmp_path):
    """As those of another seed, which no recipe of this run makes."""
    other = open_run(copy)._replace(seed=2)
    attributes = read(copy / STORE, "continuation").attributes
    packed = sample(other, biased(other.policy("blueprint"), 5.0))
    kept = {name: attributes[name] for name in ("run", "bias", "strategies")}
    write(copy / STORE, "continuation", {"packed": packed}, **kept)
    pack(copy, tmp_path / "file")
    unpack(tmp_path / "file", tmp_path / "home")
    assert np.array_equal(load(open_run(tmp_path / "home"))[1], packed)


def test_luck__is_taken_off_results_of_a_packed_run(run, copy, file, tmp_path):
    actual, expected = (open_luck(open_run(place))._values for place in (file, run))
    assert all(map(np.array_equal, actual, expected))
    shutil.rmtree(copy / "evaluation" / "values.zarr")
    pack(copy, tmp_path / "without")
    assert open_luck(open_run(tmp_path / "without")) is None


def test_pack__refuses_values_that_lead_out_of_their_arrays(copy, tmp_path):
    path = copy / "evaluation" / "values.zarr"
    store = read(path, "values")
    arrays = {name: np.array(store[name]) for name in store}
    arrays["at"][arrays["at"] == 0] = len(arrays["value"])
    write(path, "values", arrays, **{k: store.attributes[k] for k in ("run", "hands", "seed")})
    with pytest.raises(UserError, match="a block outside of its entries"):
        pack(copy, tmp_path / "file")


def test_unpack__refuses_a_place_that_is_taken(file, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter").write_text("")
    with pytest.raises(UserError, match="is there already, wanted the name of a new folder"):
        unpack(file, tmp_path / "home")
    assert [p.name for p in (tmp_path / "home").iterdir()] == ["letter"]


def test_unpack__leaves_nothing_of_a_damaged_file(file, tmp_path):
    flip(shutil.copy(file, tmp_path / "bad"))
    with pytest.raises(UserError, match="damaged: "):
        unpack(tmp_path / "bad", tmp_path / "home")
    assert [p.name for p in tmp_path.iterdir()] == ["bad"]


@pytest.mark.parametrize(
    "part",
    [
        "blueprint/strategy.zarr/policy/c/0", "blueprint/tree.zarr/node/c/0/0",
        "abstraction/turn.zarr/bucket/c/0/0", "continuation/strategies.zarr/packed/c/0/0",
        "evaluation/values.zarr/value/c/0",
    ],
)  # fmt: skip
def test_pack__refuses_a_run_with_a_damaged_part(copy, tmp_path, part):
    flip(copy / part)
    with pytest.raises(UserError, match="does not match its digest"):
        pack(copy, tmp_path / "file")
    assert not (tmp_path / "file").exists()


def test_pack__refuses_a_run_that_lacks_a_part(copy, tmp_path):
    shutil.rmtree(copy / "continuation")
    with pytest.raises(UserError, match=r"strategies\.zarr: no such store"):
        pack(copy, tmp_path / "file")
