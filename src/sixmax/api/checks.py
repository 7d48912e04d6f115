"""Checks of what a caller of the face gives: a mistake is one line, and no traceback."""

import math
import numbers
from typing import Any

from sixmax.base.errors import UserError

LARGEST = 2**63 - 1  # of a seed


def text(name: str, value: Any, example: str) -> str:
    """``value``, which is text. Raises UserError that shows the ``example``."""
    return one(name, value, str, f"text like {example!r}")


def whole(name: str, value: Any, least: int = 1, most: int = LARGEST) -> int:
    """``value`` as an int, which it is from ``least`` to ``most``. Raises UserError."""
    number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value != int(value) or not least <= value <= most:
        bounds = f"{least} or more" if most == LARGEST else f"{least} to {most:,}"
        raise UserError(f"{name}: found {_said(value)}, wanted a whole number, {bounds}")
    return int(value)


def above_zero(name: str, value: Any) -> float:
    """``value`` as a float, which is above 0. Raises UserError."""
    number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not number or not value > 0:  # nor NaN
        raise UserError(f"{name}: found {_said(value)}, wanted a number above 0")
    return float(value)


def one(name: str, value: Any, kind: type, example: str) -> Any:
    """``value``, which is of ``kind``. Raises UserError that shows the ``example``."""
    if not isinstance(value, kind):
        raise UserError(f"{name}: found {_said(value)}, wanted {example}")
    return value


def _said(value: Any) -> str:
    """A value in an error: short ones as they are, others by their kind."""
    shown = repr(value)
    return shown if len(shown) <= 40 and "\n" not in shown else type(value).__name__
