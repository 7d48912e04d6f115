"""CITATION.cff: by the Citation File Format 1.2.0, and of this version."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
# Of the schema, as far as the file uses it.
TOP = {
    "cff-version", "message", "type", "title", "abstract", "authors", "version", "license",
    "keywords", "references", "date-released", "doi", "url", "repository-code", "identifiers",
    "contact", "commit", "license-url", "preferred-citation", "repository",
    "repository-artifact",
}  # fmt: skip
PERSON = {"family-names", "given-names", "name-particle", "name-suffix", "alias", "orcid", "email"}
ENTITY = {"name", "alias", "website", "email", "orcid", "city", "country"}
REFERENCE = {
    "type", "title", "authors", "journal", "year", "volume", "issue", "start", "end", "doi",
    "conference", "url", "publisher", "month", "isbn", "pages",
}  # fmt: skip
DOI = re.compile(r"10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+")


def complaints(citation):
    """All that the schema forbids or misses in ``citation``."""
    missing = {"cff-version", "message", "title", "authors"} - citation.keys()
    said = [f"no {key}" for key in sorted(missing)]
    said += [f"unknown {key}" for key in sorted(citation.keys() - TOP)]
    if citation.get("cff-version") != "1.2.0":
        said.append("cff-version")
    if citation.get("type", "software") not in ("software", "dataset"):
        said.append("type")
    said += people("the software", citation.get("authors"))
    words = citation.get("keywords", [""])
    if not words or not all(isinstance(word, str) for word in words):
        said.append("keywords")
    for key in ("message", "title", "abstract", "license"):
        if not isinstance(citation.get(key, ""), str):
            said.append(key)
    for each in citation.get("references", []):
        title = each.get("title", "a reference")
        missing = {"type", "title", "authors"} - each.keys()
        said += [f"{title}: no {key}" for key in sorted(missing)]
        said += [f"{title}: unknown {key}" for key in sorted(each.keys() - REFERENCE)]
        said += people(title, each.get("authors"))
        if "doi" in each and not DOI.fullmatch(each["doi"]):
            said.append(f"{title}: doi")
        if not isinstance(each.get("year", 2000), int):
            said.append(f"{title}: year")
        if "conference" in each and not each["conference"].get("name"):
            said.append(f"{title}: conference")
    return said


def people(title, authors):
    """Complaints about authors: each is a person, or an entity with a name."""
    if not isinstance(authors, list) or not authors:
        return [f"{title}: authors"]
    good = [a.keys() <= (ENTITY if "name" in a else PERSON) and bool(a) for a in authors]
    return [] if all(good) else [f"{title}: authors"]


def test_citation__is_valid():
    assert complaints(CITATION) == []
    assert CITATION["authors"] == [{"name": "sixmax developers"}]


def test_citation__is_of_this_version_and_licence():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert str(CITATION["version"]) == project["version"]
    assert CITATION["title"] == project["name"]
    assert CITATION["license"] == project["license"] == "MIT"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"authors": []}, "the software: authors"),
        ({"authors": [{"name": "x", "family-names": "y"}]}, "the software: authors"),
        ({"autors": [{"name": "x"}]}, "unknown autors"),
        ({"cff-version": "1.1.0"}, "cff-version"),
        ({"references": [{"type": "article", "title": "T"}]}, "T: no authors"),
        ({"references": [{**CITATION["references"][0], "doi": "doi:10.1/x"}]}, "doi"),
        ({"keywords": [1]}, "keywords"),
    ],
)
def test_complaints__name_a_mistake(change, expected):
    assert any(expected in said for said in complaints({**CITATION, **change}))
