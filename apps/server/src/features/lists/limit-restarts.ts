import type { AccountId } from '../../platform/ids.ts';
import { type AttemptParts, requireAttempt } from '../../platform/limits/index.ts';

const restartsPerHour = 120;

/** Resuming goes through all chunks of a list, and verifying again copies its rows. Neither costs credits by itself. */
export const limitRestarts = (parts: AttemptParts, ownerId: AccountId): Promise<void> =>
  requireAttempt(parts, {
    bucket: 'list_restart',
    key: ownerId,
    max: restartsPerHour,
    windowSeconds: 3_600,
  });
