"""Files are there whole or not at all, also when the disk is full."""

import errno
import os
import socket
from pathlib import Path

import pytest

from sixmax.base import files
from sixmax.base.errors import UserError


def breaks_half_way(monkeypatch, number):
    """Let writing take a part and then fail with the error ``number``."""

    def write(self, content):
        with open(self, "wb") as file:
            file.write(content[: len(content) // 2])
        raise OSError(number, "no")

    monkeypatch.setattr(Path, "write_bytes", write)


def test_write__creates_folders_and_replaces(tmp_path):
    path = tmp_path / "a" / "b" / "x.txt"
    files.write_text(path, "one é\n")
    assert path.read_bytes() == b"one \xc3\xa9\n"
    files.write_json(str(path), {"b": [1], "a": None})
    assert path.read_text() == '{\n "b": [\n  1\n ],\n "a": null\n}\n'
    files.write_bytes(path, b"\0\r\n")
    assert path.read_bytes() == b"\0\r\n"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("number", "expected"),
    [(errno.ENOSPC, UserError), (errno.EDQUOT, UserError), (errno.EIO, OSError)],
)
def test_write__the_old_content_stays_until_the_new_is_whole(
    tmp_path, monkeypatch, number, expected
):
    path = tmp_path / "x.txt"
    path.write_text("old")
    breaks_half_way(monkeypatch, number)
    with pytest.raises(expected):
        files.write_text(path, "new content")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_write__sweeps_what_killed_writers_left(tmp_path):
    left = tmp_path / f".x.txt.{socket.gethostname()}-999999999.0badc0de.tmp"
    alive = tmp_path / f".x.txt.{socket.gethostname()}-{os.getpid()}.0badc0de.tmp"
    for file in (left, alive):
        file.write_text("a half")
    files.write_text(tmp_path / "x.txt", "whole")
    assert sorted(tmp_path.iterdir()) == [alive, tmp_path / "x.txt"]


def test_write__names_as_long_as_a_file_may_have(tmp_path):
    for path in (tmp_path / ("x" * 255), tmp_path / ("é" * 127)):
        files.write_text(path, "text")
        assert path.read_text() == "text"


def test_write__full_disk_is_one_line(tmp_path, monkeypatch, refused):
    path = tmp_path / "a" / "x.bin"
    breaks_half_way(monkeypatch, errno.ENOSPC)
    with refused("3,000.0 kB were wanted", begins=f"{path}: the disk is full"):
        files.write_bytes(path, bytes(3_000_000))
    with refused("are free; free some space"):
        files.write_bytes(path, b"")
    assert not list(path.parent.iterdir())


def test_write__a_disk_too_full_for_the_folder(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.ENOSPC, "no room")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(UserError, match="the disk is full"):
        files.write_text(tmp_path / "not" / "there" / "x", "text")


def test_write__a_pipe_is_written_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        files.write_text(pipe, "through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
