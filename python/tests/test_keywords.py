"""What the program says names arguments of functions, and no options."""

from __future__ import annotations

import ast
import re
import subprocess

import pytest

import onnxray
from conftest import REPOSITORY
from onnxray._keywords import FUNCTIONS, in_python, keywords
from onnxray._program import program

PACKAGE = REPOSITORY / "python" / "onnxray"
SAID = [
    ("flops", "give it with --dim unk__214=SIZE", 'give it with dimensions={"unk__214": SIZE}'),
    ("flops", "--dim 'a b=SIZE' --dim c=SIZE", 'dimensions={"a b": SIZE, "c": SIZE}'),
    ("record", "with --input image=FILE.npy: it", 'with inputs={"image": "FILE.npy"}: it'),
    ("convert", "without --strict the rest is read", "without strict=True the rest is read"),
    ("record", "take fewer --threads", "take fewer `threads`"),
    ("record", "or more cores with --pin", 'or more cores with options=["--pin"]'),
    ("record", "--interleave launches runs each", 'options=["--interleave=launches"] runs each'),
    ("compare", "--fail-on slower,not-tested would", 'fail_on=["slower", "not-tested"] would'),
    ("tune", "record --force and sweep --restart", "record force=True and sweep restart=True"),
    ("check", "use --launches 10", "use launches=10"),
    ("summary", "'x' for '--from <FORMAT>'", "'x' for `format`"),
    ("summary", "`--from FORMAT` reads the file", "`format=FORMAT` reads the file"),
    ("summary", "`onnxray inspect --list` names", "`onnxray inspect --list` names"),
    ("summary", "onnxray compare a b --view all", "onnxray compare a b --view all"),
    ("summary", "`tract dump --profile` prints", "`tract dump --profile` prints"),
    ("summary", "trtexec --dumpProfile, x --y_z", "trtexec --dumpProfile, x --y_z"),
]


@pytest.mark.parametrize(("command", "said", "expected"), SAID)
def test_options_are_arguments(command: str, said: str, expected: str) -> None:
    assert in_python(said, command) == expected


def passed() -> list[tuple[str, str, str]]:
    """Functions, the options that they give the program, and the arguments in these."""
    found: list[tuple[str, str, str]] = []
    for module in ("reading", "recording", "searching"):
        tree = ast.parse((PACKAGE / f"{module}.py").read_text(encoding="utf-8"))
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        for function in functions:
            parameters = {each.arg for each in (*function.args.args, *function.args.kwonlyargs)}
            calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
            for call in calls:
                if getattr(call.func, "id", "") != "option":
                    continue
                names = {node.id for node in ast.walk(call) if isinstance(node, ast.Name)}
                option = call.args[0]
                if isinstance(option, ast.Constant):
                    given = [(function.name, str(option.value), name) for name in names]
                    found.extend(each for each in given if each[2] in parameters)
    return found


def test_each_option_of_a_function_is_known_by_its_argument() -> None:
    commands = {function: command for command, function in FUNCTIONS.items()}
    checked = [
        (function, option, name) for function, option, name in passed() if function in commands
    ]
    assert len(checked) > 60
    for function, option, name in checked:
        assert keywords(commands[function])[option][0] == name, (function, option)
    functions = {function for function, _, _ in checked}
    assert functions | {"check", "read_trace"} == set(FUNCTIONS.values())


@pytest.mark.parametrize("command", FUNCTIONS)
def test_each_option_of_the_program_is_said_in_python(command: str) -> None:
    said = subprocess.run(
        [program(), command, "--help"], capture_output=True, text=True, check=True
    ).stdout
    options = set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", said, re.MULTILINE))
    assert len(options) > 10
    for option in options:
        for text in (f"use {option}", f"use {option} VALUE", f"{option} sets it"):
            in_our_words = in_python(text, command)
            assert "--" not in re.sub(r'options=\["--[^]]*"\]', "", in_our_words), option


def test_arguments_that_are_said_exist() -> None:
    for command, function in FUNCTIONS.items():
        parameters = getattr(onnxray, function).__code__.co_varnames
        assert {name for name, _ in keywords(command).values()} <= set(parameters)
