// npm run firefox: a customer's main path in the system's Firefox, by WebDriver BiDi. Not run where there is no Firefox.
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { firefox } from 'playwright-core';
import { makeDataFolder } from '../../apps/server/src/testing/data-folder.ts';
import { findOnPath } from '../e2e/support/browser.ts';
import { freePortRange, interrupt, startProduct, untilReady } from '../e2e/support/started-product.ts';
import { mainPath } from './main-path.ts';

const failurePicture = fileURLToPath(new URL('../../coverage/firefox-failure.png', import.meta.url));
const launcher = fileURLToPath(new URL('./launch-with-relay.mjs', import.meta.url));

const installed = process.env.FIREFOX_PATH ?? findOnPath(['firefox-esr', 'firefox']);
if (installed) await runIn(installed);
else console.log('Firefox: not run: install the package firefox-esr, or set FIREFOX_PATH.');

async function runIn(path: string): Promise<void> {
  const dataFolder = await makeDataFolder('assay-firefox-');
  const port = await freePortRange();
  const product = startProduct({ PORT: String(port), ASSAY_DATA: dataFolder });
  try {
    await untilReady(product);
    // This channel is how Playwright speaks WebDriver BiDi to a Firefox that it did not build.
    const browser = await firefox.launch({
      channel: 'moz-firefox',
      executablePath: launcher,
      env: { ...process.env, FIREFOX_PATH: path },
    });
    try {
      const page = await browser.newPage({ baseURL: `http://localhost:${port}` });
      page.setDefaultTimeout(100_000);
      for (const { name, act } of mainPath) {
        await act(page).catch(async (error: unknown) => {
          await page.screenshot({ path: failurePicture });
          throw new Error(`Firefox: failed: ${name}: ${failurePicture}`, { cause: error });
        });
        console.log(`passed: ${name}`);
      }
      console.log(`Firefox ${browser.version()}: ${mainPath.length} passed, 0 failed`);
    } finally {
      await browser.close();
    }
  } finally {
    interrupt(product);
    await product.ended;
    await rm(dataFolder, { recursive: true, force: true });
  }
}
