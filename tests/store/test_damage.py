"""Any flipped bit or cut in any file of a store: refused in one line, or harmless."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixmax.base.errors import UserError
from sixmax.store import read, write

ATTRIBUTES = {"run": "0123456789abcdef", "interval": 3, "content": {"tree": "aa"}}


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """(folder, kind, arrays): a raw store and a compressed one."""
    folder = tmp_path_factory.mktemp("stores")
    noise = np.random.default_rng(1)
    policy = {"policy": noise.integers(0, 256, 500).astype(np.uint8)}
    regret = noise.integers(-9, 9, 700).astype(np.int32)
    state = {"regret": regret, "count": regret[:50]}
    write(folder / "policy.zarr", "strategy", policy, **ATTRIBUTES)
    write(folder / "state.zarr", "state", state, **ATTRIBUTES)
    return [(folder / "policy.zarr", "strategy", policy), (folder / "state.zarr", "state", state)]


def outcome(path, kind, arrays):
    """The outcome of a read: "refused" or "as written"; anything else fails."""
    try:
        store = read(path, kind)
        hit = {name: np.array(store[name]) for name in arrays}
    except UserError as error:
        message = str(error)
        assert message.startswith(str(path))
        assert len(message.splitlines()) == 1
        return "refused"
    for name, array in arrays.items():
        assert hit[name].dtype == array.dtype
        assert np.array_equal(hit[name], array), name
    assert {name: store.attributes[name] for name in ATTRIBUTES} == ATTRIBUTES
    return "as written"


def harmed(path, kind, arrays, file, content):
    """The outcome with ``content`` in the place of ``file``, which is mended afterwards."""
    whole = file.read_bytes()
    try:
        file.write_bytes(content)
        return outcome(path, kind, arrays)
    finally:
        file.write_bytes(whole)


def files(path):
    return sorted(p for p in path.rglob("*") if p.is_file())


def flipped(file, place, bit):
    content = bytearray(file.read_bytes())
    content[place % len(content)] ^= 1 << bit
    return bytes(content)


@settings(max_examples=400)
@given(st.data(), st.integers(0, 10**6), st.integers(0, 7))
def test_read__any_flipped_bit_is_detected_or_harmless(stores, data, place, bit):
    store = data.draw(st.sampled_from(stores))
    file = data.draw(st.sampled_from(files(store[0])))
    harmed(*store, file, flipped(file, place, bit))


@settings(max_examples=100)
@given(st.data(), st.floats(0, 1, exclude_max=True))
def test_read__any_cut_is_detected(stores, data, part):
    store = data.draw(st.sampled_from(stores))
    file = data.draw(st.sampled_from(files(store[0])))
    content = file.read_bytes()
    assert harmed(*store, file, content[: int(part * len(content))]) == "refused"


def test_read__every_flipped_bit_of_mapped_data_is_detected(stores):
    raw = stores[0]
    assert outcome(*raw) == "as written"
    chunk = raw[0] / "policy" / "c" / "0"
    for place in range(chunk.stat().st_size):
        assert harmed(*raw, chunk, flipped(chunk, place, place % 8)) == "refused"


@pytest.mark.parametrize(
    ("name", "value"), [("run", "fedcba9876543210"), ("interval", 2), ("content", {})]
)
def test_read__detects_changed_attributes(stores, name, value):
    for store in stores:
        file = store[0] / "zarr.json"
        document = json.loads(file.read_text())
        document["attributes"][name] = value
        assert harmed(*store, file, json.dumps(document).encode()) == "refused"
