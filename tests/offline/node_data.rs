//! Node data for Model Explorer, and what a page is asked to project.

use crate::program::{Place, fixture_file, json};
use serde_json::{Map, Value};
use std::fs;

fn guide(name: &str) -> String {
    fixture_file(&format!("guide/{name}")).display().to_string()
}

/// The data of the nodes in a file.
fn results(place: &Place, file: &str) -> Map<String, Value> {
    let data = json(&fs::read_to_string(place.path(file)).unwrap());
    data["results"].as_object().unwrap().clone()
}

#[test]
fn nodes_have_the_times_of_operators_and_the_slowest_the_whole_colour() {
    let place = Place::new();
    let encoder = guide("encoder");
    assert_eq!(place.succeed(&["report", &encoder, "--graph", "times.json"]), "times.json\n");
    let results = results(&place, "times.json");
    let summary = ["summary", &encoder, "--all", "--level", "operator", "--format", "json"];
    let summary = json(&place.succeed(&summary));
    let operators = summary["operators"].as_array().unwrap();
    assert_eq!(results.len(), operators.len());
    for operator in operators {
        assert_eq!(results[operator["name"].as_str().unwrap()]["value"], operator["time_ms"]);
    }
    // They come from most to least time.
    let colour = |at: usize| &results[operators[at]["name"].as_str().unwrap()]["bgColor"];
    assert_eq!(colour(0), "#d73027");
    assert_eq!(colour(operators.len() - 1), "#ffffff");
}

#[test]
fn nodes_of_both_sides_have_the_ratio_of_their_layer_and_its_verdict_as_colour() {
    let place = Place::new();
    let (a, b) = (guide("encoder"), guide("encoder-int8"));
    let compare = ["compare", &a, &b, "--graph", "ratios.json", "--all", "--format", "json"];
    let compared = json(&place.succeed(&compare));
    let results = results(&place, "ratios.json");
    let layers = compared["layers"].as_array().unwrap();
    let mut colours = Vec::new();
    for layer in layers.iter().filter(|layer| layer["ratio"].is_number()) {
        let node = &results[layer["layer"].as_str().unwrap()];
        assert_eq!(node["value"], layer["ratio"]);
        let colour = node["bgColor"].as_str().unwrap();
        let part = |at: usize| u8::from_str_radix(&colour[at..at + 2], 16).unwrap();
        match layer["verdict"].as_str().unwrap() {
            "slower" => assert!(part(1) > part(3), "{layer}: {colour}"),
            "faster" => assert!(part(3) > part(1), "{layer}: {colour}"),
            _ => assert_eq!(colour, "#ffffff", "{layer}"),
        }
        colours.push(colour.to_string());
    }
    colours.sort();
    colours.dedup();
    assert!(colours.len() > 2, "{colours:?}");
}

#[test]
fn a_page_projects_nothing_unless_it_is_asked_to() {
    let place = Place::new();
    let encoder = guide("encoder");
    let report = |more: &[&str]| -> Value {
        let page = ["report", &encoder, "-o", "page.html", "--force", "--format", "json"];
        json(&place.succeed(&[&page[..], more].concat()))
    };
    assert!(report(&[]).get("plan").is_none());
    place.succeed(&["project", &encoder, "--save-settings", "asked.json"]);
    assert!(report(&["--ratios", "asked.json"]).get("plan").is_some());
}
