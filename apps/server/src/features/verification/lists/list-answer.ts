import type { ListEmail, ListEmailDetail, ValidationList } from '@assay/contract';
import { reasonAnswer, sandboxMark } from '../../engine/index.ts';
import { progressOf } from '../../lists/index.ts';
import type { findListEmail, findListEmails, findLists, ListRow } from './lists.store.ts';

type ListedList = Awaited<ReturnType<typeof findLists>>['rows'][number];

/** A list as the wire carries it. */
export function listAnswer(list: ListedList): ValidationList {
  const completed = list.valid_emails + list.invalid_emails + list.catch_all_emails + list.unknown_emails;
  return {
    id: list.id,
    name: list.name,
    status: list.status === 'COMPLETE' ? 'COMPLETE' : 'PENDING',
    progress: progressOf(completed, list.total_emails),
    creation_date: list.created_at.toISOString(),
    total_emails: list.total_emails,
    email_metrics: {
      valid_emails: list.valid_emails,
      invalid_emails: list.invalid_emails,
      catch_all_emails: list.catch_all_emails,
      unknown_emails: list.unknown_emails,
    },
    validation_email_metrics: { completed },
    excluded_emails: exclusionsOf(list),
    ...sandboxMark(list.is_sandbox),
  };
}

/** Nothing for lists from before it was counted. */
function exclusionsOf(list: ListedList): ValidationList['excluded_emails'] {
  const { duplicated_emails: duplicated, malformed_emails: malformed, missing_emails: no_email } = list;
  if (duplicated === null || malformed === null || no_email === null) return null;
  return { duplicated, non_billable: malformed + no_email, no_email };
}

type OfList = Pick<ListRow, 'is_sandbox'>;
type EmailRow = Awaited<ReturnType<typeof findListEmails>>['rows'][number];
type EmailDetailRow = NonNullable<Awaited<ReturnType<typeof findListEmail>>>;

export const emailAnswer = (email: EmailRow, { is_sandbox }: OfList): ListEmail => ({
  id: String(email.row_number),
  email_address: email.email_address ?? '',
  email_address_status: email.verdict,
  reason: reasonAnswer(email.reason),
  ...sandboxMark(is_sandbox),
});

export const emailDetailAnswer = (email: EmailDetailRow, list: OfList): ListEmailDetail => ({
  ...emailAnswer(email, list),
  flags: email.detail?.flags ?? null,
  suggestion: email.detail?.suggestion ?? null,
  evidence: [...(email.detail?.evidence ?? [])],
});
