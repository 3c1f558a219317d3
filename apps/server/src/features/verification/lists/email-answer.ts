import {
  ADDRESS_FLAGS,
  type CheckOutcome,
  type EmailSummary,
  type ListEmail,
  type ListEmailDetail,
  VERDICTS,
} from '@assay/contract';
import { detailFlagsAnswer, evidenceAnswer, flagsAnswer, hasFlag, reasonAnswer } from '../../engine/index.ts';
import { outcomesBeside } from '../../outcomes/index.ts';
import type { EmailRow, findListEmail } from '../rows/emails.store.ts';
import type { findKinds } from '../rows/kinds.store.ts';
import { sandboxMark } from '../sandbox.ts';
import type { EmailListRow } from './email-lists.ts';

type EmailDetailRow = NonNullable<Awaited<ReturnType<typeof findListEmail>>>;

/** The outcomes by row number. */
type Beside = ReadonlyMap<number, CheckOutcome[]>;

export const emailAnswer = (
  list: Pick<EmailListRow, 'is_sandbox'>,
  email: EmailRow,
  beside: Beside,
): ListEmail => ({
  id: String(email.row_number),
  email_address: email.email_address,
  email_address_status: email.verdict,
  reason: reasonAnswer(email.reason),
  flags: flagsAnswer(email.flags),
  mx_provider: email.mx_provider,
  suggestion: email.suggestion,
  ...outcomesBeside(beside.get(email.row_number)),
  ...sandboxMark(list.is_sandbox),
});

export const emailDetailAnswer = (
  list: Pick<EmailListRow, 'is_sandbox'>,
  email: EmailDetailRow,
  beside: Beside,
): ListEmailDetail => ({
  ...emailAnswer(list, email, beside),
  flags: flagsAnswer(email.flags) ?? detailFlagsAnswer(email.detail),
  suggestion: email.suggestion ?? email.detail?.suggestion ?? null,
  evidence: evidenceAnswer(email.detail),
});

/** The reasons of VALID first, and within a verdict the most frequent. */
export function summaryAnswer({ reasons, mxProviders }: Awaited<ReturnType<typeof findKinds>>): EmailSummary {
  const byReason = Map.groupBy(reasons, ({ reason }) => reason);
  const sum = (kinds: typeof reasons) => kinds.reduce((count, { emails }) => count + emails, 0);
  return {
    reasons: [...byReason.values()]
      .flatMap((kinds) =>
        kinds.slice(0, 1).map(({ verdict, reason }) => ({ verdict, reason, emails: sum(kinds) })),
      )
      .sort(
        (one, other) =>
          VERDICTS.indexOf(one.verdict) - VERDICTS.indexOf(other.verdict) || other.emails - one.emails,
      )
      .map(({ verdict, reason, emails }) => ({
        reason: reasonAnswer(reason),
        status: verdict,
        emails,
      })),
    flags: ADDRESS_FLAGS.map((flag) => ({
      flag,
      emails: sum(reasons.filter(({ flags }) => hasFlag(flags, flag))),
    })),
    mx_providers: mxProviders,
  };
}
