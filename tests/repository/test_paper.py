"""docs/paper.md lists every departure from the paper that the code marks."""

from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_departures__are_listed_once_for_each_mark():
    text = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8").partition("## Departures")[2]
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "config").rglob("*.yaml")]
    marked = {}
    for file in files:
        if count := file.read_text(encoding="utf-8").count("ASSUME"):
            marked[file.relative_to(ROOT).as_posix()] = count
    assert len(marked) > 5
    for name, count in marked.items():
        assert text.count(f"`{name}`") == count, name
