import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { browserFlags, findBrowser } from '../../e2e/support/browser.ts';
import type { StorageState } from '../../e2e/support/tabs.ts';
import { openBareTab } from './bare-tab.ts';

export interface SignedInBrowser {
  /** Where programs can drive the browser. */
  readonly debuggingPort: number;
  close(): Promise<void>;
}

/** A browser whose own profile is signed in, because Lighthouse opens its tab there. */
export async function openSignedInBrowser(url: string, state: StorageState): Promise<SignedInBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'assay-pages-'));
  const flags = [...browserFlags, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const browser = spawn(await findBrowser(), [...flags, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const isGone = once(browser, 'exit');
  const debuggingPort = await readDebuggingPort(browser);
  const close = async () => {
    // Not by a signal, which would only end the shell script that Debian puts around the browser.
    const tab = await openBareTab(debuggingPort);
    tab.send('Browser.close').catch(() => 'It may be gone before it answers.');
    await isGone;
    await rm(profile, { recursive: true, force: true });
  };
  try {
    await signIn(debuggingPort, url, state);
    return { debuggingPort, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readDebuggingPort({ stderr }: ChildProcess): Promise<number> {
  if (!stderr) throw new Error('The browser has no output.');
  const lines = createInterface({ input: stderr });
  for await (const line of lines) {
    const [, port] = /^DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(line) ?? [];
    if (port === undefined) continue;
    // Nobody reads the rest, and a full pipe would stop the browser.
    stderr.resume();
    return Number(port);
  }
  throw new Error('The browser did not start.');
}

async function signIn(debuggingPort: number, url: string, { cookies, origins }: StorageState): Promise<void> {
  const tab = await openBareTab(debuggingPort);
  for (const cookie of cookies) await tab.send('Network.setCookie', cookie);
  // A page of the product without scripts.
  await tab.send('Page.navigate', { url: `${url}/version.json` });
  const stored = origins.flatMap(({ localStorage }) => localStorage);
  await tab.evaluate(
    `for (const { name, value } of ${JSON.stringify(stored)}) localStorage.setItem(name, value)`,
  );
  await tab.close();
}
