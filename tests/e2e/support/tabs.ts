import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';
import { sharedBrowser } from './browser.ts';

/** Cookies and storage of a browser. */
export type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

/** What a test may ask of its tab. */
export interface TabOptions
  extends Pick<BrowserContextOptions, 'colorScheme' | 'reducedMotion' | 'permissions'> {
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Of the product's origin only. */
  readonly storageState?: StorageState;
}

const defaultViewport = { width: 1280, height: 900 };
/** A page of the product without scripts. */
const blankPath = '/version.json';
/** What tests listen to. */
const pageEvents = ['console', 'dialog', 'download', 'pageerror', 'request', 'requestfailed', 'response'];
/** A browser reports a violation of the policy to the page, to the console, or to both. */
const reportViolations = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy violation', event.effectiveDirective, event.blockedURI, event.sourceFile));`;
const isViolation = (text: string) =>
  text.startsWith('policy violation') || text.includes('Content Security Policy');
/** Runs on the blank page. */
const clearStorage = 'localStorage.clear(), sessionStorage.clear()';

/**
 * The tests of a worker use its tabs one after the other. A page in a tab of a new context costs twice as much: its new
 * process has to load and compile the app first.
 */
const freeTabs: Tab[] = [];
const tabs = new WeakMap<Page, Tab>();

/** A tab with cookies and storage of its own, until the test ends. */
export async function openPage(options: TabOptions = {}): Promise<Page> {
  const tab = freeTabs.pop() ?? (await newTab());
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') for (const page of tab.context.pages()) await printPage(page);
    // A test that ran out of time may still use its tab.
    const isReusable = task.result?.state === 'pass' && (await clean(tab).catch(() => false));
    if (isReusable) freeTabs.push(tab);
    else await tab.context.close();
    const troubles = tab.takeTroubles();
    if (troubles.length > 0) throw new Error(`The browser reports:\n${troubles.join('\n')}`);
  });
  await furnish(tab, options);
  return tab.page;
}

/**
 * Violations of the content-security policy, and errors that no code caught, in the tab of this page so far. Those that no
 * test takes fail the test at its end.
 */
export const takeTroubles = (page: Page): string[] => tabs.get(page)?.takeTroubles() ?? [];

interface Tab {
  readonly context: BrowserContext;
  readonly page: Page;
  takeTroubles(): string[];
  /** Whether the test did something that cannot be undone. */
  isSpoiled(): boolean;
}

async function newTab(): Promise<Tab> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ baseURL: inject('product').url });
  // Pages and workers are slow on a busy machine.
  context.setDefaultTimeout(100_000);
  await context.addInitScript(reportViolations);
  const troubles: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && isViolation(message.text()))
      troubles.push(`${message.page()?.url()} ${message.text()}`);
  });
  context.on('weberror', (thrown) => troubles.push(`${thrown.page()?.url()} ${thrown.error().message}`));
  const page = await context.newPage();
  await page.goto(blankPath);
  let isSpoiled = false;
  const spoil = () => {
    isSpoiled = true;
  };
  const scripting = ['addInitScript', 'routeWebSocket', 'exposeFunction', 'exposeBinding'] as const;
  beforeCall(page, [...scripting, 'addLocatorHandler'], spoil);
  beforeCall(page.clock, ['install'], spoil);
  beforeCall(context, [...scripting, 'route', 'newCDPSession'], spoil);
  const tab: Tab = { context, page, isSpoiled: () => isSpoiled, takeTroubles: () => troubles.splice(0) };
  tabs.set(page, tab);
  return tab;
}

/** Calls `act` before each call of these methods. */
function beforeCall<Target extends object>(
  target: Target,
  methods: readonly (keyof Target)[],
  act: () => void,
): void {
  for (const name of methods) {
    const method = target[name] as (...values: unknown[]) => unknown;
    const watched = (...values: unknown[]) => {
      act();
      return method.apply(target, values);
    };
    Object.assign(target, { [name]: watched });
  }
}

async function furnish({ context, page }: Tab, options: TabOptions): Promise<void> {
  // Drawing movements takes a tenth of the processor's time. Tests of motion ask for it.
  const { colorScheme = 'light', reducedMotion = 'reduce', permissions } = options;
  // A tab behind another one draws nothing.
  await page.bringToFront();
  await page.setViewportSize(options.viewport ?? defaultViewport);
  await page.emulateMedia({ colorScheme, reducedMotion });
  if (permissions) await context.grantPermissions(permissions);
  if (!options.storageState) return;
  const { cookies, origins } = options.storageState;
  await context.addCookies(cookies);
  for (const { name, value } of origins.flatMap(({ localStorage }) => localStorage)) {
    await page.evaluate(`localStorage.setItem(${JSON.stringify(name)}, ${JSON.stringify(value)})`);
  }
}

/** Prints what a page shows, to explain a failed test. */
async function printPage(page: Page): Promise<void> {
  const shown = await page
    .locator('body')
    .ariaSnapshot({ timeout: 5_000 })
    .catch((error: Error) => error.message);
  console.error(`${page.url()} shows:\n${shown}`);
}

/** Removes what the test left in the tab; false if that is not possible. */
async function clean({ context, page, isSpoiled }: Tab): Promise<boolean> {
  if (isSpoiled() || page.isClosed()) return false;
  for (const other of context.pages()) if (other !== page) await other.close();
  for (const event of pageEvents) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await page.mouse.move(0, 0);
  await page.goto(blankPath);
  await page.evaluate(clearStorage);
  await context.clearCookies();
  await context.clearPermissions();
  return true;
}
