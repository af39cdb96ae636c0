//! A column that is declared once stands in every format, and what refers to others
//! follows them.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use calamine::{Data, Range, Reader, Xlsx, open_workbook};
use onnxray_report::{
    Block, Cell, Chart, ChartKind, Column, Document, Figures, Note, Notes, Scatter, Series, Table,
    TextStyle, Unit, Workbook, column, csv_tables, write_json, write_markdown, write_text,
    write_workbook,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;

struct Layer {
    name: &'static str,
    time_ms: f64,
    cache_misses: Option<u64>,
}

const LAYERS: [Layer; 2] = [
    Layer { name: "conv", time_ms: 1.5, cache_misses: Some(1200) },
    Layer { name: "relu", time_ms: 0.25, cache_misses: None },
];

struct Machine {
    cores: u64,
}

const FIGURES: &[Column<Machine>] =
    &[column("cores", "cores", Unit::Count, "processors that it has", |machine| {
        Cell::Whole(machine.cores)
    })];

fn columns() -> Vec<Column<Layer>> {
    vec![
        column("name", "Name", Unit::Text, "what the layer is called", |layer| {
            Cell::text(layer.name)
        }),
        column("time_ms", "Time ms", Unit::Milliseconds, "how long it takes", |layer| {
            Cell::Number(layer.time_ms)
        }),
    ]
}

/// The one declaration.
const CACHE_MISSES: Column<Layer> =
    column("cache_misses", "Misses", Unit::Quantity, "loads that no cache held", |layer| {
        Cell::whole(layer.cache_misses)
    });

fn report(columns: &[Column<Layer>]) -> Document {
    let mut document = Document::new("test");
    document.headline = vec!["conv takes most".to_string()];
    document.push(Figures::new("machine", "Machine", FIGURES, &Machine { cores: 2 }));
    document.push(Table::new("layers", "Layers", columns, &LAYERS));
    document.push(Chart {
        title: "Time by layer (ms)".to_string(),
        kind: ChartKind::Bars,
        table: "layers",
        categories: "name",
        series: vec![Series::of("time_ms")],
        shows: "how long each layer takes",
    });
    document.push(Notes { notes: vec![Note::note("two layers say little")] });
    document
}

type Writer = fn(&Document, &mut Vec<u8>) -> std::io::Result<()>;

fn text(document: &Document, write: Writer) -> String {
    let mut out = Vec::new();
    write(document, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn write_xlsx(document: Document, path: &Path) {
    let workbook = Workbook::of(document);
    write_workbook(&workbook, path.parent().unwrap(), File::create(path).unwrap()).unwrap();
}

/// Cells of every sheet, and the XML of the chart.
fn workbook(document: &Document, path: &Path) -> (BTreeMap<String, Range<Data>>, String) {
    write_xlsx(document.clone(), path);
    let mut book: Xlsx<_> = open_workbook(path).unwrap();
    let sheets = book.worksheets().into_iter().collect();
    let mut archive = zip::ZipArchive::new(File::open(path).unwrap()).unwrap();
    let mut chart = String::new();
    archive.by_name("xl/charts/chart1.xml").unwrap().read_to_string(&mut chart).unwrap();
    (sheets, chart)
}

fn rows(sheet: &Range<Data>) -> Vec<Vec<String>> {
    sheet.rows().map(|row| row.iter().map(Data::to_string).collect()).collect()
}

#[test]
fn a_column_is_declared_once_and_stands_in_every_format() {
    let before = report(&columns());
    // In front of all others, so that nothing can count positions.
    let mut more = columns();
    more.insert(0, CACHE_MISSES);
    let after = report(&more);

    let terminal =
        |document| text(document, |document, out| write_text(document, TextStyle::default(), out));
    assert!(!terminal(&before).contains("Misses"));
    assert_eq!(
        terminal(&after),
        "conv takes most\n\nMachine\ncores  2\n\nLayers\n Misses  Name  Time ms\n\
         ───────  ────  ───────\n 1.20 k  conv    1.500\nunknown  relu    0.250\n\n\
         note: two layers say little\n"
    );

    let json_of = |document| -> Value {
        serde_json::from_str(&text(document, |document, out| write_json(document, out))).unwrap()
    };
    let mut expected = json!({
        "schema_version": 1,
        "report": "test",
        "headline": ["conv takes most"],
        "machine": { "cores": 2 },
        "layers": [{ "name": "conv", "time_ms": 1.5 }, { "name": "relu", "time_ms": 0.25 }],
        "notes": [{ "kind": "note", "text": "two layers say little" }],
    });
    assert_eq!(json_of(&before), expected);
    expected["layers"][0]["cache_misses"] = json!(1200);
    expected["layers"][1]["cache_misses"] = Value::Null;
    assert_eq!(json_of(&after), expected);

    let csv = |document| -> String {
        let tables = csv_tables(document);
        let keys: Vec<&str> = tables.iter().map(|table| table.key()).collect();
        assert_eq!(keys, ["machine", "layers", "notes"]);
        let mut out = Vec::new();
        tables[1].write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(csv(&before), "name,time_ms\nconv,1.5\nrelu,0.25\n");
    // What is unknown is empty: `cache_misses` is a column of numbers to every reader.
    assert_eq!(csv(&after), "cache_misses,name,time_ms\n1200,conv,1.5\n,relu,0.25\n");

    let markdown = |document| text(document, |document, out| write_markdown(document, out));
    assert!(markdown(&before).contains("| Name | Time ms |\n| --- | ---: |\n| conv | 1.500 |\n"));
    assert!(markdown(&after).contains(
        "| Misses | Name | Time ms |\n| ---: | --- | ---: |\n| 1.20 k | conv | 1.500 |\n"
    ));
}

#[test]
fn a_column_is_declared_once_and_stands_in_the_workbook() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.xlsx");
    let (sheets, chart) = workbook(&report(&columns()), &path);
    assert_eq!(rows(&sheets["Layers"])[0], ["Name", "Time ms"]);
    assert!(chart.contains("Layers!$A$2:$A$3") && chart.contains("Layers!$B$2:$B$3"), "{chart}");

    let mut more = columns();
    more.insert(0, CACHE_MISSES);
    let (sheets, chart) = workbook(&report(&more), &path);
    assert_eq!(
        rows(&sheets["Layers"]),
        [["Misses", "Name", "Time ms"], ["1200", "conv", "1.5"], ["–", "relu", "0.25"]]
    );
    assert!(chart.contains("Layers!$B$2:$B$3") && chart.contains("Layers!$C$2:$C$3"), "{chart}");
    assert!(chart.contains("Time by layer (ms)"), "{chart}");
    let summary = rows(&sheets["Summary"]);
    assert!(summary.contains(&vec!["cores".to_string(), "2".to_string()]), "{summary:?}");
    assert_eq!(
        rows(&sheets["Notes"]),
        [
            ["Kind", "Text"],
            ["note", "two layers say little"],
            ["–", "unknown: the trace does not have the value, or it cannot be computed"],
            ["Machine: cores", "processors that it has"],
            ["Layers: Misses", "loads that no cache held"],
            ["Layers: Name", "what the layer is called"],
            ["Layers: Time ms", "how long it takes"],
        ]
    );
}

#[test]
fn a_chart_of_what_is_not_there_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for (table, categories, drawn, missing) in [
        ("layer", "name", "time_ms", "no table layer"),
        ("layers", "names", "time_ms", "names"),
        ("layers", "name", "time", "time"),
    ] {
        let mut document = report(&columns());
        document.push(Chart {
            title: "Time".to_string(),
            kind: ChartKind::Line,
            table,
            categories,
            series: vec![Series::of(drawn)],
            shows: "nothing",
        });
        let workbook = Workbook::of(document);
        let written = write_workbook(&workbook, folder.path(), Cursor::new(Vec::new()));
        let error = written.unwrap_err().to_string();
        assert!(error.contains(missing), "{error}");
    }
}

#[test]
fn points_lie_where_two_columns_say_and_some_are_marked() {
    let mut columns = columns();
    columns.push(CACHE_MISSES);
    columns.push(column("is_slow", "Slow", Unit::Text, "takes a millisecond or more", |layer| {
        if layer.time_ms >= 1.0 { Cell::label("yes", "yes") } else { Cell::label("no", "no") }
    }));
    let mut document = report(&columns);
    document.blocks.retain(|block| !matches!(block, Block::Chart(_)));
    document.push(Chart {
        title: "Misses by time".to_string(),
        kind: ChartKind::Scatter(Scatter {
            across: "time (ms)",
            up: "misses",
            labels: "name",
            marks: &["is_slow"],
            from_zero: true,
        }),
        table: "layers",
        categories: "time_ms",
        series: vec![Series { name: Some("=all!A1".into()), column: "cache_misses", rows: None }],
        shows: "how many misses a layer has, by the time that it takes",
    });
    let folder = tempfile::tempdir().unwrap();
    let (sheets, chart) = workbook(&document, &folder.path().join("report.xlsx"));
    assert!(chart.contains("<c:scatterChart>"), "{chart}");
    // The points, and those that are marked: their values stand beside the table.
    let places =
        ["B$2:$B$3", "C$2:$C$3", "F$2:$F$3"].map(|place| format!("<c:f>Layers!${place}</c:f>"));
    assert!(places.iter().all(|place| chart.contains(place)), "{chart}");
    assert_eq!(rows(&sheets["Layers"])[0][5], "Slow, for the chart");
    let marked: Vec<String> =
        rows(&sheets["Layers"])[1..].iter().map(|row| row[5].clone()).collect();
    assert_eq!(marked, ["1200", ""]);
    for text in ["Misses by time", "time (ms)", "misses", "Slow", "conv", " =all!A1 "] {
        assert!(
            chart.contains(&format!("<a:t>{text}</a:t>"))
                || chart.contains(&format!("<c:v>{text}</c:v>")),
            "{text}: {chart}"
        );
    }
    // Other formats leave it out.
    let json = text(&document, |document, out| write_json(document, out));
    assert!(!json.contains("Misses by time"));
}

#[test]
fn rows_that_are_left_out_have_one_name_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = report(&columns());
    let shortened = |block: Block| match block {
        Block::Table(table) => Block::Table(table.shortened(Some(1))),
        other => other,
    };
    document.blocks = document.blocks.into_iter().map(shortened).collect();
    let (mut text, mut markdown) = (Vec::new(), Vec::new());
    write_text(&document, TextStyle::default(), &mut text).unwrap();
    write_markdown(&document, &mut markdown).unwrap();
    let path = folder.path().join("report.xlsx");
    write_xlsx(document, &path);
    let mut workbook: Xlsx<_> = open_workbook(&path).unwrap();
    let layers = workbook.worksheet_range("Layers").unwrap();
    assert_eq!(layers.get((2, 0)), Some(&Data::String("… and 1 more".to_string())));
    for text in [text, markdown] {
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("… and 1 more"), "{text}");
    }
}

/// More rows than are kept in memory.
#[test]
fn a_long_table_is_written_whole() {
    const ROWS: usize = 20_001;
    let folder = tempfile::tempdir().unwrap();
    let mut document = Document::new("test");
    let rows = (0..ROWS).map(|row| Layer {
        name: if row == ROWS - 1 { "last" } else { "conv" },
        time_ms: row as f64,
        cache_misses: None,
    });
    document.push(Table::new("layers", "Layers", &columns(), rows));
    let path = folder.path().join("report.xlsx");
    write_xlsx(document, &path);
    let mut workbook: Xlsx<_> = open_workbook(&path).unwrap();
    let layers = workbook.worksheet_range("Layers").unwrap();
    assert_eq!(layers.height(), ROWS + 1);
    assert_eq!(layers.get((0, 1)), Some(&Data::String("Time ms".to_string())));
    assert_eq!(layers.get((1, 1)), Some(&Data::Float(0.0)));
    assert_eq!(layers.get((ROWS, 0)), Some(&Data::String("last".to_string())));
    // Rows that waited in files are gone with these.
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}
