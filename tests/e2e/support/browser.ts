import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Chromium without its windows draws a page with about a third of the work. */
const shellName = 'chromium-headless-shell';
const fullNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * The flags stop the browser's own requests to its maker, which a closed network would refuse one by one.
 * The sandbox of Chromium does not start as root.
 */
export const browserFlags = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--in-process-gpu'],
];

let launched: Promise<Browser> | undefined;

/** One browser for all test files of a worker; Playwright ends it with the process. Each test has contexts of its own. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launchBrowser();
  return launched;
}

/** Chromium itself rarely crashes at its start, with a segmentation fault, and the next start succeeds. */
const launchesMax = 3;

/** A browser with further flags, which its caller closes. */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  const executablePath = await findBrowser();
  for (let launch = 1; ; launch++) {
    try {
      // With site isolation, each way to the identity provider and back starts two processes, which load and compile the app
      // again.
      const args = [...browserFlags, '--disable-site-isolation-trials', ...flags];
      return await chromium.launch({ executablePath, args });
    } catch (error) {
      if (launch === launchesMax) throw error;
      console.warn('Chromium did not start and is started again:', error);
    }
  }
}

/**
 * Chromium's headless shell: the machine's, else the one inside an npm package, else, as root on Debian, its package. Where
 * there is none, the machine's whole Chromium does.
 */
export async function findBrowser(): Promise<string> {
  const installed = process.env.CHROMIUM_PATH ?? findOnPath([shellName]);
  if (installed) return installed;

  // The package contains a browser for this platform only.
  if (process.platform === 'linux' && process.arch === 'x64') {
    const { default: packaged } = await import('@sparticuz/chromium');
    return packaged.executablePath();
  }
  const found = installFromDebian() ?? findOnPath(fullNames);
  if (found) return found;
  throw new Error('The browser tests need Chromium: install it, or set CHROMIUM_PATH to one.');
}

export function findOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

function installFromDebian(): string | undefined {
  if (process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get')) return undefined;
  console.log('Installing Chromium for the browser tests …');
  try {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
    execFileSync('apt-get', ['install', '-y', '-qq', shellName], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return findOnPath([shellName]);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
