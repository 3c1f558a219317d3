import type { EmailSummary, ValidationList, Verdict } from '@assay/contract';
import { VERDICTS } from '@assay/contract';

/**
 * A running list with the counts of its summary, so that the cards, the credits and the counts of the filters are all of one
 * moment. Events and answers about the list alone may be newer, and would disagree with the filters. Only the percentage is
 * the newest that is known: §2 demands the higher of the server's progress and the live one.
 */
export function listAtMoment(list: ValidationList, summary: EmailSummary | undefined): ValidationList {
  if (summary === undefined || list.status === 'COMPLETE') return list;
  const countOf = (verdict: Verdict) =>
    summary.reasons.reduce((sum, { status, emails }) => sum + (status === verdict ? emails : 0), 0);
  const [valid, invalid, catchAll, unknown] = VERDICTS.map(countOf) as [number, number, number, number];
  const completed = valid + invalid + catchAll + unknown;
  return {
    ...list,
    progress: Math.max(list.progress, (completed / Math.max(1, list.total_emails)) * 100),
    email_metrics: {
      valid_emails: valid,
      invalid_emails: invalid,
      catch_all_emails: catchAll,
      unknown_emails: unknown,
    },
    validation_email_metrics: { completed },
    charged_credits: list.sandbox ? 0 : completed - unknown,
  };
}
