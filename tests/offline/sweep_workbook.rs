//! The workbook of a sweep in the hands of its users: whatever threshold and percentile
//! they set, LibreOffice computes what the analyzer does.

use crate::office::{Cell, Job, Sheets, address, letters, libreoffice, written};
use crate::program::Place;
use crate::sequence::Sequence;
use crate::sweeps::{measured, profile};
use crate::workbook_look::check;
use onnxray_analyzer::Milliseconds;
use onnxray_analyzer::profiles::{Profile, ProfileCosts};
use onnxray_analyzer::sweep::{Percentile, Skipped, SweepOptions, analyze};
use onnxray_report::{Report, write_workbook};
use serde_json::json;
use std::fs::File;
use std::path::Path;

/// Where a user sets them.
const THRESHOLD: &str = "B3";
const PERCENTILE: &str = "B4";
/// Names that are not only letters.
const HOSTILE: [&str; 10] = [
    "=1+1",
    "+1",
    "@SUM(A1)",
    "</script><b>&amp;",
    "tab\there\u{0}\u{1b}[31m\u{202e}",
    "Points!$A$1",
    "=[x",
    "nan",
    "#N/A",
    "1e5",
];

/// On a coarse grid, so that there are ties; some without intervals.
fn profiles(models: usize, each: usize, random: &mut Sequence) -> Vec<Profile> {
    let mut all = Vec::new();
    for number in 0..models * each {
        let mut half = || match random.below(5) {
            0 => None,
            width => Some(width as f64 / 4.0),
        };
        let (of_latency, of_rate) = (half(), half());
        let latency = measured(1.0 + random.below(20) as f64, of_latency);
        let rate = measured(5.0 + random.below(20) as f64, of_rate);
        let model = format!("model-{}.onnx", number / each);
        let mut one = profile(&format!("profile {number}"), &model, latency, rate);
        // Of some it is unknown.
        if random.below(4) > 0 {
            let cpu_time = measured(8.0 + random.below(20) as f64, of_rate);
            one.costs =
                Some(ProfileCosts { cpu_time_ms: Some(cpu_time), ..ProfileCosts::default() });
        }
        all.push(one);
    }
    all
}

fn write(profiles: &[Profile], options: &SweepOptions, path: &Path) {
    let skipped = Skipped {
        model: "=large".to_string(),
        configuration: Default::default(),
        reason: "=does not fit".to_string(),
    };
    let sweep = analyze(profiles, &[skipped], options);
    let file = File::create(path).unwrap();
    write_workbook(&sweep.workbook(), path.parent().unwrap(), file).unwrap();
}

/// Compares the sheets that are live, cell by cell.
fn assert_same(fresh: &Sheets, computed: &Sheets, what: &str) {
    for sheet in ["Summary", "Points"] {
        let (ours, theirs) = (&fresh[sheet], &computed[sheet]);
        for row in 0..ours.len().max(theirs.len()) {
            let width = |rows: &[Vec<Cell>]| rows.get(row).map_or(0, Vec::len);
            for column in 0..width(ours).max(width(theirs)) {
                let [mine, other] = [ours, theirs].map(|rows| {
                    rows.get(row).and_then(|row| row.get(column)).cloned().unwrap_or_default()
                });
                // A chart leaves out what is not available.
                let none = |cell: &Cell| matches!(cell, Cell::Error(name) if name == "#N/A");
                let same = mine.agrees(&other) || none(&mine) && none(&other);
                let place = address(row, column);
                assert!(same, "{what}: '{sheet}'!{place}: {mine:?} and {other:?}");
            }
        }
    }
}

#[test]
fn libreoffice_finds_the_same_sweet_spots_at_every_threshold_and_percentile() {
    let place = Place::new();
    let mut random = Sequence::new(17);
    let (several, one) = (profiles(3, 9, &mut random), profiles(1, 12, &mut random));
    let mut jobs = Vec::new();
    let mut fresh = Vec::new();
    for (open, profiles, count) in [("several.xlsx", &several, 30), ("one.xlsx", &one, 9)] {
        write(profiles, &SweepOptions::default(), &place.path(open));
        for number in 0..count {
            let percentile = Percentile::ALL[number % 3];
            // From below every point to above all of them, on the grid and off it.
            let most = match number {
                0..3 => None,
                3..6 => Some(0.5),
                6..9 => Some(1e4),
                _ => Some(random.below(120) as f64 / 2.0),
            };
            let edits = vec![
                json!({"do": "set", "sheet": "Summary", "cell": THRESHOLD, "value": most}),
                json!({"do": "set", "sheet": "Summary", "cell": PERCENTILE, "value": percentile.name()}),
            ];
            let latency_threshold = most.map(Milliseconds);
            let options = SweepOptions { percentile, latency_threshold, ..SweepOptions::default() };
            let path = place.path(&format!("fresh-{number}-{open}"));
            write(profiles, &options, &path);
            let what = format!("{open}, {percentile} within {most:?}");
            fresh.push((what, written(&path)));
            jobs.push(Job::new(open, edits, &format!("saved-{number}-{open}")));
        }
    }
    for ((what, fresh), computed) in fresh.iter().zip(libreoffice(&place, &jobs)) {
        assert_same(fresh, &computed, what);
    }
    // A sentence says that there is none.
    let (_, below) = &fresh[3];
    let remarks = below["Summary"].iter().flatten().map(Cell::text);
    let none = remarks.filter(|text| text.starts_with("no point is within the threshold"));
    assert_eq!(none.count(), 4, "{below:?}");
}

#[test]
fn it_can_be_read_as_it_opens() {
    let place = Place::new();
    let several = profiles(3, 9, &mut Sequence::new(23));
    write(&several, &SweepOptions::default(), &place.path("sweep.xlsx"));
    // The same two charts beside what is set and beside the points.
    assert_eq!(check(&place.path("sweep.xlsx")), 4);
    let mut parts = zip::ZipArchive::new(File::open(place.path("sweep.xlsx")).unwrap()).unwrap();
    let chart = std::io::read_to_string(parts.by_name("xl/charts/chart1.xml").unwrap()).unwrap();
    // A series for each model, the front with its labels, and the sweet spots.
    assert_eq!(chart.matches("<c:ser>").count(), 5, "{chart}");
    assert_eq!(chart.matches("<c:dLbl>").count(), several.len(), "{chart}");
    for text in
        ["latency (ms)", "throughput (items/s)", "Throughput (items/s) against latency (ms)"]
    {
        assert!(chart.contains(&format!("<a:t>{text}</a:t>")), "{text}: {chart}");
    }
    let chart = std::io::read_to_string(parts.by_name("xl/charts/chart2.xml").unwrap()).unwrap();
    // A series for each model, and the front.
    assert_eq!(chart.matches("<c:ser>").count(), 4, "{chart}");
    for text in ["CPU time (ms/item)", "CPU time of an item (ms) against latency (ms)"] {
        assert!(chart.contains(&format!("<a:t>{text}</a:t>")), "{text}: {chart}");
    }
}

#[test]
fn points_may_be_sorted() {
    let place = Place::new();
    let all = profiles(1, 12, &mut Sequence::new(5));
    write(&all, &SweepOptions::default(), &place.path("sweep.xlsx"));
    let fresh = written(&place.path("sweep.xlsx"));
    let points = &fresh["Points"];
    let column = points[0].iter().position(|cell| cell.text() == "Latency ms").unwrap();
    let end = address(all.len(), points.iter().map(Vec::len).max().unwrap() - 1);
    let sort = json!({"do": "sort_rows", "sheet": "Points", "range": format!("A2:{end}"),
                      "column": letters(column), "descending": true});
    let sorted = libreoffice(&place, &[Job::new("sweep.xlsx", vec![sort], "sorted.xlsx")]);
    let latencies = sorted[0]["Points"][1..].iter().map(|row| row[column].number().unwrap());
    assert!(latencies.is_sorted_by(|a, b| a >= b));
    // Shown are the same points, wherever they stand now.
    let shown = |sheets: &Sheets| {
        let rows = sheets["Summary"].iter();
        let shown = rows.map(|row| row.iter().take(11).cloned().collect::<Vec<_>>());
        shown.collect::<Vec<_>>()
    };
    for (ours, theirs) in shown(&fresh).iter().zip(shown(&sorted[0])) {
        let same = |(ours, theirs): (&Cell, &Cell)| ours.agrees(theirs);
        assert!(ours.iter().zip(&theirs).all(same), "{ours:?} and {theirs:?}");
    }
}

#[test]
fn names_are_texts_whatever_they_look_like() {
    let place = Place::new();
    let long = "x".repeat(10_000);
    let all: Vec<Profile> = HOSTILE
        .iter()
        .copied()
        .chain([long.as_str()])
        .enumerate()
        .map(|(number, name)| {
            let half = Some(0.1);
            let (latency, rate) = (measured(1.0 + number as f64, half), measured(9.0, half));
            let mut profile = profile(name, name, latency, rate);
            profile.configuration.engine = name.to_string();
            profile
        })
        .collect();
    write(&all, &SweepOptions::default(), &place.path("hostile.xlsx"));
    let ours = written(&place.path("hostile.xlsx"));
    let again = libreoffice(&place, &[Job::new("hostile.xlsx", Vec::new(), "saved.xlsx")]);
    for sheets in [&ours, &again[0]] {
        let points: Vec<&str> = sheets["Points"].iter().map(|row| row[1].text()).collect();
        assert_eq!(points[1..5], HOSTILE[..4]);
        assert_eq!(points[6..11], HOSTILE[5..]);
        assert_eq!(points[11], long);
        // What a sheet cannot hold is shown as what it is.
        assert_eq!(points[5], "tab\there\\u{0}\\u{1b}[31m\\u{202e}");
        assert_eq!(sheets["Not measured"][1][0].text(), "=large");
        assert_eq!(sheets["Not measured"][1][6].text(), "=does not fit");
        let engines = sheets["Summary"].iter().filter_map(|row| row.get(2)).map(Cell::text);
        // Results in our file that would be taken for numbers end in a space.
        let engines: Vec<&str> = engines.map(str::trim_end).collect();
        for name in &HOSTILE[..4] {
            assert!(engines.contains(name), "{name}");
        }
    }
    // Of what is not a formula of ours there is none.
    let mut parts = zip::ZipArchive::new(File::open(place.path("hostile.xlsx")).unwrap()).unwrap();
    for index in 0..parts.len() {
        let part = std::io::read_to_string(parts.by_index(index).unwrap()).unwrap();
        for text in ["f>1+1", "f>+1", "f>@SUM", "f>[x", "f>=", "</script>", "\u{1b}"] {
            assert!(!part.contains(text), "{text}");
        }
    }
}

#[test]
fn there_may_be_no_points_or_one() {
    let place = Place::new();
    let mut random = Sequence::new(3);
    let mut jobs = Vec::new();
    for points in [0, 1] {
        let name = format!("{points}.xlsx");
        write(&profiles(1, points, &mut random), &SweepOptions::default(), &place.path(&name));
        jobs.push(Job::new(&name, Vec::new(), &format!("saved-{name}")));
    }
    for (job, computed) in jobs.iter().zip(libreoffice(&place, &jobs)) {
        let ours = written(&place.path(&job.open));
        assert_same(&ours, &computed, &job.open);
        assert_eq!(
            computed.keys().collect::<Vec<_>>(),
            ["Not measured", "Notes", "Points", "Summary"]
        );
    }
    let none = &written(&place.path("0.xlsx"))["Summary"];
    let texts: Vec<&str> = none.iter().flatten().map(Cell::text).collect();
    assert!(texts.contains(&"No configuration was measured; 1 was skipped."), "{texts:?}");
}
