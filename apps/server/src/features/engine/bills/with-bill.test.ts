import type { QuestionBill } from '@assay/verifier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { insertCustomer } from '../../billing/testing/accounts.ts';
import { findBills } from './bills.store.ts';
import { withBill } from './with-bill.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const newAccount = () => database.db.transaction().execute((tx) => insertCustomer(tx, new Date()));
const countOf = async (ownerId: string) =>
  (await findBills(database.db, { since: new Date(0), ownerId, limit: 10 })).map(
    ({ questions }) => questions,
  );
const askThree = (bill: QuestionBill) => {
  for (let question = 0; question < 3; question++) bill.note('Google', 'questions');
};

describe('work that asks mail hosts', () => {
  it('writes what is left on its bill when it is done, and gives its result', async () => {
    const ownerId = await newAccount();
    const result = await withBill(database.db, { ownerId }, async (bill) => {
      askThree(bill);
      return 'done';
    });
    expect(result).toBe('done');
    expect(await countOf(ownerId)).toEqual([3]);
  });

  it('writes it also when it fails, and fails as it did', async () => {
    const ownerId = await newAccount();
    const failing = withBill(database.db, { ownerId }, async (bill) => {
      askThree(bill);
      throw new Error('the list is gone');
    });
    await expect(failing).rejects.toThrow('the list is gone');
    expect(await countOf(ownerId)).toEqual([3]);
  });

  it('fails as it did also when the database is away', async () => {
    const failing = withBill({} as typeof database.db, { ownerId: await newAccount() }, async (bill) => {
      askThree(bill);
      throw new Error('the list is gone');
    });
    await expect(failing).rejects.toThrow('the list is gone');
  });
});
