//! `onnxray project`: the seed's example, options, formats, other runtimes.

use crate::program::{Place, fixture_file, json};
use crate::recordings::recorded;
use serde_json::Value;
use std::path::Path;

/// A profile as the Neural Engine lays it out, with the perf ratios and the
/// operator of its documentation, and others that add up to its totals.
const PROFILE: &str = "\
weight shape,90% 4x1 perf ratio,80% 4x1 perf ratio,70% 4x1 perf ratio,others
256x256,4,2.5,2,1
256x1024,4.5,3,2.5,1
1024x256,5,3.5,3,1
operator type,post op,operator name,input tensor name,input shape,input dtype,output tensor name,output shape,output dtype,weight shape,weight sparse ratio,sparse support,operator latency (ms),aim to weight sparse ratio,sparse kernel pref ratio,aim to sparse latency(ms)
LayerNorm,,LayerNorm_12,a:0;g:0;b:0,1024x256;256;256,fp32;fp32;fp32,ln:0,1024x256,fp32,,,FALSE,1.384800,,,=M6
InnerProduct,gelu_tanh,Add_37,116:0;641:0;bert.encoder.layer.0.attention.self.key.bias:0,1024x256;256x256;256,fp32;fp32;fp32,Add_37:0,1024x256,fp32,256x256,0.00%,TRUE,0.075000, 70%,,
InnerProduct,,Add_40,c:0;d:0,1024x256;256x256,fp32;fp32,Add_40:0,1024x256,fp32,256x256,0.00%,TRUE,0.250800, 90%,,
InnerProduct,,Add_41,e:0;f:0,1024x1024;256x1024,fp32;fp32,Add_41:0,1024x256,fp32,256x1024,0.00%,TRUE,0.900000, 90%,,
InnerProduct,,Add_42,g:0;h:0,1024x256;1024x256,fp32;fp32,Add_42:0,1024x1024,fp32,1024x256,0.00%,TRUE,1.000000, 90%,,
InnerProduct,,Add_43,i:0;j:0,1024x256;1024x256,fp32;fp32,Add_43:0,1024x1024,fp32,1024x256,0.00%,TRUE,0.901200, 70%,,
,,,,,,,,,,,total latency(ms),4.5118,,total aim to sparse latency(ms),
";

fn figure(report: &Value, name: &str) -> f64 {
    let rows = report["projection"].as_array().unwrap();
    let row = rows.iter().find(|row| row["figure"] == name).unwrap_or_else(|| panic!("no {name}"));
    row["value"].as_f64().unwrap_or_else(|| panic!("{name}: {row}"))
}

fn operator<'a>(report: &'a Value, name: &str) -> &'a Value {
    let rows = report["projected_operators"].as_array().unwrap();
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn what_a_profile_sets_is_taken_only_if_it_is_given() {
    let place = Place::new();
    place.write("profile.csv", PROFILE.as_bytes());
    let note = "note: profile.csv: perf ratios and targets in it are not taken; to take them, add \
                --ratios profile.csv\n";
    let alone = place.run(&["project", "profile.csv"]);
    assert!(alone.code == Some(0) && alone.err.contains(note), "{}", alone.err);
    let given = place.run(&["project", "profile.csv", "--ratios", "profile.csv"]);
    assert!(given.code == Some(0) && !given.err.contains("not taken"), "{}", given.err);
}

#[test]
fn operators_that_are_not_faster_for_certain_are_named() {
    let place = Place::new();
    let encoder = fixture_file("recordings/encoder");
    let encoder = encoder.to_str().unwrap();
    let notes = |more: &[&str]| {
        let project = [&["project", encoder, "--format", "json"], more].concat();
        json(&place.succeed(&project))["notes"].to_string()
    };
    let slower = ["--ratio", "256x256@0.9=0.8", "--ratio", "1024x256@0.9=0.9..1.2"];
    let at_targets = "11 operators are not measurably faster at their targets: ";
    let named = notes(&slower);
    assert!(named.contains(at_targets) && named.contains("/query/MatMul (90 %, 0.80x)"), "{named}");
    assert!(named.contains("/intermediate/dense/MatMul (90 %, 1.05x)"), "{named}");
    for faster in [&["--ratio", "*@0.9=1.1"][..], &[]] {
        assert!(
            !notes(faster).contains("not measurably faster"),
            "by what was given, not by defaults"
        );
    }
    // A plan that prunes them is told once, though targets are the plan's.
    let slower = ["--ratio", "*@0.7=0.8", "--ratio", "*@0.8=0.8", "--ratio", "*@0.9=0.8"];
    let planned = notes(&[&slower[..], &["--budget", "0.85"]].concat());
    assert!(planned.contains("not measurably faster in the plan: "), "{planned}");
    assert!(!planned.contains("at their targets: "), "{planned}");
}

#[test]
fn operators_without_a_weight_in_a_profile_keep_their_time() {
    let place = Place::new();
    let unweighted = "Add_41,e:0;f:0,1024x1024;256x1024,fp32;fp32,Add_41:0,1024x256,fp32,";
    let profile =
        PROFILE.replace(&format!("{unweighted}256x1024,0.00%,TRUE"), &format!("{unweighted},,"));
    assert_ne!(profile, PROFILE);
    place.write("profile.csv", profile.as_bytes());
    let report = json(&place.succeed(&["project", "profile.csv", "--format", "json"]));
    for (name, latency) in [("LayerNorm_12", 1.3848), ("Add_41", 0.9)] {
        let operator = operator(&report, name);
        assert_eq!(operator["projection"], "no constant weight", "{operator}");
        assert_eq!(
            (&operator["latency_ms"], &operator["projected_ms"]),
            (&latency.into(), &latency.into())
        );
    }
    // Of a trace alone, the types tell.
    let trace = fixture_file("neural-engine/2022-09/profiling.json");
    let report = json(&place.succeed(&["project", trace.to_str().unwrap(), "--format", "json"]));
    let operators = report["projected_operators"].as_array().unwrap();
    for operator in operators {
        let unknown = ["InnerProduct", "Matmul"].contains(&operator["type"].as_str().unwrap());
        let outcome = if unknown { "weight unknown" } else { "no constant weight" };
        assert_eq!(operator["projection"], outcome, "{operator}");
    }
    assert!(operators.iter().any(|operator| operator["type"] == "Quantize"), "{operators:?}");
}

#[test]
fn the_documented_example_comes_out_to_the_printed_digit() {
    let place = Place::new();
    place.write("profile.csv", PROFILE.as_bytes());
    let arguments = ["project", "profile.csv", "--ratios", "profile.csv", "--all"];
    let table = place.succeed(&arguments);
    for (name, printed) in [
        ("total latency (ms)", "4.512"),
        ("projected total latency (ms)", "2.185"),
        ("sparse support latency (ms)", "3.127"),
        ("projected sparse support latency (ms)", "0.801"),
        ("sparse support share", "0.693"),
        ("projected sparse support share", "0.366"),
    ] {
        let line = table.lines().find(|line| line.starts_with(&format!("{name}  ")));
        let line = line.unwrap_or_else(|| panic!("no {name} in\n{table}"));
        assert_eq!(line[name.len()..].split_whitespace().next(), Some(printed), "{line}");
    }
    let report = json(&place.succeed(&[&arguments[..], &["--format", "json"]].concat()));
    let inner_product = operator(&report, "Add_37");
    assert_eq!(inner_product["latency_ms"], 0.075);
    assert_eq!(inner_product["target"], 0.7);
    assert_eq!(inner_product["perf_ratio"], 2.0);
    assert_eq!(inner_product["projected_ms"], 0.0375);
    let ratios: Vec<(String, f64, f64)> = report["perf_ratios"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|row| {
            let shape = row["weight_shape"].as_str()?.to_string();
            Some((shape, row["sparse_ratio"].as_f64()?, row["perf_ratio"].as_f64()?))
        })
        .collect();
    let expected = [
        ("256x256", [2.0, 2.5, 4.0]),
        ("256x1024", [2.5, 3.0, 4.5]),
        ("1024x256", [3.0, 3.5, 5.0]),
    ];
    let expected = expected.iter().flat_map(|(shape, ratios)| {
        [0.7, 0.8, 0.9].iter().zip(ratios).map(|(level, ratio)| (shape.to_string(), *level, *ratio))
    });
    assert_eq!(ratios, expected.collect::<Vec<_>>());
}

#[test]
fn options_set_targets_and_ratios() {
    let place = Place::new();
    recorded(&place, "encoder", "out");
    let project = |more: &[&str]| {
        let fixed = ["project", "out", "--all", "--format", "json"];
        json(&place.succeed(&[&fixed[..], more].concat()))
    };
    let defaults = project(&[]);
    assert!(figure(&defaults, "speedup") > 1.0);
    let notes = defaults["notes"].to_string();
    assert!(notes.contains("rest on defaults") && notes.contains("90 % is the default"), "{notes}");

    let name = "/bert/encoder/layer.0/intermediate/dense/MatMul";
    let own = format!("{name}=70%");
    let set = project(&["--target", "0.8", "--target-type", "gemm=0", "--target-op", &own]);
    assert_eq!(operator(&set, name)["perf_ratio"], 2.0);
    for row in set["projected_operators"].as_array().unwrap() {
        let expected = match (row["projection"].as_str().unwrap(), row["type"].as_str().unwrap()) {
            (_, "Gemm") => 1.0,
            ("projected", _) if row["name"] != name => 2.5,
            ("projected", _) => 2.0,
            _ => 1.0,
        };
        assert_eq!(row["perf_ratio"], expected, "{row}");
    }
    let range = project(&["--ratio", "1024x256@0.9=3..5", "--ratio", "1024x256@50%=0.5"]);
    let row = operator(&range, name);
    let (low, value, high) =
        (&row["projected_low_ms"], &row["projected_ms"], &row["projected_high_ms"]);
    let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
    for (projected, dense, ratio) in
        [(value, "latency_ms", 4.0), (low, "latency_low_ms", 5.0), (high, "latency_high_ms", 3.0)]
    {
        // Of so short a recording, times may have no interval.
        let dense = row[dense].as_f64().or(row["latency_ms"].as_f64());
        let expected = dense.unwrap() / ratio;
        assert!(close(projected.as_f64().unwrap(), expected), "{projected} is not {expected}");
    }

    let sweep = project(&["--sparsity-table", "--sparsities", "0.5,95%,0.8"]);
    let levels = sweep["levels"].as_array().unwrap();
    let at: Vec<Option<f64>> = levels.iter().map(|row| row["sparse_ratio"].as_f64()).collect();
    // Those that are given in their order, whether they have a default or not.
    assert_eq!(at, [None, Some(0.9), Some(0.7), Some(0.5), Some(0.95), Some(0.8)]);
    let at_90 = project(&["--target", "0.9"]);
    let total = figure(&at_90, "projected_total_latency_ms");
    assert!(close(levels[1]["latency_ms"].as_f64().unwrap(), total));

    let plan = project(&["--budget", "0.5", "--plan-op", &format!("{name}=0.6")]);
    let layers = plan["planned_layers"].as_array().unwrap();
    let layer = layers.iter().find(|row| row["name"] == name).unwrap();
    assert_eq!((&layer["level"], &layer["why"]), (&Value::from(0.6), &Value::from("fixed")));
    assert_eq!(operator(&plan, name)["target"], 0.6, "the plan is what is aimed at");
    let parameters = |key: &str| layers.iter().map(|row| row[key].as_f64().unwrap()).sum::<f64>();
    assert!(parameters("parameters") > 1e6);
}

#[test]
fn a_ratio_of_every_shape_is_one_of_each() {
    let place = Place::new();
    recorded(&place, "encoder", "out");
    let project = |more: &[&str]| {
        let fixed = ["project", "out", "--all", "--format", "json", "--target", "0.8"];
        json(&place.succeed(&[&fixed[..], more].concat()))
    };
    let defaults = project(&[]);
    let rows = defaults["projected_operators"].as_array().unwrap().iter();
    let mut shapes: Vec<String> = rows
        .filter(|row| row["projection"] == "projected")
        .map(|row| format!("{}@0.8=3", row["weight_shape"].as_str().unwrap()))
        .collect();
    shapes.sort_unstable();
    shapes.dedup();
    assert!(shapes.len() > 1, "{shapes:?}");
    let each: Vec<&str> = shapes.iter().flat_map(|ratio| ["--ratio", ratio]).collect();
    let narrower = ["--ratio", "1024x256@0.8=4"];
    let every = ["--ratio", "*@0.8=3"];
    assert_eq!(project(&every), project(&each));
    let later = project(&[&every[..], &narrower].concat());
    assert_eq!(later, project(&[&each[..], &narrower].concat()));
    assert_ne!(later, project(&every));
    // What is saved names the shapes, for the program as for a workbook.
    place.succeed(&["project", "out", "--ratio", "*@0.8=3", "--save-settings", "s.json"]);
    assert_eq!(project(&["--ratios", "s.json"])["projection"], project(&every)["projection"]);
}

#[test]
fn settings_are_saved_and_used_again() {
    let place = Place::new();
    recorded(&place, "encoder", "out");
    let options = ["--ratio", "256x256@0.85=3.25", "--target-type", "Gemm=0.75", "--budget", "0.6"];
    let report = |more: &[&str]| {
        let fixed = ["project", "out", "--all", "--format", "json"];
        let mut report = json(&place.succeed(&[&fixed[..], more].concat()));
        report.as_object_mut().unwrap().remove("notes");
        report
    };
    let file = "settings.json";
    let saved = report(&[&options[..], &["--save-settings", file]].concat());
    assert_eq!(report(&["--ratios", file, "--budget", "0.6"]), saved);
    let saved = report(&[&options[..4], &["-o", "projection.xlsx"]].concat());
    assert_eq!(report(&["--ratios", "projection.xlsx"]), saved);
}

#[test]
fn a_workbook_that_is_there_is_kept() {
    let place = Place::new();
    recorded(&place, "cnn", "out");
    place.write("mine.xlsx", b"mine");
    let refused = place.run(&["project", "out", "-o", "mine.xlsx"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("mine.xlsx: already exists; use --force"), "{}", refused.err);
    assert_eq!(std::fs::read(place.path("mine.xlsx")).unwrap(), b"mine");
    place.succeed(&["project", "out", "-o", "mine.xlsx", "--force"]);
    assert!(std::fs::read(place.path("mine.xlsx")).unwrap().starts_with(b"PK"));
}

#[test]
fn formats() {
    let place = Place::new();
    recorded(&place, "cnn", "out");
    let csv = place.run(&["project", "out", "--format", "csv", "-o", "tables"]);
    assert!(csv.out.starts_with("tables/projection.csv\n"), "{}", csv.out);
    let table = std::fs::read_to_string(place.path("tables/projection.csv")).unwrap();
    assert!(table.starts_with("figure,value,low,high,origin\n"), "{table}");
    assert!(csv.err.contains("note: the perf ratios of"), "{}", csv.err);
    let markdown = place.succeed(&["project", "out", "--format", "markdown"]);
    assert!(markdown.contains("\n\n### Projected total\n\n| Figure |"), "{markdown}");
    let headline = markdown.lines().next().unwrap();
    assert!(
        headline.contains("With 90 % sparsity in ") && headline.contains("faster"),
        "{headline}"
    );
    let projected =
        |target: &str| place.succeed(&["project", "out", "--target", target, "--format", "json"]);
    assert_eq!(projected("70%"), projected("0.7"));
    let refused = place.run(&["project", "out", "--save-settings", "settings.csv"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("expected a name that ends in .json\nhint: "), "{}", refused.err);
    place.write("settings.csv", b"setting,name,weight shape\n");
    let refused = place.run(&["project", "out", "--ratios", "settings.csv"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("--save-settings FILE.json"), "{}", refused.err);
}

#[test]
fn other_runtimes_are_projected_as_far_as_they_tell() {
    let place = Place::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let path = |name: &str| fixtures.join(name).canonicalize().unwrap().display().to_string();
    // Averages, no iterations, no weights: nothing to project, and it says so.
    let mut checked = 0;
    for folder in ["openvino", "tflite", "tract", "pytorch", "tensorrt", "onnxruntime"] {
        let manifest = std::fs::read_to_string(path("MANIFEST.json")).unwrap();
        let manifest = json(&manifest);
        let traces = manifest["traces"].as_array().unwrap();
        let names = traces.iter().filter_map(|trace| trace["file"].as_str());
        for name in names.filter(|name| name.starts_with(&format!("{folder}/"))) {
            let ran = place.run(&["project", &path(name), "--format", "json", "--all"]);
            if ran.code != Some(0) {
                // Some fixtures are parts that mean nothing alone.
                let summary = place.run(&["summary", &path(name)]);
                assert_ne!(summary.code, Some(0), "{name}: {}", ran.err);
                continue;
            }
            let report = json(&ran.out);
            for row in report["projected_operators"].as_array().unwrap() {
                let unknown = row["projection"] == "weight unknown";
                assert_eq!(row["perf_ratio"].is_null(), unknown, "{name}: {row}");
                let no_projection = unknown || row["latency_ms"].is_null();
                assert_eq!(row["projected_ms"].is_null(), no_projection, "{name}: {row}");
            }
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked}");
}

/// The notes of a report that name default perf ratios.
fn notes_of_defaults(report: &Value) -> Vec<&str> {
    let notes = report["notes"].as_array().unwrap().iter();
    notes.filter_map(|note| note["text"].as_str()).filter(|text| text.contains("default")).collect()
}

#[test]
fn a_default_is_named_wherever_a_figure_rests_on_one() {
    let place = Place::new();
    recorded(&place, "encoder", "out");
    let shapes = ["256x256", "1024x256", "256x1024", "2x256"];
    let given: Vec<String> = shapes
        .iter()
        .flat_map(|shape| ["--ratio".to_string(), format!("{shape}@0.9=4.6")])
        .collect();
    let fixed = ["project", "out", "--all", "--sparsity-table", "--format", "json"];
    let run = |more: &[&str]| {
        let given = given.iter().map(String::as_str);
        json(&place.succeed(
            &fixed.into_iter().chain(given).chain(more.iter().copied()).collect::<Vec<_>>(),
        ))
    };
    let name = "/bert/encoder/layer.0/intermediate/dense/MatMul";
    let check = |report: &Value, ratio: f64, origin: &str, total: &str| {
        let found = operator(report, name)["perf_ratio"].as_f64().unwrap();
        assert!((found - ratio).abs() < 1e-12, "{found}");
        assert_eq!(operator(report, name)["origin"], origin);
        let totals = report["projection"].as_array().unwrap();
        let of = |figure: &str| totals.iter().find(|row| row["figure"] == figure).unwrap();
        assert_eq!(of("speedup")["origin"], total);
        assert_eq!(of("projected_total_latency_ms")["origin"], total);
        assert_eq!(of("total_latency_ms")["origin"], "recorded");
    };
    let at_80 = run(&["--target", "0.8", "-o", "p.xlsx"]);
    check(&at_80, 2.5, "default, not measured", "default, not measured");
    let notes = notes_of_defaults(&at_80);
    assert!(notes[0].contains("1024x256 at 80 %") && !notes[0].contains("90 %"), "{notes:?}");
    let sweep: Vec<&str> = at_80["levels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["origin"].as_str().unwrap())
        .collect();
    assert_eq!(sweep, ["recorded", "given", "default, not measured", "default, not measured"]);

    let between = run(&["--target", "0.85"]);
    let words = "between 80 % (default) and 90 % (given)";
    check(&between, 3.55, words, "given and default");
    let highest = run(&["--target", "0.95"]);
    check(&highest, 4.6, "as at 90 % (given)", "given");
    assert!(
        !notes_of_defaults(&highest).iter().any(|note| note.contains("operators")),
        "{highest}"
    );
    let at_90 = run(&["--target", "0.9"]);
    check(&at_90, 4.6, "given", "given");

    // The same from the workbook, in which the other cells are as they were written.
    let read = |file: &str| json(&place.succeed(&[&fixed[..], &["--ratios", file]].concat()));
    assert_eq!(read("p.xlsx"), at_80);
    let saved =
        place.succeed(&["project", "out", "--ratios", "p.xlsx", "--save-settings", "s.json"]);
    assert!(saved.contains("default, not measured"), "{saved}");
    assert_eq!(read("s.json"), at_80);
}

#[test]
fn what_unknown_weights_would_gain_is_unknown() {
    let place = Place::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let path = |name: &str| fixtures.join(name).canonicalize().unwrap().display().to_string();
    for name in ["onnxruntime/1.31.1/cnn.json", "tensorrt/8.6/profile.json"] {
        let fixed = ["project", &path(name), "--all", "--sparsity-table", "--budget", "0.5"];
        let ran =
            place.run(&[&fixed[..], &["--format", "json", "-o", "p.xlsx", "--force"]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let report = json(&ran.out);
        let notes = report["notes"].to_string();
        assert!(notes.contains("add them with --model MODEL.onnx"), "{name}: {notes}");
        for row in report["projection"].as_array().unwrap() {
            let figure = row["figure"].as_str().unwrap();
            let sparse =
                figure.contains("sparse") || figure.contains("projected") || figure == "speedup";
            assert!(!sparse || row["value"].is_null(), "{name}: {row}");
        }
        assert!(figure(&report, "total_latency_ms") > 0.0);
        for row in report["levels"].as_array().unwrap().iter().skip(1) {
            assert!(row["latency_ms"].is_null() && row["speedup"].is_null(), "{name}: {row}");
        }
        for row in report["plan"].as_array().unwrap() {
            assert!(row["planned"].is_null() && row["gain"].is_null(), "{name}: {row}");
        }
        for format in ["table", "markdown"] {
            let text = place.run(&[&fixed[..], &["--format", format]].concat()).out;
            let line = text.lines().find(|line| line.contains("speedup")).unwrap();
            assert!(line.contains("unknown"), "{name}: {line}");
        }
        place.run(&[&fixed[..], &["--format", "csv", "-o", "tables", "--force"]].concat());
        let csv = std::fs::read_to_string(place.path("tables/projection.csv")).unwrap();
        let line = csv.lines().find(|line| line.starts_with("speedup,")).unwrap();
        assert!(!line.contains('1'), "{name}: {line}");
    }
    // The model tells the weights; operators that it does not have keep their latency.
    let joined =
        ["project", &path("onnxruntime/1.31.1/cnn.json"), "--model", &path("models/cnn.onnx")];
    let joined = json(&place.succeed(&[&joined[..], &["--all", "--format", "json"]].concat()));
    assert!(figure(&joined, "speedup") > 1.0);
    let notes = joined["notes"].to_string();
    assert!(!notes.contains("unknown (") && !notes.contains("add them with"), "{notes}");
}

#[test]
fn names_never_become_formulas() {
    let place = Place::new();
    let hostile = PROFILE
        .replace("Add_40,c:0", "\"=cmd|'/c calc'!A1\",@x")
        .replace("InnerProduct,,Add_41", "\"=7*191\",,\"<b>&\"\"*?~\"");
    place.write("profile.csv", hostile.as_bytes());
    place.succeed(&["project", "profile.csv", "--ratios", "profile.csv", "-o", "p.xlsx"]);
    let file = std::fs::File::open(place.path("p.xlsx")).unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    let mut formulas = 0;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let mut xml = String::new();
        std::io::Read::read_to_string(&mut entry, &mut xml).unwrap();
        for formula in xml.split("<f>").skip(1) {
            let formula = formula.split("</f>").next().unwrap();
            assert!(!formula.contains("cmd") && !formula.contains("7*191"), "{formula}");
            formulas += 1;
        }
        assert!(!xml.contains("<hyperlink"), "names are not links");
    }
    assert!(formulas > 100, "{formulas}");
}
