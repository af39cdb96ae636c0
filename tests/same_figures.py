#!/usr/bin/env python3
"""Compare everything that two builds of the program say of the committed recordings.

    python3 tests/same_figures.py OLD NEW [--only TEXT] [--show N] [--jobs N]

OLD and NEW are two programs. Each command is run by both, in folders of their own: every
format of summary, check, compare, project, profiles, flops and convert, every workbook and
page, over the recordings and the foreign traces of `fixtures/`. What they print, how they
end and what they write has to be equal; of a workbook, every part of the archive but the date
of writing, the numbers that texts and formats happen to have, and which cells are locked; of a page, its data and what a reader without scripts sees. Commands that differ
are listed with N lines of the difference, and the script ends with 1.
"""

import argparse
import base64
import concurrent.futures
import difflib
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
RECORDINGS = FIXTURES / "recordings"
FOREIGN = ["neural-engine", "onnxray", "onnxruntime", "openvino", "pytorch", "tensorrt",
           "tflite", "tract", "chrome-trace"]
SEQUENCE = ["--dim", "sequence=16"]
MODELS = [["cnn"], ["cnn-int8"], ["lstm", "--dim", "sequence=8"], ["encoder", *SEQUENCE],
          ["encoder-int8", *SEQUENCE], ["scan", "--dim", "frames=4"]]
TEXTS = ["table", "json", "markdown"]


def recordings():
    """Folders with one recording each."""
    found = []
    for folder in sorted(RECORDINGS.iterdir()):
        if folder.is_dir() and (folder / "profiling_trace").is_dir():
            found.append(folder / "profiling_trace")
    return found + sorted(folder for folder in (FIXTURES / "guide").iterdir() if folder.is_dir())


def foreign():
    """Files of other runtimes, damaged ones as well."""
    for name in FOREIGN + ["malformed"]:
        for path in sorted((FIXTURES / name).rglob("*")):
            if path.is_file() and path.name not in ("MANIFEST.json", "generate.py"):
                yield path


def unpacked(folder):
    """Copies of projects and sweeps in `folder`, whose traces are files that they name."""
    for name in ["project", "project-encoder", "sweep", "sweep-cut", "sweep-models"]:
        copy = pathlib.Path(folder) / name
        shutil.copytree(RECORDINGS / name, copy)
        for packed in copy.rglob("*.gz"):
            packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
            packed.unlink()
        yield from sorted(path.parent for path in copy.rglob("onnxray.project.json"))


def commands(projects):
    """Arguments of each command; `OUT` stands for a folder of its own."""
    for path in [*recordings(), *foreign()]:
        for text in TEXTS:
            yield ["summary", path, "--format", text, "--all"]
        yield ["summary", path, "--format", "csv", "-o", "OUT/tables"]
        yield ["summary", path, "--level", "kernel", "--wide"]
        yield ["report", path, "-o", "OUT/r.html"]
        yield ["report", path, "-o", "OUT/r.xlsx"]
        yield ["convert", path, "-o", "OUT/c.csv"]
        yield ["convert", path, "-o", "OUT/c.json"]
        yield ["check", path, "--format", "json"]
        yield ["project", path, "--ratio", "4x1@0.9=2.5..3", "--format", "json"]
    for path in recordings():
        yield ["check", path]
        yield ["project", path, "--sparsity-table"]
        yield ["project", path, "--budget", "0.7", "--format", "csv", "-o", "OUT/tables"]
        yield ["project", path, "--budget", "0.7", "-o", "OUT/p.xlsx"]
        yield ["project", path, "--ratio", "4x1@0.9=2.5..3", "-o", "OUT/p.xlsx",
               "--save-settings", "OUT/s.json"]
        yield ["project", path, "--save-settings", "OUT/s.json", "-o", "OUT/p.html"]
    pairs = [("cnn", "cnn-int8"), ("encoder", "encoder-int8"), ("encoder", "encoder-pruned-4x1"),
             ("encoder-4-launches", "encoder-int8-4-launches"), ("decoder", "decoder-longer"),
             ("cnn-3-launches", "cnn-8-launches"), ("cnn", "cnn-threads-2"), ("cnn", "lstm")]
    pairs = [(RECORDINGS / a / "profiling_trace", RECORDINGS / b / "profiling_trace")
             for a, b in pairs]
    pairs.append((FIXTURES / "guide/encoder", FIXTURES / "guide/encoder-int8"))
    for name in ["cnns-in-turns", "cnns-in-5-turns", "cnns-in-turns-by-launches", "cnn-pairs",
                 "cnns-in-turns-onnxruntime", "encoders-in-turns", "cnn-20-pairs", "cnn-engines",
                 "encoder-engines", "encoder-int8-levels", "cnn-versions"]:
        inside = sorted((RECORDINGS / name).rglob("profiling_trace"))
        pairs += [(inside[0], other) for other in inside[1:]]
    for a, b in pairs:
        for text in TEXTS:
            yield ["compare", a, b, "--all", "--allow-model-mismatch", "--format", text]
        yield ["compare", a, b, "--allow-model-mismatch", "--format", "csv", "-o", "OUT/tables"]
        yield ["compare", a, b, "--allow-model-mismatch", "-o", "OUT/c.html"]
        yield ["compare", a, b, "--allow-model-mismatch", "-o", "OUT/c.xlsx"]
    guide = FIXTURES / "guide"
    yield ["compare", guide / "encoder", guide / "encoder-int8", guide / "encoder", "-o", "OUT/c.xlsx"]
    for folder in projects:
        for text in [*TEXTS, "csv"]:
            yield ["profiles", folder, "--format", text]
        for text in TEXTS:
            yield ["sweep", "--profiles", folder, "--format", text]
        yield ["sweep", "--profiles", folder, "-o", "OUT/s.html"]
        yield ["sweep", "--profiles", folder, "-o", "OUT/s.xlsx"]
    for model, *given in MODELS:
        arguments = [FIXTURES / f"models/{model}.onnx", *given]
        for text in TEXTS:
            yield ["flops", *arguments, "--all", "--format", text]
        yield ["flops", *arguments, "--format", "csv", "-o", "OUT/tables"]
        yield ["flops", *arguments, "--budget", "-o", "OUT/f.xlsx"]
        yield ["flops", *arguments, "-o", "OUT/f.html"]
    for name, *given in [MODELS[0], MODELS[-1]]:
        for file in ["l.xlsx", "l.html", "l.json"]:
            arguments = [FIXTURES / f"models/{name}.onnx", *given, "--sparsities", "0.5,0.9"]
            write = "--save" if file.endswith("json") else "-o"
            yield ["sensitivity", *arguments, "--jobs", "1", write, f"OUT/{file}"]
    encoder = RECORDINGS / "encoder/profiling_trace"
    yield ["project", encoder, "--budget", "0.8", "--sensitivity", RECORDINGS / "loss-encoder/loss.json",
           "-o", "OUT/p.xlsx"]
    sheets = sorted((FIXTURES / "neural-engine/spreadsheet").rglob("*"))
    for settings in [path for path in sheets if path.is_file()]:
        yield ["project", encoder, "--ratios", settings, "--format", "json"]


def formats(styles):
    """Formats of cells, and of conditions, by number: what they say of a cell."""
    def inside(name):
        found = re.search(rf"<{name}[ >].*?</{name}>", styles, re.S)
        return re.findall(r"<(\w+)([^>]*?)(?:/>|>(.*?)</\1>)", found[0].partition(">")[2], re.S) if found else []

    codes = dict(re.findall(r'numFmtId="(\d+)" formatCode="(.*?)"', styles))
    looks = {name: inside(name) for name in ["fonts", "fills", "borders"]}

    def said(attributes, children):
        known = dict(re.findall(r'(\w+)="(.*?)"', attributes))
        named = [codes.get(known["numFmtId"], known["numFmtId"])]
        named += [looks[f"{part}s"][int(known[f"{part}Id"])][2] for part in ("font", "fill", "border")]
        return " ".join([*named, re.sub(r"<protection[^>]*/>", "", children)])

    cells = [said(attributes, children) for _, attributes, children in inside("cellXfs")]
    return cells, [children for *_, children in inside("dxfs")]


def sheet(text, strings, cells, conditions):
    """A sheet whose cells say their texts and formats themselves."""
    text = re.sub(r"<sheetProtection[^>]*/>", "", text)
    text = re.sub(r' s="(\d+)"', lambda number: f" {{{cells[int(number[1])]}}}", text)
    text = re.sub(r'dxfId="(\d+)"', lambda number: conditions[int(number[1])], text)
    return re.sub(r'(t="s"><v>)(\d+)<', lambda number: f"{number[1]}{strings[int(number[2])]}<", text)


def parts(path):
    """Texts of a file by name."""
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as archive:
            texts = {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}
        strings = re.findall(r"<si>(.*?)</si>", texts.pop("xl/sharedStrings.xml", ""), re.S)
        looks = formats(texts.pop("xl/styles.xml"))
        for name, text in texts.items():
            if name == "docProps/core.xml":
                text = re.sub(r"<dcterms:.*?</dcterms:\w+>", "", text)
            if name.startswith("xl/worksheets/sheet"):
                text = sheet(text, strings, *looks)
            yield f"{path.name}/{name}", text.replace("><", ">\n<")
    elif path.suffix == ".html":
        page = path.read_text()
        data = re.search(r'id="data">(.*?)<script type="text/plain"', page, re.S)[1]
        data = gzip.decompress(base64.b64decode(re.sub(r"<[^>]*>|\s", "", data)))
        # Members of an object have no order.
        yield f"{path.name}/data", json.dumps(json.loads(data), sort_keys=True, indent=0)
        page = re.sub(r"<script.*?</script>", "<script/>", page, flags=re.S)
        page = re.sub(r"<style.*?</style>", "<style/>", page, flags=re.S)
        yield f"{path.name}/markup", re.sub(r"sha256-[A-Za-z0-9+/=]+", "sha256", page)
    else:
        yield path.name, path.read_bytes().decode("utf-8", "replace")


def run(program, arguments, folder):
    """What a command says and writes, by name."""
    words = [str(argument).replace("OUT", str(folder)) for argument in arguments]
    ended = subprocess.run([program, *words], capture_output=True, cwd=folder, check=False)
    said = {"exit code": str(ended.returncode)}
    for name, stream in (("stdout", ended.stdout), ("stderr", ended.stderr)):
        said[name] = stream.decode("utf-8", "replace").replace(str(folder), "OUT")
    for path in sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file()):
        said.update(parts(path))
    return {name: text.replace(str(folder), "OUT") for name, text in said.items()}


def differences(options, arguments):
    """Lines that say how two programs differ in a command."""
    with tempfile.TemporaryDirectory() as a, tempfile.TemporaryDirectory() as b:
        old = run(options.old, arguments, a)
        new = run(options.new, arguments, b)
    lines = []
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if before == after:
            continue
        lines.append(f"  {name}")
        if before is None or after is None:
            lines.append(f"    only in {'new' if before is None else 'old'}")
            continue
        changed = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
        shown = [line for line in changed if not line.startswith(("---", "+++", "@@"))]
        lines += [f"    {line[:200]}" for line in shown[: options.show]]
    return lines


def compare(options, every):
    """How many commands were chosen, and how many of them differ; prints these."""
    def words(arguments):
        return " ".join(str(word).replace(f"{ROOT}/", "") for word in arguments)

    chosen = [arguments for arguments in every if options.only in words(arguments)]
    differ = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda arguments: differences(options, arguments), chosen)
        for arguments, lines in zip(chosen, results):
            if lines:
                differ += 1
                print(words(arguments), *lines, sep="\n")
    return len(chosen), differ


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("old", type=os.path.abspath)
    parser.add_argument("new", type=os.path.abspath)
    parser.add_argument("--only", default="", help="commands that hold this text")
    parser.add_argument("--show", type=int, default=6, help="lines of each difference")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        count, differ = compare(options, list(commands(list(unpacked(folder)))))
    print(f"{count} commands, {differ} of them differ")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
