//! Which way modules depend on each other: towards the left, and never in a
//! circle.

use crate::modules::Modules;
use crate::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Modules of a folder from left to right; those that share a place do not see
/// each other.
type Order = &'static [&'static [&'static str]];

const ORDERS: [(&str, Order); 5] = [
    (
        "crates/onnxray-import/src",
        &[
            &["text"],
            &["error", "figure", "format", "json", "origins", "packed", "spans"],
            &["damage", "launch", "source"],
            &["presence"],
            &["chrome", "join", "phases", "warmup"],
            &["importer"],
            &["formats"],
            &["detect", "same_model"],
            &["sources"],
            &["import"],
        ],
    ),
    (
        "crates/onnxray-recorder/src",
        &[
            &["control_groups"],
            &["cores", "memory"],
            &["roofs"],
            &["clock", "error", "median", "tensor"],
            &["workload"],
            &["model"],
            &["engine"],
            &["nodes", "xray"],
            &["launch"],
            &["record"],
            &["launches", "session"],
            &["study"],
        ],
    ),
    (
        "crates/onnxray-analyzer/src",
        &[
            &["modules", "patterns", "printable"],
            &["probability", "units"],
            &["quantity", "schema", "workbook_words"],
            &["spreadsheet", "trace"],
            &["statistics"],
            &["profiles"],
            &["comparison", "projection"],
            &["sweep"],
            &["study"],
            &["settings"],
            &["convert", "frames", "verification"],
        ],
    ),
    (
        "crates/onnxray-study/src",
        &[
            &["host", "schedule"],
            &["costs", "journal"],
            &["verification"],
            &["search"],
            &["starts", "steps"],
            &["searches"],
            &["sensitivity", "sweep", "until", "xray"],
        ],
    ),
    (
        "crates/onnxray-report/src",
        &[&["document", "error"], &["content"], &["write"], &["html", "xlsx"]],
    ),
];

#[test]
fn modules_use_only_what_stands_to_their_left() {
    for (folder, order) in ORDERS {
        let source = folder.split_inclusive("/src").next().unwrap();
        let modules = Modules::read(&root().join(source));
        let inside = Path::new(folder).strip_prefix(source).unwrap();
        let place = |file: &Path| {
            let name = file.strip_prefix(inside).ok()?.iter().next()?.to_str()?;
            let name = name.trim_end_matches(".rs").to_string();
            (!["lib", "mod"].contains(&name.as_str())).then_some(name)
        };
        let rank = |module: &str| {
            let rank = order.iter().position(|modules| modules.contains(&module));
            rank.unwrap_or_else(|| panic!("{folder}: {module} has no place; give it one"))
        };
        for (file, used) in modules.arrows() {
            let Some(module) = place(file) else { continue };
            for used_file in used {
                let Some(used) = place(used_file) else { continue };
                assert!(
                    used == module || rank(&used) < rank(&module),
                    "{folder}: {} uses {}, which does not stand to its left",
                    file.display(),
                    used_file.display()
                );
            }
        }
    }
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    for crate_folder in fs::read_dir(root().join("crates")).unwrap() {
        let source = crate_folder.unwrap().path().join("src");
        let modules = Modules::read(&source);
        let arrows = modules.arrows();
        let circles = circles(&arrows);
        assert!(circles.is_empty(), "{}: use each other: {circles:#?}", source.display());
    }
}

/// Sets of files in which each uses each other, by way of more if need be.
pub(crate) fn circles<'a>(
    arrows: &BTreeMap<&'a Path, BTreeSet<&'a Path>>,
) -> Vec<BTreeSet<&'a Path>> {
    let reached = |start: &'a Path| {
        let mut reached = BTreeSet::new();
        let mut open = vec![start];
        while let Some(file) = open.pop() {
            let used = arrows.get(file).into_iter().flatten();
            open.extend(used.filter(|used| reached.insert(**used)));
        }
        reached
    };
    let reached: BTreeMap<&Path, BTreeSet<&Path>> =
        arrows.keys().map(|file| (*file, reached(file))).collect();
    let circle = |file: &'a Path| -> BTreeSet<&'a Path> {
        let back = |other: &&&Path| reached.get(**other).is_some_and(|r| r.contains(file));
        reached[file].iter().filter(back).copied().collect()
    };
    let circles: BTreeSet<BTreeSet<&Path>> = arrows.keys().map(|file| circle(file)).collect();
    circles.into_iter().filter(|files| files.len() > 1).collect()
}

#[test]
fn circles_are_seen_through_re_exports_but_not_in_texts_and_tests() {
    let folder = std::env::temp_dir().join(format!("onnxray-arrows-{}", std::process::id()));
    fs::create_dir_all(folder.join("inner")).unwrap();
    for (file, text) in [
        ("lib.rs", "mod a;\npub mod inner;\nmod z;\npub use inner::Thing;\n"),
        ("inner/mod.rs", "mod b;\npub use b::*;\n"),
        ("inner/b.rs", "pub struct Thing;\nfn f() { crate::a::{f}; crate::a::g('\"') }\n"),
        ("a.rs", "use crate::{z, Thing as Other};\npub fn g(_: char) -> Other { z::h() }\n"),
        (
            "z.rs",
            "// crate::a::g()\npub fn h() { \"crate::a::g() \\\"\"; }\n\
             #[cfg(test)]\nmod tests { use crate::a::g; }\n",
        ),
    ] {
        fs::write(folder.join(file), text).unwrap();
    }
    let modules = Modules::read(&folder);
    let arrows = modules.arrows();
    let circle = [Path::new("a.rs"), Path::new("inner/b.rs")];
    assert_eq!(circles(&arrows), [BTreeSet::from(circle)]);
    assert_eq!(arrows[Path::new("a.rs")], [circle[1], Path::new("z.rs")].into());
    fs::remove_dir_all(&folder).unwrap();
}
