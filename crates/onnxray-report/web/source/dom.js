// Elements without markup: what comes from data reaches the page as text nodes and
// attribute values only.

/** @typedef {Node|string|number|null|undefined|false|Child[]} Child */

/**
 * Makes an element.
 *
 * `element("button", { class: "plain", on: { click: close } }, "Close")`
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>|null} [properties]
 *   `class`, `id`, `dataset: {row: 3}`, `aria: {label: "…"}`, `on: {click: f}`,
 *   `style: {width: "3px"}` (set through CSSOM, which the policy allows), `value` and
 *   `checked` (set as properties); all others become attributes. `true` makes an empty
 *   attribute; `false`, `null` and `undefined` make none (of `aria`, `false` is a value).
 * @param {...Child} children
 *   texts become text nodes; arrays are flattened; null, undefined and false are skipped
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, properties, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) setProperty(node, name, value);
  append(node, children);
  return node;
}

/**
 * Replaces what is in `node`.
 * @template {Element} Of
 * @param {Of} node
 * @param {...Child} children as of `element`
 */
export function replace(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

/** An id that no other element of the page has. */
export function uniqueId(prefix) {
  count += 1;
  return `${prefix}-${count}`;
}

let count = 0;

function setProperty(node, name, value) {
  if (value === undefined || value === null) return;
  switch (name) {
    case "aria":
      for (const [key, state] of Object.entries(value)) {
        if (state !== undefined && state !== null) node.setAttribute(`aria-${key}`, String(state));
      }
      break;
    case "dataset":
      for (const [key, text] of Object.entries(value)) node.dataset[key] = String(text);
      break;
    case "on":
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
      break;
    case "style":
      for (const [key, text] of Object.entries(value)) node.style.setProperty(key, String(text));
      break;
    case "value":
    case "checked":
      node[name] = value;
      break;
    default:
      if (value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
}

function append(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(node, child);
    else if (child instanceof Node) node.append(child);
    else if (child !== null && child !== undefined && child !== false) node.append(String(child));
  }
}
