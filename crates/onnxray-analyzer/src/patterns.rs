//! Operators that repeat: one name but for the numbers in it, and one kind.
//!
//! A model of 40 blocks has 40 operators `blocks.0/mlp/fc1`, `blocks.1/mlp/fc1`, …; together they
//! are the pattern `blocks.*/mlp/fc1`.

use std::collections::HashMap;
use std::hash::Hash;

/// Fewest members of a pattern: what repeats less often is read as quickly one by one.
pub const FEWEST_MEMBERS: usize = 4;

/// Most roles that numbers before a name's last part tell apart (`conv1` to `conv4`): more of them
/// count repetitions.
const MOST_ROLES: usize = 4;

/// Items whose names differ only in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The name they share: `*` where their numbers differ, the number itself where it does not.
    pub name: String,
    /// Positions among the items, ascending; at least [`FEWEST_MEMBERS`].
    pub members: Vec<usize>,
}

/// The patterns among named items, in the order of their first members; an item is in one at most.
/// Only items of equal `kind` (type, shapes, …) are in one pattern.
///
/// A number at the end of a word tells roles apart rather than repetitions, in a name's last part
/// (`MatMul_1`) or where there are few of them (`fc1/MatMul`, `fc2/MatMul`), as long as what it
/// parts still repeats: `blocks.*/fc1` and `blocks.*/fc2` are two patterns though their shapes may
/// agree, `MatMul_*` is one.
pub fn patterns<'a, K: Eq + Hash>(items: impl IntoIterator<Item = (&'a str, K)>) -> Vec<Pattern> {
    let mut groups: HashMap<(Vec<&str>, K), Vec<Item>> = HashMap::new();
    for (place, (name, kind)) in items.into_iter().enumerate() {
        let (texts, numbers) = parts(name);
        // A name of digits alone says nothing that could be shared.
        if texts.iter().any(|text| text.contains(char::is_alphabetic)) {
            groups.entry((texts, kind)).or_default().push(Item { place, numbers });
        }
    }
    let mut found = Vec::new();
    for ((texts, _), items) in groups {
        let roles = (0..texts.len() - 1).rev().filter_map(|number| roles(&texts, number));
        let split = roles.fold(vec![items], |groups, roles| {
            groups.into_iter().flat_map(|group| by_role(group, roles)).collect()
        });
        let repeated = split.into_iter().filter(|items| items.len() >= FEWEST_MEMBERS);
        found.extend(repeated.map(|items| Pattern {
            name: shared_name(&texts, &items),
            members: items.into_iter().map(|item| item.place).collect(),
        }));
    }
    found.sort_unstable_by_key(|pattern| pattern.members[0]);
    found
}

/// An item and the numbers in its name.
struct Item<'a> {
    place: usize,
    numbers: Vec<&'a str>,
}

/// The texts around the numbers of a name (one more than there are numbers), and the numbers.
fn parts(name: &str) -> (Vec<&str>, Vec<&str>) {
    let is_digit = |text: char| text.is_ascii_digit();
    let (mut texts, mut numbers) = (Vec::new(), Vec::new());
    let mut rest = name;
    while let Some(start) = rest.find(is_digit) {
        let (text, from) = rest.split_at(start);
        let (number, after) = from.split_at(from.find(|one| !is_digit(one)).unwrap_or(from.len()));
        texts.push(text);
        numbers.push(number);
        rest = after;
    }
    texts.push(rest);
    (texts, numbers)
}

/// A name with `*` for each number in it.
pub(crate) fn without_numbers(name: &str) -> String {
    parts(name).0.join("*")
}

/// A number that may tell roles apart, and how many at the most.
#[derive(Clone, Copy)]
struct Roles {
    number: usize,
    most: usize,
}

/// Whether a number of a path may tell roles apart: it ends a word.
fn roles(texts: &[&str], number: usize) -> Option<Roles> {
    let is_last = texts[number + 1..].iter().all(|text| !text.contains(['/', '.']));
    let before = texts[number].chars().next_back()?;
    match is_last {
        true => (!matches!(before, '/' | '.')).then_some(Roles { number, most: usize::MAX }),
        // `layer_3` counts, `fc1` does not.
        false => before.is_alphabetic().then_some(Roles { number, most: MOST_ROLES }),
    }
}

/// A group parted by one of its numbers, unless a part would no longer repeat.
fn by_role(items: Vec<Item>, Roles { number, most }: Roles) -> Vec<Vec<Item>> {
    let mut sizes: HashMap<&str, usize> = HashMap::new();
    items.iter().for_each(|item| *sizes.entry(item.numbers[number]).or_default() += 1);
    if sizes.len() > most || sizes.values().any(|size| *size < FEWEST_MEMBERS) {
        return vec![items];
    }
    let mut parts: HashMap<&str, Vec<Item>> = HashMap::new();
    for item in items {
        parts.entry(item.numbers[number]).or_default().push(item);
    }
    parts.into_values().collect()
}

/// A name in which numbers that differ are `*`.
fn shared_name(texts: &[&str], items: &[Item]) -> String {
    let mut name = texts[0].to_string();
    for (number, text) in texts[1..].iter().enumerate() {
        let first = items[0].numbers[number];
        let is_shared = items.iter().all(|item| item.numbers[number] == first);
        name.push_str(if is_shared { first } else { "*" });
        name.push_str(text);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str]) -> Vec<(String, usize)> {
        let items = names.iter().map(|name| (*name, ()));
        patterns(items).into_iter().map(|one| (one.name, one.members.len())).collect()
    }

    fn made(count: usize, name: impl Fn(usize) -> String) -> Vec<String> {
        (0..count).map(name).collect()
    }

    fn expect(names: Vec<String>, expected: &[(&str, usize)]) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let expected: Vec<(String, usize)> =
            expected.iter().map(|(name, size)| (name.to_string(), *size)).collect();
        assert_eq!(of(&names), expected);
    }

    #[test]
    fn blocks_fold_and_the_roles_inside_them_do_not() {
        let names = made(12, |i| format!("blocks.{}/mlp/fc{}", i / 2, i % 2 + 1));
        expect(names, &[("blocks.*/mlp/fc1", 6), ("blocks.*/mlp/fc2", 6)]);
        let names = made(8, |i| format!("/layer.{i}/attention/MatMul_1"));
        expect(names, &[("/layer.*/attention/MatMul_1", 8)]);
        let names = made(12, |i| format!("/blocks.{}/mlp/fc{}/MatMul", i / 2, i % 2 + 1));
        expect(names, &[("/blocks.*/mlp/fc1/MatMul", 6), ("/blocks.*/mlp/fc2/MatMul", 6)]);
        let names = made(24, |i| format!("stage{}/block{}/Conv", i / 6, i % 6));
        expect(
            names,
            &[
                ("stage0/block*/Conv", 6),
                ("stage1/block*/Conv", 6),
                ("stage2/block*/Conv", 6),
                ("stage3/block*/Conv", 6),
            ],
        );
        let names = made(12, |i| format!("blocks.{}/heads.{}/MatMul", i / 4, i % 4));
        expect(names, &[("blocks.*/heads.*/MatMul", 12)]);
    }

    #[test]
    fn numbers_that_only_count_fold() {
        expect(made(9, |i| format!("MatMul_{i}")), &[("MatMul_*", 9)]);
        // Three of each would no longer be patterns.
        let names = made(6, |i| format!("layer1.{}.conv{}", i / 2, i % 2));
        expect(names, &[("layer1.*.conv*", 6)]);
        let names = made(8, |i| format!("layer_{}_fc{}", i / 2, i % 2));
        expect(names, &[("layer_*_fc0", 4), ("layer_*_fc1", 4)]);
    }

    #[test]
    fn what_repeats_less_often_or_has_no_word_stays() {
        expect(made(3, |i| format!("conv{i}")), &[]);
        expect(made(9, |i| i.to_string()), &[]);
        expect(made(9, |i| format!("//.{i}")), &[]);
        expect(vec![String::new(); 9], &[]);
        expect(made(9, |i| "x".repeat(i + 1)), &[]);
    }

    #[test]
    fn kinds_do_not_mix_and_every_item_is_in_one_pattern_at_most() {
        let names = made(10, |i| format!("conv{i}"));
        let items = names.iter().enumerate().map(|(i, name)| (name.as_str(), i % 2));
        let found = patterns(items);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].members, [0, 2, 4, 6, 8]);
        assert_eq!(found[1].members, [1, 3, 5, 7, 9]);
    }

    #[test]
    fn names_from_elsewhere_are_taken_as_they_are() {
        let names = made(5, |i| format!("层.{i}/*/λ"));
        expect(names, &[("层.*/*/λ", 5)]);
        let names = made(5, |i| format!("a{}b", "9".repeat(i + 40)));
        expect(names, &[("a*b", 5)]);
    }
}
