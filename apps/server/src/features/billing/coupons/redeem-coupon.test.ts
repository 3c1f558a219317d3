import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { EVENTS_CHANNEL } from '../../../platform/events/publish.ts';
import { movableClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { auditLedger } from '../ledger-audit.store.ts';
import { insertCustomer } from '../testing/accounts.ts';
import { insertCoupons, type NewCoupon, setDisabled } from './coupons.store.ts';
import { createCouponsInBulk } from './make-coupons.ts';
import { redeemCoupon } from './redeem-coupon.ts';

const expiresAt = new Date('2026-04-01T12:00:00Z');
const askAgain = 'Ask for another one where you got it.';

describe('redeemCoupon', () => {
  const clock = movableClock('2026-03-01T12:00:00Z');
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  const openAccount = () => database.db.transaction().execute((tx) => insertCustomer(tx, clock.now()));
  const openAccounts = (count: number) => Promise.all(Array.from({ length: count }, openAccount));
  async function createCoupon(changes: Partial<NewCoupon> = {}): Promise<string> {
    const code = `TEST-${randomUUID().slice(0, 8)}`.toUpperCase();
    const coupon = { code, credits: 500, redemptionsMax: null, expiresAt: null, ...changes };
    await insertCoupons(database.db, [coupon], clock.now());
    return code;
  }
  const redeem = (ownerId: string, typedCode: string) =>
    redeemCoupon({ db: database.db, clock }, { accountId: ownerId }, typedCode);
  const outcomeOf = (redemption: Promise<unknown>) =>
    redemption.then(
      () => 'valid',
      (error) => error.meta?.outcome ?? error,
    );
  const entriesOf = (ownerId: string) =>
    database.db
      .selectFrom('ledger_entries')
      .select(['key', 'category', 'source', 'description', 'amount'])
      .where('owner_id', '=', ownerId)
      .execute();
  const countOf = async (code: string) => {
    const { rows } = await database.pool.query('select redemption_count from coupons where code = $1', [
      code,
    ]);
    return rows[0]?.redemption_count;
  };

  it('grants the credits with one entry and counts the redemption', async () => {
    const ownerId = await openAccount();
    const code = await createCoupon({ credits: 750 });

    expect(await redeem(ownerId, ` ${code.toLowerCase()}`)).toEqual({ coupon: { amount_of_credits: 750 } });

    expect(await entriesOf(ownerId)).toEqual([
      {
        key: `coupon:${code}`,
        category: 'COUPON',
        source: 'COUPON',
        description: `Coupon ${code}`,
        amount: 750,
      },
    ]);
    expect(await countOf(code)).toBe(1);
  });

  it('makes open pages reload the wallet', async () => {
    const ownerId = await openAccount();
    const code = await createCoupon();
    const listener = await database.pool.connect();
    onTestFinished(() => listener.release(true));
    const received: unknown[] = [];
    listener.on('notification', ({ payload = '' }) => received.push(JSON.parse(payload).user_id));
    await listener.query(`listen ${EVENTS_CHANNEL}`);

    await redeem(ownerId, code);

    // Notifications arrive with the answer to the next statement.
    await listener.query('select 1');
    expect(received).toEqual([ownerId]);
  });

  it.each(['no code at all', 'NO-SUCH-COUPON'])('not_found for %j', async (typed) => {
    await expect(redeem(await openAccount(), typed)).rejects.toMatchObject({
      code: 'coupon_not_found',
      meta: { outcome: 'not_found' },
    });
  });

  it('already_used the second time, also when it has expired since', async () => {
    const ownerId = await openAccount();
    const code = await createCoupon({ expiresAt });
    await redeem(ownerId, code);
    clock.set(expiresAt);

    await expect(redeem(ownerId, code)).rejects.toMatchObject({
      code: 'coupon_already_used',
      meta: { outcome: 'already_used' },
    });
    expect(await entriesOf(ownerId)).toHaveLength(1);
    clock.set('2026-03-01T12:00:00Z');
  });

  it('valid until a moment before it expires, invalid from then on', async () => {
    const code = await createCoupon({ expiresAt });
    clock.set(new Date(expiresAt.getTime() - 1));
    await redeem(await openAccount(), code);
    clock.set(expiresAt);

    await expect(redeem(await openAccount(), code)).rejects.toMatchObject({
      code: 'coupon_invalid',
      meta: { outcome: 'invalid' },
      message: `This coupon has expired. ${askAgain}`,
    });
    clock.set('2026-03-01T12:00:00Z');
  });

  it('invalid after its last redemption, and grants nothing', async () => {
    const ownerId = await openAccount();
    const code = await createCoupon({ redemptionsMax: 1 });
    await redeem(await openAccount(), code);

    await expect(redeem(ownerId, code)).rejects.toMatchObject({
      code: 'coupon_invalid',
      message: `This coupon was redeemed as often as it can be. ${askAgain}`,
    });
    expect(await entriesOf(ownerId)).toEqual([]);
    expect(await countOf(code)).toBe(1);
  });

  it('invalid when it is disabled', async () => {
    const code = await createCoupon();
    await setDisabled(database.db, { code, now: clock.now() });

    await expect(redeem(await openAccount(), code)).rejects.toMatchObject({
      code: 'coupon_invalid',
      message: `This coupon was withdrawn. ${askAgain}`,
    });
  });

  it('exactly one of 200 concurrent customers gets the last redemption, and the ledger audit finds nothing', async () => {
    const code = await createCoupon({ redemptionsMax: 3, credits: 40 });
    const [first = '', second = '', ...owners] = await openAccounts(202);
    for (const ownerId of [first, second]) await redeem(ownerId, code);

    const outcomes = await Promise.all(owners.map((ownerId) => outcomeOf(redeem(ownerId, code))));

    expect(outcomes.filter((outcome) => outcome === 'valid')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'invalid')).toHaveLength(199);
    const { rows } = await database.pool.query(
      'select redemption_count, (select count(*) from coupon_redemptions where code = $1) as redemptions, ' +
        "(select sum(amount) from ledger_entries where key = 'coupon:' || $1) as credits from coupons where code = $1",
      [code],
    );
    expect(rows).toEqual([{ redemption_count: 3, redemptions: 3, credits: '120' }]);
    expect(await Array.fromAsync(auditLedger(database.db))).toEqual([]);
  });

  it('one of 20 concurrent redemptions by one customer counts', async () => {
    const code = await createCoupon({ redemptionsMax: 5 });
    const ownerId = await openAccount();

    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(redeem(ownerId, code))));

    expect(outcomes.filter((outcome) => outcome === 'valid')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'already_used')).toHaveLength(19);
    expect(await countOf(code)).toBe(1);
  });

  it('bulk coupons have the requested number of different codes', async () => {
    const codes = new Set<string>();
    const order = { count: 1_500, prefix: 'FAIR', credits: 10, redemptionsMax: 1, expiresAt: null };
    for await (const code of createCouponsInBulk({ db: database.db, clock }, order)) codes.add(code);

    expect(codes.size).toBe(1_500);
    expect([...codes].every((code) => /^FAIR-[A-Z2-9]{10}$/.test(code))).toBe(true);
  });
});
