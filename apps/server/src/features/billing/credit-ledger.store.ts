import type { TransactionCategory, TransactionSource } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

// The only code that writes wallets, holds and entries; docs/ledger.md explains it. Every function runs in the caller's
// transaction, which must be READ COMMITTED (PostgreSQL's default), and locks the wallet's row until that ends: call it
// last and do little after it.

export type WorkKind = 'list' | 'single' | 'guess' | 'guess-list';

/** Names the work that credits are held for, and its one entry in the ledger. */
export type HoldReference = `${WorkKind}:${string}`;

/** The text in the customer's history. Entries outlive the account, so they contain no names and no addresses. */
export interface EntryText {
  readonly category: TransactionCategory;
  readonly source: TransactionSource;
  readonly description: string;
  readonly invoiceReference?: string;
}

export interface NewHold {
  readonly ownerId: AccountId;
  readonly reference: HoldReference;
  readonly credits: number;
  /** The API key whose work it is. */
  readonly apiKeyId?: string | undefined;
  readonly now: Date;
}

/** Holds for several pieces of work of one customer and one key. */
export interface NewHolds extends Omit<NewHold, 'reference' | 'credits'> {
  readonly references: readonly HoldReference[];
  readonly creditsEach: number;
}

export type HoldOutcome =
  | { readonly placed: true }
  | { readonly placed: false; readonly availableCredits: number };

/** Reserves the full cost of a piece of work, or refuses at once. A second hold on the same reference throws. */
export const placeHold = (tx: Tx, { reference, credits, ...hold }: NewHold): Promise<HoldOutcome> =>
  placeHolds(tx, { ...hold, references: [reference], creditsEach: credits });

/** The same for several pieces of work with one statement: it reserves the cost of all of them or of none. */
export async function placeHolds(tx: Tx, hold: NewHolds): Promise<HoldOutcome> {
  const credits = hold.creditsEach * hold.references.length;
  const { rows } = await sql<{ is_placed: boolean; available: number | null }>`
    with wallet as (
      update wallets set held = held + ${credits}
      where owner_id = ${hold.ownerId} and balance - held >= ${credits}
      returning owner_id
    ), placed as (
      insert into holds (owner_id, reference, amount, api_key_id, placed_at)
      select owner_id, reference, ${hold.creditsEach}, ${hold.apiKeyId ?? null}, ${hold.now}
      from wallet, unnest(${hold.references}::text[]) as reference
      returning 1
    )
    select exists (select from placed) as is_placed,
      (select balance - held from wallets where owner_id = ${hold.ownerId}) as available`.execute(tx);
  const [outcome] = rows;
  if (outcome?.is_placed) return { placed: true };
  if (outcome?.available == null) throw new Error(`Customer ${hold.ownerId} has no wallet.`);
  // The statement saw the wallet as of its start. If that was enough, another transaction has taken credits since.
  const wasTakenMeanwhile = outcome.available >= credits;
  const availableCredits = wasTakenMeanwhile
    ? await readAvailableCredits(tx, hold.ownerId)
    : outcome.available;
  return { placed: false, availableCredits };
}

/** A hold that was made larger, or the credits that there are for it. */
export type GrowthOutcome =
  | {
      readonly grown: true;
      readonly addedCredits: number;
      readonly apiKeyId: string | null;
      readonly placedAt: Date;
    }
  | { readonly grown: false; readonly availableCredits: number };

/** Makes a hold as large as the work costs, which was not known when it was placed, or leaves it as it is. */
export async function growHold(
  tx: Tx,
  { ownerId, reference, credits }: Pick<NewHold, 'ownerId' | 'reference' | 'credits'>,
): Promise<GrowthOutcome> {
  const { rows } = await sql<{ amount: number; api_key_id: string | null; placed_at: Date }>`
    select amount, api_key_id, placed_at from holds
    where owner_id = ${ownerId} and reference = ${reference} and status = 'held' for update`.execute(tx);
  const [hold] = rows;
  if (!hold) throw new Error(`Customer ${ownerId} has no hold ${reference} to grow.`);
  const addedCredits = credits - hold.amount;
  const { numAffectedRows = 0n } = await sql`
    with wallet as (
      update wallets set held = held + ${addedCredits}
      where owner_id = ${ownerId} and balance - held >= ${addedCredits}
      returning owner_id
    )
    update holds set amount = ${credits} from wallet
    where holds.owner_id = wallet.owner_id and reference = ${reference}`.execute(tx);
  if (numAffectedRows === 0n)
    return { grown: false, availableCredits: hold.amount + (await readAvailableCredits(tx, ownerId)) };
  return { grown: true, addedCredits, apiKeyId: hold.api_key_id, placedAt: hold.placed_at };
}

export interface HoldCapture extends EntryText {
  readonly ownerId: AccountId;
  readonly reference: HoldReference;
  /** The final cost: at most the credits on hold, 0 when nothing is due. */
  readonly dueCredits: number;
  readonly now: Date;
}

/** Captures for several pieces of work of one customer. Each reference occurs once. */
export interface HoldCaptures extends Omit<HoldCapture, 'reference' | 'dueCredits'> {
  readonly works: readonly Pick<HoldCapture, 'reference' | 'dueCredits'>[];
}

export interface Settlement {
  readonly status: 'captured' | 'released';
  readonly capturedCredits: number;
  /** False when an earlier call settled the hold and this one changed nothing. */
  readonly isFirst: boolean;
  /** What this call gave back although a disputed or refunded payment claims some of it. */
  readonly claimed?: ClaimedReturn | undefined;
}

/** Credits of a hold that were given back, and of which `takeClaimed` takes those that are disputed or refunded. */
export interface ClaimedReturn {
  readonly credits: number;
  readonly placedAt: Date;
}

/**
 * Ends a hold: takes the due credits, gives the rest back and writes the work's one entry, also when nothing was due.
 * Only the first call has an effect, so a job may call again after a crash.
 */
export async function captureHold(
  tx: Tx,
  { reference, dueCredits, ...capture }: HoldCapture,
): Promise<Settlement> {
  const [settlement] = await captureHolds(tx, { ...capture, works: [{ reference, dueCredits }] });
  return settlement as Settlement;
}

/** The same for several holds with one statement, each with its own entry. Answers in the order of `works`. */
export async function captureHolds(tx: Tx, { works, ...capture }: HoldCaptures): Promise<Settlement[]> {
  // Locks the holds before the wallet, so a second call waits for a hold, finds it settled and changes nothing.
  const { rows } = await sql<SettledHold & { reference: HoldReference; captured: number }>`
    with due as (
      select * from unnest(${works.map(({ reference }) => reference)}::text[],
        ${works.map(({ dueCredits }) => dueCredits)}::bigint[]) as due (reference, credits)
    ), hold as (
      update holds set status = 'captured', captured = due.credits, settled_at = ${capture.now}
      from due
      where owner_id = ${capture.ownerId} and holds.reference = due.reference and status = 'held'
      returning holds.reference, amount, captured, api_key_id, placed_at
    ), total as (
      select count(*) as entries, sum(amount)::bigint as amount, sum(captured)::bigint as captured
      from hold having count(*) > 0
    ), wallet as (
      update wallets set balance = balance - total.captured, held = held - total.amount,
        entry_count = entry_count + total.entries
      from total where owner_id = ${capture.ownerId}
      returning owner_id, balance, entry_count, claimed
    ), ${returnToKey}, entry as (
      insert into ledger_entries (owner_id, entry_number, key, category, source, description, amount, balance_after,
        invoice_reference, created_at, api_key_id)
      select owner_id, entry_count - total.entries + row_number() over by_reference,
        ${captureKeyPrefix} || reference, ${capture.category}, ${capture.source}, ${capture.description}, -hold.captured,
        balance + total.captured - sum(hold.captured) over by_reference, ${capture.invoiceReference ?? null},
        ${capture.now}::timestamptz, api_key_id
      from hold, wallet, total
      window by_reference as (order by reference)
      order by reference
    )
    select reference, captured, amount - captured as returned, placed_at, (select claimed from wallet) as claimed
    from hold`.execute(tx);
  const settled = new Map(rows.map((row) => [row.reference, row]));
  const settlements: Settlement[] = [];
  for (const { reference } of works) {
    const hold = settled.get(reference);
    settlements.push(
      hold
        ? { status: 'captured', capturedCredits: hold.captured, isFirst: true, claimed: claimedOf(hold) }
        : await readSettlement(tx, { ownerId: capture.ownerId, reference }),
    );
  }
  return settlements;
}

/** Ends a hold and gives all its credits back, without an entry. For work that never started. */
export async function releaseHold(
  tx: Tx,
  release: Pick<NewHold, 'ownerId' | 'reference' | 'now'>,
): Promise<Settlement> {
  const { rows } = await sql<SettledHold>`
    with hold as (
      update holds set status = 'released', settled_at = ${release.now}
      where owner_id = ${release.ownerId} and reference = ${release.reference} and status = 'held'
      returning owner_id, amount, captured, api_key_id, placed_at
    ), wallet as (
      update wallets set held = held - hold.amount from hold where wallets.owner_id = hold.owner_id
      returning wallets.owner_id, claimed
    ), ${returnToKey}
    select (select amount from hold) as returned, (select placed_at from hold) as placed_at, claimed from wallet`.execute(
    tx,
  );
  const [settled] = rows;
  if (!settled) return readSettlement(tx, release);
  return { status: 'released', capturedCredits: 0, isFirst: true, claimed: claimedOf(settled) };
}

interface SettledHold {
  readonly returned: number;
  readonly placed_at: Date;
  readonly claimed: number;
}

const claimedOf = ({ returned, placed_at, claimed }: SettledHold): ClaimedReturn | undefined =>
  claimed > 0 ? { credits: returned, placedAt: placed_at } : undefined;

/**
 * Takes what settled holds did not cost off the usage of their keys, for the statements above. It reads `wallet`, so that the
 * wallet is locked first, as in `placeHolds`.
 */
const returnToKey = sql`returned as (
      select api_key_id, (placed_at at time zone 'UTC')::date as day, sum(amount - coalesce(captured, 0))::bigint as credits
      from hold group by 1, 2
    ), key_usage as (
      update api_key_usage set credits = api_key_usage.credits - returned.credits
      from returned, wallet
      where api_key_usage.owner_id = wallet.owner_id and api_key_usage.api_key_id = returned.api_key_id
        and api_key_usage.day = returned.day and returned.credits > 0
    )`;

export interface CreditGrant extends EntryText {
  readonly ownerId: AccountId;
  /** Granting again under the same key changes nothing. */
  readonly key: `${string}:${string}`;
  readonly credits: number;
  readonly now: Date;
}

export interface GrantOutcome {
  readonly grantedCredits: number;
}

export async function grantCredits(tx: Tx, grant: CreditGrant): Promise<GrantOutcome> {
  if (!Number.isSafeInteger(grant.credits) || grant.credits <= 0) {
    throw new RangeError(`A grant must be a whole number of credits above 0, not ${grant.credits}.`);
  }
  refuseCaptureKey(grant.key);
  await lockWallet(tx, grant.ownerId);
  const isNew = await appendOnce(tx, grant);
  return { grantedCredits: isNew ? grant.credits : 0 };
}

/** Writes an entry of 0, once per key, that explains to the customer why they got no credits. */
export async function noteWithoutCredits(tx: Tx, note: Omit<CreditGrant, 'credits'>): Promise<void> {
  refuseCaptureKey(note.key);
  await lockWallet(tx, note.ownerId);
  await appendOnce(tx, { ...note, credits: 0 });
}

/**
 * Raises the credits that were not bought to `upToCredits` and never lowers them. They include credits on hold.
 * See docs/decisions/ledger-holds-count-as-balance.md.
 */
export async function topUpCredits(
  tx: Tx,
  { upToCredits, ...topUp }: Omit<CreditGrant, 'credits'> & { readonly upToCredits: number },
): Promise<GrantOutcome> {
  const { balance, bought } = await lockWallet(tx, topUp.ownerId);
  const credits = upToCredits - (balance - bought);
  if (credits <= 0) return { grantedCredits: 0 };
  return grantCredits(tx, { ...topUp, credits });
}

/**
 * Takes bought credits back, for example after a refund, or others: at most those that are neither spent nor on hold. Writes one
 * entry per key, also when it could take nothing. A second call with the same key changes nothing. `heldCredits` are
 * unspent ones that it could not take because they are on hold.
 */
export async function takeBackCredits(
  tx: Tx,
  {
    upToCredits,
    areBought = true,
    ...takeBack
  }: Omit<CreditGrant, 'credits'> & { readonly upToCredits: number; readonly areBought?: boolean },
): Promise<{ takenCredits: number; heldCredits: number }> {
  if (!Number.isSafeInteger(upToCredits) || upToCredits < 0) {
    throw new RangeError(`Only a whole number of at least 0 credits can be taken back, not ${upToCredits}.`);
  }
  refuseCaptureKey(takeBack.key);
  const wallet = await lockWallet(tx, takeBack.ownerId);
  const unspentCredits = Math.min(upToCredits, areBought ? wallet.bought : wallet.balance - wallet.bought);
  const takenCredits = Math.min(unspentCredits, wallet.balance - wallet.held);
  // `-takenCredits` would be -0 when nothing is taken.
  const isNew = await appendOnce(tx, { ...takeBack, credits: 0 - takenCredits });
  return isNew
    ? { takenCredits, heldCredits: unspentCredits - takenCredits }
    : { takenCredits: 0, heldCredits: 0 };
}

/**
 * Gives back, once, what was taken under this key. It uses up the key when nothing was taken yet, so a late call of
 * `takeBackCredits` takes nothing.
 */
export async function returnCredits(tx: Tx, undone: Omit<CreditGrant, 'credits'>): Promise<GrantOutcome> {
  await takeBackCredits(tx, { ...undone, upToCredits: 0 });
  const { rows } = await sql<{ taken: number }>`
    select coalesce(-sum(amount), 0)::bigint as taken from ledger_entries
    where owner_id = ${undone.ownerId}
      and (key = ${undone.key} or starts_with(key, ${laterKey(undone.key, '')}))`.execute(tx);
  const credits = rows[0]?.taken ?? 0;
  if (credits === 0) return { grantedCredits: 0 };
  return grantCredits(tx, { ...undone, key: `${undone.key}:returned`, credits });
}

/** An entry of an operator that granted credits, and the most that can be left of them: spending counts against them before bought ones. */
interface UnspentGrant {
  readonly key: string;
  readonly unspentCredits: number;
}

/**
 * Locks the wallet, so that the answer stays true until the transaction ends. Undefined if the entry is no such grant. A history can
 * have hundreds of thousands of entries, so it is read before the lock, and only entries that came since then are read under it.
 */
export async function lockUnspentGrant(
  tx: Tx,
  { ownerId, entryNumber }: { readonly ownerId: AccountId; readonly entryNumber: number },
): Promise<UnspentGrant | undefined> {
  const { rows } = await sql<{ key: string; amount: number }>`
    select key, amount from ledger_entries
    where owner_id = ${ownerId} and entry_number = ${entryNumber} and starts_with(key, ${operatorKeyPrefix})`.execute(
    tx,
  );
  const [grant] = rows;
  const before = grant && (await readOtherCredits(tx, ownerId, entryNumber, historyStart));
  await lockWallet(tx, ownerId);
  if (!grant || !before) return undefined;
  const since = await readOtherCredits(tx, ownerId, entryNumber, before);
  const leastOthers = Math.min(before.leastOthers ?? grant.amount, since?.leastOthers ?? grant.amount);
  return { key: grant.key, unspentCredits: Math.min(grant.amount, leastOthers) };
}

interface HistoryPlace {
  readonly lastEntry: number;
  /** How many credits of the balance after it can be bought ones. */
  readonly bought: number;
}

const historyStart: HistoryPlace = { lastEntry: 0, bought: 0 };

/** The least that the balance had beside bought credits, from an entry on, of the entries that follow a place in the history. */
async function readOtherCredits(
  db: Db,
  ownerId: AccountId,
  entryNumber: number,
  after: HistoryPlace,
): Promise<(HistoryPlace & { readonly leastOthers: number | null }) | undefined> {
  const { rows } = await sql<HistoryPlace & { readonly leastOthers: number | null }>`
    with entries as (
      select ${after.lastEntry}::bigint as entry_number, 'PACK' as category, ${after.bought}::bigint as amount,
        ${after.bought}::bigint as balance_after
      union all
      select entry_number, category, amount, balance_after from ledger_entries
      where owner_id = ${ownerId} and entry_number > ${after.lastEntry}
    ), others as (
      select entry_number, balance_after - bought_after(category, amount, balance_after) over (order by entry_number) as credits
      from entries
    )
    select max(entry_number)::bigint as "lastEntry", (select bought from wallets where owner_id = ${ownerId}) as bought,
      (min(credits) filter (where entry_number >= ${entryNumber} and entry_number > ${after.lastEntry}))::bigint as "leastOthers"
    from others`.execute(db);
  return rows[0];
}

/** Of entries with credits that operators granted. */
export const operatorKeyPrefix = 'operator:';

/** The key of what is taken later in addition to the entry of `key`. `returnCredits` gives back both. */
export const laterKey = <Key extends string>(key: Key, part: string) => `${key}:later:${part}` as const;

/** Copies what disputed and refunded payments claim of credits on hold to the wallet, where settlements see it. */
export async function copyClaimedCredits(tx: Tx, ownerId: AccountId): Promise<void> {
  await sql`
    update wallets set claimed = disputed.claimed
    from (select coalesce(sum(claimed), 0) as claimed from payment_disputes where owner_id = ${ownerId}) as disputed
    where owner_id = ${ownerId} and wallets.claimed <> disputed.claimed`.execute(tx);
}

export async function openWallet(tx: Tx, wallet: { ownerId: AccountId; now: Date }): Promise<void> {
  await tx.insertInto('wallets').values({ owner_id: wallet.ownerId, opened_at: wallet.now }).execute();
}

export const captureKeyPrefix = 'capture:';

function refuseCaptureKey(key: string): void {
  if (key.startsWith(captureKeyPrefix)) {
    throw new RangeError(`Keys that begin with ${captureKeyPrefix} belong to settled holds.`);
  }
}

/** A separate statement, so the next one sees every entry that was written before this lock. */
async function lockWallet(
  tx: Tx,
  ownerId: AccountId,
): Promise<{ balance: number; held: number; bought: number }> {
  const wallet = await tx
    .selectFrom('wallets')
    .select(['balance', 'held', 'bought'])
    .where('owner_id', '=', ownerId)
    .forUpdate()
    .executeTakeFirst();
  if (!wallet) throw new Error(`Customer ${ownerId} has no wallet.`);
  return wallet;
}

/** Needs the wallet's lock. Returns whether the key was new. */
async function appendOnce(tx: Tx, grant: CreditGrant): Promise<boolean> {
  const { rows } = await sql`
    with wallet as (
      update wallets set balance = balance + ${grant.credits}, entry_count = entry_count + 1
      where owner_id = ${grant.ownerId}
        and not exists (select from ledger_entries where owner_id = ${grant.ownerId} and key = ${grant.key})
      returning owner_id, balance, entry_count
    )
    insert into ledger_entries (owner_id, entry_number, key, category, source, description, amount, balance_after,
      invoice_reference, created_at)
    select owner_id, entry_count, ${grant.key}, ${grant.category}, ${grant.source}, ${grant.description},
      ${grant.credits}, balance, ${grant.invoiceReference ?? null}, ${grant.now}
    from wallet
    returning 1`.execute(tx);
  return rows.length > 0;
}

export async function readAvailableCredits(db: Db, ownerId: AccountId): Promise<number> {
  const wallet = await db
    .selectFrom('wallets')
    .select(['balance', 'held'])
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return wallet.balance - wallet.held;
}

async function readSettlement(tx: Tx, hold: Pick<NewHold, 'ownerId' | 'reference'>): Promise<Settlement> {
  const settled = await tx
    .selectFrom('holds')
    .select(['status', 'captured'])
    .where('owner_id', '=', hold.ownerId)
    .where('reference', '=', hold.reference)
    .executeTakeFirst();
  if (!settled || settled.status === 'held') {
    throw new Error(`Customer ${hold.ownerId} has no hold ${hold.reference} to settle.`);
  }
  return { status: settled.status, capturedCredits: settled.captured ?? 0, isFirst: false };
}
