import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { lockForCounting } from '../accounts/index.ts';

interface RoomParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: { readonly storedBytesPerCustomer: number };
}

interface UploadPlace {
  readonly ownerId: AccountId;
  readonly id: string;
}

/** Longer than any request takes. */
const reservedMs = 30 * 60_000;

/**
 * Reserves room for a file before it arrives. Answers the reserved bytes: those asked for, or all that are left. A lock
 * keeps parallel uploads within the room of their customer.
 */
export function reserveRoom(
  { db, clock, limits }: RoomParts,
  { ownerId, id }: UploadPlace,
  bytesWanted: number,
  /** What else to read in the same transaction. */
  alongside: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<number> {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    await lockForCounting(tx, ownerId);
    const room = limits.storedBytesPerCustomer - (await countTaken(tx, ownerId, now));
    if (room <= 0) throw new AppError('uploads_full');
    const byteCount = Math.min(bytesWanted, room);
    await tx
      .insertInto('upload_reservations')
      .values({
        owner_id: ownerId,
        id,
        byte_count: byteCount,
        expires_at: new Date(now.getTime() + reservedMs),
      })
      .execute();
    await alongside(tx);
    return byteCount;
  });
}

/** Gives reserved room back, because the file was refused, or is stored and now counts itself. */
export async function releaseRoom(db: Db, { ownerId, id }: UploadPlace): Promise<void> {
  await db.deleteFrom('upload_reservations').where('owner_id', '=', ownerId).where('id', '=', id).execute();
}

/** Reservations of crashed processes. */
export function findAbandonedRoom(db: Db, now: Date) {
  return db
    .selectFrom('upload_reservations')
    .select(['owner_id', 'id'])
    .where('expires_at', '<', now)
    .execute();
}

/** All reservations. */
export const findReservedRoom = (db: Db) =>
  db.selectFrom('upload_reservations').select(['owner_id', 'id']).execute();

/** One statement, because a file that is stored meanwhile moves from one table to the other and must count once. */
async function countTaken(tx: Tx, ownerId: AccountId, now: Date): Promise<number> {
  const { rows } = await sql<{ taken: string }>`
    select coalesce(sum(byte_count), 0) as taken from (
      select byte_count from uploads where owner_id = ${ownerId} and expires_at > ${now}
      union all
      select byte_count from upload_reservations where owner_id = ${ownerId} and expires_at > ${now}
    ) as files`.execute(tx);
  return Number(rows[0]?.taken);
}
