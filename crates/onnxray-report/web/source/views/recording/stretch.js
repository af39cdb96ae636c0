// What part of an x axis a chart shows, for series that draw themselves: what is thinner than
// a pixel is put together before it is drawn, so that a zoom step takes the same time with
// ten marks as with a hundred thousand.

/**
 * The stretch of the axis in sight, asked by `renderItem` of a custom series.
 *
 * @param {any} params @param {any} api of ECharts
 * @param {[number, number]} ends two values of the axis, far apart
 * @param {number} y any value of the y axis that has a place on it
 * @returns {{left: number, width: number, from: number, to: number, pixel: (x: number) => number}}
 *   in pixels and in values of the axis
 */
export function stretchOf(params, api, [first, last], y = 1) {
  const { x: left, width } = params.coordSys;
  const [start] = api.coord([first, y]);
  const [end] = api.coord([last, y]);
  const scale = (end - start) / (last - first);
  const from = first + (left - start) / scale;
  return { left, width, from, to: from + width / scale, pixel: (x) => start + (x - first) * scale };
}

/** Place of the first of ascending values that is not below `value`. */
export function firstFrom(values, value, at = (place) => values[place]) {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle) >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Place of the one of ascending values that is nearest to `value`. */
export function nearestTo(values, value, at = (place) => values[place]) {
  const above = firstFrom(values, value, at);
  if (above === 0) return 0;
  if (above === values.length) return above - 1;
  return at(above) - value < value - at(above - 1) ? above : above - 1;
}
