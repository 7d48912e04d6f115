"""What every command does before it starts and when it ends."""

import subprocess
import sys

ENDING = """
import atexit, gc
atexit.register(lambda: print(gc.get_threshold()[0], len(gc.get_objects()), gc.get_freeze_count()))
from sixmax.cli import main
main()
"""


def test_main__does_not_look_for_cycles_in_what_is_there_at_the_end():
    """What was registered first runs last: nothing is left to look through when Python ends."""
    command = [sys.executable, "-c", ENDING, "--version"]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    threshold, looked_through, frozen = map(int, found.split()[-3:])
    assert threshold > 10_000
    assert frozen > 10_000 > 100 > looked_through
