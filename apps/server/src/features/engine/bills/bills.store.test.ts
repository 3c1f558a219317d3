import { randomUUID } from 'node:crypto';
import { QuestionBill } from '@assay/verifier';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { insertCustomer } from '../../billing/testing/accounts.ts';
import { findBills, saveBills, sweepBills } from './bills.store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('truncate question_bills'));

const newAccount = () => database.db.transaction().execute((tx) => insertCustomer(tx, new Date()));
const since = new Date(Date.now() - 86_400_000);
const find = (ownerId?: string) => findBills(database.db, { since, ownerId, limit: 10 });

/** `{ Google: 3 }`: three questions, of which the first is a proof and the last unknown. */
function billOf(counts: Readonly<Record<string, number>>) {
  const bill = new QuestionBill();
  for (const [provider, count] of Object.entries(counts)) {
    for (let question = 0; question < count; question++) bill.note(provider, 'questions');
    bill.note(provider, 'proofs');
    bill.note(provider, 'unknown');
  }
  return bill.take();
}

describe('the bill of questions', () => {
  it('adds up what an account asked each provider', async () => {
    const ownerId = await newAccount();
    const listId = randomUUID();
    await saveBills(database.db, [
      { ownerId, listId, bill: billOf({ Google: 3, Yahoo: 2 }) },
      { ownerId, listId, bill: billOf({ Google: 4 }) },
    ]);
    await saveBills(database.db, [{ ownerId, bill: billOf({ Google: 5 }) }]);

    const google = { provider: 'Google', proofs: 3, controls: 0, unknown: 3, blocked: 0 };
    const yahoo = { provider: 'Yahoo', questions: 2, proofs: 1, controls: 0, unknown: 1, blocked: 0 };
    expect(await find()).toEqual([
      { account: ownerId, list: null, ...google, questions: 12 },
      { account: ownerId, list: null, ...yahoo },
    ]);
    expect(await find(ownerId)).toEqual([
      { account: ownerId, list: listId, ...google, questions: 7, proofs: 2, unknown: 2 },
      { account: ownerId, list: null, ...google, questions: 5, proofs: 1, unknown: 1 },
      { account: ownerId, list: listId, ...yahoo },
    ]);
  });

  it('of many writers at once loses nothing', async () => {
    const ownerId = await newAccount();
    const names = ['Google', 'Yahoo', 'Apple', 'GMX'];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const inSomeOrder = [...names.slice(index % 4), ...names.slice(0, index % 4)];
        return saveBills(database.db, [
          { ownerId, bill: billOf(Object.fromEntries(inSomeOrder.map((name) => [name, 2]))) },
        ]);
      }),
    );
    expect((await find()).map(({ questions }) => questions)).toEqual([40, 40, 40, 40]);
  });

  it('writes nothing where nothing was asked, and goes with its account', async () => {
    const ownerId = await newAccount();
    await saveBills(database.db, [{ ownerId, bill: new Map() }]);
    expect(await find()).toEqual([]);
    await saveBills(database.db, [{ ownerId, bill: billOf({ Google: 1 }) }]);
    await database.pool.query('delete from accounts where id = $1', [ownerId]);
    expect(await find()).toEqual([]);
    await saveBills(database.db, [{ ownerId, bill: billOf({ Google: 1 }) }]);
    expect(await find()).toEqual([]);
  });

  it('is kept for a year', async () => {
    const ownerId = await newAccount();
    await saveBills(database.db, [{ ownerId, bill: billOf({ Google: 1, Yahoo: 1 }) }]);
    await database.pool.query(`update question_bills set day = day - 367 where provider = 'Yahoo'`);
    await sweepBills(database.db);
    expect(
      (await findBills(database.db, { since: new Date(0), limit: 10 })).map(({ provider }) => provider),
    ).toEqual(['Google']);
  });
});
