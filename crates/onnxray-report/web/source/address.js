// The address: `#view/name` names a view and an operator in it, so that links can be sent
// and back and forward work.

/**
 * What the address names.
 * @returns {{view: string|undefined, name: string|undefined}}
 */
export function current() {
  const hash = window.location.hash.slice(1);
  const slash = hash.indexOf("/");
  const [view, name] = slash < 0 ? [hash, ""] : [hash.slice(0, slash), hash.slice(slash + 1)];
  return { view: decoded(view), name: decoded(name) };
}

/** Where a link to a view, and an operator in it, leads: for `href`. */
export function hrefOf(view, name) {
  const of = (text) => encodeURIComponent(text.toWellFormed());
  return name === undefined ? `#${of(view)}` : `#${of(view)}/${of(name)}`;
}

/**
 * Goes to a view, and to an operator in it.
 * @param {string} view @param {string} [name]
 * @param {{replace?: boolean}} how `replace`: back does not lead to where one was
 */
export function go(view, name, { replace = false } = {}) {
  if (replace) window.location.replace(hrefOf(view, name));
  else window.location.hash = hrefOf(view, name);
}

/** Calls `listener({view, name})` whenever the address changes. */
export function onChange(listener) {
  window.addEventListener("hashchange", () => listener(current()));
}

function decoded(text) {
  try {
    return text === "" ? undefined : decodeURIComponent(text);
  } catch {
    // Not something that we encoded: it names nothing that there is.
    return text;
  }
}
