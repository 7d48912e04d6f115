"""A real file system that is too small: one clear line, and nothing half-written."""

import shutil

import pytest

from processes import PYTHON, finished

OWN = "unshare", "-rm", "sh", "-c"  # a shell that may mount where nobody else sees it
MAY_MOUNT = (
    shutil.which("unshare") is not None
    and finished(*OWN, "mount -t tmpfs tmpfs /mnt").returncode == 0
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
    mount = f"mount -t tmpfs -o size=256k tmpfs {tmp_path}"
    done = finished(*OWN, f'{mount} && exec {PYTHON} -c "$WRITE" {tmp_path}', WRITE=WRITE)
    assert done.stderr == ""
    *message, left = done.stdout.splitlines()
    assert left == "['r.json', 's.zarr'] 9000"
    assert len(message) == 3
    for line, name in zip(message, ("s.zarr", "t.zarr", "r.json"), strict=True):
        assert line.startswith(f"{tmp_path}/{name}: the disk is full (or your quota): ")
        assert line.endswith("; free some space and run again")
