"""The examples run."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_the_program_runs(capsys):
    runpy.run_path(str(EXAMPLES / "bind_arrays.py"), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_the_notebook_runs():
    """Cell by cell, each as a notebook would run it: the last expression is what is shown."""
    notebook = json.loads((EXAMPLES / "notebook.ipynb").read_text(encoding="utf-8"))
    names: dict[str, object] = {}
    shown = None
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        *before, last = "".join(cell["source"]).rstrip().split("\n")
        exec("\n".join(before), names)
        shown = eval(last, names)
        assert shown is not None, cell
    assert shown._repr_png_().startswith(b"\x89PNG")
