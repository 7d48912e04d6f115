"""Digests of a module with all that it imports, in turn; the commit of the code.

An edit changes :func:`code_digest` of the stages that Snakemake is to run again, and
:func:`source_digest` of the modules whose kernels are to be compiled again.
"""

import ast
import datetime
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[1]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "sixmax")
_MOST = 5000  # files whose digests are kept
_FROM = re.compile(r"^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]+)", re.M)
_FOR_TYPES = re.compile(r"^if TYPE_CHECKING:\n(?:[ \t]+[^\n]*\n|\n)+", re.M)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+([\w., \t]+)", re.M)


@functools.cache
def closure(file: Path) -> tuple[Path, ...]:
    """``file`` and the files of this project that it imports, directly or in turn, sorted.

    Imports inside functions count. Other modules than those of sixmax are looked up in the folders
    above ``file``. Code outside of sixmax that has the package by a name can use all of its parts.
    """
    reached, todo = set(), [file]
    while todo:
        if (next_file := todo.pop()) not in reached:
            reached.add(next_file)
            todo.extend(_imports(next_file))
    return tuple(sorted(reached))


@functools.cache
def code_digest(module: str) -> str:
    """16 hex digits that change with code that ``module``, as in "blueprint.train", depends on.

    Comments, docstrings and spacing do not count. Raises ValueError for a module that is not there.
    """
    file = _module(PACKAGE.parent, f"sixmax.{module}")
    if file is None:
        raise ValueError(f"sixmax.{module}: no such module")
    digest, kept = hashlib.sha256(), _kept()
    before = len(kept)
    for each in closure(file):
        text = _text_digest(each)
        syntax = kept[text] = kept.get(text) or _syntax_digest(each)
        digest.update(f"{each.relative_to(PACKAGE)} {syntax}\n".encode())
    if len(kept) > before:
        _keep(kept)
    return digest.hexdigest()[:16]


def made_by(module: str, **config: Any) -> dict[str, Any]:
    """The attributes of a store with the settings and the code of ``module`` that made it."""
    return {"config": config, "code": code_digest(module)}


@functools.cache
def source_digest(file: Path) -> str:
    """16 hex digits that change when the text of ``file`` or of a file that it imports changes."""
    digest = hashlib.sha256()
    for each in closure(file):
        digest.update(f"{each.name} {_text_digest(each)}\n".encode())
    return digest.hexdigest()[:16]


def commit() -> str:
    """The commit of this package's source, with a plus where it was edited; or "unknown"."""
    git = shutil.which("git")
    if git is None or not (PACKAGE.parents[1] / ".git").exists():
        return "unknown"
    asked = [git, "-C", str(PACKAGE), "describe", "--always", "--abbrev=12", "--dirty=+"]
    answer = subprocess.run([*asked, "--exclude=*"], capture_output=True, text=True, check=False)
    return answer.stdout.strip() or "unknown"


def made_now() -> dict[str, str]:
    """The minute in UTC, and :func:`commit`, for JSON."""
    now = datetime.datetime.now(datetime.UTC)
    return {"date": now.strftime("%Y-%m-%dT%H:%MZ"), "commit": commit()}


@functools.cache
def _imports(file: Path) -> set[Path]:
    text = file.read_text(encoding="utf-8")
    roots, whole = [PACKAGE.parent], []
    if PACKAGE not in file.parents:
        roots += file.parents[:3]
        bound = [_module(PACKAGE.parent, name) for name in _bound(text)]
        whole = [each.parent for each in bound if each is not None and each.stem == "__init__"]
    # Beside an installed package lie libraries.
    modules = {
        _module(root, name)
        for name in _names(text)
        for root in roots
        if root != PACKAGE.parent or name.partition(".")[0] == PACKAGE.name
    }
    return (modules - {None}).union(*(folder.rglob("*.py") for folder in whole))


def _names(text: str) -> Iterator[str]:
    """The modules that the source ``text`` imports, and their contents by module.name."""
    text = _FOR_TYPES.sub("", text)  # imports that never happen
    for module, names in _FROM.findall(text):
        yield module
        names = re.sub(r"#[^\n]*", "", names).strip("()")
        yield from (f"{module}.{name.split()[0]}" for name in names.split(",") if name.split())
    for names in _IMPORT.findall(text):
        yield from (name.split()[0] for name in names.split(",") if name.split())


def _bound(text: str) -> Iterator[str]:
    """The packages and modules to which the source ``text`` gives a name."""
    for names in _IMPORT.findall(text):
        for module, *renamed in (name.split() for name in names.split(",") if name.split()):
            yield module if renamed else module.split(".")[0]
    for module, names in _FROM.findall(text):
        yield from (f"{module}.{name}" for name in re.findall(r"\w+", names))


@functools.cache
def _module(root: Path, name: str) -> Path | None:
    base = os.path.join(root, *name.split("."))  # a start asks 1,500 times: no paths are built
    for file in (f"{base}.py", os.path.join(base, "__init__.py")):
        if os.path.isfile(file):
            return Path(file)
    return None


@functools.cache
def _text_digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@functools.cache
def _kept() -> dict[str, str]:
    """Digests of syntax by those of the text; to parse all files takes a second."""
    try:
        return dict(json.loads(_kept_file().read_text()))
    except (OSError, ValueError, TypeError):
        return {}


def _keep(digests: dict[str, str]) -> None:
    file = _kept_file()
    aside = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(OSError):  # a cache that may only be read
        file.parent.mkdir(parents=True, exist_ok=True)
        aside.write_text(json.dumps(dict(list(digests.items())[-_MOST:])))
        aside.replace(file)


def _kept_file() -> Path:
    return CACHE / f"syntax-{sys.version_info.major}.{sys.version_info.minor}.json"


def _syntax_digest(file: Path) -> str:
    """The digest of the syntax tree without docstrings."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            value = body[0].value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                body[0].value = ast.Constant("")
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()
