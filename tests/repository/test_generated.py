"""What `make api` and `make schema` write: current, and true to docstrings and sections.

config/schema.json takes every preset, and refuses what the sections do.
"""

import importlib
import importlib.util
import json
import re

import jsonschema
import pytest
import yaml

from processes import ROOT
from sixmax.base.errors import UserError
from sixmax.config import Config, load

CONFIGS = ROOT / "config"
PRESETS = sorted(CONFIGS.glob("*.yaml"))
FOLDER = ROOT / "docs" / "api"


def loaded(name):
    """A script of docs/api as a module."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


api, make = loaded("make"), loaded("schema")
SCHEMA = json.loads((CONFIGS / "schema.json").read_text(encoding="utf-8"))
CHECK = jsonschema.Draft202012Validator(SCHEMA)


def test_schema__is_current_and_a_schema():
    assert (CONFIGS / "schema.json").read_text(encoding="utf-8") == make.text(), "run `make schema`"
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda file: file.stem)
def test_preset__is_valid_and_names_the_schema_for_editors(preset):
    text = preset.read_text(encoding="utf-8")
    CHECK.validate(yaml.safe_load(text))
    assert text.splitlines()[0] == "# yaml-language-server: $schema=schema.json"


def test_defaults__are_those_of_default_yaml():
    def values(keys):
        return {
            name: values(key["properties"]) if "properties" in key else key["default"]
            for name, key in keys.items()
        }

    actual = Config.parse(values(SCHEMA["properties"]), "config")
    assert actual == load(CONFIGS / "default.yaml")


def test_descriptions__are_the_comments():
    keys = SCHEMA["properties"]
    bins = keys["abstraction"]["properties"]["bins"]
    assert bins["description"] == "of the histograms of win probability on the river"
    assert (bins["minimum"], bins["maximum"]) == (2, 255)
    assert keys["abstraction"]["description"].startswith("every hand of every round is enumerated")
    rounds = keys["game"]["properties"]["rounds"]["description"]
    assert rounds.startswith("Raises, by round. sizes: one list")
    assert rounds.endswith("then [1, A] on turn and river.")
    assert keys["search"]["properties"]["fast"]["description"].startswith("The changes of the fast")
    for section in keys.values():
        assert section["description"]
        for name, key in section.get("properties", {}).items():
            assert "description" in key, name


@pytest.mark.parametrize(
    "change",
    [
        "blueprnt: { intervals: 2 }", "blueprint: { interval: 2 }", "blueprint: { intervals: 0 }",
        "search: { fast: { bucket: 0 } }", "search: { player: cfr }", "search: { bets: [[B]] }",
        "blueprint: { prune_share: 1 }", "blueprint: { iterations: many }", "run: a/b",
        "abstraction: { buckets: { flop: 0 } }", "search: { bets: [[0 chips]] }",
        "search: { bets: [[-1]] }", "game: { rounds: [{ sizes: [[1]], max_raises: 1 }] }",
        "evaluation: { lbr_search: { fpca: 200 } }",
    ],
)  # fmt: skip
def test_mistake__is_refused_by_the_schema_as_by_the_pipeline(change, tmp_path):
    assert not CHECK.is_valid(yaml.safe_load(change))
    (tmp_path / "own.yaml").write_text(change)
    with pytest.raises(UserError):
        load(CONFIGS / "default.yaml", tmp_path / "own.yaml")


def test_sections_in_lists__are_defined_and_keep_their_required_keys():
    """A list is given whole; any other section is merged, key by key."""
    named = set(re.findall(r'"#/\$defs/(\w+)"', make.text()))
    assert named == set(SCHEMA["$defs"]) == {"RoundSizes"}
    assert SCHEMA["$defs"]["RoundSizes"]["required"] == ["sizes", "max_raises", "max_players"]
    assert make.text().count('"required"') == 1


@pytest.mark.parametrize("name", api.PAGES)
def test_page__is_current(name):
    actual = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert actual == api.page(name), "run `make api`"


def test_pages__are_all_that_lie_there():
    assert {page.stem for page in FOLDER.glob("*.md")} == set(api.PAGES)


@pytest.mark.parametrize("name", api.PAGES)
def test_names__can_be_imported_and_have_docstrings(name):
    for module, names in api.PAGES[name][1].items():
        if "openspiel" in module:
            pytest.importorskip("pyspiel", reason="open_spiel is not installed")
        holder = importlib.import_module(module)
        for each in names:
            item = getattr(holder, each)
            assert (item.__doc__ or "").strip(), f"{module}.{each}"
            assert f"### {each}\n" in api.page(name)


def test_page__has_signatures_and_no_markup_of_sphinx():
    text = api.page("run")
    assert "open_run(folder: Path) -> Run" in text
    assert "#### Run.policy" in text
    for name in api.PAGES:
        assert ":func:" not in api.page(name)
        assert ":class:" not in api.page(name)
