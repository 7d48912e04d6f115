"""The template of the page: how it is opened, and a digest by which the workflow knows it."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from sixmax.report import words

if TYPE_CHECKING:
    import jinja2

_FOLDER = Path(__file__).parent
_FILES = ("page.html.j2", "cost.html.j2", "page.css")
_FILTERS = (
    "agent", "between", "count", "large", "listed", "percent", "probability", "seconds", "signed",
    "significant", "size", "small", "threshold",
)  # fmt: skip


def template() -> "jinja2.Template":
    """The page's template: values are escaped, and one that is missing is an error."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update({name: getattr(words, name) for name in _FILTERS})
    return environment.get_template(_FILES[0])


def digest() -> str:
    """16 hex digits that change with the template or its style, which are no Python code."""
    found = hashlib.sha256()
    for name in _FILES:
        found.update((_FOLDER / name).read_bytes())
    return found.hexdigest()[:16]
