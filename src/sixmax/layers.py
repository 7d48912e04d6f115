"""Which part may import which, and a digest of the code that a part depends on.

The table is the architecture (docs/architecture.md): a part imports only what its row names and
what those rows name in turn. ``tests/test_layers.py`` enforces it; the rules of the workflow
put :func:`code_digest` into their ``params``, so that editing ``report`` reruns the report and
not the blueprint.
"""

import ast
import functools
import hashlib
from pathlib import Path

# Modules at the top of the package, usable by every part.
BASE = ("errors", "files", "jit", "progress", "rng", "section")

IMPORTS: dict[str, tuple[str, ...]] = {
    "store": (),
    "cards": (),
    "game": (),
    "cfr": ("game",),
    "abstraction": ("cards", "store"),
    "blueprint": ("abstraction", "cfr"),
    "continuation": ("blueprint",),
    "search": ("continuation",),
    "evaluation": ("search",),
    "validate": ("evaluation",),
    "report": ("validate",),
}


def closure(part: str) -> list[str]:
    """``part`` and every part that it may import, sorted."""
    found, todo = set(), [part]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo.extend(IMPORTS[name])
    return sorted(found)


def _files(part: str) -> list[Path]:
    package = Path(__file__).parent
    base = [package / f"{name}.py" for name in BASE]
    return base + [f for p in closure(part) for f in sorted((package / p).rglob("*.py"))]


def _syntax(source: str) -> str:
    """The syntax tree without docstrings: comments and spacing do not count as change."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            value = body[0].value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                body[0].value = ast.Constant("")
    return ast.dump(tree)


@functools.cache
def code_digest(part: str, *modules: str) -> str:
    """16 hex digits that change when code that ``part`` depends on changes.

    Or one of ``modules`` such as "search/flop", where a stage uses little of another part.
    """
    digest = hashlib.sha256()
    package = Path(__file__).parent
    for file in _files(part) + [package / f"{module}.py" for module in modules]:
        digest.update(file.name.encode())
        digest.update(_syntax(file.read_text(encoding="utf-8")).encode())
    return digest.hexdigest()[:16]
