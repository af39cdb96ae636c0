// Small drawings beside texts, as elements of SVG: for those that no chart is needed for.

const NAMESPACE = "http://www.w3.org/2000/svg";

/** An element of SVG; `attributes` that are undefined are left out. */
export function svg(tag, attributes, ...children) {
  const node = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== undefined) node.setAttribute(name, String(value));
  }
  node.append(...children.filter((child) => child !== undefined && child !== false));
  return node;
}
