//! The journal of a loss profile: records of all kinds in any order, cut and damaged anywhere.

#![no_main]

use onnxray_format::{LossRun, Measured};
use onnxray_recorder::study::sensitivity::{LossEntry, LossJournal};
use onnxray_recorder::study::{Entry, StudyError};
use std::fs;

const FILE: &str = "loss.json.journal";
const RUN: &str = r#"{"model":"m.onnx","model_sha256":null,"engine":"tract","engine_version":"","engine_options":{},"batch_size":1,"dimensions":[],"data":{"random":true,"seed":1,"batches":1,"items":null,"sha256":null,"labels_sha256":null},"block":"1x1","levels":[0.5,0.95],"outputs":[]}"#;
const OTHERS: [&str; 5] = [
    "{\"pruned\":[[\"a\",0.5]],\"measured\":{\"divergence\":0.25}}\n",
    "{\"pruned\":[[\"b\",0.95],[\"a\",0.5]],\"measured\":{\"failed\":\"it failed\"}}\n",
    "{\"pruned\":[],\"measured\":{}}\n",
    "\n",
    "{\"pruned\":[[\"a\",0.5]],\"measured\":{\"divergence\":-1e999}}\n",
];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let header = |levels: &str| {
        let run = RUN.replace("[0.5,0.95]", levels);
        format!("{{\"format\":\"onnxray loss journal\",\"version\":1,\"run\":{run}}}\n")
    };
    let headers = [header("[0.5,0.95]"), header("[0.5]")];
    let headers = headers.iter().map(String::as_bytes);
    let pieces: Vec<&[u8]> = headers.chain(OTHERS.map(str::as_bytes)).collect();
    let text = onnxray_fuzz::pieced(bytes, &pieces);
    let run: LossRun = serde_json::from_str(RUN).expect("a run");
    let folder = onnxray_fuzz::folder(FILE, &text);
    let (result, path) = (folder.join("loss.json"), folder.join(FILE));
    let pruned = vec![("a".to_string(), 0.5)];
    let measured = Measured { divergence: Some(0.125), ..Measured::default() };
    let entry = LossEntry::Loss { pruned, measured };
    for replaces in [false, true] {
        let mut journal = match LossJournal::resume(&result, &run, replaces) {
            Ok(journal) => journal,
            Err(error) => {
                assert_eq!(fs::read(&path).ok().as_ref(), Some(&text), "what is refused stays");
                assert!(!replaces || !matches!(error, StudyError::OtherRun { .. }));
                continue;
            }
        };
        assert!(replaces || !journal.replaced());
        journal.keep(entry.clone()).expect("room for it");
        let damaged = journal.damaged();
        drop(journal);
        let again = LossJournal::resume(&result, &run, false).expect("it goes on");
        assert_eq!(again.known(&entry.key()), Some(&entry));
        assert_eq!((again.damaged(), again.replaced()), (damaged, false));
        return;
    }
});
