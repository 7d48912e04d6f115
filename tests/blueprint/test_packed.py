"""Packed runs in the cache: unpacked once, whole or not at all, and never by another's word."""

import json
import shutil
import threading

import numpy as np
import pytest

from damage import flip
from sixmax.base.errors import UserError
from sixmax.blueprint import identity, packed
from sixmax.blueprint.packed import folder_of
from sixmax.blueprint.run import open_run
from sixmax.store import read, write
from sixmax.store.archive.read import Archive
from sixmax.store.archive.write import MemberSource
from sixmax.store.archive.write import write as write_archive
from studies.improve.small import on_disk


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results") / "small"
    on_disk(folder)
    return folder


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("cache") / "deep"
    monkeypatch.setenv(packed.VARIABLE, str(folder))
    return folder


def put(folder, out):
    """The files of ``folder`` as a packed run."""
    paths = [p for p in sorted(folder.rglob("*")) if p.is_file()]
    write_archive(out, "small", [MemberSource(p.relative_to(folder).as_posix(), p) for p in paths])
    return out


@pytest.fixture(scope="module")
def file(run, tmp_path_factory):
    return put(run, tmp_path_factory.mktemp("packed") / "small.sixmax")


def test_folder__is_itself_where_it_is_no_file(run, cache):
    assert folder_of(run) == run
    assert not cache.exists()


def test_open_run__of_a_file_is_that_of_the_folder(run, file, cache):
    actual, expected = open_run(file), open_run(run)
    assert cache in actual.folder.parents
    assert actual.folder.name == "small"
    assert actual.identity == expected.identity
    assert np.array_equal(actual.policy("blueprint"), expected.policy("blueprint"))
    assert all(map(np.array_equal, actual.tree, expected.tree))
    assert all(map(np.array_equal, actual.buckets[:4], expected.buckets[:4]))


def test_unpacking__happens_once(file, monkeypatch):
    first, extract = folder_of(file), Archive.extract
    monkeypatch.setattr(Archive, "extract", None)
    assert folder_of(file) == first
    monkeypatch.setattr(Archive, "extract", extract)
    shutil.rmtree(first / "blueprint" / "tree.zarr")
    assert open_run(file).folder == first  # and again where a part was deleted


def test_unpacking__other_content_has_another_place(run, file, tmp_path):
    shutil.copytree(run, tmp_path / "other")
    (tmp_path / "other" / "card.txt").write_text("another")
    put(tmp_path / "other", tmp_path / "other.sixmax")
    assert folder_of(tmp_path / "other.sixmax") != folder_of(file)


def test_unpacking__by_two_at_once_is_done_by_one(file, monkeypatch):
    done, extract = [], Archive.extract

    def slow(archive, folder):
        done.append(folder)
        extract(archive, folder)

    monkeypatch.setattr(Archive, "extract", slow)
    threads = [threading.Thread(target=folder_of, args=(file,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 1


def test_cache__that_cannot_be_written_is_told(file, cache, monkeypatch):
    def refuse(*arguments, **options):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("pathlib.Path.mkdir", refuse)
    with pytest.raises(UserError, match=f"name a folder that can be written in {packed.VARIABLE}"):
        folder_of(file)


def test_cache__without_room_is_told(file, cache, monkeypatch):
    usage = shutil._ntuple_diskusage(10, 10, 0)
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
    with pytest.raises(UserError, match="the disk is full"):
        folder_of(file)
    assert not [p for p in cache.rglob("*") if p.is_dir() and p.name == "small"]


def test_default_place__is_beside_the_compiled_kernels(monkeypatch):
    monkeypatch.delenv(packed.VARIABLE)
    assert packed.place() == packed.CACHE / "unpacked"


def remains(cache):
    """The files left in the cache, locks apart."""
    return [p for p in cache.rglob("*") if p.is_file() and p.suffix != ".lock"]


def refused(folder, tmp_path, cache):
    """The line by which ``folder`` as a packed run is refused."""
    file = put(folder, tmp_path / "bad.sixmax")
    with pytest.raises(UserError) as caught:
        folder_of(file)
    assert remains(cache) == []
    line = str(caught.value)
    assert line.startswith(f"{file}: not a packed run (")
    assert len(line.splitlines()) == 1
    return line


@pytest.fixture
def copy(run, tmp_path):
    return shutil.copytree(run, tmp_path / "copy")


@pytest.mark.parametrize(
    "path", ["blueprint/pickle", "run.py", "evaluation/x.json", "blueprint/tree.zarr/x/y/zarr.json"]
)
def test_files__that_are_no_part_of_a_run_are_refused(copy, tmp_path, cache, path):
    (copy / path).parent.mkdir(parents=True, exist_ok=True)
    (copy / path).write_text("{}")
    assert "no part of a run" in refused(copy, tmp_path, cache)


METADATA = {
    "codec": ({"codecs": [{"name": "bytes"}, {"name": "numcodecs.pickle"}]}, "found codecs"),
    "version": ({"zarr_format": 2}, "no plain Zarr 3"),
    "consolidated": ({"consolidated_metadata": {"metadata": {}}}, "no plain Zarr 3"),
    "transformer": ({"storage_transformers": [{"name": "x"}]}, "found codecs"),
    "type": ({"data_type": {"name": "object"}}, "wanted numbers"),
    "codecs": ({"codecs": 3}, "zarr.json"),
}


@pytest.mark.parametrize("case", METADATA)
def test_metadata__of_other_stores_are_refused(copy, tmp_path, cache, case):
    change, expected = METADATA[case]
    path = copy / "blueprint" / "strategy.zarr" / "policy" / "zarr.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    assert expected in refused(copy, tmp_path, cache)


def test_metadata__that_are_no_json_are_refused(copy, tmp_path, cache):
    (copy / "blueprint" / "strategy.zarr" / "zarr.json").write_text("[" * 100_000)
    assert "strategy.zarr/zarr.json" in refused(copy, tmp_path, cache)


def test_tree__that_leads_out_of_its_arrays_is_refused(copy, tmp_path, cache):
    path = copy / "blueprint" / "tree.zarr"
    store = read(path, "tree")
    arrays = {name: np.array(store[name]) for name in store}
    arrays["node"][0, 1] = 1 << 30
    write(path, "tree", arrays)
    assert "its betting tree: children that there are not" in refused(copy, tmp_path, cache)


def test_tree__of_another_game_is_refused(copy, tmp_path, cache):
    path = copy / "blueprint" / "run.json"
    values = json.loads(path.read_text())
    values["settings"]["game"]["stacks"] *= 2
    values["digest"] = identity.digest({k: values[k] for k in ("settings", "content")})
    path.write_text(json.dumps(values))
    assert "its betting tree: of another game" in refused(copy, tmp_path, cache)


def test_damage__is_refused_and_nothing_is_left(file, tmp_path, cache):
    file, refusals = shutil.copy(file, tmp_path / "damaged.sixmax"), []
    for place in np.linspace(0, file.stat().st_size - 1, 40).astype(int):
        flip(file, place)
        try:
            folder_of(file)
        except UserError as error:
            refusals.append((len(str(error).splitlines()), remains(cache)))
        else:  # a byte of the zip that nothing depends on
            shutil.rmtree(cache)
        flip(file, place)  # mended
    assert len(refusals) > 30
    assert set(map(str, refusals)) == {"(1, [])"}
