//! Tables on standard output: Arrow streams that other tools read as they read the files.

use crate::program::{Place, finished, fixture_file, python};
use crate::recordings::recorded;
use std::process::{Command, Stdio};

/// Reads streams of tables behind one another, and compares each with its file.
const COMPARE: &str = "
import sys, pyarrow, pyarrow.ipc, pyarrow.parquet
for key in sys.argv[1:]:
    table = pyarrow.ipc.open_stream(sys.stdin.buffer).read_all()
    file = pyarrow.parquet.read_table('out.parquet' if key == 'events' else f'out.{key}.parquet')
    assert table.equals(file), (key, table.schema, file.schema)
    print(key, table.num_rows)
assert not sys.stdin.buffer.read(1), 'more than was asked for'
";

#[test]
fn streams_hold_what_the_files_hold() {
    let place = Place::new();
    recorded(&place, "cnn", "recording");
    let sources = [
        fixture_file("onnxruntime/1.31.1/loop.json"),
        fixture_file("pytorch/2.5.1/cuda.json"),
        place.path("recording"),
    ];
    for source in sources {
        let source = source.to_str().unwrap();
        place.succeed(&["convert", source, "-o", "out.parquet", "--force"]);
        let keys = ["launches", "events", "operators", "iterations"];
        let line = ["convert", source, "-o", "-", "--table", &keys.join(",")];
        let mut program =
            place.command(&line).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut reader = Command::new(python());
        reader.args(["-c", COMPARE]).args(keys).current_dir(place.path("."));
        reader.stdin(program.stdout.take().unwrap());
        let read = finished(reader.output().unwrap());
        assert_eq!(read.code, Some(0), "{source}: {}", read.err);
        assert!(program.wait().unwrap().success(), "{source}");
        assert!(read.out.starts_with("launches "), "{}", read.out);
    }
}

#[test]
fn one_table_takes_the_name_that_it_was_given() {
    let place = Place::new();
    let source = fixture_file("onnxruntime/1.31.1/loop.json");
    let source = source.to_str().unwrap();
    place.succeed(&["convert", source, "--table", "operators", "-o", "only.csv"]);
    let only = std::fs::read_to_string(place.path("only.csv")).unwrap();
    assert!(only.starts_with("launch,operator,name,type,nodes"), "{only}");
    assert!(!place.path("only.operators.csv").exists());
}

#[test]
fn what_cannot_be_streamed_is_refused() {
    let place = Place::new();
    let source = fixture_file("onnxruntime/1.31.1/loop.json");
    let source = source.to_str().unwrap();
    for (rest, said) in [
        (["-o", "-", "-q"].as_slice(), "-o - needs --table"),
        (&["-o", "x.json", "--table", "events"], "--table needs an output that has tables"),
        (&["-o", "-", "--table", "evnts"], "possible values: events, iterations, operators"),
    ] {
        let refused = place.run(&[["convert", source].as_slice(), rest].concat());
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{rest:?}");
        assert!(refused.err.contains(said), "{}", refused.err);
    }
}
