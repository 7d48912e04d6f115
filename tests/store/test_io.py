"""Stores: complete or absent, and refused when they are not what was asked for."""

import json
import os
import shutil
import socket

import numpy as np
import pytest
import zarr

from damage import flip
from sixmax.base.errors import UserError
from sixmax.store import io, read, write
from sixmax.store.io import kind_of
from sixmax.store.schema import KINDS

NINE = {"policy": np.zeros(9, np.uint8)}


@pytest.fixture
def path(tmp_path):
    """A strategy store with a known array."""
    policy = np.arange(256, dtype=np.uint8)
    write(tmp_path / "s.zarr", "strategy", {"policy": policy}, run="abc")
    return tmp_path / "s.zarr"


def change(path, edit):
    """Change the attributes of a store, which Zarr keeps in its zarr.json."""
    text = json.loads((path / "zarr.json").read_text())
    edit(text["attributes"])
    (path / "zarr.json").write_text(json.dumps(text))


def test_read__gives_back_what_was_written(path):
    store = read(path, "strategy")
    assert np.array_equal(store["policy"], np.arange(256))
    assert store.attributes["run"] == "abc"
    assert kind_of(path) == "strategy"


def test_read__raw_arrays_are_mapped_and_read_only(path):
    policy = read(path, "strategy")["policy"]
    assert isinstance(policy, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        policy[0] = 1


@pytest.mark.parametrize(
    ("opened", "missing"),
    [(lambda path: read(path, "strategy"), "no such store"),
     (kind_of, "no such file or folder; wanted")],
)  # fmt: skip
def test_read__says_whether_there_is_nothing_or_something_else(tmp_path, opened, missing):
    with pytest.raises(UserError, match=rf"none\.zarr: {missing}"):
        opened(tmp_path / "none.zarr")
    (tmp_path / "other").mkdir()
    with pytest.raises(UserError, match=r"other: not a sixmax store"):
        opened(tmp_path / "other")


def test_read__refuses_another_kind_or_version_and_prints_both(path):
    with pytest.raises(UserError, match=r"found .*sixmax/strategy.* wanted .*sixmax/state"):
        read(path, "state")
    change(path, lambda attributes: attributes.update(version=99))
    with pytest.raises(UserError, match="version 99, wanted version 1"):
        read(path, "strategy")


def test_read__refuses_a_store_without_digests(path):
    change(path, lambda attributes: attributes.pop("digests"))
    with pytest.raises(UserError, match="not a sixmax store"):
        read(path, "strategy")


@pytest.mark.parametrize("harm", ["flip", "truncate", "remove", "remove array"])
def test_read__detects_damage(path, harm):
    chunk = path / "policy" / "c" / "0"
    if harm == "flip":
        flip(chunk)
    elif harm == "truncate":
        chunk.write_bytes(chunk.read_bytes()[:100])
    elif harm == "remove":
        chunk.unlink()
    else:
        shutil.rmtree(path / "policy")
    with pytest.raises(UserError, match="damaged store"):
        read(path, "strategy")["policy"]


def test_read__detects_damage_of_compressed_arrays(tmp_path):
    regret = np.random.default_rng(0).integers(-9, 9, 1 << 16).astype(np.int32)
    write(tmp_path / "t.zarr", "state", {"regret": regret, "count": regret[:10]})
    flip(tmp_path / "t.zarr" / "regret" / "c" / "0")
    store = read(tmp_path / "t.zarr", "state")
    assert np.array_equal(store["count"], regret[:10])
    with pytest.raises(UserError, match="damaged store"):
        store["regret"]


@pytest.mark.parametrize("size", [0, 7, 1 << 23])
def test_parts__are_the_array(tmp_path, size):
    """The last has two chunks."""
    regret = np.random.default_rng(0).integers(-9, 9, size).astype(np.int32)
    write(tmp_path / "t.zarr", "state", {"regret": regret, "count": regret[:1]})
    parts = list(read(tmp_path / "t.zarr", "state").parts("regret"))
    assert len(parts) == -(-size // (1 << 22))
    assert np.array_equal(np.concatenate([regret[:0], *parts]), regret)


def test_parts__detect_damage_in_any_chunk(tmp_path):
    """In a byte of the packing, or where a chunk took the place of another that is as good."""
    regret = np.arange(1 << 23, dtype=np.int32)
    write(tmp_path / "t.zarr", "state", {"regret": regret, "count": regret[:1]})
    chunks = tmp_path / "t.zarr" / "regret" / "c"
    whole = (chunks / "1").read_bytes()
    flip(chunks / "1")
    for other in ((chunks / "1").read_bytes(), (chunks / "0").read_bytes()):
        (chunks / "1").write_bytes(other)
        with pytest.raises(UserError, match="damaged store"):
            list(read(tmp_path / "t.zarr", "state").parts("regret"))
    (chunks / "1").write_bytes(whole)
    assert sum(part.size for part in read(tmp_path / "t.zarr", "state").parts("regret")) == 1 << 23


def test_write__one_of_the_dtypes_that_are_declared(tmp_path):
    about = {
        "centroid": np.zeros((3, 2), np.float32), "size": np.zeros(3, np.int64),
        "deals": np.zeros(3, np.int64), "strength": np.zeros(3, np.float32),
    }  # fmt: skip
    for dtype in (np.uint8, np.uint16):
        write(tmp_path / "b.zarr", "buckets", {"bucket": np.zeros((2, 5), dtype), **about})
        assert read(tmp_path / "b.zarr", "buckets")["bucket"].dtype == dtype
    with pytest.raises(ValueError, match="dtype int16, wanted uint8 or uint16"):
        write(tmp_path / "b.zarr", "buckets", {"bucket": np.zeros((2, 5), np.int16), **about})


def test_write__refuses_what_is_not_declared(tmp_path):
    with pytest.raises(ValueError, match="dtype"):
        write(tmp_path / "s.zarr", "strategy", {"policy": np.zeros(3, np.int32)})
    with pytest.raises(ValueError, match="not declared"):
        write(tmp_path / "s.zarr", "strategy", {"policies": np.zeros(3, np.uint8)})
    assert list(tmp_path.iterdir()) == []


def fails_and_leaves_the_old(path, kind, words):
    """A write over the store at ``path`` raises such an error."""
    with pytest.raises(kind, match=words):
        write(path, "strategy", NINE)
    assert [p.name for p in path.parent.iterdir()] == ["s.zarr"]
    assert read(path, "strategy")["policy"].size == 256


def test_write__full_disk_is_one_line_and_leaves_the_old_store(path, monkeypatch):
    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(io, "_write_group", full)
    fails_and_leaves_the_old(path, UserError, "the disk is full")


def test_write__a_failed_rename_brings_the_old_store_back(path, monkeypatch):
    rename = os.rename

    def refuse(old, new):
        if new == path:
            monkeypatch.setattr(os, "rename", rename)
            raise PermissionError(13, "no")
        rename(old, new)

    monkeypatch.setattr(os, "rename", refuse)
    fails_and_leaves_the_old(path, PermissionError, "no")


def test_write__empty_arrays_survive(tmp_path):
    empty = np.zeros(0, np.int32)
    write(tmp_path / "t.zarr", "state", {"regret": empty, "count": empty})
    assert read(tmp_path / "t.zarr", "state")["regret"].size == 0


def test_write__never_replaces_what_is_no_store(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    for place in (tmp_path / "mine", tmp_path / "mine" / "thesis.txt"):
        with pytest.raises(UserError, match="mine"):
            write(place, "strategy", NINE)
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years of work"


def test_write__replaces_a_store_and_an_empty_folder(path, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / ".snakemake_timestamp").touch()
    for place in (path, tmp_path / "empty"):
        write(place, "strategy", NINE)
        assert read(place, "strategy")["policy"].size == 9
    assert sorted(p.name for p in tmp_path.iterdir()) == ["empty", "s.zarr"]


def test_write__sweeps_what_killed_writers_left(path):
    here = socket.gethostname()
    left = path.parent / f".s.zarr.{here}-999999999.0badc0de.tmp"
    alive = path.parent / f".s.zarr.{here}-1.0badc0de.tmp"
    elsewhere = path.parent / ".s.zarr.another-machine-999999999.0badc0de.tmp"
    for folder in (left, alive, elsewhere):
        folder.mkdir()
    write(path, "strategy", NINE)
    assert not left.exists()
    assert alive.exists()
    assert elsewhere.exists()


@pytest.mark.parametrize("text", ["", "{", "\0\0\0", '{"zarr_format": 3, "node_type": "gro'])
def test_read__a_garbled_zarr_json_is_damage(path, text):
    (path / "zarr.json").write_text(text)
    for call in (lambda: read(path, "strategy"), lambda: kind_of(path)):
        with pytest.raises(UserError, match=r"s\.zarr: damaged store: .*run its stage again"):
            call()


def test_read__a_store_of_others_is_not_damaged(tmp_path):
    other = tmp_path / "other.zarr"
    zarr.create_group(other)
    for call in (lambda: read(other, "tree"), lambda: kind_of(other)):
        with pytest.raises(UserError, match=r"other\.zarr: not a sixmax store") as caught:
            call()
        assert "delete" not in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
def test_kind__no_array_is_named_like_a_dimension(kind):
    """xarray takes such an array for the index of the dimension, and frames grow to its product."""
    arrays = KINDS[kind].arrays
    dims = {dim for array in arrays.values() for dim in array.dims}
    assert not dims & arrays.keys()


def test_read__stores_whose_dimensions_had_other_names(tmp_path, monkeypatch):
    """Those of before are read: a dimension's name is a word for people."""
    arrays = {"policy": np.arange(9, dtype=np.uint8)}
    declared = KINDS["strategy"].arrays["policy"]
    with monkeypatch.context() as patch:
        old = declared._replace(dims=("policy",))
        patch.setitem(KINDS["strategy"].arrays, "policy", old)
        write(tmp_path / "s.zarr", "strategy", arrays)
    assert zarr.open_group(tmp_path / "s.zarr")["policy"].metadata.dimension_names == ("policy",)
    store = read(tmp_path / "s.zarr", "strategy")
    np.testing.assert_array_equal(store["policy"], arrays["policy"])
    assert declared.dims == ("entry",)
