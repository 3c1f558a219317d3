import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { browserFlags, findBrowser } from '../../e2e/support/browser.ts';
import type { StorageState } from '../../e2e/support/tabs.ts';

export interface SignedInBrowser {
  readonly context: BrowserContext;
  /** Where other programs can drive the browser. */
  readonly debuggingPort: number;
  close(): Promise<void>;
}

/** A browser whose own profile is signed in, because Lighthouse opens its tab there. */
export async function openSignedInBrowser(
  baseURL: string,
  { cookies, origins }: StorageState,
): Promise<SignedInBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'assay-pages-'));
  const debuggingPort = await freePort();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await findBrowser(),
    args: [...browserFlags, `--remote-debugging-port=${debuggingPort}`],
    baseURL,
    reducedMotion: 'no-preference',
  });
  await context.addCookies(cookies);
  const page = await context.newPage();
  // A page of the product without scripts.
  await page.goto('/version.json');
  for (const { name, value } of origins.flatMap(({ localStorage }) => localStorage))
    await page.evaluate(`localStorage.setItem(${JSON.stringify(name)}, ${JSON.stringify(value)})`);
  await page.close();
  return {
    context,
    debuggingPort,
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No free port.')),
      );
    });
  });
}
