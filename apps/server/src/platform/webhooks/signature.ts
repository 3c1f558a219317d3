import { createHmac } from 'node:crypto';

interface WebhookMessage {
  /** The same in every try to deliver one message, so that the receiver can tell a repetition. */
  readonly id: string;
  readonly sentAt: Date;
  readonly body: string;
}

/** The headers by which a receiver knows that we wrote a message, as the Standard Webhooks specify them. */
export function signedHeaders(secret: string, { id, sentAt, body }: WebhookMessage): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
