import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { startTestApi } from '../../../testing/api.ts';
import { recordTwoStepChange } from './record-two-step.ts';

const api = await startTestApi();
afterAll(() => api.close());
const { db } = api.database;
const caller = { address: '203.0.113.7', agent: 'Firefox' };
const now = new Date();

async function newCustomer() {
  const subject = randomUUID();
  const token = await api.tokenFor({ sub: subject });
  await api.call('GET', '/users/me', { token });
  const { rows } = await api.database.pool.query('select issuer from user_identities where subject = $1', [
    subject,
  ]);
  const activity = async (area: string) =>
    (await api.call('GET', `/users/me/activity?area=${area}`, { token })).json().results;
  return { token, key: { issuer: rows[0].issuer as string, subject }, activity };
}

it('records who changed a second factor, from where, and the name of the passkey', async () => {
  const { key, activity } = await newCustomer();

  await recordTwoStepChange(db, key, { what: 'passkey_added', name: 'Phone', caller, now });

  expect(await activity('two_step')).toMatchObject([
    {
      kind: 'two_step.passkey_added',
      about: 'Phone',
      by: 'customer',
      address: '203.0.113.7',
      user_agent: 'Firefox',
    },
  ]);
});

it('records nothing for a person whom the product does not know', async () => {
  const { key, activity } = await newCustomer();

  await recordTwoStepChange(
    db,
    { ...key, subject: randomUUID() },
    { what: 'authenticator_added', caller, now },
  );

  expect(await activity('two_step')).toEqual([]);
});
