import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileStore } from '../../../platform/files/file-store.ts';
import { createFolderStore } from '../../../platform/files/folder-store.ts';
import { storeText } from '../../uploads/stored-file.ts';
import { countEmailsJob } from './email-jobs.ts';

const limits = { bytesMax: 64_000_000, rowsMax: 1_000_000 };
// More than is looked at to find out how a file is written, so that the rest is read while it arrives.
const rowCount = 40_000;
const people = (mark: string) =>
  Array.from({ length: rowCount }, (_, row) => `"Person, ${mark} ${row}",user${row}@exists.test,Bern\n`);

describe('a file of email addresses', () => {
  let folder: string;
  let files: FileStore;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'preview-'));
    files = createFolderStore(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const preview = async (contents: Buffer, key: string) => {
    const { bytes, encoding } = await storeText({ files, key }, piecesOf(contents), limits);
    const order = { source: { kind: 'text', encoding }, counting: { limits, known: {} } } as const;
    return { encoding, ...(await countEmailsJob.run({ bytes, write: async () => undefined }, order)) };
  };

  it('counts a long file', async () => {
    const rows = ['name,email,city\n', ...people('the'), 'Again,USER7@exists.test,Bern\n', 'None,,Bern\n'];

    expect(await preview(Buffer.from(rows.join('')), 'plain')).toMatchObject({
      encoding: 'utf-8',
      counts: {
        rowCount: rowCount + 3,
        billable: rowCount,
        duplicated: 1,
        nonBillable: 2,
        empty: 1,
        suppressed: 0,
        belowFirst: { billable: rowCount, duplicated: 1, nonBillable: 1, empty: 1, suppressed: 0 },
        dialect: { emailColumnName: 'email' },
      },
    });
  });

  it('reads a file that turns out at its end not to be UTF-8', async () => {
    const rows = ['name,email,city\n', ...people('the'), 'Zo\xeb,zoe@exists.test,Z\xfcrich\n'];

    expect(await preview(Buffer.from(rows.join(''), 'latin1'), 'western')).toMatchObject({
      encoding: 'windows-1252',
      counts: { billable: rowCount + 1 },
    });
  });

  it('refuses a long file without addresses, and names the row of a broken quote at its end', async () => {
    const nameless = people('the').map((row) => row.replace('@', ' at '));
    const broken = ['name,email,city\n', ...people('the'), '"Person" X,x@exists.test,Bern\n'];

    await expect(preview(Buffer.from(nameless.join('')), 'nameless')).rejects.toMatchObject({
      code: 'file_no_email_column',
    });
    expect(await preview(Buffer.from(broken.join('')), 'broken')).toMatchObject({
      counts: { billable: rowCount + 1, brokenQuotes: { rows: 1, first: [rowCount + 2] } },
    });
  });

  it('keeps nothing of a file that is no text', async () => {
    await expect(preview(Buffer.from('%PDF-1.7'), 'scan')).rejects.toThrow('file_not_text');
    expect(await readdir(folder)).not.toContain('scan');
  });

  it('keeps nothing of a file that stops arriving', async () => {
    const cutShort = async function* () {
      yield Buffer.from(people('the').join(''));
      throw new Error('the connection broke');
    };

    await expect(storeText({ files, key: 'cut' }, cutShort(), limits)).rejects.toThrow('broke');
    expect(await readdir(folder)).not.toContain('cut');
  });
});

async function* piecesOf(contents: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < contents.length; start += 65_536)
    yield contents.subarray(start, start + 65_536);
}
