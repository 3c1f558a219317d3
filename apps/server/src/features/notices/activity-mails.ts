import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import { type ActivityNews, findActivityNews, takeActivityNews } from '../activity/index.ts';
import { mailPlanNewsJob, mailSecurityNewsJob } from './notices.jobs.ts';

interface WatchParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly mail: { readonly relayUrl: string | null };
}

const customersPerRun = 1_000;
/** Older news are not worth a mail: the relay was set up later, or no worker ran. */
const ageMaxMs = 24 * 3_600_000;

/** Looks at all customers with news, in case a request to look was lost. */
export async function watchActivities(parts: WatchParts, signal: AbortSignal): Promise<void> {
  let failure: unknown;
  for (const ownerId of await findActivityNews(parts.db, customersPerRun)) {
    if (signal.aborted) return;
    // One that fails keeps no other waiting.
    await watchActivity(parts, ownerId).catch((error) => {
      failure ??= error;
    });
  }
  if (failure) throw failure;
}

/** Enqueues mails about what is new, in the transaction that takes it, so that each is mailed once. */
export const watchActivity = ({ db, clock, queue, mail }: WatchParts, ownerId: string): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const since = new Date(clock.now().getTime() - ageMaxMs);
    const news = await takeActivityNews(tx, { ownerId, since });
    if (mail.relayUrl === null) return;
    const security = news.filter(isAboutSecurity).map(({ isNewPlace: _, recordedAt, ...rest }) => ({
      ...rest,
      recordedAt: recordedAt.toISOString(),
    }));
    if (security.length > 0) await queue.enqueue(tx, mailSecurityNewsJob, { ownerId, news: security });
    for (const { kind, about } of news) {
      if (kind !== 'plan.changed' && kind !== 'plan.payment_failed') continue;
      await queue.enqueue(tx, mailPlanNewsJob, { ownerId, kind, about: about ?? '' });
    }
  });

const isAboutSecurity = ({ kind, isNewPlace }: ActivityNews): boolean =>
  kind === 'session.started' ? isNewPlace : !kind.startsWith('plan.');
