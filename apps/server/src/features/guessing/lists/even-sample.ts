/** Some of the items, from all parts of the list, and the same ones each time. */
export function evenSample<Item>(items: readonly Item[], size: number): Item[] {
  const step = Math.max(1, items.length / size);
  return items.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
}
