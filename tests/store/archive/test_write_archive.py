"""Writing packed files: the same bytes for the same content, and refusals before a reader's."""

import os
import zipfile

import numpy as np
import pytest

from sixmax.store.archive.read import opened
from sixmax.store.archive.write import MemberSource, write


def sources(folder, seed):
    """Two files on disk and one in memory, in an order that ``seed`` decides."""
    result = np.random.default_rng(0)
    for name in ("x", "y"):
        (folder / name).write_bytes(result.integers(0, 3, 20_000).astype(np.uint8).tobytes())
        os.utime(folder / name, (seed, seed))
    columns = {"order": [3, 1, 0, 2], "item": 1}
    one = [MemberSource("x", folder / "x", columns), MemberSource("y", folder / "y")]
    one.append(MemberSource("z", b"text"))
    return [one[i] for i in np.random.default_rng(seed).permutation(3)]


def test_write__same_bytes_whatever_the_order_the_threads_and_the_clock(tmp_path):
    for seed in (1, 2):
        write(tmp_path / f"{seed}", "run", sources(tmp_path, seed), threads=seed)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_write__manifest_comes_first_and_no_time_is_kept(tmp_path):
    write(tmp_path / "out", "run", sources(tmp_path, 1))
    with zipfile.ZipFile(tmp_path / "out") as file:
        assert file.namelist()[0] == "manifest.json"
        assert {entry.date_time for entry in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize("item", [1, 2, 4, 8])
@pytest.mark.parametrize("rows", [1, 999, 40_000])
def test_tables__come_back_whatever_their_elements_and_size(tmp_path, item, rows):
    table = np.random.default_rng(rows).integers(0, 2, (rows, 7)).astype(f"u{item}")
    columns = {"order": [6, 1, 0, 2, 4, 3, 5], "item": item}
    write(tmp_path / "out", "run", [MemberSource("t", table.tobytes(), columns)])
    with opened(tmp_path / "out") as archive:
        assert archive.read("t") == table.tobytes()
        assert ["columns" in m for m in archive.manifest["members"]] == [table.nbytes >= 4096]


@pytest.mark.parametrize(("name", "path"), [("a b", "x"), ("run", "../x"), ("run", ".x")])
def test_write__names_that_a_reader_would_refuse(tmp_path, name, path):
    with pytest.raises(ValueError, match=r"no path in a folder|no name of a folder"):
        write(tmp_path / "out", name, [MemberSource(path, b"")])
    assert not list(tmp_path.iterdir())
