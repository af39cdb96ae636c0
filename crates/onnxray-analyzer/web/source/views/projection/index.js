// The views of a page about a projection, by key.

export const projectionViews = new Map([]);
