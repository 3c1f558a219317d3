import { createHash } from 'node:crypto';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { ActivityContents } from './activity.tables.ts';
import { type Chain, chainsAtATime, type Entry, findChains, findEntries } from './chains.store.ts';

/** The first entry of a customer's log that does not verify. */
export interface BrokenEntry {
  readonly ownerId: AccountId;
  readonly number: number;
  readonly problem:
    | 'missing'
    | 'contents_changed'
    | 'contents_removed'
    | 'list_name_removed'
    | 'hash_changed'
    | 'chain_changed'
    | 'log_closed';
}

export interface Verification {
  readonly chains: number;
  readonly entries: number;
  readonly broken: readonly BrokenEntry[];
}

/** Recomputes the hashes of every log, or of one customer's. Entries that are added meanwhile are left out. */
export async function verifyActivities(db: Db, ownerId?: AccountId): Promise<Verification> {
  const broken: BrokenEntry[] = [];
  let chains = 0;
  let entries = 0;
  for (let after: string | undefined; ; ) {
    const found = await findChains(db, { ownerId, after });
    for (const chain of found) {
      const problem = await verifyChain(db, chain);
      if (problem) broken.push({ ownerId: chain.ownerId, ...problem });
      chains += 1;
      entries += chain.lastNumber;
    }
    if (found.length < chainsAtATime) return { chains, entries, broken };
    after = found.at(-1)?.ownerId;
  }
}

async function verifyChain(db: Db, chain: Chain): Promise<Omit<BrokenEntry, 'ownerId'> | undefined> {
  let previous: Buffer = Buffer.alloc(0);
  for (let last = 0; last < chain.lastNumber; ) {
    const entries = await findEntries(db, chain, last);
    if (entries.length === 0) return { number: last + 1, problem: 'missing' };
    for (const entry of entries) {
      if (entry.number !== last + 1) return { number: last + 1, problem: 'missing' };
      const problem = problemOf(entry, chain.ownerId, previous);
      if (problem) return { number: entry.number, problem };
      previous = entry.hash;
      last = entry.number;
    }
  }
  if (!previous.equals(chain.lastHash)) return { number: chain.lastNumber, problem: 'chain_changed' };
  return chain.isWronglyClosed ? { number: chain.lastNumber, problem: 'log_closed' } : undefined;
}

function problemOf(entry: Entry, ownerId: AccountId, previous: Buffer): BrokenEntry['problem'] | undefined {
  const { contents, salt } = entry;
  if (contents === null || salt === null) {
    if (!entry.isRemovable) return 'contents_removed';
  } else if (!sha256(salt, Buffer.from(contents)).equals(entry.contentsHash)) return 'contents_changed';
  const listNameProblem = listNameProblemOf(entry);
  if (listNameProblem) return listNameProblem;
  const expected = sha256(
    previous,
    Buffer.from(ownerId.replaceAll('-', ''), 'hex'),
    int64(entry.number),
    int64(entry.recordedAt.getTime()),
    entry.contentsHash,
  );
  return expected.equals(entry.hash) ? undefined : 'hash_changed';
}

/** The name of a list must be the one that the entry was written with, unless there is a reason why it was removed. */
function listNameProblemOf({
  contents,
  listName,
  listNameSalt,
  isRemovable,
  isListDeleted,
}: Entry): 'contents_changed' | 'list_name_removed' | undefined {
  const { list }: Pick<ActivityContents, 'list'> = JSON.parse(contents ?? '{}');
  if (listName === null) {
    return list?.nameHash === undefined || isListDeleted || isRemovable ? undefined : 'list_name_removed';
  }
  const hash = sha256(listNameSalt ?? Buffer.alloc(0), Buffer.from(listName)).toString('hex');
  return hash === list?.nameHash ? undefined : 'contents_changed';
}

function sha256(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function int64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}
