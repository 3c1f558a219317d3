import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { startTestWorker, type TestWorker } from '../../testing/worker.ts';
import { balanceOf, guess, newGuessingCustomer } from './testing/guessing-customer.ts';

const zone = [
  'domain never.test accepts jane; owner "v=assay1; never"',
  'domain open.test accepts jane',
].join('\n');
let api: TestApi;
let worker: TestWorker;
beforeAll(async () => {
  api = await startTestApi();
  worker = await startTestWorker(api, { zone, sharesConduct: true });
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

it('a domain whose owner says never is not asked by guesses, and nobody pays', async () => {
  const customer = await newGuessingCustomer(api);

  const declined = await guess(api, customer, { first_name: 'Jane', last_name: 'Doe', domain: 'never.test' });
  const found = await guess(api, customer, { first_name: 'Jane', domain: 'open.test' });

  expect(declined).toMatchObject({ outcome: 'UNKNOWN', charged_credits: 0 });
  expect(worker.world.conduct.host('mx.never.test').connectionsTotal).toBe(0);
  expect(found).toMatchObject({ outcome: 'FOUND', email_address: 'jane@open.test' });
  expect(await balanceOf(api, customer)).toBe(1_000 - (found.charged_credits ?? 0));
});
