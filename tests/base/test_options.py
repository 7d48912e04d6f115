"""The shell around a stage: outputs are checked, and threads set, before its work."""

from pathlib import Path

import pytest

from sixmax.base import errors, jit, options


@options.stage
def work(out: Path | None, check: Path | None = None, threads: int = 1) -> int:
    """How many threads a stage may use."""
    return jit.threads_in_use()


def test_stage__keeps_name_and_text():
    assert (work.__name__, work.__doc__) == ("work", "How many threads a stage may use.")


def test_stage__sets_the_threads(tmp_path, threads):
    assert [work(tmp_path / "out", threads=n) for n in (1, 2)] == [1, 2]


def test_stage__checks_every_output(tmp_path):
    (tmp_path / "file").write_text("")
    for arguments in ({"out": tmp_path / "file" / "a"}, {"out": None, "check": tmp_path}):
        with pytest.raises(errors.UserError):
            work(**arguments)


def test_refuse_unwritable__takes_what_can_be_written_and_leaves_nothing(tmp_path):
    (tmp_path / "old.json").write_text("old")
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "zarr.json").write_text("{}")
    names = ("old.json", "store", "new.json", "a/b/new.json")
    options.refuse_unwritable(*(tmp_path / name for name in names), Path("/dev/stdout"), None)
    assert {path.name for path in tmp_path.iterdir()} == {"old.json", "store"}
    assert (tmp_path / "old.json").read_text() == "old"


def test_refuse_unwritable__a_folder_that_takes_no_files(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    place = folder / "out.json"
    try:
        place.touch()
    except PermissionError:
        pass
    else:  # the superuser writes everywhere but here
        place, folder = Path("/proc/out.json"), Path("/proc")
    with pytest.raises(errors.UserError, match=f"{place}: cannot be written \\({folder}: "):
        options.refuse_unwritable(place)


def test_refuse_unwritable__a_folder_in_the_place_of_a_file(tmp_path):
    (tmp_path / "other").write_text("")
    with pytest.raises(errors.UserError, match="found a folder, wanted the name of a file"):
        options.refuse_unwritable(tmp_path)
