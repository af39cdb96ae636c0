// The views of a page about a recording, by key.

export const recordingViews = new Map([]);
