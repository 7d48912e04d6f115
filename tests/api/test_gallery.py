"""The notebooks of the gallery print what is kept in them; the guide's lines run."""

import json
import re

import pytest

from processes import PYTHON, ROOT, printed
from workflow import notebook

GALLERY = ROOT / "docs" / "gallery"
TRAINS = "train"  # tests/workflow/test_tiny.py runs it, beside a trained run


@pytest.mark.parametrize("name", sorted(p.stem for p in GALLERY.glob("*.ipynb")))
def test_notebook__is_short_and_in_the_index(name):
    cells = json.loads((GALLERY / f"{name}.ipynb").read_text())["cells"]
    assert len(cells) <= 15
    assert f"({name}.ipynb)" in (GALLERY / "README.md").read_text()


@pytest.mark.parametrize("name", sorted({p.stem for p in GALLERY.glob("*.ipynb")} - {TRAINS}))
def test_notebook__prints_what_is_kept(name):
    file = GALLERY / f"{name}.ipynb"
    expected = {k: text for k, _, _, text in notebook.cells(file)}
    assert sum(bool(text) for text in expected.values()) >= 4
    assert notebook.printed(file, ROOT) == expected


@pytest.mark.parametrize(("page", "blocks"), [("docs/guide/python.md", 5), ("README.md", 1)])
def test_page__every_line_runs_at_the_first_try(page, blocks):
    """In one process, from the folder of a clone, as a reader would paste them."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(found) == blocks
    printed(PYTHON, "-c", "\n".join(found))
