//! Reads the records of a JSON array one at a time, so that a damaged one costs
//! only itself.

use crate::chrome::repaired;
use crate::damage::{Damage, DamageKind, MOST_RECORDS};
use crate::json::{Broken, Cursor, Text};

/// What became of a record: what it says, or why it is of no use.
pub(crate) type Record<T> = Result<Result<T, (DamageKind, &'static str)>, Broken>;

/// How many ends are tried for a record that is not well-formed.
const MOST_ENDS: usize = 64;
/// How far behind a damaged record another one is looked for.
const LONGEST_RECORD: usize = 1 << 16;
/// The most that a record begins with up to the end of its first key.
const LONGEST_OPENING: usize = 256;

/// Reads an array. `record` gets the cursor in front of each object or string,
/// and may get a repaired copy of it; `keep` gets the byte at which it begins as well. [`Broken::Cut`] if the array is not closed;
/// the cursor then stands before the record that is not whole.
pub(crate) fn read<T>(
    cursor: &mut Cursor<'_>,
    damage: &mut Damage,
    record: impl Fn(&mut Cursor<'_>) -> Record<T>,
    keep: &mut impl FnMut(usize, T),
) -> Result<(), Broken> {
    let mut count = 0usize;
    if !cursor.take(b'[') {
        return Err(Broken::Expected("an array"));
    }
    let bytes = cursor.bytes;
    let mut commas = 1;
    loop {
        match cursor.peek().ok_or(Broken::Cut)? {
            b']' => {
                cursor.offset += 1;
                return Ok(());
            }
            b',' => {
                cursor.offset += 1;
                commas += 1;
                // The first of a run of stray commas tells of all.
                if commas == 2 {
                    damage.add_at(DamageKind::Repaired, bytes, cursor.offset - 1, "a stray comma");
                }
                continue;
            }
            0..0x20 | 0x7f => {
                let reason = "a control character between records";
                damage.add_at(DamageKind::Repaired, bytes, cursor.offset, reason);
                cursor.offset += 1;
                continue;
            }
            _ => commas = 0,
        }
        let start = cursor.offset;
        // Records are objects, or strings where a producer writes names only.
        if !matches!(bytes[start], b'{' | b'"') {
            skip(cursor, damage)?;
            continue;
        }
        count += 1;
        if count > MOST_RECORDS {
            cursor.skip()?;
            let reason = format!("more than {MOST_RECORDS} of them");
            damage.add_at(DamageKind::TooMany, bytes, start, reason);
            continue;
        }
        let broken = match record(cursor) {
            Ok(Ok(value)) => {
                keep(start, value);
                continue;
            }
            Ok(Err((kind, reason))) => {
                damage.add_at(kind, bytes, start, reason);
                continue;
            }
            Err(broken) => broken,
        };
        let stopped = std::mem::replace(&mut cursor.offset, start);
        cursor.offset = save(bytes, start, stopped, broken, damage, &record, keep)?;
    }
}

/// Reads a record whose members `member` takes, or steps over what is not an object.
pub(crate) fn object<'a>(
    cursor: &mut Cursor<'a>,
    member: impl FnMut(Text<'a>, &mut Cursor<'a>) -> Result<(), Broken>,
) -> Record<()> {
    if cursor.peek() != Some(b'{') {
        cursor.skip()?;
        return Ok(Err((DamageKind::NotARecord, "a value that is not an object")));
    }
    cursor.object(member)?;
    Ok(Ok(()))
}

/// Takes what can be repaired of a record from `start`, which is broken at
/// `stopped`, and says where to go on.
fn save<T>(
    bytes: &[u8],
    start: usize,
    stopped: usize,
    broken: Broken,
    damage: &mut Damage,
    record: impl Fn(&mut Cursor<'_>) -> Record<T>,
    keep: &mut impl FnMut(usize, T),
) -> Result<usize, Broken> {
    let (position, reason) = match broken {
        Broken::Expected(what) => (stopped, format!("expected {what}")),
        Broken::Cut => (start, "it does not end".to_string()),
    };
    match repair(bytes, start, broken, record) {
        Repair::Repaired(read, end) => {
            damage.add_at(DamageKind::Repaired, bytes, position, &reason);
            match read {
                Ok(value) => keep(start, value),
                Err((kind, reason)) => damage.add_at(kind, bytes, start, reason),
            }
            Ok(end)
        }
        Repair::Skipped(next) => {
            damage.add_at(DamageKind::Unreadable, bytes, position, &reason);
            Ok(next)
        }
        Repair::Cut => Err(Broken::Cut),
    }
}

/// Steps over what is neither an object nor a string.
fn skip(cursor: &mut Cursor<'_>, damage: &mut Damage) -> Result<(), Broken> {
    let (bytes, start) = (cursor.bytes, cursor.offset);
    match cursor.skip() {
        Ok(_) => {
            damage.add_at(DamageKind::NotARecord, bytes, start, "a value that is not an object")
        }
        Err(_) => {
            let step = memchr::memchr2(b',', b']', &bytes[start..]).ok_or(Broken::Cut)?;
            // A bracket by itself would stop here for ever.
            cursor.offset = start + step.max(1);
            damage.add_at(DamageKind::Unreadable, bytes, start, "expected a value");
        }
    }
    Ok(())
}

enum Repair<T> {
    /// The repaired record, and where to go on.
    Repaired(Result<T, (DamageKind, &'static str)>, usize),
    /// Nothing helped: where to go on.
    Skipped(usize),
    /// The text ends within the record.
    Cut,
}

fn repair<T>(
    bytes: &[u8],
    start: usize,
    broken: Broken,
    record: impl Fn(&mut Cursor<'_>) -> Record<T>,
) -> Repair<T> {
    let opening = opening(bytes, start);
    let mut last = None;
    for (end, is_certain) in Ends::new(bytes, start, opening).take(MOST_ENDS) {
        let repaired = repaired(&bytes[start..end]);
        let mut again = Cursor::new(&repaired);
        if let Ok(read) = record(&mut again)
            && again.peek().is_none()
        {
            return Repair::Repaired(read, end);
        }
        last = Some(end);
        if is_certain {
            break;
        }
    }
    match (broken, last) {
        (Broken::Expected(_), Some(end)) => Repair::Skipped(end),
        _ => Repair::Cut,
    }
}

/// How a record begins, up to the end of its first key: with what its producer
/// puts between them, this tells records from the objects inside them.
fn opening(bytes: &[u8], start: usize) -> &[u8] {
    let text = &bytes[start..];
    // No producer's key is longer; a search to the end of the file for each of its
    // damaged records would not end.
    let text = &text[..text.len().min(LONGEST_OPENING)];
    let length = match text.first() {
        Some(b'{') => memchr::memchr_iter(b'"', text).nth(1).map_or(1, |offset| offset + 1),
        _ => 1,
    };
    &text[..length]
}

/// Places where a record may end, and whether what follows is certainly another.
struct Ends<'a> {
    bytes: &'a [u8],
    offset: usize,
    opening: &'a [u8],
    closing: u8,
}

impl<'a> Ends<'a> {
    fn new(bytes: &'a [u8], start: usize, opening: &'a [u8]) -> Ends<'a> {
        let closing = if opening.first() == Some(&b'{') { b'}' } else { b'"' };
        Ends { bytes, offset: start + 1, opening, closing }
    }
}

impl Ends<'_> {
    /// Whether records follow behind the end of an array: then it is not that of the
    /// records, but one inside the damaged record whose beginning is lost.
    fn goes_on(&self, behind: &[u8]) -> bool {
        let near = &behind[..behind.len().min(LONGEST_RECORD)];
        let Some(next) = memchr::memmem::find(near, self.opening) else { return false };
        let before = near[..next].trim_ascii_end().strip_suffix(b",");
        self.closing == b'}' && before.is_some_and(|before| before.trim_ascii_end().ends_with(b"}"))
    }
}

impl Iterator for Ends<'_> {
    type Item = (usize, bool);

    fn next(&mut self) -> Option<(usize, bool)> {
        loop {
            let step = memchr::memchr(self.closing, self.bytes.get(self.offset..)?)?;
            self.offset += step + 1;
            let behind = self.bytes[self.offset..].trim_ascii_start();
            match behind.first() {
                Some(b']') if !self.goes_on(behind) => return Some((self.offset, false)),
                Some(b',') => {
                    let next = behind[1..].trim_ascii_start();
                    // Behind an object a string would be a key: of the record.
                    let is_record = self.closing == b'"' || next.first() != Some(&b'"');
                    if is_record && !next.is_empty() {
                        let is_other = next.first() != self.opening.first();
                        return Some((self.offset, is_other || next.starts_with(self.opening)));
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Value;

    /// Reads the numbers under `n` of an array of objects.
    fn numbers(text: &str) -> (Vec<i64>, Damage, Result<(), Broken>) {
        let mut numbers = Vec::new();
        let mut damage = Damage::default();
        let mut cursor = Cursor::new(text.as_bytes());
        let record = |cursor: &mut Cursor<'_>| {
            let mut number = None;
            cursor.object(|key, cursor| {
                let value = cursor.value()?;
                if (key.raw, matches!(value, Value::Number(_))) == (b"n", true) {
                    number = value.as_i64();
                }
                Ok(())
            })?;
            Ok(number.ok_or((DamageKind::NotARecord, "no number")))
        };
        let ended = read(&mut cursor, &mut damage, record, &mut |_, number| numbers.push(number));
        (numbers, damage, ended)
    }

    #[test]
    fn whole_records_are_read_up_to_a_cut() {
        let text = "[{\"n\":1}\n,{\"n\":2,\"in\":[{\"n\":9}]}\n,{\"n\":3}]";
        let parted = text.match_indices("\n,").map(|(offset, _)| offset);
        let ends: Vec<usize> = parted.chain([text.len() - 1]).collect();
        for length in 0..text.len() {
            let (read, damage, ended) = numbers(&text[..length]);
            let whole = ends.iter().filter(|&&end| end <= length).count();
            assert_eq!(read, [1, 2, 3][..whole], "{length}");
            assert!(ended.is_err() && damage.is_empty(), "{length}");
        }
        assert_eq!(numbers(text).0, [1, 2, 3]);
    }

    #[test]
    fn damaged_records_cost_themselves() {
        let (read, damage, ended) =
            numbers(r#"[, {"n":1,"s":"a "b" c"}, {"n":2, x}, {"n":3,}, 7, {"m":1}, {"n":4}]"#);
        assert_eq!((read, ended), (vec![1, 3, 4], Ok(())));
        assert_eq!(damage.count(DamageKind::Repaired), 3);
        assert_eq!(damage.count(DamageKind::Unreadable), 1);
        assert_eq!(damage.count(DamageKind::NotARecord), 2);
    }

    #[test]
    fn the_end_of_an_array_inside_is_not_that_of_the_records() {
        // The beginning of the array `in` is lost.
        let text = "[{\n \"n\":1, \"in\": \"a\": 5\n }],\n \"m\":2},{\n \"n\":3},{\n \"n\":4}]";
        let (read, damage, ended) = numbers(text);
        assert_eq!((read, ended), (vec![3, 4], Ok(())));
        assert_eq!(damage.count(DamageKind::Unreadable), 1);
    }

    #[test]
    fn objects_inside_a_record_are_not_taken_for_records() {
        let text = "[{\n \"n\":1, x, \"in\":[{\n  \"n\":8},{\n  \"n\":9}]},{\n \"n\":2}]";
        let (read, damage, _) = numbers(text);
        assert_eq!(read, [2]);
        assert_eq!(damage.count(DamageKind::Unreadable), 1);
    }
}
