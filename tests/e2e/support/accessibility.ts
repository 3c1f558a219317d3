import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What axe finds wrong with the page now: each broken rule with the elements that break it. */
export async function accessibilityProblems(page: Page, rules: Rules = 'all'): Promise<string[]> {
  // A tab behind another one draws nothing, so its animations never end.
  await page.bringToFront();
  const problems = await problemsOnceStill(page, rules);
  // A message that began to fade during the first look is pale: only what both looks find is a problem.
  return problems.length === 0 ? problems : problemsOnceStill(page, rules);
}

/** The two schemes differ in their colours only, so the second look is at those. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  for (const [colorScheme, rules] of [
    ['dark', 'colours'],
    ['light', 'all'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    expect([colorScheme, await accessibilityProblems(page, rules)]).toEqual([colorScheme, []]);
  }
}

type Rules = 'all' | 'colours';

async function problemsOnceStill(page: Page, rules: Rules): Promise<string[]> {
  // The first look makes the browser apply pending changes, the second waits for the animations that they start.
  await page.evaluate(endOfMotion);
  await page.evaluate(endOfMotion);
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  return page.evaluate<string[]>(violations(rules));
}

// A colour on its way to another may be too pale for a moment. Animations without an end are not waited for.
const endOfMotion = `Promise.allSettled(
  document.getAnimations()
    .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime))
    .map((animation) => animation.finished),
).then(() => undefined)`;

const violations = (rules: Rules) => `axe.run(document, {
  resultTypes: ['violations'],
  ${rules === 'colours' ? "runOnly: ['color-contrast', 'link-in-text-block']," : ''}
}).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`;
