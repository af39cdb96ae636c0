"""Reads a workbook by openpyxl and says how long it takes.

    read_workbook.py WORKBOOK

For each line on standard input all cells are visited, and the seconds printed:
from opening the file to the last cell. The line says how: `rows` for openpyxl's
mode that only reads, row by row, `whole` for its usual one.
"""

import sys
import time

import openpyxl


def read(path, read_only):
    workbook = openpyxl.load_workbook(path, read_only=read_only)
    count = 0
    for sheet in workbook:
        for row in sheet.iter_rows():
            for cell in row:
                count += cell.value is not None
    workbook.close()
    return count


def main():
    # The modules are loaded, as they are in a program that runs for long.
    print(f"openpyxl {openpyxl.__version__}: {read(sys.argv[1], True)} cells", flush=True)
    for line in sys.stdin:
        start = time.perf_counter()
        read(sys.argv[1], line.strip() == "rows")
        print(time.perf_counter() - start, flush=True)


if __name__ == "__main__":
    main()
