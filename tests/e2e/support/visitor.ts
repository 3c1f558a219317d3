import { randomUUID } from 'node:crypto';
import type { Page, WebSocket } from 'playwright-core';
import { expect } from 'vitest';

export { openPage } from './tabs.ts';

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** A person without an account. */
export const newPerson = (): Person => ({
  email: `ada-${randomUUID().slice(0, 8)}@exists.test`,
  password: 'plumb-line-and-balance',
  firstName: 'Ada',
  lastName: 'Assayer',
});

/** Signs up as a person does: from the product's first page through the provider's pages and back. */
export async function signUp(page: Page, person: Person = newPerson()): Promise<Person> {
  await page.goto('/');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/email-verification/single');
  return person;
}

export async function signIn(page: Page, person: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Goes to a page and waits until it receives events: earlier events bring no message. */
export async function gotoAndListen(page: Page, path: string): Promise<WebSocket> {
  // Once the page before is gone, which may just have opened a channel of its own.
  await page.goto(path, { waitUntil: 'commit' });
  const socket = await page.waitForEvent('websocket');
  await socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('"ready"'));
  await page.waitForLoadState();
  return socket;
}

// A negative value is the room that the page keeps for a scroll bar.
const overflowNow = `Math.max(0, ...[document.documentElement, ...document.querySelectorAll('section:has(> table)')].map(
  (seen) => seen.scrollWidth - seen.clientWidth))`;

/** By how many pixels the page, or a table on it, is wider than its visible part; 0 when all is visible. */
export async function sidewaysOverflow(page: Page): Promise<number> {
  const measure = () => page.evaluate<number>(overflowNow);
  // After a change of the width, what is measured by scripts follows some frames later. Asked from here, because the
  // content-security policy does not let the page ask itself by `waitForFunction`.
  await expect
    .poll(measure, { timeout: 3_000 })
    .toBe(0)
    .catch(() => undefined);
  return measure();
}

/** How many rows of a grid end above the lower edge of the window. */
export const rowsInView = (page: Page, grid: string): Promise<number> =>
  page.evaluate<number>(`[...document.querySelectorAll('section[aria-label="${grid}"] tbody tr')]
    .filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length`);

/** Widths at which grids once hid columns or widened the page, and the two ends. */
const widths = [320, 390, 620, 700, 768, 840, 1080, 1280, 1440];

/** Everything that is cut off or makes the page scroll sideways, at several widths. */
export async function cutOffAtAnyWidth(page: Page): Promise<string[]> {
  const problems: string[] = [];
  const before = page.viewportSize() ?? { width: 1280, height: 900 };
  for (const width of widths) {
    await page.setViewportSize({ width, height: 860 });
    // Layouts follow the width in the next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const overflow = await sidewaysOverflow(page);
    const hidden = await page.evaluate<string[]>(hiddenCells);
    if (overflow > 0 || hidden.length > 0) problems.push(`${width}: ${overflow} px, ${hidden.join(', ')}`);
  }
  await page.setViewportSize(before);
  return problems;
}

const hiddenCells = `[...document.querySelectorAll('tbody tr:first-child td')]
  .filter((cell) => cell.getBoundingClientRect().right > document.documentElement.clientWidth)
  .map((cell) => cell.dataset.label ?? 'menu')`;
