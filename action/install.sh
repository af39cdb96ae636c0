#!/usr/bin/env bash
# Finds or installs onnxray, and ONNX Runtime if it runs the models.
#
# Both go into a folder of their own: later steps of the job keep their Python. Outputs are
# `program`, and `library`, the folder of the package onnxruntime, which may be empty. Python runs
# isolated (-I), so that modules of the checkout are not taken for its own.
set -euo pipefail
. "$(dirname "$0")/shared.sh"

# What is not a version might be an option of pip, or the address of something else.
is_version() { [[ "$1" =~ ^[0-9][0-9A-Za-z.+!]*$ ]]; }
requirement() {
    [ -z "$2" ] || is_version "$2" || fail "$1 has no version $2"
    printf '%s' "$1${2:+==$2}"
}

case "$ONNXRAY_ENGINE" in
    tract | onnxruntime) ;;
    *) fail "the engine is tract or onnxruntime, and not $ONNXRAY_ENGINE" ;;
esac
place="$(mktemp -d "${RUNNER_TEMP:-/tmp}/onnxray-XXXXXX")"
program="$(command -v onnxray || true)"
if [ -z "$program" ] || [ -n "$ONNXRAY_VERSION" ]; then
    package="$(requirement onnxray "$ONNXRAY_VERSION")"
    python3 -I -m venv "$place/program"
    quoted "$place/program/bin/python" -I -m pip install --quiet --only-binary :all: "$package"
    program="$place/program/bin/onnxray"
fi
library=""
if [ "$ONNXRAY_ENGINE" = onnxruntime ]; then
    package="$(requirement onnxruntime "$ONNXRUNTIME_VERSION")"
    # Only its library is used, and not what its Python module needs.
    python3 -I -m venv "$place/engine"
    quoted "$place/engine/bin/python" -I -m pip install --quiet --only-binary :all: --no-deps \
        --target "$place/packages" "$package"
    library="$place/packages/onnxruntime"
fi
quoted "$program" --version
output program "$program"
output library "$library"
