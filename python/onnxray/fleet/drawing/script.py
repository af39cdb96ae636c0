"""What a page does: charts are read by pointer and arrow keys, and the theme is chosen.

It makes no markup, and what it shows of data it has from attributes, as text.
"""

from __future__ import annotations

SCRIPT = """
"use strict";
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const button = document.querySelector('[data-action="theme"]');
const current = () => root.dataset.theme ?? (system.matches ? "dark" : "light");
const other = () => (current() === "dark" ? "light" : "dark");
const nameTheme = () => (button.textContent = other() === "dark" ? "Dark theme" : "Light theme");
button.addEventListener("click", () => {
  root.dataset.theme = other();
  nameTheme();
});
system.addEventListener("change", nameTheme);
nameTheme();
button.hidden = false;

const PAGE = 10;

function follow(chart) {
  const plot = chart.querySelector(".chart-plot");
  const readout = chart.querySelector(".chart-readout");
  const cursor = chart.querySelector(".cursor");
  const lines = [...chart.querySelectorAll(".plot > .of")].map((of) => [
    ...of.querySelectorAll(".dot"),
  ]);
  const dots = lines.flat();
  let read;

  function move(to) {
    if (!to || to === read) return;
    read?.classList.remove("read");
    read = to;
    read.classList.add("read");
    readout.textContent = read.dataset.text;
    for (const name of ["x1", "x2"]) cursor.setAttribute(name, `${read.dataset.x}%`);
    cursor.removeAttribute("visibility");
  }

  function nearest(among, distance) {
    let found;
    let least = Infinity;
    for (const dot of among) {
      const far = distance(dot);
      if (far < least) [found, least] = [dot, far];
    }
    return found;
  }

  function at(event) {
    const box = cursor.ownerSVGElement.getBoundingClientRect();
    move(
      nearest(dots, ({ dataset: { x, y } }) =>
        Math.hypot((x / 100) * box.width + box.left - event.clientX, y - (event.clientY - box.top)),
      ),
    );
  }

  function target(key) {
    const line = lines.find((dots) => dots.includes(read)) ?? lines[0];
    const place = line.indexOf(read);
    const along = (to) => line[Math.max(0, Math.min(line.length - 1, to))];
    const across = (by) => {
      if (!read) return line[0];
      if (lines.length === 1) return along(place + by);
      const next = lines[lines.indexOf(line) + by];
      return next && nearest(next, (dot) => Math.abs(dot.dataset.x - read.dataset.x));
    };
    return {
      ArrowRight: () => along(place + 1),
      ArrowLeft: () => along(place - 1),
      ArrowDown: () => across(1),
      ArrowUp: () => across(-1),
      PageDown: () => along(place + PAGE),
      PageUp: () => along(place - PAGE),
      Home: () => line[0],
      End: () => line.at(-1),
    }[key];
  }

  plot.tabIndex = 0;
  readout.hidden = false;
  plot.addEventListener("pointermove", at);
  plot.addEventListener("click", at);
  plot.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const to = target(event.key);
    if (!to) return;
    event.preventDefault();
    move(to());
  });
}

for (const chart of document.querySelectorAll(".chart")) follow(chart);

// Of many columns, the first one in which something was found is in sight.
function reveal(wide) {
  const found = wide.querySelector(".found");
  if (found && wide.clientWidth) wide.scrollLeft = found.offsetLeft - wide.clientWidth / 2;
}

for (const wide of document.querySelectorAll(".wide")) reveal(wide);

// Paper has everything unfolded.
let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details:not([open])")];
  for (const part of unfolded) part.open = true;
});
addEventListener("afterprint", () => {
  for (const part of unfolded) part.open = false;
});
"""
