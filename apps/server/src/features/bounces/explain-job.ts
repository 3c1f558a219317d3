// Runs on a reading thread, so this must load neither the database nor the engine.
import { bounceOrderSchema } from '@assay/contract';
import {
  type BounceFinding,
  explainBounce,
  explainEvents,
  explainMail,
  explainReply,
} from '@assay/verifier/bounces';
import { AppError } from '../../platform/errors/index.ts';
import { parseJson } from '../../platform/http/parse-json.ts';
import { requireValid } from '../../platform/http/validate.ts';
import { defineReadJob } from '../../platform/reading/read-job.ts';

/** A mail may be hostile, so that it is read where it delays no other call. */
export const explainBounceJob = defineReadJob(
  import.meta.url,
  'explainBounceJob',
  async ({ bytes }, { isJson }: { readonly isJson: boolean }): Promise<BounceFinding[]> => {
    const body = Buffer.concat(await Array.fromAsync(bytes));
    const findings = isJson ? explainJson(parseJson(body.toString())) : explainBounce(body);
    if (findings === undefined) throw new AppError('bounce_not_readable');
    return findings;
  },
);

function explainJson(body: unknown): BounceFinding[] | undefined {
  if (!isOrder(body)) return explainEvents(body);
  const { reply, mail, event } = requireValid(bounceOrderSchema, body);
  if (reply !== undefined) return explainReply(reply.trim());
  return mail === undefined ? explainEvents(event) : explainMail(Buffer.from(mail));
}

/** Anything else is what a sender posts; there `event` is a name. */
const isOrder = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  !Array.isArray(body) &&
  ('reply' in body ||
    typeof (body as { mail?: unknown }).mail === 'string' ||
    typeof (body as { event?: unknown }).event === 'object');
