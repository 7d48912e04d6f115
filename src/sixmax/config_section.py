"""The base of every config section, and one-line errors for values that do not fit."""

from pathlib import Path
from typing import Any, ClassVar, Self

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from sixmax.errors import UserError, did_you_mean
from sixmax.files import read_text


class Section(BaseModel):
    """A config section: unknown keys refused, values not converted, frozen once read."""

    explained: ClassVar[str] = "config/default.yaml"  # the file whose comments explain the keys
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    @classmethod
    def parse(cls, values: Any, place: str) -> Self:
        """Read plain ``values`` (from YAML or JSON). Raises UserError naming ``place``."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise UserError(one_line(error, cls, place)) from None

    @classmethod
    def parse_json(cls, text: str, place: str) -> Self:
        """Read a JSON argument of the command line. Raises UserError naming ``place``."""
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            raise UserError(one_line(error, cls, place)) from None


def read_yaml(file: str | Path) -> Any:
    """The plain values in the YAML ``file``. Raises UserError with one line."""
    try:
        return yaml.safe_load(read_text(file, "a config in YAML"))
    except yaml.YAMLError as error:
        text = f"{file}: cannot be read as YAML ({error})"
        raise UserError(" ".join(text.split())) from None


def one_line(error: ValidationError, model: type[BaseModel], place: str) -> str:
    """The first error on a line: the value found, the value wanted, and the remedy."""
    first = error.errors(include_url=False)[0]
    path = [str(part) for part in first["loc"]]
    name = ".".join([place, *path]) if path else place
    if first["type"] == "extra_forbidden":
        known = _keys(model, path[:-1])
        hint = did_you_mean(path[-1], known) or f"known keys: {', '.join(known)}"
        text = f"{name}: unknown key; {hint}"
    elif first["type"] == "missing":
        text = f"{name}: missing; give it a value"
    else:
        message = first["msg"].removeprefix("Value error, ")
        value = repr(first["input"])
        value = value if len(value) <= 80 else value[:77] + "..."
        text = f"{name}: found {value}, wanted: {message[0].lower()}{message[1:]}"
    more = error.error_count() - 1
    tail = f" (and {more} more)" if more else ""
    return f"{text}{tail}; {model.explained} explains every key"


def _keys(model: type[BaseModel], path: list[str]) -> list[str]:
    for part in path:
        field = model.model_fields.get(part)
        inner = field.annotation if field else None
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return []
        model = inner
    return list(model.model_fields)
