// The views of a page about a loss, by key.

export const lossViews = new Map([]);
