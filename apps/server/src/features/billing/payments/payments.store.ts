import { FREE_PLAN } from '@assay/contract';
import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod/mini';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { PlanState } from './decide-plan.ts';

export interface Payer extends PlanState {
  readonly ownerId: AccountId;
  readonly customerReference: string | null;
  readonly setupKey: string;
  readonly syncedTicket: number;
  readonly hasFreeAllowance: boolean;
  readonly freeCreditsAt: Date;
  /** Whether credits and plan may be behind the provider's, as after a restore. */
  readonly needsSync: boolean;
}

const payerColumns = sql`
  owner_id as "ownerId", plan_code as "planCode", anchored_at as "anchoredAt", next_renewal_at as "nextRenewalAt",
  past_due_since as "pastDueSince", customer_reference as "customerReference",
  subscription_reference as "subscriptionReference", setup_key as "setupKey", synced_ticket as "syncedTicket",
  has_free_allowance as "hasFreeAllowance", free_credits_at as "freeCreditsAt", pending_kind as "pendingKind",
  pending_plan_code as "pendingPlanCode", pending_at as "pendingAt", needs_sync as "needsSync",
  owed_invoice_id as "owedInvoiceId", owed_cents as "owedCents", owed_plan_code as "owedPlanCode", owed_since as "owedSince"`;

type PayerRow = Omit<Payer, 'owed'> & {
  readonly owedInvoiceId: string | null;
  readonly owedCents: number;
  readonly owedPlanCode: string;
  readonly owedSince: Date;
};

function payerOf({ owedInvoiceId, owedCents, owedPlanCode, owedSince, ...row }: PayerRow): Payer {
  const owed =
    owedInvoiceId === null
      ? null
      : { invoiceId: owedInvoiceId, cents: owedCents, planCode: owedPlanCode, since: owedSince };
  return { ...row, owed };
}

async function selectPayers(db: Db, where: RawBuilder<unknown>): Promise<Payer[]> {
  const { rows } = await sql<PayerRow>`select ${payerColumns} from subscriptions ${where}`.execute(db);
  return rows.map(payerOf);
}

export async function findPayer(db: Db, ownerId: AccountId): Promise<Payer | undefined> {
  return (await selectPayers(db, sql`where owner_id = ${ownerId}`))[0];
}

/** The account that has this customer at the provider, or had it before. */
export async function findPayerOfCustomer(db: Db, customerReference: string): Promise<Payer | undefined> {
  const payers = await selectPayers(
    db,
    sql`where customer_reference = ${customerReference}
      or owner_id = (select owner_id from former_customers where customer_reference = ${customerReference})`,
  );
  return payers[0];
}

/** The customers at the provider that an account had before the present one. */
export async function findFormerCustomers(db: Db, ownerId: AccountId): Promise<string[]> {
  const { rows } = await sql<{ customer_reference: string }>`
    select customer_reference from former_customers where owner_id = ${ownerId}
    order by customer_reference limit 100`.execute(db);
  return rows.map((row) => row.customer_reference);
}

/** Before locks on the account's other rows, such as those of its top-ups, so that two transactions do not wait for each other. */
export async function lockPayer(tx: Tx, ownerId: AccountId): Promise<Payer | undefined> {
  return (await selectPayers(tx, sql`where owner_id = ${ownerId} for update`))[0];
}

/** Accounts without a subscription at the provider, in pages ordered by owner. */
export const findPayersToSetUp = (db: Db, page: { after: string; limit: number }) =>
  selectPayers(
    db,
    sql`where subscription_reference is null and owner_id > ${page.after} order by owner_id limit ${page.limit}`,
  );

export const findPayersPastDue = (db: Db, since: Date) =>
  selectPayers(db, sql`where past_due_since <= ${since} order by past_due_since limit 1000`);

/** Accounts that have a customer at the provider, or had one before. */
const hasCustomer = sql<boolean>`(customer_reference is not null
  or exists (select from former_customers where former_customers.owner_id = subscriptions.owner_id))`;

/** Paid plans whose renewal event is late, and accounts that are marked for a sync. */
export const findPayersToCatchUp = (db: Db, since: Date) =>
  selectPayers(
    db,
    sql`where ${hasCustomer}
        and (needs_sync or (plan_code <> ${FREE_PLAN.code} and next_renewal_at <= ${since}))
      order by next_renewal_at limit 1000`,
  );

/** Marks every customer of the provider for a sync, and returns how many there are. */
export async function markAllForSync(tx: Tx): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('subscriptions')
    .set({ needs_sync: true })
    .where(hasCustomer)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Marks a changed address, which the maintenance job then sends to the provider. */
export async function noteAddressChange(
  tx: Tx,
  { ownerId, now }: { ownerId: AccountId; now: Date },
): Promise<void> {
  await tx
    .updateTable('subscriptions')
    .set({ address_changed_at: now })
    .where('owner_id', '=', ownerId)
    .execute();
}

export interface AddressChange {
  readonly ownerId: AccountId;
  readonly customerReference: string;
  readonly changedAt: Date;
}

export async function findAddressChanges(db: Db): Promise<AddressChange[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select([
      'owner_id as ownerId',
      'customer_reference as customerReference',
      'address_changed_at as changedAt',
    ])
    .where('address_changed_at', 'is not', null)
    .where('customer_reference', 'is not', null)
    .orderBy('address_changed_at')
    .limit(1_000)
    .$narrowType<{ customerReference: string; changedAt: Date }>()
    .execute();
  return rows;
}

/** Keeps the mark when the address has changed again since. */
export async function forgetAddressChange(db: Db, { ownerId, changedAt }: AddressChange): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ address_changed_at: null })
    .where('owner_id', '=', ownerId)
    .where('address_changed_at', '=', changedAt)
    .execute();
}

/** Returns the account's customer, which may be the one that another process has set before. */
export async function setCustomer(
  db: Db,
  { ownerId, customerReference }: { ownerId: AccountId; customerReference: string },
): Promise<string | null> {
  const row = await db
    .updateTable('subscriptions')
    .set({ customer_reference: sql`coalesce(customer_reference, ${customerReference})` })
    .where('owner_id', '=', ownerId)
    .returning('customer_reference')
    .executeTakeFirst();
  return row?.customer_reference ?? null;
}

export async function drawTicket(db: Db): Promise<number> {
  const { rows } = await sql<{ ticket: number }>`select nextval('payment_tickets') as ticket`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The database returned no payment ticket.');
  return row.ticket;
}

/** Only a state that was read with what lost events would have told ends the mark for a sync. */
export async function setPlan(
  tx: Tx,
  {
    ownerId,
    plan,
    ticket,
    isCaughtUp,
  }: { ownerId: AccountId; plan: PlanState; ticket: number; isCaughtUp: boolean },
): Promise<void> {
  await tx
    .updateTable('subscriptions')
    .set({
      plan_code: plan.planCode,
      anchored_at: plan.anchoredAt,
      next_renewal_at: plan.nextRenewalAt,
      past_due_since: plan.pastDueSince,
      subscription_reference: plan.subscriptionReference,
      pending_kind: plan.pendingKind,
      pending_plan_code: plan.pendingPlanCode,
      pending_at: plan.pendingAt,
      owed_invoice_id: plan.owed?.invoiceId ?? null,
      owed_cents: plan.owed?.cents ?? null,
      owed_plan_code: plan.owed?.planCode ?? null,
      owed_since: plan.owed?.since ?? null,
      ...(isCaughtUp && { needs_sync: false }),
      synced_ticket: ticket,
      // After the subscription is gone, the next setup needs a new idempotency key.
      setup_key: sql<string>`case when subscription_reference is not null and ${plan.subscriptionReference}::text is null
        then gen_random_uuid() else setup_key end`,
    })
    .where('owner_id', '=', ownerId)
    .execute();
}

export async function setFreeCreditsAt(tx: Tx, ownerId: AccountId, now: Date): Promise<void> {
  await tx
    .updateTable('subscriptions')
    .set({ free_credits_at: now })
    .where('owner_id', '=', ownerId)
    .execute();
}

/** Unlinks a customer who was deleted at the provider. Their payments still belong to the account. */
export async function forgetCustomer(tx: Tx, ownerId: AccountId): Promise<void> {
  await sql`
    insert into former_customers (customer_reference, owner_id)
    select customer_reference, owner_id from subscriptions
      where owner_id = ${ownerId} and customer_reference is not null
    on conflict do nothing`.execute(tx);
  await tx
    .updateTable('subscriptions')
    .set({ customer_reference: null, setup_key: sql<string>`gen_random_uuid()` })
    .where('owner_id', '=', ownerId)
    .execute();
}

export async function isEventApplied(db: Db, eventId: string): Promise<boolean> {
  const found = await db
    .selectFrom('payment_events')
    .select('event_id')
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Returns whether the event is new. A concurrent delivery of the same event waits here for the first. */
export async function insertEvent(tx: Tx, event: { id: string; type: string; now: Date }): Promise<boolean> {
  const inserted = await tx
    .insertInto('payment_events')
    .values({ event_id: event.id, type: event.type, applied_at: event.now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('event_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function deleteEventsBefore(db: Db, moment: Date): Promise<void> {
  await db.deleteFrom('payment_events').where('applied_at', '<', moment).execute();
}

export interface Purchase {
  readonly ownerId: AccountId;
  readonly kind: 'plan' | 'pack';
  /** The payment of a pack, which may have no invoice. */
  readonly invoiceId: string;
  readonly planCode: string;
  readonly credits: number;
  /** The money that moved. */
  readonly paidCents: number;
  readonly totalCents: number;
  readonly paidAt: Date;
}

/** Returns whether the purchase is new. */
export async function insertPurchase(tx: Tx, purchase: Purchase): Promise<boolean> {
  const inserted = await tx
    .insertInto('purchases')
    .values({
      owner_id: purchase.ownerId,
      invoice_id: purchase.invoiceId,
      kind: purchase.kind,
      plan_code: purchase.planCode,
      credits: purchase.credits,
      paid_cents: purchase.paidCents,
      total_cents: purchase.totalCents,
      paid_at: purchase.paidAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('invoice_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Writes down how much of a purchase's money went back. */
export async function setRefunded(
  tx: Tx,
  { ownerId, invoiceId, refundedCents }: { ownerId: AccountId; invoiceId: string; refundedCents: number },
): Promise<void> {
  await tx
    .updateTable('purchases')
    .set({ refunded_cents: refundedCents })
    .where('owner_id', '=', ownerId)
    .where('invoice_id', '=', invoiceId)
    .execute();
}

export async function findPurchase(
  db: Db,
  { ownerId, invoiceId }: { ownerId: AccountId; invoiceId: string },
) {
  return db
    .selectFrom('purchases')
    .selectAll()
    .select(
      sql<boolean>`exists (select from top_up_orders
        where top_up_orders.owner_id = purchases.owner_id and payment_reference = invoice_id)`.as(
        'is_automatic',
      ),
    )
    .where('owner_id', '=', ownerId)
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirst();
}

/**
 * Records a dispute or refund with what the entry of this key took, and with what it claims of credits on hold. What it takes
 * when its purchase becomes known later is added. A decision is final: a late look at it as it was before changes nothing.
 */
export async function recordReversal(
  tx: Tx,
  reversal: {
    ownerId: AccountId;
    reversalId: string;
    kind: ReversalKind;
    invoiceReference: string;
    key: string;
    status: 'open' | 'won' | 'lost';
    takenCredits: number;
    claimedCredits: number;
    now: Date;
  },
): Promise<'new' | 'changed' | 'known'> {
  const { takenCredits, claimedCredits } = reversal;
  const { rows } = await sql<{ is_new: boolean }>`
    insert into payment_disputes (owner_id, dispute_id, kind, invoice_id, frozen, claimed, status, opened_at)
    values (${reversal.ownerId}, ${reversal.reversalId}, ${reversal.kind}, ${reversal.invoiceReference},
      coalesce((select -amount from ledger_entries where owner_id = ${reversal.ownerId} and key = ${reversal.key}), 0),
      ${claimedCredits}, ${reversal.status}, ${reversal.now})
    on conflict (owner_id, dispute_id) do update set
        invoice_id = excluded.invoice_id,
        frozen = payment_disputes.frozen + ${takenCredits},
        status = case when payment_disputes.status = 'open' or excluded.status = 'won'
          then excluded.status else payment_disputes.status end,
        claimed = case excluded.status when 'won' then 0 else payment_disputes.claimed + ${claimedCredits} end
      where payment_disputes.status = 'open' and excluded.status <> 'open'
        or payment_disputes.status = 'lost' and excluded.status = 'won'
        or ${takenCredits + claimedCredits > 0}
    returning xmax = 0 as is_new`.execute(tx);
  const [row] = rows;
  if (!row) return 'known';
  return row.is_new ? 'new' : 'changed';
}

export async function findReversal(
  tx: Tx,
  { ownerId, reversalId }: { ownerId: AccountId; reversalId: string },
): Promise<{ takenCredits: number; claimedCredits: number } | undefined> {
  const { rows } = await sql<{ takenCredits: number; claimedCredits: number }>`
    select frozen as "takenCredits", claimed as "claimedCredits" from payment_disputes
    where owner_id = ${ownerId} and dispute_id = ${reversalId}`.execute(tx);
  return rows[0];
}

/** A grant of an operator that was taken back claims credits on hold like the others. */
type ReversalKind = 'dispute' | 'refund' | 'grant';

export interface ReversalClaim {
  readonly reversalId: string;
  readonly kind: ReversalKind;
  readonly invoiceId: string;
  readonly claimedCredits: number;
}

/** Disputes, refunds and grants taken back that claim credits of a hold that was placed before them, the oldest first. */
export async function findClaims(
  tx: Tx,
  { ownerId, placedAt }: { ownerId: AccountId; placedAt: Date },
): Promise<ReversalClaim[]> {
  const { rows } = await sql<ReversalClaim>`
    select dispute_id as "reversalId", kind, invoice_id as "invoiceId", claimed as "claimedCredits" from payment_disputes
    where owner_id = ${ownerId} and claimed > 0 and opened_at > ${placedAt}
    order by opened_at, dispute_id`.execute(tx);
  return rows;
}

/** Counts credits that were taken later. The claim ends with the last hold from before the dispute or refund. */
export async function reduceClaim(
  tx: Tx,
  { ownerId, reversalId, takenCredits }: { ownerId: AccountId; reversalId: string; takenCredits: number },
): Promise<void> {
  await sql`
    update payment_disputes set frozen = frozen + ${takenCredits}, claimed = least(claimed - ${takenCredits}, (
      select coalesce(sum(amount), 0) from holds
      where holds.owner_id = payment_disputes.owner_id and holds.status = 'held' and placed_at < opened_at))
    where owner_id = ${ownerId} and dispute_id = ${reversalId}`.execute(tx);
}

export interface OpenPackCheckout {
  readonly checkoutId: string;
  readonly ownerId: AccountId;
  readonly openedAt: Date;
}

export async function insertPackCheckout(
  db: Db,
  checkout: { checkoutId: string; ownerId: AccountId; now: Date; checkAt: Date },
): Promise<void> {
  await db
    .insertInto('pack_checkouts')
    .values({
      checkout_reference: checkout.checkoutId,
      owner_id: checkout.ownerId,
      opened_at: checkout.now,
      check_at: checkout.checkAt,
    })
    .execute();
}

export async function findPackCheckoutsToCheck(db: Db, now: Date): Promise<OpenPackCheckout[]> {
  return db
    .selectFrom('pack_checkouts')
    .select(['checkout_reference as checkoutId', 'owner_id as ownerId', 'opened_at as openedAt'])
    .where('check_at', '<=', now)
    .orderBy('check_at')
    .limit(1_000)
    .execute();
}

export async function postponePackCheckout(db: Db, checkoutId: string, checkAt: Date): Promise<void> {
  await db
    .updateTable('pack_checkouts')
    .set({ check_at: checkAt })
    .where('checkout_reference', '=', checkoutId)
    .execute();
}

export async function deletePackCheckout(
  db: Db,
  { ownerId, checkoutId }: Pick<OpenPackCheckout, 'ownerId' | 'checkoutId'>,
): Promise<void> {
  await db
    .deleteFrom('pack_checkouts')
    .where('owner_id', '=', ownerId)
    .where('checkout_reference', '=', checkoutId)
    .execute();
}

export async function findDepartedCustomers(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('departed_customers')
    .select('customer_reference')
    .orderBy('departed_at')
    .limit(1_000)
    .execute();
  return rows.map((row) => row.customer_reference);
}

export async function deleteDepartedCustomer(db: Db, customerReference: string): Promise<void> {
  await db.deleteFrom('departed_customers').where('customer_reference', '=', customerReference).execute();
}

/** Those customers at the payment provider that this installation knows. */
export async function findKnownCustomers(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::text[]) as made (id)
    where exists (select from subscriptions where customer_reference = made.id)
      or exists (select from former_customers where customer_reference = made.id)
      or exists (select from departed_customers where customer_reference = made.id)`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The account of an id that may be any text. */
export async function findAccountOf(db: Db, text: string): Promise<string | null> {
  const { data: id } = z.safeParse(z.uuid(), text);
  const { rows } = await sql<{ id: string }>`select id from accounts where id = ${id ?? null}`.execute(db);
  return rows[0]?.id ?? null;
}
