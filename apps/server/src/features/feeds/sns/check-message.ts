import type { FeedRefusal } from '@assay/contract';
import type { Clock } from '../../../platform/clock.ts';
import { type GuardedGetOptions, guardedGet } from '../../webhooks/index.ts';
import { certificateUrlOf, confirmationUrlOf, isSignedBy, type SnsMessage } from './sns-message.ts';

/** Amazon could not be asked. The message comes again. */
export class SnsAway extends Error {}

export interface Sns {
  /** Null for a message that SNS signed for the topic. */
  check(message: SnsMessage, topicArn: string | null): Promise<FeedRefusal | null>;
  /** Null if the subscription is confirmed now. */
  confirm(message: SnsMessage): Promise<FeedRefusal | null>;
}

/** Amazon has one certificate in each region and changes it about once a year. */
const certificatesMax = 100;
const keptMs = 3_600_000;

export function openSns(options: GuardedGetOptions, clock: Clock): Sns {
  const certificates = new Map<string, { readonly pem: Promise<string>; readonly keptUntilMs: number }>();

  function certificateAt(url: string): Promise<string> {
    const nowMs = clock.now().getTime();
    const known = certificates.get(url);
    if (known && known.keptUntilMs > nowMs && known.keptUntilMs <= nowMs + keptMs) return known.pem;
    if (certificates.size >= certificatesMax) certificates.clear();
    const pem = fetchCertificate(url);
    certificates.set(url, { pem, keptUntilMs: nowMs + keptMs });
    pem.catch(() => certificates.delete(url));
    return pem;
  }

  async function fetchCertificate(url: string): Promise<string> {
    const { status, text } = await ask(url);
    if (status >= 500) throw new SnsAway(`SNS answered ${status}.`);
    // Not kept as a certificate, which it is not; the signature then fits nothing.
    return status === 200 ? text : '';
  }

  const ask = (url: string) =>
    guardedGet(url, options).catch((cause: unknown) => {
      throw new SnsAway('SNS could not be asked.', { cause });
    });

  return {
    check: async (message, topicArn) => {
      // A signature only says that some customer of AWS sent this.
      if (message.TopicArn !== topicArn) return 'wrong_topic';
      const url = certificateUrlOf(message);
      if (url === undefined) return 'not_genuine';
      const ageMs = clock.now().getTime() - Date.parse(message.Timestamp);
      if (!isSignedBy(message, await certificateAt(url), clock.now())) return 'not_genuine';
      return ageMs >= -aheadMs && ageMs <= goodForMs ? null : 'too_old';
    },
    confirm: async (message) => {
      const url = confirmationUrlOf(message);
      if (url === undefined) return 'confirmation_failed';
      const { status } = await ask(url);
      return status === 200 ? null : 'confirmation_failed';
    },
  };
}

/** SNS repeats a message for an hour at most. */
const goodForMs = 24 * 3_600_000;
const aheadMs = 300_000;
