import { AppError } from '../../../platform/errors/index.ts';
import { type AttemptParts, takeAttempt } from '../../../platform/limits/index.ts';

/**
 * A machine can guess short codes, so every attempt counts, also a successful one: per customer, and per network against
 * someone with many accounts.
 */
const windowSeconds = 600;
const perCustomer = 10;
const perNetwork = 60;

/** Refuses attempts above the limit and says when the next one is possible. */
export async function limitCouponAttempts(
  parts: AttemptParts,
  { userId, network }: { userId: string; network: string },
): Promise<void> {
  const limits = [
    { bucket: 'coupon', key: userId, max: perCustomer, windowSeconds },
    { bucket: 'coupon_address', key: network, max: perNetwork, windowSeconds },
  ];
  for (const limit of limits) {
    const { allowed, retryAfterSeconds } = await takeAttempt(parts, limit);
    if (!allowed) throw tooManyAttempts(retryAfterSeconds);
  }
}

function tooManyAttempts(retryAfterSeconds: number): AppError {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return new AppError(
    'too_many_requests',
    {},
    {
      text: `Too many codes were tried, so this one was not checked. Try it again in ${wait}.`,
      meta: { retry_after_seconds: retryAfterSeconds },
    },
  );
}
