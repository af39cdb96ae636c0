//! What SECURITY.md promises, and the tests of it.

use crate::read;

/// The beginning of each promise, and where it is tested.
const PROMISES: [(&str, &[(&str, &str)]); 13] = [
    (
        "No code of a file is run.",
        &[
            ("tests/offline/names.rs", "no_name_is_a_formula_whatever_parts_the_fields"),
            ("tests/offline/names.rs", "nothing_of_a_name_reaches_a_terminal_as_a_command"),
            ("tests/offline/page.rs", "pages_are_what_their_readers_need"),
        ],
    ),
    (
        "A folder is data.",
        &[
            (
                "tests/live/hostile_folders.rs",
                "nothing_of_the_current_folder_is_run_to_find_a_library",
            ),
            ("tests/live/hostile_folders.rs", "a_pipe_among_recordings_is_not_waited_for"),
            ("tests/live/hostile_folders.rs", "nothing_is_recorded_through_a_link"),
            ("tests/live/hostile_folders.rs", "a_journal_takes_the_place_of_nothing_else"),
            ("tests/live/hostile_folders.rs", "a_journal_decides_nothing_of_what_runs_and_where"),
            (
                "tests/offline/damaged_projects.rs",
                "a_recording_of_another_model_or_elsewhere_is_not_that_of_a_profile",
            ),
            (
                "crates/onnxray-recorder/tests/journals.rs",
                "a_changed_journal_of_a_mix_has_what_a_launch_can_have_said",
            ),
        ],
    ),
    (
        "Nothing ends well that did not happen.",
        &[
            ("tests/live/hostile_folders.rs", "an_engine_that_ends_its_process_fails_the_command"),
            (
                "tests/live/hostile_folders.rs",
                "a_launch_whose_run_never_returns_ends_with_its_parent",
            ),
            (
                "tests/live/onnxruntime_ended.rs",
                "a_recording_that_lost_operators_is_not_all_that_was_asked_for",
            ),
        ],
    ),
    (
        "What an engine says",
        &[("tests/live/hostile_folders.rs", "what_the_engine_says_does_not_command_the_terminal")],
    ),
    (
        "Memory and time are bounded.",
        &[
            ("tests/offline/hostile_traces.rs", "small_files_that_become_large_ones_are_refused"),
            (
                "tests/offline/settings_bounds.rs",
                "workbooks_that_grow_are_refused_in_little_memory",
            ),
            ("tests/offline/regressions.rs", "documents_that_begin_and_never_end_are_given_up"),
            ("tests/live/hostile_models.rs", "what_an_engine_folds_has_a_bound"),
            ("tests/live/hostile_models.rs", "external_data_has_the_size_that_its_tensor_has"),
            ("tests/live/bounds.rs", "inputs_beyond_the_memory_are_refused"),
        ],
    ),
    (
        "Nothing is lost in silence.",
        &[
            (
                "tests/offline/bad_input.rs",
                "a_recording_cut_at_any_byte_gives_its_prefix_and_a_warning",
            ),
            ("tests/live/hostile_folders.rs", "lines_of_a_journal_that_cannot_be_read_are_counted"),
        ],
    ),
    (
        "No file is harmed.",
        &[
            ("tests/offline/output_files.rs", "what_exists_is_replaced_by_force_only"),
            ("tests/offline/output_files.rs", "an_input_is_never_an_output"),
            ("tests/offline/output_files.rs", "links_are_replaced_and_not_followed"),
            (
                "tests/offline/killed_outputs.rs",
                "a_command_that_is_killed_amid_a_file_leaves_the_old_one",
            ),
            (
                "tests/offline/killed_outputs.rs",
                "a_file_that_may_not_be_so_large_leaves_the_old_one",
            ),
            ("tests/live/hostile_models.rs", "a_mix_replaces_no_file_of_the_user"),
            ("tests/tidy/doors.rs", "files_are_written_through_one_door"),
        ],
    ),
    ("No network.", &[("tests/tidy/security.rs", "no_crate_is_for_connections")]),
    (
        "A judgement's bundle may be a stranger's.",
        &[
            ("tests/live/judged_bundle.rs", "hostile_bundles_are_refused"),
            ("tests/live/judged_bundle.rs", "a_command_of_a_bundle_names_no_file_to_write"),
            ("crates/onnxray/src/args/engine.rs", "options_of_somebody_else_name_no_file"),
        ],
    ),
    ("Next to no unsafe code", &[("tests/tidy/main.rs", "unsafe_code_is_in_one_crate")]),
    (
        "The Python module",
        &[
            ("python/tests/test_doors.py", "test_files_go_through_one_door"),
            ("python/tests/test_files.py", "test_what_is_no_regular_file_is_not_waited_for"),
            ("python/tests/test_folders.py", "test_no_program_of_the_current_folder_is_run"),
            ("python/tests/test_forks.py", "test_sessions_of_forked_processes_are_recorded"),
            ("python/tests/test_printing.py", "test_the_rule_is_that_of_the_program"),
        ],
    ),
    (
        "A fleet's dataset may be a stranger's.",
        &[
            (
                "python/tests/fleet/test_fleet_strangers.py",
                "test_no_scheme_is_opened_that_was_not_asked_for",
            ),
            ("python/tests/fleet/test_fleet_strangers.py", "test_a_link_in_a_dataset_is_refused"),
            (
                "python/tests/fleet/test_fleet_strangers.py",
                "test_a_sample_of_another_launch_is_damaged",
            ),
            (
                "python/tests/fleet/test_fleet_strangers.py",
                "test_a_part_that_is_gone_is_named_and_the_rest_is_there",
            ),
            ("python/tests/test_folders.py", "test_no_module_of_the_current_folder_is_run"),
        ],
    ),
    ("The action", &[("action/test.sh", "What the runner would read as commands")]),
];

#[test]
fn each_promise_has_tests() {
    let text = read("SECURITY.md");
    let (_, promised) = text.split_once("## What is promised").unwrap();
    let (promised, _) = promised.split_once("## What is not promised").unwrap();
    let found: Vec<&str> =
        promised.split("\n- **").skip(1).map(|rest| rest.split("**").next().unwrap()).collect();
    assert_eq!(found, PROMISES.map(|(promise, _)| promise));
    for (promise, tests) in PROMISES {
        for (file, test) in tests {
            assert!(read(file).contains(test), "{promise} {file} has no {test}");
        }
    }
}

/// What opens connections, directly or for others.
const NETWORK: [&str; 12] = [
    "attohttpc",
    "curl",
    "h2",
    "hyper",
    "isahc",
    "native-tls",
    "openssl",
    "quinn",
    "reqwest",
    "rustls",
    "surf",
    "ureq",
];

#[test]
fn no_crate_is_for_connections() {
    let crates = read("docs/third-party.md");
    let named: Vec<&str> =
        NETWORK.into_iter().filter(|name| crates.contains(&format!("| {name} |"))).collect();
    assert!(named.is_empty(), "{named:?}");
}
