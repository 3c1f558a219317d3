import { randomBytes } from 'node:crypto';
import type { ValidationList } from '@assay/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { buildWorkbook } from '../../../platform/workbooks/testing/build-workbook.ts';
import { auditLedger } from '../../billing/index.ts';
import { emailLists } from './email-lists.ts';
import { nothingCopied, startPreparations } from './testing/preparations.ts';

const preparations = await startPreparations();
const { api, files, prepare, newCustomer, newPreparation, gatedStore } = preparations;
const { db, pool } = api.database;
afterAll(() => preparations.close());
const { signal } = new AbortController();

describe('POST lists_bulk with a file that is too long to be counted in the call', () => {
  const wide = 'x'.repeat(4_000);
  const wideRows = (count: number) =>
    Array.from({ length: count }, (_, n) => `jane.${n}@exists.test,${wide}`);
  const fileOf = (count: number) => ['email,note', ...wideRows(count), 'JANE.7@exists.test,again'].join('\n');

  it('201 answers before it is read, holding one credit; the job counts it, holds its cost and copies it', async () => {
    const list = await newPreparation(fileOf(600));

    expect(await list.list()).toMatchObject({
      status: 'PENDING',
      run_state: 'preparing',
      preparation: { copied_rows: 0, total_rows: 0, problem: null },
      progress: 0,
      total_emails: 0,
      charged_credits: 0,
    });
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 1 });

    await list.run();

    expect(await list.list()).toMatchObject({
      run_state: 'running',
      preparation: null,
      total_emails: 600,
      excluded_emails: { duplicated: 1, non_billable: 0, no_email: 0, suppressed: 0 },
    });
    expect(await list.copied()).toEqual({ rows: 601, numbers: 601, chunked: 600 });
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 600 });
    expect(await list.pending()).toBe(600);
    expect(await list.uploads()).toMatchObject([{ list_id: list.listId }]);
  });

  it('fails without a charge when the balance does not cover it, and keeps its one file for the sweep', async () => {
    const list = await newPreparation(fileOf(1_001));

    await list.run();

    expect(await list.list()).toMatchObject({
      run_state: 'failed',
      progress: 0,
      total_emails: 0,
      preparation: {
        problem: {
          code: 'insufficient_credits',
          message:
            'Your balance does not cover this: it needs 1,001 credits, and you have 1,000. Buy credits, then send the file again.',
        },
      },
    });
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 0 });
    expect(await list.entries()).toEqual([]);
    expect(await list.pending()).toBe(0);
    expect(await list.uploads()).toHaveLength(1);
    await list.at('DELETE');
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 0 });
  });

  it('402 with an empty balance: no list, no file', async () => {
    const customer = await newCustomer();
    await pool.query('update wallets set held = balance where owner_id = $1', [customer.ownerId]);

    const answer = await customer.createFrom(fileOf(600));

    await pool.query('update wallets set held = 0 where owner_id = $1', [customer.ownerId]);
    expect(answer.json().errors[0]).toMatchObject({ http_status: 402, code: 'insufficient_credits' });
    expect(await customer.lists()).toEqual([]);
    expect(await customer.uploads()).toEqual([]);
  });

  it('201 again for the same Idempotency-Key: one list, one credit on hold', async () => {
    const customer = await newCustomer();
    const key = { 'idempotency-key': 'once' };

    const answers = await Promise.all([
      customer.createFrom(fileOf(600), key),
      customer.createFrom(fileOf(600), key),
    ]);
    const other = await customer.createFrom(fileOf(601), key);

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(answers[1]?.json()).toEqual(answers[0]?.json());
    expect(other.statusCode).toBe(409);
    expect(await customer.lists()).toHaveLength(1);
    expect(await customer.wallet()).toEqual({ balance: 1_000, held: 1 });
  });

  it('fails with the reason of the file when it has no addresses, or no email column', async () => {
    const nothingToVerify = await newPreparation(
      ['email,note', ...Array(600).fill(`none,${wide}`)].join('\n'),
    );
    const noColumn = await newPreparation(Array(600).fill(`none,${wide}`).join('\n'));

    await nothingToVerify.run();
    await noColumn.run();

    expect((await nothingToVerify.list()).preparation?.problem?.code).toBe('file_no_addresses');
    expect((await noColumn.list()).preparation?.problem?.code).toBe('file_no_email_column');
    expect(await noColumn.wallet()).toEqual({ balance: 1_000, held: 0 });
  });

  it('says which row cannot be read', async () => {
    const list = await newPreparation([fileOf(600), ','.repeat(20_000)].join('\n'));

    await list.run();

    expect((await list.list()).preparation?.problem).toEqual({
      code: 'file_too_many_columns',
      message: expect.stringContaining('Row 603 has more than'),
    });
  });

  it('reads a workbook as any other upload: the sheet and the column that the call asks for', async () => {
    const customer = await newCustomer();
    // It hardly packs, so that the workbook stays long.
    const note = () => randomBytes(3_000).toString('base64');
    const contacts = Array.from({ length: 800 }, (_, n) => [
      `a.${n}@exists.test`,
      `b.${n % 700}@exists.test`,
      note(),
    ]);
    const workbook = buildWorkbook([
      { name: 'Summary', rows: [['email'], ['summary@exists.test']] },
      { name: 'Contacts', rows: [['home', 'work', 'note'], ...contacts] },
    ]);
    expect(workbook.length).toBeGreaterThan(2_000_000);
    const body = new FormData();
    body.append('sheet', 'Contacts');
    body.append('email_column', '2');
    body.append('list_raw', new Blob([workbook]), 'people.xlsx');
    const answer = await api.call('POST', '/validations/lists_bulk', { token: customer.token, body });
    const created = answer.json<ValidationList>();
    expect(created).toMatchObject({ run_state: 'preparing', total_emails: 0 });

    await prepare({ ownerId: customer.ownerId, listId: created.id });

    expect((await customer.call('GET', `/validations/lists/${created.id}`)).json()).toMatchObject({
      run_state: 'running',
      total_emails: 700,
      excluded_emails: { duplicated: 100, non_billable: 0, no_email: 0, suppressed: 0 },
    });
    const columns = await customer.call('GET', `/validations/lists/${created.id}/columns`);
    expect(columns.json()).toMatchObject({ columns: ['home', 'work', 'note'] });
    expect(await customer.wallet()).toEqual({ balance: 1_000, held: 700 });
  });

  it('counts it once when two runs count it at the same time, and one of them dies after that', async () => {
    const list = await newPreparation(fileOf(600));
    const { store, halfway, release } = gatedStore();
    const slow = list.run({ files: store });
    await halfway;
    let reads = 0;
    const read = (key: string) => {
      reads += 1;
      // The first two copy the file and count it.
      if (reads > 2) throw new Error('The process dies when it copies what it has counted.');
      return files.read(key);
    };

    await expect(list.run({ files: { ...files, read } })).rejects.toThrow('The process dies');
    expect(await list.list()).toMatchObject({ run_state: 'preparing', total_emails: 600 });
    expect(await list.copied()).toEqual(nothingCopied);
    release();
    await slow;

    expect(await list.copied()).toEqual({ rows: 601, numbers: 601, chunked: 600 });
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 600 });
    expect(await list.pending()).toBe(600);
    expect(await list.uploads()).toMatchObject([{ list_id: list.listId }]);
  });

  it('writes nothing for a run that another one has replaced meanwhile', async () => {
    const list = await newPreparation(fileOf(600));
    const { store, halfway, release } = gatedStore();
    const replaced = list.run({ files: store });
    await halfway;
    await pool.query("delete from queue.job where data->>'listId' = $1", [list.listId]);
    await Array.fromAsync(emailLists.control.repair({ db, clock: systemClock, queue: api.queue }, signal));
    expect(await list.jobs()).toEqual([['prepare-list', 1]]);

    release();
    await replaced;

    expect(await list.list()).toMatchObject({ run_state: 'preparing', total_emails: 0 });
    expect(await list.copied()).toEqual(nothingCopied);
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 1 });
    expect(await list.pending()).toBe(0);
    expect(await list.uploads()).toHaveLength(1);
    await list.run({}, { run: 1 });
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 600 });
  });

  it('is deleted before it is counted: nothing is charged', async () => {
    const list = await newPreparation(fileOf(600));
    const { store, halfway, release } = gatedStore();
    const running = list.run({ files: store });
    await halfway;

    expect((await list.at('DELETE')).statusCode).toBe(204);
    release();
    await running;

    expect(await list.wallet()).toEqual({ balance: 1_000, held: 0 });
    expect(await list.copied()).toEqual(nothingCopied);
    expect(await list.pending()).toBe(0);
  });

  it('reads the column that the call asks for', async () => {
    const customer = await newCustomer();
    const body = new FormData();
    for (const [name, value] of Object.entries({ with_headers: 'false', email_column: '2' }))
      body.append(name, value);
    const rows = Array.from({ length: 600 }, (_, n) => `a.${n}@exists.test,b.${n % 5}@exists.test,${wide}`);
    body.append('list_raw', new Blob([rows.join('\n')]));
    const answer = await api.call('POST', '/validations/lists_bulk', { token: customer.token, body });
    const { id: listId } = answer.json<ValidationList>();

    await prepare({ ownerId: customer.ownerId, listId });

    expect((await customer.call('GET', `/validations/lists/${listId}`)).json()).toMatchObject({
      total_emails: 5,
      excluded_emails: { duplicated: 595 },
    });
    expect(await customer.wallet()).toEqual({ balance: 1_000, held: 5 });
  });

  it('keeps within the monthly limit of the key that ordered it', async () => {
    const customer = await newCustomer();
    const scopes = ['verify', 'read_results'];
    const keyBody = { name: 'Shop', scopes, monthly_credit_limit: 599 };
    const key = (await customer.call('POST', '/users/api-keys/more', keyBody)).json<{ api_token: string }>();
    const order = async (count: number) => {
      const body = new FormData();
      body.append('list_raw', new Blob([fileOf(count)]));
      const answer = await api.call('POST', '/validations/lists_bulk', {
        headers: { 'x-api-key': key.api_token },
        body,
      });
      const { id: listId } = answer.json<ValidationList>();
      await prepare({ ownerId: customer.ownerId, listId });
      return (await customer.call('GET', `/validations/lists/${listId}`)).json<ValidationList>();
    };

    expect((await order(600)).preparation?.problem?.code).toBe('api_key_limit_reached');
    expect(await order(598)).toMatchObject({ run_state: 'running', total_emails: 598 });
    const usage = await pool.query('select credits from api_key_usage where owner_id = $1', [
      customer.ownerId,
    ]);
    expect(usage.rows).toEqual([{ credits: 598 }]);
  });
});

it('leaves a ledger that agrees', async () => {
  expect(await Array.fromAsync(auditLedger(db))).toEqual([]);
});
