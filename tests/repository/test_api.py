"""The API pages say what the docstrings say, and every name on them exists."""

import importlib
import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "api"
_spec = importlib.util.spec_from_file_location("make_api", FOLDER / "make.py")
api = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(api)


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
        loaded = importlib.import_module(module)
        for each in names:
            item = getattr(loaded, each)
            assert (item.__doc__ or "").strip(), f"{module}.{each}"
            assert f"### {each}\n" in api.page(name)


def test_page__has_signatures_and_no_markup_of_sphinx():
    text = api.page("run")
    assert "open_run(folder: Path) -> Run" in text
    assert "#### Run.policy" in text
    for name in api.PAGES:
        assert ":func:" not in api.page(name)
        assert ":class:" not in api.page(name)
