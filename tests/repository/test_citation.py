"""CITATION.cff: by the Citation File Format 1.2.0, and of this version."""

import tomllib

import jsonschema
import yaml

from processes import ROOT

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
TEXT = {"type": "string", "minLength": 1}
PLACE = {"type": ["integer", "string"]}


def item(required, optional, **kinds):
    """An object of these keys, which are texts unless ``kinds`` say otherwise."""
    names = (*required.split(), *optional.split())
    return {
        "type": "object", "required": required.split(), "minProperties": 1,
        "additionalProperties": False, "properties": dict.fromkeys(names, TEXT) | kinds,
    }  # fmt: skip


# Of the schema of the format, as far as the file uses it.
PERSON = item("", "family-names given-names name-particle name-suffix alias orcid email")
ENTITY = item("name", "alias website email orcid city country")
AUTHORS = {"type": "array", "minItems": 1, "items": {"oneOf": [PERSON, ENTITY]}}
DOI = {"pattern": r"^10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+$"}
REFERENCE = item(
    "type title authors",
    "journal year volume issue start end doi conference url publisher month isbn pages",
    authors=AUTHORS, doi=DOI, year={"type": "integer"}, conference=item("name", ""),
    **dict.fromkeys(("volume", "issue", "start", "end", "month"), PLACE),
)  # fmt: skip
CHECK = jsonschema.Draft202012Validator(
    item(
        "cff-version message title authors",
        "type abstract version license keywords references date-released doi url repository-code "
        "identifiers contact commit license-url preferred-citation repository repository-artifact",
        authors=AUTHORS, version={}, keywords={"type": "array", "minItems": 1, "items": TEXT},
        references={"type": "array", "items": REFERENCE}, type={"enum": ["software", "dataset"]},
        **{"cff-version": {"const": "1.2.0"}},
    )
)  # fmt: skip


def test_citation__is_valid():
    assert [error.message for error in CHECK.iter_errors(CITATION)] == []
    assert CITATION["authors"] == [{"name": "sixmax developers"}]


def test_citation__is_of_this_version_and_licence():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert str(CITATION["version"]) == project["version"]
    assert CITATION["title"] == project["name"]
    assert CITATION["license"] == project["license"] == "MIT"
