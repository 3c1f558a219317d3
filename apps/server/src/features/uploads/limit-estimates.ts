import { type AttemptParts, requireAttempt } from '../../platform/limits/index.ts';

export const estimateSampleSize = 100;
const estimatesPerHour = 30;

/** Estimates are free, and each looks up to a hundred domains up: a customer may have only so many. */
export const limitEstimates = (parts: AttemptParts, ownerId: string): Promise<void> =>
  requireAttempt(parts, {
    bucket: 'list_estimate',
    key: ownerId,
    max: estimatesPerHour,
    windowSeconds: 3_600,
  });
