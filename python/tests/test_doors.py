"""Files are opened and written, and texts printed, by one door each; here are all other ways."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from conftest import REPOSITORY

PACKAGE = REPOSITORY / "python" / "onnxray"

OPENING = {
    "open",
    "fdopen",
    "read_text",
    "read_bytes",
    "write_text",
    "write_bytes",
    "pipe_file",
    "cat_file",
    "copy",
    "copy2",
    "copyfile",
    "copyfileobj",
    "copytree",
    "move",
    "rename",
    "link",
    "symlink",
    "symlink_to",
    "hardlink_to",
    "touch",
    "mkstemp",
    "NamedTemporaryFile",
    "FileIO",
    "memmap",
    "savez",
    "url_to_fs",
    "filesystem",
    "DeltaTable",
}
PRINTING = {"print", "pprint", "showwarning", "warn", "warn_explicit", "print_exc", "excepthook"}
STREAMS = {"stdout", "stderr", "__stdout__", "__stderr__"}

DOORS = {
    "_files.py": OPENING,
    # Where nothing goes, once nobody reads.
    "_printing.py": {"open"},
    # Other machines' files, by fsspec.
    "fleet/storage.py": {"open", "filesystem", "url_to_fs"},
    "fleet/folder.py": {"open", "pipe_file", "filesystem"},
    # Deltalake opens by itself, after a check.
    "fleet/dataset.py": {"DeltaTable"},
    # Datasets are opened, by their own door.
    "fleet/committing.py": {"open"},
    "fleet/cluster.py": {"open"},
    # A copy in memory; URIs are copied by storage.
    "fleet/running.py": {"copy"},
    "fleet/reading.py": {"copy"},
}
"""Where something of these names is called, which is the door itself or something else."""

PRINTERS = {"_printing.py": PRINTING | STREAMS, "_messages.py": {"warn"}, "_report.py": {"warn"}}
PRINTERS |= {name: {"warn"} for name in ("trace.py", "fleet/dataset.py", "fleet/committing.py")}
# Whether somebody watches; which of both argparse means; how warnings are told.
PRINTERS |= {"_status.py": {"stderr"}, "fleet/__main__.py": {"stdout", "showwarning"}}
# Undecided gates; tracebacks of a program that is run, as Python prints them.
PRINTERS |= {"pytest.py": {"warn"}, "_running.py": {"excepthook"}}
# Pipes of the program's run.
PRINTERS["_program.py"] = {"stdout", "stderr"}


def sources() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(PACKAGE.rglob("*.py")):
        yield file.relative_to(PACKAGE).as_posix(), ast.parse(file.read_text(encoding="utf-8"))


def called(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Names of what is called, without what they are called of."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id, node.lineno
            elif isinstance(node.func, ast.Attribute):
                yield node.func.attr, node.lineno
                # A path's, since a text's takes two words.
                if node.func.attr == "replace" and len(node.args) == 1 and not node.keywords:
                    yield "rename", node.lineno


def streams(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr, node.lineno
        elif isinstance(node, ast.Name):
            yield node.id, node.lineno


def test_files_go_through_one_door() -> None:
    found = [
        f"{name}:{line}: {function}"
        for name, tree in sources()
        for function, line in called(tree)
        if function in OPENING - DOORS.get(name, set())
    ]
    assert not found, "use onnxray._files, or a dataset's folder"


def test_texts_go_through_one_door() -> None:
    found = [
        f"{name}:{line}: {word}"
        for name, tree in sources()
        for word, line in (*called(tree), *streams(tree))
        if word in (PRINTING | STREAMS) - PRINTERS.get(name, set())
    ]
    assert not found, "use onnxray._printing"


def test_what_is_excepted_is_there() -> None:
    trees = dict(sources())
    for name, words in (*DOORS.items(), *PRINTERS.items()):
        used = {word for word, _ in (*called(trees[name]), *streams(trees[name]))}
        if name not in ("_files.py", "_printing.py"):
            assert words <= used, f"{name} does not use {words - used}"


@pytest.mark.parametrize(
    ("line", "function"),
    [
        ("open(x)", "open"),
        ("Path(x).open()", "open"),
        ("os.open(x, 0)", "open"),
        ("a.replace(b)", "rename"),
        ("shutil.move(a, b)", "move"),
        ("print(x)", "print"),
    ],
)
def test_other_ways_are_seen(line: str, function: str) -> None:
    assert (function, 1) in called(ast.parse(line))
    assert ("rename", 1) not in called(ast.parse("a.replace(b, c)"))
