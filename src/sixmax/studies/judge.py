"""The last step of a study: its checks counted, and an exit code."""

import sys
from collections.abc import Sequence


def judge(missed: Sequence[str], met: str) -> int:
    """Print ``met``, or every ``missed`` check as an error; the exit code, 0 or 1."""
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    if not missed:
        print(met)
    return int(bool(missed))
