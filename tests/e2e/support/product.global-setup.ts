import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { makeDataFolder } from '../../../apps/server/src/testing/data-folder.ts';
import { findBrowser } from './browser.ts';
import { freePortRange, interrupt, startProduct, untilReady } from './started-product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the product under test, and what its commands need to find it. */
    product: { readonly url: string; readonly dataFolder: string; readonly port: number };
  }
}

/** Starts the built product with `npm start`, on ports and data of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Before the workers start, because finding a browser may install it.
  process.env.CHROMIUM_PATH = await findBrowser();
  const dataFolder = await makeDataFolder('assay-browser-');
  const port = await freePortRange();
  const product = startProduct({
    PORT: String(port),
    ASSAY_DATA: dataFolder,
    ASSAY_STAGE: 'staging',
    // The tests' own receivers of webhooks.
    WEBHOOK_ALLOW_RANGES: '127.0.0.1/32',
  });
  product.process.stderr?.pipe(process.stderr);
  // An interrupted run does not reach the teardown below.
  process.once('exit', () => interrupt(product));
  await untilReady(product);
  project.provide('product', { url: `http://localhost:${port}`, dataFolder, port });

  return async () => {
    interrupt(product);
    await product.ended;
    await rm(dataFolder, { recursive: true, force: true });
  };
}
