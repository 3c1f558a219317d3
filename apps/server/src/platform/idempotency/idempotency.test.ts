import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from '../../features/billing/index.ts';
import { signUpWithCredits } from '../../features/billing/testing/accounts.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';

describe('parallel calls with one Idempotency-Key, when the balance covers only one', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(async () => {
    expect(await Array.fromAsync(auditLedger(api.database.db))).toEqual([]);
    await api.close();
  });

  const file = () => {
    const form = new FormData();
    form.append('list_raw', new Blob(['email\njane@exists.test\n']), 'people.csv');
    return form;
  };

  it.each([
    ['a single check', '/validations/email_validation', () => ({ email_address: 'jane@exists.test' })],
    ['a list of emails', '/validations/lists', () => ({ emails: ['jane@exists.test'] })],
    ['a list of a file', '/validations/lists_bulk', file],
  ])('201 for all of them and one charge: %s', async (_what, path, bodyOf) => {
    // Which twin fails at what is up to chance, so that it is tried several times.
    for (let round = 0; round < 5; round += 1) {
      const { token } = await signUpWithCredits(api, 1);
      const headers = { 'idempotency-key': randomUUID() };

      const twins = await Promise.all(
        Array.from({ length: 4 }, () => api.call('POST', path, { token, headers, body: bodyOf() })),
      );

      expect(twins.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201]);
      expect(new Set(twins.map((answer) => answer.json().id)).size).toBe(1);
      expect((await api.call('GET', '/billing/me', { token })).json().balance).toBe(0);
    }
  });

  it('402 for all but one without a key', async () => {
    const { token } = await signUpWithCredits(api, 1);
    const body = { email_address: 'jane@exists.test' };

    const answers = await Promise.all(
      Array.from({ length: 4 }, () => api.call('POST', '/validations/email_validation', { token, body })),
    );

    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 402, 402, 402]);
  });
});
