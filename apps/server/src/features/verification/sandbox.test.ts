import type { SingleValidationDetail, ValidationList } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { sandboxSettings } from '../../testing/product.ts';
import { startTestWorker, type TestWorker } from '../../testing/worker.ts';
import { auditLedger } from '../billing/index.ts';
import { startReceiver } from '../webhooks/testing/receiver.ts';

const singles = '/validations/email_validation';
const lists = '/validations/lists';
const people = ['jane@exists.test', 'nobody@exists.test', 'anyone@catch-all.test', 'max@exists.test'];

describe('sandbox=true', () => {
  let api: TestApi;
  let worker: TestWorker;
  beforeAll(async () => {
    api = await startTestApi({
      env: {
        ...sandboxSettings,
        WEBHOOK_ALLOW_RANGES: '127.0.0.1/32',
      },
    });
    worker = await startTestWorker(api, { hasSandbox: true });
  });
  afterAll(async () => {
    await worker.close();
    await api.close();
  });

  const post = (token: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    api.call('POST', path, { token, body, headers });
  const get = async (token: string, path: string) => (await api.call('GET', path, { token })).json();
  const sendCsv = (token: string, path: string, fields: Record<string, string | Blob>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return post(token, path, form);
  };
  const csv = (...emails: string[]) => new Blob([`email\n${emails.join('\n')}\n`]);
  const untilComplete = async (token: string, id: string): Promise<ValidationList> => {
    await expect.poll(async () => (await get(token, `${lists}/${id}`)).status).toBe('COMPLETE');
    return get(token, `${lists}/${id}`);
  };
  /** The customer's metrics of the last day and the next. */
  const readMetrics = async (
    token: string,
    headers?: Record<string, string>,
  ): Promise<Record<string, number>> => {
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString();
    const range = `from_date=${day(-1)}&to_date=${day(1)}&group_by=MONTH`;
    const answer = await api.call('GET', `${lists}/metrics?${range}`, headers ? { headers } : { token });
    const { results } = answer.json();
    const entries: { validation_list_email_metrics: Record<string, number> }[] = results;
    const totals: Record<string, number> = {};
    for (const { validation_list_email_metrics: metrics } of entries) {
      for (const [name, count] of Object.entries(metrics)) totals[name] = (totals[name] ?? 0) + count;
    }
    return totals;
  };
  const noMetrics = {
    pending_emails: 0,
    valid_emails: 0,
    invalid_emails: 0,
    catch_all_emails: 0,
    unknown_emails: 0,
  };
  /** The customer's balance, history and metrics show the opening grant and nothing else. */
  const expectNoTrace = async (token: string) => {
    expect(await readMetrics(token)).toEqual(noMetrics);
    expect((await get(token, '/billing/me')).balance).toBe(1_000);
    expect((await get(token, '/billing/me/transactions')).total).toBe(1);
    const { id } = await get(token, '/users/me');
    const holds = await api.database.pool.query('select 1 from holds where owner_id = $1', [id]);
    expect(holds.rowCount).toBe(0);
  };

  it('checks a single address for free in its own mail world and marks every answer', async () => {
    const token = await api.tokenFor();
    const realConnections = worker.world.conduct.total.connectionsTotal;

    const answer = await post(token, `${singles}?sandbox=true&wait=30`, { email: 'jane@exists.test' });

    expect(answer.statusCode).toBe(200);
    const single = answer.json<SingleValidationDetail>();
    expect(single).toMatchObject({ sandbox: true, email_address_status: 'VALID' });
    expect(await get(token, `${singles}/${single.id}`)).toMatchObject({ sandbox: true });
    expect((await get(token, singles)).results).toMatchObject([{ sandbox: true }]);
    expect(worker.sandboxWorld?.conduct.total.connectionsTotal).toBeGreaterThan(0);
    expect(worker.world.conduct.total.connectionsTotal).toBe(realConnections);
    await expectNoTrace(token);
  });

  it('tries a deferred address again', async () => {
    const token = await api.tokenFor();
    const { id } = (await post(token, `${singles}?sandbox=true`, { email: 'jane@greylist.test' })).json();

    await expect
      .poll(async () => (await get(token, `${singles}/${id}`)).email_address_status, { timeout: 60_000 })
      .toBe('VALID');
    await expectNoTrace(token);
  });

  it('takes 1,000 addresses, from JSON and from a file with a header, and refuses one more', async () => {
    const token = await api.tokenFor();
    const some = (count: number) => Array.from({ length: count }, (_, row) => `user${row}@exists.test`);
    const preview = (count: number) =>
      sendCsv(token, '/validations/lists_bulk/validation?sandbox=true', { list_raw: csv(...some(count)) });

    const fromJson = await post(token, `${lists}?sandbox=true`, { emails: some(1_000) });
    expect([fromJson.statusCode, fromJson.json().total_emails]).toEqual([201, 1_000]);
    expect((await preview(1_000)).json()).toMatchObject({ metrics: { billable: 1_000 } });
    const headless = new Blob([`${some(1_000).join('\n')}\n`]);
    const withoutHeader = { list_raw: headless };
    expect(
      (await sendCsv(token, '/validations/lists_bulk/validation?sandbox=true', withoutHeader)).statusCode,
    ).toBe(200);

    const tooMany = await post(token, `${lists}?sandbox=true`, { emails: some(1_001) });
    expect(tooMany.json().errors[0]).toMatchObject({ http_status: 413, meta: { rows_max: 1_000 } });
    const refused = await preview(1_001);
    expect(refused.statusCode).toBe(413);
    expect(refused.json().errors[0].meta).toEqual({ problem: 'file_too_many_rows', rows_max: 1_000 });
    await api.call('DELETE', `${lists}/${fromJson.json().id}`, { token });
  });

  it('verifies a list for free, from JSON, from a file, or from a previewed upload', async () => {
    const token = await api.tokenFor();
    const preview = await sendCsv(token, '/validations/lists_bulk/validation?sandbox=true', {
      list_raw: csv(...people),
    });
    expect(preview.json()).toMatchObject({ sandbox: true, total_credits: 0, metrics: { billable: 4 } });
    const { upload_id } = preview.json();

    const made = [
      await post(token, `${lists}?sandbox=true`, { emails: people }),
      await sendCsv(token, '/validations/lists_bulk?sandbox=true', { list_raw: csv(...people) }),
      await sendCsv(token, '/validations/lists_bulk?sandbox=true', { upload_id }),
    ];

    for (const answer of made) {
      expect([answer.statusCode, answer.json().sandbox]).toEqual([201, true]);
      const list = await untilComplete(token, answer.json().id);
      expect(list).toMatchObject({
        sandbox: true,
        email_metrics: { valid_emails: 1, invalid_emails: 1, catch_all_emails: 1, unknown_emails: 1 },
      });
    }
    const id = made[0]?.json().id;
    const emails = await get(token, `${lists}/${id}/emails`);
    expect(emails.results.map(({ sandbox }: { sandbox: boolean }) => sandbox)).toEqual(Array(4).fill(true));
    expect(await get(token, `${lists}/${id}/emails/${emails.results[0].id}`)).toMatchObject({
      sandbox: true,
    });
    expect((await post(token, `${lists}/${id}/export?status=VALID`, undefined)).json()).toMatchObject({
      sandbox: true,
    });
    expect((await get(token, lists)).results).toMatchObject([{ sandbox: true }, { sandbox: true }, {}]);
    await expectNoTrace(token);
  });

  it('adds nothing to the metrics of paid work', async () => {
    const token = await api.tokenFor();
    const paid = await post(token, `${singles}?wait=30`, { email: 'jane@exists.test' });
    expect(paid.statusCode).toBe(200);

    await post(token, `${singles}?sandbox=true&wait=30`, { email: 'nobody@exists.test' });
    const { id } = (await post(token, `${lists}?sandbox=true`, { emails: people })).json();
    await untilComplete(token, id);

    expect(await readMetrics(token)).toEqual({ ...noMetrics, valid_emails: 1 });
  });

  it('marks the events of the customer’s webhook', async () => {
    const receiver = await startReceiver();
    const token = await api.tokenFor();
    expect((await post(token, '/users/webhooks', { url: receiver.url })).statusCode).toBe(201);

    await post(token, `${singles}?sandbox=true`, { email: 'jane@exists.test' });

    await expect.poll(() => receiver.events.length).toBe(1);
    expect(JSON.parse(receiver.events[0]?.body ?? '').data).toMatchObject({ sandbox: true });
    await receiver.close();
  });

  it('needs no credit, and takes none from a list that is deleted while it runs', async () => {
    const token = await api.tokenFor();
    const { id: userId } = await get(token, '/users/me');
    await api.database.db
      .updateTable('wallets')
      .set({ held: 1_000 })
      .where('owner_id', '=', userId)
      .execute();

    const made = await post(token, `${lists}?sandbox=true`, {
      emails: ['jane@exists.test', 'x@silent.test'],
    });
    expect(made.statusCode).toBe(201);
    expect((await api.call('DELETE', `${lists}/${made.json().id}`, { token })).statusCode).toBe(204);

    await api.database.db.updateTable('wallets').set({ held: 0 }).where('owner_id', '=', userId).execute();
    await expectNoTrace(token);
  });

  it.each(['jane@example.com', 'jane@test', 'jane@exists.test.example.com'])(
    '400 for %s, which is not of the sandbox, in every call',
    async (address) => {
      const token = await api.tokenFor();
      const emails = ['jane@exists.test', address];

      const answers = [
        await post(token, `${singles}?sandbox=true`, { email: address }),
        await post(token, `${lists}?sandbox=true`, { emails }),
        await sendCsv(token, '/validations/lists_bulk/validation?sandbox=true', {
          list_raw: csv(...emails),
        }),
      ];

      const codes = answers.map((answer) => answer.json().errors[0].code);
      expect(codes).toEqual(['sandbox_address', 'sandbox_address', 'sandbox_address']);
      expect([(await get(token, singles)).total, (await get(token, lists)).total]).toEqual([0, 0]);
    },
  );

  it('409 for an upload whose preview was not for the sandbox', async () => {
    const token = await api.tokenFor();
    const preview = async (query: string) =>
      (
        await sendCsv(token, `/validations/lists_bulk/validation${query}`, { list_raw: csv(...people) })
      ).json().upload_id;
    const create = (query: string, upload_id: string) =>
      sendCsv(token, `/validations/lists_bulk${query}`, { upload_id });

    const free = await create('', await preview('?sandbox=true'));
    const paid = await create('?sandbox=true', await preview(''));

    expect([free.statusCode, paid.statusCode]).toEqual([409, 409]);
    expect(free.json().errors[0].code).toBe('sandbox_upload_mismatch');
  });

  it('409 for an Idempotency-Key of a paid call', async () => {
    const token = await api.tokenFor();
    const headers = { 'idempotency-key': 'once' };
    await post(token, singles, { email: 'jane@exists.test' }, headers);

    const answer = await post(token, `${singles}?sandbox=true`, { email: 'jane@exists.test' }, headers);

    expect(answer.statusCode).toBe(409);
  });

  it('413 for a list that is too long for the sandbox', async () => {
    const emails = Array.from({ length: 1_001 }, (_, row) => `user${row}@exists.test`);

    const answer = await post(await api.tokenFor(), `${lists}?sandbox=true`, { emails });

    expect(answer.statusCode).toBe(413);
  });

  it('does not mark answers without sandbox, or with sandbox=false', async () => {
    const token = await api.tokenFor();

    const answer = await post(token, `${singles}?sandbox=false`, { email: 'jane@exists.test' });

    expect(answer.json()).not.toHaveProperty('sandbox');
    expect((await get(token, '/billing/me')).balance).toBe(999);
  });

  describe('by a test key', () => {
    const keyOf = async (token: string) => {
      const scopes = ['verify', 'read_results', 'manage_lists'];
      const body = { name: 'Tests', mode: 'test', scopes };
      return { 'x-api-key': (await post(token, '/users/api-keys/more', body)).json().api_token as string };
    };

    it.each(['', '&sandbox=true', '&sandbox=false'])(
      'every check is for the sandbox, and free, with "%s"',
      async (query) => {
        const token = await api.tokenFor();
        const headers = await keyOf(token);

        const single = await api.call('POST', `${singles}?wait=30${query}`, {
          headers,
          body: { email: 'jane@exists.test' },
        });

        expect(single.json()).toMatchObject({ sandbox: true, email_address_status: 'VALID' });
        await expectNoTrace(token);
      },
    );

    it('every list is, from JSON and from a file', async () => {
      const token = await api.tokenFor();
      const headers = await keyOf(token);
      const form = (field: string, value: string | Blob) => {
        const fields = new FormData();
        fields.append(field, value);
        return fields;
      };

      const made = await api.call('POST', lists, { headers, body: { emails: people } });
      const preview = await api.call('POST', '/validations/lists_bulk/validation', {
        headers,
        body: form('list_raw', csv(...people)),
      });
      expect(preview.json()).toMatchObject({ sandbox: true, total_credits: 0 });
      const fromFile = await api.call('POST', '/validations/lists_bulk', {
        headers,
        body: form('upload_id', preview.json().upload_id),
      });

      expect([made.json(), fromFile.json()]).toMatchObject([{ sandbox: true }, { sandbox: true }]);
      await untilComplete(token, made.json().id);
      const again = await api.call('POST', `${lists}/${made.json().id}/reverify`, { headers });
      expect(again.json()).toMatchObject({ sandbox: true });
      await expectNoTrace(token);
    });

    it('404 for the upload of a live file, also where a form names it', async () => {
      const token = await api.tokenFor();
      const headers = await keyOf(token);
      const file = new FormData();
      file.append('list_raw', csv(...people));
      const { upload_id } = (await post(token, '/validations/lists_bulk/validation', file)).json();
      for (const path of ['/validations/lists_bulk', '/validations/lists_bulk/validation']) {
        const form = new FormData();
        form.append('upload_id', upload_id);
        const answer = await api.call('POST', path, { headers, body: form });
        expect([answer.statusCode, answer.json().errors[0].code]).toEqual([404, 'upload_not_found']);
      }
    });

    it('sees what the sandbox made, and nothing that was paid for', async () => {
      const token = await api.tokenFor();
      const headers = await keyOf(token);
      await post(token, `${singles}?wait=30`, { email: 'paid@exists.test' });
      await post(token, lists, { emails: ['paid@exists.test'] });
      await post(token, `${singles}?sandbox=true&wait=30`, { email: 'jane@exists.test' });
      await post(token, `${lists}?sandbox=true`, { emails: ['jane@exists.test'] });

      for (const path of [singles, lists]) {
        expect((await get(token, path)).total).toBe(2);
        const { results, total } = (await api.call('GET', path, { headers })).json();
        expect([total, results]).toMatchObject([1, [{ sandbox: true }]]);
      }
      expect(await readMetrics(token, headers)).toEqual(noMetrics);
      expect(await readMetrics(token)).not.toEqual(noMetrics);
      const { download_link } = (await api.call('POST', `${singles}/export`, { headers })).json();
      const file = await api.app.inject(new URL(download_link).pathname + new URL(download_link).search);
      expect(file.body).toContain('jane@exists.test');
      expect(file.body).not.toContain('paid@exists.test');
    });
  });

  it('400 when the operator configured no mail world', async () => {
    const plain = await startTestApi({ beside: api });
    const token = await api.tokenFor();

    const answer = await plain.call('POST', `${singles}?sandbox=true`, {
      token,
      body: { email: 'jane@exists.test' },
    });

    expect(answer.json().errors[0]).toMatchObject({ http_status: 400, code: 'sandbox_unavailable' });
    await plain.close();
  });

  it('is removed with the account, and the ledger agrees', async () => {
    const token = await api.tokenFor();
    await post(token, `${lists}?sandbox=true`, { emails: ['x@silent.test'] });
    await post(token, `${singles}?sandbox=true`, { email: 'x@silent.test' });

    expect((await api.call('DELETE', '/users/me', { token })).statusCode).toBe(204);
    expect(await Array.fromAsync(auditLedger(api.database.db))).toEqual([]);
  });
});
