"""The only user of Zarr: writes a store aside and renames it, checks it when it is opened."""

import hashlib
import json
import warnings
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.metadata import version as package_version
from pathlib import Path
from typing import Any

import numpy as np
import zarr
from zarr.codecs import BloscCodec
from zarr.errors import ZarrUserWarning

from sixmax.base.errors import UserError
from sixmax.base.files import FULL, aside, full_disk
from sixmax.store.schema import KINDS, StoreKind

_CHUNK_BYTES = 16 << 20  # about, in whole rows
# Counts, buckets and tables that are mostly zero: unshuffled, in blocks that still lie in a cache,
# they are packed as small and twice as fast.
_PACKING = BloscCodec(cname="zstd", clevel=1, shuffle="noshuffle", blocksize=1 << 20)
_PACKAGES = ("sixmax", "numpy", "numba", "zarr", "scikit-learn")


def write(path: str | Path, kind: str, arrays: Mapping[str, np.ndarray], **attributes: Any) -> None:
    """Write ``arrays`` as a store of ``kind`` at ``path``, replacing an old one.

    ``attributes`` (JSON values: config, seed, code digest …) are kept beside the arrays. Raises
    ValueError where an array does not fit its declaration, UserError where the disk is full.
    """
    path = Path(path)
    _check_declared(kind, {n: (str(a.dtype), a.shape) for n, a in arrays.items()})
    _refuse_other_folder(path)
    try:
        with aside(path) as hidden:
            _write_group(hidden, kind, arrays, attributes)
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise UserError(full_disk(path, sum(a.nbytes for a in arrays.values()))) from error


def _refuse_other_folder(path: Path) -> None:
    """A store may replace a store, or an empty folder; nothing else is ever deleted."""
    if path.is_dir() and {p.name for p in path.iterdir()} - {".snakemake_timestamp"}:
        kind_of(path)
    elif path.exists() and not path.is_dir():
        raise UserError(f"{path}: a file is there, a store was to be written; name another place")


def _write_group(
    folder: Path, kind: str, arrays: Mapping[str, np.ndarray], attributes: Mapping[str, Any]
) -> None:
    with ThreadPoolExecutor(1) as pool:  # hashing takes as long as packing does on two cores
        digests = pool.map(digest, arrays.values())
        group = zarr.create_group(folder)
        _write_arrays(group, KINDS[kind], arrays)
        kept = {
            "format": f"sixmax/{kind}", "version": KINDS[kind].version,
            "digests": dict(zip(arrays, digests, strict=True)),
            "packages": {name: package_version(name) for name in _PACKAGES},
            **attributes,
        }  # fmt: skip
    group.update_attributes({**kept, "seal": _seal(kept)})


def _write_arrays(group: zarr.Group, spec: StoreKind, arrays: Mapping[str, np.ndarray]) -> None:
    for name, array in arrays.items():
        declared = spec.arrays[name]
        raw = declared.raw or array.size == 0
        rows = max(1, min(len(array), _CHUNK_BYTES // max(array[:1].nbytes, 1)))
        stored = group.create_array(
            name,
            shape=array.shape,
            dtype=array.dtype,
            chunks=tuple(max(n, 1) for n in array.shape) if raw else (rows, *array.shape[1:]),
            compressors=None if raw else _PACKING,
            config={"write_empty_chunks": True},
            dimension_names=declared.dims,
            attributes={"unit": declared.unit, "meaning": declared.meaning},
        )
        if array.size:
            stored[...] = array


def digest(array: np.ndarray) -> str:
    """Content hash of ``array``, of any kind: dtype, shape and bytes."""
    h = _begun(array.dtype, array.shape)
    h.update(memoryview(np.ascontiguousarray(array)).cast("B") if array.size else b"")
    return h.hexdigest()[:32]


def _begun(dtype: np.dtype, shape: tuple[int, ...]) -> Any:
    return hashlib.sha256(f"{dtype.str}{shape}".encode())


def _seal(attributes: Mapping[str, Any]) -> str:
    """Digest of the attributes other than the seal itself, as JSON keeps them."""
    kept = {name: value for name, value in attributes.items() if name != "seal"}
    text = json.dumps(json.loads(json.dumps(kept)), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Store(Mapping):
    """An opened store: ``store["name"]`` is an array, ``store.attributes`` the values beside.

    Arrays are read and checked when they are first asked for; ``raw`` ones are mapped, read-only.
    """

    def __init__(self, path: Path, kind: str, group: zarr.Group):
        self.path, self.kind = path, kind
        self.attributes: dict[str, Any] = dict(group.attrs)
        self._group, self._read = group, {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._read:
            self._read[name] = self._load(name)
        return self._read[name]

    def __iter__(self):
        return iter(KINDS[self.kind].arrays)

    def __len__(self) -> int:
        return len(KINDS[self.kind].arrays)

    def _load(self, name: str) -> np.ndarray:
        stored = self._group[name]
        with _told(self.path, f"array {name!r} cannot be read"):
            if KINDS[self.kind].arrays[name].raw and stored.size:
                file = self.path / name / "c" / "/".join("0" * stored.ndim)
                array = np.memmap(file, stored.dtype, "r", shape=stored.shape)
            else:
                array = stored[...]
        self._refuse_other(name, digest(array))
        return array

    def parts(self, name: str) -> Iterator[np.ndarray]:
        """The array ``name``, of one dimension, in parts of about 16 MiB; none is kept.

        Raises UserError where a part cannot be read, and after the last where they do not match the
        digest: a caller writes no result before the end.
        """
        stored = self._group[name]
        (size,), h = stored.shape, _begun(stored.dtype, stored.shape)
        for first in range(0, size, step := stored.chunks[0]):
            with _told(self.path, f"array {name!r} cannot be read"):
                part = stored[first : first + step]
            h.update(part)
            yield part
        self._refuse_other(name, h.hexdigest()[:32])

    def _refuse_other(self, name: str, actual: str) -> None:
        if actual != self.attributes["digests"].get(name):
            raise _damaged(self.path, f"the content of array {name!r} does not match its digest")


def _damaged(path: Path, fault: str) -> UserError:
    return UserError(f"{path}: damaged store: {fault}; delete the folder and run its stage again")


@contextmanager
def _told(path: Path, fault: str) -> Iterator[None]:
    """Turn any error of Zarr at broken content or metadata into a UserError of one line."""
    try:
        yield
    except Exception as error:
        why = str(error).replace("\n", " ")
        raise _damaged(path, f"{fault} ({why})") from error


def read(path: str | Path, kind: str) -> Store:
    """Open the store of ``kind`` at ``path``.

    Raises UserError for a missing, foreign or damaged store, or one of another version; damage of
    an array's content is found when the array is read.
    """
    path = Path(path)
    if not path.is_dir():
        raise UserError(f"{path}: no such store; a {kind!r} store was wanted: run its stage first")
    group = _open(path)
    if group is None or not isinstance(group.attrs.get("digests"), dict):
        raise UserError(f"{path}: not a sixmax store; a {kind!r} store was wanted")
    store_kind, version = group.attrs.get("format"), group.attrs.get("version")
    spec = KINDS[kind]
    if store_kind != f"sixmax/{kind}":
        raise UserError(f"{path}: found a store of format {store_kind!r}, wanted 'sixmax/{kind}'")
    if version != spec.version:
        raise UserError(
            f"{path}: found {kind} version {version}, wanted version {spec.version}; "
            "delete the folder and run its stage again"
        )
    # Stores of before there were seals have none.
    if group.attrs.get("seal", seal := _seal(dict(group.attrs))) != seal:
        raise _damaged(path, "its attributes do not match their digest")
    with _told(path, "its arrays cannot be opened"):
        _check_declared(kind, _present(group, spec))
    return Store(path, kind, group)


def _open(path: Path) -> zarr.Group | None:
    """The group at ``path``; None where there is none. Raises UserError for a damaged one."""
    if not (path / "zarr.json").is_file():
        return None
    with _told(path, "its zarr.json cannot be read"):
        return zarr.open_group(path, mode="r")


def _present(group: zarr.Group, spec: StoreKind) -> dict[str, tuple[str, tuple]]:
    """dtype and shape of the declared arrays that are there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ZarrUserWarning)
        members = {name: group.get(name) for name in spec.arrays}
    return {n: (str(a.dtype), a.shape) for n, a in members.items() if a is not None}


def read_of(path: str | Path, kind: str, run: str, remedy: str) -> Store:
    """The store at ``path``, of the run with the digest ``run``.

    Raises UserError as :func:`read`, and with ``remedy`` where it belongs to another run.
    """
    store = read(path, kind)
    if (own := store.attributes.get("run")) != run:
        raise UserError(f"{store.path}: belongs to run {own}, wanted {run}; {remedy}")
    return store


def kind_of(path: str | Path) -> str:
    """The kind of the store at ``path``. Raises UserError for anything else, and for damage."""
    group = _open(Path(path))
    kind = str(group.attrs.get("format")).removeprefix("sixmax/") if group is not None else ""
    if kind not in KINDS:
        problem = "not a sixmax store" if Path(path).exists() else "no such file or folder"
        raise UserError(
            f"{path}: {problem}; wanted a folder such as abstraction/flop.zarr, or a packed run"
        )
    return kind


def _check_declared(kind: str, arrays: Mapping[str, tuple[str, tuple]]) -> None:
    declared = KINDS[kind].arrays
    if missing := declared.keys() ^ arrays.keys():
        raise ValueError(f"{kind}: arrays {sorted(missing)} are missing or not declared")
    sizes: dict[str, int] = {}
    for name, (dtype, shape) in arrays.items():
        array, place = declared[name], f"{kind}/{name}"
        if dtype not in array.dtype.split(" or "):
            raise ValueError(f"{place}: dtype {dtype}, wanted {array.dtype}")
        if len(shape) != len(array.dims):
            raise ValueError(f"{place}: shape {shape}, wanted dimensions {array.dims}")
        for dim, size in zip(array.dims, shape, strict=True):
            if sizes.setdefault(dim, size) != size:
                raise ValueError(f"{place}: dimension {dim} is {size}, elsewhere {sizes[dim]}")
