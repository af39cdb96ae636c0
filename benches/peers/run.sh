#!/usr/bin/env bash
# Measures onnxray and its peers on one ONNX Runtime profile, and prints a table
# in Markdown.
#
#   benches/peers/run.sh ONNXRAY PROFILE [ROUNDS]
#
# ONNXRAY is the program, PROFILE a file that ONNX Runtime wrote. The peers are
# Python packages; they go to a virtual environment outside of the checkout,
# which PEERS_VENV names.
set -euo pipefail

if [ "$#" -lt 2 ] || [ "$#" -gt 3 ]; then
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
onnxray="$(realpath "$1")"
profile="$(realpath "$2")"
rounds="${3:-3}"
here="$(cd "$(dirname "$0")" && pwd)"
venv="${PEERS_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/onnxray/peers}"

if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --requirement "$here/requirements.txt" >&2
    cp "$here/requirements.txt" "$venv/requirements.txt"
fi
exec "$venv/bin/python" "$here/measure.py" --rounds "$rounds" "$onnxray" "$profile"
