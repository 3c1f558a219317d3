import { describe, expect, it } from 'vitest';
import { hostileFiles } from '../../../../../../tests/attack/hostile-files.ts';
import { EncodingProbe } from '../../../platform/csv/file-encoding.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { writeNamelessFile } from '../../../platform/files/nameless-file.ts';
import { previewPeopleJob } from '../../guessing/lists/people-jobs.ts';
import type { TextSource } from '../../uploads/reading.ts';
import { countEmailsJob } from './email-jobs.ts';

const byteCount = 10_000;
const timesLonger = 4;
/** A machine that is busy may disturb one measurement. */
const attemptsMax = 4;
const bytesMax = 64 * 1024 * 1024;
const rowsMax = 1_000_000;
const zipSignature = '504b0304';

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
}

/** Reads a file as a list of emails and as a list of people. Answers the problems that it is refused for. */
async function read(contents: Buffer): Promise<unknown[]> {
  const file = { bytes: inPieces(contents), write: async () => undefined };
  if (contents.toString('hex', 0, 4) === zipSignature) {
    const handle = await writeNamelessFile(inPieces(contents));
    const source = { kind: 'workbook', fd: handle.fd, sheet: undefined, bytesMax } as const;
    return readBoth(() => file, source).finally(() => handle.close());
  }
  const probe = new EncodingProbe();
  probe.push(contents);
  const found = probe.finish();
  if (found.kind === 'not_text') return ['file_not_text'];
  return readBoth(() => ({ ...file, bytes: inPieces(contents) }), { kind: 'text', encoding: found.encoding });
}

async function readBoth(
  file: () => { bytes: AsyncGenerator<Buffer>; write: () => Promise<void> },
  source: TextSource,
): Promise<unknown[]> {
  const codeOf = (error: unknown) => (error instanceof AppError ? error.code : error);
  return [
    await countEmailsJob
      .run(file(), { source, counting: { limits: { rowsMax }, known: {} } })
      .then(() => 'read', codeOf),
    await previewPeopleJob
      .run(file(), { source, counting: { columns: null, rowsMax } })
      .then(() => 'read', codeOf),
  ];
}

/** The processor time that this thread takes to read a file. */
async function cpuMsOf(contents: Buffer): Promise<number> {
  const before = process.threadCpuUsage();
  await read(contents);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Null if a file that is four times as long takes about four times as long; quadratic work would take sixteen times as long. */
async function whyTooCostly(short: Buffer, long: Buffer): Promise<string | null> {
  const shortMs = await cpuMsOf(short);
  const longMs = await cpuMsOf(long);
  if (longMs <= shortMs * timesLonger * 2.5 + 40) return null;
  return `${Math.round(shortMs)} ms, ${timesLonger} times as long: ${Math.round(longMs)} ms`;
}

describe('hostile files', () => {
  const files = hostileFiles(1, 200).filter(({ sentAs }) => sentAs === 'file');

  it('cost processor time in proportion to their size, and only refusals with a code', async () => {
    const tooCostly: string[] = [];
    for (const { what, build } of files) {
      const short = build(byteCount);
      const long = build(byteCount * timesLonger);
      for (const outcome of await read(short)) expect(outcome, what).toBeTypeOf('string');
      let reason: string | null = 'not measured';
      for (let attempt = 0; attempt < attemptsMax && reason !== null; attempt++)
        reason = await whyTooCostly(short, long);
      if (reason !== null) tooCostly.push(`${what}: ${reason}`);
    }
    expect(tooCostly).toEqual([]);
  }, 300_000);
});
