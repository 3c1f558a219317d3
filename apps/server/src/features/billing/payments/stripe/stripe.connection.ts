import type Stripe from 'stripe';
import { AppError } from '../../../../platform/errors/index.ts';
import { PaymentsMissing, PaymentsRefused } from '../payments-gateway.ts';

export interface StripeOptions {
  readonly secretKey: string;
  /** Origin of the API. */
  readonly apiUrl: string;
  /** How long an attempt may take, with the whole answer. */
  readonly answerPatienceMs?: number;
}

const usualPatienceMs = 10_000;
const networkRetriesMax = 2;

/** Loaded on demand, because most commands and threads never call Stripe. */
export const loadStripe = async () => (await import('stripe')).Stripe;

export async function connectStripe({
  secretKey,
  apiUrl,
  answerPatienceMs = usualPatienceMs,
}: StripeOptions): Promise<Stripe> {
  const Stripe = await loadStripe();
  const { hostname, port, protocol } = new URL(apiUrl);
  const scheme = protocol === 'http:' ? 'http' : 'https';
  return new Stripe(secretKey, {
    host: hostname,
    port: port || (scheme === 'http' ? 80 : 443),
    protocol: scheme,
    maxNetworkRetries: networkRetriesMax,
    timeout: answerPatienceMs,
    // Bounds the whole answer. The default client bounds its silences only, so an answer in drops would never end.
    httpClient: Stripe.createFetchHttpClient(),
    telemetry: false,
  });
}

/** Separates requests that Stripe refuses for good from those that failed for now. */
export async function reach<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    const { errors } = await loadStripe();
    if (error instanceof errors.StripeInvalidRequestError) {
      // Stripe's message may contain an address from the request, so only its codes are kept.
      const what = [error.code, error.param].filter(Boolean).join(' ') || 'invalid request';
      const Refusal = isMissing(error) ? PaymentsMissing : PaymentsRefused;
      throw new Refusal(`Stripe refused: ${what} (${error.requestId ?? 'no request id'}).`);
    }
    if (!(error instanceof errors.StripeError)) throw error;
    throw new AppError('payments_unavailable', { type: error.type, requestId: error.requestId });
  }
}

/** For ending something that may have ended already. */
export async function unlessGone(call: () => Promise<unknown>): Promise<void> {
  await unlessMissing(call);
}

export const unlessMissing = <Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> =>
  reach(() => call().catch(ifMissing));

/** For `catch`: undefined for what does not exist at Stripe. */
export async function ifMissing(error: unknown): Promise<undefined> {
  const { errors } = await loadStripe();
  if (!(error instanceof errors.StripeInvalidRequestError && isMissing(error))) throw error;
}

const isMissing = ({ code }: { readonly code?: string | undefined }): boolean => code === 'resource_missing';

export const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

export const dateOf = (seconds: number | null | undefined): Date | null =>
  typeof seconds === 'number' ? new Date(seconds * 1_000) : null;
