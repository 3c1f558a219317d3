import type { WebhookEvent } from '@assay/contract';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export type { WebhookEvent };
export { WebhookVerificationError };

export interface ReceivedWebhook {
  /** The body as it arrived, letter by letter: what a framework has parsed and written again does not verify. */
  readonly body: string | Uint8Array;
  /** Of the request: a `Headers`, or the plain object that Node gives. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The webhook's secret, which begins with `whsec_`. */
  readonly secret: string;
}

/**
 * The event of a request that really comes from Assay. Throws a `WebhookVerificationError` when the signature is missing
 * or wrong, or when the request is more than five minutes old: answer that with 400 and do nothing else.
 */
export function verifyWebhook({ body, headers, secret }: ReceivedWebhook): WebhookEvent {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return new Webhook(secret).verify(text, plainHeaders(headers)) as WebhookEvent;
}

const signedHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

function plainHeaders(headers: ReceivedWebhook['headers']): Record<string, string> {
  const given =
    headers instanceof Headers
      ? headers
      : new Headers(
          Object.entries(headers).flatMap(([name, value]): [string, string][] =>
            value === undefined ? [] : [[name, [value].flat().join(' ')]],
          ),
        );
  return Object.fromEntries(signedHeaders.map((name) => [name, given.get(name) ?? '']));
}
