"""The machine's peak rates, as ``record`` measures them, beside those of a program in C.

    benches/roofs.py ONNXRAY [--rounds 5] [--cc gcc]

Both run on one thread and take turns; of each, the best of all rounds counts. Prints, per line,
our rate, that of ``roofs.c`` and their ratio. Of memory, STREAM's triad, which also writes, has a
line of its own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
MODEL = HERE.parent / "fixtures" / "models" / "cnn.onnx"
# Several times the last cache of most machines.
MEMORY = 256 << 20


def recorded(program: str, folder: Path) -> dict[str, tuple[float, int | None]]:
    """By roof: the rate, and what the level holds."""
    record = [program, "record", str(MODEL), "--iterations", "1", "--warmup", "0", "--force"]
    subprocess.run([*record, "--out", str(folder)], check=True, capture_output=True)
    summary = [program, "summary", str(folder), "--all", "--format", "json"]
    rows = json.loads(subprocess.run(summary, check=True, capture_output=True).stdout)["roofs"]
    return {row["roof"]: (row["rate"], row.get("bytes")) for row in rows if row["rate"] is not None}


def main() -> None:
    """Prints the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("onnxray")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cc", default="gcc")
    given = parser.parse_args()
    ours: dict[str, float] = {}
    theirs: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        flags = ["-O3", "-march=native", "-mprefer-vector-width=512", "-ffast-math"]
        binary = folder / "roofs"
        subprocess.run(
            [given.cc, *flags, str(HERE / "roofs.c"), "-o", str(binary)], check=True
        )
        for _ in range(given.rounds):
            rates = recorded(given.onnxray, folder / "out")
            levels = [roof for roof in rates if roof not in ("fp32", "s8")]
            sizes = [str(held // 2 if (held := rates[level][1]) else MEMORY) for level in levels]
            output = subprocess.run(
                [str(binary), *sizes], check=True, capture_output=True, text=True
            ).stdout
            names = ["fp32", *levels, "triad"]
            for roof, rate in zip(names, map(float, output.split()), strict=True):
                theirs[roof] = max(theirs.get(roof, 0.0), rate)
            for roof, (rate, _) in rates.items():
                ours[roof] = max(ours.get(roof, 0.0), rate)
    ours["triad"] = ours["memory"]
    for roof, rate in theirs.items():
        print(f"{roof:8} {ours[roof]:8.1f} {rate:8.1f} {ours[roof] / rate:6.2f}")


if __name__ == "__main__":
    main()
