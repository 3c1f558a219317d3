import { type EmailMetrics, type ValidationList, VERDICTS, type Verdict } from '@assay/contract';
import { isCharged } from '../../engine/index.ts';
import { type ListRow, type ListWaits, listsOf } from '../../lists/index.ts';
import { countStopped } from '../metrics.store.ts';
import type { EmailFilter } from '../rows/emails.store.ts';
import { sandboxMark } from '../sandbox.ts';
import {
  finishListJob,
  prepareListJob,
  resumeListJob,
  verifyLongListJob,
  verifyShortListJob,
} from '../verification.jobs.ts';

const columns = [
  'total_emails',
  'valid_emails',
  'invalid_emails',
  'catch_all_emails',
  'unknown_emails',
  'duplicated_emails',
  'malformed_emails',
  'missing_emails',
  'suppressed_emails',
  'safe_emails',
] as const;

export type EmailListRow = ListRow<(typeof columns)[number]>;

const counters = {
  VALID: 'valid_emails',
  INVALID: 'invalid_emails',
  CATCH_ALL: 'catch_all_emails',
  UNKNOWN: 'unknown_emails',
} as const;

const chargedVerdicts = VERDICTS.filter(isCharged);

/** Lists of email addresses, each of which gets a verdict. */
export const emailLists = listsOf<EmailListRow, Verdict>({
  name: 'emails',
  columns,
  total: 'total_emails',
  counters,
  chargedOutcomesOf: () => chargedVerdicts,
  work: 'list',
  events: { progress: 'list_verification_complete', complete: 'list_complete' },
  metricsOf: (list) => ({ email_metrics: emailMetricsOf(list) }),
  removal: 'later',
  enqueueRows: (queue, tx, place, { status, run_number: run }) =>
    status === 'PREPARING'
      ? queue.enqueue(tx, prepareListJob, { ...place, run })
      : queue.enqueue(tx, resumeListJob, { ...place, run, fromChunk: 0 }),
  queuePrefix: 'validations.',
  rowQueues: [verifyShortListJob.name, verifyLongListJob.name],
  finishJob: finishListJob,
  onStop: async (tx, { ownerId }, { is_sandbox, created_at: askedAt }, rowsLeft) => {
    if (!is_sandbox) await countStopped(tx, { ownerId, askedAt }, rowsLeft);
  },
});

const emailMetricsOf = (list: EmailListRow): EmailMetrics => ({
  valid_emails: list.valid_emails,
  invalid_emails: list.invalid_emails,
  catch_all_emails: list.catch_all_emails,
  unknown_emails: list.unknown_emails,
});

/** Without `waits` for a list of which no row can wait for a mail host. */
export const listAnswer = (list: EmailListRow, waits?: ListWaits): ValidationList => ({
  ...emailLists.answers.answerOf(list, waits),
  total_emails: list.total_emails,
  email_metrics: emailMetricsOf(list),
  validation_email_metrics: { completed: emailLists.answers.countsOf(list).completed },
  excluded_emails: exclusionsOf(list),
  safe_emails: list.safe_emails,
  ...sandboxMark(list.is_sandbox),
});

/** How many addresses match, if the counters of the list know it: all of them, or those of some verdicts. */
export function totalOf(list: EmailListRow, { verdicts, ...others }: EmailFilter): number | undefined {
  if (Object.values(others).some((filter) => filter !== undefined && filter !== '')) return undefined;
  if (!verdicts) return list.total_emails;
  return [...new Set(verdicts)].reduce((sum, verdict) => sum + list[counters[verdict]], 0);
}

/** Null for lists that are older than these counts. */
function exclusionsOf(list: EmailListRow): ValidationList['excluded_emails'] {
  const { duplicated_emails: duplicated, malformed_emails: malformed, missing_emails: no_email } = list;
  if (duplicated === null || malformed === null || no_email === null) return null;
  const suppressed = list.suppressed_emails ?? 0;
  return { duplicated, non_billable: malformed + no_email + suppressed, no_email, suppressed };
}
