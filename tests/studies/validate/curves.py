"""Records as `sixmax measure` writes them, without measuring anything."""

from sixmax.studies.validate.config import MethodSettings


def curve(game="kuhn", seats=2, method="cfr", iterations=(10, 100), scores=((0.1374, 0.01646),)):
    """A record whose NashConv after ``iterations`` is ``scores``, a tuple for each seed."""
    settings = MethodSettings(iterations=iterations[-1], seeds=len(scores))
    return {
        "game": game, "seats": seats, "method": method, "settings": settings.model_dump(),
        "size": {"decisions": 4, "infosets": 12, "deals": 6},
        "uniform": {"nash_conv": 0.916667 if seats == 2 else 2.0625, "value": 0.125},
        "iterations": list(iterations),
        "runs": [{"nash_conv": list(run), "value": [-1 / 18] * len(run)} for run in scores],
    }  # fmt: skip
