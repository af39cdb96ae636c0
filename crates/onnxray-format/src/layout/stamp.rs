//! What tells recordings from each other in the names of their files: the model, and the time.

/// Bytes of a model's name in file names: systems allow 255 for a whole name.
const MOST_OF_MODEL: usize = 80;
/// A time in file names.
const TIME: &[u8; 19] = b"0000-00-00_00-00-00";

/// Whether a text is the stamp of a recording as in file names: `2026-11-20_14-05-09`, behind the
/// model's name and a `_` if it has one.
pub fn is_stamp(text: &str) -> bool {
    let time = time_in(text);
    let is_time = time.len() == TIME.len()
        && time.bytes().zip(TIME).all(|(byte, &form)| match form {
            b'0' => byte.is_ascii_digit(),
            mark => byte == mark,
        });
    let model = text.strip_suffix(time).unwrap_or_default();
    is_time && (model.is_empty() || model.strip_suffix('_').is_some_and(|own| word(own) == own))
}

/// The time in a stamp, by which recordings follow each other.
pub fn time_in(stamp: &str) -> &str {
    let begin = stamp.len().saturating_sub(TIME.len());
    stamp.get(begin..).unwrap_or(stamp)
}

/// What stands before the time in the stamps of a model.
pub(super) fn prefix(model: &str) -> String {
    match word(model) {
        word if word.is_empty() => word,
        word => format!("{word}_"),
    }
}

/// A model's name as a part of file names, which no shell takes for anything else.
fn word(model: &str) -> String {
    let mut word = String::new();
    for character in model.trim_start_matches(['.', '-']).chars() {
        if word.len() + character.len_utf8() > MOST_OF_MODEL {
            break;
        }
        let is_kept = character.is_alphanumeric() || matches!(character, '.' | '-' | '_');
        word.push(if is_kept { character } else { '-' });
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_those_of_names() {
        let stamps =
            ["2026-11-20_14-05-09", "encoder_2026-11-20_14-05-09", "a_b.c-1_2026-11-20_14-05-09"];
        assert!(stamps.into_iter().all(is_stamp));
        let others = [
            "",
            "2026-11-20_14-05-9",
            "2026-11-20_14-05-09_0",
            "../../../../../../../x",
            "../x_2026-11-20_14-05-09",
            "x2026-11-20_14-05-09",
        ];
        assert!(others.into_iter().all(|text| !is_stamp(text)));
    }

    #[test]
    fn a_models_name_is_a_word_of_a_shell() {
        assert_eq!(prefix("encoder-int8.v2"), "encoder-int8.v2_");
        assert_eq!(prefix("my model (1)"), "my-model--1-_");
        assert_eq!(prefix("--force"), "force_");
        assert_eq!((prefix(""), prefix("../..")), (String::new(), "-.._".to_string()));
        let long = prefix(&"é".repeat(300));
        assert!(long.len() <= MOST_OF_MODEL + 1 && is_stamp(&(long + "2026-11-20_14-05-09")));
    }
}
