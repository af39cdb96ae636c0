//! Protobuf messages as bytes: to change some of their fields and leave the others as they are.

/// Wire type of texts and messages.
const LENGTH_DELIMITED: u64 = 2;

/// Replaces the messages of one field by what `change` makes of each. `None` if the bytes are not a
/// message, or if `change` fails.
pub(in crate::model) fn rewritten(
    bytes: &[u8],
    number: u64,
    mut change: impl FnMut(&[u8]) -> Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let mut message = Vec::with_capacity(bytes.len() + bytes.len() / 64);
    for field in Fields(bytes) {
        match field? {
            Field { number: own, value: Some(value), .. } if own == number => {
                put(&mut message, number, &change(value)?);
            }
            Field { whole, .. } => message.extend_from_slice(whole),
        }
    }
    Some(message)
}

/// A field of a message.
pub(in crate::model) struct Field<'a> {
    pub(in crate::model) number: u64,
    /// Contents of a text or a message.
    pub(in crate::model) value: Option<&'a [u8]>,
    /// Value of a varint.
    pub(in crate::model) integer: Option<u64>,
    /// Bytes of the field with its number and its length.
    pub(in crate::model) whole: &'a [u8],
}

/// Iterates over the fields of a message; yields `None` once, at the first malformed byte.
pub(in crate::model) struct Fields<'a>(pub(in crate::model) &'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = Option<Field<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.0;
        if bytes.is_empty() {
            return None;
        }
        let field = field(bytes);
        // After damage nothing follows: lengths could not be trusted.
        self.0 = field.as_ref().map_or(&[], |field| &bytes[field.whole.len()..]);
        Some(field)
    }
}

/// Contents of all fields of that number, up to the first malformed byte.
pub(in crate::model) fn values(bytes: &[u8], number: u64) -> impl Iterator<Item = &[u8]> {
    let own = Fields(bytes).flatten().filter(move |field| field.number == number);
    own.filter_map(|field| field.value)
}

fn field(bytes: &[u8]) -> Option<Field<'_>> {
    let mut rest = bytes;
    let key = varint(&mut rest)?;
    let mut integer = None;
    // Wire types: 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes; 3 and 4, groups, are
    // not in ONNX.
    let value = match key & 7 {
        0 => {
            integer = Some(varint(&mut rest)?);
            None
        }
        1 => {
            rest = rest.get(8..)?;
            None
        }
        LENGTH_DELIMITED => {
            let length = usize::try_from(varint(&mut rest)?).ok()?;
            let (value, behind) = rest.split_at_checked(length)?;
            rest = behind;
            Some(value)
        }
        5 => {
            rest = rest.get(4..)?;
            None
        }
        _ => return None,
    };
    let whole = &bytes[..bytes.len() - rest.len()];
    Some(Field { number: key >> 3, value, integer, whole })
}

/// Reads seven bits a byte, lowest first.
pub(in crate::model) fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    // At most ten bytes: a longer run would be of more than 64 bits.
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

pub(in crate::model) fn put(out: &mut Vec<u8>, number: u64, value: &[u8]) {
    put_varint(out, number << 3 | LENGTH_DELIMITED);
    put_varint(out, value.len() as u64);
    out.extend_from_slice(value);
}

pub(in crate::model) fn put_integer(out: &mut Vec<u8>, number: u64, value: u64) {
    put_varint(out, number << 3);
    put_varint(out, value);
}

fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
