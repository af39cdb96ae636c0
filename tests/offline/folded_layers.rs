//! Layers that repeat, compared as one.

use crate::program::{Place, json};
use serde_json::Value;
use std::fs;

/// Whole numbers at random, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators".
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From -1 to 1, with a deviation of about 0.41: a sum of two even ones.
    fn deviation(&mut self) -> f64 {
        let even = |random: &mut Random| (random.next() >> 11) as f64 / (1u64 << 53) as f64;
        even(self) + even(self) - 1.0
    }
}

/// A layer: its name, and how long it takes in a launch, in µs.
type Layer<'a> = (String, &'a str, Box<dyn FnMut() -> f64 + 'a>);

/// A folder of launches, in each of which every layer has one time, give or take 2 µs.
fn record(place: &Place, folder: &str, launches: usize, layers: &mut [Layer]) {
    fs::create_dir_all(place.path(folder)).unwrap();
    for launch in 0..launches {
        let (mut events, mut now) = (Vec::new(), 1000);
        let times: Vec<usize> =
            layers.iter_mut().map(|(.., time)| time().round() as usize).collect();
        for iteration in 0..20 {
            let start = now;
            for (node, (name, op_type, _)) in layers.iter().enumerate() {
                let time = times[node] + (iteration * 7 + launch * 3 + node) % 5;
                events.push(serde_json::json!({"cat": "Node", "pid": 1, "tid": 1, "ph": "X",
                    "name": format!("{name}_kernel_time"), "ts": now, "dur": time,
                    "args": {"op_name": op_type, "provider": "CPUExecutionProvider",
                        "node_index": node.to_string()}}));
                now += time;
            }
            events.push(serde_json::json!({"cat": "Session", "pid": 1, "tid": 1, "ph": "X",
                "name": "model_run", "ts": start, "dur": now - start + 3, "args": {}}));
            now += 10;
        }
        let text = serde_json::to_string(&events).unwrap();
        place.write(&format!("{folder}/{launch}.json"), text.as_bytes());
    }
}

/// Blocks of two layers each and a head. The second one of each takes `ratio` as long as 1 ms, the
/// others 0.1 ms; what a launch makes of a layer scatters by `scatter`.
fn transformer(
    place: &Place,
    folder: &str,
    blocks: usize,
    ratio: impl Fn(usize) -> f64,
    scatter: f64,
) {
    let seed = folder.bytes().fold(7, |seed: u64, byte| seed * 31 + u64::from(byte));
    let mut randoms: Vec<Random> =
        (0..=2 * blocks as u64).map(|layer| Random(seed * 1_000 + layer)).collect();
    let mut layers: Vec<Layer> = Vec::new();
    for (at, random) in randoms.iter_mut().enumerate() {
        let (block, role) = (at / 2, ["fc1", "fc2"][at % 2]);
        let is_head = block == blocks;
        let name = match is_head {
            true => "/head/MatMul".to_string(),
            false => format!("/blocks.{block}/mlp/{role}"),
        };
        let typical = if role == "fc2" { 1000.0 * ratio(block) } else { 100.0 };
        let time = move || typical * (1.0 + scatter * random.deviation());
        layers.push((name, "MatMul", Box::new(time)));
    }
    record(place, folder, 6, &mut layers);
}

fn compared(place: &Place, a: &str, b: &str, more: &[&str]) -> Value {
    let arguments = [&["compare", a, b, "--format", "json"], more].concat();
    json(&place.succeed(&arguments))
}

fn rows<'a>(report: &'a Value, table: &str) -> &'a Vec<Value> {
    report[table].as_array().unwrap_or_else(|| panic!("no {table}"))
}

fn row<'a>(report: &'a Value, table: &str, name: &str) -> &'a Value {
    let found = rows(report, table).iter().find(|row| row["layer"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {table}"))
}

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap_or_else(|| panic!("{key}: {row}"))
}

const FC1: &str = "/blocks.*/mlp/fc1";
const FC2: &str = "/blocks.*/mlp/fc2";

/// 5 % in each of 40 layers, of which launches make what scatters by as much.
#[test]
fn a_pattern_shows_what_hardly_any_of_its_layers_does() {
    let place = Place::new();
    transformer(&place, "a", 40, |_| 1.0, 0.16);
    transformer(&place, "b", 40, |_| 1.05, 0.16);
    let report = compared(&place, "a", "b", &[]);
    let of_layers = rows(&report, "layers").iter();
    let called = of_layers.filter(|row| row["verdict"] == "slower").count();
    assert_eq!(rows(&report, "layers").len(), 81);
    assert!(called <= 1, "{called} of 40 are found");
    let slower = row(&report, "patterns", FC2);
    assert_eq!((&slower["verdict"], &slower["count"]), (&"slower".into(), &40.into()));
    assert!(number(slower, "ratio_low") < 1.05 && 1.05 < number(slower, "ratio_high"), "{slower}");
    assert_ne!(row(&report, "patterns", FC1)["verdict"], "slower");
    // The head is in no pattern.
    assert_eq!(row(&report, "patterns", "/head/MatMul")["count"], 1);
    assert_eq!(rows(&report, "patterns").len(), 3);
    let shown = place.succeed(&["compare", "a", "b"]);
    assert!(shown.contains("\nLayers by pattern, typical times (xN: "), "{shown}");
    assert!(shown.contains("/blocks.*/mlp/fc2 x40"), "{shown}");
    assert!(!shown.contains("\n/blocks.1/"), "{shown}");
}

/// Where nothing differs, no more than the nominal rate is called.
#[test]
fn equal_patterns_are_called_no_more_often_than_the_level_says() {
    let place = Place::new();
    let (mut tested, mut below, mut called) = (0, 0, 0);
    for turn in 0..40 {
        let [a, b] = ["a", "b"].map(|side| format!("{side}{turn}"));
        transformer(&place, &a, 5, |_| 1.0, 0.05);
        transformer(&place, &b, 5, |_| 1.0, 0.05);
        let report = compared(&place, &a, &b, &["--noise-threshold", "0.001"]);
        let patterns: Vec<&Value> =
            rows(&report, "patterns").iter().filter(|row| row["count"] == 5).collect();
        tested += patterns.len();
        below += patterns.iter().filter(|row| number(row, "p") <= 0.05).count();
        let differ = |row: &Value| ["slower", "faster"].map(Value::from).contains(&row["verdict"]);
        called += usize::from(rows(&report, "patterns").iter().any(differ));
        fs::remove_dir_all(place.path(&a)).unwrap();
        fs::remove_dir_all(place.path(&b)).unwrap();
    }
    // Of 80 tests at 0.05, 4 are expected, and of 40 comparisons 2: 9 and 6 are one in fifty.
    assert_eq!(tested, 80);
    assert!(below <= 9, "{below}");
    assert!(called <= 6, "{called}");
}

#[test]
fn folded_or_not_parts_add_up() {
    let place = Place::new();
    transformer(&place, "a", 6, |_| 1.0, 0.05);
    transformer(&place, "b", 6, |block| 1.0 + block as f64 * 0.1, 0.05);
    let report = compared(&place, "a", "b", &[]);
    let members = |pattern: &Value| -> Vec<&Value> {
        let names = pattern["members"].as_str().unwrap().split("; ");
        names.map(|name| row(&report, "layers", name)).collect()
    };
    let mut all = 0;
    for pattern in rows(&report, "patterns") {
        let members = members(pattern);
        assert_eq!(pattern["count"], members.len(), "{pattern}");
        all += members.len();
        for key in [
            "a_mean_ms",
            "b_mean_ms",
            "mean_difference_ms",
            "share_of_difference",
            "a_share",
            "b_share",
        ] {
            let sum: f64 = members.iter().map(|member| number(member, key)).sum();
            assert!((sum - number(pattern, key)).abs() < 1e-9, "{key}: {sum}, {pattern}");
        }
    }
    // Each layer is in one row.
    assert_eq!(all, rows(&report, "layers").len());
    let causes = rows(&report, "causes");
    let sum: f64 = causes.iter().map(|cause| number(cause, "difference_ms")).sum();
    let whole = number(&rows(&report, "inference")[0], "difference");
    assert!((sum - whole).abs() < 1e-9, "{sum}, {whole}");
    assert!(
        causes.iter().any(|cause| cause["cause"] == format!("MatMul {FC2} (x6)")),
        "{causes:?}"
    );
}

#[test]
fn the_layer_that_differs_from_its_pattern_is_named() {
    let place = Place::new();
    transformer(&place, "a", 8, |_| 1.0, 0.01);
    transformer(&place, "b", 8, |block| if block == 3 { 1.5 } else { 1.0 }, 0.01);
    let report = compared(&place, "a", "b", &[]);
    let pattern = row(&report, "patterns", FC2);
    assert_eq!(pattern["unlike"], "/blocks.3/mlp/fc2", "{pattern}");
    let equal = row(&report, "patterns", FC1);
    assert_eq!((&equal["unlike"], &equal["unlike_count"]), (&Value::Null, &0.into()));
    let shown = place.succeed(&["compare", "a", "b", "--wide"]);
    let line = "unlike the others: /blocks.3/mlp/fc2: +";
    assert!(shown.contains(line), "{shown}");
}

/// Nothing repeats: there is one table, whatever is asked for.
#[test]
fn what_does_not_repeat_is_not_folded() {
    let place = Place::new();
    // Three are read as quickly one by one.
    transformer(&place, "a", 1, |_| 1.0, 0.01);
    transformer(&place, "b", 1, |_| 1.2, 0.01);
    let arguments = ["compare", "a", "b", "--all"];
    let shown = place.succeed(&arguments);
    for more in ["--fold", "--no-fold"] {
        assert_eq!(place.succeed(&[&arguments[..], &[more]].concat()), shown);
    }
    let report = compared(&place, "a", "b", &[]);
    assert!(report["patterns"].is_null() && rows(&report, "layers").len() == 3);
}

#[test]
fn folding_is_asked_for_or_left_out() {
    let place = Place::new();
    transformer(&place, "a", 4, |_| 1.0, 0.01);
    transformer(&place, "b", 4, |_| 1.2, 0.01);
    let both = compared(&place, "a", "b", &[]);
    let layers = compared(&place, "a", "b", &["--no-fold"]);
    assert!(layers["patterns"].is_null());
    // Nothing else is another.
    let mut alone = both.clone();
    let number = |name: &str| row(&both, "patterns", name)["number"].clone();
    for layer in alone["layers"].as_array_mut().unwrap() {
        let name = layer["layer"].as_str().unwrap().to_string();
        let pattern = layer.as_object_mut().unwrap().remove("pattern").unwrap();
        let expected = [(FC1, "fc1"), (FC2, "fc2")];
        let expected = expected.into_iter().find(|(_, role)| name.contains(role));
        assert_eq!(pattern, number(expected.map_or(&name, |(pattern, _)| pattern)), "{name}");
    }
    alone.as_object_mut().unwrap().remove("patterns");
    assert_eq!(layers, alone);
    let of =
        |more: &[&str]| place.succeed(&[&["compare", "a", "b", "--view", "layers"], more].concat());
    assert!(!of(&["--no-fold"]).contains("blocks.*"), "{}", of(&["--no-fold"]));
    // The last one counts.
    assert!(of(&["--no-fold", "--fold"]).contains("/blocks.*/mlp/fc2 x4"));
    assert!(of(&["--layer", "blocks.2"]).contains("/blocks.2/mlp/fc2 "));
    assert!(of(&["--layer", "blocks.2", "--fold"]).contains("/blocks.*/mlp/fc2 x4"));
    assert_eq!(of(&["--format", "csv"]).lines().count(), 10);
    assert_eq!(of(&["--format", "csv", "--fold"]).lines().count(), 4);
}

/// On one side only, of other types, of other shapes: none of them is in a pattern with the others.
#[test]
fn layers_that_are_not_alike_are_not_folded() {
    let place = Place::new();
    let layers = |types: [&'static str; 6]| -> Vec<Layer> {
        let named = types.into_iter().enumerate().filter(|(_, op_type)| !op_type.is_empty());
        named
            .map(|(at, op_type)| -> Layer {
                (format!("/layer.{at}/op"), op_type, Box::new(|| 1000.0))
            })
            .collect()
    };
    record(&place, "a", 3, &mut layers(["Conv"; 6]));
    record(&place, "b", 3, &mut layers(["Conv", "Conv", "Conv", "Conv", "FusedConv", ""]));
    record(&place, "c", 3, &mut layers(["QLinearConv"; 6]));
    let report = compared(&place, "a", "b", &[]);
    let counts = rows(&report, "patterns").iter();
    let counts: Vec<(&Value, &Value)> = counts.map(|row| (&row["layer"], &row["count"])).collect();
    assert_eq!(counts.len(), 3, "{counts:?}");
    assert!(counts.contains(&(&"/layer.*/op".into(), &4.into())), "{counts:?}");
    // Other types on the other side are what is compared.
    let report = compared(&place, "a", "c", &[]);
    let pattern = &rows(&report, "patterns")[0];
    assert_eq!((&pattern["count"], &pattern["b_type"]), (&6.into(), &"QLinearConv".into()));
}

#[test]
fn a_gate_names_a_pattern_once_and_a_member_if_its_pattern_passes() {
    let place = Place::new();
    transformer(&place, "a", 6, |_| 1.0, 0.01);
    transformer(&place, "b", 6, |_| 1.2, 0.01);
    transformer(&place, "c", 6, |block| if block == 2 { 1.2 } else { 1.0 }, 0.01);
    let gate = |b: &str, more: &[&str]| {
        let finished = place.run(&[&["compare", "a", b, "--view", "inference"], more].concat());
        (finished.code, finished.err)
    };
    let (code, said) = gate("b", &["--fail-layers-above", "10%"]);
    let line = "failed: b: 1 pattern of layers is slower by more than 10 %\n  \
                /blocks.*/mlp/fc2 (x6): +1.";
    assert!(
        said.contains(line) && said.contains("% (95 % CI +") && !said.contains("/blocks.1/"),
        "{said}"
    );
    assert_eq!(code, Some(3), "{said}");
    let (code, said) = gate("c", &["--fail-layers-above", "10%"]);
    let line = "failed: c: 1 layer is slower by more than 10 %\n  /blocks.2/mlp/fc2: +0.2";
    assert!(said.contains(line), "{said}");
    assert_eq!(code, Some(3), "{said}");
    let (code, said) = gate("b", &["--fail-layers-above", "30%"]);
    // The latency, which is slower, is not gated.
    assert!(said.contains("passed: b: 2 patterns of layers and 1 layer pass\n"), "{said}");
    assert_eq!(code, Some(0), "{said}");
    let (_, said) = gate("b", &["--fail-layers-above", "30%", "--fail-above", "30%"]);
    assert!(said.contains("; 2 patterns of layers and 1 layer pass, too"), "{said}");
}

#[test]
fn patterns_of_many_comparisons_are_a_family_of_their_own() {
    let place = Place::new();
    transformer(&place, "a", 40, |_| 1.0, 0.16);
    transformer(&place, "b", 40, |_| 1.05, 0.16);
    let report = place.succeed(&["compare", "a", "b", "--format", "json"]);
    place.write("all.json", report.as_bytes());
    let found = json(&place.succeed(&["regressions", "all.json", "--format", "json"]));
    let figures = &found["regressions"];
    assert_eq!((&figures["patterns_tested"], &figures["layers_tested"]), (&2.into(), &81.into()));
    let slower = row(&found, "patterns", FC2);
    assert_eq!((&slower["count"], &slower["verdict"]), (&40.into(), &"slower".into()));
    let shown = place.succeed(&["regressions", "all.json"]);
    assert!(shown.contains("of 2 patterns of layers, 1 is slower; of 81 layers, "), "{shown}");
}
