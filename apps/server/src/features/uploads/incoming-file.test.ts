import { expect, it } from 'vitest';
import { buildWorkbook } from '../../platform/xlsx/testing/build-workbook.ts';
import { openIncoming } from './incoming-file.ts';

const rows = [['email'], ...Array.from({ length: 20_000 }, (_, at) => [`jane.${at}@exists.test`])];
const workbook = buildWorkbook([{ name: 'Emails', rows }]);
async function* arriving() {
  yield workbook;
}
const open = (signal: AbortSignal, bytesMax = workbook.length) =>
  openIncoming({ name: 'emails.xlsx', bytes: arriving(), signal }, { bytesMax }, async () => true);

it('stops reading a workbook when its client is gone', async () => {
  const client = new AbortController();
  const { bytes, close } = await open(client.signal);
  const pieces = bytes[Symbol.asyncIterator]();
  expect((await pieces.next()).done).toBe(false);
  client.abort();
  await expect(pieces.next()).rejects.toThrow('aborted');
  close();
});

it('refuses a workbook that is longer than the room that is left for it', async () => {
  const never = new AbortController().signal;
  await expect(open(never, workbook.length - 1)).rejects.toThrow('file_too_large');
});
