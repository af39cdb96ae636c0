//! Arrays from NumPy's files, read only if they are what the model expects.
//!
//! A header is a few bytes that may claim any shape, and an archive may expand to a
//! thousand times its size. So the header is compared first, and then as much is read as
//! the expected shape takes.

use crate::error::RecordError;
use crate::memory;
use half::f16;
use ndarray::{ArrayD, IxDyn, ShapeBuilder};
use ndarray_npy::npy::header::Header;
use ndarray_npy::{ReadDataError, ReadableElement};
use onnxray_failsafe::open_regular;
use onnxray_format::DataType;
use onnxray_text::{first_of, nearest, printable};
use std::collections::HashSet;
use std::fmt::Display;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;
use zip::ZipArchive;
use zip::read::read_zipfile_from_stream;

/// NumPy's own default limit.
const LONGEST_HEADER: u32 = 10_000;

/// Characters of a text at most.
const LONGEST_TEXT: usize = 1 << 16;

/// Why there is no array.
pub(crate) enum ReadFailure {
    /// It is of this other shape.
    Mismatch(String),
    /// Its elements are of another type, by NumPy's descriptor.
    OtherType(String),
    Io(io::Error),
    Other(String),
}

impl ReadFailure {
    pub(crate) fn of(self, path: &Path) -> RecordError {
        let path = path.to_path_buf();
        let reason = match self {
            ReadFailure::Io(source) => return RecordError::ReadFile { path, source },
            ReadFailure::OtherType(found) => format!("elements of NumPy type {found}"),
            ReadFailure::Mismatch(reason) | ReadFailure::Other(reason) => reason,
        };
        RecordError::InputFile { path, reason }
    }
}

fn other(error: impl Display) -> ReadFailure {
    ReadFailure::Other(error.to_string())
}

/// Reads an array of that shape: from an `.npz` archive the one called `name`, or the only
/// one that there is.
pub(in crate::model) fn read<T: Readable>(
    path: &Path,
    name: &str,
    shape: &[usize],
) -> Result<ArrayD<T>, ReadFailure> {
    with_array(path, name, |from| array(from, shape))
}

/// Reads the arrays of an `.npz` archive in their order, or the only one of an `.npy` file.
pub(in crate::model) fn read_all<T: Readable>(path: &Path) -> Result<Vec<ArrayD<T>>, ReadFailure> {
    let mut file = open_regular(path).map_err(ReadFailure::Io)?;
    if path.extension().is_none_or(|extension| extension != "npz") {
        return Ok(vec![any_array(&mut file)?]);
    }
    let mut archive = ZipArchive::new(file).map_err(other)?;
    let count = names(&archive, path)?.len();
    (0..count).map(|index| any_array(&mut archive.by_index(index).map_err(other)?)).collect()
}

/// The shape of the array that [`read`] reads.
pub(crate) fn shape(path: &Path, name: &str) -> Result<Vec<usize>, ReadFailure> {
    with_array(path, name, |mut from| Ok(header(&mut from)?.shape))
}

/// Opens an `.npy` file, or the array of an `.npz` archive.
fn with_array<T>(
    path: &Path,
    name: &str,
    read: impl FnOnce(&mut dyn Read) -> Result<T, ReadFailure>,
) -> Result<T, ReadFailure> {
    let mut file = open_regular(path).map_err(ReadFailure::Io)?;
    if path.extension().is_none_or(|extension| extension != "npz") {
        return read(&mut file);
    }
    let mut archive = ZipArchive::new(file).map_err(other)?;
    let entries = names(&archive, path)?;
    let position = match entries.iter().position(|entry| entry == name) {
        Some(position) => position,
        None if entries.len() == 1 => 0,
        None => {
            let reason = match entries.is_empty() {
                true => "holds no array".to_string(),
                false => format!(
                    "holds no array named `{name}`; {}",
                    unlike(name, &entries, "its arrays are")
                ),
            };
            return Err(ReadFailure::Other(reason));
        }
    };
    let mut entry = archive.by_index(position).map_err(other)?;
    read(&mut entry)
}

/// All names that there are, and the nearest one.
pub(crate) fn unlike<T: AsRef<str>>(name: &str, names: &[T], are: &str) -> String {
    let all = first_of(names.iter().map(AsRef::as_ref), ", ");
    match nearest(name, names.iter().map(AsRef::as_ref)).first() {
        Some(near) => format!("{are} {all}; did you mean `{}`?", printable(near)),
        None => format!("{are} {all}"),
    }
}

/// Names and shapes of the arrays of an `.npz` archive; only headers are read.
pub(crate) fn shapes(path: &Path) -> Result<Vec<(String, Vec<usize>)>, ReadFailure> {
    let mut archive =
        ZipArchive::new(open_regular(path).map_err(ReadFailure::Io)?).map_err(other)?;
    let mut shapes = Vec::new();
    for (index, name) in names(&archive, path)?.into_iter().enumerate() {
        let mut entry = archive.by_index(index).map_err(other)?;
        shapes.push((name, header(&mut entry)?.shape));
    }
    Ok(shapes)
}

/// Names of the arrays of an archive, of which no two are the same.
fn names<R>(archive: &ZipArchive<R>, path: &Path) -> Result<Vec<String>, ReadFailure>
where
    R: Read + Seek,
{
    let twice = |name: &str| {
        let name = printable(name);
        other(format!("holds two arrays named `{name}`, of which only one can be meant"))
    };
    if archive.has_duplicate_names() {
        return Err(match entry_that_is_twice(path) {
            Some(entry) => twice(bare(&entry)),
            None => other("holds two arrays of one name"),
        });
    }
    let mut names = Vec::new();
    let mut known = HashSet::new();
    for entry in archive.file_names() {
        let entry = entry.map_err(other)?;
        let name = bare(&entry).to_string();
        if !known.insert(name.clone()) {
            return Err(twice(&name));
        }
        names.push(name);
    }
    Ok(names)
}

/// Name of an entry's array.
fn bare(entry: &str) -> &str {
    entry.strip_suffix(".npy").unwrap_or(entry)
}

/// First entry of a repeated name; the directory of an archive does not tell it.
fn entry_that_is_twice(path: &Path) -> Option<String> {
    let mut file = BufReader::new(open_regular(path).ok()?);
    let mut known = HashSet::new();
    while let Ok(Some(entry)) = read_zipfile_from_stream(&mut file) {
        let name = entry.name().ok()?.to_string();
        if !known.insert(name.clone()) {
            return Some(name);
        }
    }
    None
}

/// The whole numbers of an `.npy` file of any shape, of which there should be this many.
pub(crate) fn whole_numbers(path: &Path, count: usize) -> Result<Vec<i64>, ReadFailure> {
    let mut file = open_regular(path).map_err(ReadFailure::Io)?;
    let header = header(&mut file)?;
    let found = header.shape.iter().try_fold(1usize, |product, &size| product.checked_mul(size));
    if found != Some(count) {
        return Err(ReadFailure::Mismatch(format!("shape {}", show(&header.shape))));
    }
    // They would be labels in another order.
    if header.layout.is_fortran() && header.shape.len() > 1 {
        return Err(other("its elements are stored column by column"));
    }
    let descriptor = header.type_descriptor.to_string();
    // Eight bytes is the widest of the types below; one more tells that there are more.
    let data = file.take((count as u64).saturating_mul(8).saturating_add(1));
    macro_rules! read_as {
        ($element:ty) => {
            <$element>::read(data, &header, count).map(|numbers| {
                numbers.into_iter().map(|number| i64::try_from(number).unwrap_or(-1)).collect()
            })
        };
    }
    let kind = descriptor.trim_matches('\'').trim_start_matches(['<', '>', '|', '=']);
    let numbers = match kind {
        "i8" => read_as!(i64),
        "i4" => read_as!(i32),
        "i2" => read_as!(i16),
        "i1" => read_as!(i8),
        "u8" => read_as!(u64),
        "u4" => read_as!(u32),
        "u2" => read_as!(u16),
        "u1" => read_as!(u8),
        _ => return Err(ReadFailure::OtherType(descriptor)),
    };
    numbers.map_err(other)
}

/// NumPy's name of an element type; `None` if it has none.
pub(in crate::model) fn name(data_type: DataType) -> Option<&'static str> {
    Some(match data_type {
        DataType::Fp64 => "float64",
        DataType::Fp32 => "float32",
        DataType::Fp16 => "float16",
        DataType::S64 => "int64",
        DataType::S32 => "int32",
        DataType::S16 => "int16",
        DataType::S8 => "int8",
        DataType::U64 => "uint64",
        DataType::U32 => "uint32",
        DataType::U16 => "uint16",
        DataType::U8 => "uint8",
        DataType::Bool => "bool",
        DataType::String => "str",
        // NumPy has no such numbers.
        _ => return None,
    })
}

/// Element type of an array.
pub(in crate::model) trait Readable: Sized {
    /// Bytes of an element, of the type that the header names.
    fn bytes(_header: &Header) -> usize {
        size_of::<Self>()
    }

    /// This many elements of the type that the header names.
    fn read(data: impl Read, header: &Header, count: usize) -> Result<Vec<Self>, ReadDataError>;
}

macro_rules! readable {
    ($($element:ty),*) => {
        $(impl Readable for $element {
            fn read(
                data: impl Read,
                header: &Header,
                count: usize,
            ) -> Result<Vec<Self>, ReadDataError> {
                Self::read_to_end_exact_vec(data, &header.type_descriptor, count)
            }
        })*
    };
}

readable!(f64, f32, i64, i32, i16, i8, u64, u32, u16, u8, bool);

/// NumPy keeps texts of one array in as many bytes each: of UTF-32 (`<U5`), or as they are
/// (`|S5`), with zeros behind shorter ones.
impl Readable for String {
    fn bytes(header: &Header) -> usize {
        match text_type(header) {
            Some(TextType { length, is_wide: true, .. }) => length.saturating_mul(4),
            Some(TextType { length, .. }) => length,
            None => 1,
        }
    }

    fn read(
        mut data: impl Read,
        header: &Header,
        count: usize,
    ) -> Result<Vec<String>, ReadDataError> {
        let wrong = || ReadDataError::WrongDescriptor(header.type_descriptor.clone());
        let TextType { length, is_wide, is_big } = text_type(header).ok_or_else(wrong)?;
        let of_text = if is_wide { length.saturating_mul(4) } else { length };
        let mut bytes = Vec::new();
        data.read_to_end(&mut bytes)?;
        let expected = count.saturating_mul(of_text);
        match bytes.len() {
            found if found < expected => return Err(ReadDataError::MissingData),
            found if found > expected => return Err(ReadDataError::ExtraBytes(found - expected)),
            _ => {}
        }
        let wide = |bytes: &[u8]| -> Option<String> {
            let points = bytes.chunks_exact(4).map(|point| {
                let point: [u8; 4] = point.try_into().ok()?;
                let of_bytes = if is_big { u32::from_be_bytes } else { u32::from_le_bytes };
                char::from_u32(of_bytes(point))
            });
            points.collect()
        };
        let texts = (0..count).map(|number| {
            let bytes = &bytes[number * of_text..][..of_text];
            let text = match is_wide {
                true => wide(bytes),
                false => String::from_utf8(bytes.to_vec()).ok(),
            };
            Some(text?.trim_end_matches('\0').to_string())
        });
        texts.collect::<Option<Vec<String>>>().ok_or_else(wrong)
    }
}

struct TextType {
    /// In characters.
    length: usize,
    is_wide: bool,
    is_big: bool,
}

fn text_type(header: &Header) -> Option<TextType> {
    let descriptor = header.type_descriptor.to_string();
    let kind = descriptor.trim_matches('\'').trim_start_matches(['<', '>', '|', '=']);
    let is_wide = kind.starts_with('U');
    let length = kind.strip_prefix(['U', 'S'])?.parse().ok()?;
    if length > LONGEST_TEXT {
        return None;
    }
    Some(TextType { length, is_wide, is_big: descriptor.contains('>') })
}

/// The crate knows no numbers of 16 bits, but their bits.
impl Readable for f16 {
    fn read(data: impl Read, header: &Header, count: usize) -> Result<Vec<f16>, ReadDataError> {
        let descriptor = header.type_descriptor.to_string();
        let bits = descriptor.replace("f2", "u2").parse().unwrap_or(header.type_descriptor.clone());
        if !descriptor.contains("f2") {
            return Err(ReadDataError::WrongDescriptor(header.type_descriptor.clone()));
        }
        let bits = u16::read_to_end_exact_vec(data, &bits, count)?;
        Ok(bits.into_iter().map(f16::from_bits).collect())
    }
}

fn array<T: Readable>(mut from: impl Read, shape: &[usize]) -> Result<ArrayD<T>, ReadFailure> {
    let header = header(&mut from)?;
    match header.shape == shape {
        true => behind(&header, from),
        false => Err(ReadFailure::Mismatch(format!("shape {}", show(&header.shape)))),
    }
}

/// An array of any shape.
fn any_array<T: Readable>(mut from: impl Read) -> Result<ArrayD<T>, ReadFailure> {
    let header = header(&mut from)?;
    let elements = header.shape.iter().try_fold(1u64, |all, &size| all.checked_mul(size as u64));
    let bytes = elements.and_then(|elements| elements.checked_mul(T::bytes(&header) as u64));
    // The copies that an engine makes as well.
    let most = memory::limit().unwrap_or(u64::MAX) / 2;
    match bytes.is_some_and(|bytes| bytes <= most) {
        true => behind(&header, from),
        false => Err(other("too large for this machine")),
    }
}

/// Reads the array after its header.
fn behind<T: Readable>(header: &Header, from: impl Read) -> Result<ArrayD<T>, ReadFailure> {
    let shape = header.shape.as_slice();
    let too_large = || other("too large for this machine");
    let elements = shape.iter().try_fold(1usize, |product, &size| product.checked_mul(size));
    let elements = elements.ok_or_else(too_large)?;
    let bytes = elements.checked_mul(T::bytes(header)).ok_or_else(too_large)?;
    // One byte more tells that there are more.
    let data = from.take((bytes as u64).saturating_add(1));
    let values = T::read(data, header, elements);
    let values = values.map_err(|error| match error {
        ReadDataError::WrongDescriptor(descriptor) => {
            ReadFailure::OtherType(descriptor.to_string())
        }
        ReadDataError::ExtraBytes(_) => other("there is more after the array"),
        error => other(error),
    })?;
    let order = IxDyn(shape).set_f(header.layout.is_fortran());
    ArrayD::from_shape_vec(order, values).map_err(other)
}

/// Reads the header in front of the elements.
fn header(from: &mut impl Read) -> Result<Header, ReadFailure> {
    let mut bytes = vec![0; 10];
    let cut = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => other("no NumPy file: it ends in its header"),
        _ => other(error),
    };
    from.read_exact(&mut bytes).map_err(cut)?;
    if !bytes.starts_with(b"\x93NUMPY") {
        return Err(other(
            "not a NumPy file: expected .npy or .npz, as numpy.save and numpy.savez write",
        ));
    }
    let major_version = bytes[6];
    let length = match major_version {
        1 => u32::from(u16::from_le_bytes([bytes[8], bytes[9]])),
        _ => {
            // From version 2 on the length has four bytes instead of two.
            bytes.resize(12, 0);
            from.read_exact(&mut bytes[10..]).map_err(cut)?;
            u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]])
        }
    };
    // What is not a NumPy file has any number there, and is told by its first bytes.
    if bytes.starts_with(b"\x93NUMPY") && length > LONGEST_HEADER {
        return Err(ReadFailure::Other(format!(
            "its header has {length} bytes; at most {LONGEST_HEADER} are read"
        )));
    }
    let start = bytes.len();
    bytes.resize(start + length.min(LONGEST_HEADER) as usize, 0);
    let read = from.read_exact(&mut bytes[start..]);
    if bytes.starts_with(b"\x93NUMPY") {
        read.map_err(cut)?;
    }
    Header::from_reader(&mut bytes.as_slice()).map_err(other)
}

/// Shape as messages show it.
pub(in crate::model) fn show(shape: &[usize]) -> String {
    match shape {
        [] => "a scalar".to_string(),
        shape => shape.iter().map(usize::to_string).collect::<Vec<_>>().join("x"),
    }
}
