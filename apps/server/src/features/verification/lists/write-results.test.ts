import type { RealtimeEvent, Verdict } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openEventHub } from '../../../platform/events/index.ts';
import { createLogger } from '../../../platform/logging/index.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { auditLedger, grantCredits } from '../../billing/index.ts';
import { findListEmail } from '../rows/emails.store.ts';
import type { RowFinding } from '../rows/results.store.ts';
import { emailLists } from './email-lists.ts';
import { ListGone, writeResults } from './write-results.ts';

const now = new Date();

describe('results of a list in the database', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());

  /** A list of so many addresses that no worker touches. */
  async function createList(count: number) {
    const token = await api.tokenFor();
    const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json();
    await api.database.db.transaction().execute((tx) =>
      grantCredits(tx, {
        ownerId,
        key: 'gift:test',
        credits: count,
        now,
        category: 'GRANT',
        source: 'SUPPORT',
        description: 'For a test',
      }),
    );
    const emails = Array.from({ length: count }, (_, index) => `user${index}@exists.test`);
    const { id } = (await api.call('POST', '/validations/lists', { token, body: { emails } })).json();
    const { rows } = await api.database.pool.query<{ row_number: number }>(
      'select row_number from list_rows where list_id = $1 order by row_number',
      [id],
    );
    const place = { ownerId: ownerId as string, listId: id as string };
    return {
      rowNumbers: rows.map((row) => row.row_number),
      id: place.listId,
      place,
      write: (findings: RowFinding[], afterMs = 0) =>
        writeResults(
          { db: api.database.db, queue: api.queue },
          place,
          findings,
          new Date(now.getTime() + afterMs),
        ),
      findRow: (rowNumber: number) => findListEmail(api.database.db, place, rowNumber),
      read: async () => (await api.call('GET', `/validations/lists/${id}`, { token })).json(),
      remove: () => api.call('DELETE', `/validations/lists/${id}`, { token }),
      countEntries: async () =>
        (
          await api.database.pool.query(
            `select 1 from ledger_entries where owner_id = $1 and source = 'LIST'`,
            [ownerId],
          )
        ).rowCount,
    };
  }

  /** The events of a list that reach the customer's open tabs from now on. */
  async function collectEvents(listId: string): Promise<RealtimeEvent['event_metadata'][]> {
    const published: RealtimeEvent['event_metadata'][] = [];
    const hub = await openEventHub({
      databaseUrl: api.database.url,
      applicationName: 'assay test events',
      logger: createLogger({ level: 'silent', process: 'test' }),
    });
    onTestFinished(() => hub.close());
    hub.subscribe({
      onEvent: (_userId, { event_metadata }) => {
        if (event_metadata.list_id === listId) published.push(event_metadata);
      },
      onLost: () => undefined,
    });
    return published;
  }

  const found = (rowNumber: number, verdict: Verdict): RowFinding => ({
    rowNumber,
    verdict,
    reason: verdict === 'VALID' ? 'mailbox_accepted' : 'no_such_mailbox',
    flags: rowNumber % 2 === 0 ? 0 : 2,
    mxProvider: 'Google',
    suggestion: `${verdict} ${rowNumber}`,
    detail: JSON.stringify({ flags: null, suggestion: `${verdict} ${rowNumber}`, evidence: [] }),
  });

  it('are counted once and do not change when a batch is written again with more results', async () => {
    const list = await createList(3);
    const [first = 0, second = 0, third = 0] = list.rowNumbers;
    await list.write([found(first, 'VALID')]);

    await list.write([found(first, 'INVALID'), found(second, 'INVALID')]);

    expect((await list.read()).status).toBe('PENDING');
    expect((await list.read()).email_metrics).toMatchObject({ valid_emails: 1, invalid_emails: 1 });
    expect(await list.findRow(first)).toMatchObject({
      verdict: 'VALID',
      detail: { suggestion: `VALID ${first}` },
    });

    const last = [found(first, 'INVALID'), found(second, 'VALID'), found(third, 'VALID')];
    await list.write(last);
    expect(await list.read()).toMatchObject({
      status: 'COMPLETE',
      email_metrics: { valid_emails: 2, invalid_emails: 1 },
    });
    expect(await list.countEntries()).toBe(1);
    expect(await Array.fromAsync(auditLedger(api.database.db))).toEqual([]);
  });

  it('publish progress at most ten times a second', async () => {
    const list = await createList(10);
    const published = await collectEvents(list.id);

    for (const [index, afterMs] of [0, 50, 99, 100, 200, 299, 1_200].entries()) {
      await list.write([found(list.rowNumbers[index] ?? 0, 'VALID')], afterMs);
    }

    await expect.poll(() => published.map(({ progress }) => progress)).toEqual([10, 40, 50, 70]);
  });

  it('go on publishing progress when the clock of the worker is set back', async () => {
    const list = await createList(10);
    const published = await collectEvents(list.id);

    for (const [index, afterMs] of [0, -7_200_000, -7_199_950, -7_199_000].entries()) {
      await list.write([found(list.rowNumbers[index] ?? 0, 'VALID')], afterMs);
    }

    await expect.poll(() => published.map(({ progress }) => progress)).toEqual([10, 20, 40]);
  });

  it('publish throttled progress later, unless other results published it', async () => {
    const list = await createList(10);
    const published = await collectEvents(list.id);
    const at = (ms: number) => new Date(now.getTime() + ms);
    const tellLate = (writtenMs: number, nowMs: number) =>
      emailLists.results.publishLateProgress(api.database.db, list.place, {
        writtenAt: at(writtenMs),
        now: at(nowMs),
      });

    await list.write([found(list.rowNumbers[0] ?? 0, 'VALID')], 0);
    await list.write([found(list.rowNumbers[1] ?? 0, 'VALID')], 50);
    await tellLate(50, 150);
    await tellLate(50, 160);
    await list.write([found(list.rowNumbers[2] ?? 0, 'VALID')], 300);

    await expect.poll(() => published.map(({ progress }) => progress)).toEqual([10, 20, 30]);
  });

  it('publish progress with the counts of the same moment', async () => {
    const list = await createList(10);
    const published = await collectEvents(list.id);
    const [first = 0, second = 0, third = 0] = list.rowNumbers;

    await list.write([found(first, 'VALID'), found(second, 'INVALID')], 0);
    await list.write([found(third, 'VALID')], 50);
    const late = { writtenAt: new Date(now.getTime() + 50), now: new Date(now.getTime() + 150) };
    await emailLists.results.publishLateProgress(api.database.db, list.place, late);

    const counts = { invalid_emails: 1, catch_all_emails: 0, unknown_emails: 0 };
    await expect
      .poll(() => published)
      .toEqual([
        { list_id: list.id, progress: 20, email_metrics: { ...counts, valid_emails: 1 } },
        { list_id: list.id, progress: 30, email_metrics: { ...counts, valid_emails: 2 } },
      ]);
  });

  it('each keep their own evidence in a batch of any size', async () => {
    const list = await createList(2_100);

    await list.write(list.rowNumbers.map((rowNumber) => found(rowNumber, 'VALID')));

    for (const index of [0, 999, 1_000, 1_999, 2_000, 2_099]) {
      const rowNumber = list.rowNumbers[index] ?? -1;
      expect(await list.findRow(rowNumber)).toMatchObject({ detail: { suggestion: `VALID ${rowNumber}` } });
    }
  });

  it('are not written for a list that was deleted meanwhile', async () => {
    const list = await createList(2);
    await list.remove();

    await expect(list.write([found(list.rowNumbers[0] ?? 0, 'VALID')])).rejects.toThrow(ListGone);
  });
});
