import { randomUUID } from 'node:crypto';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { inject } from 'vitest';

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** Somebody nobody has seen before. */
export const newPerson = (): Person => ({
  email: `ada-${randomUUID().slice(0, 8)}@exists.test`,
  password: 'plumb-line-and-balance',
  firstName: 'Ada',
  lastName: 'Assayer',
});

/** A browser of one person's own: no cookies, no storage. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: inject('product').url,
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  return context.newPage();
}

/** From the product's front door through the provider's pages and back. */
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

/** What an accessibility checker finds wrong with the page as it stands: each rule with the elements it names. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // A tab behind another one draws nothing, and nothing in it comes to its end.
  await page.bringToFront();
  const problems = await problemsOnceStill(page);
  // A message may begin to fade during the look, and is pale then: a problem is what is there at the second look, too.
  return problems.length === 0 ? problems : problemsOnceStill(page);
}

/** Goes to a page and waits until it hears events: what ended before then is shown, but brings no message. */
export async function gotoAndListen(page: Page, path: string): Promise<void> {
  const ready = page
    .waitForEvent('websocket')
    .then((socket) =>
      socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('"ready"')),
    );
  await Promise.all([ready, page.goto(path)]);
}

/** By how many pixels the page, or a table on it, is wider than what is seen of it; 0 when all of it is seen. */
export const sidewaysOverflow = (page: Page): Promise<number> =>
  // Less than nothing is room that the page keeps for a scroll bar.
  page.evaluate<number>(
    `Math.max(0, ...[document.documentElement, ...document.querySelectorAll('section:has(> table)')].map(
      (seen) => seen.scrollWidth - seen.clientWidth))`,
  );

/** Widths at which grids once hid columns or widened the page, and the two ends. */
const widths = [320, 390, 620, 700, 768, 840, 1080, 1280, 1440];

/** What is cut off or makes the page scroll sideways, at every width; nothing when all of it is seen. */
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

async function problemsOnceStill(page: Page): Promise<string[]> {
  // The first look makes the browser apply what has just changed; what that sets in motion is seen by the second.
  await page.evaluate(endOfMotion);
  await page.evaluate(endOfMotion);
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

// A colour on its way from one to another may be too pale for a moment. What turns for ever is not waited for.
const endOfMotion = `Promise.allSettled(
  document.getAnimations()
    .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime))
    .map((animation) => animation.finished),
)`;
