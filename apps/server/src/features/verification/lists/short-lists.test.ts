import type { ValidationList } from '@assay/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { type CountedStatements, countStatements } from '../../../testing/count-statements.ts';
import { auditLedger } from '../../billing/index.ts';
import type { RowFinding } from '../rows/results.store.ts';
import { createShortListsWriter } from './results-writer.ts';
import { ListGone } from './write-results.ts';

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

  /** As the jobs of the lists do in one worker, all at the same moment. */
  function endAll({ ownerId, lists }: Pick<Lists, 'ownerId' | 'lists'>) {
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

  it('need four statements more for each, and none of them while the metrics or the wallet are locked', async () => {
    const statementsFor = async (count: number) => {
      const customer = await newLists(count);
      counted = countStatements();
      await endAll(customer);
      counted.stop();
      return counted.cost.statements;
    };
    const few = await statementsFor(2);
    expect((await statementsFor(12)) - few).toBeLessThanOrEqual(10 * 4);
  });

  it('are each settled once when two workers write them at the same time', async () => {
    const customer = await newLists(20);
    const { ownerId, lists } = customer;

    const ends = (
      await Promise.all([endAll(customer), endAll({ ownerId, lists: lists.toReversed() })])
    ).flat();

    const unexpected = ends.filter((end) => end.status === 'rejected' && !(end.reason instanceof ListGone));
    expect(unexpected).toEqual([]);
    expect(await customer.read()).toEqual({ balance: 960, held: 0, valid: 40, pending: 0, complete: 20 });
  });

  it('end without the one that cannot be settled', async () => {
    const customer = await newLists(20);
    const stuck = customer.lists[7]?.id;
    const changeHold = (credits: number) =>
      api.database.pool.query(
        `update holds set amount = amount + $3 where owner_id = $1 and reference = 'list:' || $2`,
        [customer.ownerId, stuck, credits],
      );
    // Less than the list costs, which the ledger refuses.
    await changeHold(-1);

    const ends = await endAll(customer);

    expect(ends.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))).toEqual([7]);
    expect(await customer.read()).toEqual({ balance: 962, held: 2, valid: 38, pending: 2, complete: 19 });
    await changeHold(1);
    await endAll(customer);
    expect(await customer.read()).toEqual({ balance: 960, held: 0, valid: 40, pending: 0, complete: 20 });
  });

  it('end with the one that was paused meanwhile', async () => {
    const customer = await newLists(3);
    const pause = `${path}/${customer.lists[1]?.id}/pause`;
    const paused = await api.call('POST', pause, { token: customer.token });
    expect(paused.json()).toMatchObject({ run_state: 'paused' });

    const ends = await endAll(customer);

    expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await customer.read()).toEqual({ balance: 994, held: 0, valid: 6, pending: 0, complete: 3 });
  });

  it('are settled once, or stopped, when some are deleted at the same moment', async () => {
    const customer = await newLists(20);
    const removed = customer.lists.filter((_, at) => at % 3 === 0);

    const deletions = removed.map(({ id }) => api.call('DELETE', `${path}/${id}`, { token: customer.token }));
    const ends = await endAll(customer);
    await Promise.all(deletions);

    const unexpected = ends.filter((end) => end.status === 'rejected' && !(end.reason instanceof ListGone));
    expect(unexpected).toEqual([]);
    const { balance, held, valid, pending, complete } = await customer.read();
    expect({ spent: 1_000 - balance, held, pending, complete }).toEqual({
      ...{ spent: valid, held: 0, pending: 0, complete: 20 - removed.length },
    });
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
