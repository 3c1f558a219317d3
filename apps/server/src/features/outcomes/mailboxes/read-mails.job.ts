// Runs on a reading thread, so this must load neither the database nor the engine.
import { defineReadJob } from '../../../platform/reading/read-job.ts';
import { reportsOfMail } from '../files/read-mails.ts';
import { writePages } from '../reported.ts';

/** Reads mails that follow each other. Those that are no reports, or cannot be read, give nothing. Writes pages of reports. */
export const readMailsJob = defineReadJob(
  import.meta.url,
  'readMailsJob',
  async (
    { bytes, write },
    { lengths, now }: { readonly lengths: readonly number[]; readonly now: Date },
  ): Promise<void> => {
    const all = Buffer.concat(await Array.fromAsync(bytes));
    let end = 0;
    const found = lengths.flatMap((length) => {
      const reports = reportsOfMail(all.subarray(end, end + length), now);
      end += length;
      return typeof reports === 'string' ? [] : reports;
    });
    await writePages(write, found);
  },
);
