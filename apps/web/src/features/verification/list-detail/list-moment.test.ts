import type { EmailSummary, ValidationList } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { listAtMoment } from './list-moment.ts';

const list = {
  status: 'PENDING',
  progress: 51.8,
  total_emails: 1_000,
  charged_credits: 400,
  email_metrics: { valid_emails: 500, invalid_emails: 18, catch_all_emails: 0, unknown_emails: 0 },
  validation_email_metrics: { completed: 518 },
} as ValidationList;

const reason = (code: string, status: 'VALID' | 'INVALID' | 'UNKNOWN', emails: number) => ({
  reason: { code, text: code },
  status,
  emails,
});
const summary: EmailSummary = {
  reasons: [
    reason('mailbox_accepted', 'VALID', 90),
    reason('no_such_mailbox', 'INVALID', 5),
    reason('no_such_domain', 'INVALID', 1),
    reason('greylisted', 'UNKNOWN', 4),
  ],
  flags: [],
  mx_providers: [],
};

describe('the numbers of a running list', () => {
  it('are of the moment of its summary, and §2 the percentage is the newest that is known', () => {
    expect(listAtMoment({ ...list, progress: 5 }, summary).progress).toBe(10);
    expect(listAtMoment(list, summary)).toMatchObject({
      progress: 51.8,
      email_metrics: { valid_emails: 90, invalid_emails: 6, catch_all_emails: 0, unknown_emails: 4 },
      validation_email_metrics: { completed: 100 },
      charged_credits: 96,
    });
  });

  it('cost nothing in the sandbox', () => {
    expect(listAtMoment({ ...list, sandbox: true }, summary).charged_credits).toBe(0);
  });

  it('are those of the list until its summary is there, and once it is complete', () => {
    expect(listAtMoment(list, undefined)).toBe(list);
    const complete = { ...list, status: 'COMPLETE' as const };
    expect(listAtMoment(complete, summary)).toBe(complete);
  });
});
