//! Markdown as GitHub shows it: read by the rules of CommonMark with GitHub's tables and
//! links, and names come out as they are.

use crate::program::{Place, json};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Rows of cells, those of the heading first.
type Rows = Vec<Vec<String>>;

fn tables(markdown: &str) -> Vec<Rows> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM;
    let mut tables: Vec<Rows> = Vec::new();
    // Of a cell: its text, and what of it GitHub sees in one piece.
    let mut cell: Option<(String, String)> = None;
    for event in Parser::new_ext(markdown, options) {
        match (event, &mut cell) {
            (Event::Start(Tag::Table(_)), _) => tables.push(Vec::new()),
            (Event::Start(Tag::TableHead | Tag::TableRow), _) => {
                tables.last_mut().unwrap().push(Vec::new());
            }
            (Event::Start(Tag::TableCell), _) => cell = Some(Default::default()),
            (Event::Text(text), Some((all, piece))) => {
                all.push_str(&text);
                piece.push_str(&text);
            }
            (Event::InlineHtml(html), Some((_, piece))) => {
                assert_eq!(&*html, "<!-- -->", "a name has become markup");
                stays_text(&std::mem::take(piece));
            }
            (Event::End(TagEnd::TableCell), Some((all, piece))) => {
                stays_text(piece);
                let row = tables.last_mut().unwrap().last_mut().unwrap();
                row.push(std::mem::take(all));
                cell = None;
            }
            (other, Some(_)) => panic!("a name has become {other:?}"),
            _ => {}
        }
    }
    tables
}

/// What GitHub looks for in a text that is not markup: addresses, people, issues, emoji.
fn stays_text(piece: &str) {
    let lower = piece.to_lowercase();
    for address in ["http://", "https://", "ftp://", "www."] {
        assert!(!lower.contains(address), "{address}: {piece}");
    }
    let letters: Vec<char> = piece.chars().collect();
    for pair in letters.windows(2) {
        let [mark, next] = [pair[0], pair[1]];
        assert!(mark != '@' || !next.is_alphanumeric(), "a person: {piece}");
        assert!(mark != '#' || !next.is_ascii_digit(), "an issue: {piece}");
        let is_issue = mark == '-' && next.is_ascii_digit() && lower.contains("gh-");
        assert!(!is_issue, "an issue: {piece}");
        assert!(mark != ':' || !next.is_alphanumeric() && next != '+', "an emoji: {piece}");
    }
}

const NAMES: [&str; 16] = [
    "a|b`c`|d",
    "<b>bold</b><!-- no -->",
    "see http://example.com/x and www.example.com",
    "@user and me@example.com",
    "*star* _under_ ~~gone~~ [x](y) ![i](j)",
    "back\\slash \\| &amp; &#124;",
    "#1 :+1: $x^2$ [^1]",
    "std::a::b<float, 3>::run",
    "- [ ] task",
    "> [!NOTE]",
    "ftp://a.b https://c.d xmpp:e@f.g",
    "_ZN3foo3barEv",
    "GH-123 gh-4",
    "&#x3c;b&#x3e; &lt;i&gt; <!-- c",
    "HTTP://A.B/c Www.x.y mailto:a@b.c",
    "</details> | `|` \\`",
];

/// A trace of ONNX Runtime with a node of each name, of launches that differ by a factor.
fn trace(place: &Place, file: &str, factor: usize) {
    let mut events = Vec::new();
    let mut now = 1000;
    for iteration in 0..12 {
        let start = now;
        for (number, name) in NAMES.iter().enumerate() {
            let name = format!("{name}\n{number}");
            let time = factor * (100 + 10 * number) + (iteration * 7 + number) % 5;
            events.push(serde_json::json!({"cat": "Node", "pid": 1, "tid": 1, "ph": "X",
                "name": format!("{name}_kernel_time"), "ts": now, "dur": time,
                "args": {"op_name": "MatMul", "provider": "CPUExecutionProvider", "node_index": number.to_string()}}));
            now += time;
        }
        events.push(serde_json::json!({"cat": "Session", "pid": 1, "tid": 1, "ph": "X",
            "name": "model_run", "ts": start, "dur": now - start + 5, "args": {}}));
        now += 20;
    }
    place.write(file, serde_json::to_string(&events).unwrap().as_bytes());
}

#[test]
fn names_come_out_as_text_and_cells_stand_under_their_headings() {
    let place = Place::new();
    trace(&place, "a|*b*@c.json", 1);
    trace(&place, "http:b.json", 2);
    let compare = |format: &str| {
        place.succeed(&["compare", "a|*b*@c.json", "http:b.json", "--all", "--format", format])
    };
    let markdown = compare("markdown");
    let tables = tables(&markdown);
    for table in &tables {
        assert!(table.iter().all(|row| row.len() == table[0].len()), "{table:?}");
    }
    let report = json(&compare("json"));
    let layers = tables.iter().find(|table| table[0].contains(&"Matched by".to_string())).unwrap();
    let name = layers[0].iter().position(|heading| heading == "Layer").unwrap();
    let shown: Vec<&str> = layers[1..].iter().map(|row| row[name].as_str()).collect();
    let rows = report["layers"].as_array().unwrap();
    // A line break within a cell is shown as what it is.
    let expected: Vec<String> =
        rows.iter().map(|row| row["layer"].as_str().unwrap().replace('\n', "\\n")).collect();
    assert_eq!(shown, expected);
    assert_eq!(rows.len(), NAMES.len());
    assert!(markdown.contains("<details><summary>"), "{markdown}");
}

#[test]
fn every_report_is_tables_that_github_reads() {
    let place = Place::new();
    trace(&place, "a.json", 1);
    for arguments in
        [&["summary", "a.json", "--all"][..], &["check", "a.json"], &["inspect", "--list"]]
    {
        let markdown = place.succeed(&[arguments, &["--format", "markdown"]].concat());
        let tables = tables(&markdown);
        let pipes = markdown.lines().filter(|line| line.starts_with("| -")).count();
        assert_eq!(tables.len(), pipes, "{markdown}");
        for table in tables {
            assert!(table.iter().all(|row| row.len() == table[0].len()), "{table:?}");
        }
    }
}
