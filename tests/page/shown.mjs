// What of the data a view shows, and where: every element with `data-value`, with the table,
// row and column, or the figure, that the elements around it name.

/** The values that a page shows now. */
export async function shownValues(page) {
  // As a text: hundreds of objects take the browser's protocol longer than the page.
  const values = await page.evaluate(() => {
    const named = (node, name) => node.closest(`[data-${name}]`)?.getAttribute(`data-${name}`) ?? undefined;
    const isShown = (node) => node.checkVisibility({ visibilityProperty: true });
    const shown = [...document.querySelectorAll('[data-value]')].filter(isShown).map((node) => {
      const row = named(node, 'row');
      return {
        value: node.getAttribute('data-value'),
        text: (node.matches('input') ? node.value : node.textContent).slice(0, 200),
        table: named(node, 'table'),
        row: row === undefined ? undefined : Number(row),
        column: named(node, 'column'),
        figures: named(node, 'figures'),
        key: named(node, 'key'),
        computed: named(node, 'computed'),
        edit: node.dataset.edit,
      };
    });
    return JSON.stringify(shown);
  });
  return JSON.parse(values);
}

/** A value's place in words. */
export function place(value) {
  const of = value.table === undefined ? [value.figures, value.key] : [value.table, value.row, value.column];
  return of.map((part) => part ?? '?').join('/');
}

/** Views of the page, in their order. */
export function viewsOf(page) {
  return page.locator('[role=tab]').evaluateAll((tabs) => tabs.map((tab) => tab.dataset.view));
}

/** Sentences in which the page says that something is not as it was asked for. */
export function messages(page) {
  return page.locator('[data-message]').evaluateAll((all) => all.map((node) => node.textContent.trim()).filter((text) => text !== ''));
}
