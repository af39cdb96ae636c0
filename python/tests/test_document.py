"""The examples of docs/python.md run, one after the other."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import onnxray
from conftest import FIXTURES, REPOSITORY

DOCUMENT = (REPOSITORY / "docs" / "python.md").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore::onnxray.TraceWarning")
def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for part in ("models/cnn.onnx", "models/cnn-int8.onnx", "onnxruntime/1.31.1/encoder.json.gz"):
        file = tmp_path / "fixtures" / part
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(FIXTURES / part, file)
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    assert len(examples) == 4
    names: dict[str, object] = {}
    for example in examples:
        exec(example, names)
    assert (tmp_path / "comparison.html").exists()


def test_modules_are_listed_and_depend_in_one_direction() -> None:
    source = REPOSITORY / "python" / "onnxray"
    check_modules(source.parent / "README.md", source)
    for folder in (source / "fleet", source / "fleet" / "drawing"):
        check_modules(folder / "README.md", folder)
    for file in source.glob("*.py"):
        assert "fleet" not in file.read_text(encoding="utf-8"), f"{file.name} knows of fleets"


def check_modules(document: Path, source: Path) -> None:
    heads = re.findall(r"^\| (`.*?) \|", document.read_text(encoding="utf-8"), re.MULTILINE)
    listed = [name for head in heads for name in re.findall(r"`(\w+)`", head)]
    files = {file.stem: file.read_text(encoding="utf-8") for file in source.glob("*.py")}
    assert set(listed) == set(files) - {"__init__", "__main__"}
    for number, name in enumerate(listed):
        used = re.findall(r"^ *from \.(\w*) import (\w+)", files[name], re.MULTILINE)
        for module, member in used:
            assert (module or member) in listed[:number], f"{name} uses {module or member}"
    assert max(text.count("\n") for text in files.values()) <= 500


def test_everything_that_is_public_is_documented() -> None:
    for name in onnxray.__all__:
        value = getattr(onnxray, name)
        if name in ("Dimensions", "Paths", "StrPath"):
            continue
        assert value.__doc__, name
    commands = re.search(r"## Commands\n\n(.*?) take the usual\n", DOCUMENT, re.DOTALL)
    assert commands
    named = set(re.findall(r"`(\w+)`", commands[1]))
    functions = {name for name in onnxray.__all__ if name.islower()}
    assert named == functions - {"read_trace", "profile_session", "torch_profile"}


def test_only_what_is_public_is_listed() -> None:
    assert dir(onnxray) == sorted([*onnxray.__all__, "__version__"])
