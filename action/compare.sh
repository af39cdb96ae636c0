#!/usr/bin/env bash
# Compares the recordings, writes the job's summary, and leaves the page and the figures.
#
# A regression does not end this step: the page is uploaded first. The output `code` is the exit
# code of the comparison, and `message` is what it says of the gate.
set -euo pipefail
. "$(dirname "$0")/shared.sh"

[[ "$ONNXRAY_THRESHOLD" =~ ^[0-9]+([.][0-9]+)?$ ]] ||
    fail "the threshold is a percentage, such as 5 or 2.5, and not $ONNXRAY_THRESHOLD"
split "$ONNXRAY_ARGUMENTS"
folder="$(mktemp -d "${RUNNER_TEMP:-/tmp}/onnxray-comparison-XXXXXX")"
messages="$(mktemp)"
compare() {
    "$ONNXRAY" compare ${words[@]+"${words[@]}"} --fail-above "$ONNXRAY_THRESHOLD%" "$@" \
        -- "$ONNXRAY_RECORDINGS/base" "$ONNXRAY_RECORDINGS/head"
}

code=0
compare --format markdown -o "$folder/comparison.html" >"$folder/comparison.md" 2>"$messages" || code=$?
quoted cat "$messages"
case "$code" in
    0 | 3 | 4) ;;
    *) exit "$code" ;;
esac
for format in json bmf; do
    # Their messages were those of the first one.
    compare --quiet --format "$format" >"$folder/comparison.$format" 2>/dev/null || [ "$?" = "$code" ]
done
mv "$folder/comparison.bmf" "$folder/bmf.json"
cat "$folder/comparison.md" >>"$GITHUB_STEP_SUMMARY"

output folder "$folder"
output report "$folder/comparison.html"
output markdown "$folder/comparison.md"
output json "$folder/comparison.json"
output bmf "$folder/bmf.json"
output code "$code"
output message "$(grep -E '^(failed|passed|error): ' "$messages" | head -n 1)"
output verdict "$(python3 -I "$(dirname "$0")/verdict.py" "$code" <"$folder/comparison.json" | head -n 1)"
