//! Fronts and sweet spots of random points, against searches that are written anew.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod sweeps;

use onnxray_analyzer::Milliseconds;
use onnxray_analyzer::profiles::{Profile, ProfileCosts};
use onnxray_analyzer::statistics::Measured;
use onnxray_analyzer::sweep::{
    Candidates, Counted, Point, Saving, Skipped, Sweep, SweepOptions, analyze,
};
use onnxray_format::Dimension;
use onnxray_report::{Cell, Document, Report, Table};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use sweeps::{measured, profile};

/// This many models with this many configurations each.
fn profiles(models: usize, each: usize) -> Vec<Profile> {
    let one = |number: usize| {
        let (model, position) = (number / each, number % each);
        let latency = 1.0 + (number * 7 % 11) as f64;
        let half = Some(0.05 * latency);
        let items = 100.0 + (number * 5 % 13) as f64;
        let name = format!("m{model}-{position}");
        let file = format!("model-{model}.onnx");
        profile(&name, &file, measured(latency, half), measured(items, half))
    };
    (0..models * each).map(one).collect()
}

fn options(threshold: Option<f64>) -> SweepOptions {
    SweepOptions { latency_threshold: threshold.map(Milliseconds), ..SweepOptions::default() }
}

/// Latency, throughput, their half-widths, and the number of the model.
type Drawn = (u8, u8, Option<u8>, Option<u8>, u8);

/// Gives a profile its CPU time, of an iteration of four items.
fn costing(mut profile: Profile, cpu_time: Measured) -> Profile {
    let costs = ProfileCosts { cpu_time_ms: Some(cpu_time), ..ProfileCosts::default() };
    profile.costs = Some(costs);
    profile
}

/// Points on a coarse grid so that there are ties.
fn points() -> impl Strategy<Value = Vec<Drawn>> {
    let width = || option::weighted(0.8, 0u8..4);
    vec((1u8..25, 1u8..25, width(), width(), 0u8..3), 0..40)
}

fn sweep(points: &[Drawn], threshold: Option<f64>) -> Sweep {
    let profiles: Vec<_> = points
        .iter()
        .enumerate()
        .map(|(number, &(latency, rate, of_latency, of_rate, model))| {
            let half = |width: Option<u8>| width.map(|width| f64::from(width) / 2.0);
            let latency = measured(f64::from(latency), half(of_latency));
            let rate = measured(f64::from(rate), half(of_rate));
            profile(&format!("p{number}"), &format!("m{model}.onnx"), latency, rate)
        })
        .collect();
    analyze(&profiles, &[], &options(threshold))
}

/// Low and high ends of latency and throughput.
fn ends(point: &Point) -> [f64; 4] {
    let (latency, rate) = (&point.latency, &point.throughput);
    let low = |m: &onnxray_analyzer::statistics::Measured| m.interval.map_or(0.0, |i| i.low);
    let high =
        |m: &onnxray_analyzer::statistics::Measured| m.interval.map_or(f64::INFINITY, |i| i.high);
    [low(latency), high(latency), low(rate), high(rate)]
}

fn surpasses(a: &Point, b: &Point) -> bool {
    let ([_, a_slowest, a_least, _], [b_fastest, _, _, b_most]) = (ends(a), ends(b));
    a_slowest < b_fastest && a_least > b_most
}

fn meet(a: &Point, b: &Point) -> bool {
    let (a, b) = (ends(a), ends(b));
    let apart = a[1] < b[0] || b[1] < a[0] || a[3] < b[2] || b[3] < a[2];
    !apart
}

/// The best of points, found by going through them.
fn search(
    sweep: &Sweep,
    of: &Candidates,
    is_meant: impl Fn(&Point) -> bool,
    is_better: impl Fn(&Point, &Point) -> bool,
) -> Option<usize> {
    let mut best: Option<usize> = None;
    for &number in &of.points {
        let point = &sweep.points[number];
        if is_meant(point) && best.is_none_or(|best| is_better(point, &sweep.points[best])) {
            best = Some(number);
        }
    }
    best
}

fn more(a: &Point, b: &Point) -> bool {
    let known = |point: &Point| point.throughput.interval.is_some();
    if known(a) != known(b) {
        return known(a);
    }
    let (rate, other) = (a.throughput.value, b.throughput.value);
    rate > other || rate == other && a.latency.value < b.latency.value
}

fn less(a: &Point, b: &Point) -> bool {
    let known = |point: &Point| point.latency.interval.is_some();
    if known(a) != known(b) {
        return known(a);
    }
    let (latency, other) = (a.latency.value, b.latency.value);
    latency < other || latency == other && a.throughput.value > b.throughput.value
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_front_is_what_no_other_surpasses(points in points()) {
        let sweep = sweep(&points, None);
        let models = sweep.models.len();
        prop_assert_eq!(sweep.overall.is_some(), models > 1);
        prop_assert_eq!(sweep.points.len(), points.len());
        for of in sweep.all_candidates() {
            let point = |number: &usize| &sweep.points[*number];
            let expected: Vec<usize> = of.points.iter().copied().filter(|number| {
                !of.points.iter().any(|other| surpasses(point(other), point(number)))
            }).collect();
            let front: Vec<usize> = of.front.iter().map(|front| front.point).collect();
            prop_assert_eq!(&front, &expected);
            prop_assert!(!front.is_empty());
            for member in &of.front {
                let equals: Vec<usize> = front.iter().copied().filter(|other| {
                    *other != member.point && meet(point(other), point(&member.point))
                }).collect();
                prop_assert_eq!(&member.equals, &equals);
                prop_assert_eq!(of.on_front(member.point), Some(member));
            }
            let off = of.points.iter().filter(|number| !front.contains(number));
            for number in off {
                prop_assert!(of.on_front(*number).is_none());
                // Somebody on the front surpasses whoever is not on it.
                prop_assert!(front.iter().any(|other| surpasses(point(other), point(number))));
            }
            // What is best is on the front.
            for best in [of.best_latency, of.best_throughput] {
                prop_assert!(front.contains(&best));
            }
        }
    }

    /// As the other front, of CPU time instead of throughput: less of it is better.
    #[test]
    fn a_front_of_cpu_time_is_what_no_other_surpasses(points in points(), known in vec(any::<bool>(), 40)) {
        let profiles = sweep(&points, None).points.into_iter().zip(known).map(|(point, is_known)| {
            // What was drawn as throughput.
            let drawn = point.throughput;
            if is_known { costing(point.profile, drawn) } else { point.profile }
        });
        let sweep = analyze(&profiles.collect::<Vec<_>>(), &[], &options(None));
        let ends = |number: &usize| {
            let point = &sweep.points[*number];
            Some((point.latency.ends(), point.cpu_time?.ends()))
        };
        for of in sweep.all_candidates() {
            let known: Vec<usize> = of.points.iter().copied().filter(|one| ends(one).is_some()).collect();
            let is_beaten = |number: &usize| {
                let (latency, cpu_time) = ends(number).unwrap();
                known.iter().filter_map(ends).any(|(of_latency, of_cpu_time)| {
                    of_latency.high < latency.low && of_cpu_time.high < cpu_time.low
                })
            };
            let expected: Vec<usize> = known.iter().copied().filter(|one| !is_beaten(one)).collect();
            let front: Vec<usize> = of.cpu_front.iter().map(|front| front.point).collect();
            prop_assert_eq!(front, expected);
            let Some(Saving { point, instead_of }) = of.saving else { continue };
            prop_assert_eq!(instead_of, of.best_latency);
            let (saved, best) = (ends(&point).unwrap().1, ends(&instead_of).unwrap().1);
            prop_assert!(saved.high < best.low);
        }
    }

    #[test]
    fn a_sweet_spot_is_the_most_throughput_within_the_threshold(
        points in points(),
        threshold in option::weighted(0.9, 0u8..30),
    ) {
        let threshold = threshold.map(f64::from);
        let sweep = sweep(&points, threshold);
        for of in sweep.all_candidates() {
            let within = |point: &Point| threshold.is_none_or(|most| point.latency.value <= most);
            prop_assert_eq!(of.sweet_spot, search(&sweep, of, within, more));
            prop_assert_eq!(Some(of.best_throughput), search(&sweep, of, |_| true, more));
            prop_assert_eq!(Some(of.best_latency), search(&sweep, of, |_| true, less));
            if let Some(sweet) = of.sweet_spot {
                prop_assert!(of.on_front(sweet).is_some());
            }
        }
    }

    #[test]
    fn reports_are_made_of_all_points(points in points(), threshold in option::of(0u8..30)) {
        let sweep = sweep(&points, threshold.map(f64::from));
        let report = sweep.document(&());
        let table = report.table("points").unwrap();
        prop_assert_eq!(table.len(), points.len());
        let yes = |key: &str| column(table, key).iter().filter(|cell| **cell == "yes").count();
        let front: usize = sweep.models.iter().map(|model| model.front.len()).sum();
        prop_assert_eq!(yes("on_front"), front);
        let sweet = sweep.models.iter().filter(|model| model.sweet_spot.is_some()).count();
        prop_assert_eq!(yes("sweet_spot"), sweet);
    }
}

fn text(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Label { text, .. } => text.to_string(),
        Cell::Number(number) => number.to_string(),
        Cell::Whole(number) => number.to_string(),
        Cell::Below { most, .. } => format!("< {most}"),
        Cell::Unknown => "unknown".to_string(),
        Cell::None => String::new(),
    }
}

fn column(table: &Table, key: &str) -> Vec<String> {
    let column = table.column(key).unwrap_or_else(|| panic!("no column {key}"));
    column.cells.iter().map(text).collect()
}

fn notes(document: &Document) -> Vec<&str> {
    document.notes().map(|note| note.text.as_str()).collect()
}

#[test]
fn a_small_sweep_by_hand() {
    // Latencies and throughputs as one would draw them; b and c cannot be told apart.
    let profiles = [
        ("a", 1.0, 0.1, 10.0, 1.0),
        ("b", 2.0, 0.5, 20.0, 2.0),
        ("c", 2.2, 0.5, 21.0, 2.0),
        ("d", 5.0, 0.2, 12.0, 1.0),
        ("e", 6.0, 1.0, 40.0, 1.0),
    ]
    .map(|(name, latency, of_latency, rate, of_rate)| {
        let latency = measured(latency, Some(of_latency));
        profile(name, "m.onnx", latency, measured(rate, Some(of_rate)))
    });
    let sweep = analyze(&profiles, &[], &options(Some(2.5)));
    let report = sweep.document(&());
    let table = report.table("points").unwrap();
    assert_eq!(column(table, "on_front"), ["yes", "yes", "yes", "no", "yes"]);
    assert_eq!(column(table, "equals"), ["", "c", "b", "", ""]);
    assert_eq!(column(table, "equals_count"), ["0", "1", "1", "", "0"]);
    assert_eq!(column(table, "within_threshold"), ["yes", "yes", "probably", "no", "no"]);
    assert_eq!(column(table, "sweet_spot"), ["no", "no", "yes", "no", "no"]);
    // 0.5 / 2.2 is more than 2 / 21.
    let precision = column(table, "precision")[2].parse::<f64>().unwrap();
    assert!((precision - 0.5 / 2.2).abs() < 1e-12, "{precision}");
    assert_eq!(
        report.headline,
        [
            "Sweet spot within 2.500 ms: c (tract, batch 4, 2 threads, 1 instance): 21.00 items/s \
             at p50 2.200 ms; 1 more may be as good.",
            "Best latency: a (tract, batch 4, 2 threads, 1 instance): 10.00 items/s at p50 \
             1.000 ms.",
            "Best throughput: e (tract, batch 4, 2 threads, 1 instance): 40.00 items/s at p50 \
             6.000 ms.",
        ]
    );
    assert_eq!(
        notes(&report),
        ["within 2.500 ms, but may be above it, since the interval of latency p50 reaches \
             beyond: c"]
    );
    // Without a threshold, and with one that all are above.
    let report = analyze(&profiles, &[], &options(None)).document(&());
    assert_eq!(column(report.table("best_points").unwrap(), "sweet_spot"), ["e"]);
    assert!(notes(&report)[0].starts_with("without a latency threshold"), "{:?}", notes(&report));
    let report = analyze(&profiles, &[], &options(Some(0.5))).document(&());
    assert_eq!(column(report.table("best_points").unwrap(), "sweet_spot"), [""]);
    assert!(report.headline[0].starts_with("No point is within 0.5000 ms; the nearest: a ("));
    assert_eq!(
        notes(&report),
        ["no point has a latency p50 within 0.5000 ms; the nearest of m.onnx: a with 1.000 ms"]
    );
}

/// Of four items each: the second thread brings 2 % and takes twice the CPU time.
#[test]
fn what_saves_cpu_time_at_nearly_the_best_latency_is_told() {
    let point = |name: &str, latency, cpu_time, half| {
        let of_latency = measured(latency, Some(0.1));
        let made = profile(name, "m.onnx", of_latency, measured(400.0, Some(1.0)));
        costing(made, measured(cpu_time, half))
    };
    let all = [
        point("one", 10.2, 10.4, Some(0.4)),
        point("two", 10.0, 20.0, Some(2.0)),
        point("slow", 10.6, 8.0, Some(0.4)),
        profile("alone", "m.onnx", measured(30.0, Some(0.1)), measured(500.0, Some(1.0))),
    ];
    let sweep = analyze(&all, &[], &options(None));
    assert_eq!(sweep.models[0].saving, Some(Saving { point: 0, instead_of: 1 }));
    let report = sweep.document(&());
    assert_eq!(
        report.headline.last().unwrap(),
        "Less CPU time at nearly the best latency: one takes 2.600 instead of 5.000 ms per item (two), \
         at p50 10.20 instead of 10.00 ms."
    );
    let table = report.table("points").unwrap();
    assert_eq!(column(table, "cpu_time_ms"), ["10.4", "20", "8", "unknown"]);
    assert_eq!(column(table, "cpu_time_of_one_ms"), ["2.6", "5", "2", "unknown"]);
    assert_eq!(column(table, "on_cpu_front"), ["yes", "yes", "yes", ""]);
    assert_eq!(column(table, "costs_unknown").last().unwrap(), "not measured");
    let said = notes(&report).join("; ");
    assert!(
        said.contains("CPU time, memory or start is unknown: alone (not measured); "),
        "{said}"
    );
    // Without an interval, or one that is apart, it may be chance.
    for half in [None, Some(6.0)] {
        let wide = [point("one", 10.2, 10.4, half), point("two", 10.0, 20.0, Some(5.0))];
        assert_eq!(analyze(&wide, &[], &options(None)).models[0].saving, None, "{half:?}");
    }
}

/// Latencies in ms and items/s of two points that are known to ±10 and ±1, and of one with more
/// throughput than both whose intervals are unknown.
#[test]
fn what_has_no_interval_is_neither_better_nor_worse() {
    let known = |name, latency, items, half| {
        profile(name, "m.onnx", measured(latency, Some(10.0)), measured(items, half))
    };
    let all = [
        known("low", 50.0, 20.0, Some(1.0)),
        known("high", 50.0, 30.0, Some(1.0)),
        profile("unknown", "m.onnx", measured(10.0, None), measured(90.0, None)),
    ];
    let sweep = analyze(&all, &[], &options(None));
    let model = &sweep.models[0];
    assert_eq!((model.sweet_spot, model.best_throughput, model.best_latency), (Some(1), 1, 1));
    assert_eq!(model.may_have_best_throughput(&sweep.points), [2]);
    assert_eq!(model.may_have_best_latency(&sweep.points), [0, 2]);
    assert_eq!(model.may_be_sweet_spot(&sweep.points, None), [2]);
    let report = sweep.document(&());
    assert!(report.headline[0].starts_with("Sweet spot, "), "{:?}", report.headline);
    assert!(report.headline[0].ends_with("; 2 more may be as good."), "{:?}", report.headline);
    // Below the threshold, it is the only one.
    assert_eq!(analyze(&all, &[], &options(Some(20.0))).models[0].sweet_spot, Some(2));
    // Wide intervals decide nothing.
    let wide = [known("a", 50.0, 20.0, Some(15.0)), known("b", 50.0, 30.0, None), all[2].clone()];
    let sweep = analyze(&wide, &[], &options(None));
    assert_eq!(sweep.models[0].sweet_spot, Some(0));
    let headline = sweep.document(&()).headline;
    assert!(
        headline[0].starts_with("Undecided: each of the 3 configurations may be the sweet spot"),
        "{headline:?}"
    );
}

#[test]
fn models_without_a_batch_size_are_compared_by_iterations_and_with_no_others() {
    let mut all = profiles(3, 4);
    // One point of the first model does not say how large its batch is.
    all[0].items_per_second = None;
    let sweep = analyze(&all, &[], &options(None));
    let counted: Vec<_> = sweep.models.iter().map(|model| model.counted).collect();
    assert_eq!(counted, [Counted::Items, Counted::Items, Counted::Iterations]);
    assert_eq!(sweep.models[2].model.as_deref(), Some(all[0].model.as_str()));
    assert!(sweep.overall.is_none());
    for &number in &sweep.models[2].points {
        let point = &sweep.points[number];
        assert_eq!(point.throughput, point.profile.iterations_per_second);
    }
    let report = sweep.document(&());
    assert!(notes(&report)[0].contains("models are not compared with each other"));
    all.iter_mut().for_each(|profile| profile.items_per_second = None);
    let sweep = analyze(&all, &[], &options(None));
    assert_eq!(sweep.overall.map(|all| all.counted), Some(Counted::Iterations));
}

#[test]
fn what_has_no_figures_is_skipped_and_wrong_intervals_are_unknown() {
    let mut all = profiles(1, 4);
    all[0].iterations_per_second.value = f64::INFINITY;
    all[1].latency_ms.p99.value = f64::NAN;
    let interval = all[2].latency_ms.p50.interval.as_mut().unwrap();
    std::mem::swap(&mut interval.low, &mut interval.high);
    let skipped = Skipped {
        model: "large.onnx".to_string(),
        configuration: Default::default(),
        reason: "needs 40 GB of 24".to_string(),
    };
    let sweep = analyze(&all, &[skipped], &options(None));
    assert_eq!((sweep.points.len(), sweep.skipped.len()), (2, 3));
    assert_eq!(sweep.points[0].latency.interval, None);
    let report = sweep.document(&());
    let table = report.table("skipped").unwrap();
    assert_eq!(column(table, "reason")[0], "needs 40 GB of 24");
    assert_eq!(column(table, "instances")[0], "unknown");
    assert!(notes(&report)[0].ends_with(&all[2].name), "{:?}", notes(&report));
}

#[test]
fn files_of_one_name_are_told_apart() {
    let mut all = profiles(1, 3);
    all[1].model_sha256 = Some("0123456789abcdef".to_string());
    let sweep = analyze(&all, &[], &options(None));
    let names: Vec<_> = sweep.models.iter().map(|model| model.model.clone().unwrap()).collect();
    assert_eq!(names, ["model-0.onnx (of unknown contents)", "model-0.onnx (01234567)"]);
}

#[test]
fn names_for_people_leave_out_the_sizes_that_all_have() {
    let named = |name: &str, width: u64| {
        let mut one = profile(name, "m.onnx", measured(1.0, None), measured(1.0, None));
        let size = |name: &str, size| Dimension { name: name.to_string(), size };
        one.configuration.dimensions = vec![size("height", 32), size("width", width)];
        one
    };
    let all = [
        named("m-height=32-width=3-b1-t1-i1", 3),
        named("m-height=32-width=32-b1-t1-i1", 32),
        named("m-height=32-width=3-b2-t1-i1", 3),
    ];
    let short = |all: &[Profile]| {
        let report = analyze(all, &[], &options(None)).document(&());
        let table = report.table("points").unwrap().clone();
        (column(&table, "name"), column(&table, "short_name"), notes(&report).join("; "))
    };
    let (names, shorter, said) = short(&all);
    assert_eq!(
        names,
        [
            "m-height=32-width=3-b1-t1-i1",
            "m-height=32-width=3-b2-t1-i1",
            "m-height=32-width=32-b1-t1-i1"
        ]
    );
    assert_eq!(shorter, ["m-width=3-b1-t1-i1", "m-width=3-b2-t1-i1", "m-width=32-b1-t1-i1"]);
    assert!(said.contains("m-width=3-b1-t1-i1, "), "{said}");
    assert!(said.contains("their names without -height=32, which all have"), "{said}");
    // A size that begins like another is not that one.
    let (_, shorter, _) = short(&[all[0].clone(), all[2].clone()]);
    assert_eq!(shorter, ["m-b1-t1-i1", "m-b2-t1-i1"]);
    // One alone, and others that do not say their sizes.
    let (names, shorter, said) = short(&all[..1]);
    assert_eq!(names, shorter);
    assert!(!said.contains("without -"), "{said}");
}

#[test]
fn there_may_be_nothing() {
    let sweep = analyze(&[], &[], &options(Some(1.0)));
    assert!(sweep.models.is_empty() && sweep.overall.is_none());
    let report = sweep.document(&());
    assert_eq!(report.headline, ["No configuration was measured."]);
    assert!(report.table("points").unwrap().is_empty() && notes(&report).is_empty());
}
