import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { insertCustomer } from '../../billing/testing/accounts.ts';
import { saveBills } from './bills.store.ts';
import { expectQuestions } from './expected-bill.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const newAccount = () => database.db.transaction().execute((tx) => insertCustomer(tx, new Date()));
const bill = (provider: string, questions: number, unknown: number) =>
  new Map([[provider, { questions, proofs: questions / 20, controls: questions / 20, unknown, blocked: 0 }]]);
const wanted = new Map<string | null, number>([
  ['Google', 1_000],
  ['Yahoo', 500],
  [null, 90],
]);

it('expects of an account that has asked nothing a question for each address, and no refusals', async () => {
  expect(await expectQuestions(database.db, await newAccount(), wanted)).toEqual(
    new Map([
      ['Google', { addresses: 1_000, questions: 1_000, refusals: null }],
      ['Yahoo', { addresses: 500, questions: 500, refusals: null }],
      [null, { addresses: 90, questions: 90, refusals: null }],
    ]),
  );
});

it('expects what the account saw at the provider, or at all where it asked that provider little', async () => {
  const [ownerId, other] = [await newAccount(), await newAccount()];
  await saveBills(database.db, [
    { ownerId, bill: bill('Google', 2_000, 180) },
    { ownerId, bill: bill('Yahoo', 40, 36) },
    { ownerId, bill: bill('company.example', 1_000, 450) },
    { ownerId: other, bill: bill('Yahoo', 100_000, 90_000) },
  ]);
  await database.pool.query(
    `insert into question_bills select owner_id, day - 31, work_id, provider, 9000, 0, 0, 9000, 0 from question_bills`,
  );

  const expected = await expectQuestions(database.db, ownerId, wanted);

  expect(expected.get('Google')).toEqual({ addresses: 1_000, questions: 1_111, refusals: 100 });
  expect(expected.get(null)).toEqual({ addresses: 90, questions: 100, refusals: 45 });
  // 666 of 2,736 of all.
  expect(expected.get('Yahoo')).toEqual({ addresses: 500, questions: 556, refusals: 122 });
});
