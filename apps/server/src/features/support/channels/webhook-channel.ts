import { systemClock } from '../../../platform/clock.ts';
import { signedHeaders } from '../../../platform/webhooks/signature.ts';
import type { CaseChannel, CaseToSend } from './case-channel.ts';

export interface WebhookChannelOptions {
  readonly url: string;
  readonly secret: string;
}

const answerWaitMaxMs = 20_000;

export function createWebhookChannel({ url, secret }: WebhookChannelOptions): CaseChannel {
  return {
    name: 'webhook',
    send: async (supportCase, signal) => {
      const body = JSON.stringify(messageOf(supportCase));
      const signed = signedHeaders([secret], { id: supportCase.id, sentAt: systemClock.now(), body });
      const status = await post(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signed },
        body,
        // A redirect must not send customers' texts elsewhere.
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerWaitMaxMs)]),
      });
      if (status < 200 || status > 299) throw new Error(`The webhook answered ${status}.`);
    },
  };
}

async function post(url: string, request: RequestInit): Promise<number> {
  try {
    const answer = await fetch(url, request);
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    throw new Error(`The webhook could not be reached (${cause?.code ?? name}).`);
  }
}

const messageOf = ({ id, subject, description, createdAt, customer }: CaseToSend) => ({
  type: 'support_case.opened',
  timestamp: createdAt.toISOString(),
  data: {
    id,
    subject,
    description,
    creation_date: createdAt.toISOString(),
    customer: {
      id: customer.id,
      first_name: customer.first_name,
      last_name: customer.last_name,
      email_address: customer.email_address,
      phone: customer.phone,
    },
  },
});
