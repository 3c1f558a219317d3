import type { ValidationList } from '@assay/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { type CountedStatements, countStatements } from '../../../testing/count-statements.ts';
import { auditLedger } from '../../billing/index.ts';
import { createShortListsWriter } from './results-writer.ts';
import { ListGone, type RowFinding } from './write-results.ts';

const path = '/validations/lists';

describe('short lists of one customer that end together', () => {
  let api: TestApi;
  let counted: CountedStatements | undefined;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterEach(() => counted?.stop());
  afterAll(() => api.close());

  async function newLists(count: number) {
    const token = await api.tokenFor();
    const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json<{ id: AccountId }>();
    const lists: { readonly id: string; readonly rowNumbers: number[] }[] = [];
    while (lists.length < count) {
      const emails = ['jane@exists.test', 'max@exists.test'];
      const { id } = (await api.call('POST', path, { token, body: { emails } })).json<ValidationList>();
      const { rows } = await api.database.pool.query(
        'select row_number from list_rows where owner_id = $1 and list_id = $2 and email_address is not null',
        [ownerId, id],
      );
      lists.push({ id, rowNumbers: rows.map(({ row_number }) => row_number) });
    }
    const read = async () => {
      const { balance, held } = (
        await api.database.pool.query('select balance, held from wallets where owner_id = $1', [ownerId])
      ).rows[0];
      const { rows } = await api.database.pool.query(
        `select sum(valid)::int as valid, sum(pending)::int as pending from validation_metrics where owner_id = $1`,
        [ownerId],
      );
      const { results } = (await api.call('GET', `${path}?page_size=100&page_number=1`, { token })).json();
      const complete = results.filter(({ status }: ValidationList) => status === 'COMPLETE').length;
      return { balance: Number(balance), held: Number(held), ...rows[0], complete };
    };
    return { token, ownerId, lists, read };
  }
  type Lists = Awaited<ReturnType<typeof newLists>>;

  const valid = { verdict: 'VALID', reason: 'mailbox_accepted', flags: 0, mxProvider: null } as const;
  const findingsFor = (rowNumbers: readonly number[]): RowFinding[] =>
    rowNumbers.map((rowNumber) => ({ rowNumber, ...valid, suggestion: null, detail: '{}' }));

  /** As the jobs of the lists do, all at the same moment. */
  function endAll({ ownerId, lists }: Lists) {
    const { db } = api.database;
    const writer = createShortListsWriter({ db, queue: api.queue, clock: systemClock });
    return Promise.allSettled(
      lists.map(async ({ id, rowNumbers }) => {
        const results = writer.open({ ownerId, listId: id, run: 0 });
        results.add(findingsFor(rowNumbers));
        await results.finish().finally(() => results.close());
      }),
    );
  }

  it('share transactions, twenty at a time, and each is counted and charged', async () => {
    const customer = await newLists(30);
    counted = countStatements();

    const ends = await endAll(customer);
    const { transactions } = counted.cost;

    expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
    // One of its own for each would wait for the others at the wallet.
    expect(transactions).toBeLessThanOrEqual(4);
    expect(await customer.read()).toEqual({ balance: 940, held: 0, valid: 60, pending: 0, complete: 30 });
  });

  it('end without the one that was deleted meanwhile', async () => {
    const customer = await newLists(5);
    const deleted = customer.lists[2]?.id;
    await api.call('DELETE', `${path}/${deleted}`, { token: customer.token });

    const ends = await endAll(customer);

    expect(ends.map((end) => end.status === 'rejected' && end.reason instanceof ListGone)).toEqual([
      ...[false, false, true, false, false],
    ]);
    expect(await customer.read()).toMatchObject({ balance: 992, held: 0, valid: 8, pending: 0, complete: 4 });
  });

  it('leave a ledger that agrees', async () => {
    expect(await Array.fromAsync(auditLedger(api.database.db))).toEqual([]);
  });
});
