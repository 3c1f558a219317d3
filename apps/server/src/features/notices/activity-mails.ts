import type { AccountId } from '../../platform/ids.ts';
import { type ActivityNews, findActivityNews, takeActivityNews } from '../activity/index.ts';
import { mailPlanNewsJob, mailSecurityNewsJob } from './notices.jobs.ts';
import { customersPerRun, type WatchParts, watchEach } from './watch-each.ts';

/** Older news are not worth a mail: the relay was set up later, or no worker ran. */
const ageMaxMs = 24 * 3_600_000;

/** Looks at all customers with news, in case a request to look was lost. */
export async function watchActivities(parts: WatchParts, signal: AbortSignal): Promise<void> {
  const ownerIds = await findActivityNews(parts.db, customersPerRun);
  await watchEach(ownerIds, signal, (ownerId) => watchActivity(parts, ownerId));
}

/** Enqueues mails about what is new, in the transaction that takes it, so that each is mailed once. */
export const watchActivity = ({ db, clock, queue, mail }: WatchParts, ownerId: AccountId): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const since = new Date(clock.now().getTime() - ageMaxMs);
    const news = await takeActivityNews(tx, { ownerId, since });
    if (mail.relayUrl === null) return;
    const security = news.filter(isAboutSecurity).map(({ isNewPlace: _, recordedAt, key, ...rest }) => ({
      ...rest,
      ...(key && { key }),
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
