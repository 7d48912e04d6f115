# The config, checked; names that several rules use; the lock of a run.

import json
import sys
from pathlib import Path

from sixmax import runlock
from sixmax.blueprint import identity
from sixmax.config import check
from sixmax.errors import UserError
from sixmax.layers import code_digest

sys.setrecursionlimit(20_000)  # the chain of intervals is as deep as it is long
shell.prefix(f"set -euo pipefail; export PATH={Path(sys.executable).parent}:$PATH; ")

try:
    CONFIG = check(config)
    RUN = f"results/{CONFIG.run}"
    SETTINGS = identity.settings(
        CONFIG.seed,
        CONFIG.deck.ranks,
        CONFIG.game,
        CONFIG.abstraction,
        CONFIG.blueprint,
    )
    identity.refuse_other(Path(RUN, "blueprint", "run.json"), SETTINGS)
except UserError as error:
    raise WorkflowError(str(error)) from None

DECK = f"results/shared/deck{4 * CONFIG.deck.ranks}"
THREADS = CONFIG.machine.threads


def as_json(section):
    """A config section as one argument of a command."""
    return section.model_dump_json()


def checkpoint_before(wildcards):
    """The checkpoint that an interval goes on from: none for the first."""
    k = int(wildcards.k)
    return [f"{RUN}/blueprint/state/{k - 1:05d}.zarr"] if k > 1 else []


def numbers(intervals):
    """A wildcard constraint: one of these intervals."""
    return "|".join(f"{k:05d}" for k in intervals) or "none"


onstart:
    try:
        runlock.hold(f"{RUN}/.lock")
    except UserError as error:
        raise WorkflowError(str(error)) from None
