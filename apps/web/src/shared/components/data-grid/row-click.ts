const OWN_PURPOSE = 'button, a, svg, input, select, label, [role="button"], [role="menuitem"]';

interface ClickedPlace {
  readonly row: Pick<Element, 'contains'>;
  readonly target: EventTarget & Partial<Pick<Element, 'closest'>>;
  readonly isModified: boolean;
}

/**
 * Whether a click on a row means the row itself. Buttons, links and icons have a purpose of their own. A menu or a dialog
 * that a row opened lies elsewhere in the page, but React lets its clicks through to the row. Someone who selects the text
 * of a row or holds a key down does not want to leave.
 */
export function isClickOnRow({ row, target, isModified }: ClickedPlace): boolean {
  if (isModified || !row.contains(target as Node)) return false;
  return target.closest?.(OWN_PURPOSE) === null;
}
