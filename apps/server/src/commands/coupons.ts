import { GRANT_CREDITS_MAX, REDEMPTIONS_MAX } from '@assay/contract/operator';
import {
  couponCodeRule,
  createCouponsInBulk,
  findCoupons,
  type NewCoupon,
  readCouponCode,
} from '../features/billing/index.ts';
import {
  type ActorAndReason,
  couponState,
  createCouponByOperator,
  disableCouponByOperator,
  recordBulkCoupons,
} from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import {
  type CommandIo,
  type CommandRun,
  readArguments,
  runCommand,
  UsageError,
  withDatabase,
} from './command.ts';
import { formatTable } from './table.ts';

const options = {
  credits: { type: 'string' },
  max: { type: 'string' },
  expires: { type: 'string' },
  bulk: { type: 'string' },
  prefix: { type: 'string' },
  ...reasonOptions,
} as const;

type Values = { readonly [name in keyof typeof options]?: string | undefined };

const bulkMax = 1_000_000;

/** `assay coupons`: codes that give credits. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ name: 'coupons', argv, io }, async (command) => {
    const { values, positionals } = readArguments(command.argv, options);
    const [verb, typedCode, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError('Name one code at a time.');

    if (verb === 'list') return withDatabase(io, (db) => list(db, command));
    if (verb === 'disable') {
      const code = readCode(typedCode);
      const by = readActorAndReason(values, io);
      return withDatabase(io, (db) => disable(db, command, by, code));
    }
    if (verb !== 'create') throw new UsageError('Say what to do: create, list or disable.');
    if (values.bulk !== undefined) {
      if (typedCode !== undefined)
        throw new UsageError('With --bulk the codes are made up; give a --prefix.');
      const batch = readBulkOrder(values);
      const by = readActorAndReason(values, io);
      return withDatabase(io, (db) => createMany(db, command, by, batch));
    }
    if (values.prefix !== undefined) throw new UsageError('--prefix belongs to --bulk.');
    const coupon = { code: readCode(typedCode), ...readTerms(values) };
    const by = readActorAndReason(values, io);
    return withDatabase(io, (db) => createOne(db, command, by, coupon));
  });
}

async function createOne(
  db: Db,
  command: CommandRun,
  by: ActorAndReason,
  coupon: NewCoupon,
): Promise<number> {
  await createCouponByOperator({ db, clock: systemClock }, by, coupon);
  command.print([coupon], `Created coupon ${coupon.code} for ${coupon.credits} credits.\n`);
  return 0;
}

async function createMany(
  db: Db,
  command: CommandRun,
  by: ActorAndReason,
  batch: Parameters<typeof createCouponsInBulk>[1],
): Promise<number> {
  const parts = { db, clock: systemClock };
  await recordBulkCoupons(parts, by, batch);
  for await (const code of createCouponsInBulk(parts, batch)) {
    command.print([{ code }], `${code}\n`);
  }
  return 0;
}

async function list(db: Db, command: CommandRun): Promise<number> {
  const coupons = (await findCoupons(db)).map((coupon) => ({
    code: coupon.code,
    credits: coupon.credits,
    redeemed: coupon.redemption_count,
    max: coupon.redemptions_max,
    expires: coupon.expires_at,
    state: couponState(coupon, systemClock.now()),
  }));
  command.print(coupons, formatTable(coupons, 'There is no coupon.'));
  return 0;
}

async function disable(db: Db, command: CommandRun, by: ActorAndReason, code: string): Promise<number> {
  await disableCouponByOperator({ db, clock: systemClock }, by, code);
  command.print(
    [{ code, state: 'disabled' }],
    `Coupon ${code} is disabled. Customers keep the credits that they redeemed.\n`,
  );
  return 0;
}

function readCode(typed: string | undefined): string {
  const code = readCouponCode(typed ?? '');
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

function readNumber(name: string, text: string | undefined, max: number): number {
  const number = Number(text);
  if (text !== undefined && /^\d+$/.test(text) && number >= 1 && number <= max) return number;
  throw new UsageError(`--${name} takes a whole number from 1 to ${max}.`);
}

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
