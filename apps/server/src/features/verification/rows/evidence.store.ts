import { randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { StoredDetail } from '../../engine/index.ts';
import type { ListPlace } from '../../lists/index.ts';

const batchIdMax = 2 ** 48 - 1;
// Evidence is so repetitive that the fastest level compresses nearly as well as the others.
const level = 1;
// Reading the evidence of one result unpacks this many.
const packLength = 1_000;

/** The packs for the evidence of a batch: the first `packLength` results go into the first pack, and so on. */
export interface EvidencePlan {
  readonly packLength: number;
  readonly batchIds: readonly number[];
}

export const planEvidence = (resultCount: number): EvidencePlan => ({
  packLength,
  batchIds: Array.from({ length: Math.ceil(resultCount / packLength) }, () => randomInt(batchIdMax)),
});

export interface EvidencePack {
  readonly batchId: number;
  readonly bytes: Buffer;
}

/** Compresses in another thread, so that the event loop stays free for mail hosts. */
export function packEvidence(
  { batchIds }: EvidencePlan,
  findings: readonly { readonly rowNumber: number; readonly detail: string }[],
): Promise<EvidencePack[]> {
  const pack = async (batchId: number, index: number): Promise<EvidencePack> => {
    const entries = findings
      .slice(index * packLength, (index + 1) * packLength)
      .map(({ rowNumber, detail }) => `"${rowNumber}":${detail}`);
    return { batchId, bytes: await promisify(deflateRaw)(`{${entries.join(',')}}`, { level }) };
  };
  return Promise.all(batchIds.map(pack));
}

export async function insertEvidence(
  tx: Tx,
  { ownerId, listId }: ListPlace,
  packs: readonly EvidencePack[],
): Promise<void> {
  const rows = packs.map(({ batchId, bytes }) => ({
    owner_id: ownerId,
    list_id: listId,
    batch_id: batchId,
    details: bytes,
  }));
  await tx.insertInto('list_evidence').values(rows).execute();
}

/** The evidence of one result; null for results that are older than the evidence table. */
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
