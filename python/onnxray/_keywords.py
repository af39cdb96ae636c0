"""The program's options as arguments of functions, in what the program says.

An option is the argument of the same name, but for those below. One that a function lacks is an
argument of another function that has it, or goes by ``options=``.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from functools import cache
from inspect import signature

FUNCTIONS = {
    "record": "record",
    "summary": "summary",
    "compare": "compare",
    "check": "check",
    "sweep": "sweep",
    "tune": "tune",
    "mix": "mix",
    "flops": "flops",
    "judge": "judge",
    "project": "project",
    "sensitivity": "sensitivity",
    "convert": "read_trace",
}
"""Functions by the commands that they run."""

RENAMED = {
    "--dim": "dimensions",
    "--from": "format",
    "--input": "inputs",
    "--layer": "layers",
    "--level": "levels",
    "--target-op": "target_operators",
    "--target-type": "target_types",
}
"""Options whose arguments have other names."""

RENAMED_IN = {
    ("compare", "--name-a"): "names",
    ("compare", "--name-b"): "names",
    ("sweep", "--engine"): "engines",
    ("mix", "--output"): "report",
    ("mix", "--write"): "output",
    ("judge", "--output"): "report",
    ("tune", "--output"): "report",
    ("tune", "--for"): "made_lower",
}
"""The same of one command."""

# A line for a shell, which stays one.
_SHELL = re.compile(r"`(?!--)[^`]*`|\bonnxray (?:[^`;,.]|[,.]\S)*")
_OPTION = re.compile(
    r"(?P<quote>')?(?P<option>--[a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?![\w-])"
    # What is no word of a sentence, or one that options take.
    r"(?:[ =](?P<value>'[^']*'|<[^>]*>|"
    r"(?=[^\s`'();<>]*[A-Z0-9=/%_])[^\s`'();<>]*[^\s`'();<>.,:]|"
    r"(?:auto|kl|l2|launches|tract|onnxruntime|prefill|decode|slower|faster|inconclusive"
    r"|not-tested|model|launch|iteration|operator|kernel|threads|engine|inputs)(?:,[a-z-]+)*"
    r"(?![\w-])))?(?(quote)')"
)
_OWNER = re.compile(rf"\b({'|'.join(FUNCTIONS)}) $")
_BARE = re.compile(r"-?\d+(\.\d+)?|[A-Z][A-Z_]*")
_TWICE = re.compile(r"(\w+)=\{([^{}]*)\} \1=\{([^{}]*)\}")


@cache
def keywords(command: str) -> Mapping[str, tuple[str, str]]:
    """The arguments of a command's function and their types, by the options that they are."""
    function = FUNCTIONS.get(command)
    if function is None:
        return {}
    parameters = signature(getattr(sys.modules[__package__], function)).parameters
    found = {f"--{name.replace('_', '-')}": name for name in parameters}
    found |= {option: name for option, name in RENAMED.items() if name in parameters}
    found |= {option: name for (of, option), name in RENAMED_IN.items() if of == command}
    return {option: (name, str(parameters[name].annotation)) for option, name in found.items()}


def in_python(text: str, command: str) -> str:
    """What the program says of a command, with arguments of functions in place of options."""
    shell = [match.span() for match in _SHELL.finditer(text)]

    def spoken(match: re.Match[str]) -> str:
        if any(begin <= match.start() < end for begin, end in shell):
            return match[0]
        owner = _OWNER.search(text, 0, match.start())
        return _argument(match, owner[1] if owner else command, text[: match.start()].endswith("`"))

    said, count = _OPTION.sub(spoken, text), 1
    while count:
        said, count = _TWICE.subn(r"\1={\2, \3}", said)
    return said


def _argument(match: re.Match[str], command: str, is_marked: bool) -> str:
    option, value = match["option"], (match["value"] or "").strip("'")
    found = next(
        (known[option] for known in map(keywords, (command, *FUNCTIONS)) if option in known), None
    )
    if match["quote"]:
        # The parser of arguments, which says what was given.
        return f"`{found[0]}`" if found else match[0]
    if found is None:
        return f'options=["{option}{"=" if value else ""}{value}"]'
    name, kind = found
    if kind == "bool":
        rest = f" {match['value']}" if value else ""
        return f"{name}=True{rest}"
    if not value:
        return name if is_marked else f"`{name}`"
    return f"{name}={_written(value.strip('<>'), kind)}"


def _written(value: str, kind: str) -> str:
    if kind.startswith(("Mapping", "Dimensions", "Inputs")) and "=" in value:
        key, _, each = value.rpartition("=")
        return f"{{{_literal(key, False)}: {_literal(each)}}}"
    if kind.startswith("Sequence"):
        return f"[{', '.join(map(_literal, value.split(',')))}]"
    return _literal(value)


def _literal(value: str, may_be_bare: bool = True) -> str:
    is_bare = may_be_bare and _BARE.fullmatch(value)
    return value if is_bare else json.dumps(value, ensure_ascii=False)
