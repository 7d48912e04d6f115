"""The templates of the pages, their links, and a digest by which the workflow knows them."""

import base64
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from sixmax.report import words

if TYPE_CHECKING:
    import jinja2

EXPLORER = "http://127.0.0.1:8000"  # the default host and port of `sixmax serve`
_FOLDER = Path(__file__).parent
_FILTERS = (
    "agent", "between", "count", "large", "listed", "method", "percent", "probability", "score",
    "seconds", "side", "signed", "significant", "size", "small", "threshold",
)  # fmt: skip


def template(name: str = "page.html.j2") -> "jinja2.Template":
    """A template of this folder: values are escaped, and a missing one is an error."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters.update({name: getattr(words, name) for name in _FILTERS})
    environment.filters["base64"] = lambda content: base64.b64encode(content).decode()
    environment.globals["explore"] = explore
    return environment.get_template(name)


def explore(actions: str = "", beside: str = "") -> str:
    """The address in the explorer of the spot after ``actions``, ACPC notation, before the flop.

    The agent ``beside`` stands beside the blueprint.
    """
    fields = {"actions": actions, "beside": beside}
    query = urlencode({name: value for name, value in fields.items() if value})
    return f"{EXPLORER}/explore" + (f"?{query}" if query else "")


def digest() -> str:
    """16 hex digits that change with a template or the style, which are not Python code."""
    content = hashlib.sha256()
    styles = [_FOLDER / name for name in ("colours.css", "page.css", "page.js")]
    for file in [*sorted(_FOLDER.rglob("*.j2")), *styles]:
        content.update(file.read_bytes())
    return content.hexdigest()[:16]
