import type { WebhookEvent } from '@assay/contract';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export type { WebhookEvent };
export { WebhookVerificationError };

export interface ReceivedWebhook {
  /** The raw body as received: a body that a framework parsed and serialised again does not verify. */
  readonly body: string | Uint8Array;
  /** The request's headers: a `Headers`, or Node's plain object. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The webhook's secret, which starts with `whsec_`. */
  readonly secret: string;
}

/**
 * Returns the event of a request from Assay. Throws a `WebhookVerificationError` if the signature is missing
 * or wrong, or if the request is more than five minutes old: answer with 400 and do nothing else.
 */
export function verifyWebhook({ body, headers, secret }: ReceivedWebhook): WebhookEvent {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return new Webhook(secret).verify(text, plainHeaders(headers)) as WebhookEvent;
}

const signedHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

function plainHeaders(headers: ReceivedWebhook['headers']): Record<string, string> {
  return Object.fromEntries(signedHeaders.map((name) => [name, headerOf(headers, name)]));
}

/** Looks at no other header: those of HTTP/2, such as `:path`, do not fit into a `Headers`. */
function headerOf(headers: ReceivedWebhook['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const [, value = ''] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? [];
  return [value].flat().join(' ');
}
