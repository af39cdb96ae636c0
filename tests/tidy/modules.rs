//! The files of a crate and which uses which, from the paths in their code.
//!
//! A path is followed to the file that defines the item, through every `use` on
//! the way, so that a re-export hides no arrow. Not arrows by themselves: `mod`,
//! `pub use`, and a `use` of a module, of which the paths through it tell.
//! Tests do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module's place in the crate: `["formats", "tract"]`.
type Place = Vec<String>;

/// A path as it stands in the code, and the name that a `use` gives to its end.
#[derive(Debug, PartialEq)]
struct Used {
    path: Vec<String>,
    name: String,
    /// Whether it is a `pub use`.
    exported: bool,
}

#[derive(Default)]
struct Module {
    file: PathBuf,
    /// Names of its items.
    items: BTreeSet<String>,
    imports: Vec<Used>,
    /// Paths of expressions and types.
    paths: BTreeSet<Vec<String>>,
}

/// A crate's modules, those of one file each.
pub(crate) struct Modules(BTreeMap<Place, Module>);

impl Modules {
    /// Reads a crate from its `src` folder.
    pub(crate) fn read(source: &Path) -> Modules {
        let mut modules = BTreeMap::new();
        let mut folders = vec![source.to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let file = path.strip_prefix(source).unwrap().to_path_buf();
                let mut place: Place = file
                    .with_extension("")
                    .iter()
                    .map(|part| part.to_str().unwrap().into())
                    .collect();
                place.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
                let tokens = tokens(&fs::read_to_string(&path).unwrap());
                let (imports, paths) = used(&tokens);
                modules.insert(place, Module { file, items: items(&tokens), imports, paths });
            }
        }
        Modules(modules)
    }

    /// The files that each file uses.
    pub(crate) fn arrows(&self) -> BTreeMap<&Path, BTreeSet<&Path>> {
        let arrows = self.0.iter().map(|(place, module)| {
            let imports = module.imports.iter().filter(|import| !import.exported);
            let paths = imports.map(|import| &import.path).chain(&module.paths);
            let used = paths.filter_map(|path| self.definition(place, path, 0));
            let used = used.filter(|used| *used != module.file);
            (module.file.as_path(), used.collect())
        });
        arrows.collect()
    }

    /// The file that defines what a path in the module at `place` names; `None` if
    /// that is a module, or in no file of this crate.
    fn definition(&self, place: &[String], path: &[String], depth: usize) -> Option<&Path> {
        const DEEPEST: usize = 16; // Names may stand for each other in a circle.
        let module = self.0.get(place).filter(|_| depth < DEEPEST)?;
        let (first, rest) = path.split_first()?;
        let inner = [place, std::slice::from_ref(first)].concat();
        match first.as_str() {
            "crate" => return self.definition(&[], rest, depth),
            "self" => return self.definition(place, rest, depth),
            "super" => return self.definition(place.split_last()?.1, rest, depth),
            _ if self.0.contains_key(&inner) => return self.definition(&inner, rest, depth),
            _ if first == "*" || module.items.contains(first) => return Some(&module.file),
            _ => {}
        }
        let imports = module.imports.iter().filter(|import| import.path != path);
        let named = imports.clone().filter(|import| import.name == *first);
        let of_name = named.map(|import| [&import.path, rest].concat());
        let ours = |import: &&Used| {
            let inner = [place, &import.path[..1]].concat();
            self.0.contains_key(&inner) || ["crate", "super"].contains(&import.path[0].as_str())
        };
        let all = imports.filter(|import| import.name == "*").filter(ours);
        let of_all = all.map(|import| [&import.path[..import.path.len() - 1], path].concat());
        of_name.chain(of_all).find_map(|path| self.definition(place, &path, depth + 1))
    }
}

/// The words and signs of a source file, without comments, texts and tests.
fn tokens(text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if letter == '"' {
            literal(rest)
        } else if rest.starts_with("r\"") || rest.starts_with("r#\"") {
            let hashes = if rest.starts_with("r#") { "\"#" } else { "\"" };
            let start = rest.find('"').unwrap() + 1;
            start + rest[start..].find(hashes).unwrap() + hashes.len()
        } else if letter == '\'' {
            quote(rest)
        } else if word(letter) {
            let length = rest.find(|c| !word(c)).unwrap_or(rest.len());
            tokens.push(rest[..length].to_string());
            length
        } else if rest.starts_with("::") {
            tokens.push("::".to_string());
            2
        } else {
            if !letter.is_whitespace() {
                tokens.push(letter.to_string());
            }
            letter.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// Bytes of a text in quotes.
fn literal(text: &str) -> usize {
    let mut escaped = true; // The quote that opens it closes nothing.
    for (place, letter) in text.char_indices() {
        match letter {
            '"' if !escaped => return place + 1,
            '\\' if !escaped => escaped = true,
            _ => escaped = false,
        }
    }
    text.len()
}

/// Bytes of a character in quotes, or of the mark of a lifetime.
fn quote(text: &str) -> usize {
    let letters: Vec<char> = text.chars().take(3).collect();
    match letters[..] {
        ['\'', '\\', _] => 3 + text[3..].find('\'').unwrap() + 1,
        ['\'', letter, '\''] => letter.len_utf8() + 2,
        _ => 1,
    }
}

/// What a file imports, and the paths in its code.
fn used(tokens: &[String]) -> (Vec<Used>, BTreeSet<Vec<String>>) {
    let (mut imports, mut paths) = (Vec::new(), BTreeSet::new());
    let mut position = 0;
    while position < tokens.len() {
        if tokens[position] == "use" {
            let end = position + tokens[position..].iter().position(|t| t == ";").unwrap();
            let before = position.checked_sub(1).map_or("", |before| tokens[before].as_str());
            // Behind `pub` or `pub(crate)`; `super` is for the parent's other children.
            let exported = ["pub", ")"].contains(&before);
            tree(&tokens[position + 1..end], &[], exported, &mut imports);
            position = end;
        } else if is_word(&tokens[position]) {
            let mut path = vec![tokens[position].clone()];
            let outside = position > 0 && tokens[position - 1] == "::";
            while tokens.get(position + 1).is_some_and(|token| token == "::")
                && tokens.get(position + 2).is_some_and(|token| is_word(token))
            {
                path.push(tokens[position + 2].clone());
                position += 2;
            }
            if !outside {
                paths.insert(path);
            }
        }
        position += 1;
    }
    (imports, paths)
}

/// The names of what a file defines.
fn items(tokens: &[String]) -> BTreeSet<String> {
    const KINDS: [&str; 8] = ["const", "enum", "fn", "mod", "static", "struct", "trait", "type"];
    let pairs = tokens.windows(2).filter(|pair| KINDS.contains(&pair[0].as_str()));
    pairs.map(|pair| pair[1].clone()).collect()
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The paths of a `use`: `a::{b, c as d}`.
fn tree(tokens: &[String], before: &[String], exported: bool, imports: &mut Vec<Used>) {
    let mut path = before.to_vec();
    for (position, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "::" if position == 0 && before.is_empty() => return, // Another crate's.
            "::" => {}
            "{" => {
                let inner = &tokens[position + 1..tokens.len() - 1];
                let mut depth = 0;
                let parts = inner.split(|token| {
                    depth += i32::from(token == "{") - i32::from(token == "}");
                    depth == 0 && token == ","
                });
                parts.for_each(|part| tree(part, &path, exported, imports));
                return;
            }
            "as" => {
                let name = tokens[position + 1].clone();
                imports.push(Used { path, name, exported });
                return;
            }
            _ => path.push(token.clone()),
        }
    }
    path.pop_if(|last| last == "self");
    if let Some(name) = path.last().cloned().filter(|_| !tokens.is_empty()) {
        imports.push(Used { path, name, exported });
    }
}
