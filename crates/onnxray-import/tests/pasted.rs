//! What people paste: tables of logs, files that a spreadsheet saved again, archives of bug
//! trackers, several documents in one file.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_format::Nanoseconds;
use onnxray_import::{Launch, Options, Source, detect};
use std::fmt::Write;

fn read_as(name: &str, bytes: &[u8]) -> Vec<Launch> {
    let mut source = Source::from_bytes("pasted", bytes.to_vec()).unwrap();
    let importer = detect(&mut source).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(importer.format.name, name);
    importer.read(vec![source], &Options::default()).unwrap()
}

fn one(name: &str, bytes: &[u8]) -> Launch {
    let [launch] = <[Launch; 1]>::try_from(read_as(name, bytes)).unwrap();
    launch
}

/// Names, and mean and median in whole nanoseconds.
fn layers(launch: &Launch) -> Vec<(&str, i64, Option<i64>)> {
    let whole = |time: f64| time.round() as i64;
    let layer = |average: &onnxray_import::Average| {
        let name = launch.operators[average.operator as usize].name.as_str();
        (name, average.mean_ns.map_or(-1, whole), average.median_ns.map(whole))
    };
    launch.averages.iter().map(layer).collect()
}

fn messages(launch: &Launch) -> String {
    launch.warnings.iter().fold(String::new(), |mut all, warning| {
        writeln!(all, "{warning}").unwrap();
        all
    })
}

/// The same text as other programs save it: with other line ends, marks and encodings.
fn saved(text: &str) -> Vec<Vec<u8>> {
    let utf16 = |unit: fn(u16) -> [u8; 2]| {
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(unit).collect::<Vec<u8>>()
    };
    vec![
        text.as_bytes().to_vec(),
        text.replace('\n', "\r\n").into_bytes(),
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        utf16(u16::to_le_bytes),
        utf16(u16::to_be_bytes),
    ]
}

const TRTEXEC: &str = "\
&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=m.onnx --dumpProfile --separateProfileRun
[05/08/2024-14:05:10] [W] [TRT] Using engine plan file across different models
[05/08/2024-14:05:14] [I] === Performance summary ===
[05/08/2024-14:05:14] [I] Latency: min = 9.11414 ms, max = 11.7442 ms, mean = 9.81005 ms
[05/08/2024-14:05:14] [I] === Profile (2000 iterations ) ===
[05/08/2024-14:05:14] [I]    Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer
[05/08/2024-14:05:14] [I]       20.00       0.0100       0.0099      10.0   Reformatting CopyNode for Input Tensor 0 to conv1
[05/08/2024-14:05:15] [I]      120.00       0.0600       0.0599      60.0   conv1 + PWN(relu1) [profile 1]
[05/08/2024-14:05:15] [I]       60.00       0.0300       0.0298      30.0   {ForeignNode[fc.weight.../Softmax]}
[05/08/2024-14:05:15] [I]      200.00       0.1000       0.0996     100.0   Total
[05/08/2024-14:05:15] [I]
&&&& PASSED TensorRT.trtexec [TensorRT v8601]
";

#[test]
fn the_table_of_trtexec_is_read_from_its_log() {
    let names = [
        "Reformatting CopyNode for Input Tensor 0 to conv1",
        "conv1 + PWN(relu1) [profile 1]",
        "{ForeignNode[fc.weight.../Softmax]}",
    ];
    let quoted: String = TRTEXEC.lines().map(|line| format!("> {line}\n")).collect();
    let texts = saved(TRTEXEC).into_iter().chain([quoted.into_bytes()]);
    for bytes in texts {
        let launch = one("tensorrt", &bytes);
        let [a, b, c] = names;
        let expected =
            [(a, 10_000, Some(9900)), (b, 60_000, Some(59_900)), (c, 30_000, Some(29_800))];
        assert_eq!(layers(&launch), expected);
        assert_eq!(messages(&launch), "");
        assert!(launch.averages.iter().all(|average| average.iterations == Some(2000)));
        assert_eq!(launch.run.clock_resolution, Some(Nanoseconds(100)));
        assert_eq!(launch.operators[1].nodes, ["conv1", "relu1"]);
    }
}

#[test]
fn older_tables_of_trtexec_have_the_name_in_front() {
    let log = "\
[01/02/2020-10:00:00] [I]
=== Profile (10 iterations ) ===
          Layer   Time (ms)   Avg. Time (ms)   Time %
          conv1       10.00           1.0000     50.0
 fc (7) + relu1       10.00           1.0000     50.0
          Total       20.00           2.0000    100.0
";
    let launch = one("tensorrt", log.as_bytes());
    assert_eq!(layers(&launch), [("conv1", 1_000_000, None), ("fc (7) + relu1", 1_000_000, None)]);
    assert_eq!(messages(&launch), "");
}

#[test]
fn tables_of_trtexec_that_are_damaged_say_so() {
    let cut = &TRTEXEC[..TRTEXEC.find("{Foreign").unwrap() + 9];
    let launch = one("tensorrt", cut.as_bytes());
    assert_eq!(launch.averages.len(), 2);
    assert!(messages(&launch).contains("ends early"), "{}", messages(&launch));
    let changed = TRTEXEC.replace("0.0600", "0.0900");
    let said = messages(&one("tensorrt", changed.as_bytes()));
    assert!(said.contains("the total is 0.1000 ms, but the layers sum up to 0.1300 ms"), "{said}");
    let broken = TRTEXEC.replace("0.0600", "0.0?00");
    let said = messages(&one("tensorrt", broken.as_bytes()));
    assert!(said.contains("could not be understood"), "{said}");
    let twice = [TRTEXEC, TRTEXEC].concat();
    let launches = read_as("tensorrt", twice.as_bytes());
    assert_eq!(launches.len(), 2);
    assert!(messages(&launches[0]).contains("2 profiles are in it"));
}

const BENCHMARK_APP: &str = "\
[Step 11/11] Dumping statistics report
[ INFO ] Performance counts for 0-th infer request:
Parameter_1                   NOT_RUN        layerType: Parameter           execType: unknown             realTime (ms): 0.000      cpuTime (ms): 0.000     
conv                          EXECUTED       layerType: Convolution         execType: jit_avx2_FP32       realTime (ms): 1.500      cpuTime (ms): 1.500     
onednn_verbose,exec,cpu,convolution,jit:avx2,forward_inference,0.5
fc                            EXECUTED       layerType: FullyConnected      execType: gemm_FP32           realTime (ms): 0.250      cpuTime (ms): 0.250     
Total time:     1.750 milliseconds
Total CPU time: 1.750 milliseconds

";

/// Microseconds, hours, and what the Python tool of 2022.1 printed.
const OLDER: [&str; 2] = [
    "\
performance counts:

conv      EXECUTED       layerType: Convolution        realTime: 1500       cpu: 1500           execType: jit_avx2_FP32
fc        EXECUTED       layerType: FullyConnected     realTime: 250        cpu: 250            execType: gemm_FP32
Total time: 1750     microseconds
",
    "\
[ INFO ] Performance counts for 0-th infer request
conv                          Status.EXECUTEDlayerType: Convolution        realTime: 0:00:00.001500cpu: 0:00:00.001500 execType: jit_avx2_FP32
fc                            Status.EXECUTEDlayerType: FullyConnected     realTime: 0:00:00.000250cpu: 0:00:00.000250 execType: gemm_FP32
Total time:     0:00:00.001750 microseconds
",
];

#[test]
fn counters_are_read_from_the_console() {
    for text in [BENCHMARK_APP].iter().chain(&OLDER) {
        for bytes in saved(text) {
            let launch = one("openvino", &bytes);
            assert_eq!(layers(&launch), [("conv", 1_500_000, None), ("fc", 250_000, None)]);
            assert_eq!(messages(&launch), "", "{text}");
            let conv = launch.operators.iter().find(|operator| operator.name == "conv").unwrap();
            assert_eq!(conv.operator_type, "Convolution");
            assert_eq!(conv.kernel.as_deref(), Some("jit_avx2_FP32"));
        }
    }
    let not_run = &one("openvino", BENCHMARK_APP.as_bytes()).operators[0];
    assert_eq!(not_run.attributes["execStatus"], "NOT_RUN");
}

#[test]
fn several_requests_of_the_console_become_their_mean() {
    let second = BENCHMARK_APP.replace("0-th", "1-th").replace("1.500", "2.500");
    let second = second.replace("1.750", "2.750").replace("fc    ", "a/long/name/of/a/layer/Ad...");
    let launch = one("openvino", [BENCHMARK_APP, &second].concat().as_bytes());
    assert_eq!(layers(&launch)[0], ("conv", 2_000_000, None));
    let said = messages(&launch);
    assert!(said.contains("1 name of a layer is cut by the console"), "{said}");
    let changed = BENCHMARK_APP.replace("0.250 ", "0.350 ");
    let said = messages(&one("openvino", changed.as_bytes()));
    assert!(said.contains("the total is 1.750 ms, but the layers sum up to 1.850 ms"), "{said}");
}

#[test]
fn counters_that_a_spreadsheet_saved_again() {
    let plain = "\
layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms)
Parameter_1;NOT_RUN;Parameter;unknown;0.000;0.000
conv;EXECUTED;Convolution;jit_avx2_FP32;1.500;1.500
relu;OPTIMIZED_OUT;Relu;undef;0.000;0.000
fc;EXECUTED;FullyConnected;gemm_FP32;0.250;0.250
Total;;;;1.750;1.750
";
    let quoted = |text: &str, separator: &str| -> String {
        let line = |line: &str| {
            let fields: Vec<String> = line.split(';').map(|f| format!("\"{f}\"")).collect();
            fields.join(separator) + "\n"
        };
        text.lines().map(line).collect()
    };
    let commas = plain.replace('.', ",");
    let short = commas.replace("1,500", "1,5").replace("0,250", "0,25").replace("0,000", "0");
    let texts = [
        plain.to_string(),
        commas.clone(),
        short,
        format!("sep=;\n{commas}"),
        quoted(&commas, ";"),
        quoted(&commas, ","),
        plain.replace(';', ","),
        commas.replace(';', "\t"),
        plain
            .replace("1.500", "1500.000")
            .replace("1.750", "1500.250")
            .replace("1500.0", "1.500,0")
            .replace("1500.2", "1.500,2")
            .replace("1.500,000", "1,5")
            .replace("1.500,250", "1,75"),
    ];
    for text in texts {
        for bytes in saved(&text) {
            let launch = one("openvino", &bytes);
            assert_eq!(
                layers(&launch),
                [("conv", 1_500_000, None), ("fc", 250_000, None)],
                "{text}"
            );
            assert_eq!(messages(&launch), "", "{text}");
        }
    }
    let large = commas.replace("1,500", "1.234,500").replace("1,750", "1.234,750");
    let launch = one("openvino", large.as_bytes());
    assert_eq!(layers(&launch)[0], ("conv", 1_234_500_000, None));
}

#[test]
fn the_summary_of_tflite_alone() {
    let rows = [("CONV_2D", 15, "1.860", 15), ("SOFTMAX", 1, "0.140", 1)];
    let tabs = rows.map(|(kind, count, time, called)| {
        format!("\t  {kind}\t  {count}\t  {time}\t  50.0%\t  50.0%\t  0.000\t  {called}\n")
    });
    let end = "\nTimings (microseconds): count=50 first=2100 curr=2000 min=1900 max=2200 avg=2000 std=10\n\
               Memory (bytes): count=0\n16 nodes observed\n\n";
    let heading =
        "============================== Summary by node type ==============================\n";
    let table = format!(
        "Number of nodes executed: 16\n{heading}\
         \t  [Node type]\t  [count]\t  [avg ms]\t  [avg %]\t  [cdf %]\t  [mem KB]\t[times called]\n{}{end}",
        tabs.concat()
    );
    let logged: String = table
        .lines()
        .map(|line| format!("08-17 21:47:49.138  2942  2942 I tflite  : {line}\n"))
        .collect();
    let spaces = table.replace('\t', "  ");
    let commas = format!(
        "{heading}node type, count, avg_ms, avg %, cdf %, mem KB, times called\n\
         CONV_2D, 15, 1.86, 50%, 50%, 0, 15\nSOFTMAX, 1, 0.14, 50%, 100%, 0, 1\n{end}"
    );
    for text in [table, logged, spaces, commas] {
        for bytes in saved(&text) {
            let launch = one("tflite", &bytes);
            assert_eq!(
                layers(&launch),
                [("CONV_2D", 1_860_000, None), ("SOFTMAX", 140_000, None)],
                "{text}"
            );
            let said = messages(&launch);
            assert!(
                said.contains("nothing but the summary is there: 2 operators are all"),
                "{said}"
            );
            assert_eq!(launch.warnings.len(), 1, "{said}");
        }
    }
}

const PROFILES: [&str; 2] = [
    "[\n  { \"count\" : 100 }\n, { \"name\" : \"fc\", \"timeMs\" : 250.5, \"averageMs\" : 2.505, \"percentage\" : 100 }\n]\n",
    "[\n  { \"count\" : 100 }\n, { \"name\" : \"fc\", \"timeMs\" : 501, \"averageMs\" : 5.01, \"percentage\" : 100 }\n]\n",
];

#[test]
fn profiles_one_behind_the_other_are_launches() {
    let launches = read_as("tensorrt", PROFILES.concat().as_bytes());
    let times: Vec<_> = launches.iter().map(layers).collect();
    assert_eq!(times, [[("fc", 2_505_000, None)], [("fc", 5_010_000, None)]]);
    assert!(messages(&launches[0]).contains("2 profiles are in it"), "{}", messages(&launches[0]));
    assert_eq!(launches[1].run.launch, 1);
    let cut = PROFILES.concat();
    let launches = read_as("tensorrt", &cut.as_bytes()[..cut.len() - 3]);
    assert_eq!(launches.len(), 2);
    assert!(messages(&launches[0]).contains("ends early"));
}

#[test]
fn a_profile_in_an_archive() {
    use std::io::Cursor;
    use zip::write::{SimpleFileOptions, ZipWriter};
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [("run/profile.json", PROFILES[0]), ("run/readme.txt", "hello")] {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut archive, text.as_bytes()).unwrap();
    }
    let bytes = archive.finish().unwrap().into_inner();
    assert_eq!(layers(&one("tensorrt", &bytes)), [("fc", 2_505_000, None)]);
}
