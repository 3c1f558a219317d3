import { createHmac } from 'node:crypto';

/** The `Stripe-Signature` header: when it was signed, and an HMAC of that moment and the exact body. */
export function signatureHeader(body: string, secret: string, signedAt: Date): string {
  const timestamp = Math.floor(signedAt.getTime() / 1000);
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}
