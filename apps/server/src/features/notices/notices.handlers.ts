import type { SendMailOptions } from 'nodemailer';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/logging/index.ts';
import { NoSuchMailbox, sendMail } from '../../platform/mail/send-mail.ts';
import { handleJob, type JobHandler, type JobQueue } from '../../platform/queue/index.ts';
import { getWallet } from '../billing/index.ts';
import { peopleLists } from '../guessing/index.ts';
import type { ListPlace } from '../lists/index.ts';
import { findMailAddress, type MailKind, mailFarewellJob } from '../users/index.ts';
import { emailLists } from '../verification/index.ts';
import { changedPlanMail, failedPaymentMail, farewellMail, securityMail } from './account-mails.ts';
import { watchActivities, watchActivity } from './activity-mails.ts';
import { balanceMail } from './balance-mails.ts';
import { watchBalance, watchBalances } from './balance-news.ts';
import { type EndedList, endedListsMail } from './ended-lists-mail.ts';
import type { Envelope } from './notice-mail.ts';
import {
  collectEndedListsJob,
  type EndedLists,
  mailBalanceNewsJob,
  mailEndedListsJob,
  mailPlanNewsJob,
  mailSecurityNewsJob,
  watchActivitiesJob,
  watchActivityJob,
  watchBalanceJob,
  watchBalancesJob,
} from './notices.jobs.ts';
import { unsubscribeLink } from './unsubscribe.ts';

export interface NoticesParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly queue: JobQueue;
  readonly secrets: Secrets;
  readonly publicUrl: string;
  readonly graceDays: number;
  readonly mail: { readonly relayUrl: string | null; readonly from: string };
}

/** Lists that ended longer ago are not worth a mail: the relay was set up later, or no worker ran. */
const ageMaxMs = 3_600_000;

/** Without a relay, balances are watched for webhooks, and news are taken and dropped. */
export function noticesHandlers(parts: NoticesParts): JobHandler[] {
  const { relayUrl, from } = parts.mail;
  const watching = [
    handleJob(watchBalanceJob, { concurrency: 4 }, ({ ownerId }) => watchBalance(parts, ownerId)),
    handleJob(watchBalancesJob, { concurrency: 1 }, (_, { signal }) => watchBalances(parts, signal)),
    handleJob(watchActivityJob, { concurrency: 4 }, ({ ownerId }) => watchActivity(parts, ownerId)),
    handleJob(watchActivitiesJob, { concurrency: 1 }, (_, { signal }) => watchActivities(parts, signal)),
  ];
  if (relayUrl === null) return watching;
  /** Undefined for a customer who does not want such mails, or has no verified address. */
  const addressTo = async (
    ownerId: AccountId,
    kind: MailKind | 'security',
    id: string,
  ): Promise<Envelope | undefined> => {
    const to = await findMailAddress(parts.db, ownerId, kind);
    if (to === undefined) return undefined;
    const unsubscribeUrl = kind === 'security' ? null : unsubscribeLink(parts, { ownerId, kind });
    return { to, from, id, unsubscribeUrl };
  };
  /** Ends the job if the mailbox of the customer is gone: retries would not help, and an operator could do nothing. */
  const send = (mail: SendMailOptions, ownerId: AccountId | null, signal: AbortSignal): Promise<void> =>
    sendMail(relayUrl, mail, signal).catch((error: unknown) => {
      if (!(error instanceof NoSuchMailbox)) throw error;
      parts.logger.info(
        { account_id: ownerId },
        'a notice was not sent: the mailbox of the customer is gone',
      );
    });
  return [
    ...watching,
    handleJob(mailBalanceNewsJob, { concurrency: 2 }, async ({ ownerId, ...news }, { jobId, signal }) => {
      const envelope = await addressTo(ownerId, 'balance', jobId);
      if (envelope) await send(balanceMail(news, parts.publicUrl, envelope), ownerId, signal);
    }),
    handleJob(mailSecurityNewsJob, { concurrency: 2 }, async ({ ownerId, news }, { jobId, signal }) => {
      const envelope = await addressTo(ownerId, 'security', jobId);
      if (envelope) await send(securityMail(news, parts.publicUrl, envelope), ownerId, signal);
    }),
    handleJob(mailPlanNewsJob, { concurrency: 2 }, async ({ ownerId, kind, about }, { jobId, signal }) => {
      const envelope = await addressTo(ownerId, 'plan', jobId);
      if (!envelope) return;
      if (kind === 'plan.changed')
        return send(changedPlanMail(about, parts.publicUrl, envelope), ownerId, signal);
      const { subscription } = await getWallet(parts, ownerId);
      // It may have been paid since.
      if (subscription.status === 'past_due') {
        await send(failedPaymentMail(subscription, parts.publicUrl, envelope), ownerId, signal);
      }
    }),
    handleJob(mailFarewellJob, { concurrency: 2 }, ({ address }, { jobId, signal }) => {
      const envelope = { to: address, from, id: jobId, unsubscribeUrl: null };
      return send(farewellMail(parts.publicUrl, envelope), null, signal);
    }),
    handleJob(collectEndedListsJob, { concurrency: 1 }, () => collectEndedLists(parts)),
    handleJob(mailEndedListsJob, { concurrency: 2 }, async (completed, { jobId, signal }) => {
      const envelope = await addressTo(completed.ownerId, 'lists', jobId);
      const found = await findLists(parts.db, completed);
      if (!envelope || found.length === 0) return;
      await send(endedListsMail(found, parts.publicUrl, envelope), completed.ownerId, signal);
    }),
  ];
}

/** Takes the lists and enqueues their mails in one transaction, so that each is mailed once. */
export function collectEndedLists({ db, clock, queue }: NoticesParts): Promise<void> {
  const now = clock.now();
  const since = new Date(now.getTime() - ageMaxMs);
  return db.transaction().execute(async (tx) => {
    const taken = [
      ...(await emailLists.results.takeEnded(tx, since, now)).map((place) => ({
        kind: 'emails' as const,
        ...place,
      })),
      ...(await peopleLists.results.takeEnded(tx, since, now)).map((place) => ({
        kind: 'people' as const,
        ...place,
      })),
    ];
    const mails = [...Map.groupBy(taken, ({ ownerId }) => ownerId)].map(([ownerId, owned]) => ({
      payload: { ownerId, lists: owned.map(({ kind, listId }) => ({ kind, listId })) },
    }));
    await queue.enqueueMany(tx, mailEndedListsJob, mails);
  });
}

/** The lists that are still there. */
async function findLists(db: Db, { ownerId, lists: wanted }: EndedLists): Promise<EndedList[]> {
  const found: EndedList[] = [];
  for (const { kind, listId } of wanted) {
    const list = await (kind === 'emails'
      ? describeEmailList(db, { ownerId, listId })
      : describePeopleList(db, { ownerId, listId }));
    if (list) found.push(list);
  }
  return found;
}

async function describeEmailList(db: Db, place: ListPlace): Promise<EndedList | undefined> {
  const list = await emailLists.answers.find(db, place);
  return (
    list && {
      kind: 'emails',
      id: list.id,
      name: list.name,
      counts: [
        { name: 'Valid', count: list.valid_emails },
        { name: 'Invalid', count: list.invalid_emails },
        { name: 'Catch all', count: list.catch_all_emails },
        { name: 'Unknown', count: list.unknown_emails },
      ],
      chargedCredits: emailLists.answers.countsOf(list).dueCredits,
      problem: emailLists.answers.answerOf(list).preparation?.problem?.message ?? null,
    }
  );
}

async function describePeopleList(db: Db, place: ListPlace): Promise<EndedList | undefined> {
  const list = await peopleLists.answers.find(db, place);
  return (
    list && {
      kind: 'people',
      id: list.id,
      name: list.name,
      counts: [
        { name: 'Found', count: list.found },
        { name: 'Catch all', count: list.catch_all },
        { name: 'Not found', count: list.not_found },
        { name: 'Unknown', count: list.unknown },
      ],
      chargedCredits: peopleLists.answers.countsOf(list).dueCredits,
      problem: null,
    }
  );
}
