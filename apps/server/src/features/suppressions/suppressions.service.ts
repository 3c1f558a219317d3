import {
  SUPPRESSION_LIMITS,
  type Suppression,
  type SuppressionChange,
  type SuppressionCounts,
  type SuppressionReason,
  type SuppressionSource,
} from '@assay/contract';
import type { Caller } from '../../platform/auth/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { keepAccount } from '../accounts/index.ts';
import { recordActivity } from '../activity/index.ts';
import {
  type ChangeClock,
  countManyRemovals,
  endEntries,
  findChanges,
  findClock,
  findEnding,
  forgetOldestRemovals,
  forgetRemovals,
  lockChanges,
  type NewEntry,
  removeEntry,
  type SuppressionRow,
  writeWanted,
} from './suppressions.store.ts';
import { kindOfTarget, notReadable, readTarget } from './target.ts';

export interface SuppressionParts {
  readonly db: Db;
  readonly clock: Clock;
}

const dayMs = 86_400_000;

interface WantedEntry {
  readonly target: string;
  readonly reason: SuppressionReason;
  readonly end_date: string | null;
}

/** Adds entries of which each target can be read, in the pages of `entryPages`. */
export async function addEntries(
  { db, clock }: SuppressionParts,
  caller: Caller,
  { pages, source }: { readonly pages: readonly string[]; readonly source: SuppressionSource },
): Promise<SuppressionCounts> {
  const ownerId = caller.accountId;
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    await keepAccount(tx, ownerId);
    let changes = await lockChanges(tx, ownerId);
    let count = 0;
    let added = 0;
    let changed = 0;
    for (const page of pages) {
      const written = await writeWanted(tx, page, { ownerId, source, clock: changes, now });
      changes = { ...changes, last_number: changes.last_number + written.count };
      count += written.count;
      added += written.added;
      changed += written.changed;
    }
    if (changes.entries + added > SUPPRESSION_LIMITS.entriesPerAccount)
      throw new AppError('suppressions_full');
    if (added + changed > 0) {
      const about = countOf(added + changed);
      await recordActivity(tx, caller, { kind: 'suppression.added', about, now });
    }
    return { added, changed, unchanged: count - added - changed };
  });
}

const countOf = (count: number): string => (count === 1 ? '1 entry' : `${count} entries`);

/** How many wrong entries a refusal names. */
const problemsNamedMax = 20;

/** The entries of a call; all of them can be read, or none is kept. */
export function requireEntries(wanted: readonly WantedEntry[]): NewEntry[] {
  const read = wanted.map(({ target, reason, end_date }) => ({
    target: readTarget(target),
    reason,
    endsAt: end_date === null ? null : new Date(end_date),
  }));
  const wrong = read.flatMap(({ target }, index) => (target === null ? [index] : []));
  if (wrong.length === 0) return read as NewEntry[];
  const problems = wrong
    .slice(0, problemsNamedMax)
    .map((index) => ({ field: `entries.${index}.target`, problem: notReadable }));
  throw new AppError('suppression_not_readable', {}, { meta: { problems, wrong: wrong.length } });
}

export async function removeTarget(
  { db, clock }: SuppressionParts,
  caller: Caller,
  text: string,
): Promise<void> {
  const target = readTarget(text);
  if (target === null) throw new AppError('suppression_not_found');
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    await keepAccount(tx, caller.accountId);
    await lockChanges(tx, caller.accountId);
    if (!(await removeEntry(tx, caller.accountId, { target }, now)))
      throw new AppError('suppression_not_found');
    await recordActivity(tx, caller, { kind: 'suppression.removed', about: countOf(1), now });
  });
}

/** Removes an entry again that its customer had removed after a backup. */
export async function repeatRemoval(
  { db, clock }: SuppressionParts,
  { ownerId, id }: { readonly ownerId: AccountId; readonly id: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await keepAccount(tx, ownerId);
    await lockChanges(tx, ownerId);
    if (!(await removeEntry(tx, ownerId, { id }, clock.now()))) throw new AppError('not_found');
  });
}

export const entryAnswer = (row: SuppressionRow): Suppression => ({
  id: row.id,
  target: row.target,
  kind: kindOfTarget(row.target),
  reason: row.reason,
  source: row.source,
  creation_date: row.created_at.toISOString(),
  end_date: row.ends_at?.toISOString() ?? null,
});

function changeAnswer(row: SuppressionRow): SuppressionChange {
  const { id: _, ...entry } = entryAnswer(row);
  return {
    change: row.removed_at === null ? 'added' : 'removed',
    ...entry,
    removal_date: row.removed_at?.toISOString() ?? null,
  };
}

interface ChangesPage {
  readonly results: SuppressionChange[];
  readonly cursor: string;
  readonly has_more: boolean;
}

export async function listChanges(
  { db, clock }: SuppressionParts,
  ownerId: AccountId,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<ChangesPage> {
  const now = clock.now();
  const changes = await findClock(db, ownerId);
  const { after, since } = readCursor(cursor, changes, now);
  // Changes that came since would have a cursor of the clock that was not there.
  const rows = changes.last_number === 0 ? [] : await findChanges(db, ownerId, { after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return {
    results: page.map(changeAnswer),
    cursor: writeCursor(changes, { after: page.at(-1)?.number ?? after, since }, now),
    has_more: rows.length > limit,
  };
}

interface Position {
  /** The number behind which to go on. */
  readonly after: number;
  /** The last number when the reader began with nothing. Older removals are none of an entry that the reader knows. */
  readonly since: number;
}

/** In which life of the database it was given out, the number behind which to go on, the day, and the last number at the beginning. */
const cursorShape = /^(\d{1,15})\.(\d{1,15})\.(\d{1,6})(?:\.(\d{1,15}))?$/;
const dayOf = (now: Date): number => Math.floor(now.getTime() / dayMs);

const writeCursor = ({ generation }: ChangeClock, { after, since }: Position, now: Date): string =>
  `${generation}.${after}.${dayOf(now)}.${since}`;

function readCursor(cursor: string | undefined, changes: ChangeClock, now: Date): Position {
  const beginning = { after: 0, since: changes.last_number };
  if (cursor === undefined) return beginning;
  const parts = cursorShape
    .exec(cursor)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (!parts) {
    const text = 'cursor is none that this call answered. Send one of those, or none to start again.';
    throw new AppError('invalid_request', {}, { text, meta: { field: 'cursor' } });
  }
  const [generation, after = 0, day = 0, since = 0] = parts;
  // Who knows nothing yet misses nothing.
  if (after === 0) return beginning;
  // A day less, so that every removal that it could miss is still there.
  const isOld = dayOf(now) - day >= SUPPRESSION_LIMITS.removalsKeptDays - 1;
  const missesRemovals = Math.max(after, since) < changes.forgotten_number;
  if (generation !== changes.generation || isOld || missesRemovals)
    throw new AppError('suppression_cursor_expired');
  return { after, since };
}

const endedAtOnce = 1_000;

/** Ends entries whose time is over, so that those who poll hear of it, and forgets old removals and those beyond a number. */
export async function maintainSuppressions(
  { db, clock }: SuppressionParts,
  signal: AbortSignal,
  removalsMax: number = SUPPRESSION_LIMITS.removalsPerAccount,
): Promise<void> {
  const now = clock.now();
  for (let owners = await findEnding(db, now, endedAtOnce); owners.length > 0; ) {
    for (const ownerId of owners) {
      signal.throwIfAborted();
      await db.transaction().execute(async (tx) => {
        await lockChanges(tx, ownerId);
        await endEntries(tx, ownerId, now, endedAtOnce);
      });
    }
    owners = await findEnding(db, now, endedAtOnce);
  }
  for (const { ownerId, count } of await countManyRemovals(db, removalsMax)) {
    for (let surplus = count - removalsMax; surplus > 0; surplus -= endedAtOnce) {
      signal.throwIfAborted();
      await db.transaction().execute(async (tx) => {
        await lockChanges(tx, ownerId);
        await forgetOldestRemovals(tx, ownerId, Math.min(surplus, endedAtOnce));
      });
    }
  }
  const before = new Date(now.getTime() - SUPPRESSION_LIMITS.removalsKeptDays * dayMs);
  for (let count = endedAtOnce; count === endedAtOnce; ) {
    signal.throwIfAborted();
    count = await forgetRemovals(db, before, endedAtOnce);
  }
}
