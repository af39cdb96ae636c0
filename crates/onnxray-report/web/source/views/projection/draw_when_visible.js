// Charts that follow edits only while they are in sight, or close to it: drawing is what takes
// most time of an edit.

const MARGIN = "300px";

const waiting = new WeakMap();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const chart = waiting.get(target);
      chart.isVisible = isIntersecting;
      if (isIntersecting && chart.isBehind) chart.draw();
    }
  },
  { rootMargin: MARGIN },
);

/**
 * @param {{node: HTMLElement, refresh: () => void}} chart of chart.js
 * @returns {{node: HTMLElement, refresh: () => void}} the same, drawn again when it is visible
 */
export function drawWhenVisible({ node, refresh }) {
  const chart = {
    isVisible: false,
    isBehind: false,
    draw() {
      chart.isBehind = false;
      refresh();
    },
  };
  waiting.set(node, chart);
  observer.observe(node);
  return {
    node,
    refresh() {
      if (chart.isVisible) chart.draw();
      else chart.isBehind = true;
    },
  };
}
