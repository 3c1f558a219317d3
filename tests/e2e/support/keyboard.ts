import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** More stops than any of our pages has before something that people want. */
const stopsMax = 60;

/**
 * Goes to a control with the Tab key alone. Every stop on the way must be marked, inside of the window, and below or beside the stop
 * before it in the same part of the page.
 */
export async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  const page = target.page();
  const passed: string[] = [];
  for (let stop = 0; stop < stopsMax; stop++) {
    if (await isFocused(target)) return;
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate<string>(problemOfFocus), { message: passed.join(' → ') }).toBe('');
    passed.push(await page.evaluate<string>(nameOfFocus));
  }
  throw new Error(`The Tab key does not lead there. It leads to: ${passed.join(' → ')}`);
}

/** Goes to a button or link and presses it. */
export async function press(target: Locator): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.press('Enter');
}

/** Goes to a field and types into it. */
export async function type(target: Locator, text: string): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.press('Control+a');
  await target.page().keyboard.type(text);
}

/** Goes to a select and types the start of a choice. */
export async function choose(target: Locator, start: string): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.type(start);
}

/** The words of what has the focus. */
export const focusedName = (page: Page): Promise<string> => page.evaluate<string>(nameOfFocus);

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

// The pages of other companies have no types of ours, so what runs in them is text.
const nameOfFocus = `(() => {
  const { activeElement: focused } = document;
  return (focused.ariaLabel ?? focused.labels?.[0]?.innerText ?? (focused.innerText || focused.tagName)).trim().slice(0, 40);
})()`;

// A copy of the element without the focus shows how it looks unmarked.
const problemOfFocus = `(() => {
  const { activeElement: focused } = document;
  if (focused === document.body) return '';
  const before = window.stopBefore?.deref();
  window.stopBefore = new WeakRef(focused);
  const box = focused.getBoundingClientRect();
  if (box.width === 0 || box.bottom <= 0 || box.top >= innerHeight) return 'It is not in sight.';
  const part = (element) => element.closest('[role="dialog"], aside, nav, table, form, main');
  if (before?.isConnected && part(before) === part(focused) && box.bottom <= before.getBoundingClientRect().top)
    return 'It is above the stop before it.';
  const looks = (element) => {
    const { outlineStyle, outlineWidth, outlineColor, borderColor, boxShadow } = getComputedStyle(element);
    return [outlineStyle === 'none' ? '' : outlineWidth + outlineColor, borderColor, boxShadow].join();
  };
  const copy = focused.cloneNode(false);
  focused.after(copy);
  const isMarked = looks(copy) !== looks(focused);
  copy.remove();
  return isMarked ? '' : 'It is not marked.';
})()`;
