"""The list of members of a packed file: paths, sizes, digests, and all they must obey.

A packed file is a zip whose members are stored, the larger ones as .xz, so that `unzip` and `xz`
open it too. Its first member is the manifest.
"""

import re
import stat
import zipfile
from pathlib import Path, PurePosixPath
from typing import Any, Literal, NotRequired

from pydantic import NonNegativeInt, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from sixmax.base.errors import UserError

FORMAT, VERSION, FILE = "sixmax/pack", 1, "manifest.json"
# No hidden file, no "..", nothing absolute, no drive, no backslash.
_SEGMENT = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_NAME = re.compile(_SEGMENT)
_PATH = re.compile(rf"{_SEGMENT}(/{_SEGMENT})*")


class Columns(TypedDict):
    """A table whose columns are stored in another order, in which neighbours are alike."""

    order: list[NonNegativeInt]  # the column that comes first, second, …
    item: Literal[1, 2, 4, 8]  # bytes of an element


class Member(TypedDict):
    """A file of the folder."""

    path: str
    size: NonNegativeInt  # bytes
    sha256: str
    xz: bool
    columns: NotRequired[Columns]


class Manifest(TypedDict):
    """All that is in a packed file."""

    format: str
    version: int
    name: str  # of the folder
    members: list[Member]


_FORM = TypeAdapter(Manifest)


def foreign(path: Path, fault: str) -> UserError:
    """The error that ``path`` is no packed file."""
    return UserError(f"{path}: not a packed run ({fault}); wanted a file that `sixmax pack` wrote")


def check_kind(path: Path, values: Any) -> None:
    """Raise UserError where ``values``, of the file ``path``, are no manifest of this version."""
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise foreign(path, "its manifest is of another kind")
    if values.get("version") != VERSION:
        raise UserError(
            f"{path}: found version {values.get('version')!r} of packed runs, wanted {VERSION}; "
            "use the version of sixmax that wrote it"
        )


def check_content(values: Any) -> None:
    """Raise ValueError where a manifest is misshapen, or a path in it may not be written to."""
    try:
        _FORM.validate_python(values, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    paths = [member["path"] for member in values["members"]]
    for path in paths:
        if not _PATH.fullmatch(path):
            raise ValueError(f"{path!r} is no path in a folder")
    if not _NAME.fullmatch(values["name"]):
        raise ValueError(f"{values['name']!r} is no name of a folder")
    files = {path.lower() for path in paths}
    folders = {str(above) for path in files for above in PurePosixPath(path).parents}
    if len(files) < len(paths) or files & folders:
        raise ValueError("a path occurs twice, or as file and folder")
    for member in values["members"]:
        if columns := member.get("columns"):
            _check_columns(member, columns)


def _check_columns(member: Member, columns: Columns) -> None:
    order, size = columns["order"], member["size"]
    row = len(order) * columns["item"]
    if not order or sorted(order) != list(range(len(order))) or size % row:
        raise ValueError(f"{member['path']}: no order of its columns")


def check_entries(path: Path, manifest: Manifest, entries: list[zipfile.ZipInfo]) -> None:
    """Raise UserError where the zip ``path`` has other members, or one that is no plain file."""
    names = [entry.filename for entry in entries]
    wanted = {FILE, *map(stored_as, manifest["members"])}
    if len(set(names)) < len(names) or set(names) != wanted:
        raise foreign(path, "its members are not those of its manifest")
    for entry in entries:
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if entry.is_dir() or kind not in (0, stat.S_IFREG):
            raise foreign(path, f"{entry.filename!r} is no plain file")
        if not is_stored(entry):
            raise foreign(path, f"{entry.filename!r} is compressed or encrypted by zip")


def is_stored(entry: zipfile.ZipInfo) -> bool:
    """Whether the bytes of an entry lie in the zip as they are."""
    plain = entry.compress_type == zipfile.ZIP_STORED and not entry.flag_bits & 1
    return plain and entry.file_size == entry.compress_size


def stored_as(member: Member) -> str:
    """The name of a member in the zip."""
    return member["path"] + (".xz" if member["xz"] else "")
