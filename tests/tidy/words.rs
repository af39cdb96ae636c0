//! Words that do not come back: translated ones, and names that options no longer have. Each has
//! the field's word beside it. They are looked for in all sources of the program and its pages,
//! in their comments as well as in what they say, and in the documentation.

use crate::{files, read};
use std::path::{Path, PathBuf};

/// What is not written, and what is written instead.
const WORDS: [(&str, &str); 64] = [
    ("unless given", "`[default: …]` in the help; by default"),
    ("so many", "this many"),
    ("after so long", "after this long"),
    ("times as long", "66.2 % slower, 2.31x slower"),
    ("times as fast", "2.00x faster"),
    ("is as fast as", "no significant difference between"),
    ("could have been shown", "minimum detectable effect"),
    ("could be shown", "minimum detectable effect"),
    ("goes by the", "uses"),
    ("goes by its", "is named after"),
    ("Say what", "Show"),
    ("Say where", "Show where"),
    ("Say whether", "Check"),
    ("Say as well", "Also print"),
    ("recorded in turns", "interleaved"),
    ("made in turns", "interleaved"),
    ("versions in turns", "versions interleaved"),
    ("plain iteration", "unprofiled iteration"),
    ("plain iterations", "unprofiled iterations"),
    ("plain latency", "latency"),
    ("overhead of recording", "profiling overhead"),
    ("recording overhead", "profiling overhead"),
    ("false alarms", "A/A false positives"),
    ("kernel level", "layers"),
    ("mend", "repair"),
    ("mends", "repairs"),
    ("mended", "repaired"),
    ("foretells", "correlates with"),
    ("disturber", "noise source"),
    ("disturbance", "interference"),
    ("parting", "partition"),
    ("settling", "steady state"),
    ("by exclusive time", "/ exclusive time"),
    ("by sparse latency", "/ sparse latency"),
    ("by perf ratio", "/ perf ratio"),
    ("before by after", "before / after"),
    ("B by A", "B / A"),
    ("PROJECT:PROFILE", "DIR:PROFILE"),
    ("onnxray import", "onnxray inspect"),
    ("`onnxray loss", "`onnxray sensitivity"),
    ("--turns", "--interleave"),
    ("--turn", "--iterations-per-turn"),
    ("--as-is", "--no-vzeroupper"),
    ("--anyway", "--allow-model-mismatch"),
    ("--anew", "--restart"),
    ("--each", "--per-recording"),
    ("--plain-iterations", "--unprofiled-iterations"),
    ("--levels", "--sparsities"),
    ("--project", "--profiles"),
    ("Total profiling", "Projected total"),
    ("Operator profiling", "Projected operators"),
    ("Layer types", "By type"),
    ("Layer summaries", "By type"),
    ("Layer results", "Operators"),
    ("sparse ratios", "sparsities"),
    ("To be read with care", "Caveats"),
    ("sums of ends", "intervals of totals add the intervals of their parts"),
    ("not being executions", "ignored"),
    ("does not tell of iterations", "marks no iterations"),
    ("one behind the other", "one after the other"),
    ("stands behind", "follows"),
    ("stand behind", "follow"),
    ("lies behind", "follows"),
    ("lie behind", "follow"),
];

/// Files in which a word stands for a reason.
const ELSEWHERE: [(&str, &str); 3] = [
    // What files on disk call their format.
    ("docs/format.md", "`onnxray loss"),
    // What earlier workbooks call their sheets.
    (FORMER, "Operator profiling"),
    (FORMER, "Layer types"),
];
const FORMER: &str = "crates/onnxray-analyzer/src/workbook_words/matching.rs";

/// What may follow `is no` without an article being meant.
const COMPARED: [&str; 8] =
    ["longer", "more", "less", "other", "later", "earlier", "sooner", "further"];

fn texts() -> Vec<PathBuf> {
    let crates = files("crates", "rs").into_iter();
    let of_crates = crates.filter(|file| file.components().any(|part| part.as_os_str() == "src"));
    let pages = files("crates/onnxray-report/web/source", "js").into_iter();
    let documents = files("docs", "md").into_iter();
    of_crates.chain(pages).chain(documents).chain(["README.md".into()]).collect()
}

/// A text in one line, without what marks comments and breaks strings; and which of its
/// positions is in which line.
fn sentence(text: &str) -> (String, Vec<usize>) {
    let (mut sentence, mut ends) = (String::new(), Vec::new());
    for line in text.lines() {
        let line = line.trim_start().trim_start_matches(['/', '!', '*']).trim();
        sentence += line.trim_end_matches('\\').trim_end();
        sentence.push(' ');
        ends.push(sentence.len());
    }
    (sentence, ends)
}

fn is_of_word(letter: Option<char>) -> bool {
    letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-')
}

/// Where words stand that are not part of longer ones.
fn places(text: &str, words: &str) -> Vec<usize> {
    let is_whole = |&at: &usize| {
        !is_of_word(text[..at].chars().next_back())
            && !is_of_word(text[at + words.len()..].chars().next())
    };
    text.match_indices(words).map(|(at, _)| at).filter(is_whole).collect()
}

fn is_elsewhere(file: &Path, words: &str) -> bool {
    ELSEWHERE.iter().any(|&(place, of)| of == words && file == Path::new(place))
}

/// Where a value is said to be no such thing, instead of not such a thing.
fn negated_nouns(text: &str) -> Vec<usize> {
    let verbs = ["is no", "are no", "was no", "were no", "be no", "being no"];
    let is_meant = |&(at, verb): &(usize, &str)| {
        let word =
            |word: &str| word.trim_matches(|letter: char| !letter.is_alphabetic()).to_string();
        let next = word(text[at + verb.len()..].split_whitespace().next().unwrap_or_default());
        let before = text[..at].trim_end().rsplit(|letter: char| !letter.is_alphabetic()).next();
        !before.is_some_and(|before| before.eq_ignore_ascii_case("there"))
            && !next.is_empty()
            && !COMPARED.contains(&next.as_str())
    };
    let found = verbs.iter().flat_map(|verb| places(text, verb).into_iter().map(|at| (at, *verb)));
    found.filter(is_meant).map(|(at, _)| at).collect()
}

#[test]
fn words_that_were_replaced_do_not_come_back() {
    let mut wrong = Vec::new();
    for file in texts() {
        let (text, ends) = sentence(&read(&file));
        let line = |at: usize| ends.partition_point(|&end| end <= at) + 1;
        let mut found = |at: usize, words: &str, better: &str| {
            wrong.push(format!("{}:{}: `{words}`: {better}", file.display(), line(at)));
        };
        for (words, better) in WORDS.iter().filter(|(words, _)| !is_elsewhere(&file, words)) {
            places(&text, words).into_iter().for_each(|at| found(at, words, better));
        }
        negated_nouns(&text).into_iter().for_each(|at| found(at, "is no …", "is not a …"));
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn words_are_found_across_lines_and_only_whole() {
    let (text, ends) =
        sentence("//! Each takes so\n//! many rows.\nlet so_many = \"is \\\n  no number\";");
    assert_eq!(places(&text, "so many").len(), 1);
    assert_eq!(places(&text, "takes").len(), 1);
    assert_eq!((negated_nouns(&text).len(), ends.len()), (1, 4));
    assert!(negated_nouns("there is no number, and it is no longer one").is_empty());
    assert_eq!(places("--turns --turn", "--turn"), [8]);
}
