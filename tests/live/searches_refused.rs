//! What `mix` and `tune` refuse: in a sentence, before anything is measured, and nothing is
//! written.

use crate::onnx_file::{DOUBLE, FLOAT, Message, model as onnx, model_of, node, value};
use crate::onnxruntime_package::library;
use crate::program::{Place, model};
use std::fs;

/// `x`, by operators of these types, to `y`: tensors between are `1`, `2` and so on.
struct Chain<'a> {
    operators: &'a [&'a str],
    input: (&'a str, u64, [u64; 2]),
    output: &'a str,
}

const A: Chain = Chain { operators: &["Relu", "Tanh"], input: ("x", FLOAT, [1, 8]), output: "y" };

impl Chain<'_> {
    fn nodes(&self) -> Vec<Message> {
        let name = |step: usize| match step {
            0 => self.input.0.to_string(),
            step if step == self.operators.len() => self.output.to_string(),
            step => format!("{step}"),
        };
        let own = |(step, kind): (usize, &&str)| {
            let (domain, kind) = kind.split_once(':').unwrap_or(("", kind));
            let [read, made] = [name(step), name(step + 1)];
            node(kind, &format!("node {step}"), &[&read], &[&made]).text(7, domain)
        };
        self.operators.iter().enumerate().map(own).collect()
    }

    fn ends(&self) -> [Vec<Message>; 2] {
        let (input, kind, shape) = self.input;
        [vec![value(input, kind, &shape)], vec![value(self.output, kind, &shape)]]
    }

    fn bytes(&self) -> Vec<u8> {
        let [inputs, outputs] = self.ends();
        onnx(self.nodes(), vec![], inputs, outputs)
    }

    /// Of these operator sets.
    fn bytes_of(&self, sets: &[(&str, u64)]) -> Vec<u8> {
        let [inputs, outputs] = self.ends();
        model_of(sets, self.nodes(), vec![], inputs, outputs)
    }
}

/// Names of all that is in a place.
fn names(place: &Place) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<String> = fs::read_dir(place.path(""))
        .unwrap()
        .map(|entry| name(entry).into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A command fails with exactly this error, and writes nothing.
fn refused(place: &Place, command: &[&str], error: &str) {
    let before = names(place);
    let ended = place.run(command);
    assert_eq!(ended.err, format!("error: {error}\n"), "{command:?}");
    assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""), "{command:?}");
    assert_eq!(names(place), before, "{command:?}");
}

#[test]
fn models_that_cannot_be_mixed_are_refused() {
    let place = Place::new();
    place.write("a.onnx", &A.bytes());
    let (double, narrow) = (("x", DOUBLE, [1, 8]), ("x", FLOAT, [1, 4]));
    let given = |input| Chain { input, ..A }.bytes();
    let by = |operators| Chain { operators, ..A };
    let custom = [("", 17), ("acme", 1)];
    let all = |names: &[&str]| names.iter().map(|name| value(name, FLOAT, &[1, 8])).collect();
    let two_outputs = onnx(
        vec![node("Exp", "p", &["x"], &["p"]), node("Sin", "q", &["x"], &["q"])],
        vec![],
        all(&["x"]),
        all(&["p", "q"]),
    );
    let two_inputs =
        onnx(vec![node("Mul", "y", &["x", "w"], &["y"])], vec![], all(&["x", "w"]), all(&["y"]));
    let same = "a.onnx and b.onnx cannot be mixed: both compute everything in the same way";
    let cases: [(&[u8], &str); 10] = [
        (&A.bytes(), same),
        (&Chain { output: "z", ..A }.bytes(), same),
        (&given(("w", FLOAT, [1, 8])), same),
        (&two_outputs, "a.onnx and b.onnx cannot be mixed: B lacks A's output `y`"),
        (&two_inputs, "a.onnx and b.onnx cannot be mixed: A lacks B's input `w`"),
        (
            &given(narrow),
            "a.onnx and b.onnx cannot be mixed: input `x` is [1, 8] in A and [1, 4] in B",
        ),
        (&given(double), "a.onnx and b.onnx cannot be mixed: input `x` is fp32 in A and fp64 in B"),
        (
            &by(&["Abs", "Tanh"]).bytes_of(&[("", 18)]),
            "a.onnx and b.onnx cannot be mixed: A uses operator set 17 of ai.onnx, B 18\n\
             hint: onnx.version_converter converts one of them",
        ),
        (
            &by(&["Abs", "acme:Polish"]).bytes_of(&custom),
            "tract 0.23.9 cannot run operator type Polish (node `node 1`)\n\
             hint: ONNX Runtime has more operator types: --engine onnxruntime",
        ),
        (
            &A.bytes()[..30],
            "b.onnx: not a whole ONNX model: failed to decode Protobuf message: \
             ModelProto.graph: buffer underflow\n\
             hint: the file has 30 bytes; is it an .onnx file, and was it copied completely?",
        ),
    ];
    for (b, error) in cases {
        place.write("b.onnx", b);
        refused(&place, &["mix", "a.onnx", "b.onnx", "--write", "mixed.onnx"], error);
    }
}

/// Nothing is said of what they have in common, which another version may find.
#[test]
fn models_that_share_nothing_are_refused() {
    let place = Place::new();
    place.write("a.onnx", &A.bytes());
    let input = ("samples", FLOAT, [3, 5]);
    let other = Chain { operators: &["Exp", "Sin", "Floor"], input, output: "waves" };
    place.write("b.onnx", &other.bytes());
    let ended = place.run(&["mix", "a.onnx", "b.onnx", "--write", "mixed.onnx"]);
    assert!(ended.err.starts_with("error: a.onnx and b.onnx cannot be mixed: "), "{}", ended.err);
    assert_eq!((ended.err.lines().count(), ended.code), (1, Some(1)), "{}", ended.err);
    assert_eq!(names(&place), ["a.onnx", "b.onnx"]);
}

#[test]
fn files_that_are_not_there_or_in_the_way_are_refused() {
    let place = Place::new();
    place.write("a.onnx", &A.bytes());
    place.write("b.onnx", &Chain { operators: &["Abs", "Tanh"], ..A }.bytes());
    place.write("kept.onnx", b"a file of somebody");
    let missing = "none.onnx: No such file or directory (os error 2); the .onnx files there are \
                   a.onnx, b.onnx, kept.onnx";
    for (a, b, error) in [
        ("none.onnx", "b.onnx", missing),
        ("a.onnx", "none.onnx", missing),
        (
            "a.onnx",
            ".",
            ".: is a folder, not an ONNX file\nhint: name the .onnx file; `onnxray summary FOLDER` shows a recording",
        ),
    ] {
        refused(&place, &["mix", a, b, "--write", "mixed.onnx"], error);
    }
    // There the mix lies that is verified.
    fs::create_dir(place.path("mix")).unwrap();
    for (output, error) in [
        ("a.onnx", "is an input of this command; choose another name"),
        ("./b.onnx", "is the same file as b.onnx, an input of this command; choose another name"),
        ("kept.onnx", "already exists; use --force to replace it"),
        ("mixed.bin", "expected a file name that ends in .onnx"),
        ("mix/mixed.onnx", "would be written twice; choose another name"),
    ] {
        let error = format!("{output}: {error}");
        refused(&place, &["mix", "a.onnx", "b.onnx", "--write", output], &error);
    }
    let error = "none: cannot write there: No such file or directory (os error 2)";
    refused(&place, &["mix", "a.onnx", "b.onnx", "--write", "none/mixed.onnx"], error);
    assert_eq!(fs::read(place.path("kept.onnx")).unwrap(), b"a file of somebody");
}

/// The same of both commands, which load models alike.
#[test]
fn models_without_sizes_or_numbers_are_refused() {
    let (place, library) = (Place::new(), library());
    let nan = Chain { operators: &["Cosh", "Neg", "Sqrt"], ..A };
    place.write("nan.onnx", &nan.bytes());
    place.write("finite.onnx", &Chain { operators: &["Cosh", "Neg", "Tanh"], ..A }.bytes());
    let encoder = model("encoder");
    let quantized = model("encoder-int8");
    let needs = "dimension `sequence` of inputs `input_ids`, `attention_mask` and \
                 `token_type_ids` needs a size\nhint: give it with --dim sequence=SIZE";
    let unknown =
        format!("{encoder} has no free dimension `sequenc`\nhint: did you mean `sequence`?");
    let is_nan = "output `y` of the unchanged model holds NaN, so nothing can be compared with it";
    let cases: [(&str, &str, &[&str], &str); 3] = [
        (&encoder, &quantized, &[], needs),
        (&encoder, &quantized, &["--dim", "sequenc=8"], &unknown),
        ("nan.onnx", "finite.onnx", &[], is_nan),
    ];
    for (a, b, more, error) in cases {
        refused(&place, &[&["mix", a, b, "--write", "mixed.onnx"], more].concat(), error);
        // Times are compared there, and NaN is the same as NaN.
        if error != is_nan {
            refused(&place, &[&["tune", a, "--engine-library", &library], more].concat(), error);
        }
    }
    let error = "missing.onnx: No such file or directory (os error 2); the .onnx files there are \
                 finite.onnx, nan.onnx";
    refused(&place, &["tune", "missing.onnx", "--engine-library", &library], error);
}

#[test]
fn wrong_usage_is_refused() {
    let place = Place::new();
    for name in ["a.onnx", "b.onnx"] {
        place.write(name, &A.bytes());
    }
    let mix = ["mix", "a.onnx", "b.onnx", "--write", "mixed.onnx"];
    let cases: [(&[&str], &str); 6] = [
        (&mix[..3], "name the file of the mix with --write, such as --write mixed.onnx"),
        (&["--max-loss", "-1"], "invalid value '-1' for '--max-loss <LOSS>'"),
        (&["--max-loss", "nan"], "invalid value 'nan' for '--max-loss <LOSS>'"),
        (&["--smallest-gain", "2"], "invalid value '2' for '--smallest-gain <SHARE>'"),
        (&["--time-limit", "soon"], "invalid value 'soon' for '--time-limit <TIME>'"),
        (&["--optimization", "all"], "options of ONNX Runtime are given"),
    ];
    for (arguments, error) in cases {
        let before = names(&place);
        let ended = match arguments[0] {
            "mix" => place.run(arguments),
            _ => place.run(&[&mix[..], arguments].concat()),
        };
        assert!(ended.err.starts_with(&format!("error: {error}")), "{}", ended.err);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert_eq!(names(&place), before, "{arguments:?}");
    }
}
