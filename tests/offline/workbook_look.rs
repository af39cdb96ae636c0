//! How workbooks look when they are opened: rows as high as their texts, headings above
//! their numbers, charts with names and few bars, pages as wide as the paper.

use crate::program::Place;
use crate::recordings::recorded;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

/// The parts of a workbook, by name.
struct Parts(BTreeMap<String, String>);

impl Parts {
    fn of(workbook: &Path) -> Parts {
        let mut archive = zip::ZipArchive::new(std::fs::File::open(workbook).unwrap()).unwrap();
        let mut parts = BTreeMap::new();
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).unwrap();
            let (name, mut text) = (entry.name().unwrap().into_owned(), String::new());
            let is_text = name.ends_with(".xml") || name.ends_with(".rels");
            if is_text && entry.read_to_string(&mut text).is_ok() {
                parts.insert(name, text);
            }
        }
        Parts(parts)
    }

    fn named<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a String, &'a String)> {
        self.0.iter().filter(move |(name, _)| name.starts_with(prefix))
    }

    fn texts(&self) -> Vec<String> {
        let strings = &self.0["xl/sharedStrings.xml"];
        let items = elements(strings, "si").into_iter();
        items.map(|item| elements(item, "t").into_iter().map(content).collect()).collect()
    }

    /// The last column and row that each sheet prints, by its part; of those that print not all.
    fn printed(&self) -> BTreeMap<String, (usize, usize)> {
        let names = elements(&self.0["xl/workbook.xml"], "definedName");
        let areas = names
            .into_iter()
            .filter(|name| attribute(name, "name") == Some("_xlnm.Print_Area"))
            .map(|name| {
                let sheet: usize = attribute(name, "localSheetId").unwrap().parse().unwrap();
                let last =
                    content(name).rsplit('$').take(2).map(str::to_string).collect::<Vec<_>>();
                let part = format!("xl/worksheets/sheet{}.xml", sheet + 1);
                (part, (column(&last[1]), last[0].parse().unwrap()))
            });
        areas.collect()
    }

    /// The last column and row that charts on a sheet reach into.
    fn charts_end(&self, sheet: &str) -> Vec<(usize, usize)> {
        let rels = sheet.replace("worksheets/", "worksheets/_rels/") + ".rels";
        let Some(rels) = self.0.get(&rels) else { return Vec::new() };
        let drawing = elements(rels, "Relationship").into_iter().find_map(|relation| {
            attribute(relation, "Target").filter(|target| target.contains("drawings/"))
        });
        let Some(drawing) = drawing else { return Vec::new() };
        let drawing = &self.0[&drawing.replace("../", "xl/")];
        let ends = elements(drawing, "xdr:to").into_iter().map(|end| {
            let of = |name: &str| content(elements(end, name)[0]).parse::<usize>().unwrap();
            // Where it ends on an edge, the cell behind is not reached.
            let reached = |at: &str, offset: &str| of(at) + usize::from(of(offset) > 0);
            (reached("xdr:col", "xdr:colOff"), reached("xdr:row", "xdr:rowOff"))
        });
        ends.collect()
    }

    /// The alignment of a cell's style.
    fn alignment(&self, style: usize) -> String {
        let styles = &self.0["xl/styles.xml"];
        let formats = elements(elements(styles, "cellXfs")[0], "xf");
        formats[style]
            .split("horizontal=\"")
            .nth(1)
            .map_or(String::new(), |rest| rest.split('"').next().unwrap().to_string())
    }

    fn wraps(&self, style: usize) -> bool {
        let styles = &self.0["xl/styles.xml"];
        elements(elements(styles, "cellXfs")[0], "xf")[style].contains("wrapText=\"1\"")
    }
}

/// The elements of a name, from tag to tag.
fn elements<'a>(xml: &'a str, name: &str) -> Vec<&'a str> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut found = Vec::new();
    let mut rest = xml;
    while let Some(start) = rest.find(&open) {
        let element = &rest[start..];
        rest = &element[open.len()..];
        if !rest.starts_with([' ', '>', '/']) {
            continue;
        }
        let tag = element.find('>').unwrap();
        let end = match element[..tag].ends_with('/') {
            true => tag + 1,
            false => element.find(&close).unwrap() + close.len(),
        };
        found.push(&element[..end]);
        rest = &element[end..];
    }
    found
}

fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let tag = &element[..element.find('>').unwrap()];
    tag.split(&format!(" {name}=\"")).nth(1)?.split('"').next()
}

fn content(element: &str) -> String {
    let text = element.split_once('>').unwrap().1.rsplit_once('<').map_or("", |(text, _)| text);
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

fn column(reference: &str) -> usize {
    let letters = reference.chars().take_while(char::is_ascii_alphabetic);
    letters.fold(0, |number, letter| number * 26 + letter as usize - 'A' as usize + 1)
}

/// Width in characters of each column, as far as it is set.
fn width(sheet: &str, wanted: usize) -> f64 {
    let columns = elements(sheet, "col").into_iter();
    let of = |column: &&str| {
        let edge = |name| attribute(column, name).unwrap().parse::<usize>().unwrap();
        (edge("min")..=edge("max")).contains(&wanted)
    };
    let mut columns = columns.filter(of);
    columns.next().and_then(|column| attribute(column, "width")?.parse().ok()).unwrap_or(9.0)
}

fn is_hidden(sheet: &str, wanted: usize) -> bool {
    elements(sheet, "col").into_iter().any(|column| {
        let edge = |name| attribute(column, name).unwrap().parse::<usize>().unwrap();
        let is_in = (edge("min")..=edge("max")).contains(&wanted);
        is_in && attribute(column, "hidden") == Some("1")
    })
}

/// Checks a workbook, and returns the number of its charts.
pub(crate) fn check(workbook: &Path) -> usize {
    let parts = Parts::of(workbook);
    let texts = parts.texts();
    let text = |cell: &str| {
        let value = elements(cell, "v").first().map(|value| content(value))?;
        (attribute(cell, "t") == Some("s")).then(|| texts[value.parse::<usize>().unwrap()].clone())
    };
    for (name, sheet) in parts.named("xl/worksheets/sheet") {
        let setup = elements(sheet, "pageSetup");
        assert!(attribute(setup[0], "orientation").is_some(), "{name}");
        assert!(sheet.contains("fitToPage=\"1\""), "{name}: is as wide as a page");
        let merged = elements(sheet, "mergeCell");
        let merged = |reference: &str| {
            merged.iter().any(|merged| {
                attribute(merged, "ref").unwrap().split(':').next() == Some(reference)
            })
        };
        // Above each number that is not a level stands a heading at the right.
        let mut headings: BTreeMap<usize, (String, String)> = BTreeMap::new();
        for row in elements(sheet, "row") {
            let height: f64 = attribute(row, "ht").map_or(15.0, |height| height.parse().unwrap());
            for cell in elements(row, "c") {
                let reference = attribute(cell, "r").unwrap();
                let at = column(reference);
                if is_hidden(sheet, at) {
                    continue;
                }
                let style = attribute(cell, "s").map_or(0, |style| style.parse().unwrap());
                let words = text(cell);
                if parts.wraps(style)
                    && !merged(reference)
                    && let Some(words) = &words
                {
                    // As many characters as fit a line at best.
                    let lines = (words.chars().count() as f64 / width(sheet, at)).ceil();
                    assert!(lines * 12.0 <= height, "{name} {reference}: {words} in {height}");
                    headings.insert(at, (words.clone(), parts.alignment(style)));
                }
                let is_number = attribute(cell, "t").is_none() && !elements(cell, "v").is_empty();
                if let Some((heading, side)) = headings.get(&at).filter(|_| is_number) {
                    let left = parts.alignment(style) == "left";
                    assert!(
                        side == "right" || left,
                        "{name} {reference}: a number below {heading}"
                    );
                }
            }
        }
    }
    for (name, (last_column, last_row)) in parts.printed() {
        for (column, row) in parts.charts_end(&name) {
            let printed = column <= last_column && row <= last_row;
            assert!(printed, "{name}: a chart to {column}, {row} of {last_column}, {last_row}");
        }
    }
    let charts: Vec<_> = parts.named("xl/charts/chart").collect();
    for (name, chart) in &charts {
        assert!(!elements(chart, "c:title").is_empty(), "{name}: its title");
        let axes = [elements(chart, "c:valAx"), elements(chart, "c:catAx")].concat();
        let named = axes.iter().any(|axis| axis.contains("<c:title>"));
        assert!(named, "{name}: an axis says what it shows");
        // Upright bars over all layers show where in the model something is.
        if chart.contains("<c:barDir val=\"bar\"/>") {
            for range in elements(chart, "c:f").into_iter().map(content) {
                let rows: Vec<usize> = range
                    .rsplit('!')
                    .next()
                    .unwrap()
                    .split(':')
                    .map(|cell| cell.rsplit('$').next().unwrap().parse().unwrap())
                    .collect();
                let bars = rows[rows.len() - 1] - rows[0] + 1;
                assert!(bars <= 31, "{name}: {bars} bars of {range}");
            }
        }
    }
    charts.len()
}

#[test]
fn workbooks_can_be_read_as_they_open() {
    let place = Place::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let path = |name: &str| fixtures.join(name).canonicalize().unwrap().display().to_string();
    recorded(&place, "encoder", "encoder");
    recorded(&place, "cnn", "cnn");
    // More types than a chart has bars for.
    let event = |number: usize| {
        format!(
            "{{\"cat\":\"Node\",\"pid\":1,\"tid\":1,\"dur\":{},\"ts\":{},\"ph\":\"X\",\
             \"name\":\"n{number}_kernel_time\",\"args\":{{\"op_name\":\"Type{number}\"}}}}",
            number + 1,
            number * 1000,
        )
    };
    let events: Vec<String> = (0..40).map(event).collect();
    place.write("types.json", format!("[{}]", events.join(",\n")).as_bytes());
    let inputs = [
        "encoder".to_string(),
        "types.json".to_string(),
        path("onnxruntime/1.31.1/cnn.json"),
        path("tensorrt/8.6/profile.json"),
        path("pytorch/2.5.1/steps.json"),
    ];
    for (number, input) in inputs.iter().enumerate() {
        let [report, projection] = ["r", "p"].map(|kind| format!("{kind}{number}.xlsx"));
        for arguments in [["report", input, "-o", &report], ["project", input, "-o", &projection]] {
            let ran = place.run(&arguments);
            assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
        }
        assert!(check(&place.path(&report)) >= 1, "{input}");
        assert!(check(&place.path(&projection)) >= 3, "{input}");
    }
    for (number, other) in ["cnn", "types.json"].iter().enumerate() {
        let file = format!("c{number}.xlsx");
        let ran = place.run(&["compare", "encoder", other, "--allow-model-mismatch", "-o", &file]);
        assert!(place.path(&file).exists(), "{}", ran.err);
        assert!(check(&place.path(&file)) >= 1, "{other}");
    }
}

#[test]
fn inputs_of_a_projection_are_unlocked_and_all_other_cells_locked() {
    let place = Place::new();
    recorded(&place, "encoder", "encoder");
    place.succeed(&["project", "encoder", "-o", "p.xlsx"]);
    let parts = Parts::of(&place.path("p.xlsx"));
    let styles = &parts.0["xl/styles.xml"];
    let formats = elements(elements(styles, "cellXfs")[0], "xf");
    let is_unlocked = |cell: &&str| {
        let style = attribute(cell, "s").map_or(0, |style| style.parse::<usize>().unwrap());
        formats[style].contains("<protection locked=\"0\"/>")
    };
    let mut unlocked = Vec::new();
    for number in 1..=7 {
        let sheet = &parts.0[&format!("xl/worksheets/sheet{number}.xml")];
        let protection = elements(sheet, "sheetProtection")[0];
        assert_eq!(attribute(protection, "sheet"), Some("1"), "{number}: {protection}");
        assert_eq!(attribute(protection, "password"), None, "{number}");
        for free in ["sort", "autoFilter", "formatColumns", "insertRows", "formatCells"] {
            assert_eq!(attribute(protection, free), Some("0"), "{number}: {free}");
        }
        let cells = elements(sheet, "c").into_iter().filter(is_unlocked);
        let columns: BTreeSet<usize> =
            cells.map(|cell| column(attribute(cell, "r").unwrap())).collect();
        unlocked.push(columns.into_iter().collect::<Vec<usize>>());
    }
    let [ratios, operators, totals, types, levels, plan, notes] = unlocked.try_into().unwrap();
    // Key, target of all operators beside its label, ratios, `others` and both ends.
    assert_eq!(ratios[..5], [1, 2, 3, 4, 7]);
    let of = |letters: &[&str]| letters.iter().map(|letter| column(letter)).collect::<Vec<_>>();
    assert_eq!(operators, of(&["N"]), "targets");
    assert_eq!(types, of(&["F"]), "targets");
    assert_eq!(plan, of(&["B", "F"]), "bounds and overrides");
    assert!(totals.is_empty() && levels.is_empty() && notes.is_empty());
}

#[test]
fn what_is_looked_for_is_printed_and_nothing_is_cut() {
    let place = Place::new();
    recorded(&place, "encoder", "encoder");
    place.succeed(&["report", "encoder", "-o", "r.xlsx"]);
    let model = crate::program::fixture_file("models/encoder.onnx").display().to_string();
    place.succeed(&["flops", &model, "--dim", "sequence=16", "-o", "f.xlsx"]);
    assert!(check(&place.path("r.xlsx")) >= 3);
    assert!(check(&place.path("f.xlsx")) >= 1);
    for file in ["r.xlsx", "f.xlsx"] {
        let parts = Parts::of(&place.path(file));
        let (printed, texts) = (parts.printed(), parts.texts());
        let layers = &parts.0["xl/worksheets/sheet3.xml"];
        let text = |cell: &str| {
            let value = elements(cell, "v").first().map(|value| content(value))?;
            (attribute(cell, "t") == Some("s"))
                .then(|| texts[value.parse::<usize>().unwrap()].clone())
        };
        let mut shown = Vec::new();
        for cell in elements(layers, "c") {
            let at = column(attribute(cell, "r").unwrap());
            if is_hidden(layers, at) || at > printed["xl/worksheets/sheet3.xml"].0 {
                continue;
            }
            if let Some(text) = text(cell).filter(|text| text != "Total of the rows shown") {
                assert!(text.len() as f64 <= width(layers, at) * 2.0, "{file}: {text}");
                assert!(!text.contains('/') || text.len() as f64 <= width(layers, at), "{text}");
                shown.push(text);
            }
        }
        for heading in ["Operator", "Type", "FLOPs"] {
            assert!(shown.iter().any(|text| text == heading), "{file}: {heading}");
        }
        // Of a model that was not run, there are no times.
        for heading in ["Time ms", "Share"] {
            let is_shown = shown.iter().any(|text| text == heading);
            assert_eq!(is_shown, file == "r.xlsx", "{file}: {heading}");
        }
        assert!(!shown.iter().any(|text| text == "Profiling us"), "{file}: nothing is in it");
    }
}

#[test]
fn causes_beyond_thirty_are_one_bar() {
    let place = Place::new();
    let profile = |factor: usize| {
        let event = |category: &str, name: &str, start: usize, duration: usize, of: &str| {
            format!(
                "{{\"cat\":\"{category}\",\"pid\":1,\"tid\":1,\"dur\":{},\"ts\":{start},\
                 \"ph\":\"X\",\"name\":\"{name}\",\"args\":{{{of}}}}}",
                duration * factor
            )
        };
        let mut events = Vec::new();
        for run in (0..3).map(|run| run * 1_000_000) {
            events.push(event("Session", "model_run", run, 10_000, ""));
            events.extend((0..40).map(|number| {
                let (name, of) =
                    (format!("n{number}_kernel_time"), format!("\"op_name\":\"Type{number}\""));
                event("Node", &name, run + 200 * number + 1, number + 1, &of)
            }));
        }
        format!("[{}]", events.join(",\n"))
    };
    place.write("a.json", profile(1).as_bytes());
    place.write("b.json", profile(2).as_bytes());
    place.succeed(&["compare", "a.json", "b.json", "-o", "c.xlsx"]);
    assert!(check(&place.path("c.xlsx")) >= 1);
    let mut archive = zip::ZipArchive::new(std::fs::File::open(place.path("c.xlsx")).unwrap());
    let mut texts = String::new();
    let mut strings = archive.as_mut().unwrap().by_name("xl/sharedStrings.xml").unwrap();
    strings.read_to_string(&mut texts).unwrap();
    // 40 types and the overhead.
    assert!(texts.contains(">11 others<"), "{texts}");
}

#[test]
fn what_is_unknown_is_a_dash_that_the_notes_explain() {
    let place = Place::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let input = fixtures.join("tensorrt/8.6/profile.json").canonicalize().unwrap();
    let input = input.display().to_string();
    for (command, file) in [("report", "r.xlsx"), ("project", "p.xlsx")] {
        let ran = place.run(&[command, &input, "-o", file]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let parts = Parts::of(&place.path(file));
        let texts = parts.texts();
        assert!(texts.iter().any(|text| text == "–"), "{file}");
        assert!(!texts.iter().any(|text| text == "unknown"), "{file}");
        assert!(texts.iter().any(|text| text.starts_with("unknown: ")), "{file}: the legend");
    }
    // The edited workbook is read again, dashes and all.
    place.succeed(&["project", &input, "--ratios", "p.xlsx"]);
}
