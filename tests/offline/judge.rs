//! Recordings that `onnxray judge` takes as they are: its word is the verdict of their comparison.

use crate::json_schemas::valid;
use crate::made_launches::launches;
use crate::program::Place;

#[test]
fn the_word_is_the_verdict_of_the_comparison() {
    let place = Place::new();
    let times = |start: usize, step: usize| (0..8).map(move |launch| start + launch % 3 * step);
    for (folder, start, step) in [
        ("a", 1000, 1),
        ("copy", 1001, 1),
        ("slow", 1200, 1),
        ("fast", 800, 1),
        ("noisy", 900, 400),
    ] {
        let times: Vec<String> = times(start, step).map(|time| time.to_string()).collect();
        launches(&place, folder, 3, &times.iter().map(String::as_str).collect::<Vec<_>>());
    }
    launches(&place, "alone", 3, &["1000"]);
    for (b, expect, code, word) in [
        ("slow", "not-slower", 3, "slower"),
        ("fast", "faster", 0, "faster"),
        ("fast", "same", 3, "faster"),
        ("copy", "not-slower", 0, "same"),
        ("noisy", "not-slower", 5, "inconclusive"),
        ("alone", "not-slower", 5, "inconclusive"),
        ("a", "not-slower", 4, "not comparable"),
    ] {
        let ended = place.run(&["judge", "a", b, "--expect", expect, "--format", "json"]);
        assert_eq!(ended.code, Some(code), "{b}: {} {}", ended.out, ended.err);
        let report = valid("judge", &ended.out);
        assert_eq!(report["judge"]["verdict"], word, "{b}");
        let line = report["headline"][0].as_str().unwrap();
        assert!(line.starts_with(&word.to_uppercase()), "{line}");
        if code == 4 {
            assert!(line.ends_with("A and B are the same recording"), "{line}");
            continue;
        }
        let compared = place.succeed(&[
            "compare",
            "a",
            b,
            "--noise-threshold",
            "1%",
            "--view",
            "inference",
            "--format",
            "json",
        ]);
        let compared = valid("compare", &compared);
        let rows = compared["inference"].as_array().unwrap();
        let verdicts: Vec<&str> = rows.iter().filter_map(|row| row["verdict"].as_str()).collect();
        let as_compared = if verdicts.contains(&"not tested") { "not tested" } else { word };
        assert!(verdicts.contains(&as_compared), "{b}: {verdicts:?}");
        assert_eq!(report["judge"]["threshold"], 0.01);
        let said = report["headline"][1].as_str().unwrap();
        assert!(said.contains("no copy of A tells what the machine does"), "{said}");
        assert_eq!(line.contains("Launches in turns tell more"), word == "inconclusive", "{line}");
        assert!(report["layers"].as_array().is_some_and(|rows| rows.len() == 3));
    }
    // A larger threshold asks for less.
    let wide = place.run(&["judge", "a", "slow", "--threshold", "0.5", "-o", "judged.html"]);
    assert_eq!(wide.code, Some(0), "{}", wide.out);
    assert!(wide.out.starts_with("SAME  B is within 50 % of A: +19.9 %"), "{}", wide.out);
    let page = std::fs::read_to_string(place.path("judged.html")).unwrap();
    assert!(page.contains("SAME  B is within"));
}

#[test]
fn what_only_measuring_knows_is_refused_for_recordings() {
    let place = Place::new();
    launches(&place, "a", 2, &["1000"; 3]);
    launches(&place, "b", 2, &["1001"; 3]);
    for option in [&["--threads", "2"][..], &["--no-control"], &["--out", "judge"]] {
        let ended = place.run(&[&["judge", "a", "b"], option].concat());
        assert_eq!(ended.code, Some(2), "{}", ended.out);
        let why = "is for models: recordings are judged as they were measured";
        assert!(ended.err.contains(&format!("{} {why}", option[0])), "{}", ended.err);
    }
    let mixed = place.run(&["judge", "a", "b.onnx"]);
    assert_eq!(mixed.code, Some(2));
    assert!(mixed.err.contains("two models or two recordings"), "{}", mixed.err);
    let missing = place.run(&["judge", "a", "missing"]);
    assert_eq!(missing.code, Some(1));
    assert!(missing.err.starts_with("error: missing: "), "{}", missing.err);
}
