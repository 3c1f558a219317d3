import type { ListEmail, ListEmailDetail } from '@assay/contract';
import { reasonAnswer } from '../../engine/index.ts';
import { sandboxMark } from '../sandbox.ts';
import type { findListEmail, findListEmails } from './lists.store.ts';

type EmailRow = Awaited<ReturnType<typeof findListEmails>>['rows'][number];
type EmailDetailRow = NonNullable<Awaited<ReturnType<typeof findListEmail>>>;

export const emailAnswer = (email: EmailRow): ListEmail => ({
  id: String(email.row_number),
  email_address: email.email_address ?? '',
  email_address_status: email.verdict,
  reason: reasonAnswer(email.reason),
  ...sandboxMark(email.is_sandbox),
});

export const emailDetailAnswer = (email: EmailDetailRow): ListEmailDetail => ({
  ...emailAnswer(email),
  flags: email.detail?.flags ?? null,
  suggestion: email.detail?.suggestion ?? null,
  evidence: [...(email.detail?.evidence ?? [])],
});
