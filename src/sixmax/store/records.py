"""JSON results: declared beside the stage that writes them, written, read and checked here."""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ConfigDict, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from sixmax.base.errors import UserError
from sixmax.base.files import read_json, write_json


class Form(TypedDict):
    """The base of the keys of a record that readers need; there may be others."""

    __pydantic_config__ = ConfigDict(extra="allow", strict=True)


_adapter = cache(TypeAdapter)  # of a form


class RecordKind(NamedTuple):
    name: str  # with its article: a gain of search
    writer: str  # the command that writes it: sixmax gain
    form: type  # the TypedDict of its keys

    @property
    def wanted(self) -> str:
        """The wanted result, for an error message."""
        return f"{self.name}, which `{self.writer}` writes"


def keys(name: str, writer: str, *names: str) -> RecordKind:
    """A kind of which readers need the keys ``names``, whatever their values."""
    form = TypedDict(name, dict.fromkeys(names, Any))
    form.__pydantic_config__ = Form.__pydantic_config__
    return RecordKind(name, writer, form)


def read(path: Path, kind: RecordKind) -> dict[str, Any]:
    """The values in ``path``, as they are. Raises UserError where they are no ``kind``."""
    values = read_json(path, kind.wanted)
    check(values, kind, str(path))
    return values


def write(path: Path, kind: RecordKind, record: dict[str, Any]) -> None:
    """Write ``record`` as JSON.

    Raises ValueError where it is no ``kind``, a mistake of the stage. The message has the record,
    which may be hours of work.
    """
    if why := _why_not(record, kind):
        told = json.dumps(record, default=str)
        raise ValueError(f"{path}: the record is not {kind.name}: {why}\n{told}")
    write_json(path, record)


def check(values: Any, kind: RecordKind, source: str) -> None:
    """Raise UserError naming ``source`` unless ``values`` are a ``kind``."""
    if why := _why_not(values, kind):
        raise foreign(source, kind, why)


def _why_not(values: Any, kind: RecordKind) -> str:
    """The first key by which ``values`` are no ``kind``, and its fault; empty if they are."""
    try:
        # By way of JSON, where a list may be a tuple, and an object a dataclass.
        _adapter(kind.form).validate_json(json.dumps(values))
    except TypeError as error:  # an array, or a number of numpy
        return str(error)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        return f"{key}: {first['msg']}" if key else first["msg"]
    return ""


def foreign(source: str | Path, kind: RecordKind, why: str) -> UserError:
    """The error that ``source`` is another kind of file than ``kind``."""
    return UserError(f"{source}: not {kind.name} ({why}); wanted one that `{kind.writer}` wrote")
