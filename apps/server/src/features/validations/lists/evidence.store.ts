import { randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { StoredDetail } from '../validations.tables.ts';
import type { ListPlace } from './copy-rows.ts';

/** How the results of one batch were found, packed for the database. */
export interface PackedDetails {
  readonly batchId: number;
  readonly bytes: Buffer;
}

const batchIdMax = 2 ** 48 - 1;
// Evidence repeats so much that the quickest setting finds most of what there is to find.
const level = 1;

/** Compresses beside the event loop, which has hosts to answer. */
export async function packDetails(
  findings: readonly { readonly rowNumber: number; readonly detail: string }[],
): Promise<PackedDetails> {
  const entries = findings.map(({ rowNumber, detail }) => `"${rowNumber}":${detail}`);
  const bytes = await promisify(deflateRaw)(`{${entries.join(',')}}`, { level });
  return { batchId: randomInt(batchIdMax), bytes };
}

export async function insertDetails(
  tx: Tx,
  { ownerId, listId }: ListPlace,
  { batchId, bytes }: PackedDetails,
): Promise<void> {
  await tx
    .insertInto('list_evidence')
    .values({ owner_id: ownerId, list_id: listId, batch_id: batchId, details: bytes })
    .execute();
}

/** How one result was found; nothing where that was never written down. */
export async function findDetail(
  db: Db,
  { ownerId, listId }: ListPlace,
  result: { readonly row_number: number; readonly batch_id: number | null },
): Promise<StoredDetail | null> {
  if (result.batch_id === null) return null;
  const packed = await db
    .selectFrom('list_evidence')
    .select('details')
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .where('batch_id', '=', result.batch_id)
    .executeTakeFirst();
  if (!packed) return null;
  const details: Record<string, StoredDetail> = JSON.parse(
    (await promisify(inflateRaw)(packed.details)).toString(),
  );
  return details[result.row_number] ?? null;
}
