import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { CaseChannelName } from './support.jobs.ts';

interface NewCase {
  readonly ownerId: AccountId;
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly phone: string | null;
  readonly now: Date;
}

export async function insertCase(
  tx: Tx,
  { ownerId, id, subject, description, phone, now }: NewCase,
  channels: readonly CaseChannelName[],
): Promise<void> {
  await tx
    .insertInto('support_cases')
    .values({ owner_id: ownerId, id, subject, description, phone, created_at: now })
    .execute();
  if (channels.length === 0) return;
  await tx
    .insertInto('support_deliveries')
    .values(channels.map((channel) => ({ owner_id: ownerId, case_id: id, channel })))
    .execute();
}

export interface Delivery {
  readonly ownerId: AccountId;
  readonly caseId: string;
  readonly channel: CaseChannelName;
}

/** The case, unless it was deleted or already delivered to this channel. */
export function findUndelivered(db: Db, { ownerId, caseId, channel }: Delivery) {
  return db
    .selectFrom('support_deliveries as delivery')
    .innerJoin('support_cases as opened', (join) =>
      join.onRef('opened.owner_id', '=', 'delivery.owner_id').onRef('opened.id', '=', 'delivery.case_id'),
    )
    .select([
      'opened.id',
      'opened.subject',
      'opened.description',
      'opened.phone',
      'opened.created_at as createdAt',
    ])
    .where('delivery.owner_id', '=', ownerId)
    .where('delivery.case_id', '=', caseId)
    .where('delivery.channel', '=', channel)
    .where('delivery.accepted_at', 'is', null)
    .executeTakeFirst();
}

export async function markAccepted(db: Db, delivery: Delivery, now: Date): Promise<void> {
  await updateDelivery(db, delivery)
    .set((row) => ({ accepted_at: now, problem: null, tries: row('tries', '+', 1) }))
    .execute();
}

export async function countTry(db: Db, delivery: Delivery, problem: string): Promise<void> {
  await updateDelivery(db, delivery)
    .set((row) => ({ problem, tries: row('tries', '+', 1) }))
    .execute();
}

const updateDelivery = (db: Db, { ownerId, caseId, channel }: Delivery) =>
  db
    .updateTable('support_deliveries')
    .where('owner_id', '=', ownerId)
    .where('case_id', '=', caseId)
    .where('channel', '=', channel);

export interface CaseFilter {
  readonly limit: number;
  readonly ownerId?: AccountId | undefined;
  readonly since?: Date | undefined;
  /** Only cases that a channel has not accepted yet. */
  readonly isWaiting?: boolean | undefined;
}

/** A customer's own cases, for the archive of all their data. */
export const describeCases = (db: Db, ownerId: AccountId) =>
  db
    .selectFrom('support_cases')
    .select(['subject', 'description', 'phone', 'created_at as creation_date'])
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .execute();

/** Cases with their customers, newest first. */
export function findCases(db: Db, filter: CaseFilter) {
  return db
    .selectFrom('support_cases as opened')
    .innerJoin('users', 'users.id', 'opened.owner_id')
    .select([
      'opened.id',
      'opened.owner_id',
      'opened.subject',
      'opened.description',
      'opened.created_at',
      'users.first_name',
      'users.last_name',
      'users.email_address',
      // The number of the case, else the one in the profile.
      sql<string | null>`coalesce(opened.phone, users.phone)`.as('phone'),
    ])
    .$if(filter.ownerId !== undefined, (query) => query.where('opened.owner_id', '=', filter.ownerId ?? ''))
    .$if(filter.since !== undefined, (query) =>
      query.where('opened.created_at', '>=', filter.since ?? new Date(0)),
    )
    .$if(filter.isWaiting === true, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('support_deliveries as waiting')
            .select('waiting.channel')
            .whereRef('waiting.owner_id', '=', 'opened.owner_id')
            .whereRef('waiting.case_id', '=', 'opened.id')
            .where('waiting.accepted_at', 'is', null),
        ),
      ),
    )
    .orderBy('opened.created_at', 'desc')
    .orderBy('opened.id')
    .limit(filter.limit)
    .execute();
}

/** The deliveries of these cases. */
export async function findDeliveries(db: Db, caseIds: readonly string[]) {
  if (caseIds.length === 0) return [];
  return db
    .selectFrom('support_deliveries')
    .select(['case_id', 'channel', 'tries', 'problem', 'accepted_at'])
    .where('case_id', 'in', [...caseIds])
    .orderBy('channel')
    .execute();
}
