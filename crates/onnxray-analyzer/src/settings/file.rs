//! A file of settings: which kind it is, and settings read from it or written to it.

use super::error::SettingsError;
use super::findings::Findings;
use super::gather::Gather;
use super::given::{GivenSettings, PlacedTarget};
use super::inputs::Inputs;
use super::measured::measured_ratios;
use super::sensitivity::{is_loss, read_loss_bytes};
use super::{bytes, json, json_writer, plan, ratios, targets};
use crate::printable::quoted;
use crate::projection::Settings;
use crate::spreadsheet::{At, Book, MOST_CELLS, Refusal, read_csv, read_workbook};
use crate::workbook_words::{heading, is, sheet, title};
use onnxray_failsafe::WholeFile;
use onnxray_format::LossProfile;
use onnxray_import::csv_lines::lines;
use onnxray_text::{FileKind, printable};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::Path;

/// The most that saved settings may have, which are a hundred bytes per operator.
const MOST_SAVED_BYTES: usize = 16 << 20;
/// Columns by which the tables of a profile are known.
const PROFILE_KEYS: [&str; 2] = [heading::WEIGHT_SHAPE, heading::OPERATOR_NAME];
/// First bytes of `.xls` files and of workbooks with a password.
const COMPOUND: &[u8] = &[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/// Settings of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// Only what the file says.
    pub settings: GivenSettings,
    /// Values accepted with a remark, and optional parts that are missing.
    pub notes: Vec<String>,
    /// Targets of operators and types with their places, for warnings about those without effect.
    pub targets: Vec<PlacedTarget>,
}

/// Reads settings of any kind.
///
/// # Errors
///
/// If the file cannot be read, is of another kind, or has an input that is not understood.
pub fn read(path: &Path) -> Result<Read, SettingsError> {
    read_bytes(&bytes::of(path)?, path)
}

/// True for a profile as CSV that begins with perf ratios: it can be projected and give settings.
pub fn is_profile_with_ratios(path: &Path) -> bool {
    // A pipe can be read only once: leave it alone.
    const BEGINNING: u64 = 4096;
    let mut beginning = Vec::new();
    let read = path.is_file()
        && File::open(path)
            .and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning))
            .is_ok();
    let text = String::from_utf8_lossy(&beginning);
    let Some(separator) = separator(&text).filter(|_| read) else { return false };
    let has = |line: &str, words| {
        line.split(separator).any(|field| is(field.trim().trim_matches('"'), words))
    };
    text.lines().any(|line| has(line, heading::WEIGHT_SHAPE) && !has(line, heading::OPERATOR_NAME))
}

/// Writes settings as JSON. An existing file is kept unless it is one that this `replaces`.
///
/// # Errors
///
/// If the name does not end in `.json`, or the file cannot be written.
pub fn write(settings: &Settings, path: &Path, replaces: bool) -> Result<(), SettingsError> {
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        return Err(SettingsError::UnknownTarget { path: path.to_path_buf() });
    }
    let io_error = |source| SettingsError::Io { path: path.to_path_buf(), source };
    let text = json_writer::write(settings).map_err(io_error)?;
    let mut file = WholeFile::create(path, replaces).map_err(io_error)?;
    file.write_all(&text).map_err(io_error)?;
    file.finish().map_err(io_error)
}

/// Tells kinds by their first bytes; `path` is for messages.
fn read_bytes(bytes: &[u8], path: &Path) -> Result<Read, SettingsError> {
    let found = |found: &str| SettingsError::NotSettings {
        path: path.to_path_buf(),
        found: found.to_string(),
    };
    if bytes.starts_with(b"PK") {
        let book = read_workbook(bytes).map_err(|refusal| error(refusal, path))?;
        if let Some(report) = other_report(&book) {
            return Err(SettingsError::OtherReport { path: path.to_path_buf(), report });
        }
        return finish(of_book(&book), path);
    }
    if bytes.starts_with(COMPOUND) {
        // Excel puts a workbook with a password into a container of the format of .xls.
        let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
        return Err(match bytes.windows(name.len()).any(|window| window == name) {
            true => SettingsError::Encrypted { path: path.to_path_buf() },
            false => found("an old Excel workbook (.xls); save it as .xlsx"),
        });
    }
    let text = text(bytes).map_err(|words| found(&words))?;
    let too_large = |what| error(Refusal::TooLarge(what), path);
    if text.trim_start().starts_with('{') {
        if text.len() > MOST_SAVED_BYTES {
            return Err(too_large(format!("more than {} MiB of settings", MOST_SAVED_BYTES >> 20)));
        }
        return match json::read(text) {
            Some(gather) => finish(gather, path),
            None if is_loss(bytes) => of_loss(read_loss_bytes(bytes, path)?, path),
            None => {
                Err(found(&kind(bytes).unwrap_or("a JSON document of another kind".to_string())))
            }
        };
    }
    // Before the profile: its headings name weight shapes, too.
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let heading = first.split([',', ';', '\t']).next().unwrap_or_default();
    if is(heading.trim_matches('"'), "setting") {
        return Err(found(
            "settings as CSV; have them written by --save-settings FILE.json, or edit the workbook \
             that -o FILE.xlsx writes",
        ));
    }
    let Some(separator) = separator(text) else {
        let begins = || format!("text that begins with {}", quoted(first));
        let binary = || text.contains('\0').then(|| "binary data".to_string());
        return Err(found(&binary().or_else(|| kind(bytes)).unwrap_or_else(begins)));
    };
    // Counted before fields are made: 64 MiB of commas are 67 million strings of 24 bytes.
    let ends = text.bytes().filter(|&byte| byte == separator as u8 || byte == b'\n');
    if ends.count() > MOST_CELLS {
        return Err(too_large(format!("it has more than {MOST_CELLS} cells")));
    }
    finish(of_book(&read_csv(lines(text, separator), separator, &PROFILE_KEYS)), path)
}

/// The perf ratios of a sensitivity profile.
fn of_loss(profile: LossProfile, path: &Path) -> Result<Read, SettingsError> {
    let settings = measured_ratios(&profile);
    if settings.measured.is_empty() {
        let why = profile.timed.and_then(|timed| timed.left_out);
        let why = why.map_or(String::new(), |why| format!(" ({})", printable(&why)));
        return Err(SettingsError::NotSettings {
            path: path.to_path_buf(),
            found: format!("a sensitivity profile without times of layers{why}"),
        });
    }
    Ok(Read { settings, notes: Vec::new(), targets: Vec::new() })
}

/// Name of a kind of file that holds no settings.
fn kind(bytes: &[u8]) -> Option<String> {
    FileKind::of(bytes).filter(|kind| *kind != FileKind::Json).map(|kind| kind.to_string())
}

/// The text of a file; the error says what it is instead.
fn text(bytes: &[u8]) -> Result<&str, String> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err("text in UTF-16; save it as UTF-8".to_string());
    }
    match std::str::from_utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)) {
        Ok(text) if text.trim().is_empty() => Err("an empty file".to_string()),
        Ok(text) => Ok(text),
        Err(_) if bytes.contains(&0) => Err("binary data".to_string()),
        Err(error) => {
            let line = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
            Err(format!("text that is not UTF-8 in line {}; save it as UTF-8", line + 1))
        }
    }
}

fn finish(gather: Gather, path: &Path) -> Result<Read, SettingsError> {
    let Gather { given, findings, targets, .. } = gather;
    Ok(Read { settings: given, notes: findings.finish(path)?, targets })
}

fn error(refusal: Refusal, path: &Path) -> SettingsError {
    let path = path.to_path_buf();
    match refusal {
        Refusal::Found(found) => SettingsError::NotSettings { path, found },
        Refusal::Encrypted => SettingsError::Encrypted { path },
        Refusal::Damaged(reason) => SettingsError::Damaged { path, reason },
        Refusal::TooLarge(what) => SettingsError::TooLarge { path, what },
    }
}

/// Subject of a workbook of ours other than a projection's, by the title of its first sheet,
/// unless somebody put the table of perf ratios into it.
fn other_report(book: &Book) -> Option<&'static str> {
    let title = book.text(At { sheet: 0, row: 0, column: 0 })?;
    let has_ratios = book.sheets.iter().any(|known| is(&known.name, sheet::RATIOS));
    title::OTHERS
        .iter()
        .find(|(known, _)| !has_ratios && title == *known)
        .map(|(_, report)| *report)
}

/// Reads a workbook, or a CSV that is laid out like one.
fn of_book(book: &Book) -> Gather {
    let mut inputs = Inputs::new(book);
    if ratios::read(&mut inputs) {
        targets::read(&mut inputs);
        plan::read(&mut inputs);
    } else {
        missing(book, &mut inputs.gather.findings);
    }
    inputs.gather
}

fn missing(book: &Book, findings: &mut Findings) {
    const MOST: usize = 20;
    let beside = "\"weight shape\" and sparsities such as 90% beside it";
    if book.sheets.iter().any(|sheet| sheet.lines.is_some()) {
        findings.problem("perf ratios", &format!("no line with the column {beside}"));
        return;
    }
    let names = book.sheets.iter().take(MOST).map(|sheet| format!("'{}'", printable(&sheet.name)));
    let names: Vec<String> = names.collect();
    let more = if book.sheets.len() > MOST { ", …" } else { "" };
    let what = format!("no sheet with a column {beside}; sheets found: {}{more}", names.join(", "));
    findings.problem("perf ratios", &what);
}

/// Field separator of a profile as CSV; `None` for any other text.
fn separator(text: &str) -> Option<char> {
    // A sheet that was exported has a title and hints above its tables.
    const MOST_LINES: usize = 100;
    let has_key = |line: &str, separator| {
        let mut fields = line.split(separator).map(|field| field.trim().trim_matches('"'));
        line.contains(separator)
            && fields.any(|field| PROFILE_KEYS.iter().any(|key| is(field, key)))
    };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).take(MOST_LINES);
    lines.find_map(|line| [',', ';', '\t'].into_iter().find(|&separator| has_key(line, separator)))
}
