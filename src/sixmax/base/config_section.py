"""The base of every config section, and one-line errors for values that do not fit."""

import json
from collections.abc import Hashable
from pathlib import Path
from typing import Any, ClassVar, Self

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from sixmax.base.errors import UserError, did_you_mean
from sixmax.base.files import read_text
from sixmax.base.retired import refuse_retired

_MERGE = "tag:yaml.org,2002:merge"  # of the key <<, whose values those beside it replace


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
    def read(cls, file: str | Path) -> Self:
        """Read a file of YAML. Raises UserError naming it."""
        return cls.parse(read_yaml(file), Path(file).name)

    @classmethod
    def parse_json(cls, text: str, place: str) -> Self:
        """Read a JSON argument of the command line. Raises UserError naming ``place``."""
        try:
            values = json.loads(text, object_pairs_hook=each_once)
        except UserError as error:
            raise UserError(f"{place}: {error}") from None
        except ValueError:
            values = None  # pydantic says where it is no JSON
        refuse_retired({place: values})
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            raise UserError(one_line(error, cls, place)) from None


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of JSON ``pairs``. Raises UserError for a key that stands twice."""
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise UserError(f"the key {twice!r} stands twice; keep one of them")
    return values


class _EachOnce(yaml.SafeLoader):
    """Reads YAML; a key that stands twice, which would replace the first, is refused."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        lines: dict[Hashable, int] = {}
        for each in (key_node for key_node, _ in node.value if key_node.tag != _MERGE):
            key, line = self.construct_object(each, deep=True), each.start_mark.line + 1
            if not isinstance(key, Hashable):
                continue  # refused below
            if key in lines:
                raise UserError(
                    f"line {line}: the key {key!r} a second time, first in line {lines[key]}; "
                    "keep one of them"
                )
            lines[key] = line
        return super().construct_mapping(node, deep)


def read_yaml(file: str | Path) -> Any:
    """The plain values in ``file``. Raises UserError where it is no YAML or has a key twice."""
    text = read_text(file, "a config in YAML")
    if text.lstrip().startswith("{"):  # JSON may be indented by tabs, YAML may not
        text = text.replace("\t", " ")
    try:
        return yaml.load(text, _EachOnce)
    except UserError as error:
        raise UserError(f"{file}, {error}") from None
    except yaml.YAMLError as error:
        text = f"{file}: cannot be read as YAML ({error})"
        raise UserError(" ".join(text.split())) from None


def read_again(value: Any) -> Any:
    """``value`` with the numbers that Snakemake leaves as texts: `--config 'section={key: 5}'`."""
    if isinstance(value, dict):
        return {key: read_again(each) for key, each in value.items()}
    if isinstance(value, list):
        return [read_again(each) for each in value]
    if not isinstance(value, str):
        return value
    try:
        plain = yaml.safe_load(value)
    except yaml.YAMLError:
        return value
    return plain if isinstance(plain, bool | int | float) else value


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
        text = f"{name}: {_fault(first)}"
    more = error.error_count() - 1
    tail = f" (and {more} more)" if more else ""
    return f"{text}{tail}; {model.explained} explains every key"


def _fault(first: ErrorDetails) -> str:
    """The value found and the message; the message alone where the value is a whole section."""
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "value_error" and isinstance(first["input"], dict):
        return message
    found = repr(first["input"])
    found = found if len(found) <= 80 else found[:77] + "..."
    return f"found {found}, wanted: {message[0].lower()}{message[1:]}"


def _keys(model: type[BaseModel], path: list[str]) -> list[str]:
    for part in path:
        field = model.model_fields.get(part)
        inner = field.annotation if field else None
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return []
        model = inner
    return list(model.model_fields)
