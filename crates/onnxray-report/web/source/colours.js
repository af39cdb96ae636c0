// The colours of both themes. They stand apart for colour-blind readers and have a contrast
// of at least 3:1 with the background; texts have 4.5:1. Where colour alone would tell,
// there are patterns.

/** @typedef {typeof LIGHT} Theme */

const LIGHT = {
  name: "light",
  background: "#ffffff",
  surface: "#f4f5f6",
  text: "#1b1f24",
  muted: "#59636e",
  line: "#d0d7de",
  axis: "#848d97",
  unknown: "#5f6873",
  a: "#0969b8",
  b: "#b54a08",
  good: "#0b6e5e",
  bad: "#b3261e",
  doubtful: "#80590a",
  accent: "#0969b8",
  series: ["#0969b8", "#b54a08", "#0ba37a", "#7a2350", "#8a9a4b", "#4c1f7a", "#b57db4", "#54606c"],
};

const DARK = {
  name: "dark",
  background: "#14171a",
  surface: "#1e2328",
  text: "#e6e9ec",
  muted: "#a2abb5",
  line: "#39414a",
  axis: "#7d8791",
  unknown: "#a2abb5",
  a: "#58a6f0",
  b: "#f08b45",
  good: "#6fdcc8",
  bad: "#ff7b72",
  doubtful: "#e3b341",
  accent: "#58a6f0",
  series: ["#58a6f0", "#f08b45", "#2b9187", "#f0e6a0", "#ec9eb4", "#8f68bd", "#9fe8dd", "#8c6a45"],
};

/** Patterns, as ECharts' decals; the first is none. */
const PATTERNS = [
  undefined,
  { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: Math.PI / 4 },
  {
    symbol: "circle",
    dashArrayX: [
      [6, 6],
      [0, 6, 6, 0],
    ],
    dashArrayY: [6, 0],
    symbolSize: 0.7,
  },
  { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: -Math.PI / 4 },
  { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: 0 },
  { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: Math.PI / 2 },
];

/** The colour of side "a" or "b" of a comparison; in styles `var(--a)` and `var(--b)`. */
export const sideColour = (side, theme) => (side === "a" ? theme.a : theme.b);

/** The colour of a word's tone; in styles `var(--good)` and so on. */
export const toneColour = (tone, theme) =>
  new Map([
    ["good", theme.good],
    ["bad", theme.bad],
    ["doubtful", theme.doubtful],
  ]).get(tone) ?? theme.text;

const places = new Map();

/**
 * The colours of a theme; `a` and `b` are the sides of a comparison, everywhere.
 * @param {"light"|"dark"} name
 * @returns {Theme}
 */
export const colours = (name) => (name === "dark" ? DARK : LIGHT);

/** Gives operator types their colours in this order, so that the first differ most. */
export function rememberTypes(types) {
  for (const type of types) placeOf(type);
}

/**
 * The colour of an operator type, the same in every chart.
 * @param {string} type @param {Theme} theme what `option(theme)` of a chart is given
 */
export const typeColour = (type, theme) => theme.series[placeOf(type) % theme.series.length];

/** The pattern of an operator type, for `itemStyle.decal`. */
export const typePattern = (type, theme) =>
  pattern(Math.floor(placeOf(type) / theme.series.length) + (placeOf(type) % 2 ? 1 : 0), theme);

/** The n-th pattern, for `itemStyle.decal`; the first is none. */
export function pattern(index, theme) {
  const found = PATTERNS[index % PATTERNS.length];
  if (found === undefined) return undefined;
  const color = theme.name === "dark" ? "rgba(0,0,0,0.45)" : "rgba(255,255,255,0.5)";
  return { ...found, color };
}

function placeOf(type) {
  if (!places.has(type)) places.set(type, places.size);
  return places.get(type);
}
