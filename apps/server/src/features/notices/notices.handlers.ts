import type { SendMailOptions } from 'nodemailer';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logging/index.ts';
import { NoSuchMailbox, sendMail } from '../../platform/mail/send-mail.ts';
import { handleJob, type JobHandler, type JobQueue } from '../../platform/queue/index.ts';
import { peopleLists } from '../guessing/index.ts';
import { findMailAddress, type MailKind } from '../users/index.ts';
import { emailLists } from '../verification/index.ts';
import { balanceMail } from './balance-mails.ts';
import { watchBalance, watchBalances } from './balance-news.ts';
import { type CompleteList, completionMail } from './completion-mail.ts';
import type { Envelope } from './notice-mail.ts';
import {
  type CompletedLists,
  collectCompletedListsJob,
  mailBalanceNewsJob,
  mailCompletedListsJob,
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
  readonly mail: { readonly relayUrl: string | null; readonly from: string };
}

const lists = { emails: emailLists, people: peopleLists } as const;

/** Lists that completed longer ago are not worth a mail: the relay was set up later, or no worker ran. */
const ageMaxMs = 3_600_000;

/** Without a relay, balances are watched for webhooks only. */
export function noticesHandlers(parts: NoticesParts): JobHandler[] {
  const { relayUrl, from } = parts.mail;
  const watching = [
    handleJob(watchBalanceJob, { concurrency: 4 }, ({ ownerId }) => watchBalance(parts, ownerId)),
    handleJob(watchBalancesJob, { concurrency: 1 }, (_, { signal }) => watchBalances(parts, signal)),
  ];
  if (relayUrl === null) return watching;
  /** Undefined for a customer who does not want such mails, or has no verified address. */
  const addressTo = async (ownerId: string, kind: MailKind, id: string): Promise<Envelope | undefined> => {
    const to = await findMailAddress(parts.db, ownerId, kind);
    return to === undefined
      ? undefined
      : { to, from, id, unsubscribeUrl: unsubscribeLink(parts, { ownerId, kind }) };
  };
  /** Ends the job if the mailbox of the customer is gone: retries would not help, and an operator could do nothing. */
  const send = (mail: SendMailOptions, ownerId: string, signal: AbortSignal): Promise<void> =>
    sendMail(relayUrl, mail, signal).catch((error: unknown) => {
      if (!(error instanceof NoSuchMailbox)) throw error;
      parts.logger.info({ user_id: ownerId }, 'a notice was not sent: the mailbox of the customer is gone');
    });
  return [
    ...watching,
    handleJob(mailBalanceNewsJob, { concurrency: 2 }, async ({ ownerId, ...news }, { jobId, signal }) => {
      const envelope = await addressTo(ownerId, 'balance', jobId);
      if (envelope) await send(balanceMail(news, parts.publicUrl, envelope), ownerId, signal);
    }),
    handleJob(collectCompletedListsJob, { concurrency: 1 }, () => collectCompletedLists(parts)),
    handleJob(mailCompletedListsJob, { concurrency: 2 }, async (completed, { jobId, signal }) => {
      const envelope = await addressTo(completed.ownerId, 'lists', jobId);
      const found = await findLists(parts.db, completed);
      if (!envelope || found.length === 0) return;
      await send(completionMail(found, parts.publicUrl, envelope), completed.ownerId, signal);
    }),
  ];
}

/** Takes the lists and enqueues their mails in one transaction, so that each is mailed once. */
export function collectCompletedLists({ db, clock, queue }: NoticesParts): Promise<void> {
  const now = clock.now();
  const since = new Date(now.getTime() - ageMaxMs);
  return db.transaction().execute(async (tx) => {
    const taken = [
      ...(await emailLists.takeCompleted(tx, since, now)).map((place) => ({
        kind: 'emails' as const,
        ...place,
      })),
      ...(await peopleLists.takeCompleted(tx, since, now)).map((place) => ({
        kind: 'people' as const,
        ...place,
      })),
    ];
    const mails = [...Map.groupBy(taken, ({ ownerId }) => ownerId)].map(([ownerId, owned]) => ({
      payload: { ownerId, lists: owned.map(({ kind, listId }) => ({ kind, listId })) },
    }));
    await queue.enqueueMany(tx, mailCompletedListsJob, mails);
  });
}

/** The lists that are still there. */
async function findLists(db: Db, { ownerId, lists: wanted }: CompletedLists): Promise<CompleteList[]> {
  const found: CompleteList[] = [];
  for (const kind of ['emails', 'people'] as const) {
    const ids = wanted.filter((list) => list.kind === kind).map(({ listId }) => listId);
    const names = await lists[kind].findNames(db, ownerId, ids);
    found.push(...[...names].map(([id, name]) => ({ kind, id, name })));
  }
  return found;
}
