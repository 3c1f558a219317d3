import { bounceBytesMax } from '@assay/verifier/bounces';
import { type ReadingPool, shortFileBytes } from '../../../platform/reading/index.ts';
import { inOrder } from '../../uploads/index.ts';
import type { OutcomeReport } from '../outcome.ts';
import { type OutcomeParts, recordOutcomes } from '../record-outcomes.ts';
import { readPage } from '../reported.ts';
import type { OpenFolder } from './imap-client.ts';
import { type MailboxKey, type Place, saveProgress } from './mailboxes.store.ts';
import { readMailsJob } from './read-mails.job.ts';

export interface ReadParts extends OutcomeParts {
  readonly readingPool: ReadingPool;
}

/** The bounds of one run: a mailbox may hold millions of mails, and its host may be slow. The next run goes on. */
const bounds = { mails: 1_000, bytes: 50_000_000, ranges: 1_000, ms: 40_000 } as const;
const batchMails = 200;
/** A slow line brings so much within a run. */
const batchBytes = 2_000_000;
const rangeLength = 1_000;
/** Numbers of deleted mails are not used again, so that whole ranges may be empty. */
const growthAfterNothing = 10;
const rangeLengthMax = 100_000;

interface ReadFolder {
  readonly isAtEnd: boolean;
}

/**
 * Reads the mails of a folder that are new since the last run, and keeps what they report. The place is saved behind what was kept: a
 * run that breaks off in between repeats some mails, which changes nothing.
 */
export async function readFolder(
  parts: ReadParts,
  key: MailboxKey,
  folder: OpenFolder,
  known: Place,
  signal: AbortSignal,
): Promise<ReadFolder> {
  const { uidValidity, uidNext } = folder;
  const isGoingOn = known.uidValidity === uidValidity;
  let saved: Place = { uidValidity: known.uidValidity, lastUid: known.lastUid };
  let lastUid = isGoingOn ? known.lastUid : 0;
  let length = rangeLength;
  let [mailCount, byteCount] = [0, 0];
  const startedAt = performance.now();
  const isOver = () =>
    mailCount >= bounds.mails || byteCount >= bounds.bytes || performance.now() - startedAt >= bounds.ms;
  /** False if another run has read on from the same place, or the mailbox is no longer connected. */
  const save = async (found: { readonly mails: number; readonly outcomes: number }): Promise<boolean> => {
    const place = { uidValidity, lastUid };
    const isSaved = await saveProgress(parts.db, key, { from: saved, to: place, ...found });
    saved = place;
    return isSaved;
  };
  for (let range = 0; lastUid + 1 < uidNext; range++) {
    signal.throwIfAborted();
    if (range === bounds.ranges || isOver()) {
      await save({ mails: 0, outcomes: 0 });
      return { isAtEnd: false };
    }
    const to = Math.min(lastUid + length, uidNext - 1);
    const sizes = (await folder.sizes({ from: lastUid + 1, to }))
      .filter(({ uid }) => uid > lastUid && uid <= to)
      .sort((one, other) => one.uid - other.uid);
    let isWhole = true;
    for (const batch of batchesOf(sizes)) {
      if (isOver()) {
        isWhole = false;
        break;
      }
      const mails = await folder.mails(batch, bounceBytesMax);
      const reports = await readMails(
        parts,
        key,
        mails.map(({ bytes }) => bytes),
        signal,
      );
      const recorded = await recordAll(parts, key, reports);
      lastUid = batch.at(-1) ?? lastUid;
      mailCount += mails.length;
      byteCount += mails.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (!(await save({ mails: mails.length, outcomes: recorded }))) return { isAtEnd: true };
    }
    if (!isWhole) continue;
    length = sizes.length === 0 ? Math.min(length * growthAfterNothing, rangeLengthMax) : rangeLength;
    lastUid = to;
  }
  await save({ mails: 0, outcomes: 0 });
  return { isAtEnd: true };
}

function* batchesOf(sizes: readonly { readonly uid: number; readonly byteCount: number }[]) {
  let batch: number[] = [];
  let bytes = 0;
  for (const { uid, byteCount } of sizes) {
    const read = Math.min(byteCount, bounceBytesMax);
    if (batch.length === batchMails || (batch.length > 0 && bytes + read > batchBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(uid);
    bytes += read;
  }
  if (batch.length > 0) yield batch;
}

async function readMails(
  { readingPool, clock }: ReadParts,
  { ownerId }: MailboxKey,
  mails: readonly Buffer[],
  signal: AbortSignal,
): Promise<OutcomeReport[]> {
  if (mails.length === 0) return [];
  const lengths = mails.map(({ length }) => length);
  const byteCount = lengths.reduce((sum, length) => sum + length, 0);
  // Never in place: the worker has other work to do.
  const file = { ownerId, byteCount: Math.max(byteCount, shortFileBytes + 1), bytes: inOrder(mails), signal };
  const { output, result } = readingPool.read(readMailsJob, file, { lengths, now: clock.now() });
  const reports: OutcomeReport[] = [];
  for await (const page of output) reports.push(...readPage(page));
  await result;
  return reports;
}

/** A mail may name a hundred recipients. */
const reportsAtOnce = 10_000;

async function recordAll(
  parts: ReadParts,
  { ownerId, id }: MailboxKey,
  reports: readonly OutcomeReport[],
): Promise<number> {
  let count = 0;
  for (let from = 0; from < reports.length; from += reportsAtOnce) {
    const some = reports.slice(from, from + reportsAtOnce);
    const { recordedCount } = await recordOutcomes(parts, ownerId, { source: 'mailbox', sourceId: id }, some);
    count += recordedCount;
  }
  return count;
}
