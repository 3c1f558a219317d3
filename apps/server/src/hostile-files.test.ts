import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEED_SENDERS, type FeedSender } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { hostileFiles } from '../../../tests/attack/hostile-files.ts';
import { explainBounceJob } from './features/bounces/explain-job.ts';
import { readFeedBodyJob } from './features/feeds/read-feed-body.ts';
import {
  classifyPeopleJob,
  excludedPeopleJob,
  previewPeopleJob,
  samplePeopleJob,
} from './features/guessing/lists/people-jobs.ts';
import { readOutcomeFileJob } from './features/outcomes/files/outcome-file.job.ts';
import { readMailsJob } from './features/outcomes/mailboxes/read-mails.job.ts';
import { outcomesBodyJob } from './features/outcomes/outcomes-job.ts';
import { readSuppressionsJob } from './features/suppressions/suppressions-file.ts';
import type { TextSource } from './features/uploads/reading.ts';
import { countEmailsJob, exclusionsJob, sampleEmailsJob } from './features/verification/files/email-jobs.ts';
import { emailsBodyJob } from './features/verification/files/emails-body.ts';
import { rowLinesJob } from './features/verification/lists/row-lines.ts';
import { EncodingProbe, type FileEncoding } from './platform/csv/file-encoding.ts';
import { AppError } from './platform/errors/index.ts';
import { writeNamelessFile } from './platform/files/nameless-file.ts';
import type { JobFile } from './platform/reading/index.ts';

/**
 * Large enough that work which grows with the square of the length shows, even if it takes a file of 1 MB only ten seconds. Six times
 * as much is still below the limit for a cell, beyond which quotes are read in another way.
 */
const byteCount = 16_000;
/** Workbooks and zip files hold up to 200 times as much text. */
const packedByteCount = 3_000;
const timesLonger = 6;
/** A machine that is busy may disturb one measurement. */
const attemptsMax = 6;
const bytesMax = 64 * 1024 * 1024;
const rowsMax = 1_000_000;
const zipSignature = '504b0304';

/** A file as a job gets it. */
interface Sent {
  readonly contents: Buffer;
  /** Undefined for what is no text: it is refused before a job reads it. */
  readonly source: TextSource | undefined;
  open(): JobFile;
  close(): Promise<void>;
}
type Reading = () => Promise<unknown>;
/** Prepares what is not measured. Undefined if the file is refused before. */
type Reader = (sent: Sent) => Promise<Reading | undefined>;

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
}

const isPacked = (contents: Buffer): boolean => contents.toString('hex', 0, 4) === zipSignature;

async function send(contents: Buffer): Promise<Sent> {
  const open = () => ({ bytes: inPieces(contents), write: async () => undefined });
  if (!isPacked(contents)) {
    const encoding = encodingOf(contents);
    const source = encoding && ({ kind: 'text', encoding } as const);
    return { contents, source, open, close: async () => undefined };
  }
  const handle = await writeNamelessFile(inPieces(contents));
  const source = { kind: 'workbook', fd: handle.fd, sheet: undefined, bytesMax } as const;
  return { contents, source, open, close: () => handle.close() };
}

function encodingOf(contents: Buffer): FileEncoding | undefined {
  const probe = new EncodingProbe();
  probe.push(contents);
  const found = probe.finish();
  return found.kind === 'text' ? found.encoding : undefined;
}

/** Whatever becomes of a file, workbook or zip file first. */
const ofFiles: Readonly<Record<string, Reader>> = {
  countEmailsJob: async ({ open, source }) => source && (() => countEmailsJob.run(open(), counting(source))),
  previewPeopleJob: async ({ open, source }) =>
    source && (() => previewPeopleJob.run(open(), { source, counting: { columns: null, rowsMax } })),
  readOutcomeFileJob:
    async ({ open, source }) =>
    () =>
      readOutcomeFileJob.run(open(), {
        wishes: { columns: {}, kind: 'bounce', date: '2026-03-01' },
        now: new Date(),
        isWanted: true,
        packed: source?.kind === 'workbook' ? { fd: source.fd, sheet: undefined } : undefined,
      }),
  readMailsJob: async ({ contents, open }) => {
    const now = new Date();
    return () => readMailsJob.run(open(), { lengths: [contents.length], now });
  },
};

const counting = (source: TextSource) => ({ source, counting: { limits: { rowsMax }, known: {} } });
const peopleIn = (source: TextSource) => ({ source, columns: null, rowsMax });

/** What becomes of a text later. That of a workbook is stored as CSV. */
const ofTexts: Readonly<Record<string, Reader>> = {
  sampleEmailsJob: async (sent) => {
    const reading = await countedReading(sent);
    return reading && (() => sampleEmailsJob.run(sent.open(), { reading, size: 100 }));
  },
  exclusionsJob: async (sent) => {
    const reading = await countedReading(sent);
    return reading && (() => exclusionsJob.run(sent.open(), { reading, withHeaders: true }));
  },
  rowLinesJob: async (sent) => {
    const reading = await countedReading(sent);
    const place = { ownerId: 'owner', listId: 'list' };
    return (
      reading &&
      (() => rowLinesJob.run(sent.open(), { place, reading, withHeaders: true, emailsMax: rowsMax }))
    );
  },
  classifyPeopleJob: async ({ open, source }) =>
    source?.kind === 'text'
      ? () => classifyPeopleJob.run(open(), { ...peopleIn(source), withHeaders: true })
      : undefined,
  samplePeopleJob: async ({ open, source }) =>
    source?.kind === 'text'
      ? () => samplePeopleJob.run(open(), { ...peopleIn(source), size: 100 })
      : undefined,
  excludedPeopleJob: async ({ open, source }) =>
    source?.kind === 'text'
      ? () => excludedPeopleJob.run(open(), { ...peopleIn(source), withHeaders: true })
      : undefined,
  readSuppressionsJob: async ({ open, source }) =>
    source?.kind === 'text'
      ? () => readSuppressionsJob.run(open(), { encoding: source.encoding })
      : undefined,
};

async function countedReading({ open, source }: Sent) {
  if (source?.kind !== 'text') return undefined;
  const counted = await countEmailsJob.run(open(), counting(source)).catch(requireRefusal);
  if (typeof counted === 'string') return undefined;
  return { encoding: source.encoding, dialect: counted.counts.dialect, suppressedHashes: null };
}

const senders = Object.keys(FEED_SENDERS) as FeedSender[];

const ofBodies: Readonly<Record<string, Reader>> = {
  emailsBodyJob:
    async ({ open }) =>
    () =>
      emailsBodyJob.run(open(), null),
  outcomesBodyJob:
    async ({ open }) =>
    () =>
      outcomesBodyJob.run(open(), { now: new Date() }),
  explainBounceJob:
    async ({ open }) =>
    () =>
      explainBounceJob.run(open(), { isJson: true }),
  readFeedBodyJob:
    async ({ open }) =>
    async () => {
      const call = { headers: {}, url: 'https://assay.example/feed', secrets: ['secret'], nowMs: Date.now() };
      for (const sender of senders) await readFeedBodyJob.run(open(), { ...call, sender });
    },
};

/** A refusal of ours is a good answer to any file; another error is not. */
function requireRefusal(error: unknown): string {
  if (error instanceof AppError) return error.code;
  throw error;
}

/** The processor time that this thread takes to read a file. */
async function cpuMsOf(read: Reading): Promise<number> {
  const before = process.threadCpuUsage();
  await read().catch(requireRefusal);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Null if a file that is six times as long takes about six times as long; quadratic work would take 36 times as long. */
async function whyTooCostly(short: Reading, long: Reading): Promise<string | null> {
  const shortMs = await cpuMsOf(short);
  const longMs = await cpuMsOf(long);
  if (longMs <= shortMs * timesLonger * 2.5 + 40) return null;
  return `${Math.round(shortMs)} ms, ${timesLonger} times as long: ${Math.round(longMs)} ms`;
}

async function whyEachTooCostly(
  readers: Readonly<Record<string, Reader>>,
  build: (byteCount: number) => Buffer,
): Promise<string[]> {
  const count = isPacked(build(packedByteCount)) ? packedByteCount : byteCount;
  const short = await send(build(count));
  const long = await send(build(count * timesLonger));
  const tooCostly: string[] = [];
  for (const [name, read] of Object.entries(readers)) {
    const [readShort, readLong] = [await read(short), await read(long)];
    if (!readShort || !readLong) continue;
    let reason: string | null = 'not measured';
    for (let attempt = 0; attempt < attemptsMax && reason !== null; attempt++)
      reason = await whyTooCostly(readShort, readLong);
    if (reason !== null) tooCostly.push(`${name}: ${reason}`);
  }
  await Promise.all([short.close(), long.close()]);
  return tooCostly;
}

describe('hostile files', () => {
  const files = hostileFiles(1, 200);
  const ofEachKind = [...Map.groupBy(files, ({ what }) => what.split(' (')[0]).values()].map(
    ([first]) => first as (typeof files)[number],
  );
  const parts = [
    { name: 'files', readers: ofFiles, of: files, sentAs: 'file' },
    { name: 'one text of each kind', readers: ofTexts, of: ofEachKind, sentAs: 'file' },
    { name: 'bodies', readers: ofBodies, of: files, sentAs: 'json' },
  ] as const;

  it.each(parts)(
    'cost each job processor time in proportion to their size, and end in a result or a refusal: $name',
    async ({ readers, of, sentAs }) => {
      const tooCostly: string[] = [];
      for (const file of of.filter((one) => one.sentAs === sentAs)) {
        const found = await whyEachTooCostly(readers, (count) => file.build(count));
        tooCostly.push(...found.map((reason) => `${file.what}, ${reason}`));
      }
      expect(tooCostly).toEqual([]);
    },
    300_000,
  );

  it('are read by every job that there is', () => {
    const modules = globSync('**/*.ts', { cwd: import.meta.dirname }).filter(
      (path) => !path.includes('/testing/'),
    );
    const jobs = modules.flatMap((path) =>
      [
        ...readFileSync(join(import.meta.dirname, path), 'utf8').matchAll(
          /export const (\w+) = defineReadJob\(/g,
        ),
      ].map(([, name]) => name),
    );
    expect(parts.flatMap(({ readers }) => Object.keys(readers)).sort()).toEqual(jobs.sort());
  });
});
