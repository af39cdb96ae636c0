"""Edits workbooks by openpyxl: a second writer, which knows nothing of ours.

    python openpyxl_edit.py JOBS.json

JOBS.json has the jobs of spreadsheet.py. Of the edits only "set" is known: what
openpyxl moves, it moves without the references to it. It computes nothing, so
that saved formulas are without values, and it writes no "cells".
"""

import json
import sys
from pathlib import Path

import openpyxl


def do(job):
    workbook = openpyxl.load_workbook(job["open"])
    for edit in job.get("edits", []):
        if edit["do"] != "set":
            raise ValueError(f"openpyxl does not {edit['do']}")
        value = edit["formula"] if "formula" in edit else edit.get("value")
        cell = workbook[edit["sheet"]][edit["cell"]]
        cell.value = value
        if "formula" not in edit and isinstance(value, str):
            # A text, though it may begin with `=`.
            cell.data_type = "s"
    workbook.save(job["save"])


def main():
    for job in json.loads(Path(sys.argv[1]).read_text()):
        do(job)


if __name__ == "__main__":
    main()
