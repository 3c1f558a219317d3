import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installApart } from '../harness/install-apart.ts';
import { openBareTab } from './bare-tab.ts';

const categories = ['performance', 'accessibility', 'best-practices'] as const;
type Category = (typeof categories)[number];
export type FormFactor = 'desktop' | 'mobile';

export interface LighthouseResult {
  /** 0 to 100. */
  readonly scores: Readonly<Record<Category, number>>;
  /** The checks of accessibility and best practices that failed. */
  readonly failed: readonly string[];
  /** In milliseconds. */
  readonly largestPaint: number;
  readonly blockingTime: number;
}

/** The part of the package that is used here; it is not installed when the types are checked. */
interface Lighthouse {
  readonly default: (url: string, flags: object, config?: object) => Promise<{ lhr: Report } | undefined>;
  readonly desktopConfig: object;
}

interface Report {
  readonly runtimeError?: { readonly message: string };
  readonly categories: Readonly<
    Record<
      Category,
      {
        readonly score: number | null;
        readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
      }
    >
  >;
  readonly audits: Readonly<
    Record<string, { readonly score: number | null; readonly numericValue?: number }>
  >;
}

/** Measures a first visit, as Lighthouse's own program does, in a browser that is signed in. */
export async function runLighthouse(
  url: string,
  { port, formFactor }: { readonly port: number; readonly formFactor: FormFactor },
): Promise<LighthouseResult> {
  const entry = join(installApart('lighthouse'), 'lighthouse', 'core', 'index.js');
  const { default: lighthouse, desktopConfig }: Lighthouse = await import(pathToFileURL(entry).href);
  await forgetFiles(port);
  const flags = { port, onlyCategories: [...categories], disableStorageReset: true, logLevel: 'error' };
  const result = await lighthouse(url, flags, formFactor === 'desktop' ? desktopConfig : undefined);
  if (!result || result.lhr.runtimeError)
    throw new Error(`Lighthouse failed at ${url}: ${result?.lhr.runtimeError?.message}`);
  return readReport(result.lhr);
}

/** Empties the cache of the browser. Lighthouse itself would also remove what makes it signed in. */
async function forgetFiles(debuggingPort: number): Promise<void> {
  const tab = await openBareTab(debuggingPort);
  await tab.send('Network.clearBrowserCache');
  await tab.close();
}

function readReport({ categories: measured, audits }: Report): LighthouseResult {
  const scoreOf = (category: Category) => Math.round((measured[category].score ?? 0) * 100);
  const failed = (['accessibility', 'best-practices'] as const)
    .flatMap((category) => measured[category].auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => id);
  return {
    scores: {
      performance: scoreOf('performance'),
      accessibility: scoreOf('accessibility'),
      'best-practices': scoreOf('best-practices'),
    },
    failed,
    largestPaint: audits['largest-contentful-paint']?.numericValue ?? 0,
    blockingTime: audits['total-blocking-time']?.numericValue ?? 0,
  };
}
