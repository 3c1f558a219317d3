import { expect, it, onTestFinished } from 'vitest';
import { buildWorkbook } from '../../platform/workbooks/testing/build-workbook.ts';
import { openIncoming } from './incoming-file.ts';

const rows = [['email'], ...Array.from({ length: 20_000 }, (_, at) => [`jane.${at}@exists.test`])];
const workbook = buildWorkbook([{ name: 'Emails', rows }]);
async function* arriving(bytes: Buffer, length = 1_000) {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

it('knows a workbook by its first bytes, wherever they are cut, and waits for the rest', async () => {
  const opened = await openIncoming({ bytes: arriving(workbook, 3) }, { bytesMax: workbook.length });
  if (opened.kind !== 'workbook') throw new Error('not a workbook');
  const { handle } = opened;
  onTestFinished(() => handle.close());
  expect(opened.byteCount).toBe(workbook.length);
  expect((await handle.read(Buffer.alloc(workbook.length), 0, workbook.length, 0)).buffer).toEqual(workbook);
});

it('gives text as it comes', async () => {
  const opened = await openIncoming({ bytes: arriving(Buffer.from('PK,email\n'), 1) }, { bytesMax: 1 });
  if (opened.kind !== 'text') throw new Error('not a text');
  expect(Buffer.concat(await Array.fromAsync(opened.bytes)).toString()).toBe('PK,email\n');
});

it('refuses a workbook that is longer than the room that is left for it', async () => {
  const opening = openIncoming({ bytes: arriving(workbook) }, { bytesMax: workbook.length - 1 });
  await expect(opening).rejects.toThrow('file_too_large');
});
