"""The templates of the pages: a reader, and a digest by which the workflow knows them."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from sixmax.report import explorer, words

if TYPE_CHECKING:
    import jinja2

_FOLDER = Path(__file__).parent
_FILTERS = (
    "agent", "between", "count", "large", "listed", "method", "percent", "probability", "score",
    "seconds", "signed", "significant", "size", "small", "threshold",
)  # fmt: skip


def template(name: str = "page.html.j2") -> "jinja2.Template":
    """A template of this folder: values are escaped, and a missing one is an error."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update({name: getattr(words, name) for name in _FILTERS})
    environment.globals["explore"] = explorer.address
    return environment.get_template(name)


def digest() -> str:
    """16 hex digits that change with a template or the style, which are not Python code."""
    content = hashlib.sha256()
    for file in (
        *sorted(_FOLDER.rglob("*.j2")),
        *(_FOLDER / name for name in ("colours.css", "page.css", "page.js")),
    ):
        content.update(file.read_bytes())
    return content.hexdigest()[:16]
