//! Rules of the scripts of pages, which are those of the other modules, and one more: they
//! make elements of no text, whatever a name holds.

use crate::arrows::circles;
use crate::{files, read, root};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const SOURCE: &str = "crates/onnxray-report/web/source";
const STYLE: &str = "crates/onnxray-report/web/style";

/// Who imports what: relative to the folder of the sources, as in `./dom.js`.
fn imports() -> BTreeMap<PathBuf, Vec<String>> {
    let place = |file: &PathBuf| file.strip_prefix(SOURCE).unwrap().to_path_buf();
    files(SOURCE, "js").iter().map(|file| (place(file), imported(&read(file)))).collect()
}

fn imported(text: &str) -> Vec<String> {
    // Also `export … from`, and imports over several lines, which end in their module.
    let statements = text.split(';').filter(|statement| {
        let first = statement.lines().find(|line| {
            let line = line.trim_start();
            !line.is_empty() && !["//", "/*", "*"].iter().any(|mark| line.starts_with(mark))
        });
        first.is_some_and(|line| line.starts_with("import ") || line.starts_with("export "))
    });
    let module = |statement: &str| {
        let (_, rest) =
            statement.rsplit_once("from ").or_else(|| statement.split_once("import "))?;
        let name = rest.trim().strip_prefix(['"', '\''])?;
        Some(name.trim_end_matches(['"', '\'']).to_string())
    };
    statements.filter_map(module).collect()
}

/// The module that a file names, relative to the folder of the sources.
fn resolved(file: &Path, module: &str) -> PathBuf {
    let mut place = file.parent().unwrap().to_path_buf();
    for part in module.split('/') {
        match part {
            "." => {}
            ".." => assert!(place.pop(), "{} leaves the folder", file.display()),
            part => place.push(part),
        }
    }
    place
}

#[test]
fn scripts_and_styles_are_short_and_open_with_what_they_are_for() {
    for (folder, extension, opening) in [(SOURCE, "js", "// "), (STYLE, "css", "/* ")] {
        let files = files(folder, extension);
        assert!(!files.is_empty());
        for file in files {
            let text = read(&file);
            assert!(text.starts_with(opening), "{} does not say what it is for", file.display());
            let lines = text.lines().count();
            assert!(lines <= 500, "{} has {lines} lines", file.display());
        }
    }
}

#[test]
fn scripts_import_in_one_direction() {
    let imports = imports();
    let mut arrows: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
    for (file, modules) in &imports {
        for module in modules {
            let is_package = !module.starts_with('.');
            assert!(
                !is_package || file == Path::new("library.js"),
                "{} imports {module}; library.js alone takes packages",
                file.display()
            );
            if is_package {
                continue;
            }
            let place = resolved(file, module);
            let known = imports.get_key_value(&place);
            let (place, _) = known.unwrap_or_else(|| panic!("{}: no {module}", file.display()));
            arrows.entry(file).or_default().insert(place);
            let kind = |file: &Path| {
                let rest = file.strip_prefix("views").ok()?;
                (rest.components().count() > 1)
                    .then(|| rest.components().next().unwrap().as_os_str().to_owned())
            };
            // Views of a kind of page are known to each other and to the list of all.
            let is_known = kind(place).is_none_or(|of| kind(file) == Some(of))
                || file == Path::new("views/index.js");
            assert!(is_known, "{} imports {}", file.display(), place.display());
        }
    }
    assert_eq!(circles(&arrows), [] as [BTreeSet<&Path>; 0]);
    let arithmetic = [("perf_ratios.js", &[][..]), ("projection.js", &["./perf_ratios.js"])];
    for (file, own) in arithmetic {
        assert_eq!(imports[Path::new(file)], own, "{file} is arithmetic alone");
    }
}

#[test]
fn the_libraries_are_used_in_one_place_each() {
    for (file, modules) in imports() {
        let takes = modules.iter().any(|module| resolved(&file, module) == Path::new("library.js"));
        let may = ["chart.js", "rows.js"].map(Path::new).contains(&file.as_path());
        assert!(!takes || may, "{} takes a library", file.display());
    }
}

#[test]
fn no_script_makes_an_element_of_a_text() {
    for file in files(SOURCE, "js") {
        let text = read(&file);
        let makers =
            ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser"];
        for maker in makers.iter().chain(&["eval(", "new Function", "setAttribute(\"style\""]) {
            // The policy is about them.
            let is_policy = file.ends_with("policy.js");
            assert!(is_policy || !text.contains(maker), "{} has {maker}", file.display());
        }
    }
}

#[test]
fn what_is_built_is_there_and_names_no_host() {
    let dist = root().join("crates/onnxray-report/web/dist");
    for name in ["page.js", "loader.js", "page.css", "LICENSES.txt"] {
        let size = dist.join(name).metadata().unwrap().len();
        assert!((100..900_000).contains(&size), "{name} has {size} bytes");
    }
    let lock = read("crates/onnxray-report/web/package-lock.json");
    assert!(!lock.contains("\"resolved\""), "the lock file names where packages came from");
}

#[test]
fn imports_are_read_over_lines_and_not_in_comments() {
    let text = "// import { x } from \"./no.js\";\nimport a from \"./a.js\";\nimport {\n  b,\n} from \
                './b/c.js';\nexport { d } from \"../d.js\";\nexport function f() { return 1; }\n\
                const from = \"./no.js\";\n";
    assert_eq!(imported(text), ["./a.js", "./b/c.js", "../d.js"]);
}
