"""A store in words: its arrays with meanings and units, and the settings that made it."""

import json
from pathlib import Path

from sixmax.store.io import kind_of, read
from sixmax.store.schema import KINDS

_INNER = ("format", "version", "digests", "seal")  # attributes of the store itself


def described_store(store: Path) -> str:
    """The arrays and attributes of ``store``, all held against their digests."""
    kind = kind_of(store)
    content = read(store, kind)
    lines = [f"{store}: {kind}, version {KINDS[kind].version}. {KINDS[kind].meaning}."]
    for name, spec in KINDS[kind].arrays.items():
        array = content[name]
        dims = " x ".join(f"{d} {n:,}" for d, n in zip(spec.dims, array.shape, strict=True))
        unit = f" [{spec.unit}]" if spec.unit else ""
        lines.append(f"  {name}: {array.dtype}, {dims}{unit}: {spec.meaning}")
    about = {name: value for name, value in content.attributes.items() if name not in _INNER}
    lines += [f"  {name} = {json.dumps(value)}" for name, value in about.items()]
    return "\n".join([*lines, "  every array matches its digest"])
