//! What the workbook finds to be best: of all models, and of each, by formulas that look for
//! it among the points.

use crate::document::{Cell, CellStyle, Entry, Table, TableColumn, Unit};
use onnxray_analyzer::sweep::{Candidates, Sweep};

/// Respect in which a point is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    SweetSpot,
    Latency,
    Throughput,
}

impl Goal {
    pub(crate) const ALL: [Goal; 3] = [Goal::SweetSpot, Goal::Latency, Goal::Throughput];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Goal::SweetSpot => "Sweet spot: highest throughput within the threshold",
            Goal::Latency => "Best latency",
            Goal::Throughput => "Best throughput",
        }
    }

    /// Key of its table.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Goal::SweetSpot => "sweet_spot",
            Goal::Latency => "best_latency",
            Goal::Throughput => "best_throughput",
        }
    }

    fn of(self, candidates: &Candidates) -> Option<usize> {
        match self {
            Goal::SweetSpot => candidates.sweet_spot,
            Goal::Latency => Some(candidates.best_latency),
            Goal::Throughput => Some(candidates.best_throughput),
        }
    }
}

/// Columns of the points that are shown of the best.
const SHOWN: [(&str, CellStyle); 9] = [
    ("name", CellStyle::Text),
    ("engine", CellStyle::Text),
    ("batch_size", CellStyle::QUANTITY),
    ("dimensions", CellStyle::Text),
    ("threads", CellStyle::QUANTITY),
    ("instances", CellStyle::QUANTITY),
    ("latency_ms", CellStyle::MILLISECONDS),
    ("throughput_per_second", CellStyle::Unit(Unit::Number)),
    ("counted", CellStyle::Text),
];

/// The best point of all models and of each.
pub(crate) fn best_sheet(sweep: &Sweep, goal: Goal, points: &Table) -> Table {
    let rows: Vec<&Candidates> = sweep.all_candidates().collect();
    let names = rows.iter().map(|of| {
        let name = of.model.as_deref().unwrap_or("all models");
        Entry::from(Cell::text(name))
    });
    let mut columns =
        vec![TableColumn::live("candidates", "Model", CellStyle::Label, names).width(32.0)];
    columns.extend(SHOWN.map(|(key, style)| {
        // Without it, an empty text would become 0.
        let text = if style == CellStyle::Text { "&\"\"" } else { "" };
        let formula = format!("=IF([position]=0,\"\",INDEX([!points.{key}*],[position]){text})");
        let best = rows.iter().map(|of| {
            let value = goal.of(of).map_or(&Cell::None, |point| points.value(key, point));
            Entry::live(value.clone(), &*formula)
        });
        let column = TableColumn::live(key, points.heading(key).to_string(), style, best);
        if key == "name" { column.width(40.0) } else { column }
    }));
    let remarks = rows.iter().enumerate().map(|(row, of)| match goal {
        Goal::SweetSpot => Some(remark(sweep, of, row, points)),
        _ => rivals(sweep, of, goal),
    });
    columns.push(TableColumn::live("remark", "Remark", CellStyle::Aside, remarks).width(64.0));
    columns.extend(helpers(sweep, goal, &rows).map(TableColumn::hidden));
    Table::made(goal.key(), columns, rows.len()).with_width(12.0)
}

/// Finds the number of the point: of those with an interval, if one has, the best, then the best of
/// these in the other respect, then the first of these.
fn helpers(sweep: &Sweep, goal: Goal, rows: &[&Candidates]) -> [TableColumn; 5] {
    let (latencies, rates) = ("[!points.latency_ms*]", "[!points.throughput_per_second*]");
    let [(best, first), (next, second)] = match goal {
        Goal::Latency => [("MIN", latencies), ("MAX", rates)],
        _ => [("MAX", rates), ("MIN", latencies)],
    };
    let known = match goal {
        Goal::Latency => "[!points.latency_known*]",
        _ => "[!points.throughput_known*]",
    };
    let of_goal = move |of: &Candidates| {
        let model = match model_number(sweep, of) {
            Some(number) => format!("([!points.model_number*]={number})"),
            None => "([!points.model_number*]>0)".to_string(),
        };
        match goal {
            Goal::SweetSpot => format!("{model}*({latencies}<=[:limit])"),
            _ => model,
        }
    };
    let meant = move |of: &Candidates| format!("{}*({known}>=[known])", of_goal(of));
    let point = move |of: &Candidates| goal.of(of).and_then(|number| sweep.points.get(number));
    let latency = move |of: &Candidates| point(of).map_or(0.0, |point| point.latency.value);
    let rate = move |of: &Candidates| point(of).map_or(0.0, |point| point.throughput.value);
    let value = move |of: &Candidates, is_first: bool| {
        // Latency comes first if it is the goal, and second otherwise.
        Cell::Number(if (goal == Goal::Latency) == is_first { latency(of) } else { rate(of) })
    };
    let number =
        move |of: &Candidates| Cell::Number(goal.of(of).map_or(0.0, |number| number as f64 + 1.0));
    let column = |key, entry: &dyn Fn(&Candidates) -> Entry| {
        TableColumn::live(key, "", CellStyle::Helper, rows.iter().map(|of| entry(of)))
    };
    let is_known = move |of: &Candidates| match (point(of), goal) {
        (Some(best), Goal::Latency) => best.latency.interval.is_some(),
        (Some(best), _) => best.throughput.interval.is_some(),
        (None, _) => false,
    };
    [
        column("known", &|of| {
            let formula = format!("=IF(SUM({}*{known})>0,1,0)", of_goal(of));
            Entry::array(Cell::Number(f64::from(u8::from(is_known(of)))), formula)
        }),
        column("first", &|of| {
            // A text counts for nothing, where FALSE may count as 0.
            let meant = meant(of);
            let formula = format!("=IF(SUM({meant})=0,0,{best}(IF({meant},{first},\"\")))");
            Entry::array(value(of, true), formula)
        }),
        column("second", &|of| {
            let formula = format!("={next}(IF({}*({first}=[first]),{second},\"\"))", meant(of));
            Entry::array(value(of, false), formula)
        }),
        column("number", &|of| {
            let meant = format!("{}*({first}=[first])*({second}=[second])", meant(of));
            Entry::array(number(of), format!("=MIN(IF({meant},[!points.number*],\"\"))"))
        }),
        // Points may have been sorted.
        column("position", &|of| {
            let formula = "=IF([number]=0,0,MATCH([number],[!points.number*],0))";
            Entry::live(number(of), formula)
        }),
    ]
}

fn model_number(sweep: &Sweep, candidates: &Candidates) -> Option<usize> {
    candidates.model.as_ref()?;
    let point = candidates.points.first().and_then(|&number| sweep.points.get(number));
    point.map(|point| point.model + 1)
}

/// Remark on the sweet spot, or on its absence.
fn remark(sweep: &Sweep, candidates: &Candidates, row: usize, points: &Table) -> Entry {
    const ABOVE: &str = "may be above the threshold: its interval reaches beyond";
    const NO_THRESHOLD: &str = "no threshold: the best throughput";
    const NONE: &str = "no point is within the threshold; the lowest latency is ";
    let formula = format!(
        "=IF([position]=0,\"{NONE}\"&ROUND([best_latency.latency_ms:{row}],4)&\" ms\",\
         IF(ISNUMBER([:threshold]),IF(INDEX([!points.within_threshold*],[position])=\"probably\",\
         \"{ABOVE}\",\"\"),\"{NO_THRESHOLD}\"))"
    );
    let is_likely = |point| {
        matches!(points.value("within_threshold", point), Cell::Label { key: "probably", .. })
    };
    let text = match (candidates.sweet_spot, sweep.options.latency_threshold) {
        (None, _) => {
            let lowest = points.value("latency_ms", candidates.best_latency).as_number();
            // As `ROUND` in the formula, so that both agree.
            let rounded = (lowest.unwrap_or(f64::NAN) * 1e4).round() / 1e4;
            format!("{NONE}{rounded} ms")
        }
        (Some(_), None) => NO_THRESHOLD.to_string(),
        (Some(point), Some(_)) if is_likely(point) => ABOVE.to_string(),
        (Some(_), Some(_)) => String::new(),
    };
    Entry::live(Cell::text(text), formula)
}

/// Number of other points of the model that may be as good.
fn rivals(sweep: &Sweep, candidates: &Candidates, goal: Goal) -> Option<Entry> {
    const RIVALS: &str = " more on the front may be as good";
    let model = model_number(sweep, candidates)?;
    let (others, may_be) = match goal {
        Goal::Latency => (
            candidates.may_have_best_latency(&sweep.points),
            "([!points.latency_from*]<=INDEX([!points.latency_to*],[position]))",
        ),
        _ => (
            candidates.may_have_best_throughput(&sweep.points),
            "([!points.throughput_to*]>=INDEX([!points.throughput_from*],[position]))",
        ),
    };
    // Less 1: the point may be as good as itself.
    let count = format!(
        "SUMPRODUCT(([!points.model_number*]={model})*([!points.on_front*]=\"yes\")*{may_be})-1"
    );
    let formula = format!("=IF({count}>0,{count}&\"{RIVALS}\",\"\")");
    let text = match others.len() {
        0 => String::new(),
        count => format!("{count}{RIVALS}"),
    };
    Some(Entry::live(Cell::text(text), formula))
}
