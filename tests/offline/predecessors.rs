//! The page on the predecessors names commands and options that there are.

use crate::program::{Place, fixture_file};
use std::collections::HashMap;

#[test]
fn every_option_that_the_page_names_is_one() {
    let page = std::fs::read_to_string(fixture_file("../docs/studies/predecessors.md")).unwrap();
    let place = Place::new();
    let mut help: HashMap<&str, Option<String>> = HashMap::new();
    let mut options = 0;
    for row in page.lines().filter(|line| line.starts_with("| ")) {
        // What is here, behind what was there.
        let here = row.splitn(3, '|').nth(2).unwrap();
        let mut command = None;
        for code in here.split('`').skip(1).step_by(2) {
            let words: Vec<&str> = code.split(' ').filter(|word| *word != "onnxray").collect();
            let first = words[0];
            if first.chars().all(|letter| letter.is_ascii_lowercase()) {
                let of_command = || {
                    let shown = place.run(&[first, "--help"]);
                    (shown.code == Some(0)).then_some(shown.out)
                };
                command = help.entry(first).or_insert_with(of_command).clone().or(command);
            }
            for option in words.iter().filter(|word| word.starts_with('-')) {
                let text = command.as_ref().expect("a command in front of its options");
                let is_there = text.split([' ', ',', '[', '\n']).any(|word| word == *option);
                assert!(is_there, "no {option}: {row}");
                options += 1;
            }
        }
    }
    assert!(options > 30, "{options}");
}
