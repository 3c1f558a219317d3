import { Webhook } from 'standardwebhooks';

interface WebhookMessage {
  /** The same in every try to deliver one message, so that the receiver can tell a repetition. */
  readonly id: string;
  readonly sentAt: Date;
  readonly body: string;
}

/**
 * The headers by which a receiver knows that we wrote a message, as the Standard Webhooks specify them. While a secret is
 * being replaced both sign, and the receiver looks for the signature that it can check.
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, sentAt, body }: WebhookMessage,
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body)).join(' '),
  };
}
