// Intervals drawn over horizontal bars: a line from the low to the high end, with feet.

/** Half of a foot's length, in pixels. */
const FOOT = 4;

/**
 * A custom series of intervals.
 *
 * @param {[number, [number, number] | undefined][]} intervals place on the axis of categories,
 *   and the ends; without ends, or of no width, nothing is drawn
 */
export function intervalItem(intervals, theme) {
  const known = intervals.filter(([, ends]) => ends && ends[0] !== ends[1]);
  return {
    type: "custom",
    silent: true,
    z: 3,
    data: known.map(([place, [low, high]]) => [low, high, place]),
    encode: { x: [0, 1], y: 2 },
    renderItem(params, api) {
      const [left, y] = api.coord([api.value(0), api.value(2)]);
      const [right] = api.coord([api.value(1), api.value(2)]);
      const line = (x1, y1, x2, y2) => ({
        type: "line",
        shape: { x1, y1, x2, y2 },
        style: { stroke: theme.text, lineWidth: 1 },
      });
      return {
        type: "group",
        children: [
          line(left, y, right, y),
          line(left, y - FOOT, left, y + FOOT),
          line(right, y - FOOT, right, y + FOOT),
        ],
      };
    },
  };
}
