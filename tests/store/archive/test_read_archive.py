"""Packed files: whole as written, and every kind of damage or malice refused in one line."""

import io
import json
import lzma
import stat
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixmax.base.errors import UserError
from sixmax.store.archive.read import opened
from sixmax.store.archive.write import MemberSource, write

TABLE = np.random.default_rng(0).integers(0, 4, (3000, 11)).astype(np.uint16)
ORDER = [10, 3, 0, 1, 2, 9, 8, 4, 6, 5, 7]
FILES = {
    "a/table": TABLE.tobytes(),
    "a/zeros": bytes(100_000),
    "b/c/noise": np.random.default_rng(1).bytes(5000),
    "short": b"a few bytes",
    "empty": b"",
}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    out = tmp_path_factory.mktemp("archive") / "run.sixmax"
    columns = {"a/table": {"order": ORDER, "item": 2}}
    write(out, "run", [MemberSource(p, c, columns.get(p)) for p, c in FILES.items()])
    return out


def contents(folder):
    paths = (p for p in folder.rglob("*") if p.is_file())
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in paths}


def extracted(path, folder):
    with opened(path) as archive:
        archive.extract(folder)
    return contents(folder)


def test_extract__gives_the_files_as_they_were(file, tmp_path):
    assert extracted(file, tmp_path / "out") == FILES
    with opened(file) as archive:
        archive.check()
        assert archive.read("short") == FILES["short"]
        assert archive.complete(tmp_path / "out")
        (tmp_path / "out" / "empty").unlink()
        assert not archive.complete(tmp_path / "out")


def test_members__are_xz_where_that_is_smaller_and_tables_have_their_order(file):
    manifest = read_manifest(file)
    assert [m["path"] for m in manifest["members"]] == sorted(FILES)
    expected = {"a/table": True, "a/zeros": True, "b/c/noise": False, "empty": False}
    assert {m["path"]: m["xz"] for m in manifest["members"]} == expected | {"short": False}
    with zipfile.ZipFile(file) as zipped:
        assert lzma.decompress(zipped.read("a/table.xz")) == TABLE[:, ORDER].tobytes()


def read_manifest(file):
    with zipfile.ZipFile(file) as zipped:
        return json.loads(zipped.read("manifest.json"))


def forged(file, out, change=lambda manifest: None, entries=(), without=(), method=0):
    """A copy of ``file`` with another manifest, ``entries`` of (name or ZipInfo, content) added."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(out, "w", method) as new:
        manifest = json.loads(old.read("manifest.json"))
        change(manifest)
        new.writestr("manifest.json", json.dumps(manifest))
        for name in old.namelist():
            if name != "manifest.json" and name not in without:
                new.writestr(name, old.read(name))
        for entry in entries:
            new.writestr(*entry)
    return out


def refusal(path, folder):
    """The line of the refusal; the caller of extract removes the folder."""
    with pytest.raises(UserError) as caught:
        extracted(path, folder)
    assert len(str(caught.value).splitlines()) == 1
    assert str(caught.value).startswith(str(path))
    return str(caught.value)


def renamed(path):
    """A change that gives the member "short" another path."""

    def change(manifest):
        next(m for m in manifest["members"] if m["path"] == "short")["path"] = path

    return change


@pytest.mark.parametrize(
    "path",
    ["../short", "/short", "a/../../short", "a//short", "./short", ".hidden", "a\\short", "c:short",
     "", "a/.zarray", "short\n", "a/table/short", "A/TABLE", "a"],
)  # fmt: skip
def test_paths__that_leave_the_folder_or_clash_are_refused(file, tmp_path, path):
    entries = [(path, FILES["short"])] if path and path != "a" else []
    bad = forged(file, tmp_path / "bad", renamed(path), entries, ["short"])
    assert "manifest.json" in refusal(bad, tmp_path / "deep" / "out")
    assert {p.name for p in tmp_path.iterdir()} == {"bad"}


def link():
    info = zipfile.ZipInfo("short")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


@pytest.mark.parametrize(
    ("entries", "without", "expected"),
    [
        ([("more", b"x")], (), "not those of its manifest"),
        ([("../more", b"x")], (), "not those of its manifest"),
        ([], ("short",), "not those of its manifest"),
        ([("short", b"a few bytes")], (), "not those of its manifest"),
        ([(link(), b"a/table")], ("short",), "no plain file"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_members__other_than_in_the_manifest_are_refused(
    file, tmp_path, entries, without, expected
):
    bad = forged(file, tmp_path / "bad", entries=entries, without=without)
    assert expected in refusal(bad, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_members__packed_by_zip_are_refused(file, tmp_path):
    info = zipfile.ZipInfo("short")
    info.compress_type = zipfile.ZIP_DEFLATED
    bad = forged(file, tmp_path / "bad", entries=[(info, FILES["short"])], without=["short"])
    assert "'short' is compressed or encrypted by zip" in refusal(bad, tmp_path / "out")


def test_manifest__that_is_packed_or_endless_is_refused(file, tmp_path):
    bad = forged(file, tmp_path / "packed", method=zipfile.ZIP_DEFLATED)
    assert "manifest.json: compressed, or longer" in refusal(bad, tmp_path / "out")
    bad = forged(file, tmp_path / "long", lambda manifest: manifest.update(more=" " * (4 << 20)))
    assert "manifest.json: compressed, or longer" in refusal(bad, tmp_path / "out")


def test_members__with_more_after_their_end_are_refused(file, tmp_path):
    with zipfile.ZipFile(file) as old:
        entry = [("a/zeros.xz", old.read("a/zeros.xz") + b"more")]
    bad = forged(file, tmp_path / "bad", entries=entry, without=["a/zeros.xz"])
    assert "bytes after its end" in refusal(bad, tmp_path / "out")


CHANGES = {
    "format": (lambda m: m.update(format="other"), "another kind"),
    "version": (lambda m: m.update(version=2), "found version 2 of packed runs, wanted 1"),
    "name": (lambda m: m.update(name="../x"), "no name of a folder"),
    "no members": (lambda m: m.pop("members"), "members: Field required"),
    "members": (lambda m: m.update(members=3), "members: Input should be a valid list"),
    "size": (lambda m: m["members"][1].update(size="1"), "valid integer"),
    "negative": (lambda m: m["members"][1].update(size=-1), "greater than or equal to 0"),
    "longer": (lambda m: m["members"][1].update(size=100_001), "1 bytes shorter"),
    "shorter": (lambda m: m["members"][1].update(size=99_999), "longer than the 99,999 bytes"),
    "digest": (lambda m: m["members"][1].update(sha256="0" * 64), "does not match its digest"),
    "order": (lambda m: m["members"][0]["columns"]["order"].sort(), "does not match its digest"),
    "twice": (lambda m: m["members"][0]["columns"].update(order=[0] * 11), "no order"),
    "fewer": (lambda m: m["members"][0]["columns"]["order"].pop(), "no order"),
    "none": (lambda m: m["members"][0]["columns"]["order"].clear(), "no order"),
    "other": (lambda m: m["members"][0]["columns"].update(order=[*range(9999)]), "no order"),
    "item": (lambda m: m["members"][0]["columns"].update(item=3), "item"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_manifest__that_says_other_than_is_there_is_refused(file, tmp_path, case):
    change, expected = CHANGES[case]
    assert expected in refusal(forged(file, tmp_path / "bad", change), tmp_path / "out")


def test_bomb__is_stopped_at_the_size_of_the_manifest(file, tmp_path):
    """64 MB of zeros in 10 kB, where 100 kB are announced."""
    bomb = io.BytesIO()
    with lzma.open(bomb, "wb", preset=1) as packed:
        for _ in range(64):
            packed.write(bytes(1 << 20))
    entry = [("a/zeros.xz", bomb.getvalue())]
    bad = forged(file, tmp_path / "bad", entries=entry, without=["a/zeros.xz"])
    assert "longer than the 100,000 bytes" in refusal(bad, tmp_path / "out")
    assert (tmp_path / "out" / "a" / "zeros").stat().st_size <= 100_000


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip at all", b"\x1f\x8b" + bytes(500)])
def test_foreign_file__is_refused(tmp_path, content):
    path = tmp_path / "foreign"
    path.write_bytes(content)
    assert "not a packed run" in refusal(path, tmp_path / "out")


def test_foreign_zip__is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "zip", "w") as other:
        other.writestr("mimetype", "application/epub+zip")
    assert "it has no manifest.json" in refusal(tmp_path / "zip", tmp_path / "out")


def outcome(content, folder):
    (folder / "harmed").write_bytes(content)
    try:
        return extracted(folder / "harmed", folder / "out")
    except UserError as error:
        return "refused" if len(str(error).splitlines()) == 1 else str(error)


@settings(max_examples=300)
@given(place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_flipped_bit__is_refused_or_without_effect(file, tmp_path_factory, place, bit):
    content = bytearray(file.read_bytes())
    content[int(place * len(content))] ^= 1 << bit
    assert outcome(content, tmp_path_factory.mktemp("harmed")) in ("refused", FILES)


@settings(max_examples=60)
@given(place=st.floats(0, 1, exclude_max=True))
def test_cut__is_refused(file, tmp_path_factory, place):
    content = file.read_bytes()
    cut = content[: int(place * len(content))]
    assert outcome(cut, tmp_path_factory.mktemp("harmed")) == "refused"
