#!/usr/bin/env bash
# Writes the table into a comment of the pull request: the one that this action wrote before, or a
# new one. A token that may not, such as that of a fork, is a warning.
set -euo pipefail
. "$(dirname "$0")/shared.sh"

# Most letters of a comment, less those around the table.
most=65000
# The first line tells the comments of several uses apart by what they upload.
marker="<!-- onnxray $(printf '%s' "$ONNXRAY_ARTIFACT" | cksum | cut -d ' ' -f 1) -->"
run="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID"
body="$(mktemp)"
{
    printf '%s\n' "$marker"
    if [ "$(wc -c <"$ONNXRAY_MARKDOWN")" -le "$most" ]; then
        cat "$ONNXRAY_MARKDOWN"
    else
        # Its first paragraphs say what matters.
        head -c "$most" "$ONNXRAY_MARKDOWN" | sed -n '1,/^###/{/^###/!p;}'
        printf '\nThe tables are too long for a comment.\n'
    fi
    printf '\n[The page, and all figures](%s#artifacts)\n' "$run"
} >"$body"

comments="repos/$GITHUB_REPOSITORY/issues/$ONNXRAY_PULL_REQUEST/comments"
# Only of a bot: whoever wrote the comment can change it.
known=".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$marker\"))) | .id"
ids="$(gh api --paginate "$comments" --jq "$known")" || ids=""
id="${ids%%$'\n'*}"
if [[ "$id" =~ ^[0-9]+$ ]]; then
    request=(--method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id")
else
    request=(--method POST "$comments")
fi
gh api "${request[@]}" --field "body=@$body" --silent ||
    printf '::warning title=onnxray::%s\n' "the comment was not written; the job needs the permission pull-requests: write"
