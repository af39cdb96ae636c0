//! Projects: what `onnxray profiles` lists, and what `DIR:PROFILE` stands for.

use crate::listed_profiles::{is_close, listed, names, number};
use crate::program::{Place, json, model};
use crate::recordings::recorded;
use std::fs;

/// The recorded project as `p`, with profiles of these names only.
pub(crate) fn project_of(kept: &[&str]) -> Place {
    let place = Place::new();
    recorded(&place, "project", "p");
    for name in ["a", "s", "b", "c"].into_iter().filter(|name| !kept.contains(name)) {
        place.succeed(&["profiles", "p", "--remove", name]);
    }
    place
}

#[test]
fn a_list_says_what_a_summary_says_of_each_profile() {
    let place = project_of(&["a", "s", "b"]);
    let (cnn, scan) = (model("cnn"), model("scan"));
    let rows = listed(&place, "p");
    // Each model's FLOPS profile is behind its own.
    assert_eq!(names(&rows), ["a", "b", "FLOPS", "s", "FLOPS"]);
    for row in rows.iter().filter(|row| row["profile"] != "FLOPS") {
        let name = row["profile"].as_str().unwrap();
        let figures = &place.figures(&format!("p:{name}"))["model"];
        assert_eq!(figures["profile"], name);
        for (ours, theirs) in [
            ("model", "model"),
            ("isa", "isa"),
            ("engine", "engine"),
            ("threads", "threads"),
            ("rounds", "launches"),
            ("recorded_at", "recorded_at"),
        ] {
            assert!(theirs == "isa" || !figures[theirs].is_null(), "{theirs}");
            assert_eq!(row[ours], figures[theirs], "{name}: {ours}");
        }
        let latency = number(figures, "latency_median_ms");
        assert!(is_close(number(row, "latency_p50_ms"), latency), "{row}");
        assert_eq!(row["batch_size"].as_u64(), figures["batch_size"].as_u64(), "{name}");
        // Without a batch size, nobody knows how many items an iteration has.
        let rate = figures["throughput_items_per_second"].as_f64();
        assert_eq!(row["items_per_second"].is_number(), rate.is_some(), "{name}");
        assert_eq!(rate.is_some(), name != "s");
        assert!(rate.is_none_or(|rate| is_close(number(row, "items_per_second"), rate)), "{row}");
        // The low end may be cut at 0.
        let interval = figures["latency_median_interval"].as_str().unwrap_or_default();
        let share = interval.strip_prefix("± ").and_then(|rest| rest.split(' ').next());
        let share = share.and_then(|share| share.parse::<f64>().ok());
        if let Some(share) = share.filter(|share| *share < 100.0) {
            let high = number(row, "latency_p50_high_ms");
            assert!(((high / latency - 1.0) * 100.0 - share).abs() < 0.051, "{row}: {interval}");
            assert!(number(row, "latency_p50_low_ms") <= latency);
        }
        let recording = row["recording"].as_str().unwrap();
        let (folder, time) = recording.rsplit_once('/').unwrap();
        let traces = place.traces(&format!("p/{folder}"));
        assert!(traces.iter().all(|path| path.to_string_lossy().contains(time)), "{recording}");
    }
    for (row, arguments) in
        [(&rows[2], &["flops", &cnn][..]), (&rows[4], &["flops", &scan, "--dim", "frames=4"][..])]
    {
        let flops = json(&place.succeed(&[arguments, &["--format", "json"]].concat()));
        assert!(number(&flops["model"], "flops") > 0.0);
        for key in ["model", "flops", "parameters"] {
            assert_eq!(row[key], flops["model"][key], "{key}");
        }
        // What was not measured has no place there.
        for key in ["latency_p50_ms", "items_per_second", "engine", "threads", "recorded_at"] {
            assert!(row[key].is_null(), "{key}: {row}");
        }
    }
}

/// Small times are shown in microseconds, under headings that say so.
#[test]
fn the_table_shows_latencies_in_the_unit_of_their_heading() {
    let place = project_of(&["s"]);
    let latency = number(&listed(&place, "p")[0], "latency_p50_ms");
    let table = place.succeed(&["profiles", "p", "--columns", "profile,latency_p50_ms"]);
    let heading = table.lines().find(|line| line.starts_with("Profile ")).unwrap();
    let cell = table.lines().find_map(|line| line.strip_prefix("s ")).unwrap().trim();
    let shown: f64 = cell.parse().unwrap_or_else(|_| panic!("{cell:?} in\n{table}"));
    assert!(heading.contains("µs"), "{heading}");
    assert!((shown / 1e3 / latency - 1.0).abs() < 0.01, "{latency} ms is shown as\n{table}");
}

#[test]
fn profiles_are_renamed_and_removed() {
    let place = project_of(&["a", "b", "c"]);
    let listed_names = |project: &str| {
        let rows = listed(&place, project);
        names(&rows).into_iter().map(str::to_string).collect::<Vec<_>>()
    };
    let mut before = place.figures("p:b");
    place.succeed(&["profiles", "p", "--rename", "b=kept"]);
    before["model"]["profile"] = "kept".into();
    assert_eq!(listed_names("p"), ["a", "kept", "c", "FLOPS"]);
    assert_eq!(place.figures("p:kept"), before, "its recording goes with the profile");
    let project = || fs::read(place.path("p/onnxray.project.json")).unwrap();
    let unchanged = project();
    // All of it or nothing.
    let half = place.run(&["profiles", "p", "--remove", "a", "--rename", "x=y"]);
    assert_eq!((half.code, project()), (Some(1), unchanged));
    place.succeed(&["profiles", "p", "--remove", "a", "--rename", "c=a"]);
    assert_eq!(listed_names("p"), ["kept", "a", "FLOPS"]);
    assert_eq!(place.traces("p/a").len(), 1, "the recording stays");
    place.succeed(&["profiles", "p", "--remove", "kept", "--remove", "a"]);
    assert_eq!(listed_names("p"), Vec::<String>::new(), "a model goes with its last profile");
    assert_eq!(place.run(&["profiles", "x", "--remove", "a"]).code, Some(1));
    assert!(!place.path("x").exists());
}

#[test]
fn a_profile_is_compared_to_the_best_of_the_others() {
    let place = project_of(&["a", "s", "b", "c"]);
    let rows = listed(&place, "p");
    for name in ["a", "b", "c"] {
        let others = rows.iter().filter(|row| row["model"] == "cnn.onnx");
        let others = others.filter(|row| row["profile"] != name && row["profile"] != "FLOPS");
        let best = others.max_by(|one, other| {
            number(one, "items_per_second").total_cmp(&number(other, "items_per_second"))
        });
        let best = best.unwrap()["profile"].as_str().unwrap();
        let chosen = place.run(&["compare", &format!("p:{name}"), "--format", "json"]);
        assert_eq!(chosen.code, Some(0), "{}", chosen.err);
        let said = format!("note: {name} is compared to {best}, which has the best throughput");
        assert!(chosen.err.contains(&said), "{}", chosen.err);
        let named = ["compare", &format!("p:{name}"), &format!("p:{best}"), "--format", "json"];
        assert_eq!(json(&chosen.out), json(&place.succeed(&named)));
    }
    // A quantized version is another file, and of the same model.
    let versions = Place::new();
    recorded(&versions, "sweep-models", "p");
    let chosen = versions.run(&["compare", "p:cnn-b1-t1-i1"]);
    assert_eq!(chosen.code, Some(0), "{}", chosen.err);
    let rows = listed(&versions, "p").into_iter();
    let others = rows.filter(|row| row["profile"] != "cnn-b1-t1-i1" && row["profile"] != "FLOPS");
    let best = others.max_by(|one, other| {
        number(one, "items_per_second").total_cmp(&number(other, "items_per_second"))
    });
    let best = best.unwrap();
    assert_eq!(best["model"], "cnn-int8.onnx");
    let best = best["profile"].as_str().unwrap();
    assert!(chosen.err.contains(&format!("compared to {best}, ")), "{}", chosen.err);
}

#[test]
fn loss_profiles_in_its_folder_are_listed() {
    let place = project_of(&["a"]);
    let profiles = || json(&place.succeed(&["profiles", "p", "--format", "json"]));
    assert!(profiles()["loss_profiles"].is_null());
    recorded(&place, "loss-cnn", "l");
    fs::copy(place.path("l/loss.json"), place.path("p/half.json")).unwrap();
    fs::copy(place.path("l/low.json"), place.path("p/low.json")).unwrap();
    place.write("p/mine.json", b"{\"format\": \"mine\"}");
    let listed = profiles();
    let rows = listed["loss_profiles"].as_array().unwrap();
    let names: Vec<_> = rows.iter().map(|row| row["loss_profile"].as_str().unwrap()).collect();
    assert_eq!(names, ["half.json", "low.json"]);
    assert_eq!(rows[0]["model"], "cnn.onnx");
    assert_eq!([&rows[0]["levels"], &rows[1]["levels"]], ["50 %", "30 %"]);
    let saved = json(&fs::read_to_string(place.path("p/half.json")).unwrap());
    let layers = saved["layers"].as_array().unwrap().iter();
    let measured = layers.filter(|layer| layer["left_out"].is_null()).count();
    assert_eq!(rows[0]["layers"].as_u64(), Some(measured as u64));
    // One that was cut is named, and is none of the others' fault.
    let half = fs::read(place.path("p/half.json")).unwrap();
    fs::write(place.path("p/half.json"), &half[..half.len() / 2]).unwrap();
    let cut = place.run(&["profiles", "p", "--format", "json"]);
    assert!(cut.err.contains("p/half.json: ") && cut.err.contains("cut off"), "{}", cut.err);
    assert_eq!(json(&cut.out)["loss_profiles"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_plan_is_kept_with_its_profile() {
    let place = Place::new();
    recorded(&place, "project-encoder", "p");
    let plan = ["project", "p:e", "--budget", "0.5", "--format", "json"];
    let estimated = json(&place.succeed(&plan));
    let unplanned = &listed(&place, "p")[0];
    assert!(unplanned["planned_ms"].is_null() && unplanned["planned_speedup"].is_null());
    assert_eq!(json(&place.succeed(&[&plan[..], &["--keep-plan"]].concat())), estimated);
    let totals = estimated["plan"].as_array().unwrap();
    let total = totals.iter().find(|row| row["figure"] == "total_latency_ms").unwrap();
    let row = &listed(&place, "p")[0];
    let speedup = number(row, "planned_speedup");
    assert!(speedup > 1.0 && is_close(speedup, number(total, "gain")), "{row} and {total}");
    let planned = number(row, "latency_p50_ms") / speedup;
    assert!(is_close(number(row, "planned_ms"), planned), "{row}");
    assert_eq!(row["planned_ratios"], total["origin"]);
    // It goes with the profile.
    place.succeed(&["profiles", "p", "--rename", "e=f"]);
    assert!(is_close(number(&listed(&place, "p")[0], "planned_speedup"), speedup));
}

#[test]
fn words_with_colons_are_paths_first() {
    let place = Place::new();
    recorded(&place, "project/b", "plain");
    let profile_of = |word: &str| place.figures(word)["model"]["profile"].clone();
    assert_eq!(profile_of("plain"), "b", "a folder without a project is what it was");
    let none = place.run(&["summary", "plain:a"]);
    assert_eq!(
        none.err,
        "error: plain:a: No such file or directory (os error 2); did you mean plain?\n"
    );
    recorded(&place, "project", "p");
    place.succeed(&["profiles", "p", "--remove=b", "--remove=c", "--remove=s"]);
    assert_eq!(profile_of("p:a"), "a");
    fs::rename(place.path("plain"), place.path("p:a")).unwrap();
    assert_eq!(profile_of("p:a"), "b", "a file of that name is meant");
    fs::rename(place.path("p"), place.path("x:y")).unwrap();
    assert_eq!(profile_of("x:y:a"), "a", "the folder's name holds a colon");
    place.succeed(&["profiles", "x:y", "--rename", "a=b:c"]);
    assert_eq!(profile_of("x:y:b:c"), "b:c", "and the profile's");
    let absolute = format!("{}:b:c", place.path("x:y").display());
    assert_eq!(profile_of(&absolute), "b:c");
    for (word, said) in [("x:y:", "has no profile ``; it has b:c"), ("x:y:FLOPS", "onnxray flops")]
    {
        let refused = place.run(&["summary", word]);
        assert_eq!(refused.code, Some(1), "{word}");
        assert!(refused.err.contains(said), "{word}: {}", refused.err);
    }
}
