"""Edits workbooks as a user of LibreOffice does, and prints every cell.

    /usr/bin/python3 spreadsheet.py JOBS.json

JOBS.json is a list of jobs, done one after the other by one LibreOffice:

    {"open": "in.xlsx", "edits": [...], "save": "out.xlsx", "cells": "out.json"}

A job opens the workbook, does the edits in their order, recalculates every
formula, saves (unless "save" is missing) and writes the values of all cells.
An edit is one of

    {"do": "set", "sheet": S, "cell": "B2", "value": 0.8}       number, text, true, or null to empty it
    {"do": "set", "sheet": S, "cell": "B2", "formula": "=1/4"}
    {"do": "insert_rows", "sheet": S, "at": 5, "count": 1}       before row 5, counted from 1
    {"do": "delete_rows", "sheet": S, "at": 5, "count": 1}
    {"do": "move_rows", "sheet": S, "at": 5, "count": 1, "before": 9}
    {"do": "insert_columns", "sheet": S, "at": "C", "count": 1}
    {"do": "delete_columns", "sheet": S, "at": "C", "count": 1}
    {"do": "move_columns", "sheet": S, "at": "C", "count": 1, "before": "F"}
    {"do": "sort_rows", "sheet": S, "range": "A7:Z20", "column": "C", "descending": false}
    {"do": "rename_sheet", "sheet": S, "to": T}
    {"do": "unprotect", "sheet": S}                              without a password
    {"do": "filter", "sheet": S, "range": "A3:Z20", "column": "C", "equals": "slower"}   with its header

The values are a list of sheets, {"name": S, "rows": [[...], ...]} from cell A1
on: numbers (TRUE is 1), texts ("" if empty) and, for errors, {"error": "#N/A"}.

Runs under the system's Python, because that is the one LibreOffice's package
uno is for. Each start has a user profile of its own.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
from com.sun.star.lang import DisposedException
from com.sun.star.sheet import TableFilterField
from com.sun.star.sheet.CellFlags import ANNOTATION, DATETIME, FORMULA, STRING, VALUE
from com.sun.star.sheet.FilterOperator import EQUAL
from com.sun.star.sheet.FormulaResult import ERROR
from com.sun.star.table import TableSortField

# A start takes seconds; only one that hangs takes this long.
START_SECONDS = 300
STOP_SECONDS = 30


@contextlib.contextmanager
def office():
    """A LibreOffice of our own, which ends with the block whatever happens."""
    folder = tempfile.mkdtemp(prefix="onnxray-office-")
    pipe = f"onnxray-{os.getpid()}-{time.monotonic_ns()}"
    command = [
        "soffice",
        "--headless",
        "--norestore",
        "--nologo",
        "--nodefault",
        "--nolockcheck",
        f"--accept=pipe,name={pipe};urp;",
        f"-env:UserInstallation={Path(folder, 'profile').as_uri()}",
    ]
    with open(Path(folder, "output"), "w+b") as output:
        # A session of its own, so that what it starts can be ended with it.
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        desktop = None
        try:
            desktop = connect(child, pipe, output)
            yield desktop
        finally:
            stop(child, desktop)
            shutil.rmtree(folder, ignore_errors=True)


def connect(child, pipe, output):
    """The desktop of the LibreOffice that listens on `pipe`, once it does."""
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext(
        "com.sun.star.bridge.UnoUrlResolver", local
    )
    address = f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext"
    give_up = time.monotonic() + START_SECONDS
    while True:
        try:
            context = resolver.resolve(address)
            break
        except NoConnectException:
            ended = child.poll() is not None
            if ended or time.monotonic() > give_up:
                output.seek(0)
                said = output.read().decode(errors="replace")
                reason = f"ended with {child.returncode}" if ended else "does not answer"
                raise RuntimeError(f"LibreOffice {reason}: {said}") from None
            time.sleep(0.1)
    return context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)


def stop(child, desktop):
    if desktop is not None:
        # It may be gone before it answers.
        with contextlib.suppress(DisposedException):
            desktop.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(STOP_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def properties(**values):
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


def column_number(letters):
    """From 0."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def place(address):
    """Row and column, from 0."""
    letters, digits = re.fullmatch(r"([A-Z]+)([0-9]+)", address).groups()
    return int(digits) - 1, column_number(letters)


def apply(document, edit):
    sheet = document.Sheets.getByName(edit["sheet"])
    kind = edit["do"]
    if kind == "set":
        set_cell(sheet, edit)
    elif kind == "sort_rows":
        sort(sheet, edit)
    elif kind == "filter":
        keep(sheet, edit)
    elif kind == "rename_sheet":
        sheet.setName(edit["to"])
    elif kind == "unprotect":
        sheet.unprotect("")
    elif kind.endswith("_rows"):
        change_lines(sheet, sheet.Rows, edit, lambda at: at - 1)
    elif kind.endswith("_columns"):
        change_lines(sheet, sheet.Columns, edit, column_number)
    else:
        raise ValueError(f"unknown edit {kind}")


def set_cell(sheet, edit):
    row, column = place(edit["cell"])
    cell = sheet.getCellByPosition(column, row)
    value = edit.get("value")
    if "formula" in edit:
        cell.setFormula(edit["formula"])
    elif value is None:
        cell.clearContents(VALUE | DATETIME | STRING | FORMULA | ANNOTATION)
    elif isinstance(value, bool):
        # As typed: LibreOffice makes it a truth value.
        cell.setFormula("TRUE" if value else "FALSE")
    elif isinstance(value, str):
        cell.setString(value)
    else:
        cell.setValue(value)


def change_lines(sheet, lines, edit, number):
    """Inserts, deletes or moves whole rows or columns."""
    what, line = edit["do"].split("_")
    at, count = number(edit["at"]), edit["count"]
    if what == "insert":
        lines.insertByIndex(at, count)
    elif what == "delete":
        lines.removeByIndex(at, count)
    elif what == "move":
        # Room first, then the cells, then what they leave: references follow.
        before = number(edit["before"])
        lines.insertByIndex(before, count)
        here = at + count if before <= at else at
        moved = sheet.RangeAddress
        to = sheet.getCellByPosition(0, 0).CellAddress
        if line == "rows":
            moved.StartRow, moved.EndRow, to.Row = here, here + count - 1, before
        else:
            moved.StartColumn, moved.EndColumn, to.Column = here, here + count - 1, before
        sheet.moveRange(to, moved)
        lines.removeByIndex(here, count)
    else:
        raise ValueError(f"unknown edit {edit['do']}")


def sort(sheet, edit):
    cells = sheet.getCellRangeByName(edit["range"])
    field = TableSortField()
    field.Field = column_number(edit["column"]) - cells.RangeAddress.StartColumn
    field.IsAscending = not edit.get("descending", False)
    fields = uno.Any("[]com.sun.star.table.TableSortField", (field,))
    uno.invoke(
        cells,
        "sort",
        (properties(SortFields=fields, ContainsHeader=False, IsSortColumns=False),),
    )


def keep(sheet, edit):
    """Hides the rows that hold another text."""
    cells = sheet.getCellRangeByName(edit["range"])
    field = TableFilterField()
    field.Field = column_number(edit["column"]) - cells.RangeAddress.StartColumn
    field.Operator = EQUAL
    field.IsNumeric = False
    field.StringValue = edit["equals"]
    descriptor = cells.createFilterDescriptor(True)
    descriptor.ContainsHeader = True
    descriptor.setFilterFields((field,))
    cells.filter(descriptor)


def values(document):
    return [{"name": sheet.Name, "rows": rows(sheet)} for sheet in document.Sheets]


def rows(sheet):
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    end = cursor.RangeAddress
    everything = sheet.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow)
    rows = [list(row) for row in everything.getDataArray()]
    for failed in everything.queryFormulaCells(ERROR).RangeAddresses:
        for row in range(failed.StartRow, failed.EndRow + 1):
            for column in range(failed.StartColumn, failed.EndColumn + 1):
                cell = sheet.getCellByPosition(column, row)
                rows[row][column] = {"error": cell.getString()}
    return rows


def do(desktop, job):
    path = Path(job["open"]).resolve()
    # A LibreOffice that crashed left its mark, and nobody would be asked about it.
    path.with_name(f".~lock.{path.name}#").unlink(missing_ok=True)
    document = desktop.loadComponentFromURL(
        path.as_uri(), "_blank", 0, properties(Hidden=True)
    )
    if document is None:
        raise RuntimeError(f"LibreOffice cannot open {job['open']}")
    try:
        for edit in job.get("edits", []):
            apply(document, edit)
        document.calculateAll()
        if "save" in job:
            path = Path(job["save"]).resolve().as_uri()
            document.storeToURL(path, properties(FilterName="Calc MS Excel 2007 XML"))
        if "cells" in job:
            Path(job["cells"]).write_text(json.dumps(values(document)))
    finally:
        document.close(True)


def do_all(desktop, jobs):
    """Does the jobs until LibreOffice crashes, and returns those not done."""
    for number, job in enumerate(jobs):
        try:
            do(desktop, job)
        except DisposedException:
            return jobs[number:]
        except uno.getClass("com.sun.star.uno.Exception") as error:
            # Such an exception cannot pass through a `with`.
            raise RuntimeError(f"{job['open']}: {error}") from None
    return []


def main():
    # So that the `finally` above is reached.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    jobs = json.loads(Path(sys.argv[1]).read_text())
    crashed = None
    while jobs:
        with office() as desktop:
            jobs = do_all(desktop, jobs)
        if jobs and jobs[0] is crashed:
            raise RuntimeError(f"LibreOffice crashes on {jobs[0]['open']}")
        # Now and then it crashes for no reason; then the job is done anew.
        crashed = jobs[0] if jobs else None


if __name__ == "__main__":
    main()
