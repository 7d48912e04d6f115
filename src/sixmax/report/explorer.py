"""Addresses of spots in the explorer, which `sixmax serve` opens on this machine."""

from urllib.parse import urlencode

HOME = "http://127.0.0.1:8000"  # the default host and port of `sixmax serve`


def address(actions: str = "", agent: str = "", beside: str = "") -> str:
    """The spot after ``actions`` in ACPC notation, before the flop.

    ``agent`` is shown in place of the blueprint, ``beside`` stands beside it.
    """
    fields = {"actions": actions, "agent": agent, "beside": beside}
    query = urlencode({name: value for name, value in fields.items() if value})
    return f"{HOME}/explore" + (f"?{query}" if query else "")
