#!/usr/bin/env bash
# Records both models, interleaved, into a fresh folder, which is the output `recordings`.
set -euo pipefail
. "$(dirname "$0")/shared.sh"

for model in "$ONNXRAY_BASE" "$ONNXRAY_HEAD"; do
    [ -f "$model" ] || fail "there is no model $model"
done
split "$ONNXRAY_ARGUMENTS"
recordings="$(mktemp -d "${RUNNER_TEMP:-/tmp}/onnxray-recordings-XXXXXX")"
[ -z "${ONNXRAY_LIBRARY:-}" ] || words+=("--engine-library" "$ONNXRAY_LIBRARY")
# Of an option that is there twice, the last one counts.
quoted "$ONNXRAY" record ${words[@]+"${words[@]}"} --engine "$ONNXRAY_ENGINE" --out "$recordings" \
    --against="$ONNXRAY_HEAD" -- "$ONNXRAY_BASE"

# Their folders are named after the files. They get names that do not depend on these.
stem() {
    local name="${1##*/}"
    printf '%s' "${name%.*}"
}
base="$(stem "$ONNXRAY_BASE")"
head="$(stem "$ONNXRAY_HEAD")"
[ "$base" != "$head" ] || { base+=-a && head+=-b; }
for side in "$base" "$head"; do
    [ -d "$recordings/$side/profiling_trace" ] || fail "a recording of both models is not complete"
done
named="$(mktemp -d "${RUNNER_TEMP:-/tmp}/onnxray-named-XXXXXX")"
mv -- "$recordings/$base" "$named/base"
mv -- "$recordings/$head" "$named/head"
output recordings "$named"
