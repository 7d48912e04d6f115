"""A real file system that is too small: one clear line, and nothing half-written."""

import shutil
import subprocess
import sys

import pytest

MAY_MOUNT = (
    shutil.which("unshare") is not None
    and subprocess.run(
        ["unshare", "-rm", "sh", "-c", "mount -t tmpfs tmpfs /mnt"], capture_output=True
    ).returncode
    == 0
)

WRITE = """
import sys
from pathlib import Path
import numpy as np
from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.store import write, read

folder = Path(sys.argv[1])
noise = np.random.default_rng(1)
write(folder / "s.zarr", "strategy", {"policy": noise.integers(0, 256, 9000).astype(np.uint8)})
write_json(folder / "r.json", [1])
large = noise.integers(0, 256, 4_000_000).astype(np.uint8)
for attempt in (
    lambda: write(folder / "s.zarr", "strategy", {"policy": large}),
    lambda: write(folder / "t.zarr", "strategy", {"policy": large}),
    lambda: write_json(folder / "r.json", large.tolist()),
):
    try:
        attempt()
    except UserError as error:
        print(error)
print(sorted(p.name for p in folder.iterdir()), read(folder / "s.zarr", "strategy")["policy"].size)
"""


@pytest.mark.skipif(not MAY_MOUNT, reason="this user may not mount a file system")
def test_write__a_small_file_system(tmp_path):
    command = f"mount -t tmpfs -o size=256k tmpfs {tmp_path} && exec {sys.executable} - {tmp_path}"
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", command], input=WRITE, capture_output=True, text=True
    )
    assert done.stderr == ""
    *message, left = done.stdout.splitlines()
    assert left == "['r.json', 's.zarr'] 9000"
    assert len(message) == 3
    for line, name in zip(message, ("s.zarr", "t.zarr", "r.json"), strict=True):
        assert line.startswith(f"{tmp_path}/{name}: the disk is full (or your quota): ")
        assert line.endswith("; free some space and run again")
