// The views of a page about a sweep, by key.

export const sweepViews = new Map([]);
