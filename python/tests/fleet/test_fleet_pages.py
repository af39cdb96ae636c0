"""Pages of a fleet harm no file, and say of what is unknown that it is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import fleet_recordings
import onnxray
from fleet_datasets import by_a_stranger
from onnxray.fleet import FleetError, Regressions, collect, regressing, regressions, trend
from onnxray.fleet.__main__ import main
from onnxray.fleet.regressing import _findings

PLANTED = (fleet_recordings.Planted(model=0, layer=1, commit=1, factor=1.5, machines=(0,)),)
FLEET = fleet_recordings.Fleet(2, 1, 1, 8, PLANTED, layers=3)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    for commit in range(2):
        fleet_recordings.write(FLEET, folder / str(commit), commit)
        label = {"commit": FLEET.commit(commit)}
        collect(folder / str(commit), folder / "dataset", label, samples=True)
    return folder / "dataset"


@pytest.fixture(scope="module")
def found(dataset: Path) -> Regressions:
    return regressions(dataset)


def text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def test_a_report_replaces_nothing_and_follows_no_link(
    dataset: Path, found: Regressions, tmp_path: Path
) -> None:
    target, page = tmp_path / "target.txt", tmp_path / "page.html"
    target.write_text("mine", encoding="utf-8")
    page.symlink_to(target)
    theirs = tmp_path / "page_comparisons" / "comparison-of-vendors.html"
    theirs.parent.mkdir()
    theirs.write_text("mine", encoding="utf-8")
    for command in ("trend", "regressions"):
        assert main([command, str(dataset), f"--report={page}"]) == 1
    for report in (found, trend(dataset)):
        with pytest.raises(onnxray.Error, match="already exists"):
            report.to_html(page)
        with pytest.raises(onnxray.Error, match="is in"):
            report.to_html(dataset / "launches" / "page.html")
    assert (page.is_symlink(), text(target), text(theirs)) == (True, "mine", "mine")
    found.to_html(page, force=True)
    assert (page.is_symlink(), text(target), text(theirs)) == (False, "mine", "mine")


def test_pages_are_deleted_that_the_own_list_names(found: Regressions, tmp_path: Path) -> None:
    page, folder = tmp_path / "page.html", tmp_path / "page_comparisons"
    found.to_html(page)
    assert f'href="{folder.name}/comparison-0.html"' in text(page)
    listed = json.loads(text(folder / "pages.json"))
    assert listed == {"onnxray_comparisons": ["comparison-0.html"]}
    for name in ("comparison-1.html", "comparison-7.html", "notes.html"):
        (folder / name).write_text("mine", encoding="utf-8")
    outside = tmp_path / "outside.html"
    outside.write_text("mine", encoding="utf-8")
    listed["onnxray_comparisons"] += ["comparison-7.html", "../outside.html", "notes.html"]
    (folder / "pages.json").write_text(json.dumps(listed), encoding="utf-8")
    page.unlink()
    found.to_html(page)
    names = ["comparison-0.html", "comparison-1.html", "notes.html", "pages.json"]
    assert sorted(file.name for file in folder.iterdir()) == names
    assert text(outside) == text(folder / "comparison-1.html") == "mine"


@pytest.mark.parametrize("listed", ["", "[]", "{", '{"onnxray_comparisons": 1}', "[" * 99999])
def test_pages_of_others_are_not_replaced(listed: str, found: Regressions, tmp_path: Path) -> None:
    folder = tmp_path / "page_comparisons"
    folder.mkdir()
    (folder / "comparison-0.html").write_text("mine", encoding="utf-8")
    (folder / "pages.json").write_text(listed, encoding="utf-8")
    with pytest.raises(onnxray.Error, match="already exists"):
        found.to_html(tmp_path / "page.html")
    assert text(folder / "comparison-0.html") == "mine"
    assert not (tmp_path / "page.html").exists()


def test_a_folder_of_pages_that_is_a_link_is_refused(found: Regressions, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "page_comparisons").symlink_to(tmp_path / "elsewhere")
    for force in (False, True):
        with pytest.raises(FleetError, match="is a link"):
            found.to_html(tmp_path / "page.html", force)
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("unknown", [("ratio",), ("ratio_low", "ratio_high"), ("ratio_low",)])
def test_what_is_unknown_is_said_to_be(
    unknown: tuple[str, ...],
    found: Regressions,
    dataset: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = {
        table: [{**row, **dict.fromkeys(unknown)} for row in found.report[table]]
        for table in ("layers", "wholes")
    }
    monkeypatch.setattr(regressing, "_over_all", lambda *_: report)
    page = tmp_path / "page.html"
    assert main(["regressions", str(dataset), f"--report={page}"]) == 0
    said = capsys.readouterr().out
    assert "None" not in said
    assert ("is slower at" in said) == ("ratio" in unknown)
    assert "unknown" in text(page)
    assert main(["regressions", str(dataset), "--format=json"]) == 0
    rows = json.loads(capsys.readouterr().out)["findings"]
    assert all(row[name] is None for row in rows for name in unknown)


def test_a_layer_that_took_no_time_before_has_an_unknown_ratio(tmp_path: Path) -> None:
    gone = (fleet_recordings.Planted(model=0, layer=1, commit=1, factor=0, machines=(0,)),)
    of = fleet_recordings.Fleet(2, 1, 1, 8, gone, layers=3)
    for commit in range(2):
        fleet_recordings.write(of, tmp_path / str(commit), commit)
        collect(tmp_path / str(commit), tmp_path / "dataset", {"commit": of.commit(commit)})
    found = regressions(tmp_path / "dataset", order=[of.commit(1), of.commit(0)])
    (one,) = found.findings
    assert (one.layer, one.verdict, one.ratio) == (of.layer(1), "slower", None)
    found.to_html(tmp_path / "page.html")
    assert f"{of.layer(1)} slower since {of.commit(1)}" in text(tmp_path / "page.html")


def test_ratios_of_several_are_known_if_all_are(found: Regressions) -> None:
    def mean(*ratios: float | None) -> float | None:
        pairs = [replace(found.pairs[0]) for _ in ratios]
        rows: list[dict[str, Any]] = [
            {**found.report["layers"][0], "comparison_number": number, "ratio": ratio}
            for number, ratio in enumerate(ratios)
        ]
        (one,) = _findings(pairs, rows)
        return one.ratio

    assert mean(2.0, 8.0) == pytest.approx(4)
    assert mean(2.0, None) is None
    assert mean(0.0, 2.0) is None


def test_names_are_neither_markup_nor_marks(tmp_path: Path) -> None:
    name = "<b>\x1b\u202e&"
    by_a_stranger(tmp_path / "dataset", *[{"model": name, "cpu": name}] * 4)
    trend(tmp_path / "dataset").to_html(tmp_path / "page.html")
    page = text(tmp_path / "page.html")
    assert "<b>" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
