"""The small games of the tests of evaluation."""

from evaluation.conftest import kuhn3, leduc2, leduc3, uneven

__all__ = ["kuhn3", "leduc2", "leduc3", "uneven"]
