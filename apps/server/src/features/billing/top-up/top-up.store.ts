import type { TopUpStop } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';

export interface TopUpSettings {
  readonly isOn: boolean;
  readonly below: number;
  readonly packCode: string;
  readonly monthlyCapCents: number;
  readonly stoppedBecause: TopUpStop | null;
  /** When a purchase was first left out because of the cap; null since the settings were last saved. */
  readonly capReachedAt: Date | null;
  /** Whether the account is held or suspended. It can use no credits, so none are bought. */
  readonly isRestricted: boolean;
}

export const findSettings = (db: Db, ownerId: AccountId): Promise<TopUpSettings | undefined> =>
  db
    .selectFrom('automatic_top_ups')
    .innerJoin('accounts', 'accounts.id', 'owner_id')
    .select([
      'is_on as isOn',
      'below',
      'pack_code as packCode',
      'monthly_cap_cents as monthlyCapCents',
      'stopped_because as stoppedBecause',
      'cap_reached_at as capReachedAt',
      sql<boolean>`standing in ('held', 'suspended')`.as('isRestricted'),
    ])
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();

export async function saveSettings(
  tx: Tx,
  ownerId: AccountId,
  settings: Omit<TopUpSettings, 'stoppedBecause' | 'capReachedAt' | 'isRestricted'>,
): Promise<void> {
  const values = {
    is_on: settings.isOn,
    below: settings.below,
    pack_code: settings.packCode,
    monthly_cap_cents: settings.monthlyCapCents,
    stopped_because: null,
  };
  await tx
    .insertInto('automatic_top_ups')
    .values({ owner_id: ownerId, ...values })
    .onConflict((conflict) =>
      conflict
        .column('owner_id')
        .doUpdateSet({ ...values, is_stop_told: true, cap_reached_at: null, is_cap_told: true }),
    )
    .execute();
}

/** Returns whether it was on. */
export async function stopTopUp(tx: Tx, ownerId: AccountId, because: TopUpStop): Promise<boolean> {
  const stopped = await tx
    .updateTable('automatic_top_ups')
    .set({ is_on: false, stopped_because: because, is_stop_told: false })
    .where('owner_id', '=', ownerId)
    .where('is_on', '=', true)
    .returning('owner_id')
    .executeTakeFirst();
  return stopped !== undefined;
}

/** After a dispute that we won, unless another one is open. It stays off: only the customer turns it on. */
export async function forgetDisputeStop(tx: Tx, ownerId: AccountId): Promise<void> {
  await sql`
    update automatic_top_ups set stopped_because = null, is_stop_told = true
    where owner_id = ${ownerId} and stopped_because = 'disputed' and not exists (
      select from payment_disputes
      where payment_disputes.owner_id = ${ownerId} and kind = 'dispute' and status = 'open')`.execute(tx);
}

/** Why it stopped, in the transaction that tells the customer: of processes that do this at the same moment, one gets it. */
export async function takeTopUpStop(tx: Tx, ownerId: AccountId): Promise<TopUpStop | undefined> {
  const taken = await tx
    .updateTable('automatic_top_ups')
    .set({ is_stop_told: true })
    .where('owner_id', '=', ownerId)
    .where('is_stop_told', '=', false)
    .returning('stopped_because')
    .executeTakeFirst();
  return taken?.stopped_because ?? undefined;
}

/** Records once a month that the cap is used up. Returns whether it is news. */
export async function setCapReached(tx: Tx, ownerId: AccountId, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update automatic_top_ups set cap_reached_at = ${now}, is_cap_told = false
    where owner_id = ${ownerId} and is_on and (cap_reached_at is null or cap_reached_at < ${startOfMonth(now)})
    returning owner_id`.execute(tx);
  return rows.length > 0;
}

export interface ReachedCap {
  readonly capCents: number;
  readonly reachedAt: Date;
}

/** The cap that was reached, in the transaction that tells the customer. */
export async function takeReachedCap(tx: Tx, ownerId: AccountId): Promise<ReachedCap | undefined> {
  const taken = await tx
    .updateTable('automatic_top_ups')
    .set({ is_cap_told: true })
    .where('owner_id', '=', ownerId)
    .where('is_cap_told', '=', false)
    .returning(['monthly_cap_cents as capCents', 'cap_reached_at as reachedAt'])
    .executeTakeFirst();
  return taken?.reachedAt ? { capCents: taken.capCents, reachedAt: taken.reachedAt } : undefined;
}

/** Customers with a low balance, and those with a purchase that is not settled, in pages ordered by owner. */
export async function findOwnersToTopUp(db: Db, page: { after: string; limit: number }): Promise<string[]> {
  const { rows } = await sql<{ owner_id: AccountId }>`
    select owner_id from (
      select owner_id from automatic_top_ups join wallets using (owner_id)
        where is_on and balance - held < below
      union
      select owner_id from top_up_orders where status = 'open'
    ) as wanted
    where owner_id > ${page.after} order by owner_id limit ${page.limit}`.execute(db);
  return rows.map(({ owner_id }) => owner_id);
}

export interface TopUpOrder {
  readonly orderId: string;
  readonly packCode: string;
  readonly priceCents: number;
  readonly cardReference: string;
  /** Null for orders of earlier versions. */
  readonly cardMark: string | null;
  readonly openedAt: Date;
  /** Null until its payment was opened at the provider. */
  readonly paymentReference: string | null;
  /** Whether the automatic top-up has stopped because of it. Nothing charges it any more. */
  readonly isGivenUp: boolean;
}

const orderColumns = [
  'order_id as orderId',
  'pack_code as packCode',
  'price_cents as priceCents',
  'card_reference as cardReference',
  'card_mark as cardMark',
  'opened_at as openedAt',
  'payment_reference as paymentReference',
  'is_given_up as isGivenUp',
] as const;

export const findOpenOrder = (db: Db, ownerId: AccountId): Promise<TopUpOrder | undefined> =>
  db
    .selectFrom('top_up_orders')
    .select(orderColumns)
    .where('owner_id', '=', ownerId)
    .where('status', '=', 'open')
    .executeTakeFirst();

export const insertOrder = (
  tx: Tx,
  order: {
    ownerId: AccountId;
    packCode: string;
    priceCents: number;
    card: { readonly id: string; readonly mark: string };
    now: Date;
  },
): Promise<TopUpOrder> =>
  tx
    .insertInto('top_up_orders')
    .values({
      owner_id: order.ownerId,
      pack_code: order.packCode,
      price_cents: order.priceCents,
      card_reference: order.card.id,
      card_mark: order.card.mark,
      opened_at: order.now,
    })
    .returning(orderColumns)
    .executeTakeFirstOrThrow();

/** A payment that we hear of late makes a failed order a paid one. After a restore the order may be missing: the cap counts it. */
export async function setOrderPaid(
  tx: Tx,
  order: {
    ownerId: AccountId;
    orderId: string;
    packCode: string;
    paymentReference: string;
    paidCents: number;
    paidAt: Date;
  },
): Promise<void> {
  const paid = {
    status: 'paid',
    payment_reference: order.paymentReference,
    invoice_state: 'wanted',
  } as const;
  await tx
    .insertInto('top_up_orders')
    .values({
      order_id: order.orderId,
      owner_id: order.ownerId,
      pack_code: order.packCode,
      price_cents: order.paidCents,
      card_reference: '',
      opened_at: order.paidAt,
      ...paid,
    })
    .onConflict((conflict) =>
      conflict.column('order_id').doUpdateSet(paid).where('top_up_orders.owner_id', '=', order.ownerId),
    )
    .execute();
}

export interface OrderToInvoice {
  readonly ownerId: AccountId;
  readonly orderId: string;
  readonly paymentReference: string;
}

/** Paid orders that were opened between two moments and still need an invoice, the oldest first. */
export const findOrdersToInvoice = (
  db: Db,
  opened: { readonly after: Date; readonly before: Date },
): Promise<OrderToInvoice[]> =>
  db
    .selectFrom('top_up_orders')
    .select(['owner_id as ownerId', 'order_id as orderId', 'payment_reference as paymentReference'])
    .where('invoice_state', '=', 'wanted')
    .where('payment_reference', 'is not', null)
    .where('opened_at', '>', opened.after)
    .where('opened_at', '<', opened.before)
    .orderBy('opened_at')
    .limit(1_000)
    .$narrowType<{ paymentReference: string }>()
    .execute();

export async function setInvoiceState(
  tx: Tx,
  { ownerId, orderId }: OrderToInvoice,
  state: 'none' | 'written',
): Promise<void> {
  await tx
    .updateTable('top_up_orders')
    .set({ invoice_state: state })
    .where('owner_id', '=', ownerId)
    .where('order_id', '=', orderId)
    .where('invoice_state', '=', 'wanted')
    .execute();
}

/** Only while the order is open. */
export async function setOrderPayment(
  tx: Tx,
  { ownerId, orderId, paymentReference }: { ownerId: AccountId; orderId: string; paymentReference: string },
): Promise<void> {
  await tx
    .updateTable('top_up_orders')
    .set({ payment_reference: paymentReference })
    .where('owner_id', '=', ownerId)
    .where('order_id', '=', orderId)
    .where('status', '=', 'open')
    .execute();
}

/** Returns whether this is the first time. */
export async function setOrderGivenUp(tx: Tx, ownerId: AccountId, order: TopUpOrder): Promise<boolean> {
  const changed = await openOrderAsRead(tx, ownerId, order)
    .set({ is_given_up: true })
    .where('is_given_up', '=', false)
    .returning('order_id')
    .executeTakeFirst();
  return changed !== undefined;
}

export async function setOrderFailed(tx: Tx, ownerId: AccountId, order: TopUpOrder): Promise<void> {
  await openOrderAsRead(tx, ownerId, order).set({ status: 'failed' }).execute();
}

/** Only with the same payment as when it was read: a payment opened since may be charged. */
const openOrderAsRead = (tx: Tx, ownerId: AccountId, order: TopUpOrder) =>
  tx
    .updateTable('top_up_orders')
    .where('owner_id', '=', ownerId)
    .where('order_id', '=', order.orderId)
    .where('status', '=', 'open')
    .where('payment_reference', 'is not distinct from', order.paymentReference);

/** How long a card that a bank has declined rests, whatever its owner saves. */
const declinedCardRestMs = 3_600_000;

export async function recordDeclinedCard(tx: Tx, cardMark: string, now: Date): Promise<void> {
  await tx
    .insertInto('declined_cards')
    .values({ card_mark: cardMark, declined_at: now })
    .onConflict((conflict) => conflict.column('card_mark').doUpdateSet({ declined_at: now }))
    .execute();
}

/** When a declined card may be tried again; undefined for one that may be tried now. */
export async function findCardRest(db: Db, cardMark: string, now: Date): Promise<Date | undefined> {
  const declined = await db
    .selectFrom('declined_cards')
    .select('declined_at')
    .where('card_mark', '=', cardMark)
    .where('declined_at', '>', restedSince(now))
    .executeTakeFirst();
  return declined && new Date(declined.declined_at.getTime() + declinedCardRestMs);
}

export async function deleteRestedCards(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('declined_cards').where('declined_at', '<=', restedSince(now)).execute();
}

const restedSince = (now: Date): Date => new Date(now.getTime() - declinedCardRestMs);

/** What automatic purchases of the calendar month cost, in UTC, with one that is not settled. */
export async function sumOfMonth(db: Db, ownerId: AccountId, now: Date): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(price_cents), 0)::bigint as cents from top_up_orders
    where owner_id = ${ownerId} and status <> 'failed'
      and opened_at >= ${startOfMonth(now)}`.execute(db);
  return rows[0]?.cents ?? 0;
}

/** When the next calendar month begins, in UTC. */
export const endOfMonth = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
export const startOfMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
