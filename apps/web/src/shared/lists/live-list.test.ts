import { expect, it } from 'vitest';
import { percentDone } from '../format/percent-done.ts';
import { laterOf } from './live-list.ts';

const list = {
  id: 'l1',
  name: 'March',
  status: 'PENDING' as 'PENDING' | 'COMPLETE',
  progress: 12.1,
  run_state: 'running' as const,
  waiting: [],
  preparation: null,
  charged_credits: 12,
  creation_date: '2026-11-15T00:00:00Z',
  valid: 12,
};
const withCounts = (before: typeof list, { email_metrics }: { email_metrics?: { valid_emails: number } }) =>
  email_metrics ? { ...before, valid: email_metrics.valid_emails } : before;
const counts = { valid_emails: 40, invalid_emails: 0, catch_all_emails: 0, unknown_emails: 0 };
const later = (loaded: typeof list, progress: number) =>
  laterOf(loaded, { list_id: 'l1', progress, email_metrics: counts }, withCounts);

it('§2 List detail: percent is the higher of the server progress and the live progress, rounded up', () => {
  expect(percentDone(later(list, 40.2))).toBe(41);
  expect(percentDone(later({ ...list, progress: 55.01 }, 40))).toBe(56);
  expect(percentDone(laterOf(list, undefined, withCounts))).toBe(13);
});

it('counts come with the progress that they belong to', () => {
  expect(later(list, 40)).toMatchObject({ progress: 40, valid: 40 });
  expect(later({ ...list, progress: 55, valid: 54 }, 40)).toMatchObject({ progress: 55, valid: 54 });
  expect(laterOf(list, { list_id: 'l1', progress: 40 }, withCounts)).toMatchObject({
    progress: 40,
    valid: 12,
  });
});

it('a complete list stays as it was loaded', () => {
  const complete = { ...list, status: 'COMPLETE' as const, progress: 100, valid: 99 };
  expect(later(complete, 100)).toBe(complete);
});
