"""Run the cells of a notebook without a kernel: ``python notebook.py FILE [TAG]``.

Cells with TAG are left out. The last line that is printed is JSON: what each cell printed, by its
place in the notebook.
"""

import contextlib
import io
import json
import sys


def cells(file):
    """Place, source, tags and printed text of every code cell."""
    with open(file, encoding="utf-8") as stream:
        notebook = json.load(stream)
    for place, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            streams = [o for o in cell["outputs"] if o["output_type"] == "stream"]
            printed = "".join("".join(o["text"]) for o in streams if o["name"] == "stdout")
            yield place, "".join(cell["source"]), cell["metadata"].get("tags", []), printed


def run(file, without):
    """What each cell prints, all in one namespace."""
    space, printed = {"__name__": "__main__"}, {}
    for place, source, tags, _ in cells(file):
        if without in tags:
            continue
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(source, f"{file}, cell {place}", "exec"), space)
        printed[place] = out.getvalue()
    return printed


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)))
