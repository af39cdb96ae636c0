// What stands at the ends of horizontal bars: the interval of the value, as a line with feet,
// and behind it the value as text.

/** Half of a foot's length, and what is free before the text, in pixels. */
const FOOT = 4;
const SPACE = 8;

/**
 * A custom series for bars on an axis of categories.
 *
 * @param {{value: number|undefined, ends?: [number, number], text: string}[]} bars in the order
 *   of the categories; ends of no width are not drawn, and nothing of a bar without a value
 */
export function barEnds(bars, theme) {
  const drawn = bars
    .map((bar, place) => ({ ...bar, place }))
    .filter(({ value }) => value !== undefined);
  const line = (x1, y1, x2, y2) => ({
    type: "line",
    shape: { x1, y1, x2, y2 },
    style: { stroke: theme.text, lineWidth: 1 },
  });
  return {
    type: "custom",
    silent: true,
    z: 3,
    // The axis has room for what the data holds: value, then low and high end.
    data: drawn.map(({ value, ends, place }) => [
      value,
      ends?.[0] ?? value,
      ends?.[1] ?? value,
      place,
    ]),
    encode: { x: [0, 1, 2], y: 3 },
    renderItem({ dataIndex }, api) {
      const at = (dimension) => api.coord([api.value(dimension), api.value(3)]);
      const [[value, y], [low], [high]] = [at(0), at(1), at(2)];
      const text = {
        type: "text",
        // What is below 0 has its text on the free side of 0.
        x: (api.value(0) < 0 ? api.coord([0, api.value(3)])[0] : Math.max(value, high)) + SPACE,
        y,
        style: {
          text: drawn[dataIndex].text,
          verticalAlign: "middle",
          fill: theme.text,
          font: api.font({ fontSize: 12 }),
        },
      };
      if (low === high) return { type: "group", children: [text] };
      const feet = [low, high].map((x) => line(x, y - FOOT, x, y + FOOT));
      // The text stays the first: ECharts keeps elements by their place.
      return { type: "group", children: [text, line(low, y, high, y), ...feet] };
    },
  };
}
