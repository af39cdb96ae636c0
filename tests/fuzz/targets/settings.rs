//! Any bytes as settings: as a file, or as the sheet and the texts of a workbook.

#![no_main]

use onnxray_analyzer::settings;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const TYPES: &str = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>"#;
const PACKAGE: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
const WORKBOOK: &str = r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sparse ratio setting" sheetId="1" r:id="rId1"/></sheets></workbook>"#;
const PARTS: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>"#;

/// What parts the sheet from the texts.
const BETWEEN: &[u8] = b"\n\0texts\0\n";

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let parts = memchr::memmem::find(bytes, BETWEEN).map(|at| (&bytes[..at], &bytes[at..]));
    let content = match parts {
        Some((sheet, texts)) => workbook(sheet, &texts[BETWEEN.len()..]),
        None => bytes.to_vec(),
    };
    let file = onnxray_fuzz::file("settings", &content);
    if let Ok(read) = settings::read(&file) {
        assert_eq!(settings::read(&file).ok(), Some(read), "it is read the same again");
    }
});

/// A workbook of one sheet.
fn workbook(sheet: &[u8], texts: &[u8]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let parts: [(&str, &[u8]); 6] = [
        ("[Content_Types].xml", TYPES.as_bytes()),
        ("_rels/.rels", PACKAGE.as_bytes()),
        ("xl/workbook.xml", WORKBOOK.as_bytes()),
        ("xl/_rels/workbook.xml.rels", PARTS.as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet),
        ("xl/sharedStrings.xml", texts),
    ];
    for (name, content) in parts {
        archive.start_file(name, stored).expect("a part");
        archive.write_all(content).expect("room for it");
    }
    archive.finish().expect("a workbook").into_inner()
}
