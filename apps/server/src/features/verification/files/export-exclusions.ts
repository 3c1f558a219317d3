import * as z from 'zod/mini';
import { neutraliseFormula } from '../../../platform/csv/formulas.ts';
import { byteOrderMark, formatRow } from '../../../platform/csv/write-rows.ts';
import { countRows } from './classify-rows.ts';
import { readStoredEmails } from './email-file.ts';
import { type EmailUploadParts, findEmailUpload } from './email-uploads.ts';
import type { ExcludedRow } from './exclusions.ts';

/** A download of an upload's excluded rows. */
export const exclusionsOrderSchema = z.object({
  ownerId: z.string(),
  uploadId: z.string(),
  withHeaders: z.boolean(),
  expiresAt: z.number(),
});
type ExclusionsOrder = z.output<typeof exclusionsOrderSchema>;

/** The rows of an upload that are not verified, as a file. */
export async function exportExclusions(
  parts: Pick<EmailUploadParts, 'db' | 'clock' | 'files'>,
  { ownerId, uploadId, withHeaders }: ExclusionsOrder,
): Promise<{ readonly name: string; readonly contents: AsyncIterable<Buffer> }> {
  const { fileKey, fileName, reading } = await findEmailUpload(parts, ownerId, uploadId);
  const emails = readStoredEmails({ files: parts.files, key: fileKey }, reading);
  const { skippedRows, isAddressList } = reading.dialect;
  const hasHeader = withHeaders && !isAddressList;
  const rowsAbove = skippedRows + (hasHeader ? 1 : 0);
  return {
    name: `${fileName.replace(/\.[a-z]{3,4}$/i, '')} - excluded`,
    contents: exclusionLines(hasHeader ? withoutHeader(emails) : emails, rowsAbove),
  };
}

async function* exclusionLines(emails: AsyncIterable<string[]>, rowsAbove: number): AsyncGenerator<Buffer> {
  let lines = `${byteOrderMark}row,email,reason\n`;
  const add = ({ row, email, reason }: ExcludedRow): void => {
    lines += `${formatRow([String(row + rowsAbove), neutraliseFormula(email), reason], ',')}\n`;
  };
  for await (const _ of countRows(emails, { onExcluded: add })) {
    if (lines !== '') yield Buffer.from(lines);
    lines = '';
  }
  if (lines !== '') yield Buffer.from(lines);
}

async function* withoutHeader(batches: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  let isFirst = true;
  for await (const cells of batches) {
    yield isFirst ? cells.slice(1) : cells;
    isFirst = false;
  }
}
