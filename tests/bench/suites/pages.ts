// How fast the pages of the built web app are for a signed-in customer, and whether anything moves while they load.
import { rm } from 'node:fs/promises';
import { createClient } from '@assay/client';
import { API_BASE } from '@assay/contract';
import { makeDataFolder } from '../../../apps/server/src/testing/data-folder.ts';
import { signUpByProtocol } from '../../e2e/support/sign-up.ts';
import { freePortRange, interrupt, startProduct, untilReady } from '../../e2e/support/started-product.ts';
import { print } from '../harness/print.ts';
import { type Demand, decimal, integer, renderTable } from '../harness/report.ts';
import { type FormFactor, type LighthouseResult, runLighthouse } from '../pages/run-lighthouse.ts';
import { withSignedInBrowser } from '../pages/signed-in-browser.ts';
import { type Load, watchLoad } from '../pages/watch-load.ts';

const limits = { desktop: 98, mobile: 90, others: 100, layoutShift: 0.02, taskMs: 100 };
const viewports = { desktop: { width: 1440, height: 900 }, mobile: { width: 390, height: 844 } };
const formFactors = ['desktop', 'mobile'] as const;
/** The best of these counts, because other programs of the machine make a load slower, never faster. */
const loads = 3;

/** Options: `--only-loads` (movements and long tasks, without Lighthouse), `--only-lighthouse`, `--page PATH` (also several times). */
export async function run(options: string[]): Promise<Demand[]> {
  const dataFolder = await makeDataFolder('assay-pages-');
  const port = await freePortRange();
  const product = startProduct({ PORT: String(port), ASSAY_DATA: dataFolder, ASSAY_STAGE: 'staging' });
  try {
    await untilReady(product);
    const url = `http://localhost:${port}`;
    const { storageState, paths } = await arrange(url);
    const named = options.filter((_, place) => options[place - 1] === '--page');
    const chosen = named.length > 0 ? named : paths;
    return await withSignedInBrowser(url, storageState, async (debuggingPort) => [
      ...(options.includes('--only-lighthouse') ? [] : await measureLoads(debuggingPort, url, chosen)),
      ...(options.includes('--only-loads') ? [] : await measureScores(debuggingPort, url, chosen)),
    ]);
  } finally {
    interrupt(product);
    await product.ended;
    await rm(dataFolder, { recursive: true, force: true });
  }
}

const ada = {
  email: 'ada@exists.test',
  password: 'plumb-line-and-balance',
  firstName: 'Ada',
  lastName: 'Assayer',
};
const emails = ['jane@exists.test', 'nobody@exists.test', 'anyone@catch-all.test', 'max@exists.test'];

/** A customer with results, and the pages to measure. */
async function arrange(url: string) {
  const { token, storageState } = await signUpByProtocol(url, ada);
  const api = createClient({ baseUrl: `${url}${API_BASE}`, getToken: () => token });
  for (const email_address of emails)
    await api.validations.startSingle({ query: { wait: 30 }, body: { email_address } });
  const { id } = await api.validations.createListFromEmails({ body: { name: 'spring', emails } });
  return {
    storageState,
    paths: [
      '/email-verification/single',
      '/email-verification/bulk',
      `/email-verification/bulk/${id}`,
      '/billing',
      '/account',
      '/account/activity',
      '/account/outcomes',
      '/account/suppressions',
      '/account/feeds',
      '/warm-up',
      '/status',
      '/docs',
      '/docs/reference/single-checks',
    ],
  };
}

async function measureLoads(debuggingPort: number, url: string, paths: readonly string[]): Promise<Demand[]> {
  const rows: string[][] = [];
  const demands: Demand[] = [];
  for (const path of paths) {
    for (const formFactor of formFactors) {
      const seen: Load[] = [];
      for (let load = 0; load < loads; load++)
        seen.push(await watchLoad(debuggingPort, `${url}${path}`, viewports[formFactor]));
      const shift = Math.max(...seen.map(({ layoutShift }) => layoutShift));
      const task = Math.min(...seen.map(({ longestTask }) => longestTask));
      const moved = seen.toSorted((left, right) => right.layoutShift - left.layoutShift)[0]?.moved ?? [];
      rows.push([`${path} ${formFactor}`, decimal(shift, 4), integer(task)]);
      if (shift > 0) console.log(`${path} ${formFactor}: moved ${moved.join(' | ')}`);
      demands.push(
        {
          what: `${path} ${formFactor}: layout shift below ${limits.layoutShift}`,
          figure: decimal(shift, 4),
          isMet: shift < limits.layoutShift,
        },
        {
          what: `${path} ${formFactor}: no task above ${limits.taskMs} ms at a quarter of the speed`,
          figure: `${integer(task)} ms`,
          isMet: task <= limits.taskMs,
        },
      );
    }
  }
  print(`\n${renderTable(['', 'layout shift', 'longest task ms'], rows)}`);
  return demands;
}

async function measureScores(port: number, url: string, paths: readonly string[]): Promise<Demand[]> {
  const rows: string[][] = [];
  const demands: Demand[] = [];
  for (const path of paths) {
    for (const formFactor of formFactors) {
      const result = await runLighthouse(`${url}${path}`, { port, formFactor });
      const { performance, accessibility, 'best-practices': practices } = result.scores;
      rows.push([
        `${path} ${formFactor}`,
        ...[performance, accessibility, practices, result.largestPaint, result.blockingTime].map(integer),
      ]);
      demands.push(demandOf(path, formFactor, result));
    }
  }
  const head = ['', 'performance', 'accessibility', 'best practices', 'largest paint ms', 'blocking ms'];
  print(`\n${renderTable(head, rows)}`);
  return demands;
}

function demandOf(path: string, formFactor: FormFactor, { scores, failed }: LighthouseResult): Demand {
  const { performance, accessibility, 'best-practices': practices } = scores;
  const least = limits[formFactor];
  return {
    what: `${path} ${formFactor}: Lighthouse ${least}, ${limits.others}, ${limits.others}`,
    figure: [`${performance}, ${accessibility}, ${practices}`, ...failed].join(' '),
    isMet: performance >= least && accessibility === limits.others && practices === limits.others,
  };
}
