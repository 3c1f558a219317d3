import { type Payments, startPayments } from '@assay/stand-ins/payments';
import { type Receiver, startReceiver } from '../../../apps/server/src/features/webhooks/testing/receiver.ts';
import { runAssay } from '../../support/product-process.ts';

const secretKey = 'sk_test_restarts';
const webhookSecret = 'whsec_restarts';

/** What the product talks to besides mail hosts: a customer's receiver of webhooks, and the payment provider. */
export class Outside {
  readonly receiver: Receiver;
  #payments: Payments | undefined;

  private constructor(receiver: Receiver) {
    this.receiver = receiver;
  }

  static async open(): Promise<Outside> {
    return new Outside(await startReceiver());
  }

  /** Starts the payment provider, and returns the product's settings. */
  async furnish(apiUrl: string): Promise<Record<string, string>> {
    const webhook = { url: `${apiUrl}/billing/webhooks/stripe`, secret: webhookSecret };
    this.#payments = await startPayments({ secretKey, webhook });
    const settings = {
      PUBLIC_URL: new URL(apiUrl).origin,
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: this.#payments.origin,
      WEBHOOK_ALLOW_RANGES: '127.0.0.1/32',
    };
    await runAssay(settings, 'payments', 'setup');
    return settings;
  }

  /** Calls the payment provider as its dashboard would. */
  async callPayments<Answer>(path: string, form?: Record<string, string>): Promise<Answer> {
    const answer = await fetch(`${this.#payments?.origin}/v1/${path}`, {
      headers: { authorization: `Bearer ${secretKey}` },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    if (!answer.ok) throw new Error(`the payment provider answers ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }

  async close(): Promise<void> {
    await this.receiver.close();
    await this.#payments?.close();
  }
}
