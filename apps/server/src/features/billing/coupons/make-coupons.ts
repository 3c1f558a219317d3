import { randomInt } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { insertCoupons, type NewCoupon } from './coupons.store.ts';

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
}

/** Returns whether the code was free. */
export async function createCoupon({ db, clock }: Parts, coupon: NewCoupon): Promise<boolean> {
  const [created] = await insertCoupons(db, [coupon], clock.now());
  return created !== undefined;
}

// Without letters and digits that look alike in print. Ten characters are 48 bits, too many to guess.
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const randomCharacters = 10;
const rowsPerStatement = 1_000;

/** Creates `count` coupons that differ only in their codes. Yields the codes as stored. */
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
