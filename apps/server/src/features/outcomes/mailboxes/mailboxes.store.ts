import type { MailboxTrouble } from '@assay/contract';
import { sql } from 'kysely';
import type { RotatedSecrets } from '../../../platform/crypto/rotated-secrets.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';

/** The purpose is part of the encryption: changing it would make every password unreadable. */
export const mailboxPasswords: RotatedSecrets = { table: 'outcome_mailboxes', purpose: 'mailbox password' };

export interface MailboxKey {
  readonly ownerId: AccountId;
  readonly id: string;
}

export type MailboxRow = Awaited<ReturnType<typeof findMailboxes>>[number];

/** Oldest first. */
export const findMailboxes = (db: Db, ownerId: AccountId) =>
  db
    .selectFrom('outcome_mailboxes')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export interface NewMailbox extends MailboxKey {
  readonly host: string;
  readonly userName: string;
  readonly folder: string;
  readonly sealedPassword: string;
  readonly now: Date;
}

/** Due at once. */
export async function insertMailbox(tx: Tx, mailbox: NewMailbox): Promise<void> {
  await tx
    .insertInto('outcome_mailboxes')
    .values({
      owner_id: mailbox.ownerId,
      id: mailbox.id,
      host: mailbox.host,
      user_name: mailbox.userName,
      folder: mailbox.folder,
      sealed_secret: mailbox.sealedPassword,
      due_at: sql<Date>`now()`,
      created_at: mailbox.now,
    })
    .execute();
}

/** It is tried again at once. False if there is no such mailbox. */
export async function updatePassword(
  tx: Tx,
  { ownerId, id }: MailboxKey,
  sealedPassword: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('outcome_mailboxes')
    .set({ sealed_secret: sealedPassword, trouble: null, failures: 0, due_at: sql<Date>`now()` })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The user name that it had. */
export async function deleteMailbox(tx: Tx, { ownerId, id }: MailboxKey): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('outcome_mailboxes')
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .returning('user_name')
    .executeTakeFirst();
  return row?.user_name;
}

const claimedAtOnce = 500;
/** Longer than a job may run. */
const claimedSeconds = 900;

/**
 * Takes the mailboxes that are due, so that no other job does for a while: one of each account, so that slow hosts of one customer do not
 * keep those of others waiting. Those of suspended accounts rest.
 */
export async function claimDue(tx: Tx): Promise<MailboxKey[]> {
  const { rows } = await sql<MailboxKey>`
    with due as (
      select mailbox.owner_id, mailbox.id, mailbox.due_at from outcome_mailboxes mailbox
      where due_at <= now() order by due_at limit ${sql.lit(claimedAtOnce)} for update skip locked),
    first as (select distinct on (owner_id) owner_id, id from due order by owner_id, due_at, id)
    update outcome_mailboxes mailbox set due_at = now() + ${sql.lit(claimedSeconds)} * interval '1 second'
    from first join accounts on accounts.id = first.owner_id
    where mailbox.owner_id = first.owner_id and mailbox.id = first.id
    returning mailbox.owner_id as "ownerId", mailbox.id, accounts.standing <> 'suspended' as "isRead"`.execute(
    tx,
  );
  return (rows as (MailboxKey & { isRead: boolean })[])
    .filter(({ isRead }) => isRead)
    .map(({ ownerId, id }) => ({ ownerId, id }));
}

/** How far a mailbox was read. */
export interface Place {
  readonly uidValidity: number | null;
  readonly lastUid: number;
}

interface Progress {
  readonly from: Place;
  readonly to: Place;
  /** Since the last progress. */
  readonly mails: number;
  readonly outcomes: number;
}

/** False if the mailbox is not where the run has begun: another run has read on, or it is no longer connected. */
export async function saveProgress(
  db: Db,
  { ownerId, id }: MailboxKey,
  { from, to, mails, outcomes }: Progress,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outcome_mailboxes')
    .set({
      uid_validity: to.uidValidity,
      last_uid: to.lastUid,
      read_mails: sql`read_mails + ${mails}`,
      found_outcomes: sql`found_outcomes + ${outcomes}`,
    })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .where('uid_validity', 'is not distinct from', from.uidValidity)
    .where('last_uid', '=', from.lastUid)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

interface RunEnd {
  /** Null if it was read. */
  readonly trouble: MailboxTrouble | null;
  readonly now: Date;
  readonly waitSeconds: number;
}

export async function endRun(db: Db, { ownerId, id }: MailboxKey, end: RunEnd): Promise<void> {
  await db
    .updateTable('outcome_mailboxes')
    .set({
      trouble: end.trouble,
      failures: end.trouble === null ? 0 : sql`failures + 1`,
      ...(end.trouble === null && { last_read_at: end.now }),
      due_at: sql<Date>`now() + ${end.waitSeconds} * interval '1 second'`,
    })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .execute();
}
