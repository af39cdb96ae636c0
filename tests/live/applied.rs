//! A projection applied: the model's own file with zeros, and what is refused.

use crate::onnx_file::{self, FLOAT, Message, node, value};
use crate::program::{Finished, Place, json, model};
use crate::pruned_encoder;
use crate::recordings::recorded;
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

const SIZE: usize = 8;

/// Elements of the weight of that name: inputs x outputs, none like another.
fn weight(name: &str) -> Vec<f32> {
    let seed = name.bytes().fold(7u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let number = |at: u32| (seed.wrapping_add(at).wrapping_mul(2_654_435_761) >> 8) as f32;
    (0..(SIZE * SIZE) as u32).map(|at| (number(at) / 16_777_216.0 - 0.5) * 4.0).collect()
}

/// The same with zeros in this share of the blocks of four outputs and one input, which lie side by
/// side there.
fn pruned(name: &str, level: f64) -> Vec<f32> {
    let mut elements = weight(name);
    let sum = |block: usize| -> f64 {
        elements[block * 4..][..4].iter().map(|&own| f64::from(own).abs()).sum()
    };
    let mut blocks: Vec<(f64, usize)> = (0..elements.len() / 4).map(|at| (sum(at), at)).collect();
    blocks.sort_by(|one, other| one.partial_cmp(other).unwrap());
    let gone = (level * blocks.len() as f64).round() as usize;
    blocks[..gone].iter().for_each(|(_, at)| elements[at * 4..][..4].fill(0.0));
    elements
}

type Weights = HashMap<&'static str, Vec<f32>>;

/// Each weight pruned this far.
fn weights(levels: &[(&'static str, f64)]) -> Weights {
    levels.iter().map(|&(name, level)| (name, pruned(name, level))).collect()
}

fn start(name: &str, element_type: u64) -> Message {
    let shape = Message::default().number(1, SIZE as u64).number(1, SIZE as u64);
    shape.number(2, element_type).text(8, name)
}

fn raw(elements: &[f32]) -> Vec<u8> {
    elements.iter().flat_map(|own| own.to_le_bytes()).collect()
}

/// A chain of products, whose weights are stored in every way that there is.
fn chain(weights: &Weights) -> Vec<u8> {
    let own = |name: &str| weights.get(name).cloned().unwrap_or_else(|| weight(name));
    let small: Vec<u8> = (0..64).map(|at| at as u8 * 3).collect();
    // 0.5 and what follows in fp16.
    let half: Vec<u8> = (0..64u16).flat_map(|at| (0x3800 + at).to_le_bytes()).collect();
    let in_node = own("in_node").iter().fold(start("", FLOAT), |tensor, &own| tensor.float(4, own));
    let attribute = Message::default().text(1, "value").message(5, in_node).number(20, 4);
    let product = |name: &'static str, x, w, y| node("MatMul", name, &[x, w], &[y]);
    let nodes = vec![
        product("/raw", "x", "raw", "a"),
        product("/typed", "a", "typed", "b"),
        node("Constant", "/constant", &[], &["in_node"]).message(5, attribute),
        product("/in_node", "b", "in_node", "c"),
        product("/one", "c", "tied", "d"),
        product("/two", "d", "tied", "e"),
        node("DequantizeLinear", "/real", &["small", "scale"], &["of_small"]),
        product("/small", "e", "of_small", "f"),
        node("Cast", "/cast", &["half"], &["of_half"])
            .message(5, onnx_file::whole_attribute("to", 1)),
        product("/half", "f", "of_half", "g"),
        product("/odd", "g", "odd", "y"),
    ];
    let odd =
        Message::default().number(1, SIZE as u64).number(1, 6).number(2, FLOAT).text(8, "odd");
    let constants = vec![
        start("raw", FLOAT).bytes(9, &raw(&own("raw"))),
        start("typed", FLOAT).bytes(4, &raw(&own("typed"))),
        start("tied", FLOAT).bytes(9, &raw(&own("tied"))),
        start("small", 3).bytes(9, &small),
        onnx_file::floats("scale", &[], &[0.5]),
        start("half", 10).bytes(9, &half),
        odd.bytes(9, &raw(&weight("odd")[..48])),
    ];
    onnx_file::model(
        nodes,
        constants,
        vec![value("x", FLOAT, &[1, SIZE as u64])],
        vec![value("y", FLOAT, &[1, 6])],
    )
}

/// A place with the chain and a recording of it.
fn place() -> Place {
    let place = Place::new();
    place.write("chain.onnx", &chain(&Weights::new()));
    record(&place, "chain.onnx");
    place
}

fn record(place: &Place, model: &str) {
    place.succeed(&["record", model, "--iterations", "3", "--no-roofs", "--out", "out"]);
}

fn apply(place: &Place, more: &[&str]) -> Finished {
    place.run(&[&["project", "out", "--apply", "chain.onnx", "-o", "new.onnx"], more].concat())
}

#[track_caller]
fn refused(place: &Place, more: &[&str], error: &str) {
    apply(place, more).failed(error);
    assert!(!place.path("new.onnx").exists());
}

fn read(place: &Place, name: &str) -> Vec<u8> {
    fs::read(place.path(name)).unwrap()
}

#[test]
fn the_encoder_gets_the_zeros_that_numpy_made() {
    let place = Place::new();
    recorded(&place, "encoder", "out");
    let path = model("encoder");
    let said = place.succeed(&["project", "out", "--apply", &path, "-o", "new.onnx", "--all"]);
    let (ours, theirs) = (read(&place, "new.onnx"), fs::read(pruned_encoder::path()).unwrap());
    let before = fs::read(&path).unwrap();
    assert_eq!(ours.len(), theirs.len());
    // NumPy multiplied by zero, which leaves the sign.
    let is_same = |(own, other): (&u8, &u8)| own == other || (*own, *other) == (0, 0x80);
    assert!(ours.iter().zip(&theirs).all(is_same), "the same elements are zero");
    let zeros = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == 0).count();
    assert!(zeros(&ours) > zeros(&before) + 4 * 1_400_000, "nine tenths of 1,638,400");
    assert!(
        said.contains("Of 14 weights, 13 were pruned: 90 % of their blocks of 4x1 are zero"),
        "{said}"
    );
    assert!(said.contains("pruning costs accuracy: retrain"), "{said}");
    // What is pruned is found again, and is what the projection calls pruned already.
    place.succeed(&[
        "record",
        "new.onnx",
        "--dim",
        "sequence=16",
        "--iterations",
        "2",
        "--no-roofs",
        "--out",
        "again",
    ]);
    let found =
        json(&place.succeed(&["summary", "again", "--level", "operator", "--format", "json"]));
    let ratios: Vec<f64> = found["operators"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|row| row["sparse_ratio_4x1"].as_f64())
        .collect();
    assert_eq!(ratios.len(), 13);
    assert!(ratios.iter().all(|ratio| (ratio - 0.9).abs() < 1e-4), "{ratios:?}");
}

#[test]
fn weights_are_pruned_wherever_they_are_stored() {
    let place = place();
    let targets = ["--target", "0.5", "--target-op", "/in_node=0.75", "--target-op", "/typed=0"];
    let said = apply(&place, &[&targets[..], &["--format", "json"]].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    let expected = weights(&[("raw", 0.5), ("in_node", 0.75), ("tied", 0.5)]);
    assert!(read(&place, "new.onnx") == chain(&expected), "nothing else changes");
    crate::json_schemas::valid("project", &said.out);
    let report = json(&said.out);
    let rows = report["pruned_layers"].as_array().unwrap();
    let row = |row: &Value| {
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_string();
        (text("name"), row["target"].as_f64(), row["reached"].as_f64(), text("why"))
    };
    let row_of = |name: &str, target, reached, why: &str| {
        (name.to_string(), target, reached, why.to_string())
    };
    let found: Vec<_> = rows.iter().map(row).collect();
    let expected = [
        row_of("/raw", Some(0.5), Some(0.5), ""),
        row_of("/typed", Some(0.0), None, "its target is 0"),
        row_of("/in_node", Some(0.75), Some(0.75), ""),
        row_of("/one", Some(0.5), Some(0.5), ""),
        row_of("/small", Some(0.5), None, "its elements are s8, not fp32"),
        row_of("/half", Some(0.5), None, "its elements are fp16, not fp32"),
        row_of("/odd", None, None, "the outputs of its weight are not a multiple of 4"),
    ];
    assert_eq!(found, expected, "the weight of two operators once");
    let notes = report["notes"].to_string();
    for name in ["/small (its elements are s8", "/half (", "/odd ("] {
        assert!(notes.contains(name), "{name}: {notes}");
    }
    // A table of its own, so that CSV needs no folder; a budget's plan as well.
    let more = ["--budget", "0.4", "--format", "csv", "--force", "--save-settings", "plan.json"];
    let said = apply(&place, &more);
    assert!(
        said.out.starts_with("name,weight,weight_shape,target,before,reached,"),
        "{}",
        said.out
    );
    let plan = json(&fs::read_to_string(place.path("plan.json")).unwrap());
    let levels = plan["targets"]["operators"].as_object().unwrap();
    let level = |name: &str| levels[name].as_f64().unwrap();
    let planned = weights(&[
        ("raw", level("/raw")),
        ("typed", level("/typed")),
        ("in_node", level("/in_node")),
        ("tied", level("/one")),
    ]);
    // Which layers a plan takes depends on what they took.
    assert!(levels.values().any(|level| level.as_f64() > Some(0.0)), "{levels:?}");
    assert!(read(&place, "new.onnx") == chain(&planned));
    let said = apply(&place, &["--target", "0.5", "--force"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let all = ["raw", "typed", "in_node", "tied"].map(|name| (name, 0.5));
    assert!(read(&place, "new.onnx") == chain(&weights(&all)));
}

#[test]
fn what_cannot_be_pruned_is_refused() {
    let place = place();
    let unlike = ["--target-op", "/one=0.5", "--target-op", "/two=0.75"];
    refused(
        &place,
        &unlike,
        "error: `/one` and `/two` have one weight, `tied`, and different targets: 50 % and 75 %\n\
         hint: set the same for both with --target-op\n",
    );
    refused(
        &place,
        &["--target-op", "/three=0.5"],
        "error: --target-op has no effect: there is no operator `/three`\n\
         hint: the operators are `/raw`, `/typed`, `/in_node`, `/one`, `/two`, `/small`, `/half`, `/odd`\n",
    );
    assert_eq!(apply(&place, &["--target", "1.5"]).code, Some(2), "from 0 to 1");
    let nothing = apply(&place, &["--target", "0"]);
    assert!(
        nothing.err.starts_with("error: nothing is pruned: /raw (its target is 0)"),
        "{}",
        nothing.err
    );
    assert!(!place.path("new.onnx").exists());
    // Models that are not the recording's.
    let mut odd = weight("raw");
    odd[17] = f32::NAN;
    place.write("chain.onnx", &chain(&HashMap::from([("raw", odd)])));
    refused(
        &place,
        &[],
        "error: chain.onnx: the weight `raw` of `/raw` has elements that are not finite\n\
         hint: --target-op /raw=0 leaves this weight as it is\n",
    );
    let one = |name: &'static str, rows: u64| {
        onnx_file::model(
            vec![node("MatMul", "/other", &["x", name], &["y"])],
            vec![onnx_file::floats(name, &[rows, 8], &vec![1.0; rows as usize * 8])],
            vec![value("x", FLOAT, &[1, rows])],
            vec![value("y", FLOAT, &[1, 8])],
        )
    };
    place.write("chain.onnx", &one("other", 8));
    refused(
        &place,
        &[],
        "error: chain.onnx: has no weight `raw`, which operator `/raw` has\n\
         hint: name the model that was recorded; --target-op /raw=0 leaves this weight as it is\n",
    );
    place.write("chain.onnx", &one("raw", 4));
    refused(
        &place,
        &[],
        "error: chain.onnx: the weight of `/raw` is 8x4, but 8x8 in the recording\n\
         hint: name the model that was recorded; --target-op /raw=0 leaves this weight as it is\n",
    );
    // The same weights with other elements, as after training, are pruned with a word about it.
    let trained = HashMap::from([("raw", weight("other"))]);
    place.write("chain.onnx", &chain(&trained));
    let said = apply(&place, &["--target", "0.5"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(
        said.err.contains("chain.onnx: is another file than the recording's model"),
        "{}",
        said.err
    );
}

#[test]
fn neither_the_model_nor_another_file_is_overwritten() {
    let place = place();
    let before = read(&place, "chain.onnx");
    let project = |output: &str, more: &[&str]| {
        place.run(&[&["project", "out", "--apply", "chain.onnx", "-o", output], more].concat())
    };
    place.write("there.onnx", b"mine");
    project("there.onnx", &[])
        .failed("error: there.onnx: already exists; use --force to replace it\n");
    assert_eq!(read(&place, "there.onnx"), b"mine");
    #[cfg(unix)]
    std::os::unix::fs::symlink("chain.onnx", place.path("link.onnx")).unwrap();
    fs::hard_link(place.path("chain.onnx"), place.path("hard.onnx")).unwrap();
    for name in ["chain.onnx", "out/../chain.onnx", "link.onnx", "hard.onnx"] {
        let said = project(name, &["--force"]);
        assert!(said.err.contains("an input of this command; choose another name"), "{}", said.err);
        assert_eq!(said.code, Some(1));
    }
    assert_eq!(read(&place, "chain.onnx"), before);
    project("new.html", &[]).failed("error: new.html: expected a file name that ends in .onnx\n");
    let said = place.run(&["project", "out", "-o", "new.onnx"]);
    assert!(said.err.contains("--apply MODEL.onnx names the one to prune"), "{}", said.err);
    assert_eq!(said.code, Some(2));
    assert_eq!(place.run(&["project", "out", "--apply", "chain.onnx"]).code, Some(2), "needs -o");
    assert_eq!(project("there.onnx", &["--force"]).code, Some(0));
    assert_ne!(read(&place, "there.onnx"), b"mine");
}

/// A model with weights in another file, each behind some bytes.
fn apart(file: &str, own: &[(&'static str, u64)]) -> Vec<u8> {
    let entry = |key: &str, value: &str| Message::default().text(1, key).text(2, value);
    let constants = own.iter().map(|(name, offset)| {
        let place = [entry("location", file), entry("offset", &offset.to_string())];
        start(name, FLOAT).messages(13, place).message(13, entry("length", "256")).number(14, 1)
    });
    let nodes = vec![
        node("MatMul", "/first", &["x", "first"], &["a"]),
        node("MatMul", "/second", &["a", "second"], &["y"]),
    ];
    let input = vec![value("x", FLOAT, &[1, SIZE as u64])];
    onnx_file::model(nodes, constants.collect(), input, vec![value("y", FLOAT, &[1, SIZE as u64])])
}

fn data(first: &[f32], second: &[f32]) -> Vec<u8> {
    [&b"some"[..], &raw(first), b"more", &raw(second), b"rest"].concat()
}

#[test]
fn external_data_is_pruned_in_a_copy() {
    let place = Place::new();
    let weights = [("first", 4), ("second", 264)];
    let (own, elements) = (apart("w.bin", &weights), data(&weight("first"), &weight("second")));
    place.write("chain.onnx", &own);
    place.write("w.bin", &elements);
    record(&place, "chain.onnx");
    fs::create_dir(place.path("other")).unwrap();
    let expected = data(&pruned("first", 0.5), &pruned("second", 0.75));
    for folder in ["", "other/"] {
        let path = |name: &str| format!("{folder}{name}");
        let output = path("new.onnx");
        let targets = ["--target-op", "/first=0.5", "--target-op", "/second=0.75"];
        let arguments = ["project", "out", "--apply", "chain.onnx", "-o", &output];
        let said = place.run(&[&arguments[..], &targets].concat());
        assert_eq!(said.code, Some(0), "{}", said.err);
        for name in ["new.onnx", "new.onnx.data"] {
            assert!(said.err.contains(&format!("wrote {}\n", path(name))), "{}", said.err);
        }
        assert!(read(&place, &path("new.onnx.data")) == expected);
        assert!(read(&place, &output) == apart("new.onnx.data", &weights));
        place.succeed(&["flops", &output]);
        fs::remove_file(place.path(&output)).unwrap();
        let again = place.run(&[&arguments[..], &targets].concat());
        let there = path("new.onnx.data");
        again.failed(&format!("error: {there}: already exists; use --force to replace it\n"));
        assert!(!place.path(&output).exists());
    }
    assert!((read(&place, "chain.onnx"), read(&place, "w.bin")) == (own, elements), "untouched");
    // The copy would be the data that the model has.
    let own = place.path("new.onnx.data");
    fs::rename(place.path("w.bin"), &own).unwrap();
    place.write("chain.onnx", &apart("new.onnx.data", &weights));
    let said = apply(&place, &["--force"]);
    let error = "error: new.onnx.data: is an input of this command; choose another name\n";
    assert!(said.err.ends_with(error), "{}", said.err);
    assert!(own.is_file() && !Path::new(&place.path("new.onnx")).exists());
    fs::remove_file(own).unwrap();
    let missing = apply(&place, &[]);
    assert!(missing.err.contains("is missing: it belongs beside the model"), "{}", missing.err);
}
