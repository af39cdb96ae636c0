#!/usr/bin/env bash
# Judges the second model next to the first, writes the job's summary, and leaves page, figures and bundle.
#
# A word that fails the job does not end this step: the page is uploaded first. The output `code` is
# the exit code of the judgement, and `message` its first line.
set -euo pipefail
. "$(dirname "$0")/shared.sh"

for model in "$ONNXRAY_BASE" "$ONNXRAY_HEAD"; do
    [ -f "$model" ] || fail "there is no model $model"
done
[[ "$ONNXRAY_THRESHOLD" =~ ^[0-9]+([.][0-9]+)?$ ]] ||
    fail "the threshold is a percentage, such as 5 or 2.5, and not $ONNXRAY_THRESHOLD"
split "$ONNXRAY_ARGUMENTS"
[ -z "${ONNXRAY_LIBRARY:-}" ] || words+=("--engine-library" "$ONNXRAY_LIBRARY")
folder="$(mktemp -d "${RUNNER_TEMP:-/tmp}/onnxray-judgement-XXXXXX")"
measured="$(mktemp -d "${RUNNER_TEMP:-/tmp}/onnxray-measured-XXXXXX")"
messages="$(mktemp)"

code=0
"$ONNXRAY" judge ${words[@]+"${words[@]}"} --engine "$ONNXRAY_ENGINE" --expect="$ONNXRAY_EXPECT" \
    --threshold "$ONNXRAY_THRESHOLD%" --out "$measured" --format json -o "$folder/judgement.html" \
    --bundle "$folder/judgement.zip" -- "$ONNXRAY_BASE" "$ONNXRAY_HEAD" \
    >"$folder/judgement.json" 2>"$messages" || code=$?
quoted cat "$messages"
case "$code" in
    0 | 3 | 4 | 5 | 6 | 7) ;;
    *) exit "$code" ;;
esac
"$ONNXRAY" judge --quiet --format markdown "$folder/judgement.zip" >"$folder/judgement.md" || [ "$?" = "$code" ]
cat "$folder/judgement.md" >>"$GITHUB_STEP_SUMMARY"

output folder "$folder"
output report "$folder/judgement.html"
output markdown "$folder/judgement.md"
output json "$folder/judgement.json"
output bundle "$folder/judgement.zip"
output code "$code"
{
    read -r verdict
    read -r message
} < <(python3 -I "$(dirname "$0")/verdict.py" "$code" <"$folder/judgement.json")
output verdict "$verdict"
output message "$message"
