// The marks of a timeline's rows: spans with their names where there is room, runs of spans
// that are thinner than a pixel, and the gaps that are overhead.

import { chartLabel } from "../../cells.js";
import { typeColour } from "../../colours.js";
import { marksIn } from "./lanes.js";
import { stretchOf } from "./stretch.js";

/** Part of a row's height that its spans have. */
const HEIGHT = 0.78;
/** Pixels from which on a span has its name in it, and what a letter takes. */
const LABELLED = 34;
const LETTER = 6.4;
/** Letters of a shortened name that still tell something. */
const FEWEST_LETTERS = 7;
/** Of spans that a search does not find. */
const FAINT = 0.2;
/** How visible the thinnest gap is. */
const PALEST = 0.35;
/** Spans from which on a hair line parts them from each other. */
const PARTED = 4;

/** `renderItem` of a custom series of which each mark is a row; the first is the overhead. */
export function spanRow({ lanes, gaps, spans, latency, nameOf, typeOf, isFound: search, theme }) {
  const colours = new Map();
  const colourOf = (span) => {
    const type = typeOf(span);
    if (!colours.has(type)) colours.set(type, typeColour(String(type), theme));
    return colours.get(type);
  };
  return (params, api) => {
    const at = params.dataIndex;
    const stretch = stretchOf(params, api, [0, latency || 1], at);
    const middle = api.coord([0, at])[1];
    const height = api.size([0, 1])[1] * HEIGHT;
    const place = { y: middle - height / 2, height };
    const right = stretch.left + stretch.width;
    const box = (from, to) => ({
      ...place,
      x: Math.max(from, stretch.left),
      width: Math.min(to, right) - Math.max(from, stretch.left),
    });
    if (at === 0) return { type: "group", children: gapMarks(gaps, stretch, box, theme) };
    /** @type {[number, number]} */
    const seen = [stretch.from, stretch.to];
    const isFound = search.isFound;
    const isFaint = (found) => isFound !== undefined && !found;
    const { spans: wide, runs } = marksIn(lanes[at - 1], spans, seen, stretch.width, isFound);
    const thin = runs.map(({ left, right: end, cover, span, found }) => ({
      type: "rect",
      shape: box(stretch.left + left, stretch.left + end),
      style: { fill: colourOf(span), opacity: (isFaint(found) ? FAINT : 1) * cover },
    }));
    /** @type {object[]} */
    const boxes = [];
    /** @type {object[]} */
    const labels = [];
    for (const span of wide) {
      const end = spans.start_ms[span] + spans.duration_ms[span];
      const shape = box(stretch.pixel(spans.start_ms[span]), stretch.pixel(end));
      const faint = isFaint(isFound?.(span));
      boxes.push(spanMark(shape, colourOf(span), faint, theme));
      if (faint || shape.width < LABELLED) continue;
      labels.push(labelMark(shape, nameOf(span), inkOn(colourOf(span)), api));
    }
    // Elements are kept by their place: each group has those of one kind.
    const groups = [thin, boxes, labels].map((children) => ({ type: "group", children }));
    return { type: "group", children: groups };
  };
}

function spanMark(shape, fill, isFaint, theme) {
  const isParted = shape.width >= PARTED;
  const line = { stroke: theme.background, lineWidth: isParted ? 1 : 0 };
  return { type: "rect", shape, style: { fill, opacity: isFaint ? FAINT : 1, ...line } };
}

function labelMark({ x, y, width, height }, name, fill, api) {
  const text = labelIn(String(name), Math.floor((width - 8) / LETTER));
  return {
    type: "text",
    silent: true,
    x: x + 4,
    y: y + height / 2,
    style: { text, fill, font: api.font({ fontSize: 11 }), verticalAlign: "middle" },
  };
}

/** A name, or what of it fits: the last parts of a path tell most. */
function labelIn(name, letters) {
  let label = name;
  while (label.length > letters && label.includes("/")) label = label.slice(label.indexOf("/") + 1);
  return label.length <= letters || letters >= FEWEST_LETTERS ? chartLabel(label, letters) : "";
}

/** Gaps at least a pixel wide as they are; thinner ones as a pixel that is paler. */
function gapMarks(gaps, { from, to, left, width, pixel }, box, theme) {
  const children = [];
  const pale = new Map();
  for (const [start, end] of gaps) {
    if (end <= from || start >= to) continue;
    const [x, last] = [pixel(start), pixel(end)];
    if (last - x >= 1) children.push(gapMark(box(x, last), 1, theme));
    else pale.set(Math.floor(x - left), (pale.get(Math.floor(x - left)) ?? 0) + last - x);
  }
  for (const [at, cover] of pale) {
    if (at >= 0 && at < width)
      children.push(gapMark(box(left + at, left + at + 1), Math.max(cover, PALEST), theme));
  }
  return children;
}

const gapMark = (shape, opacity, theme) => ({
  type: "rect",
  shape,
  style: { fill: theme.bad, opacity },
  silent: true,
});

/** Black or white, whichever is easier to read on a colour. */
function inkOn(colour) {
  const [red, green, blue] = [1, 3, 5].map(
    (at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2,
  );
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return luminance > 0.18 ? "#000000" : "#ffffff";
}
