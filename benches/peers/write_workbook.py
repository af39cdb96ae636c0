"""Writes the cells of a workbook again, by XlsxWriter, and says how long it takes.

    write_workbook.py WORKBOOK OUT

First, and outside of what is measured, openpyxl takes the cells from WORKBOOK:
texts, numbers, formulas with their results, and the style of each. Then, for
each line on standard input, all of it is written to OUT anew, and the seconds
are printed: from the first call of XlsxWriter to the closed file. The line says
how: `memory` for XlsxWriter's defaults, `constant` for its mode of constant
memory.
"""

import sys
import time

import openpyxl
import xlsxwriter

STRING, NUMBER, BOOLEAN, FORMULA, ARRAY, BLANK = range(6)


def style(cell):
    """The properties of a cell's format that XlsxWriter calls the same."""
    properties = {"num_format": cell.number_format}
    font, fill, border, alignment = cell.font, cell.fill, cell.border, cell.alignment
    if font.b:
        properties["bold"] = True
    if font.i:
        properties["italic"] = True
    if font.sz:
        properties["font_size"] = font.sz
    if font.color is not None and isinstance(font.color.rgb, str):
        properties["font_color"] = "#" + font.color.rgb[-6:]
    if fill.fill_type == "solid" and isinstance(fill.fgColor.rgb, str):
        properties["bg_color"] = "#" + fill.fgColor.rgb[-6:]
    for side in ("left", "right", "top", "bottom"):
        if getattr(border, side) is not None and getattr(border, side).style:
            properties[side] = 1
    if alignment.horizontal:
        properties["align"] = alignment.horizontal
    if alignment.wrap_text:
        properties["text_wrap"] = True
    if not cell.protection.locked:
        properties["locked"] = False
    return properties


def cells(workbook):
    """Sheets as name, widths and cells; a cell as row, column, kind, values and
    number of its style. And the styles."""
    formulas = openpyxl.load_workbook(workbook)
    results = openpyxl.load_workbook(workbook, data_only=True)
    numbers, styles, sheets = {}, [], []
    for sheet in formulas:
        computed = results[sheet.title]
        found = []
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value is None and not cell.has_style:
                    continue
                key = cell._style
                if tuple(key) not in numbers:
                    numbers[tuple(key)] = len(styles)
                    styles.append(style(cell))
                kind, result, value = STRING, None, cell.value
                if cell.data_type == "f":
                    # An array formula is an object that has its text.
                    kind = FORMULA if isinstance(value, str) else ARRAY
                    value = getattr(value, "text", value)
                    result = computed.cell(cell.row, cell.column).value
                    result = "" if result is None else result
                elif value is None:
                    kind = BLANK
                elif isinstance(value, bool):
                    kind = BOOLEAN
                elif isinstance(value, (int, float)):
                    kind = NUMBER
                found.append(
                    (cell.row - 1, cell.column - 1, kind, value, result, numbers[tuple(key)])
                )
        widths = [
            (dimension.min - 1, dimension.max - 1, dimension.width)
            for dimension in sheet.column_dimensions.values()
        ]
        sheets.append((sheet.title, widths, found))
    return sheets, styles


def write(sheets, styles, path, options):
    workbook = xlsxwriter.Workbook(path, options)
    formats = [workbook.add_format(properties) for properties in styles]
    for name, widths, found in sheets:
        sheet = workbook.add_worksheet(name)
        for first, last, width in widths:
            sheet.set_column(first, last, width)
        for row, column, kind, value, result, number in found:
            # The methods of each type: `write` would look for it once more.
            if kind == NUMBER:
                sheet.write_number(row, column, value, formats[number])
            elif kind == FORMULA:
                sheet.write_formula(row, column, value, formats[number], result)
            elif kind == STRING:
                sheet.write_string(row, column, value, formats[number])
            elif kind == ARRAY:
                sheet.write_array_formula(
                    row, column, row, column, value, formats[number], result
                )
            elif kind == BLANK:
                sheet.write_blank(row, column, None, formats[number])
            else:
                sheet.write_boolean(row, column, value, formats[number])
    workbook.close()


def main():
    sheets, styles = cells(sys.argv[1])
    total = sum(len(found) for _, _, found in sheets)
    formulas = sum(cell[2] in (FORMULA, ARRAY) for _, _, found in sheets for cell in found)
    print(
        f"XlsxWriter {xlsxwriter.__version__}: {total} cells, {formulas} formulas, {len(styles)} styles",
        flush=True,
    )
    for line in sys.stdin:
        options = {"constant_memory": line.strip() == "constant"}
        start = time.perf_counter()
        write(sheets, styles, sys.argv[2], options)
        print(time.perf_counter() - start, flush=True)


if __name__ == "__main__":
    main()
