import { QuestionBill } from '@assay/verifier';
import type { Db } from '../../../platform/database/database.ts';
import { type BilledWork, saveBills } from './bills.store.ts';

/**
 * Does work that asks mail hosts, and then writes what is left on its bill. Also if it fails or is cancelled: the questions were asked all
 * the same.
 */
export async function withBill<Result>(
  db: Db,
  work: BilledWork,
  ask: (bill: QuestionBill) => Promise<Result>,
): Promise<Result> {
  const bill = new QuestionBill();
  const save = () => saveBills(db, [{ ...work, bill: bill.take() }]);
  try {
    const result = await ask(bill);
    await save();
    return result;
  } catch (error) {
    // What failed counts, and not that the database may be away as well.
    await save().catch(() => undefined);
    throw error;
  }
}
