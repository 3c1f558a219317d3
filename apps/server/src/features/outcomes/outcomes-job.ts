// Runs on a reading thread, so this must load neither the database nor the engine.
import { outcomesRoutes } from '@assay/contract';
import { parseAddress } from '@assay/verifier';
import { parseJson } from '../../platform/http/parse-json.ts';
import { refusalOf, requireValid } from '../../platform/http/validate.ts';
import { defineReadJob } from '../../platform/reading/read-job.ts';
import { isTooLate, judgeReported, writePages } from './reported.ts';

/** Reads what a program reports, and judges the replies. Writes pages of reports. */
export const outcomesBodyJob = defineReadJob(
  import.meta.url,
  'outcomesBodyJob',
  async (
    { bytes, write },
    { now }: { readonly now: Date },
  ): Promise<{ readonly listId: string | undefined }> => {
    const json = Buffer.concat(await Array.fromAsync(bytes)).toString();
    const { outcomes, list_id: listId } = requireValid(outcomesRoutes.report.body, parseJson(json));
    const problems = outcomes.flatMap(({ email, at }, index) => {
      const field = `outcomes.${index}`;
      return [
        ...(parseAddress(email).ok
          ? []
          : [{ field: `${field}.email`, message: `${field}.email must be an email address.` }]),
        ...(isTooLate(new Date(at), now)
          ? [{ field: `${field}.at`, message: `${field}.at must not be in the future.` }]
          : []),
      ];
    });
    if (problems.length > 0) throw refusalOf(problems);
    const reports = outcomes.map(({ email, kind, at, detail, id }) => ({
      email,
      finding: judgeReported(kind, email, detail),
      at: new Date(at),
      eventId: id,
      listId,
    }));
    await writePages(write, reports);
    return { listId };
  },
);
