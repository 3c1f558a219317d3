import type { BrowserContext } from 'playwright-core';

export interface Load {
  /** The sum of all movements, which is at least the browser's own figure. */
  readonly layoutShift: number;
  /** Which elements moved most. */
  readonly moved: readonly string[];
  /** In milliseconds; 0 if no task took 50 or more. */
  readonly longestTask: number;
}

const slowdown = 4;

const observe = `globalThis.seen = { shifts: [], tasks: [] };
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) seen.shifts.push({ value, nodes: sources.map(({ node }) =>
      node ? (node.nodeName + '.' + (node.className || node.id || node.textContent || '')).slice(0, 60) : '?') });
}).observe({ type: 'layout-shift', buffered: true });
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) seen.tasks.push(duration);
}).observe({ type: 'longtask', buffered: true });`;

/** Loads a page with a processor of a quarter of the speed, and says what moved and how long it was busy at a time. */
export async function watchLoad(
  context: BrowserContext,
  path: string,
  viewport: { readonly width: number; readonly height: number },
): Promise<Load> {
  const page = await context.newPage();
  try {
    // A busy machine at a quarter of its speed needs long.
    page.setDefaultTimeout(120_000);
    await page.setViewportSize(viewport);
    await page.addInitScript(observe);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(path);
    await page.getByRole('heading').first().waitFor();
    await page.waitForLoadState('networkidle');
    // Everything loads a second time when the realtime channel opens.
    await page.evaluate('new Promise((done) => setTimeout(done, 1_500))');
    return await page.evaluate<Load>(`({
      layoutShift: seen.shifts.reduce((sum, { value }) => sum + value, 0),
      moved: seen.shifts.toSorted((left, right) => right.value - left.value).slice(0, 3).map(({ value, nodes }) =>
        value.toFixed(4) + ' ' + nodes.join(', ')),
      longestTask: Math.max(0, ...seen.tasks),
    })`);
  } finally {
    await page.close();
  }
}
