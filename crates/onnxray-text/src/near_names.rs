//! What a mistyped name may have meant: the one measure of how near names are.

use crate::{printable, shown};
use std::collections::HashSet;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use strsim::damerau_levenshtein;

/// Most names that a message offers.
const MOST: usize = 3;
/// Characters that a list of names takes in a message.
const ROOM: usize = 150;
/// Entries of a folder that are looked at.
const MOST_ENTRIES: usize = 10_000;

/// The names nearest to one that is not among them: spelled alike, beginning with it, or, failing
/// these, containing it.
pub fn nearest<T: AsRef<str>>(name: &str, names: impl IntoIterator<Item = T>) -> Vec<T> {
    within(slips(name), name, names)
}

/// Slips of the pen in a name that still looks like itself: in every third letter.
fn slips(name: &str) -> usize {
    name.chars().count().div_ceil(3).min(6)
}

fn within<T: AsRef<str>>(most: usize, name: &str, names: impl IntoIterator<Item = T>) -> Vec<T> {
    let wanted = name.to_lowercase();
    let near =
        names.into_iter().filter_map(|other| Some((distance(most, &wanted, &other)?, other)));
    let mut near: Vec<(usize, T)> = near.collect();
    let order = |(slips, name): &(usize, T)| (*slips, name.as_ref().len());
    near.sort_by(|a, b| order(a).cmp(&order(b)).then_with(|| a.1.as_ref().cmp(b.1.as_ref())));
    near.dedup_by(|(_, one), (_, other)| one.as_ref() == other.as_ref());
    // Only those that are as near as the nearest: further ones are hardly meant.
    let nearest = near.first().map(|(slips, _)| *slips);
    let as_near = near.into_iter().filter(|(slips, _)| Some(*slips) == nearest);
    as_near.map(|(_, other)| other).take(MOST).collect()
}

/// Slips between a name and the wanted one, which is in lower case; `None` if there are too many.
fn distance(most: usize, wanted: &str, name: &impl AsRef<str>) -> Option<usize> {
    let name = name.as_ref().to_lowercase();
    let [letters, of_name] = [wanted, &name].map(|text| text.chars().count());
    // One or two letters are a part of nearly every name.
    if letters > 2 && name.contains(wanted) {
        return Some(if name.starts_with(wanted) { 1 } else { most + 1 });
    }
    // Each letter more or less is a slip: cheaper to count than the distance.
    if letters.abs_diff(of_name) > most {
        return None;
    }
    // As many slips as letters leave nothing of the name.
    Some(damerau_levenshtein(wanted, &name)).filter(|&slips| slips <= most && slips < letters)
}

/// Hint for a name that is not among `names`, which a message calls `what`: the nearest ones, or
/// the first of all.
pub fn did_you_mean<T: AsRef<str>>(
    name: &str,
    what: &str,
    names: impl IntoIterator<Item = T>,
) -> String {
    let names: Vec<T> = names.into_iter().collect();
    let names = names.iter().map(AsRef::as_ref);
    let quoted = |name: &&str| format!("`{}`", printable(name));
    match &nearest(name, names.clone())[..] {
        [] => {
            let mut seen = HashSet::new();
            let names: Vec<&str> = names.filter(|name| seen.insert(*name)).collect();
            listed(what, &names.iter().map(quoted).collect::<Vec<String>>())
        }
        [only] => format!("did you mean {}?", quoted(only)),
        [several @ .., last] => {
            let several: Vec<String> = several.iter().map(quoted).collect();
            format!("did you mean {} or {}?", several.join(", "), quoted(last))
        }
    }
}

/// Lists as many names as fit into [`ROOM`].
fn listed(what: &str, names: &[String]) -> String {
    let mut length = 0;
    let room = names.iter().take_while(|name| {
        length += name.chars().count() + 2;
        length <= ROOM
    });
    // One at least, however long it is.
    let shown = room.count().max(1).min(names.len());
    match (shown, names.len() - shown) {
        (0, _) => format!("there are no {what}"),
        (_, 0) => format!("the {what} are {}", names.join(", ")),
        (_, more) => format!("the {what} are {} and {more} more", names[..shown].join(", ")),
    }
}

/// Message about a file that cannot be read. If it is missing, a similar name in its folder is
/// offered.
pub fn file_failure(path: &Path, failure: &io::Error) -> String {
    let near = (failure.kind() == ErrorKind::NotFound).then(|| near_file(path)).flatten();
    if let Some(near) = near {
        return format!("{}: {failure}; did you mean {}?", shown(path), shown(&near));
    }
    let missing = failure.kind() == ErrorKind::NotFound;
    match missing.then(|| neighbours(path)).flatten() {
        Some(neighbours) => format!("{}: {failure}; {neighbours}", shown(path)),
        None => format!("{}: {failure}", shown(path)),
    }
}

/// What is in the folder in which a file is missing: files with the same ending, or folders for a
/// name without one; or the folder that is missing itself.
fn neighbours(path: &Path) -> Option<String> {
    let folder = path.parent()?;
    let read = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if !read.is_dir() {
        let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let missing = folder.ancestors().take_while(is_missing).last()?;
        return Some(format!("there is no folder {}", shown(missing)));
    }
    let ending = path.extension();
    let is_one = |entry: &std::fs::DirEntry| {
        let path = entry.path();
        match ending {
            Some(_) => path.extension() == ending && path.is_file(),
            None => path.is_dir() && !entry.file_name().to_string_lossy().starts_with('.'),
        }
    };
    let entries = std::fs::read_dir(read).ok()?.take(MOST_ENTRIES).flatten().filter(is_one);
    let mut names: Vec<String> =
        entries.map(|entry| shown(Path::new(&entry.file_name()))).collect();
    names.sort_unstable();
    let [one, several] = match ending {
        Some(ending) => {
            let ending = printable(&ending.to_string_lossy());
            [format!(".{ending} file"), format!(".{ending} files")]
        }
        None => ["folder", "folders"].map(String::from),
    };
    match &names[..] {
        // Folders are one of several things that a name may be meant for.
        [] if ending.is_none() => None,
        [] if folder.as_os_str().is_empty() => Some(format!("there are no {several} here")),
        [] => Some(format!("there are no {several} in {}", shown(folder))),
        [name] => Some(format!("the only {one} there is {name}")),
        names => Some(listed(&format!("{several} there"), names)),
    }
}

/// The path with the nearest name in place of its first part that is not there, if that leads to
/// something.
fn near_file(path: &Path) -> Option<PathBuf> {
    let mut folder = PathBuf::new();
    let mut parts = path.components();
    while let Some(part) = parts.next() {
        let inside = folder.join(part);
        if inside.exists() {
            folder = inside;
            continue;
        }
        let Component::Normal(name) = part else { return None };
        let read = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        let entries = std::fs::read_dir(read).ok()?.take(MOST_ENTRIES).flatten();
        // An ending says nothing of which file it is.
        let stem = Path::new(name).file_stem()?.to_str()?;
        let letters = stem.chars().count();
        // Another letter in a name of two makes another name.
        let is_alike = |other: &String| {
            let stem_of = |name: &str| Path::new(name).file_stem().map(ToOwned::to_owned);
            letters > 2 || stem_of(other) == stem_of(&name.to_string_lossy())
        };
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let near = within(letters.div_ceil(5).min(3), name.to_str()?, names.filter(is_alike));
        let near = folder.join(near.into_iter().next()?);
        // Joined with nothing, a path would get a slash.
        let whole = near.components().chain(parts).collect::<PathBuf>();
        return whole.exists().then_some(whole);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_nearest_is_first_and_others_are_left_out() {
        assert_eq!(nearest("Conf", ["Concat", "Conv", "MatMul", "Conv"]), ["Conv"]);
        assert_eq!(nearest("conv", ["Concat", "Conv"]), ["Conv"]);
        assert_eq!(nearest("layer.1/MatMul", ["a/layer.1/MatMul", "x"]), ["a/layer.1/MatMul"]);
        assert_eq!(nearest("999x999", ["256x256", "512x256"]), Vec::<&str>::new());
        assert_eq!(nearest("reocrd", ["report", "record"]), ["record"], "two letters swapped");
        assert_eq!(nearest("", ["a"]), Vec::<&str>::new());
        assert_eq!(nearest("x", ["a"]), Vec::<&str>::new());
    }

    #[test]
    fn where_none_is_near_all_are_listed() {
        assert_eq!(did_you_mean("Conf", "types", ["Conv", "Gemm"]), "did you mean `Conv`?");
        assert_eq!(did_you_mean("foo", "types", ["Conv", "Gemm"]), "the types are `Conv`, `Gemm`");
        assert_eq!(did_you_mean("foo", "types", [""; 0]), "there are no types");
        let many = (0..100).map(|number| format!("/layer.{number}/MatMul"));
        let said = did_you_mean("foo", "operators", many);
        assert!(said.ends_with(" and 93 more") && said.len() < 200, "{said}");
        let near = did_you_mean("n1", "operators", ["n2", "n3", "n\u{1b}"]);
        assert_eq!(near, "did you mean `n\\u{1b}`, `n2` or `n3`?");
    }

    #[test]
    fn a_file_that_is_missing_has_neighbours() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("models")).unwrap();
        fs::write(place.path().join("models/cnn.onnx"), "").unwrap();
        let near = |name: &str| near_file(&place.path().join(name));
        assert_eq!(near("models/cnn.onx"), Some(place.path().join("models/cnn.onnx")));
        assert_eq!(near("modles/cnn.onnx"), Some(place.path().join("models/cnn.onnx")));
        assert_eq!(near("modles/lstm.onnx"), None);
        fs::create_dir(place.path().join("opt")).unwrap();
        fs::write(place.path().join("a.onnx"), "").unwrap();
        assert_eq!(near("nope"), None);
        assert_eq!(near("b.onnx"), None);
        assert_eq!(near("a.onx"), Some(place.path().join("a.onnx")));
        assert_eq!(near("models/cnn"), Some(place.path().join("models/cnn.onnx")));
        assert_eq!(near("elsewhere/cnn.onnx"), None);
        assert_eq!(near("models/text.onnx"), None);
    }

    #[test]
    fn a_file_that_is_missing_among_others_names_them() {
        let place = tempfile::tempdir().unwrap();
        let told = |name: &str| neighbours(&place.path().join(name));
        let here = shown(place.path());
        assert_eq!(told("x.onnx"), Some(format!("there are no .onnx files in {here}")));
        assert_eq!(told("x"), None);
        for name in ["a.onnx", "b.json", "c.onnx", "d\u{1b}.json"] {
            fs::write(place.path().join(name), "").unwrap();
        }
        fs::create_dir(place.path().join("e.onnx")).unwrap();
        assert_eq!(told("x.onnx").unwrap(), "the .onnx files there are a.onnx, c.onnx");
        assert_eq!(told("x.json").unwrap(), "the .json files there are b.json, d\\u{1b}.json");
        assert_eq!(told("x").unwrap(), "the only folder there is e.onnx");
        let missing = shown(&place.path().join("f"));
        assert_eq!(told("f/g/x.onnx"), Some(format!("there is no folder {missing}")));
    }
}
