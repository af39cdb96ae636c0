"""Charts of a fleet's pages begin at 0, name their unit, and say which commit a value is of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone
from html.parser import HTMLParser
from pathlib import Path

import pytest

import fleet_browser
from conftest import REPOSITORY
from onnxray.fleet.drawing.axis import axis
from onnxray.fleet.drawing.names import short_names
from onnxray.fleet.drawing.page import regressions_page, trend_page
from onnxray.fleet.drawing.style import COLOURS, SERIES
from onnxray.fleet.findings import Finding, Pair, Point
from onnxray.fleet.selecting import Launch, Series, Step

WEB = REPOSITORY / "crates" / "onnxray-report" / "web"
BEGAN = datetime(2026, 9, 26, 8, 30, tzinfo=timezone.utc)
COMMITS = [f"{number:x}{'c0ffee' * 6}" for number in range(16, 40)]
HOSTILE = "</script><b>\u202e&\"'"

Trends = list[tuple[Series, list[Point]]]


def line(values: Sequence[float | None], cpu: str = "Processor", model: str = "m.onnx") -> Trends:
    """A series with a value in ms for each commit, all with an interval of a tenth."""
    one = Series({"model": model}, {"cpu": cpu})
    points = []
    for number, (commit, value) in enumerate(zip(COMMITS, values, strict=False)):
        began = BEGAN + timedelta(days=number)
        launches = [Launch(f"{commit}{again}", "uri", "2026-09", began) for again in range(2)]
        one.steps.append(Step(commit, (number,), launches))
        low, high = (None, None) if value is None else (value * 0.95, value * 1.05)
        points.append(Point(commit, 2, value, low, high))
    return [(one, points)]


class _Elements(HTMLParser):
    """All elements with their attributes and the text right in them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.found:
            tag, attributes, text = self.found[-1]
            self.found[-1] = (tag, attributes, text + data)


def elements(page: str, kind: str) -> Iterator[tuple[dict[str, str | None], str]]:
    """Elements of a class."""
    parser = _Elements()
    parser.feed(page)
    for _, attributes, text in parser.found:
        if kind in (attributes.get("class") or "").split():
            yield attributes, text


@pytest.mark.parametrize(
    ("most_ms", "unit", "ticks"),
    [
        (4.05, "ms", (0, 1, 2, 3, 4, 5)),
        (0.084, "µs", (0, 20, 40, 60, 80, 100)),
        (0.9, "µs", (0, 200, 400, 600, 800, 1000)),
        (1, "ms", (0, 0.2, 0.4, 0.6, 0.8, 1)),
        (12_345, "s", (0, 5, 10, 15)),
        (3e-5, "ns", (0, 10, 20, 30)),
        (0, "ms", (0, 0.2, 0.4, 0.6, 0.8, 1)),
    ],
)
def test_an_axis_has_round_ticks_from_0_in_a_unit(
    most_ms: float, unit: str, ticks: tuple[float, ...]
) -> None:
    found = axis([most_ms, most_ms / 2, None])
    assert found
    assert (found.unit, found.ticks) == (unit, ticks)
    assert found.share(0) == 0
    assert 0 <= found.share(most_ms) <= 1


def test_an_axis_is_of_what_is_known_and_not_of_an_interval_alone() -> None:
    assert axis([None, float("nan"), float("inf")]) is None
    found = axis([2.0], [1e9])
    assert found
    assert found.ticks[-1] == 3
    assert found.share(1e9) == 1
    assert [found.is_beyond(value) for value in (3.0, 1e9, None)] == [False, True, False]
    assert found.number(0) == "0"


def test_small_differences_of_large_values_are_drawn_from_0() -> None:
    page = trend_page("commit", None, line([100.0, 100.5, 101.0]))
    assert [text for _, text in elements(page, "end")] == ["0", "50", "100", "150"]
    bases = [attributes["y1"] for attributes, _ in elements(page, "base")]
    assert len(bases) == 1
    heights = [float(attributes["cy"] or "nan") for attributes, _ in elements(page, "dot")]
    (base,) = map(float, filter(None, bases))
    assert (base - heights[2]) / (base - heights[0]) == pytest.approx(1.01, abs=0.01)


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [(4.0567, "ms", "4.057 ms (95 % interval 3.854 to 4.260 ms)"), (0.05, "µs", "50.00 µs (95")],
)
def test_the_unit_is_at_the_axis_in_the_readout_and_in_the_table(
    value: float, unit: str, said: str
) -> None:
    page = trend_page("commit", None, line([value]))
    assert unit in [text for _, text in elements(page, "axis")]
    (dot,) = elements(page, "dot")
    assert said in (dot[0]["data-text"] or "")
    heads = [text for _, text in elements(page, "number")]
    assert heads[:2] == [f"Median latency, {unit}", f"95 % interval, {unit}"]


@pytest.mark.parametrize("by", ["commit", "version"])
def test_a_readout_names_the_commit_or_what_steps_are_of(by: str) -> None:
    page = trend_page(by, None, line([4.0, None]))
    known, unknown = (attributes["data-text"] for attributes, _ in elements(page, "dot"))
    assert known == (
        f"{by} {COMMITS[0]}, Processor: 4.000 ms (95 % interval 3.800 to 4.200 ms), 2 launches, "
        "the first at 2026-09-26 08:30 UTC"
    )
    assert unknown == (
        f"{by} {COMMITS[1]}, Processor: unknown, 2 launches, the first at 2026-09-27 08:30 UTC"
    )
    cells = [text for attributes, text in elements(page, "step") if "title" in attributes]
    assert cells == COMMITS[:2]
    assert "A question mark is an unknown value" in page


def test_what_was_found_is_marked_and_read_out() -> None:
    trend = line([4.0, 5.0])
    one = trend[0][0]
    before, after = one.steps
    pair = Pair(one, before, after, report={"inference": [], "layers": []})
    finding = ("m.onnx", "layer", "MatMul", COMMITS[1], COMMITS[0], "slower")
    findings = [
        Finding(*finding, 1.2, 1.25, 1.3, ("Processor",), (0,)),
        Finding(*finding, None, None, None, ("Processor",), (0,)),
    ]
    page = regressions_page("Found.", "commit", findings, [pair], trend, {})
    said = [attributes["data-text"] or "" for attributes, _ in elements(page, "dot")]
    assert "Found" not in said[0]
    assert said[1].endswith(f"Found: layer +25.0 %, layer slower since {COMMITS[0]}")
    assert len(list(elements(page, "ring"))) == 1
    assert [text for _, text in elements(page, "tone-bad")] == ["+25.0 %", "unknown"]


def test_a_line_is_broken_where_a_value_is_unknown() -> None:
    page = trend_page("commit", None, line([4.0, 5.0, None, 6.0, 7.0]))
    drawn = page[page.index('class="plot"') :]
    assert [points.count(",") for points in re.findall(r'polyline points="(.*?)"', drawn)] == [2, 2]


def test_short_names_differ_as_the_names_do() -> None:
    assert short_names(["a" * 40, "b" * 40]) == ["aaaaaaaaa…", "bbbbbbbbb…"]
    assert short_names(["release-2026-01", "release-2026-02"]) == ["…e-2026-01", "…e-2026-02"]
    assert short_names(["1.0", "層" * 9]) == ["1.0", "層層層層…"]


def test_names_are_neither_markup_nor_script() -> None:
    trend = line([4.0, 5.0], HOSTILE, HOSTILE)
    one, points = trend[0]
    one.steps[1].value = HOSTILE
    hostile = [points[0], Point(HOSTILE, 1, 5.0, 4.0, 6.0)]
    before, after = one.steps
    pair = Pair(one, before, after, error=HOSTILE)
    page = regressions_page(HOSTILE, HOSTILE, [], [pair], [(one, hostile)], {})
    assert "<b>" not in page
    assert "\u202e" not in page
    assert page.count("</script>") == 1
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', page)
    assert policy
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy[1]
    assert "style=" not in page


def test_colours_are_those_of_the_program() -> None:
    style = "".join(
        (WEB / "style" / name).read_text(encoding="utf-8") for name in ("base.css", "ladder.css")
    )
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#\w+);", "".join(re.findall(begin, style))))
        for begin in (r":root \{[^}]*\}", r'\n:root\[data-theme="dark"\][^{]*\{[^}]*\}')
    )
    assert {name: (light[name], dark[name]) for name in COLOURS} == COLOURS
    script = (WEB / "source" / "colours.js").read_text(encoding="utf-8")
    series = [re.findall(r"#\w+", of) for of in re.findall(r"series: \[(.*?)\]", script)]
    assert tuple(zip(*series, strict=True))[2:] == SERIES


@pytest.mark.skipif(not fleet_browser.PROGRAM, reason="ONNXRAY_CHROMIUM names no browser")
def test_pages_fit_and_are_read_by_keys_in_a_browser(tmp_path: Path) -> None:
    trend = [
        *line([4.0] * 24, "AMD EPYC 9654"),
        *line([5.0] * 20 + [None], "Intel Xeon with a long name, of two sockets"),
    ]
    one = trend[0][0]
    pairs = [
        Pair(one, before, after, report={"inference": [], "layers": [_layer(HOSTILE)]})
        for before, after in zip(one.steps, one.steps[1:], strict=False)
    ]
    file = tmp_path / "page.html"
    page = regressions_page("Found.", "commit", [], pairs, trend, {})
    file.write_text(page, encoding="utf-8")
    backgrounds = {}
    with fleet_browser.browser() as browser:
        for width in (1280, 700, 400):
            browser.open(file, width)
            assert browser.value("document.documentElement.scrollWidth") <= width
            assert browser.value(_PLOT_WIDTH) >= 260
            assert browser.value(_OVERLAPS) == []
        for scheme in ("light", "dark"):
            browser.open(file, 400, scheme)
            backgrounds[scheme] = browser.value(_BACKGROUND)
        browser.value("document.querySelector('[data-action=theme]').click()")
        assert browser.value(_BACKGROUND) == backgrounds["light"]
        browser.value("document.querySelector('.chart-plot').focus()")
        for key, commit, value in [
            ("ArrowRight", COMMITS[0], "4.000 ms"),
            ("ArrowRight", COMMITS[1], "4.000 ms"),
            ("ArrowDown", COMMITS[1], "5.000 ms"),
            ("End", COMMITS[20], "unknown"),
            ("ArrowUp", COMMITS[20], "4.000 ms"),
            ("Home", COMMITS[0], "4.000 ms"),
        ]:
            browser.press(key)
            said = browser.value("document.querySelector('.chart-readout').textContent")
            assert said.startswith(f"commit {commit}, ")
            assert f": {value}" in said
        assert browser.said == []
    assert backgrounds == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 26)"}


def _layer(name: str) -> dict[str, object]:
    figures = {"ratio": 1.1, "ratio_low": 1.0, "ratio_high": 1.2, "a_share": 1.0, "b_share": 1.0}
    return {"layer": name, "verdict": "same", **figures}


_PLOT_WIDTH = "document.querySelector('.plot').getBoundingClientRect().width"
_BACKGROUND = "getComputedStyle(document.documentElement).backgroundColor"
_OVERLAPS = """
(() => {
  const texts = [...document.querySelectorAll(".plot text")]
    .filter((text) => getComputedStyle(text).display !== "none")
    .map((text) => [text.textContent, text.getBoundingClientRect()]);
  const both = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return texts.flatMap(([one, a], place) =>
    texts.slice(place + 1).filter(([, b]) => both(a, b)).map(([other]) => `${one} and ${other}`));
})()
"""
