import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { type CountedStatements, countStatements } from '../../../testing/count-statements.ts';

describe('the start of a JSON list of 100 addresses', () => {
  let api: TestApi;
  let counted: CountedStatements | undefined;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterEach(() => counted?.stop());
  afterAll(() => api.close());

  it.each(['exists.test', 'example.com'])(
    'is at most 4 transactions by API key, with an Idempotency-Key, at %s',
    async (domain) => {
      const token = await api.tokenFor();
      const { api_token } = (await api.call('POST', '/users/api-keys', { token })).json();
      const emails = Array.from({ length: 100 }, (_, n) => `user${n}@${domain}`);
      const create = () =>
        api.call('POST', '/validations/lists', {
          headers: { 'x-api-key': api_token, 'idempotency-key': randomUUID() },
          body: { emails },
        });
      // Reading threads start, and the first call of a key is noted.
      expect((await create()).statusCode).toBe(201);
      counted = countStatements();

      const answer = await create();

      expect(answer.json()).toMatchObject({ status: 'PENDING', total_emails: 100 });
      // Look-up of the key, earlier answers, room for the file and whether somebody is suppressed, the list.
      expect(counted.cost.transactions).toBe(4);
      // A copy into a table is one too, and so is a commit.
      expect(counted.cost.statements).toBeLessThanOrEqual(27);
    },
  );

  it('keeps no file and no room of a refused list', async () => {
    const token = await api.tokenFor();
    const { id } = (await api.call('GET', '/users/me', { token })).json();
    const emails = Array.from({ length: 1_001 }, (_, n) => `user${n}@exists.test`);

    const answer = await api.call('POST', '/validations/lists', { token, body: { emails } });

    expect(answer.statusCode).toBe(402);
    const { rows } = await api.database.pool.query(
      `select id from uploads where owner_id = $1 union all select id from upload_reservations where owner_id = $1`,
      [id],
    );
    expect(rows).toEqual([]);
  });
});
