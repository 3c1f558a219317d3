import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db } from '../../platform/database/database.ts';
import { requireAttempt } from '../../platform/limits/index.ts';
import { insertCase } from './support.store.ts';

export interface SupportParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
}

interface SupportRequest {
  readonly subject: string;
  readonly description: string;
}

/** Every case is read by a person, so one customer cannot open more than people can answer. */
const casesPerHour = 10;

export async function openCase(
  { db, clock, secrets }: SupportParts,
  ownerId: string,
  { subject, description }: SupportRequest,
): Promise<{ id: string }> {
  await requireAttempt(
    { db, clock, secrets },
    { bucket: 'support_case', key: ownerId, max: casesPerHour, windowSeconds: 3_600 },
  );
  const id = randomUUID();
  await insertCase(db, { ownerId, id, subject, description, now: clock.now() });
  return { id };
}
