//! Traces with everything that JSON allows and that could mislead a reader.

use onnxray_import::chrome::Options;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

#[derive(Clone, Debug)]
pub(crate) enum Json {
    Raw(String),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
    /// An array of objects that look like the trace's events.
    Events(Vec<Spec>),
}

#[derive(Clone, Debug)]
pub(crate) struct Spec {
    pub phase: char,
    pub name: Json,
    pub category: Option<String>,
    pub process: Json,
    pub thread: Json,
    pub start: Json,
    pub duration: Json,
    pub arguments: Option<Vec<(String, Json)>>,
    pub extra: Vec<(String, Json)>,
}

/// How a trace is written.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    pub array_form: bool,
    pub mark: bool,
    /// What stands between two events, behind the comma.
    pub between: &'static str,
    /// What stands behind an event's opening bracket and behind its commas.
    pub inside: &'static str,
    pub colon: &'static str,
    /// The events' keys are in the same order.
    pub ordered: bool,
    pub seed: u64,
}

struct Writer<'a> {
    style: &'a Style,
    text: String,
    random: u64,
    depth: usize,
    /// Of the trace's events.
    ends: Vec<usize>,
}

impl Writer<'_> {
    fn below(&mut self, most: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % most
    }

    fn string(&mut self, string: &str) {
        self.text.push('"');
        for character in string.chars() {
            let chance = self.below(8);
            match character {
                '"' => self.text.push_str("\\\""),
                '\\' => self.text.push_str("\\\\"),
                '\n' if chance > 0 => self.text.push_str("\\n"),
                '/' if chance < 4 => self.text.push_str("\\/"),
                '\0'..'\x20' => self.escape(character),
                'a'..='z' if chance > 0 || !self.style.mark => self.text.push(character),
                ' '..='~' => self.text.push(character),
                _ if chance < 3 => self.escape(character),
                _ => self.text.push(character),
            }
        }
        self.text.push('"');
    }

    fn escape(&mut self, character: char) {
        for unit in character.encode_utf16(&mut [0; 2]) {
            self.text.push_str(&format!("\\u{unit:04x}"));
        }
    }

    fn value(&mut self, value: &Json) {
        match value {
            Json::Raw(raw) => self.text.push_str(raw),
            Json::Text(text) => self.string(text),
            Json::Array(values) => {
                self.text.push('[');
                for (number, value) in values.iter().enumerate() {
                    self.comma(number, self.style.inside);
                    self.value(value);
                }
                self.text.push(']');
            }
            Json::Object(members) => {
                let members: Vec<(&str, Json)> =
                    members.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
                self.object(&members);
            }
            Json::Events(events) => self.events(events),
        }
    }

    fn comma(&mut self, number: usize, behind: &str) {
        if number > 0 {
            self.text.push(',');
        }
        self.text.push_str(behind);
    }

    fn object(&mut self, members: &[(&str, Json)]) {
        self.text.push('{');
        for (number, (key, value)) in members.iter().enumerate() {
            self.comma(number, self.style.inside);
            self.string(key);
            self.text.push_str(self.style.colon);
            self.value(value);
        }
        self.text.push('}');
    }

    fn events(&mut self, events: &[Spec]) {
        self.text.push('[');
        for (number, event) in events.iter().enumerate() {
            self.comma(number, self.style.between);
            self.depth += 1;
            self.event(event);
            self.depth -= 1;
            if self.depth == 0 {
                self.ends.push(self.text.len());
            }
        }
        self.text.push_str(self.style.between);
        self.text.push(']');
    }

    fn event(&mut self, event: &Spec) {
        let mut members = vec![
            ("ph", Json::Text(event.phase.to_string())),
            ("name", event.name.clone()),
            ("pid", event.process.clone()),
            ("tid", event.thread.clone()),
            ("ts", event.start.clone()),
        ];
        members.extend(event.category.clone().map(|text| ("cat", Json::Text(text))));
        members.extend(event.arguments.clone().map(|members| ("args", Json::Object(members))));
        members.extend(event.extra.iter().map(|(key, value)| (key.as_str(), value.clone())));
        if event.phase == 'X' {
            members.push(("dur", event.duration.clone()));
        }
        if !self.style.ordered {
            for last in (1..members.len()).rev() {
                let other = self.below(last as u64 + 1) as usize;
                members.swap(last, other);
            }
        }
        self.object(&members);
    }
}

pub(crate) fn write(style: &Style, events: &[Spec], members: &[(String, Json)]) -> String {
    write_with_ends(style, events, members).0
}

/// A trace as text, and where its events end.
pub(crate) fn write_with_ends(
    style: &Style,
    events: &[Spec],
    members: &[(String, Json)],
) -> (String, Vec<usize>) {
    let text = String::new();
    let mut writer = Writer { style, text, random: style.seed | 1, depth: 0, ends: Vec::new() };
    if style.mark {
        writer.text.push('\u{feff}');
    }
    if style.array_form {
        writer.events(events);
        writer.text.push('\n');
        return (writer.text, writer.ends);
    }
    let place = writer.below(members.len() as u64 + 1) as usize;
    let mut all: Vec<(&str, Json)> =
        members.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
    all.insert(place, ("traceEvents", Json::Events(events.to_vec())));
    writer.object(&all);
    (writer.text, writer.ends)
}

/// Texts that look like the structure around them.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let pieces = select(vec![
        "},\n{\"ph\"",
        "},{\"ph\":\"X\"",
        "},\n  {\n",
        "\"",
        "\\",
        "\\\"",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\n",
        "/",
        "é",
        "😀",
        "\u{1}",
        "\u{7f}",
        "a",
        "Conv",
        " ",
        "traceEvents",
        "]\n}",
        "0",
    ]);
    vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
}

pub(crate) fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        select(vec![
            "null",
            "true",
            "false",
            "0",
            "-1",
            "1.5e-7",
            "[]",
            "{}",
            "12345678901234567890"
        ])
        .prop_map(|raw| Json::Raw(raw.to_string())),
        text().prop_map(Json::Text),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Json::Array),
            members(inner).prop_map(Json::Object),
        ]
    })
}

/// Members of an object, each key once.
pub(crate) fn members(
    value: impl Strategy<Value = Json>,
) -> impl Strategy<Value = Vec<(String, Json)>> {
    vec((text(), value), 0..4).prop_map(|mut members| {
        members.sort_by(|(one, _), (other, _)| one.cmp(other));
        members.dedup_by(|(one, _), (other, _)| one == other);
        // Keys that mean something are not written with escapes.
        members.iter_mut().for_each(|(key, _)| key.insert(0, '~'));
        members
    })
}

pub(crate) fn identity() -> impl Strategy<Value = Json> {
    prop_oneof![
        (0..4u32).prop_map(|number| Json::Raw(number.to_string())),
        (0..4u32).prop_map(|number| Json::Text(number.to_string())),
        text().prop_map(Json::Text),
    ]
}

pub(crate) fn time(negative: bool) -> impl Strategy<Value = Json> {
    // Instants since 1970, and durations of half a year.
    let (least, large) = match negative {
        true => (-1_000_000, 1_700_000_000_000_000_000i64),
        false => (0, 17_000_000_000_000_000),
    };
    let nanoseconds = prop_oneof![least..1_000_000i64, large..large + 100_000_000_000];
    (nanoseconds, 0..5u8).prop_map(|(nanoseconds, spelling)| {
        let sign = if nanoseconds < 0 { "-" } else { "" };
        let (whole, rest) = (nanoseconds.abs() / 1000, nanoseconds.abs() % 1000);
        match spelling {
            0 => Json::Raw(format!("{sign}{whole}")),
            1 => Json::Raw(format!("{sign}{whole}.{rest:03}")),
            2 => Json::Text(format!("{sign}{whole}.{rest:03}")),
            3 => Json::Raw(format!("{sign}{whole}.{rest:03}4999")),
            _ => Json::Raw(format!("{sign}{}.5e1", whole % 100_000)),
        }
    })
}

pub(crate) fn spec(phase: impl Strategy<Value = char>, inner: bool) -> impl Strategy<Value = Spec> {
    let name = prop_oneof![text().prop_map(Json::Text), Just(Json::Raw("17".to_string()))];
    let category =
        prop_oneof![select(vec!["cpu_op", "mark", "ignored", ""]).prop_map(str::to_string), text()];
    let number = prop_oneof![
        any::<i64>().prop_map(|number| Json::Raw(number.to_string())),
        (-9..9i32).prop_map(|number| Json::Text(number.to_string())),
        json(),
    ];
    let deep = number.clone().prop_map(|n1| Json::Object(vec![("n1".to_string(), n1)]));
    let inner = match inner {
        true => vec(spec(Just('X'), false), 0..3).prop_map(Json::Events).boxed(),
        false => json().boxed(),
    };
    let known = (option::of(json()), option::of(json()), option::of(number), option::of(deep));
    let arguments =
        (known, members(json()), inner).prop_map(|((f0, f1, n0, deep), extra, inner)| {
            let known =
                [("f0", f0), ("f1", f1), ("n0", n0), ("deep", deep), ("inner", Some(inner))];
            let known =
                known.into_iter().filter_map(|(key, value)| Some((key.to_string(), value?)));
            known.chain(extra).collect::<Vec<_>>()
        });
    let who = (phase, name, option::of(category), identity(), identity());
    let what = (time(true), time(false), option::of(arguments), members(json()));
    (who, what).prop_map(
        |((phase, name, category, process, thread), (start, duration, arguments, extra))| Spec {
            phase,
            name,
            category,
            process,
            thread,
            start,
            duration,
            arguments,
            extra,
        },
    )
}

/// One event, or a begin and its end with what lies between them.
pub(crate) fn specs() -> impl Strategy<Value = Vec<Spec>> {
    let one = spec(select(vec!['X', 'X', 'X', 'M', 's', 'i', 'C']), true).prop_map(|one| vec![one]);
    let whole = |time: u32| Json::Raw(time.to_string());
    let pair =
        (spec(Just('B'), true), spec(Just('E'), false), 0..100u32, 0..100u32, option::of(0..9u32));
    let pair = pair.prop_map(move |(mut begin, mut end, start, duration, inside)| {
        // What has no name is paired otherwise.
        if matches!(&begin.name, Json::Text(name) if name.is_empty()) {
            begin.name = Json::Text("outer".to_string());
        }
        end.name = begin.name.clone();
        (end.process, end.thread) = (begin.process.clone(), begin.thread.clone());
        begin.start = whole(start);
        end.start = whole(start + duration);
        match inside {
            // The inner one begins and ends in the same time or within it.
            Some(shift) if 2 * shift <= duration => {
                let (mut first, mut last) = (begin.clone(), end.clone());
                first.name = Json::Text("inner".to_string());
                last.name = first.name.clone();
                (first.start, last.start) = (whole(start + shift), whole(start + duration - shift));
                vec![begin, first, last, end]
            }
            _ => vec![begin, end],
        }
    });
    prop_oneof![4 => one, 1 => pair]
}

pub(crate) fn style() -> impl Strategy<Value = Style> {
    let between = select(vec!["", " ", "\n", "\n  ", "\r\n\t"]);
    let inside = select(vec!["", " ", "\n", "\n    "]);
    let colon = select(vec![":", ": ", " : ", " :\n"]);
    (any::<bool>(), prop::bool::weighted(0.2), between, inside, colon, any::<bool>(), any::<u64>())
        .prop_map(|(array_form, mark, between, inside, colon, ordered, seed)| Style {
            array_form,
            mark,
            between,
            inside,
            colon,
            ordered,
            seed,
        })
}

pub(crate) fn options() -> impl Strategy<Value = Options> {
    (prop_oneof![64..200usize, 200..4000usize], 1..4usize)
        .prop_map(|(slice_bytes, workers)| Options { slice_bytes, workers, ..Options::default() })
}
