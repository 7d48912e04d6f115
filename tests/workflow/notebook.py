"""Run the cells of a notebook without a kernel: ``python notebook.py FILE [TAG]``.

Cells with TAG are left out. The last printed line is JSON: the printed text of each cell,
by its place in the notebook.
"""

import contextlib
import io
import json
import sys

import pytest


def cells(file):
    """Place, source, tags and printed text of every code cell."""
    with open(file, encoding="utf-8") as stream:
        notebook = json.load(stream)
    for place, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            streams = [o for o in cell["outputs"] if o["output_type"] == "stream"]
            text = "".join("".join(o["text"]) for o in streams if o["name"] == "stdout")
            yield place, "".join(cell["source"]), cell["metadata"].get("tags", []), text


def run(file, without):
    """The printed text of each cell, all in one namespace."""
    space, texts = {"__name__": "__main__"}, {}
    for place, source, tags, _ in cells(file):
        if without in tags:
            continue
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(source, f"{file}, cell {place}", "exec"), space)
        texts[place] = out.getvalue()
    return texts


def printed(file, cwd, *without):
    """The printed text of each cell, run in the folder ``cwd`` by a process of its own."""
    pytest.importorskip("xarray", reason="xarray is not installed; a notebook opens stores by it")
    from processes import PYTHON
    from processes import printed as output_of

    said = output_of(PYTHON, __file__, file, *without, cwd=cwd, MPLBACKEND="Agg")
    return {int(k): text for k, text in json.loads(said.splitlines()[-1]).items()}


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)))
