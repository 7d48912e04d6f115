"""Keys that the config had once: refused by a line each, and told in config/README.md."""

import re
from pathlib import Path

import pytest
import yaml

from sixmax.base.errors import UserError
from sixmax.base.retired import _RESHAPED, RETIRED, refuse_retired

CONFIG = Path(__file__).parents[2] / "config"


def section(key, value):
    """The sections of a config with ``value`` at the path ``key``."""
    for name in reversed(key.split(".")):
        value = {name: value}
    return value


@pytest.mark.parametrize("key", RETIRED)
@pytest.mark.parametrize("value", [7, 0])
def test_refuse_retired__says_in_one_line_what_stands_in_its_place(key, value):
    with pytest.raises(UserError) as caught:
        refuse_retired(section(key, value))
    word = f"found {value}" if key in _RESHAPED else "no key any more"
    assert str(caught.value) == f"config.{key}: {word}; now {RETIRED[key]}"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("search.vector_iterations", 200.0),
        ("search.vector_iterations", "200"),
        ("search.fast.vector_iterations", "200"),
        ("improve.opponent", 5.0),
    ],
)
def test_refuse_retired__of_a_key_of_today_refuses_values_of_another_type(key, value):
    with pytest.raises(UserError, match=rf"config.{key}: found {value!r}; now"):
        refuse_retired(section(key, value))


def test_refuse_retired__takes_the_keys_of_today():
    refuse_retired(yaml.safe_load((CONFIG / "default.yaml").read_text()))
    refuse_retired(section("search.fast", {"vector_iterations": None}))
    refuse_retired({"search": 5, "league": ["a", "b"]})


def test_readme__has_the_table():
    text = (CONFIG / "README.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `([a-z_.]+)` \| (.+) \|$", text[text.index("## Keys of before") :], re.M
    )
    assert dict(rows) == RETIRED


def test_words__name_keys_and_players_that_there_are():
    """Every key that a text names is one of default.yaml."""
    default = yaml.safe_load((CONFIG / "default.yaml").read_text())
    for text in RETIRED.values():
        for path in re.findall(r"\b(?:search|blueprint|abstraction|improve)\.[a-z_.]+[a-z]", text):
            value = default
            for name in path.split("."):
                value = value[name]
