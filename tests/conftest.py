"""Slow twins live in tests/oracles and are imported as ``oracles.<part>``."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
