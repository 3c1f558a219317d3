import { sql } from 'kysely';
import type { Db, Tx } from '../database/database.ts';
import { lowestId } from '../database/uuid.ts';
import type { AccountId } from '../ids.ts';
import { isSealedNow, openText, sealText } from './sealed-text.ts';
import type { Secrets } from './secrets.ts';

/** The rows of a table that have a secret each. When it is replaced, the one before stays good for a day. */
export interface RotatedSecrets {
  /** Has the columns `owner_id`, `id` and those of `SealedRow`. */
  readonly table: string;
  /** Part of the encryption: changing it would make every secret unreadable. */
  readonly purpose: string;
}

export interface SealedRow {
  readonly id: string;
  /** Null before there is one. */
  readonly sealed_secret: string | null;
  readonly sealed_previous_secret: string | null;
  readonly previous_secret_until: Date | null;
}

/** Time to give the other side its new secret. */
const previousSecretMs = 86_400_000;
const rowsAtATime = 1_000;

export const sealSecret = (
  secrets: Secrets,
  { purpose }: RotatedSecrets,
  id: string,
  secret: string,
): string => sealText(secrets, { purpose, rowId: id }, secret);

export const openSecret = (
  secrets: Secrets,
  { purpose }: RotatedSecrets,
  id: string,
  sealed: string,
): string => openText(secrets, { purpose, rowId: id }, sealed);

/** The secrets that are good now: the present one, and the previous one until it expires. */
export function goodSecrets(secrets: Secrets, kind: RotatedSecrets, row: SealedRow, now: Date): string[] {
  const previous = previousSecretUntil(row, now) ? row.sealed_previous_secret : null;
  return [row.sealed_secret, previous]
    .filter((sealed) => sealed !== null)
    .map((sealed) => openSecret(secrets, kind, row.id, sealed));
}

/** Null if there is no previous secret that is good. */
export const previousSecretUntil = (
  { sealed_previous_secret, previous_secret_until }: SealedRow,
  now: Date,
): Date | null =>
  sealed_previous_secret !== null && previous_secret_until && previous_secret_until > now
    ? previous_secret_until
    : null;

interface Replacement {
  readonly ownerId: AccountId;
  readonly id: string;
  readonly sealedSecret: string;
  readonly now: Date;
}

/** The secret before becomes the previous one. */
export async function replaceSecret(
  tx: Tx,
  { table }: RotatedSecrets,
  { ownerId, id, sealedSecret, now }: Replacement,
): Promise<void> {
  const previousUntil = new Date(now.getTime() + previousSecretMs);
  await sql`
    update ${sql.table(table)} set sealed_previous_secret = sealed_secret, previous_secret_until = ${previousUntil},
      sealed_secret = ${sealedSecret}
    where owner_id = ${ownerId} and id = ${id}`.execute(tx);
}

/** Encrypts secrets with the present secret of the installation that a previous one encrypted. Returns how many rows had such. */
export async function renewSecrets(db: Db, secrets: Secrets, kind: RotatedSecrets): Promise<number> {
  let count = 0;
  for await (const row of sealedRows(db, kind)) {
    const renew = (sealed: string | null): string | null => {
      const sealedFor = { purpose: kind.purpose, rowId: row.id };
      if (sealed === null || isSealedNow(secrets, sealedFor, sealed)) return sealed;
      return sealSecret(secrets, kind, row.id, openSecret(secrets, kind, row.id, sealed));
    };
    const secret = renew(row.sealed_secret);
    const previous = renew(row.sealed_previous_secret);
    if (secret === row.sealed_secret && previous === row.sealed_previous_secret) continue;
    // One that was replaced meanwhile is encrypted with the present secret already.
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(kind.table)} set sealed_secret = ${secret}, sealed_previous_secret = ${previous}
      where id = ${row.id} and sealed_secret is not distinct from ${row.sealed_secret}`.execute(db);
    count += Number(numAffectedRows);
  }
  return count;
}

async function* sealedRows(db: Db, { table }: RotatedSecrets) {
  for (let after = lowestId; ; ) {
    const { rows } = await sql<Omit<SealedRow, 'previous_secret_until'>>`
      select id, sealed_secret, sealed_previous_secret from ${sql.table(table)}
      where id > ${after} order by id limit ${rowsAtATime}`.execute(db);
    yield* rows;
    if (rows.length < rowsAtATime) return;
    after = rows.at(-1)?.id ?? after;
  }
}
