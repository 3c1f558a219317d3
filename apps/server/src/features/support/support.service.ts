import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db } from '../../platform/database/database.ts';
import { requireAttempt } from '../../platform/limits/index.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import { type ActingPerson, readPhone, setMissingPhone } from '../users/index.ts';
import { configuredChannels, type SupportConfig } from './channels/configured-channels.ts';
import { sendCaseJob } from './support.jobs.ts';
import { insertCase } from './support.store.ts';

export interface SupportParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly queue: JobQueue;
  /** Channels that cases are sent to. */
  readonly support: SupportConfig;
}

interface SupportRequest {
  readonly subject: string;
  readonly description: string;
  readonly phone?: string | undefined;
}

/** A person reads every case. */
const casesPerHour = 10;

/**
 * Stores the case and enqueues a job per channel, in one transaction. If the profile has no phone number, the number of the
 * case is saved there too.
 */
export async function openCase(
  { db, clock, secrets, queue, support }: SupportParts,
  person: ActingPerson,
  { subject, description, phone: typedPhone }: SupportRequest,
): Promise<{ id: string }> {
  const ownerId = person.accountId;
  const phone = typedPhone === undefined ? null : readPhone(typedPhone);
  await requireAttempt(
    { db, clock, secrets },
    { bucket: 'support_case', key: ownerId, max: casesPerHour, windowSeconds: 3_600 },
  );
  const id = randomUUID();
  const channels = configuredChannels(support);
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    await insertCase(tx, { ownerId, id, subject, description, phone, now }, channels);
    const items = channels.map((channel) => ({ payload: { ownerId, caseId: id, channel } }));
    await queue.enqueueMany(tx, sendCaseJob, items);
    if (phone !== null) await setMissingPhone(tx, person, phone, now);
  });
  return { id };
}
