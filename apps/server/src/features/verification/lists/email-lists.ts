import { type EmailMetrics, type ValidationList, VERDICTS, type Verdict } from '@assay/contract';
import type { Selectable } from 'kysely';
import type { Tables } from '../../../platform/database/tables.ts';
import { isCharged } from '../../engine/index.ts';
import { Lists } from '../../lists/index.ts';
import { countStopped } from '../metrics.store.ts';
import { sandboxMark } from '../sandbox.ts';

export const emailListColumns = [
  'id',
  'name',
  'status',
  'is_sandbox',
  'created_at',
  'total_emails',
  'valid_emails',
  'invalid_emails',
  'catch_all_emails',
  'unknown_emails',
  'duplicated_emails',
  'malformed_emails',
  'missing_emails',
] as const;

export type EmailListRow = Pick<Selectable<Tables['validation_lists']>, (typeof emailListColumns)[number]>;

/** Lists of email addresses, each of which gets a verdict. */
export const emailLists = new Lists<EmailListRow, Verdict>({
  table: 'validation_lists',
  columns: emailListColumns,
  total: 'total_emails',
  counters: {
    VALID: 'valid_emails',
    INVALID: 'invalid_emails',
    CATCH_ALL: 'catch_all_emails',
    UNKNOWN: 'unknown_emails',
  },
  chargedOutcomes: VERDICTS.filter(isCharged),
  work: 'list',
  events: { progress: 'list_verification_complete', complete: 'list_complete' },
  metricsOf: (list) => ({ email_metrics: emailMetricsOf(list) }),
  removal: 'later',
  onStop: (tx, { ownerId }, list, rowsLeft) =>
    countStopped(tx, { ownerId, askedAt: list.created_at }, rowsLeft),
});

const emailMetricsOf = (list: EmailListRow): EmailMetrics => ({
  valid_emails: list.valid_emails,
  invalid_emails: list.invalid_emails,
  catch_all_emails: list.catch_all_emails,
  unknown_emails: list.unknown_emails,
});

export const listAnswer = (list: EmailListRow): ValidationList => ({
  ...emailLists.answerOf(list),
  total_emails: list.total_emails,
  email_metrics: emailMetricsOf(list),
  validation_email_metrics: { completed: emailLists.countsOf(list).completed },
  excluded_emails: exclusionsOf(list),
  ...sandboxMark(list.is_sandbox),
});

/** Null for lists that are older than these counts. */
function exclusionsOf(list: EmailListRow): ValidationList['excluded_emails'] {
  const { duplicated_emails: duplicated, malformed_emails: malformed, missing_emails: no_email } = list;
  if (duplicated === null || malformed === null || no_email === null) return null;
  return { duplicated, non_billable: malformed + no_email, no_email };
}
