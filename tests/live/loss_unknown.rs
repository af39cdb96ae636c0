//! What a loss profile does not know stays unknown, and what cannot be is refused early.

use crate::json_schemas::valid;
use crate::onnx_file::{self, BOOL, FLOAT, Message, graph, graph_attribute, node, value};
use crate::program::{Place, json, model};
use crate::script::Script;
use serde_json::{Value, json as value_of};
use std::fs;

fn profile(place: &Place, name: &str) -> Value {
    json(&fs::read_to_string(place.path(name)).unwrap())
}

#[test]
fn a_plan_is_of_all_layers_also_where_few_are_pruned_by_themselves() {
    let place = Place::new();
    let path = model("encoder");
    let own = [
        "sensitivity",
        "--loss-only",
        &path,
        "--dim",
        "sequence=16",
        "--sparsities",
        "0.5",
        "--save",
        "loss.json",
    ];
    place.succeed(&own);
    let layers = profile(&place, "loss.json")["layers"].as_array().unwrap().clone();
    let names: Vec<&str> = layers.iter().map(|layer| layer["name"].as_str().unwrap()).collect();
    let plan = |level: f64| {
        let settings = value_of!({
            "format": "onnxray sparse settings",
            "version": 1,
            "targets": {"operators": {names[0]: level, names[1]: level}},
        });
        place.write("plan.json", settings.to_string().as_bytes());
    };
    plan(0.5);
    let planned = [&own[..], &["--plan", "plan.json", "--force"]].concat();
    let one = [&planned[..], &["--layer", names[0]]].concat();
    place.succeed(&one);
    let first = profile(&place, "loss.json");
    assert_eq!(first["layers"].as_array().unwrap().len(), 1);
    assert_eq!(first["plan"]["levels"].as_array().unwrap().len(), 2);
    assert!(first["plan"]["measured"]["divergence"].as_f64().unwrap() > 0.0);
    assert!(first["plan"]["predicted"].is_null(), "of one layer nothing is known");
    let lacking = format!("the loss profile has nothing of {}", names[1]);
    assert!(first["notes"].to_string().contains(&lacking), "{}", first["notes"]);
    place.succeed(&planned);
    assert!(profile(&place, "loss.json")["plan"]["predicted"].as_f64().unwrap() > 0.0);
    // Higher than what was measured.
    plan(0.6);
    place.succeed(&planned);
    let above = profile(&place, "loss.json");
    assert!(above["plan"]["predicted"].is_null(), "{}", above["plan"]);
    assert!(above["notes"].to_string().contains("ends below"), "{}", above["notes"]);
}

#[test]
fn tables_have_their_journal_beside_the_folder_and_need_one() {
    let place = Place::new();
    let path = model("scan");
    let csv = [
        "sensitivity",
        "--loss-only",
        &path,
        "--dim",
        "frames=4",
        "--sparsities",
        "0.5",
        "--format",
        "csv",
    ];
    for more in [&[][..], &["--save", "x.json"], &["-o", "x.xlsx"]] {
        let refused = place.run(&[&csv[..], more].concat());
        assert_eq!(refused.code, Some(1), "{more:?}: {}", refused.err);
        assert!(refused.err.contains("CSV has one table"), "{more:?}: {}", refused.err);
        assert!(!place.path("x.json").exists() && !place.path("x.xlsx").exists(), "{more:?}");
    }
    let tables = [&csv[..], &["-o", "new/tables/"]].concat();
    fs::create_dir(place.path("new")).unwrap();
    place.write("new/tables.journal", b"somebody else's\n");
    let refused = place.run(&tables);
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("in the place of the journal"), "{}", refused.err);
    fs::remove_dir_all(place.path("new")).unwrap();
    place.succeed(&tables);
    assert!(place.path("new/tables/loss_layers.csv").exists());
    assert!(!place.path("new/tables.journal").exists());
}

#[test]
fn a_journal_of_other_weights_in_another_file_is_refused() {
    let place = Place::new();
    let entry = |key: &str, value: &str| Message::default().text(1, key).text(2, value);
    let start = Message::default().number(1, 4).number(1, 4).number(2, FLOAT).text(8, "w");
    let tensor = start.message(13, entry("location", "w.bin")).number(14, 1);
    let nodes = vec![node("MatMul", "product", &["x", "w"], &["y"])];
    let (x, y) = (value("x", FLOAT, &[1, 4]), value("y", FLOAT, &[1, 4]));
    place.write("m.onnx", &onnx_file::model(nodes, vec![tensor], vec![x], vec![y]));
    let weights = |first: u8| -> Vec<u8> {
        (first..first + 16).flat_map(|number| f32::from(number).to_le_bytes()).collect()
    };
    place.write("w.bin", &weights(1));
    place.succeed(&["sensitivity", "--loss-only", "m.onnx", "--save", "one.json"]);
    let run = profile(&place, "one.json")["run"].clone();
    let header = value_of!({"format": "onnxray loss journal", "version": 1, "run": run});
    place.write("two.json.journal", format!("{header}\n").as_bytes());
    place.write("w.bin", &weights(2));
    let refused = place.run(&["sensitivity", "--loss-only", "m.onnx", "--save", "two.json"]);
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("differs in: external sha256"), "{}", refused.err);
    place.write("w.bin", &weights(1));
    place.succeed(&["sensitivity", "--loss-only", "m.onnx", "--save", "two.json"]);
    assert_eq!(profile(&place, "two.json"), profile(&place, "one.json"));
}

#[test]
fn weights_of_one_name_in_two_branches_are_two_and_left_out() {
    let place = Place::new();
    let ascending: Vec<f32> = (1..=16).map(|number| number as f32).collect();
    let constant = |name: &str| {
        let tensor = onnx_file::floats("", &[4, 4], &ascending);
        let attribute = Message::default().text(1, "value").message(5, tensor).number(20, 4);
        node("Constant", name, &[], &["w"]).message(5, attribute)
    };
    let branch = |name: &str, output: &str| {
        let product = node("MatMul", &format!("{name}/MatMul"), &["v", "w"], &[output]);
        graph(vec![constant(&format!("{name}/w")), product], vec![value(output, FLOAT, &[1, 4])])
    };
    let nodes = vec![
        node("MatMul", "outer", &["x", "o"], &["v"]),
        node("If", "choose", &["flag"], &["y"])
            .message(5, graph_attribute("then_branch", branch("then", "t")))
            .message(5, graph_attribute("else_branch", branch("else", "e"))),
    ];
    let inputs = vec![value("flag", BOOL, &[1]), value("x", FLOAT, &[1, 4])];
    let outer = vec![onnx_file::floats("o", &[4, 4], &ascending)];
    let y = vec![value("y", FLOAT, &[1, 4])];
    place.write("m.onnx", &onnx_file::model(nodes, outer, inputs, y));
    place.succeed(&["sensitivity", "--loss-only", "m.onnx", "--save", "loss.json"]);
    let layers = profile(&place, "loss.json")["layers"].as_array().unwrap().clone();
    let found: Vec<(&str, Option<&str>)> = layers
        .iter()
        .map(|layer| (layer["name"].as_str().unwrap(), layer["left_out"].as_str()))
        .collect();
    let why = Some("several constants have this name");
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.contains(&("outer", None)), "{found:?}");
    for name in ["then/MatMul", "else/MatMul"] {
        assert!(found.contains(&(name, why)), "{found:?}");
    }
}

#[test]
fn figures_of_two_kinds_have_no_mean() {
    let place = Place::new();
    let ascending: Vec<f32> = (1..=16).map(|number| number as f32).collect();
    let weights = ["a", "b"].map(|name| onnx_file::floats(name, &[4, 4], &ascending));
    let nodes = vec![
        node("MatMul", "first", &["x", "a"], &["logits"]),
        node("MatMul", "second", &["x", "b"], &["xb"]),
        node("Tanh", "bound", &["xb"], &["y"]),
    ];
    let outputs = ["logits", "y"].map(|name| value(name, FLOAT, &[1, 4]));
    let x = value("x", FLOAT, &[1, 4]);
    place.write("m.onnx", &onnx_file::model(nodes, weights.into(), vec![x], outputs.into()));
    let times = value_of!({"m.onnx": {"operator_ns": 1_000}});
    Script::new(&place, times, &[]).succeed(&["record", "m.onnx", "--iterations", "3"]);
    let average = |more: &[&str]| {
        let own = [
            "sensitivity",
            "--loss-only",
            "m.onnx",
            "--save",
            "loss.json",
            "--format",
            "json",
            "--force",
        ];
        valid("sensitivity", &place.succeed(&[&own, more].concat()))["loss"]["average_sensitivity"]
            .clone()
    };
    let project = || {
        let arguments = ["project", "engine_profiling", "--budget", "--sensitivity", "loss.json"];
        let ended = place.run(&arguments);
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        ended.err
    };
    assert!(average(&[]).is_null());
    assert!(project().contains("loss.json: 1 of 2 outputs are compared by relative L2"));
    assert!(average(&["--measure", "l2"]).is_number());
    assert!(!project().contains("by relative L2"));
}
