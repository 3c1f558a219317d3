import { randomInt } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { insertCoupons, type NewCoupon } from './coupons.store.ts';

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
}

/** Answers whether the code was free. */
export async function createCoupon({ db, clock }: Parts, coupon: NewCoupon): Promise<boolean> {
  const [created] = await insertCoupons(db, [coupon], clock.now());
  return created !== undefined;
}

// Without letters and digits that look alike in print. Ten of them are 48 bits: nobody finds one by trying.
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const randomCharacters = 10;
const rowsPerStatement = 1_000;

/** Makes as many coupons, all alike but for their codes. Yields the codes as they are kept. */
export async function* createCouponsInBulk(
  { db, clock }: Parts,
  { count, prefix, ...coupon }: Omit<NewCoupon, 'code'> & { count: number; prefix: string },
): AsyncGenerator<string> {
  let left = count;
  while (left > 0) {
    const batch = Array.from({ length: Math.min(left, rowsPerStatement) }, () => ({
      ...coupon,
      code: `${prefix}-${randomText()}`,
    }));
    const created = await insertCoupons(db, batch, clock.now());
    left -= created.length;
    yield* created;
  }
}

const randomText = (): string =>
  Array.from({ length: randomCharacters }, () => alphabet[randomInt(alphabet.length)]).join('');
