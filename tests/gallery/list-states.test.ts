import {
  ADDRESS_FLAGS,
  byFlag,
  type EmailSummary,
  type ListEmail,
  type ValidationList,
  VERDICT_REASONS,
  VERDICTS,
} from '@assay/contract';
import type { Page } from 'playwright-core';
import { it } from 'vitest';
import { startList, untilComplete } from '../e2e/support/customer.ts';
import { busyCustomer, people, refuse } from './customers.ts';
import { takePictures } from './pictures.ts';

const longName = 'قائمة-a-name-as-long-as-lists-of-earlier-versions-may-have-them';

const fullList: Partial<ValidationList> = {
  ...{ name: longName, file_name: `${'customers-of-every-shop-'.repeat(6)}2026.xlsx` },
  ...{ total_emails: 3_104_306, safe_emails: 1_904_007, charged_credits: 3_101_106 },
  ...{ validation_email_metrics: { completed: 3_104_306 } },
  email_metrics: {
    ...{ valid_emails: 2_101_000, invalid_emails: 1_000_000 },
    ...{ catch_all_emails: 106, unknown_emails: 3_200 },
  },
  excluded_emails: { non_billable: 20_104, duplicated: 104_077, no_email: 12_003, suppressed: 1_202 },
};

const fullSummary: EmailSummary = {
  reasons: VERDICT_REASONS.map((code, at) => ({
    reason: { code, text: `The words of ${code}.` },
    status: VERDICTS[at % VERDICTS.length] ?? 'UNKNOWN',
    emails: 104_077 * (at + 1),
  })),
  flags: ADDRESS_FLAGS.map((flag, at) => ({ flag, emails: 204_077 * (at + 1) })),
  mx_providers: ['Google', 'Microsoft 365', `${'mail.'.repeat(20)}example.com`].map((mx_provider) => ({
    mx_provider,
    emails: 804_077,
  })),
};

const fullRows: ListEmail[] = Array.from({ length: 50 }, (_, at) => {
  const code = VERDICT_REASONS[(at * 7) % VERDICT_REASONS.length] ?? 'not_checked';
  return {
    id: String(at),
    email_address: `${'a-very-long-local-part.'.repeat(at % 3)}jane@${'sub.'.repeat(at % 9)}exists.test`,
    email_address_status: VERDICTS[at % VERDICTS.length] ?? null,
    reason: { code, text: `The words of ${code}.` },
    flags: byFlag((flag) => (at + ADDRESS_FLAGS.indexOf(flag)) % 3 === 0),
    mx_provider: at % 2 ? 'Microsoft 365' : `${'mail.'.repeat(at % 9)}example.com`,
    suggestion: at % 5 ? null : 'jane@exists.test',
    ...(at % 4 === 0 && {
      outcomes: [
        {
          kind: 'hard',
          at: '2026-11-18T09:00:00Z',
          reason: { code: 'no_such_mailbox', text: 'no such mailbox' },
          words: '',
        },
      ],
    }),
  };
});

/** Answers about every list are made of these parts. */
async function answer(page: Page, list: object, more: { summary?: object; emails?: object } = {}) {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.route(/\/api\/validations\/lists\/[^/]+$/, (route) => route.fulfill({ json: list }));
  if (more.summary)
    await page.route('**/emails/summary', (route) => route.fulfill({ json: more.summary ?? {} }));
  if (more.emails) await page.route('**/emails?*', (route) => route.fulfill({ json: more.emails ?? {} }));
}

it('a list that is very full, runs, has no match, failed or is not loaded; and a grid of long names', async () => {
  const { api, open } = await busyCustomer();
  const { id } = await startList(api, 'autumn.csv', people);
  const list = await untilComplete(api, id);
  const path = `/email-verification/bulk/${id}`;
  const page = await open('/version.json');
  const emails = { results: fullRows, total: 3_104_306, total_is_exact: true };

  await answer(page, { ...list, ...fullList }, { summary: fullSummary, emails });
  await page.goto(`${path}?page_size=50`);
  await page.getByRole('region', { name: 'Results' }).waitFor();
  await page.getByText('of 3,104,306').waitFor();
  await takePictures(page, 'list-full');

  const running: Partial<ValidationList> = {
    ...{ status: 'PENDING', run_state: 'running', progress: 22.4, completion_date: null },
    ...{ total_emails: 1_000_000, validation_email_metrics: { completed: 224_000 } },
    email_metrics: {
      ...{ valid_emails: 150_000, invalid_emails: 60_000 },
      ...{ catch_all_emails: 10_000, unknown_emails: 4_000 },
    },
  };
  const counts = [150_000, 60_000, 10_000, 4_000];
  const runningSummary: EmailSummary = {
    ...fullSummary,
    reasons: VERDICTS.map((status, at) => ({
      reason: { code: VERDICT_REASONS[at * 4] ?? 'not_checked', text: 'Words.' },
      ...{ status, emails: counts[at] ?? 0 },
    })),
  };
  await answer(page, { ...list, ...running }, { summary: runningSummary, emails });
  await page.goto(path);
  await page.getByText('This list is still being processed').waitFor();
  await page.getByText('23%').first().waitFor();
  await takePictures(page, 'list-half-done');

  const failed: Partial<ValidationList> = {
    ...{ status: 'PENDING', run_state: 'failed', progress: 0, completion_date: null, charged_credits: 0 },
    preparation: {
      ...{ copied_rows: 0, total_rows: 8 },
      problem: {
        code: 'insufficient_credits',
        message:
          'Your balance does not cover this: it needs 1,001 credits, and you have 1,000. Buy credits, then send the file again.',
      },
    },
  };
  await answer(page, { ...list, ...failed });
  await page.goto(path);
  await page.getByText('This list could not be prepared').waitFor();
  await takePictures(page, 'list-not-prepared');

  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(`${path}?search=nobody-has-this`);
  await page.getByText('No emails match').waitFor();
  await takePictures(page, 'list-no-match');

  await refuse(page, 'validations/**');
  await page.goto(path);
  await page.getByText('could not be loaded').first().waitFor();
  await takePictures(page, 'list-failed');

  const states = ['COMPLETE', 'running', 'paused', 'waiting', 'finishing', 'failed', 'preparing'] as const;
  const results = Array.from({ length: 10 }, (_, at) => {
    const state = states[at % states.length] ?? 'COMPLETE';
    return {
      ...{ ...list, ...fullList, id: `${id.slice(0, -2)}${10 + at}` },
      name: at % 2 ? longName : `List ${at}`,
      ...(state !== 'COMPLETE' && { status: 'PENDING', run_state: state, progress: 22.4 }),
      ...(state === 'preparing' && {
        preparation: { copied_rows: 12_345, total_rows: 3_104_306, problem: null },
      }),
    };
  });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.route('**/api/validations/lists?*', (route) =>
    route.fulfill({ json: { results, total: 104_077 } }),
  );
  await page.goto('/email-verification/bulk');
  await page.getByText('of 104,077').waitFor();
  await page.getByRole('checkbox', { name: 'Select List 0' }).check();
  await takePictures(page, 'bulk-full');
});
