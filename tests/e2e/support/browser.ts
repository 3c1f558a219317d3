import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * The flags stop the browser's own requests to its maker, which a closed network would refuse one by one.
 * The sandbox of Chromium does not start as root.
 */
const flags = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
];

let launched: Promise<Browser> | undefined;

/** One browser for all test files of a worker; Playwright ends it with the process. Each test has contexts of its own. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= findBrowser().then((executablePath) => chromium.launch({ executablePath, args: flags }));
  return launched;
}

/** The machine's Chromium; else the one inside an npm package; else, as root on Debian, its package. */
export async function findBrowser(): Promise<string> {
  const installed = process.env.CHROMIUM_PATH ?? findOnPath();
  if (installed) return installed;

  // The package contains a browser for this platform only.
  if (process.platform === 'linux' && process.arch === 'x64') {
    const { default: packaged } = await import('@sparticuz/chromium');
    return packaged.executablePath();
  }
  return installFromDebian();
}

function findOnPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

function installFromDebian(): string {
  if (process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get')) {
    console.log('Installing Chromium for the browser tests …');
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
    execFileSync('apt-get', ['install', '-y', '-qq', 'chromium'], { stdio: 'ignore' });
    const installed = findOnPath();
    if (installed) return installed;
  }
  throw new Error('The browser tests need Chromium: install it, or set CHROMIUM_PATH to one.');
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
