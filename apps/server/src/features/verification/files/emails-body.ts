// Reads addresses that come as JSON on a reading thread, so this must load neither the database nor the engine.
import { validationsRoutes } from '@assay/contract';
import { neutraliseFormula } from '../../../platform/csv/formulas.ts';
import { formatCell } from '../../../platform/csv/write-rows.ts';
import { parseJson } from '../../../platform/http/parse-json.ts';
import { requireValid } from '../../../platform/http/validate.ts';
import { hashContents } from '../../../platform/idempotency/hash-contents.ts';
import { defineReadJob } from '../../../platform/reading/read-job.ts';

export const emailsDelimiter = ',';
export const emailsHeader = 'email';

/** The body of a call, with its addresses as a CSV file. */
export interface EmailsBody {
  readonly name: string | undefined;
  readonly ignoresSuppression: boolean;
  readonly emailCount: number;
  readonly csv: Uint8Array;
  /** For `Idempotency-Key`: of a call to the sandbox, and of any other. */
  readonly requestHashes: { readonly sandbox: string; readonly real: string };
}

export const emailsBodyJob = defineReadJob(
  import.meta.url,
  'emailsBodyJob',
  async ({ bytes }, _: null): Promise<EmailsBody> => {
    const json = Buffer.concat(await Array.fromAsync(bytes)).toString();
    const body = requireValid(validationsRoutes.createListFromEmails.body, parseJson(json));
    const { name, emails, ignore_suppression: ignoresSuppression = false } = body;
    const contents = [
      'list of emails',
      name ?? null,
      emails,
      ...(ignoresSuppression ? ['ignore_suppression'] : []),
    ];
    return {
      name,
      ignoresSuppression,
      emailCount: emails.length,
      csv: Buffer.from(`${emailsHeader}\n${emails.map(lineOf).join('')}`),
      requestHashes: { sandbox: hashContents([...contents, 'sandbox']), real: hashContents(contents) },
    };
  },
);

/** In the format of exports, so that reading it back gives the same text. */
const lineOf = (email: string): string =>
  `${email === '' ? blankCell : formatCell(neutraliseFormula(email), emailsDelimiter)}\n`;
/** A blank line would not be a row, and not be counted. */
const blankCell = '" "';
