#!/usr/bin/env bash
# Ends the job as the comparison or the judgement ended, such as 3 if the model is slower and 4 if
# nothing can be compared. A word that says neither yes nor no is a warning.
set -euo pipefail
. "$(dirname "$0")/shared.sh"

case "$ONNXRAY_CODE" in
    0) exit 0 ;;
    5 | 7) printf '::warning title=onnxray::%s\n' "$(on_one_line "$ONNXRAY_MESSAGE")" && exit 0 ;;
esac
printf '::error title=onnxray::%s\n' "$(on_one_line "$ONNXRAY_MESSAGE")"
exit "$ONNXRAY_CODE"
