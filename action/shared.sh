# shellcheck shell=bash
# What the steps of the action share; they source this file.

# What lies in the folder that a step runs in is data. An empty entry of PATH, or one that does not
# begin at the root, would make programs of it.
absolute_path() {
    local entry kept=""
    while IFS= read -r -d : entry; do
        [[ "$entry" != /* ]] || kept+="${kept:+:}$entry"
    done <<<"$PATH:"
    printf '%s' "$kept"
}
PATH="$(absolute_path)"
export PATH

# Runs a command, and prints what it says as text: the runner would read commands in it, which are
# names of somebody's model. In between it reads none, and no line begins with a name, since a log is
# shown by the marks that its lines begin with.
quoted() {
    local token code=0
    token="onnxray-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
    printf '::stop-commands::%s\n' "$token"
    # The steps set pipefail: this is the command's own code.
    "$@" 2>&1 | tr '\r' '\n' | sed 's/^/| /' || code=$?
    printf '\n::%s::\n' "$token"
    return "$code"
}

# Ends the step with a message that GitHub shows with the job.
fail() {
    printf '::error title=onnxray::%s\n' "$(on_one_line "$1")" >&2
    exit 1
}

# A text in which nothing ends the line, or commands the runner.
on_one_line() { printf '%s' "$1" | tr '\r\n' '  ' | sed 's/%/%25/g; s/##\[/# # [/g'; }

# An output of the step. No line break gets into the file, so that a value adds no other output.
output() { printf '%s=%s\n' "$1" "$(printf '%s' "$2" | tr '\r\n' '  ')" >>"$GITHUB_OUTPUT"; }

# Splits a text into `words` as a shell does, with its quotes, and evaluates nothing in it.
split() {
    words=()
    local list word
    list="$(mktemp)"
    printf '%s' "$1" | xargs printf '%s\0' >"$list" || fail "a quote is not closed: $1"
    while IFS= read -r -d '' word; do
        [ -z "$word" ] && [ -z "${1//[[:space:]]/}" ] || words+=("$word")
    done <"$list"
    rm -f "$list"
}
