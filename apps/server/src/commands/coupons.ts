import { GRANT_CREDITS_MAX, REDEMPTIONS_MAX } from '@assay/contract/operator';
import {
  couponCodeRule,
  createCouponsInBulk,
  findCoupons,
  type NewCoupon,
  readCouponCode,
} from '../features/billing/index.ts';
import {
  couponState,
  createCouponByOperator,
  disableCouponByOperator,
  recordBulkCoupons,
} from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import { type CommandRun, defineVerbs, UsageError, type ValuesOf, withDatabase } from './command.ts';
import { readNumber } from './read-options.ts';
import { printTable } from './table.ts';

const options = {
  credits: { type: 'string' },
  max: { type: 'string' },
  expires: { type: 'string' },
  bulk: { type: 'string' },
  prefix: { type: 'string' },
  ...reasonOptions,
} as const;

type Values = ValuesOf<typeof options>;
type Run = CommandRun<Values>;

const bulkMax = 1_000_000;

/** `assay coupons`: codes that give credits. */
export const run = defineVerbs('coupons', options, {
  create: (command) => (command.values.bulk === undefined ? createOne(command) : createMany(command)),
  list: (command) =>
    printTable(command, 'There is no coupon.', async (db) =>
      (await findCoupons(db)).map((coupon) => ({
        code: coupon.code,
        credits: coupon.credits,
        redeemed: coupon.redemption_count,
        max: coupon.redemptions_max,
        expires: coupon.expires_at,
        state: couponState(coupon, systemClock.now()),
      })),
    ),
  disable,
});

async function createOne(command: Run): Promise<number> {
  const { values } = command;
  if (values.prefix !== undefined) throw new UsageError('--prefix belongs to --bulk.');
  const coupon: NewCoupon = { code: readCode(command), ...readTerms(values) };
  const by = readActorAndReason(values, command);
  return withDatabase(command, async (db) => {
    await createCouponByOperator({ db, clock: systemClock }, by, coupon);
    command.print([coupon], `Created coupon ${coupon.code} for ${coupon.credits} credits.\n`);
    return 0;
  });
}

async function createMany(command: Run): Promise<number> {
  if (command.words.length > 0) throw new UsageError('With --bulk the codes are made up; give a --prefix.');
  const batch = readBulkOrder(command.values);
  const by = readActorAndReason(command.values, command);
  return withDatabase(command, async (db) => {
    const parts = { db, clock: systemClock };
    await recordBulkCoupons(parts, by, batch);
    for await (const code of createCouponsInBulk(parts, batch)) command.print([{ code }], `${code}\n`);
    return 0;
  });
}

async function disable(command: Run): Promise<number> {
  const code = readCode(command);
  const by = readActorAndReason(command.values, command);
  return withDatabase(command, async (db) => {
    await disableCouponByOperator({ db, clock: systemClock }, by, code);
    command.print(
      [{ code, state: 'disabled' }],
      `Coupon ${code} is disabled. Customers keep the credits that they redeemed.\n`,
    );
    return 0;
  });
}

function readCode({ words: [typed = '', ...others] }: Run): string {
  if (others.length > 0) throw new UsageError('Name one code at a time.');
  const code = readCouponCode(typed);
  if (code === null) throw new UsageError(`Name a code. ${couponCodeRule}`);
  return code;
}

function readBulkOrder(values: Values) {
  const terms = readTerms({ ...values, max: values.max ?? '1' });
  const count = readNumber('bulk', values.bulk, bulkMax);
  const prefix = values.prefix?.trim().toUpperCase() ?? '';
  // A code is the prefix, a hyphen and ten characters; checks the prefix with an example.
  if (prefix === '' || readCouponCode(`${prefix}-AAAAAAAAAA`) === null) {
    throw new UsageError(`--bulk needs a --prefix to begin the codes with. ${couponCodeRule}`);
  }
  return { ...terms, count, prefix };
}

const readTerms = (values: Values) => ({
  credits: readNumber('credits', values.credits, GRANT_CREDITS_MAX),
  redemptionsMax: values.max === undefined ? null : readNumber('max', values.max, REDEMPTIONS_MAX),
  expiresAt: values.expires === undefined ? null : readDate(values.expires),
});

/** A time without offset would differ from machine to machine, so this accepts a day or a full time only. */
function readDate(text: string): Date {
  const isDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const date = new Date(text);
  const isReal =
    isDate && !Number.isNaN(date.getTime()) && (text.length > 10 || date.toISOString().startsWith(text));
  if (!isReal) throw new UsageError('--expires takes a date such as 2027-01-31 or 2027-01-31T12:00:00Z.');
  if (date <= systemClock.now()) throw new UsageError('--expires is in the past.');
  return date;
}
