import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '@assay/client';
import { API_BASE } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataFolder } from '../../../apps/server/src/testing/data-folder.ts';
import { runAssay } from '../../support/product-process.ts';
import {
  freePortRange,
  interrupt,
  type StartedProduct,
  startProduct,
  untilReady,
} from '../support/started-product.ts';

const withoutRoute = fileURLToPath(new URL('../support/without-route.cjs', import.meta.url));

describe('npm start without a network', () => {
  let folder: string;
  let product: StartedProduct;
  let api: Client;
  beforeAll(async () => {
    folder = await makeDataFolder('assay-no-network-');
    const settings = { PORT: String(await freePortRange()), ASSAY_DATA: folder };
    product = startProduct({ ...settings, NODE_OPTIONS: `--require ${JSON.stringify(withoutRoute)}` });
    await untilReady(product);
    const token = (await runAssay(settings, 'token', '--email', 'demo@assay.test')).trim();
    api = createClient({
      baseUrl: `http://localhost:${settings.PORT}${API_BASE}`,
      getToken: () => token,
    });
  });
  afterAll(async () => {
    interrupt(product);
    await product.ended;
    await rm(folder, { recursive: true, force: true });
  });

  const start = (email: string) => api.validations.startSingle({ body: { email_address: email } });
  const expectOf = ({ id }: { readonly id: string }) =>
    expect.poll(() => api.validations.getSingle({ params: { validation_id: id } }));

  it('serves, verifies addresses of .test and says of others that it waits for its name server', async () => {
    const outside = [await start('jane@outside.example'), await start('joe@elsewhere.example')];
    await expectOf(await start('jane@exists.test')).toMatchObject({ email_address_status: 'VALID' });
    await expectOf(await start('nobody@exists.test')).toMatchObject({ email_address_status: 'INVALID' });

    for (const one of outside) {
      const domain = one.email_address.split('@')[1];
      const text = `Waiting for our name server: we cannot look up ${domain} at the moment.`;
      await expectOf(one).toMatchObject({ waiting: { text } });
    }
    // No part has ended meanwhile.
    await expectOf(await start('jane@exists.test')).toMatchObject({ email_address_status: 'VALID' });
    expect(product.printed()).not.toMatch(/starting it again|fails again/);
  });
});
