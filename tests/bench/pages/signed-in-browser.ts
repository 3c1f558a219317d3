import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { browserFlags, findBrowser } from '../../e2e/support/browser.ts';
import type { StorageState } from '../../e2e/support/tabs.ts';
import { openBareTab } from './bare-tab.ts';

/** Runs work with a browser whose own profile is signed in, because Lighthouse opens its tab there. */
export async function withSignedInBrowser<Result>(
  url: string,
  state: StorageState,
  work: (debuggingPort: number) => Promise<Result>,
): Promise<Result> {
  const profile = await mkdtemp(join(tmpdir(), 'assay-pages-'));
  const flags = [...browserFlags, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  // Its own group: Debian puts a shell script around the browser, which a signal would end alone.
  const browser = spawn(await findBrowser(), [...flags, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const isGone = once(browser, 'close').catch(() => 'It did not start.');
  try {
    const debuggingPort = await readDebuggingPort(browser);
    await signIn(debuggingPort, url, state);
    return await work(debuggingPort);
  } finally {
    if (browser.pid !== undefined && browser.exitCode === null) process.kill(-browser.pid);
    await isGone;
    await rm(profile, { recursive: true, force: true });
  }
}

async function readDebuggingPort({ stderr }: ChildProcess): Promise<number> {
  if (!stderr) throw new Error('The browser has no output.');
  for await (const line of createInterface({ input: stderr })) {
    const [, port] = /^DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(line) ?? [];
    if (port === undefined) continue;
    // A full pipe would block the browser.
    stderr.resume();
    return Number(port);
  }
  throw new Error('The browser did not start.');
}

async function signIn(debuggingPort: number, url: string, { cookies, origins }: StorageState): Promise<void> {
  const tab = await openBareTab(debuggingPort);
  for (const cookie of cookies) await tab.send('Network.setCookie', cookie);
  // A page of the product without scripts.
  await tab.navigate(`${url}/version.json`);
  const stored = origins.flatMap(({ localStorage }) => localStorage);
  await tab.evaluate(
    `for (const { name, value } of ${JSON.stringify(stored)}) localStorage.setItem(name, value)`,
  );
  await tab.close();
}
