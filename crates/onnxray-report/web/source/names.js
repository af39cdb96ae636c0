// Names made to fit: paths lose what they all begin with, then their first parts; names that
// differ look different.

import { shorten } from "./cells.js";

const ELLIPSIS = "…";
/** Letters that are too few for a name and what tells it from others. */
const FEWEST = 12;
/** Letters that are too few for what a layer has. */
const FEWEST_OF_REST = 8;
/** Letters of the end of a name that still say what it is. */
const END = 4;
/** Letters of the number of a name that nothing else tells apart: `~123456`. */
const MARK = 7;

/**
 * The names by what is shown of each, in at most this many letters: those that fit as they are.
 * @param {Iterable<string>} names @param {number} most
 * @returns {Map<string, string>}
 */
export function shortNames(names, most) {
  const all = [...new Set(names)];
  const short = new Map(all.map((name) => [name, name]));
  const long = all.filter((name) => name.length > most);
  if (long.length === 0) return short;
  if (most < FEWEST) return new Map(all.map((name) => [name, shorten(name, most)]));
  const shared = sharedPath(long);
  for (const name of long) short.set(name, shortened(name, shared, most));
  keepLayers(long, shared, short, most);
  const groups = alike(all, short);
  const single = groups.filter(({ length }) => length === 1);
  /** What is shown, and how many numbers were given to it. */
  const taken = new Map(single.map(([name]) => [short.get(name) ?? name, 0]));
  for (const group of groups) if (group.length > 1) tellApart(group, short, most, taken);
  return short;
}

/**
 * Shows of names first which layer they are in: the first part with a number behind what all
 * share, and of the rest the first of these that tells those apart that look alike: whole parts of
 * its end, letters of its end, letters of both its ends.
 * @param {string[]} long @param {number} shared @param {Map<string, string>} short
 * @param {number} most
 */
function keepLayers(long, shared, short, most) {
  const places = new Map();
  for (const name of long) {
    const at = name.slice(shared).search(/[^/]*\d[^/]*\//);
    const room = most - (name.indexOf("/", shared + at) - shared - at);
    if (at >= 0 && room >= FEWEST_OF_REST) places.set(name, shared + at);
  }
  const middle = (name, place) => {
    const end = name.indexOf("/", place) + 1;
    const head = name.slice(place === 1 ? 0 : place, end);
    return head + shorten(name.slice(end), most - head.length);
  };
  const ways = [
    (name, place) => withParts(name, [place], most),
    (name, place) => withParts(name, [place], most, false),
    middle,
  ];
  let left = [...places.keys()];
  for (const way of ways) {
    for (const name of left) short.set(name, way(name, places.get(name)));
    left = alike(left, short)
      .filter(({ length }) => length > 1)
      .flat();
  }
}

/** The end of a path behind what all share, or as many of its last parts as fit. */
function shortened(name, shared, most) {
  const ends = slashes(name).filter((at) => at + 1 >= shared && at > 0);
  const end = ends.find((at) => name.length - at < most);
  return end === undefined ? shorten(name, most) : ELLIPSIS + name.slice(end);
}

/** Names in groups of which the same is shown. */
function alike(names, short) {
  const groups = new Map();
  for (const name of names) {
    const group = groups.get(short.get(name));
    if (group) group.push(name);
    else groups.set(short.get(name), [name]);
  }
  return [...groups.values()];
}

/**
 * Shows of names that look alike the parts in which they begin to differ, and their ends; numbers
 * what is alike even then.
 * @param {string[]} names @param {Map<string, string>} short @param {number} most
 * @param {Map<string, number>} taken what is shown of others
 * @param {number[]} [places] where parts begin that told them from others before
 */
function tellApart(names, short, most, taken, places = []) {
  const all = [...places, sharedPath(names)];
  for (const name of names) {
    if (short.get(name) !== name) short.set(name, withParts(name, fitting(name, all, most), most));
  }
  for (const group of alike(names, short)) {
    if (group.length > 1 && group.length < names.length) tellApart(group, short, most, taken, all);
    else for (const name of group) take(name, short, most, taken, all);
  }
}

/**
 * Keeps what is shown of a name, unless that is taken or too long: then more letters of its end,
 * or a number.
 */
function take(name, short, most, taken, all) {
  const places = fitting(name, all, most);
  const isFree = (shown) => shown === name || (!taken.has(shown) && shown.length <= most);
  const ways = [
    short.get(name),
    withParts(name, places, most, false),
    withParts(name, all, most, false),
  ];
  const free = ways.find(isFree) ?? numbered(name, most, taken);
  taken.set(free, 0);
  short.set(name, free);
}

function numbered(name, most, taken) {
  const base = shorten(name, most - MARK);
  for (let number = (taken.get(base) ?? 0) + 1; ; number += 1) {
    const shown = `${base}~${number}`;
    if (taken.has(shown)) continue;
    taken.set(base, number);
    return shown;
  }
}

/** The places whose parts leave room for the end of a name: the last of them. */
function fitting(name, places, most) {
  const lengthOf = (place) => {
    const slash = name.indexOf("/", place);
    return (slash < 0 ? name.length : slash) - place + 2;
  };
  let from = places.length - 1;
  let room = most - END - 2 - lengthOf(places[from]);
  while (from > 0 && room >= lengthOf(places[from - 1])) {
    from -= 1;
    room -= lengthOf(places[from]);
  }
  return places.slice(from);
}

/**
 * The parts of a path that begin at places, and as many of its last, or of its last letters, as fit.
 */
function withParts(name, places, most, isWhole = true) {
  let head = "";
  let end = 0;
  for (const [at, place] of places.entries()) {
    const slash = name.indexOf("/", place);
    const part = name.slice(place, slash < 0 ? name.length : slash);
    // A path begins with its slash; what is left out before a part shows.
    const isNext = place <= (at === 0 ? 1 : end + 1);
    head += isNext ? name.slice(at === 0 ? 0 : place, place) + part : `${ELLIPSIS}/${part}`;
    end = slash < 0 ? name.length : slash;
    if (slash >= 0) head += "/";
  }
  if (end === name.length) return head;
  const room = most - head.length;
  if (name.length - end - 1 <= room) return head + name.slice(end + 1);
  const tail = slashes(name).find((at) => at > end && name.length - at < room);
  if (isWhole && tail !== undefined) return head + ELLIPSIS + name.slice(tail);
  return head + ELLIPSIS + (room > 1 ? name.slice(1 - room) : "");
}

/** How many letters of paths all begin with: whole parts, with the slash behind them. */
function sharedPath(names) {
  const [first, ...others] = names;
  let shared = first.length;
  for (const name of others) {
    let at = 0;
    while (at < shared && at < name.length && name[at] === first[at]) at += 1;
    shared = at;
  }
  return others.length === 0 ? 0 : first.lastIndexOf("/", shared - 1) + 1;
}

function slashes(name) {
  const places = [];
  for (let at = name.indexOf("/"); at >= 0; at = name.indexOf("/", at + 1)) places.push(at);
  return places;
}
