import { randomUUID } from 'node:crypto';
import type { ListPreview, ValidationList } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { startTestWorker, type TestWorker } from '../../testing/worker.ts';
import { auditLedger } from '../billing/index.ts';

let api: TestApi;
let worker: TestWorker;
beforeAll(async () => {
  api = await startTestApi();
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

const query = async (text: string, values: unknown[] = []) =>
  (await api.database.pool.query(text, values)).rows;

async function newCustomer(...suppressed: string[]) {
  const token = await api.tokenFor();
  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
    api.call(method, path, { token, ...(body !== undefined && { body }) });
  const { id: ownerId } = (await call('GET', '/users/me')).json();
  const suppress = async (...targets: string[]) => {
    const answer = await call('POST', '/suppressions', { entries: targets.map((target) => ({ target })) });
    expect(answer.statusCode).toBe(200);
  };
  if (suppressed.length > 0) await suppress(...suppressed);
  const send = (path: string, fields: Record<string, string>, contents?: string) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    if (contents !== undefined) form.append('list_raw', new Blob([contents]), 'people.csv');
    return api.call('POST', path, { token, body: form });
  };
  const preview = async (contents: string, fields: Record<string, string> = {}) =>
    (await send('/validations/lists_bulk/validation', fields, contents)).json<ListPreview>();
  const create = (fields: Record<string, string>, contents?: string) =>
    send('/validations/lists_bulk', fields, contents);
  const list = async (id: string) => (await call('GET', `/validations/lists/${id}`)).json<ValidationList>();
  const untilComplete = async (id: string) => {
    await expect.poll(async () => (await list(id)).status, { timeout: 60_000 }).toBe('COMPLETE');
    return list(id);
  };
  const download = async (path: string) => {
    const { download_link } = (await call('POST', path)).json();
    const { pathname, search } = new URL(download_link);
    return (await api.app.inject({ url: pathname + search })).body;
  };
  const check = (
    email: string,
    more: { body?: object; wait?: number; headers?: Record<string, string> } = {},
  ) =>
    api.call('POST', `/validations/email_validation${more.wait === undefined ? '' : `?wait=${more.wait}`}`, {
      token,
      body: { email, ...more.body },
      ...(more.headers && { headers: more.headers }),
    });
  const balance = async () => (await call('GET', '/billing/me')).json().balance;
  const chart = async () => {
    const [row] = await query(
      'select sum(pending + valid + invalid + catch_all + unknown)::int as emails from validation_metrics where owner_id = $1',
      [ownerId],
    );
    return row?.emails ?? 0;
  };
  return {
    token,
    ownerId,
    call,
    suppress,
    preview,
    create,
    list,
    untilComplete,
    download,
    check,
    balance,
    chart,
  };
}

describe('a single check of a suppressed address', () => {
  it('201 is complete at once: UNKNOWN, suppressed, free, outside charts, and asks nobody', async () => {
    const { ownerId, check, balance, chart } = await newCustomer('jane@exists.test', 'Bücher.example');

    for (const address of ['Jane@Exists.test', 'max@bücher.example']) {
      const answer = await check(address);
      expect([answer.statusCode, answer.json()]).toMatchObject([
        201,
        {
          status: 'COMPLETE',
          email_address: address,
          email_address_status: 'UNKNOWN',
          reason: { code: 'suppressed', text: expect.stringContaining('suppressed') },
        },
      ]);
    }

    expect([await balance(), await chart()]).toEqual([1_000, 0]);
    expect(await query('select held from wallets where owner_id = $1', [ownerId])).toEqual([{ held: 0 }]);
    expect(await query("select 1 from queue.job where data->>'ownerId' = $1", [ownerId])).toEqual([]);
  });

  it('200 at once for a call that waits, and the same for a repeated Idempotency-Key', async () => {
    const { check, call } = await newCustomer('jane@exists.test');
    const headers = { 'idempotency-key': randomUUID() };

    const first = await check('jane@exists.test', { wait: 50, headers });
    const again = await check('jane@exists.test', { headers });

    expect([first.statusCode, first.json()]).toMatchObject([200, { status: 'COMPLETE' }]);
    expect(again.json()).toMatchObject({
      id: first.json().id,
      status: 'COMPLETE',
      reason: { code: 'suppressed' },
    });
    expect((await call('GET', '/validations/email_validation')).json()).toMatchObject({
      total: 1,
      results: [{ email_address_status: 'UNKNOWN' }],
    });
  });

  it('is asked with ignore_suppression, after the removal, above a suppressed subdomain, and for another customer', async () => {
    const { check, call, balance } = await newCustomer('jane@exists.test', 'sub.exists.test');
    const other = await newCustomer();
    const verdict = async (answer: ReturnType<typeof check>) => (await answer).json().email_address_status;

    expect(await verdict(check('jane@exists.test', { wait: 30, body: { ignore_suppression: true } }))).toBe(
      'VALID',
    );
    expect(await verdict(other.check('jane@exists.test', { wait: 30 }))).toBe('VALID');
    expect(await verdict(check('nobody@exists.test', { wait: 30 }))).toBe('INVALID');
    await call('DELETE', '/suppressions?target=jane@exists.test');
    expect(await verdict(check('jane@exists.test', { wait: 30 }))).toBe('VALID');
    expect(await balance()).toBe(997);
  });

  it('costs nothing beside others that start with it, and needs no credits', async () => {
    const { ownerId, check, balance } = await newCustomer('jane@exists.test');
    const answers = await Promise.all(
      ['jane@exists', 'a@catch-all', 'b@catch-all', 'jane@exists', 'c@catch-all'].map((start) =>
        check(`${start}.test`, { wait: 30 }),
      ),
    );
    expect(answers.map((answer) => answer.json().email_address_status)).toEqual([
      'UNKNOWN',
      'CATCH_ALL',
      'CATCH_ALL',
      'UNKNOWN',
      'CATCH_ALL',
    ]);
    expect(await balance()).toBe(997);
    await query('update wallets set balance = 0 where owner_id = $1', [ownerId]);
    expect((await check('jane@exists.test')).json().reason.code).toBe('suppressed');
    expect((await check('a@exists.test')).statusCode).toBe(402);
    await query('update wallets set balance = 997 where owner_id = $1', [ownerId]);
  });

  it('tells webhooks', async () => {
    const { ownerId, call, check } = await newCustomer('jane@exists.test');
    await call('POST', '/users/webhooks', { url: 'https://hooks.example/assay' });
    await check('jane@exists.test');
    const rows = await query('select body from webhook_deliveries where owner_id = $1', [ownerId]);
    expect(rows.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: 'email_validation.completed', data: { reason: { code: 'suppressed' }, evidence: [] } },
    ]);
  });

  it('is asked in the sandbox, which asks nobody', async () => {
    const { suppress, ...customer } = await newCustomer();
    await suppress('jane@exists.test');
    const answer = await api.call('POST', '/validations/email_validation?sandbox=true', {
      token: customer.token,
      body: { email: 'jane@exists.test' },
    });
    expect([answer.statusCode === 201 ? answer.json().status : 'PENDING']).toEqual(['PENDING']);
  });
});

const csv = [
  'email,name',
  'jane@exists.test,Jane',
  'JANE@exists.test,Jane again',
  'a@catch-all.test,A',
  'x@gone.example,X',
  'a@catch-all.test,A again',
  'broken,B',
  ',empty',
  'y@sub.gone.example,Y',
  '"max@catch-all.test; jane@exists.test",two',
].join('\n');

describe('a file with suppressed addresses', () => {
  it('is previewed with them as a kind of exclusion of its own, and costs less', async () => {
    const { preview, call, download } = await newCustomer('jane@exists.test', 'gone.example');

    const shown = await preview(csv);

    expect(shown).toMatchObject({
      total_credits: 3,
      metrics: { billable: 3, duplicated: 1, non_billable: 6, no_email: 1, suppressed: 4 },
    });
    expect(shown.excluded.filter(({ reason }) => reason === 'suppressed')).toEqual([
      { row: 2, email: 'jane@exists.test', reason: 'suppressed' },
      { row: 3, email: 'JANE@exists.test', reason: 'suppressed' },
      { row: 5, email: 'x@gone.example', reason: 'suppressed' },
      { row: 10, email: 'jane@exists.test', reason: 'suppressed' },
    ]);
    const excluded = await download(`/validations/lists_bulk/${shown.upload_id}/exclusions`);
    expect(excluded).toContain('5,x@gone.example,suppressed\n');
    expect(excluded.match(/suppressed/g)).toHaveLength(4);
    const estimate = (await call('POST', `/validations/lists_bulk/${shown.upload_id}/estimate`)).json();
    expect(estimate.total).toBe(3);
  });

  it('becomes a list that asks and charges the others only, and its file says why', async () => {
    const customer = await newCustomer('jane@exists.test', 'gone.example');
    const { upload_id } = await customer.preview(csv.replace('y@sub.gone.example', 'y@catch-all.test'));

    const created = (await customer.create({ upload_id })).json<ValidationList>();
    const done = await customer.untilComplete(created.id);

    expect(created).toMatchObject({ total_emails: 3 });
    expect(done).toMatchObject({
      total_emails: 3,
      charged_credits: 3,
      email_metrics: { catch_all_emails: 3, unknown_emails: 0 },
      excluded_emails: { duplicated: 1, non_billable: 6, no_email: 1, suppressed: 4 },
    });
    expect([await customer.balance(), await customer.chart()]).toEqual([997, 3]);
    const all = await customer.download(`/validations/lists/${created.id}/export?rows=all`);
    expect(all).toContain('JANE@exists.test,Jane again,UNKNOWN,suppressed,,,\n');
    expect(all).toContain('x@gone.example,X,UNKNOWN,suppressed,,,\n');
    expect(all).toContain('broken,B,INVALID,syntax,,,\n');
    expect(await customer.download(`/validations/lists/${created.id}/export?status=UNKNOWN`)).not.toContain(
      'jane',
    );
    const emails = (await customer.call('GET', `/validations/lists/${created.id}/emails`)).json();
    expect(emails.total).toBe(3);
    // An export that is uploaded again loses our columns, and screens again.
    expect(await customer.preview(all)).toMatchObject({ metrics: { suppressed: 4, billable: 3 } });
  });

  it('is counted again for a creation after something was suppressed, or removed', async () => {
    const customer = await newCustomer();
    const [one, two] = [await customer.preview(csv), await customer.preview(csv)];
    expect(one.total_credits).toBe(5);
    await customer.suppress('jane@exists.test', 'gone.example');
    const first = (await customer.create({ upload_id: one.upload_id })).json();
    expect(first).toMatchObject({ total_emails: 3, excluded_emails: { suppressed: 4 } });

    await customer.call('DELETE', '/suppressions?target=gone.example');
    const second = (await customer.create({ upload_id: two.upload_id })).json();
    expect(second).toMatchObject({ total_emails: 4, excluded_emails: { suppressed: 3 } });
  });

  it('asks everybody with ignore_suppression, whatever the preview counted', async () => {
    const customer = await newCustomer('jane@exists.test', 'gone.example');
    expect(await customer.preview(csv, { ignore_suppression: 'true' })).toMatchObject({ total_credits: 5 });
    const { upload_id } = await customer.preview(csv);
    const list = (await customer.create({ upload_id, ignore_suppression: 'true' })).json();
    expect(list).toMatchObject({ total_emails: 5, excluded_emails: { suppressed: 0 } });
    expect((await customer.create({ ignore_suppression: 'true' }, csv)).json()).toMatchObject({
      total_emails: 5,
    });
    expect((await customer.create({}, csv)).json()).toMatchObject({ total_emails: 3 });
  });

  it('400 file_all_suppressed if nobody is left, and nothing is held', async () => {
    const customer = await newCustomer('exists.test');
    const file = await customer.create({}, 'email\na@exists.test\nb@exists.test\n');
    const json = await customer.call('POST', '/validations/lists', { emails: ['a@exists.test'] });
    for (const answer of [file, json])
      expect([answer.statusCode, answer.json().errors[0].code]).toEqual([400, 'file_all_suppressed']);
    expect(await customer.balance()).toBe(1_000);
  });

  it('is screened the same as a list of JSON and as pasted text', async () => {
    const customer = await newCustomer('jane@exists.test');
    const emails = ['jane@exists.test', 'a@exists.test'];
    const list = (await customer.call('POST', '/validations/lists', { emails })).json();
    expect(list).toMatchObject({ total_emails: 1, excluded_emails: { suppressed: 1 } });
    const ignoring = await customer.call('POST', '/validations/lists', { emails, ignore_suppression: true });
    expect(ignoring.json()).toMatchObject({ total_emails: 2 });
    expect(await customer.preview('Jane <jane@exists.test>, A <a@exists.test>, b@exists.test')).toMatchObject(
      {
        total_credits: 2,
        metrics: { suppressed: 1 },
      },
    );
  });

  it('is compared with all suppressions when it is long, with the same result', async () => {
    const customer = await newCustomer();
    await query(
      `insert into suppressions (owner_id, target, id, number, reason, source, created_at)
       select $1, 'user' || n || '@exists.test', gen_random_uuid(), n, 'added', 'import', now()
       from generate_series(20, 60000) n`,
      [customer.ownerId],
    );
    await query('insert into suppression_clocks (owner_id, last_number, entries) values ($1, 60000, 59981)', [
      customer.ownerId,
    ]);
    const rows = (count: number) =>
      `email\n${Array.from({ length: count }, (_, row) => `User${row}@exists.test\n`).join('')}`;

    expect(await customer.preview(rows(30_000))).toMatchObject({
      total_credits: 20,
      metrics: { billable: 20, suppressed: 29_980 },
    });
    const list = (await customer.create({}, `${rows(30_000)}${'-'.repeat(90)}\n`.repeat(3))).json();
    const done = await customer.untilComplete(list.id);
    expect(done).toMatchObject({
      total_emails: 20,
      charged_credits: 20,
      excluded_emails: { suppressed: 89_940 },
    });
    expect(await customer.balance()).toBe(980);
  }, 120_000);
});

describe('verifying unknown rows again', () => {
  it('leaves out what was suppressed since, and its duplicates', async () => {
    const customer = await newCustomer();
    const file =
      'email,n\njane@blocked-mail.test,1\nb@catch-all.test,2\njane@blocked-rcpt.test,3\nJane@blocked-mail.test,4\n';
    const { id } = (await customer.create({}, file)).json();
    expect(await customer.untilComplete(id)).toMatchObject({ email_metrics: { unknown_emails: 2 } });
    await customer.suppress('jane@blocked-mail.test');

    const again = (await customer.call('POST', `/validations/lists/${id}/reverify`)).json();
    expect(again).toMatchObject({ total_emails: 1, excluded_emails: { suppressed: 2, duplicated: 0 } });
    const all = await customer.download(`/validations/lists/${again.id}/export?rows=all`);
    expect(all).toContain('jane@blocked-mail.test,1,UNKNOWN,suppressed');
    expect(all).toContain('Jane@blocked-mail.test,4,UNKNOWN,suppressed');
    const everybody = await customer.call(
      'POST',
      `/validations/lists/${id}/reverify?ignore_suppression=true`,
    );
    expect(everybody.json()).toMatchObject({ total_emails: 2, excluded_emails: { duplicated: 1 } });

    await customer.suppress('blocked-rcpt.test');
    const none = await customer.call('POST', `/validations/lists/${id}/reverify`);
    expect([none.statusCode, none.json().errors[0].code]).toEqual([400, 'file_all_suppressed']);
  });
});

it('leaves a ledger that agrees', async () => {
  expect(await Array.fromAsync(auditLedger(api.database.db))).toEqual([]);
});
