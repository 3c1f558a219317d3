// Runs on a reading thread, so this must load neither the database nor the engine.
import type { FeedRefusal, FeedSender } from '@assay/contract';
import { readFeedEvents, type SentEvent } from '@assay/verifier/bounces';
import * as z from 'zod/mini';
import { defineReadJob } from '../../platform/reading/read-job.ts';
import { proveMailgun } from './proofs/mailgun.ts';
import { proveMandrill, readMandrillForm } from './proofs/mandrill.ts';
import type { FeedCall, Proof, SingleUse } from './proofs/proof.ts';
import { proveResend } from './proofs/resend.ts';
import { proveSendGrid } from './proofs/sendgrid.ts';
import { readSnsMessage, type SnsMessage } from './sns/sns-message.ts';

export type FeedReading =
  | { readonly refusal: FeedRefusal }
  | {
      readonly refusal?: undefined;
      readonly events: readonly SentEvent[];
      readonly singleUse?: SingleUse | undefined;
      /** Its signature is still to be checked: that needs a certificate. */
      readonly message?: SnsMessage;
    };

interface ReadingOptions extends Omit<FeedCall, 'body'> {
  readonly sender: FeedSender;
}

/** Checks the proof of a sender and reads its events. */
export const readFeedBodyJob = defineReadJob(
  import.meta.url,
  'readFeedBodyJob',
  async ({ bytes }, { sender, ...call }: ReadingOptions): Promise<FeedReading> =>
    readFeedBody(sender, { ...call, body: Buffer.concat(await Array.fromAsync(bytes)) }),
);

export function readFeedBody(sender: FeedSender, call: FeedCall): FeedReading {
  if (sender === 'mandrill') return readMandrill(call);
  // Its signature is over the bytes, so they are not read before it is known to be good.
  const early = earlyProofs[sender]?.(call) ?? {};
  if (early.refusal) return { refusal: early.refusal };
  const parsed = parse(call.body.toString('utf8'));
  if (sender === 'ses') return readSes(call, parsed);
  const proof = sender === 'mailgun' ? proveMailgun(call, parsed) : early;
  return eventsOf(proof, parsed);
}

const earlyProofs: Partial<Record<FeedSender, (call: FeedCall) => Proof>> = {
  sendgrid: proveSendGrid,
  resend: proveResend,
};

function eventsOf({ refusal, singleUse }: Proof, parsed: unknown): FeedReading {
  if (refusal) return { refusal };
  const events = isNothing(parsed) ? [] : readFeedEvents(parsed);
  return events ? { events, singleUse } : { refusal: 'not_readable' };
}

const ping = z.strictObject({ msys: z.strictObject({}) });

/** Pings of SparkPost, or an empty list. */
const isNothing = (parsed: unknown): boolean =>
  Array.isArray(parsed) && parsed.every((entry) => ping.safeParse(entry).success);

function readMandrill(call: FeedCall): FeedReading {
  const form = readMandrillForm(call.body);
  if (form === undefined) return { refusal: 'not_readable' };
  const proof = proveMandrill(call, form);
  // Mandrill tries the address with an empty list before it tells anybody the key.
  if (proof.refusal && form === '[]') return { events: [] };
  return eventsOf(proof, parse(form));
}

function readSes({ headers }: FeedCall, parsed: unknown): FeedReading {
  if (headers['x-amz-sns-rawdelivery'] === 'true') return { refusal: 'raw_delivery' };
  const message = readSnsMessage(parsed);
  if (!message) return { refusal: 'not_readable' };
  if (headers['x-amz-sns-message-type'] !== message.Type) return { refusal: 'not_genuine' };
  // The first notification is a sentence, and others are about the topic.
  const events = message.Type === 'Notification' ? (readFeedEvents(parse(message.Message)) ?? []) : [];
  return { events, message };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
