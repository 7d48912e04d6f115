"""Write config/schema.json: ``python docs/api/schema.py``; a test checks it.

Types and bounds come from the sections in */config.py, defaults and descriptions from
config/default.yaml and its comments. Agreements between keys are beyond a schema: the pipeline
checks those before any job starts.
"""

import json
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from sixmax.betting.bet_size import FORM, MAX_FRACTION
from sixmax.betting.config import Size
from sixmax.config import Config

CONFIGS = Path(__file__).parents[2] / "config"
FILE = CONFIGS / "schema.json"
ITEMS = (
    "RoundSizes",
)  # sections in lists: a preset gives such a list anew, so their keys are required
# A size is checked by a function, which no schema sees: the same in the words of a schema.
_FUNCTION = TypeAdapter(Size).json_schema()
_SIZE = {
    "description": 'A fraction of the pot after calling, "A" for all-in, or as in "300 chips".',
    "anyOf": [
        {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_FRACTION},
        {"type": "string", "pattern": f"^({FORM})$"},
    ],
}


class _Untitled(GenerateJsonSchema):
    """Without a title for each key, which repeats its name."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schema() -> dict[str, Any]:
    """The JSON schema of a preset: any keys of the config, none of them required."""
    made = Config.model_json_schema(schema_generator=_Untitled)
    kinds = made.pop("$defs")
    text = (CONFIGS / "default.yaml").read_text(encoding="utf-8")
    sections = _explained(made, kinds, yaml.compose(text), text.splitlines())
    return _with_sizes(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "A preset of sixmax",
            "description": "The name of a run, and the keys that differ from default.yaml.",
            "type": "object",
            "additionalProperties": False,
            "properties": sections,
            "$defs": {name: kinds[name] for name in ITEMS},
        }
    )


def _explained(
    section: dict[str, Any], kinds: dict[str, Any], node: yaml.MappingNode, lines: list[str]
) -> dict[str, Any]:
    """The keys of ``section``, with values and comments of ``node`` in the YAML ``lines``.

    Sections inside stand in place, where each use of one has defaults of its own.
    """
    names = [name.value for name, _ in node.value]  # others are of tests and of runs of before
    keys = {name: dict(section["properties"][name]) for name in names}
    for name, value in node.value:
        key = keys[name.value]
        inner = kinds.get(key.pop("$ref", "").removeprefix("#/$defs/"))
        if inner:
            key |= {"type": "object", "additionalProperties": False}
            key["properties"] = _explained(inner, kinds, value, lines)
        key.pop("default", None)
        docstring = (inner or {}).get("description", "").partition("\n")[0].replace("``", "`")
        if said := _comment(name, value, lines) or docstring:
            key["description"] = said
        if not inner:
            key["default"] = yaml.safe_load(yaml.serialize(value))
    return keys


def _comment(key: yaml.Node, value: yaml.Node, lines: list[str]) -> str:
    """The comment right above a key, then the one behind it or behind its value."""
    first = key.start_mark.line
    while lines[first - 1].lstrip().startswith("#"):
        first -= 1
    same_line = value.start_mark.line == key.start_mark.line
    end = value.end_mark if same_line else key.end_mark
    behind = lines[end.line][end.column :].lstrip(": ")
    said = [*lines[first : key.start_mark.line], behind if behind.startswith("#") else ""]
    return " ".join(line.strip(" #") for line in said).strip()


def _with_sizes(part: Any) -> Any:
    """``part`` with sizes by their form."""
    if part == _FUNCTION:
        return _SIZE
    if isinstance(part, dict):
        return {name: _with_sizes(each) for name, each in part.items()}
    return [_with_sizes(each) for each in part] if isinstance(part, list) else part


def text() -> str:
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    FILE.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
