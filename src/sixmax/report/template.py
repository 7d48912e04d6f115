"""The templates of the pages: how they open, and a digest by which the workflow knows them."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from sixmax.report import words

if TYPE_CHECKING:
    import jinja2

_FOLDER = Path(__file__).parent
_FILES = (
    "page.html.j2", "aivat.html.j2", "bounds.html.j2", "cost.html.j2", "experiments.html.j2",
    "pluribus.html.j2", "search.html.j2", "validation.html.j2", "page.css",
)  # fmt: skip
_FILTERS = (
    "agent", "between", "count", "large", "listed", "method", "percent", "probability", "score",
    "seconds", "signed", "significant", "size", "small", "threshold",
)  # fmt: skip


def template(name: str = _FILES[0]) -> "jinja2.Template":
    """A page's template: values are escaped, and one that is missing is an error."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update({name: getattr(words, name) for name in _FILTERS})
    return environment.get_template(name)


def digest() -> str:
    """16 hex digits that change with a template or the style, which are no Python code."""
    found = hashlib.sha256()
    for name in _FILES:
        found.update((_FOLDER / name).read_bytes())
    return found.hexdigest()[:16]
