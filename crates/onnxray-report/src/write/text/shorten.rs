//! Names made to fit: paths lose their middle, C++ names what their neighbours share.

use crate::write::signature::without_scopes;
use std::collections::HashMap;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const ELLIPSIS: char = '…';

/// The names of a column, none wider than `width`. Names that differ still do, except
/// where the width has no room for a difference.
pub(super) fn shorten(names: &[String], width: usize) -> Vec<String> {
    if names.iter().all(|name| name.width() <= width) {
        return names.to_vec();
    }
    let mut short: HashMap<&str, String> = HashMap::new();
    for name in names {
        short.entry(name).or_insert_with(|| shortened(name, width));
    }
    part(&mut short, width);
    names.iter().map(|name| short.get(name.as_str()).cloned().unwrap_or_default()).collect()
}

fn shortened(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_string();
    }
    let plain = without_scopes(name);
    if plain.width() <= width {
        return plain;
    }
    along_path(&plain, width).unwrap_or_else(|| in_the_middle(&plain, width))
}

/// Shows of names that became alike where they begin to differ, and numbers what is
/// alike even then.
fn part(short: &mut HashMap<&str, String>, width: usize) {
    let mut alike: HashMap<String, Vec<&str>> = HashMap::new();
    for (name, short) in short.iter() {
        alike.entry(short.clone()).or_default().push(name);
    }
    let mut groups: Vec<Vec<&str>> = alike.into_values().filter(|names| names.len() > 1).collect();
    // A map has no order: sorted, names get the same numbers in every run.
    groups.sort();
    for mut names in groups {
        names.sort_unstable();
        let plain: Vec<String> = names.iter().map(|name| without_scopes(name)).collect();
        // All share this beginning: any of them will do.
        let shared = whole_part(&plain[0], common_prefix(&plain));
        let mut seen: HashMap<String, usize> = HashMap::new();
        for (name, plain) in names.iter().zip(&plain) {
            let mut shown = from(plain, shared, width);
            let count = seen.entry(shown.clone()).or_default();
            *count += 1;
            if *count > 1 {
                let number = format!("~{count}");
                shown = first(&shown, width.saturating_sub(number.len())) + &number;
            }
            short.insert(name, first(&shown, width));
        }
    }
}

/// `/bert/…/layer.0/…/query/MatMul`: a path without what tells least, until it fits.
fn along_path(name: &str, width: usize) -> Option<String> {
    let parts: Vec<&str> = name.split('/').collect();
    let mut kept = vec![true; parts.len()];
    for part in by_importance(&parts) {
        kept[part] = false;
        let shown = joined(&parts, &kept);
        if shown.width() <= width {
            return Some(shown);
        }
    }
    None
}

/// The parts of a path but the last: first those that the next one repeats, as in
/// `layers/layers.3`, and others without a number, which may be the same in all layers.
fn by_importance(parts: &[&str]) -> Vec<usize> {
    let Some(last) = parts.len().checked_sub(1) else { return Vec::new() };
    let is_repeated = |part: usize| {
        // There is a next part: the last one is not asked for.
        let rest = parts[part + 1].strip_prefix(parts[part]);
        !parts[part].is_empty() && rest.is_some_and(|rest| rest.starts_with('.'))
    };
    let is_numbered = |part: usize| parts[part].contains(|letter: char| letter.is_ascii_digit());
    // In front of the first slash is nothing.
    let first = usize::from(parts[0].is_empty());
    let mut order: Vec<usize> = (first..last).collect();
    // The lowest goes first; parts with a number last, as they tell layers apart.
    order.sort_by_key(|&part| match part {
        _ if is_repeated(part) => 0,
        _ if is_numbered(part) => 4,
        _ if part + 1 == last => 3,
        _ if part == first => 2,
        _ => 1,
    });
    order
}

fn joined(parts: &[&str], kept: &[bool]) -> String {
    let mut shown: Vec<String> = Vec::new();
    for (part, &is_kept) in parts.iter().zip(kept) {
        if is_kept {
            shown.push(part.to_string());
        } else if shown.last().is_none_or(|last| last != &ELLIPSIS.to_string()) {
            if shown == [""] {
                // The root says nothing without the part after it.
                shown.clear();
            }
            shown.push(ELLIPSIS.to_string());
        }
    }
    shown.join("/")
}

fn in_the_middle(name: &str, width: usize) -> String {
    // 1 for the ellipsis.
    let room = width.saturating_sub(1);
    // The end of a name says more than its beginning, and gets three fifths.
    let head = first(name, room - room * 3 / 5);
    let tail: String = name.chars().rev().collect();
    let tail = first(&tail, room - head.width());
    let tail: String = tail.chars().rev().collect();
    // Of width 0, not even the ellipsis fits.
    first(&format!("{head}{ELLIPSIS}{tail}"), width)
}

/// A few letters of the beginning, and what comes from the letter `place` on.
fn from(name: &str, place: usize, width: usize) -> String {
    const HEAD: usize = 6;
    let head = HEAD.min(width / 4);
    // They differ within the head already: nothing to skip.
    if place <= head + 1 {
        let shown = first(name, width.saturating_sub(1));
        return shown + &ELLIPSIS.to_string();
    }
    let beginning = first(name, head);
    let rest: String = name.chars().skip(place).collect();
    // 1 for the ellipsis in between.
    let room = width.saturating_sub(beginning.width() + 1);
    let rest = match rest.width() <= room {
        true => rest,
        false => first(&rest, room.saturating_sub(1)) + &ELLIPSIS.to_string(),
    };
    format!("{beginning}{ELLIPSIS}{rest}")
}

/// Start of the path's part that letter `place` is in, so that a number keeps its name; `place`
/// itself in a long part.
fn whole_part(name: &str, place: usize) -> usize {
    const LONGEST: usize = 10;
    let before: Vec<char> = name.chars().take(place).collect();
    let begin = before.iter().rposition(|&letter| letter == '/').map_or(0, |slash| slash + 1);
    if place - begin <= LONGEST { begin } else { place }
}

/// Letters that all names begin with.
fn common_prefix(names: &[String]) -> usize {
    let Some((one, others)) = names.split_first() else { return 0 };
    let shared =
        |other: &String| one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    others.iter().map(shared).min().unwrap_or(0)
}

/// The beginning of a text that is at most `width` wide.
fn first(text: &str, width: usize) -> String {
    let mut room = width;
    let fits = |letter: &char| {
        // Control characters have no width.
        let wide = letter.width().unwrap_or(0);
        let fits = wide <= room;
        room = room.saturating_sub(wide);
        fits
    };
    text.chars().take_while(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn shorten_all(names: &[&str], width: usize) -> Vec<String> {
        shorten(&names.iter().map(|name| name.to_string()).collect::<Vec<_>>(), width)
    }

    #[test]
    fn paths_lose_their_middle() {
        let name = "/bert/encoder/layer.0/attention/self/query/MatMul";
        assert_eq!(shorten_all(&[name], 31), ["/bert/…/layer.0/…/query/MatMul"]);
        assert_eq!(shorten_all(&[name], 24), ["…/layer.0/…/query/MatMul"]);
        assert_eq!(shorten_all(&[name], 60), [name]);
    }

    #[test]
    fn paths_keep_the_numbers_of_their_layers() {
        let name = "/stages/stages.5/layers/layers.3/Conv + Clip";
        assert_eq!(shorten_all(&[name], 40), ["…/stages.5/layers/layers.3/Conv + Clip"]);
        assert_eq!(shorten_all(&[name], 36), ["…/stages.5/…/layers.3/Conv + Clip"]);
        assert_eq!(shorten_all(&[name], 24), ["…/layers.3/Conv + Clip"]);
    }

    #[test]
    fn parts_that_tell_paths_apart_are_whole() {
        let names = [0, 1].map(|layer| {
            format!("/bert/encoder/layer.{layer}/intermediate/act/Mul_1_output_0_QuantizeLinear")
        });
        let short = shorten(&names, 27);
        assert_eq!(short, ["/bert/…layer.0/intermediat…", "/bert/…layer.1/intermediat…"]);
    }

    #[test]
    fn kernels_lose_what_tells_nothing() {
        let kernel = "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, \
                      at::detail::Array<char*, 1> >(int, at::native::FillFunctor<float>)";
        assert_eq!(
            shorten_all(&[kernel], 80),
            ["vectorized_elementwise_kernel<4, FillFunctor<float>, Array<char*, 1> >"]
        );
    }

    #[test]
    fn what_tells_names_apart_is_kept() {
        let names = [
            "void kernels::gemm<float, Shape<128, 128, 32>, Layout<RowMajor>, Epilogue<Relu> >(int)",
            "void kernels::gemm<float, Shape<128, 64, 32>, Layout<RowMajor>, Epilogue<Relu> >(int)",
        ];
        assert_eq!(
            shorten_all(&names, 30),
            ["gemm<f…128, 32>, Layout<RowMa…", "gemm<f…64, 32>, Layout<RowMaj…"]
        );
    }

    proptest! {
        #[test]
        fn nothing_is_wider_and_what_differs_still_does(
            names in prop::collection::vec("[a-c/:<>() 字]{0,60}", 1..20),
            width in 0usize..70,
        ) {
            let short = shorten(&names, width);
            prop_assert!(short.iter().all(|name| name.width() <= width));
            if width >= 8 {
                let before: HashSet<&String> = names.iter().collect();
                let after: HashSet<&String> = short.iter().collect();
                // Names that are short themselves may look like a shortened one.
                if names.iter().all(|name| name.width() > width) {
                    prop_assert_eq!(before.len(), after.len());
                }
            }
        }
    }
}
