import { describe, expect, it } from 'vitest';
import { isClickOnRow } from './row-click.ts';

// A row with the path of tags from the clicked element up to it; enough of a document for the question asked.
function clickOn(tags: string[], { isInsideRow = true, isModified = false } = {}): boolean {
  const target = Object.assign(new EventTarget(), {
    closest: (selector: string) => (tags.some((tag) => selector.split(', ').includes(tag)) ? target : null),
  }) as unknown as Element;
  return isClickOnRow({ row: { contains: () => isInsideRow }, target, isModified });
}

describe('§2 Bulk tab grid: clicking a row opens it, except clicks on buttons or icons', () => {
  it('a click on a cell or its text opens the row', () => {
    expect(clickOn(['td'])).toBe(true);
    expect(clickOn(['span', 'td'])).toBe(true);
  });
  it.each([
    [['button', 'td']],
    [['svg', 'td']],
    [['path', 'svg', 'td']],
    [['path', 'svg', 'button', 'td']],
    [['a', 'td']],
    [['[role="menuitem"]']],
  ])('a click on %j does not', (tags) => {
    expect(clickOn(tags)).toBe(false);
  });
  it('a click in a dialog that the row opened does not', () => {
    expect(clickOn(['p', 'div'], { isInsideRow: false })).toBe(false);
  });
  it('a click with a key held down does not', () => {
    expect(clickOn(['td'], { isModified: true })).toBe(false);
  });
});
