//! A judgement in one file: it is shown as it was, repeated, and refused once it was edited.

use crate::json_schemas::valid;
use crate::judge::one;
use crate::onnxruntime_package::library;
use crate::program::{Finished, Place, model};
use crate::script::Script;
use crate::tune::times;
use serde_json::{Value, json as object};
use std::fs;
use std::io::{Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

const JOURNAL: &str = "onnxray.judge.jsonl";

/// A judgement of an option that makes the model faster by a tenth, in `judged.zip`.
fn judged(script: &Script, path: &str, more: &[&str]) -> Finished {
    let library = library();
    let engine = ["--engine", "onnxruntime", "--engine-library", &library];
    let own = ["--against-options", "--ort memory_pattern=no", "--bundle", "judged.zip"];
    script.run(&[&["judge", path][..], &engine, &own, &["--format", "json"], more].concat())
}

fn script(place: &Place, factor: f64) -> Script<'_> {
    // What is unpacked has names of its own.
    let mut all = times("cnn.onnx");
    all["a.onnx"] = all["cnn.onnx"].clone();
    Script::with_factors(place, all, object!({"memory pattern=off": factor}), &[])
}

/// The files of a bundle, and the comment behind them.
fn members(place: &Place) -> (Vec<(String, Vec<u8>)>, Vec<u8>) {
    let bytes = fs::read(place.path("judged.zip")).unwrap();
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let comment = archive.comment().to_vec();
    let members = 0..archive.len();
    let read = |number| {
        let mut file = archive.by_index(number).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        (String::from_utf8_lossy(file.name_raw()).into_owned(), bytes)
    };
    (members.map(read).collect(), comment)
}

fn archive(members: &[(String, Vec<u8>)], comment: &[u8]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        archive.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.set_comment(std::str::from_utf8(comment).unwrap()).unwrap();
    archive.finish().unwrap().into_inner()
}

#[test]
fn a_bundle_says_again_what_was_judged_and_repeats_it_elsewhere() {
    let place = Place::new();
    fs::copy(model("cnn"), place.path("cnn.onnx")).unwrap();
    let first = judged(&script(&place, 0.9), "cnn.onnx", &["--with-models", "--expect", "faster"]);
    assert_eq!(first.code, Some(0), "{}", first.err);
    let again = place.run(&["judge", "judged.zip", "--format", "json"]);
    assert_eq!(again.code, Some(0), "{}", again.err);
    let [was, report] = [&first.out, &again.out].map(|out| valid("judge", out));
    // Recordings that tell where both differ are in it.
    assert!(was["causes"].is_array() && was["layers"].is_array(), "{was:#}");
    for key in ["headline", "judge", "judge_sides", "verdict", "passed", "causes", "layers"] {
        assert_eq!(report[key], was[key], "{key}");
    }
    assert!(report["judge"].get("first_verdict").is_none());
    // Neither the folder of what was measured nor the model is needed.
    fs::remove_dir_all(place.path("judge")).unwrap();
    fs::remove_file(place.path("cnn.onnx")).unwrap();
    let library = library();
    let repeat = ["judge", "judged.zip", "--repeat", "--engine-library", &library];
    for (factor, code, verdict, said) in [
        (0.9, 0, "faster", "; confirmed: the bundle says FASTER"),
        (1.0, 3, "same", "; not confirmed: the bundle says FASTER"),
    ] {
        let ended = script(&place, factor).run(&[&repeat[..], &["--format", "json"]].concat());
        assert_eq!(ended.code, Some(code), "{}", ended.err);
        let report = valid("judge", &ended.out);
        assert_eq!(report["judge"]["verdict"], verdict);
        assert_eq!(report["judge"]["first_verdict"], "faster");
        let headline = [0, 1].map(|line| report["headline"][line].as_str().unwrap().to_string());
        assert!(headline[0].ends_with(said), "{headline:?}");
        assert!(headline[1].starts_with("A is cnn.onnx, B is cnn.onnx ("), "{headline:?}");
    }
    assert!(!place.path("judge").exists(), "what is repeated is kept nowhere");
    let table = place.succeed(&["judge", "judged.zip", "-o", "judged.html"]);
    assert!(table.starts_with("FASTER  B is ") && place.path("judged.html").exists(), "{table}");
}

#[test]
fn models_are_looked_for_by_their_hashes() {
    let place = Place::new();
    fs::copy(model("cnn"), place.path("cnn.onnx")).unwrap();
    let first = judged(&script(&place, 0.9), "cnn.onnx", &[]);
    assert_eq!(first.code, Some(0), "{}", first.err);
    fs::create_dir(place.path("elsewhere")).unwrap();
    for file in ["cnn.onnx", "judged.zip"] {
        fs::rename(place.path(file), place.path("elsewhere").join(file)).unwrap();
    }
    let library = library();
    let repeat = ["judge", "elsewhere/judged.zip", "--repeat", "--engine-library", &library];
    let ended = script(&place, 0.9).run(&repeat);
    assert_eq!(ended.code, Some(0), "beside the bundle: {}", ended.err);
    fs::copy(model("encoder"), place.path("cnn.onnx")).unwrap();
    fs::remove_file(place.path("elsewhere/cnn.onnx")).unwrap();
    let other = script(&place, 0.9).run(&repeat);
    assert_eq!(other.code, Some(1), "{}", other.out);
    assert!(other.err.contains("cnn.onnx: not the file that was judged"), "{}", other.err);
    fs::remove_file(place.path("cnn.onnx")).unwrap();
    let none = script(&place, 0.9).run(&repeat);
    assert!(none.err.contains("cnn.onnx: not here, and not in the bundle"), "{}", none.err);
}

#[test]
fn what_cannot_be_compared_has_a_bundle_too() {
    let place = Place::new();
    place.write("a.onnx", &one("Tanh", 64));
    place.write("b.onnx", &one("Tanh", 65));
    let words = ["judge", "a.onnx", "b.onnx", "--bundle", "judged.zip"];
    let first = place.run(&words);
    assert_eq!(first.code, Some(4), "{}", first.err);
    let again = place.run(&["judge", "judged.zip"]);
    assert_eq!((again.code, &again.out), (Some(4), &first.out), "{}", again.err);
    let twice = place.run(&words);
    assert_eq!(twice.code, Some(1));
    assert!(twice.err.contains("judged.zip"), "{}", twice.err);
}

/// What is edited, or was never a bundle, is refused with its name, and nothing of it is written.
#[test]
fn hostile_bundles_are_refused() {
    let place = Place::new();
    let path = model("cnn");
    let first = judged(&script(&place, 0.9), &path, &[]);
    assert_eq!(first.code, Some(0), "{}", first.err);
    fs::remove_dir_all(place.path("judge")).unwrap();
    let (whole, comment) = members(&place);
    // The journal, five launches of each side, and what says so.
    assert_eq!(whole.len(), 12, "without models");
    let refused = |bytes: &[u8], why: &str| {
        place.write("hostile.zip", bytes);
        for more in [&[][..], &["--repeat"]] {
            let ended = place.run(&[&["judge", "hostile.zip"], more].concat());
            assert_eq!(ended.code, Some(1), "{why}: {}", ended.out);
            assert!(ended.err.contains("hostile.zip") && ended.err.contains(why), "{}", ended.err);
        }
    };
    let edited = |name: &str, edit: &dyn Fn(&mut Vec<u8>)| {
        let mut members = whole.clone();
        members.iter_mut().filter(|(own, _)| own == name).for_each(|(_, bytes)| edit(bytes));
        archive(&members, &comment)
    };
    let with = |name: &str, bytes: &[u8]| {
        let added = [(name.to_string(), bytes.to_vec())];
        archive(&[&whole[..], &added].concat(), &comment)
    };
    let replace = |bytes: &mut Vec<u8>, from: &str, to: &str| {
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(text.contains(from), "{text}");
        *bytes = text.replacen(from, to, 1).into_bytes();
    };
    refused(
        &edited(JOURNAL, &|bytes| replace(bytes, "\"ratio\":0.9", "\"ratio\":0.8")),
        "onnxray.judge.jsonl: missing, or edited since it was written",
    );
    let manifest = "manifest.json: missing, or edited since it was written";
    refused(
        &edited("manifest.json", &|bytes| replace(bytes, "\"launches\":", "\"launches\": 1")),
        manifest,
    );
    let trace = edited("a.0.json", &|bytes| bytes.push(b'\n'));
    refused(&trace, "a.0.json: missing, or edited since it was written");
    refused(&archive(&whole[..1], &comment), manifest);
    refused(&with("a.onnx", &fs::read(&path).unwrap()), "a.onnx: missing, or edited");
    for name in
        ["../evil.onnx", "/tmp/evil.onnx", "judge/../../evil", "other.txt", "a.10.json", "a.onnx/"]
    {
        refused(&with(name, b"evil"), "not a file of a bundle");
    }
    assert!(!place.path("../evil.onnx").exists());
    // Two files of one name, of which a reader sees one.
    let mut doubled = with("onnxray.judge.jsonX", b"other");
    while let Some(at) = doubled.windows(6).position(|window| window == b".jsonX") {
        doubled[at + 5] = b'l';
    }
    refused(&doubled, "two of its files have one name");
    let mut linked = ZipWriter::new(Cursor::new(Vec::new()));
    linked.add_symlink("manifest.json", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    refused(&linked.finish().unwrap().into_inner(), "manifest.json: not a file");
    // 65 MB of zeros in 64 kB.
    let bomb = edited(JOURNAL, &|bytes| *bytes = vec![0; 65 << 20]);
    assert!(bomb.len() < archive(&whole, &comment).len() + 100_000, "{}", bomb.len());
    refused(&bomb, "onnxray.judge.jsonl: it unpacks to more than 67108864 bytes");
    // A stream that unpacks to more once it is read as a trace.
    let packed = edited("b.3.json", &|bytes| *bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
    refused(&packed, "b.3.json: not JSON");
    refused(b"PK\x03\x04", "not a bundle of onnxray judge");
    refused(b"", "not a bundle of onnxray judge");
}

/// Whoever hashes anew what he wrote still gets no file written, and no other command run.
#[test]
fn a_command_of_a_bundle_names_no_file_to_write() {
    let place = Place::new();
    fs::copy(model("cnn"), place.path("cnn.onnx")).unwrap();
    let first = judged(&script(&place, 0.9), "cnn.onnx", &[]);
    assert_eq!(first.code, Some(0), "{}", first.err);
    let (whole, _) = members(&place);
    let commanded = |edit: &dyn Fn(&mut Vec<Value>)| {
        let mut members = whole.clone();
        let (_, bytes) = members.iter_mut().find(|(name, _)| name == "manifest.json").unwrap();
        let mut manifest: Value = serde_json::from_slice(bytes).unwrap();
        edit(manifest["command"].as_array_mut().unwrap());
        *bytes = manifest.to_string().into_bytes();
        place.write("manifest", bytes);
        let hash = std::process::Command::new("sha256sum").arg(place.path("manifest")).output();
        let hash = hash.unwrap().stdout[..64].to_vec();
        place.write("other.zip", &archive(&members, &hash));
    };
    commanded(&|words| {
        let more = ["-o", "evil.html", "--out", "evil", "--force", "--engine-library", "evil.so"];
        words.extend(more.into_iter().chain(["--engine-profiles", "profiles"]).map(Value::from));
    });
    let library = library();
    let repeat = ["judge", "other.zip", "--repeat", "--engine-library", &library];
    let ended = script(&place, 0.9).run(&repeat);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    for name in ["evil.html", "evil", "profiles"] {
        assert!(!place.path(name).exists(), "{name}");
    }
    for command in [&["record", "cnn.onnx"][..], &["judge", "a", "b"], &["judge", "judged.zip"]] {
        commanded(&|words| *words = command.iter().map(|&word| word.into()).collect());
        let ended = place.run(&["judge", "other.zip"]);
        assert_eq!(ended.code, Some(1), "{}", ended.out);
        assert!(ended.err.contains("not a judgement of models"), "{}", ended.err);
    }
}
