#!/usr/bin/env bash
# Ends the job as the comparison ended: 3 if the model is slower, 4 if nothing can be compared.
set -euo pipefail
. "$(dirname "$0")/shared.sh"

[ "$ONNXRAY_CODE" = 0 ] || printf '::error title=onnxray::%s\n' "$(on_one_line "$ONNXRAY_MESSAGE")"
exit "$ONNXRAY_CODE"
