#!/usr/bin/env bash
# Runs every fuzz target, for so many executions or seconds each:
#
#   tests/fuzz/run.sh -runs=2000
#   tests/fuzz/run.sh -max_total_time=600
#
# The committed corpus and the fixtures are the seeds; what is found on the way
# stays outside of the checkout. The first crash ends the run. With ONNXRAY_FUZZ_ALL
# set, the targets that need tract and polars run as well, which take long to build.
set -euo pipefail
cd "$(dirname "$0")/../.."
limit="${1:--runs=2000}"
# Coverage needs flags that a stable toolchain keeps to itself otherwise.
export RUSTC_BOOTSTRAP=1
export CARGO_TARGET_DIR="${ONNXRAY_FUZZ_TARGET_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/onnxray/fuzz}"
work="$CARGO_TARGET_DIR/corpus"
# cargo-fuzz has no --locked: the lock file is compared first.
cargo metadata --locked --format-version 1 --manifest-path tests/fuzz/Cargo.toml >/dev/null
features=()
[ -z "${ONNXRAY_FUZZ_ALL:-}" ] || features=(--features "recorder,analyzer")
cargo fuzz build --fuzz-dir tests/fuzz "${features[@]}"
binaries="$CARGO_TARGET_DIR/$(rustc -vV | sed -n 's/^host: //p')/release"
for source in tests/fuzz/targets/*.rs; do
    target="$(basename "$source" .rs)"
    seeds=(tests/fuzz/corpus/"$target")
    case "$target" in
        onnx_model | numpy | settings | project | comparisons | *_journal) [ ${#features[@]} -gt 0 ] || continue ;;
        splitter | decompression | differential) seeds+=(fixtures/malformed fixtures/chrome-trace fixtures/onnxruntime/1.31.1) ;;
        *) [ ! -d "fixtures/${target//_/-}" ] || seeds+=("fixtures/${target//_/-}") ;;
    esac
    mkdir -p "$work/$target" "tests/fuzz/corpus/$target"
    echo "== $target"
    log="$work/$target.log"
    if ! "$binaries/$target" "$work/$target" "${seeds[@]}" "$limit" \
        -seed=1 -max_len=65536 -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 -detect_leaks=0 \
        -artifact_prefix="$work/" >"$log" 2>&1; then
        tail -n 40 "$log"
        echo "$target fails; the input is in $work"
        exit 1
    fi
    grep -E "DONE|stat::number_of_executed_units|stat::peak_rss_mb" "$log"
done
echo "no target failed"
