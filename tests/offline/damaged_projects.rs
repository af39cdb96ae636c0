//! Projects that are damaged, and recordings of theirs that are gone.

use crate::listed_profiles::{listed, names};
use crate::program::{Place, json};
use crate::projects::project_of;
use std::fs;

const FILE: &str = "p/onnxray.project.json";

/// Sweeps name profiles after sizes: `scan-frames=4-t1-i1`.
#[test]
fn a_name_with_an_equals_sign_can_be_changed() {
    let place = project_of(&["s"]);
    place.succeed(&["profiles", "p", "--rename", "s=scan-frames=4-t1-i1"]);
    assert_eq!(names(&listed(&place, "p")), ["scan-frames=4-t1-i1", "FLOPS"]);
    place.succeed(&["profiles", "p", "--rename", "scan-frames=4-t1-i1=base"]);
    assert_eq!(names(&listed(&place, "p")), ["base", "FLOPS"]);
    place.succeed(&["profiles", "p", "--rename", "base=frames=4"]);
    assert_eq!(names(&listed(&place, "p")), ["frames=4", "FLOPS"]);
}

#[test]
fn a_recording_that_is_gone_is_said_with_what_to_do() {
    let place = project_of(&["a", "b"]);
    let kept = listed(&place, "p")[0]["latency_p50_ms"].clone();
    fs::remove_dir_all(place.path("p/a")).unwrap();
    let rows = listed(&place, "p");
    assert_eq!(names(&rows), ["a", "b", "FLOPS"]);
    assert_eq!((&rows[0]["recording"], &rows[0]["latency_p50_ms"]), (&"gone".into(), &kept));
    assert_ne!(rows[1]["recording"], "gone");
    let table = place.succeed(&["profiles", "p"]);
    assert!(table.contains("warning: the recording of a is gone"), "{table}");
    for command in [
        &["summary", "p:a"][..],
        &["check", "p:a"],
        &["project", "p:a"],
        &["import", "p:a"],
        &["report", "p:a", "-o", "a.xlsx"],
        &["convert", "p:a", "-o", "a.csv"],
        &["compare", "p:a", "p:b"],
        &["compare", "p:b", "p:a"],
    ] {
        let refused = place.run(command);
        assert_eq!(refused.code, Some(1), "{command:?}");
        assert!(refused.err.contains("profile `a`: its recording"), "{}", refused.err);
        let hint = "hint: onnxray profiles p --remove=a\n";
        assert!(refused.err.contains(hint), "{command:?}: {}", refused.err);
    }
    assert!(!place.path("a.xlsx").exists() && !place.path("a.csv").exists());
    place.succeed(&["profiles", "p", "--remove", "a"]);
    assert_eq!(names(&listed(&place, "p")), ["b", "FLOPS"]);
    place.succeed(&["summary", "p:b"]);
}

/// The list of a damaged project, which nothing changes.
fn damaged(place: &Place, contents: &[u8], what: &str) -> Vec<String> {
    place.write(FILE, contents);
    let list = place.run(&["profiles", "p", "--format", "json"]);
    assert_eq!(list.code, Some(0), "{what}: {}", list.err);
    let report = json(&list.out);
    let notes = report["notes"].to_string();
    assert!(notes.contains("of the project's file cannot be read"), "{what}: {notes}");
    let said = notes.split("\"line ").nth(1).unwrap_or_else(|| panic!("{what}: {notes}"));
    let line: usize = said.split(' ').next().unwrap().parse().unwrap();
    assert!(line <= contents.iter().filter(|&&byte| byte == b'\n').count() + 1, "{what}: {notes}");
    let refused = place.run(&["profiles", "p", "--rename", "a=z"]);
    assert_eq!(refused.code, Some(1), "{what}: {}", refused.err);
    assert!(refused.err.contains(&format!("{FILE} line {line}: ")), "{what}: {}", refused.err);
    assert_eq!(fs::read(place.path(FILE)).unwrap(), contents, "{what}");
    let rows = report["profiles"].as_array().unwrap();
    names(rows).into_iter().filter(|name| *name != "FLOPS").map(str::to_string).collect()
}

#[test]
fn what_can_be_read_of_a_damaged_project_is_listed_and_nothing_is_changed() {
    let place = project_of(&["a", "b"]);
    let whole = fs::read(place.path(FILE)).unwrap();
    let text = String::from_utf8(whole.clone()).unwrap();
    // Of the entry, without the comma behind it.
    let line_of = |name: &str| {
        let start = text.find(&format!("{{\"name\":\"{name}\",")).unwrap();
        let line = text[start..].lines().next().unwrap();
        start..start + line.trim_end_matches(',').len()
    };
    let lines = [("a", line_of("a")), ("b", line_of("b"))];
    for at in (0..whole.len() - 1).step_by(50) {
        let found = damaged(&place, &whole[..at], &format!("cut at {at}"));
        let expected = lines.iter().filter(|(_, line)| line.end <= at);
        assert_eq!(found, expected.map(|(name, _)| *name).collect::<Vec<_>>(), "cut at {at}");
    }
    // A control character is nowhere allowed, in strings or between them.
    for at in (0..whole.len() - 1).step_by(61) {
        let mut changed = whole.clone();
        changed[at] = 1;
        let found = damaged(&place, &changed, &format!("changed at {at}"));
        // The line breaks around an entry, and its comma, are a part of its line.
        let expected = lines.iter().filter(|(_, line)| at + 1 < line.start || at > line.end + 1);
        assert_eq!(found, expected.map(|(name, _)| *name).collect::<Vec<_>>(), "changed at {at}");
    }
    let newer = text.replace("\"version\": 1,", "\"version\": 2,");
    assert_ne!(newer, text);
    assert_eq!(damaged(&place, newer.as_bytes(), "newer"), ["a", "b"]);
    let twice = text.replacen("\"name\":\"b\"", "\"name\":\"a\"", 1);
    assert_eq!(damaged(&place, twice.as_bytes(), "twice"), ["a"]);
    // What is whole is read, whatever is wrong elsewhere.
    damaged(&place, &whole[..line_of("a").end], "the first profile");
    assert_eq!(place.figures("p:a")["model"]["profile"], "a");
    place.write(FILE, &whole);
    assert_eq!(names(&listed(&place, "p")), ["a", "b", "FLOPS"]);
}
