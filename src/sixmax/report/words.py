"""Numbers and names as a person reads them. A true minus sign, narrow spaces, units."""

import math
from collections.abc import Sequence

from sixmax.agents.registry import BASELINES
from sixmax.cfr.methods import METHODS
from sixmax.cfr.postprocess import parse
from sixmax.cfr.sampled.schedule import SAMPLED

MINUS, THIN = "\N{MINUS SIGN}", "\N{NARROW NO-BREAK SPACE}"
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_BIASED = ("fold", "call", "raise")  # continuations of the generator `bias`
_METHODS = {
    **{name: method.title for name, method in METHODS.items()},
    **SAMPLED,
    "coarse": "coarse blueprint",
    "search1": "search, one value",
    "search4": "search, four values",
}


def count(value: float) -> str:
    """1,234,567."""
    return f"{value:,.0f}".replace("-", MINUS)


def small(value: int) -> str:
    """One to ten in letters."""
    names = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    return names[value] if value < len(names) else count(value)


def copies(seats: int) -> str:
    """All that sit with one player at a table: "five copies", "a copy"."""
    return f"{small(seats - 1)} copies" if seats > 2 else "a copy"


def large(value: float) -> str:
    """A count in words: 12.3 million."""
    for size, name in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if abs(value) >= size:
            return f"{value / size:.3g}{THIN}{name}"
    return count(value)


def signed(value: float, digits: int = 1) -> str:
    """+12.3; a minus as long as a plus. Infinite where there is no estimate."""
    if math.isinf(value):
        return "+∞" if value > 0 else f"{MINUS}∞"
    return f"{value:+,.{digits}f}".replace("-", MINUS)


def between(interval: Sequence[float], digits: int = 1) -> str:
    """+1.2 to +3.4."""
    return f"{signed(interval[0], digits)} to {signed(interval[1], digits)}"


def side(interval: Sequence[float]) -> str:
    """The side of zero on which ``interval`` lies: above, below or across."""
    low, high = interval
    return "above" if low > 0 else "below" if high < 0 else "across"


def percent(value: float | None, digits: int = 1) -> str:
    """12.3 %; a dash where there is no value."""
    return "–" if value is None else f"{value:.{digits}f}{THIN}%"


def seconds(value: float) -> str:
    """12.3 s, 4 min 05 s or 2 h 07 min."""
    if value < 60:
        return f"{value:.1f}{THIN}s"
    whole = round(value)
    if whole < 3600:
        return f"{whole // 60}{THIN}min {whole % 60:02d}{THIN}s"
    return f"{whole // 3600}{THIN}h {whole % 3600 // 60:02d}{THIN}min"


def size(value: float) -> str:
    """Bytes in the unit that fits: 12.3 MB."""
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if value >= unit:
            return f"{value / unit:.3g}{THIN}{name}"
    return f"{value:.0f}{THIN}B"


def probability(value: float) -> str:
    """A p-value: 0.042, < 0.001 or > 0.999."""
    if value < 0.001:
        return f"<{THIN}0.001"
    return f">{THIN}0.999" if value > 0.999 else f"{value:.3f}"


def p_value(value: float) -> str:
    """The same with its letter: p = 0.042, p < 0.001."""
    text = probability(value)
    return f"p {text}" if text[0] in "<>" else f"p = {text}"


def threshold(value: float) -> str:
    """A bound: a power of ten as such."""
    power = math.log10(value) if value > 0 else 0.5
    if abs(power) >= 3 and power == round(power):
        return "10" + str(round(power)).translate(_RAISED)
    return f"{value:g}"


def significant(value: float) -> str:
    """Three digits."""
    return f"{value:#.3g}".rstrip(".").replace("-", MINUS)


def agent(name: str, bias: float) -> str:
    """The name of an agent of the matches; ``bias`` is the factor of the continuations."""
    name, process = parse(name)
    if process is not None:
        return f"{agent(name, bias)}, {process.words}"
    if name.startswith("snapshot-"):
        return f"snapshot after interval {int(name.removeprefix('snapshot-'))}"
    if name.startswith("continuation-"):
        kind = name.removeprefix("continuation-")
        return f"continuation ({kind} ×{bias:g})" if kind in _BIASED else f"continuation ({kind})"
    return BASELINES.get(name, name)


def listed(names: list[str]) -> str:
    """UTG, HJ and CO."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def method(name: str) -> str:
    """The name of a method that solves a game with a known answer."""
    return _METHODS.get(name, name)


def score(value: float, digits: int = 4) -> str:
    """Chips a game: 0.06871, 9.626 × 10⁻⁶."""
    text = f"{value:.{digits}g}"
    if "e" in text:
        mantissa, power = text.split("e")
        text = f"{mantissa}{THIN}×{THIN}10{str(int(power)).translate(_RAISED)}"
    return text.replace("-", MINUS)
