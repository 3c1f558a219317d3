import { openBareTab } from './bare-tab.ts';

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

/**
 * Resolves when there is a heading, nothing loads, and nothing was fetched for two seconds: everything loads a second time when
 * the realtime channel opens.
 */
const untilQuiet = `new Promise((resolve, reject) => {
  let [fetched, quietSince] = [-1, 0];
  const timer = setInterval(() => {
    const count = performance.getEntriesByType('resource').length;
    const isThere = document.querySelector('h1, h2') && !document.querySelector('[aria-busy="true"]');
    if (count !== fetched || !isThere) [fetched, quietSince] = [count, performance.now()];
    const isQuiet = performance.now() - quietSince > 2_000;
    const isLate = performance.now() > 120_000;
    if (!isQuiet && !isLate) return;
    clearInterval(timer);
    if (isQuiet) resolve(); else reject(new Error('The page is never quiet.'));
  }, 250);
})`;

/** Loads a page with a processor of a quarter of the speed, and says what moved and how long it was busy at a time. */
export async function watchLoad(
  debuggingPort: number,
  url: string,
  viewport: { readonly width: number; readonly height: number },
): Promise<Load> {
  const tab = await openBareTab(debuggingPort);
  try {
    await tab.send('Emulation.setDeviceMetricsOverride', {
      ...viewport,
      deviceScaleFactor: 1,
      mobile: false,
    });
    await tab.send('Page.enable');
    await tab.send('Page.addScriptToEvaluateOnNewDocument', { source: observe });
    await tab.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await tab.navigate(url);
    await tab.evaluate(untilQuiet);
    return await tab.evaluate<Load>(`({
      layoutShift: seen.shifts.reduce((sum, { value }) => sum + value, 0),
      moved: seen.shifts.toSorted((left, right) => right.value - left.value).slice(0, 3).map(({ value, nodes }) =>
        value.toFixed(4) + ' ' + nodes.join(', ')),
      longestTask: Math.max(0, ...seen.tasks),
    })`);
  } finally {
    await tab.close();
  }
}
