#!/usr/bin/env bash
# Runs the scripts of the action as GitHub does, with `onnxray` from PATH, and with a `gh`, a
# `python3` and files of GitHub that only note what they are asked.
#
# What is compared was recorded elsewhere, so that no result depends on the speed of this machine.
#
# Commands in names and options are to stay as they are:
# shellcheck disable=SC2016
set -euo pipefail
cd "$(dirname "$0")/.."
fixtures="$PWD/fixtures"
action="$PWD/action"
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT
mkdir "$place/fake" "$place/temp"
cd "$place"

export RUNNER_TEMP="$place/temp" GITHUB_OUTPUT="$place/output" GITHUB_STEP_SUMMARY="$place/summary"
export GITHUB_SERVER_URL=https://github.com GITHUB_REPOSITORY=someone/models GITHUB_RUN_ID=7
ONNXRAY="$(command -v onnxray)"
export ONNXRAY

failed() {
    printf 'failed: %s\n' "$1" >&2
    cat "$place/said" >&2 || true
    exit 1
}
# Runs a step, which must end with this code; what it says is in the file `said`.
step() {
    local expected="$1" code=0
    : >"$GITHUB_OUTPUT"
    : >"$GITHUB_STEP_SUMMARY"
    "$action/$2" >"$place/said" 2>&1 || code=$?
    [ "$code" = "$expected" ] || failed "$2 ended with $code, and not with $expected"
}
value() { sed -n "s/^$1=//p" "$GITHUB_OUTPUT"; }
holds() { grep -qF -- "$2" "$1" || failed "$1 does not hold: $2"; }

echo "install: the program on PATH, or packages of the versions that were asked for"
export ONNXRAY_VERSION="" ONNXRAY_ENGINE=tract ONNXRUNTIME_VERSION=""
step 0 install.sh
[ "$(value program)" = "$ONNXRAY" ] && [ -z "$(value library)" ] || failed "the program on PATH"
cat >fake/python3 <<'PYTHON'
#!/usr/bin/env bash
printf '%s\n' "$*" >>"$FAKE_LOG"
[ "$3" != venv ] || { mkdir -p "$4/bin" && cp "$0" "$4/bin/python" && cp "$0" "$4/bin/onnxray"; }
PYTHON
chmod +x fake/python3
export FAKE_LOG="$place/log"
ONNXRAY_VERSION=1.2.3 ONNXRAY_ENGINE=onnxruntime ONNXRUNTIME_VERSION=1.23.0 PATH="$place/fake:$PATH" step 0 install.sh
holds log "--only-binary :all: onnxray==1.2.3"
holds log "onnxruntime==1.23.0"
[[ "$(value library)" = */packages/onnxruntime && "$(value program)" = */program/bin/onnxray ]] || failed "both installed"
for version in '1 --index-url=x' '@ https://example.com' '$(touch pwned)' '-r list'; do
    ONNXRAY_VERSION="$version" step 1 install.sh
    holds said "onnxray has no version $version"
done
ONNXRAY_ENGINE='x
::add-mask::' step 1 install.sh
holds said 'and not x ::add-mask::'

echo "install: what lies in the checkout is data"
mkdir checkout
for module in venv pip json; do
    printf 'open("%s/pwned", "w")\n' "$place" >"checkout/$module.py"
done
printf '#!/bin/sh\ntouch %s/pwned\n' "$place" >checkout/onnxray
chmod +x checkout/onnxray
(
    cd checkout
    PATH=":.:$PATH" step 0 install.sh
    [ "$(value program)" = "$ONNXRAY" ] || failed "a program of the checkout"
    python3 -I -m venv --without-pip "$place/isolated"
)

echo "record: names of files and options are data"
hostile="a b \$(touch pwned) \`touch pwned\` \"q\" 'r' %; touch pwned"
mkdir base head
for model in "base/$hostile.onnx" "head/$hostile.onnx" -dash.onnx 'two
lines.onnx'; do
    cp -- "$fixtures/models/cnn.onnx" "$model"
done
record() {
    export ONNXRAY_BASE="$1" ONNXRAY_HEAD="$2" ONNXRAY_ARGUMENTS="--launches 2 --iterations 3 --warmup 1 $3"
    step "$4" record.sh
}
record "base/$hostile.onnx" "head/$hostile.onnx" "--against-name 'x \$(touch pwned)' --out elsewhere" 0
export ONNXRAY_THRESHOLD=100 ONNXRAY_ARGUMENTS=""
ONNXRAY_RECORDINGS="$(value recordings)"
export ONNXRAY_RECORDINGS
step 0 compare.sh
record -dash.onnx 'two
lines.onnx' "" 0
ls "$(value recordings)"/{base,head}/profiling_trace/*.json >/dev/null
cp "$fixtures/models/cnn.onnx" of.onnx
record of.onnx -dash.onnx "" 0
ls "$(value recordings)"/{base,head}/profiling_trace/*.json >/dev/null
record base/none.onnx -dash.onnx "" 1
holds said "there is no model base/none.onnx"
# What the runner would read as commands is between a mark that nobody can guess and its end.
sed 's/^    //' >commands <<'PROGRAM'
    #!/usr/bin/env bash
    printf '::add-mask::x\n  ::error::y\n##[error]z\r::set-output::w\n' >&2
    exit 7
PROGRAM
chmod +x commands
ONNXRAY="$place/commands" record -dash.onnx of.onnx "" 7
token="$(sed -n 's/^::stop-commands:://p' said)"
[[ "$token" =~ ^onnxray-[0-9a-f]{32}$ ]] || failed "the mark"
[ "$(tail -n 1 said)" = "::$token::" ] || failed "the end of the mark"
[ "$(grep -cE '^[[:space:]]*(::|##)' said)" = 2 ] || failed "a line begins with a name"
record -dash.onnx "base/$hostile.onnx" "--dim 'sequence=128" 1
holds said "a quote is not closed"
record -dash.onnx "base/$hostile.onnx" "--nonsense" 2

echo "compare: the summary, the page, the figures and the verdict"
compare() {
    rm -rf recordings && mkdir recordings
    ln -s "$fixtures/guide/$2" recordings/base
    ln -s "$fixtures/guide/$3" recordings/head
    export ONNXRAY_RECORDINGS="$place/recordings" ONNXRAY_THRESHOLD="$1" ONNXRAY_ARGUMENTS="${4:-}"
    step "${5:-0}" compare.sh
}
compare 5 encoder encoder-int8
[ "$(value code) $(value verdict)" = "3 slower" ] || failed "a regression"
holds summary "head is 66.2 % slower than base"
holds "$(value markdown)" "### Inference time"
holds "$(value report)" "<!DOCTYPE html>"
holds "$(value json)" '"schema_version": 1'
holds "$(value bmf)" '"lower_value"'
[ "$(ls "$(value folder)")" = "$(printf '%s\n' bmf.json comparison.html comparison.json comparison.md)" ] || failed "the folder"
ONNXRAY_CODE="$(value code)" ONNXRAY_MESSAGE="$(value message)" step 3 verdict.sh
holds said "::error title=onnxray::failed: head is slower by more than 5 %25: +66.2"
compare 70.5 encoder encoder-int8
[ "$(value code) $(value verdict)" = "0 slower" ] || failed "slower, and within the threshold"
ONNXRAY_CODE="$(value code)" ONNXRAY_MESSAGE="$(value message)" step 0 verdict.sh
compare 5 encoder encoder
[ "$(value code) $(value verdict)" = "4 not comparable" ] || failed "a recording and itself"
ONNXRAY_CODE="$(value code)" ONNXRAY_MESSAGE="$(value message)" step 4 verdict.sh
holds said "head is not comparable"
compare 70 encoder encoder-int8 "--fail-on 'slower'"
[ "$(value code)" = 3 ] || failed "further options"
for threshold in "" -5 '5%' '5; touch pwned' '$(touch pwned)'; do
    compare "$threshold" encoder encoder-int8 "" 1
    holds said "the threshold is a percentage"
done
compare 5 encoder encoder-int8 "--nonsense" 2

echo "judge: the word, its code, and a bundle that says it again"
judge() {
    export ONNXRAY_BASE="$fixtures/models/cnn.onnx" ONNXRAY_HEAD="$1" ONNXRAY_THRESHOLD=5
    export ONNXRAY_EXPECT="$2" ONNXRAY_ARGUMENTS="$3"
    step "$4" judge.sh
}
# That outputs differ at all does not depend on the speed of this machine.
judge "$fixtures/models/cnn-int8.onnx" not-slower "--max-loss 0" 0
[ "$(value code) $(value verdict)" = "6 different" ] || failed "other outputs"
holds summary "DIFFERENT  outputs differ by"
holds "$(value report)" "<!DOCTYPE html>"
holds "$(value json)" '"verdict": "different"'
[ "$(ls "$(value folder)")" = "$(printf '%s\n' judgement.html judgement.json judgement.md judgement.zip)" ] || failed "the folder"
ONNXRAY_CODE="$(value code)" ONNXRAY_MESSAGE="$(value message)" step 6 verdict.sh
holds said "::error title=onnxray::DIFFERENT outputs differ by"
judge "$fixtures/models/cnn.onnx" faster "--against-options '--batch-size 2'" 0
[ "$(value code) $(value verdict)" = "4 not comparable" ] || failed "other inputs"
for undecided in 5 7; do
    ONNXRAY_CODE="$undecided" ONNXRAY_MESSAGE="INCONCLUSIVE 5 %" step 0 verdict.sh
    holds said "::warning title=onnxray::INCONCLUSIVE 5 %25"
done
judge "$fixtures/models/cnn.onnx" '$(touch pwned)' "" 2
judge none.onnx same "" 1
holds said "there is no model none.onnx"

echo "comment: one in a pull request, written again"
cat >fake/gh <<'GH'
#!/usr/bin/env bash
printf '%s\n' "$@" >>"$FAKE_LOG"
for argument in "$@"; do
    case "$argument" in
        --paginate) printf '%s' "$FAKE_COMMENTS" ;;
        body=@*) cp "${argument#body=@}" "$FAKE_BODY" && exit "$FAKE_CODE" ;;
    esac
done
GH
chmod +x fake/gh
export FAKE_BODY="$place/body" GH_TOKEN=none ONNXRAY_PULL_REQUEST=12 ONNXRAY_ARTIFACT='--> $(touch pwned)'
export ONNXRAY_MARKDOWN="$place/table.md"
comment() {
    : >"$FAKE_LOG"
    FAKE_COMMENTS="$1" FAKE_CODE="$2" PATH="$place/fake:$PATH" step 0 comment.sh
}
printf '**head is slower.**\n\n### Inference time\n\n| A |\n' >"$ONNXRAY_MARKDOWN"
comment "" 0
holds log POST
holds log repos/someone/models/issues/12/comments
grep -qxE -- '<!-- onnxray [0-9]+ -->' <(head -n 1 body) || failed "the marker"
holds body "| A |"
holds body "https://github.com/someone/models/actions/runs/7#artifacts"
comment $'34\n56' 0
holds log PATCH
holds log repos/someone/models/issues/comments/34
comment "" 1
holds said "::warning title=onnxray::the comment was not written"
printf '| row %s of a long table |\n' {1..5000} >>"$ONNXRAY_MARKDOWN"
comment "" 0
holds body "head is slower"
[ "$(wc -c <body)" -lt 1000 ] || failed "the comment is too long"

[ -z "$(find "$place" "$action" -name pwned)" ] || failed "a name was run as a command"
echo "the action does what it says"
