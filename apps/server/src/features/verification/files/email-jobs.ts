// Jobs that read files of email addresses on reading threads, so this must load neither the database nor the engine.
import { neutraliseFormula } from '../../../platform/csv/formulas.ts';
import { byteOrderMark, formatRow } from '../../../platform/csv/write-rows.ts';
import { defineReadJob } from '../../../platform/reading/read-job.ts';
import type { CountOrder } from '../../uploads/index.ts';
import { readText } from '../../uploads/reading.ts';
import { countRows } from './classify-rows.ts';
import {
  countEmails,
  type EmailCounts,
  type EmailFileLimits,
  type EmailReading,
  hasEmails,
  readEmails,
  type TextReading,
} from './email-file.ts';
import type { ExcludedRow } from './exclusions.ts';
import { AddressSample } from './sample-addresses.ts';
import { countedScreen } from './screen.ts';

export interface EmailCounting {
  readonly limits: EmailFileLimits;
  readonly known: EmailReading;
}

export const countEmailsJob = defineReadJob(
  import.meta.url,
  'countEmailsJob',
  async (file, { source, counting }: CountOrder<EmailCounting>): Promise<{ counts: EmailCounts }> => {
    const use = countEmails(counting.limits, counting.known, file.ask?.bind(file));
    return { counts: await readText(file, source, { isUsable: hasEmails, use }) };
  },
);

/** Draws a sample of the addresses of a stored file. */
export const sampleEmailsJob = defineReadJob(
  import.meta.url,
  'sampleEmailsJob',
  async ({ bytes }, { reading, size }: { readonly reading: TextReading; readonly size: number }) => {
    const sample = new AddressSample(size);
    let total = 0;
    const screen = countedScreen(reading.suppressedHashes);
    const counted = countRows(readEmails(bytes, reading), { onNew: sample.offer, screen });
    for await (const { billable } of counted) total = billable;
    return { total, emails: sample.emails };
  },
);

/** Writes the rows of a stored file that are not verified, as CSV. */
export const exclusionsJob = defineReadJob(
  import.meta.url,
  'exclusionsJob',
  async (
    { bytes, write },
    { reading, withHeaders }: { readonly reading: TextReading; readonly withHeaders: boolean },
  ): Promise<void> => {
    const { skippedRows, isAddressList } = reading.dialect;
    const hasHeader = withHeaders && !isAddressList;
    const rowsAbove = skippedRows + (hasHeader ? 1 : 0);
    const emails = readEmails(bytes, reading);
    let lines = `${byteOrderMark}row,email,reason\n`;
    const onExcluded = ({ row, email, reason }: ExcludedRow): void => {
      lines += `${formatRow([String(row + rowsAbove), neutraliseFormula(email), reason], ',')}\n`;
    };
    const screen = countedScreen(reading.suppressedHashes);
    for await (const _ of countRows(hasHeader ? withoutHeader(emails) : emails, { onExcluded, screen })) {
      if (lines !== '') await write(Buffer.from(lines));
      lines = '';
    }
    if (lines !== '') await write(Buffer.from(lines));
  },
);

async function* withoutHeader(batches: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  let isFirst = true;
  for await (const cells of batches) {
    yield isFirst ? cells.slice(1) : cells;
    isFirst = false;
  }
}
