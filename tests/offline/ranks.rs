//! Traces of the processes of one distributed run.

use crate::program::{Place, fixture_file, json};

fn rank(number: u32) -> String {
    fixture_file(&format!("pytorch/2.5.1/rank-{number}.json")).display().to_string()
}

#[test]
fn ranks_are_shown_one_by_one_and_together() {
    let place = Place::new();
    // Whatever the order of the files.
    let files = [rank(2), rank(0), rank(1)];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let shown = json(&place.succeed(&[&["summary"][..], &files, &["--format", "json"]].concat()));
    let launches = shown["launches"].as_array().unwrap();
    let ranks: Vec<u64> = launches.iter().map(|launch| launch["rank"].as_u64().unwrap()).collect();
    assert_eq!(ranks, [0, 1, 2]);
    let medians: Vec<f64> =
        launches.iter().map(|launch| launch["latency_median_ms"].as_f64().unwrap()).collect();
    let model = &shown["model"];
    assert_eq!((&model["ranks"], &model["slowest_rank"]), (&json("3"), &json("1")));
    assert_eq!(model["slowest_rank_median_ms"].as_f64(), Some(medians[1]));
    let spread = model["rank_spread_percent"].as_f64().unwrap();
    assert!((spread - (medians[1] / medians[0] - 1.0) * 100.0).abs() < 1e-9, "{spread}");
    assert!((15.0..30.0).contains(&spread), "{spread}");
    let tables = place.succeed(&[&["summary"][..], &files, &["--format", "markdown"]].concat());
    assert!(tables.contains("slowest rank ") && tables.contains("\n### Launches\n"), "{tables}");
}

#[test]
fn ranks_are_no_independent_launches() {
    let place = Place::new();
    let all = [rank(0), rank(1), rank(2)].join(",");
    let compared = place.run(&["compare", &all, &rank(0), "--format", "json"]);
    assert!(!compared.out.contains("3 and 1 launches"), "{}", compared.out);
    let both = place.run(&["compare", &all, &all, "--format", "json"]);
    assert!(both.out.contains("blocks of iterations"), "{}{}", both.out, both.err);
    let checked = json(&place.succeed(&["check", &all, "--format", "json"]));
    let findings = checked["checks"].as_array().unwrap();
    let launches = findings.iter().find(|row| row["subject"] == "launches").unwrap();
    assert_eq!(launches["grade"], "doubtful", "{launches}");
    assert!(launches["found"].as_str().unwrap().starts_with("1 launch, of 3 ranks"), "{launches}");
}

#[test]
fn a_rank_alone_and_a_rank_twice_are_launches() {
    let place = Place::new();
    let files = [rank(1), fixture_file("pytorch/2.5.1/cuda.json").display().to_string()];
    let alone = json(&place.succeed(&["summary", &files[0], "--format", "json"]));
    assert!(alone["model"].get("slowest_rank").is_none() && alone.get("launches").is_none());
    let launches = ["summary", &files[0], "--level", "launch", "--format", "json"];
    assert_eq!(json(&place.succeed(&launches))["launches"][0]["rank"], 1);
    std::fs::copy(&files[0], place.path("again.json")).unwrap();
    let twice = json(&place.succeed(&["summary", &files[0], "again.json", "--format", "json"]));
    assert_eq!(twice["model"]["launches"], 2);
    assert!(twice["model"].get("slowest_rank").is_none());
    // Recordings of other programs have no ranks.
    let other = fixture_file("onnxruntime/1.31.1/loop.json").display().to_string();
    let launches = ["summary", &other, "--level", "launch", "--format", "json"];
    assert!(json(&place.succeed(&launches))["launches"][0].get("rank").is_none());
}

#[test]
fn a_converted_rank_is_still_one() {
    let place = Place::new();
    for number in 0..3 {
        place.succeed(&["convert", &rank(number), "-o", &format!("c{number}.json")]);
    }
    let shown = json(&place.succeed(&["summary", "c*.json", "--format", "json"]));
    assert_eq!(
        (&shown["model"]["ranks"], &shown["model"]["slowest_rank"]),
        (&json("3"), &json("1"))
    );
}
