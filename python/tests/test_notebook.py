"""The notebook runs from its first cell to its plot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbclient
import nbformat

from conftest import FIXTURES, REPOSITORY


def test_the_notebook_runs(tmp_path: Path) -> None:
    read: Any = nbformat.read
    notebook = read(REPOSITORY / "docs" / "notebook.ipynb", as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    # It is stored as it is before it ran.
    assert [(cell.outputs, cell.execution_count) for cell in cells] == [([], None)] * len(cells)
    (tmp_path / "docs").mkdir()
    (tmp_path / "fixtures").symlink_to(FIXTURES)
    place = {"metadata": {"path": str(tmp_path / "docs")}}
    nbclient.NotebookClient(notebook, kernel_name="python3", resources=place).execute()
    shown = [kind for cell in cells for each in cell.outputs for kind in each.get("data", {})]
    assert "image/png" in shown
    assert "text/html" in shown
    assert (tmp_path / "docs" / "comparison.html").exists()
