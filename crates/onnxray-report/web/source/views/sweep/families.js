// Which points of a sweep lie on one line: those of a model that differ in one respect only.
// Imports nothing.

/** What may change along a line: the first of these that a sweep varies does. */
const ALONG = ["batch_size", "threads", "instances"];
/** What a line has one value of, unless it changes along it. */
const FIELDS = ["model", "engine", "dimensions", "batch_size", "threads", "instances"];

/**
 * Lines over the points of a sweep. `value(field, position)` says what a point is; points of
 * equal values of all fields but one are a family.
 *
 * Returns `{ along, families: [{ fields: Map, points: [position…] }] }`. `along` is the field
 * that changes along the lines, `undefined` if each point stands alone; points of a family are
 * in the order of that field. `differing` has the fields in which families differ.
 */
export function families(count, value) {
  const positions = Array.from({ length: count }, (_, position) => position);
  const along = ALONG.find((field) => varies(field, positions, value));
  const fixed = FIELDS.filter((field) => field !== along);
  const found = new Map();
  for (const position of positions) {
    const key = JSON.stringify(fixed.map((field) => value(field, position) ?? null));
    if (!found.has(key)) {
      const fields = new Map(fixed.map((field) => [field, value(field, position)]));
      found.set(key, { fields, points: [] });
    }
    found.get(key).points.push(position);
  }
  const all = [...found.values()];
  for (const family of all) {
    // Stable, so that points of an unknown size keep their order.
    family.points.sort(
      (a, b) => (value(along, a) ?? Infinity) - (value(along, b) ?? Infinity) || 0,
    );
  }
  const differing = fixed.filter(
    (field) =>
      new Set(all.map((family) => JSON.stringify(family.fields.get(field) ?? null))).size > 1,
  );
  return { along, differing, families: all };
}

/** Whether a model was measured with several values of a field. */
function varies(field, positions, value) {
  const ofModel = new Map();
  for (const position of positions) {
    const model = value("model", position);
    if (!ofModel.has(model)) ofModel.set(model, new Set());
    ofModel.get(model).add(value(field, position));
  }
  return [...ofModel.values()].some((values) => values.size > 1);
}
