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
        &["inspect", "p:a"],
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
    assert!(notes.contains("of onnxray.project.json cannot be read"), "{what}: {notes}");
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

#[test]
fn every_entry_that_is_lost_is_counted_with_its_line() {
    let place = project_of(&["a", "b", "c"]);
    let text = fs::read_to_string(place.path(FILE)).unwrap();
    // Numbers that no measurement has; the file is JSON still.
    let impossible = text
        .replacen("\"p50\":{\"value\":", "\"p50\":{\"value\":-4.8e300,\"other\":", 1)
        .replacen("\"name\":\"c\"", "\"name\":7", 1);
    damaged(&place, impossible.as_bytes(), "numbers");
    let said = |place: &Place| {
        let report = json(&place.succeed(&["profiles", "p", "--format", "json"]));
        report["notes"].to_string()
    };
    let notes = said(&place);
    assert!(notes.contains("`latency_ms.p50` is -48"), "{notes}");
    assert_eq!(notes.matches("of onnxray.project.json cannot be read").count(), 2, "{notes}");
    // No JSON as a whole: each line by itself.
    let broken = text.replacen("{\"name\":\"a\",", "{\"name\":\"a\";", 1).replacen(
        "{\"name\":\"c\",",
        "{\"name\":\"c\" ",
        1,
    );
    assert_eq!(damaged(&place, broken.as_bytes(), "two lines"), ["b"]);
    let notes = said(&place);
    assert_eq!(notes.matches("of onnxray.project.json cannot be read").count(), 2, "{notes}");
    let huge = text.replacen(
        "\"batch_size\":1,\"dimensions\":[],\"threads\"",
        &format!("\"batch_size\":{},\"dimensions\":[],\"threads\"", u64::MAX),
        1,
    );
    assert_ne!(huge, text);
    damaged(&place, huge.as_bytes(), "a batch");
}

#[test]
fn a_member_that_is_missing_is_no_empty_project() {
    let place = project_of(&["a", "b"]);
    let text = fs::read_to_string(place.path(FILE)).unwrap();
    let mut renamed = text.replace("\"profiles\": [", "\"Profiles\": [");
    assert!(damaged(&place, renamed.as_bytes(), "profiles").is_empty());
    renamed = text.replace("\"models\": [", "\"modelz\": [");
    assert_eq!(damaged(&place, renamed.as_bytes(), "models"), ["a", "b"]);
}

#[test]
fn members_that_are_not_known_are_said_and_kept() {
    let place = project_of(&["a", "b"]);
    let text = fs::read_to_string(place.path(FILE)).unwrap();
    let added = text
        .replacen("\"configuration\":{", "\"mood\":[1,2],\"configuration\":{\"gpu\":\"none\",", 1)
        .replacen("\"version\": 1,", "\"version\": 1, \"owner\": {\"team\": \"x\"},", 1);
    place.write(FILE, added.as_bytes());
    let listed = place.succeed(&["profiles", "p"]);
    let said = "3 members of onnxray.project.json, which this version does not know and keeps";
    assert!(listed.contains(said), "{listed}");
    assert!(listed.contains("configuration.gpu of a"), "{listed}");
    place.succeed(&["profiles", "p", "--rename", "b=z"]);
    let written = json(&fs::read_to_string(place.path(FILE)).unwrap());
    assert_eq!(written["owner"]["team"], "x");
    let first = &written["profiles"][0];
    assert_eq!((&first["name"], &first["mood"][1]), (&"a".into(), &2.into()));
    assert_eq!(first["configuration"]["gpu"], "none");
    // And nothing of what is known has changed.
    place.succeed(&["profiles", "p", "--rename", "z=b"]);
    let mut again = json(&fs::read_to_string(place.path(FILE)).unwrap());
    again.as_object_mut().unwrap().remove("owner");
    let profile = again["profiles"][0].as_object_mut().unwrap();
    profile.remove("mood");
    profile["configuration"].as_object_mut().unwrap().remove("gpu");
    assert_eq!(again, json(&text));
}

#[test]
fn a_recording_of_another_model_or_elsewhere_is_not_that_of_a_profile() {
    let place = project_of(&["a", "b"]);
    let whole = fs::read_to_string(place.path(FILE)).unwrap();
    let mut project = json(&whole);
    let own = project["profiles"][0]["model_sha256"].as_str().unwrap().to_string();
    project["profiles"][0]["model_sha256"] = "0".repeat(64).into();
    place.write(FILE, project.to_string().as_bytes());
    for command in [&["summary", "p:a"][..], &["compare", "p:b", "p:a"]] {
        let refused = place.run(command);
        assert_eq!(refused.code, Some(1), "{command:?}");
        let reason = format!(
            "is a recording of another model ({}) than profile a of p is of (000000000000)",
            &own[..12]
        );
        assert!(refused.err.contains(&reason), "{}", refused.err);
    }
    place.succeed(&["summary", "p:b"]);
    for folder in ["../p/a", "/tmp"] {
        let mut project = json(&whole);
        project["profiles"][0]["recording"]["folder"] = folder.into();
        place.write(FILE, project.to_string().as_bytes());
        let refused = place.run(&["summary", "p:a"]);
        assert_eq!(refused.code, Some(1), "{folder}");
        assert!(!refused.err.is_empty() && refused.out.is_empty(), "{}", refused.err);
    }
}
