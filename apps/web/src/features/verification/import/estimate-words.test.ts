import { describe, expect, it } from 'vitest';
import { emailEstimateWords } from './estimate-words.ts';
import { excludedGroups } from './excluded-groups.ts';

const estimate = {
  sampled: 100,
  total: 12_345,
  no_mail_host: 7,
  mail_host: 91,
  not_looked_up: 2,
  disposable: 3,
  role: 0,
  typo: 1,
  questions: [
    { provider: 'Google', emails: 9_000, questions: 9_400, refusals: 450 },
    { provider: null, emails: 2_234, questions: 2_500, refusals: 110 },
  ],
};

describe('the words of an estimate', () => {
  it('say what to expect, and what it cannot know', () => {
    expect(emailEstimateWords(estimate)).toEqual([
      'We looked at a sample of 100 emails without asking mail hosts.',
      '7 emails will be invalid: the domain takes no mail.',
      'Among them: 1 with a domain that looks mistyped, 3 disposable.',
      '2 emails could not be looked up in time.',
      'For the other 91 emails, only the mail hosts know which mailboxes exist.',
      'The whole list takes about 11,900 questions: 9,400 to Google and 2,500 to other mail hosts.',
      'Going by your last 30 days, about 560 mailboxes will not exist.',
    ]);
  });

  it('say nothing about refusals while the account has asked too little', () => {
    const questions = [{ provider: 'Yahoo', emails: 10, questions: 10, refusals: null }];
    const words = emailEstimateWords({ ...estimate, questions });
    expect(words.at(-1)).toBe('The whole list takes about 10 questions: 10 to Yahoo.');
  });

  it('speak of no sample when all emails were looked at', () => {
    const all = {
      ...estimate,
      sampled: 1,
      total: 1,
      no_mail_host: 0,
      mail_host: 1,
      not_looked_up: 0,
      disposable: 0,
      typo: 0,
      questions: [],
    };
    expect(emailEstimateWords(all)).toEqual([
      'We looked at 1 email without asking mail hosts.',
      'All domains that we could look up take mail.',
      'Only the mail hosts know which mailboxes exist.',
    ]);
  });
});

describe('excluded rows by reason', () => {
  const excluded = [
    { row: 3, email: 'Mail', reason: 'malformed' as const },
    { row: 5, email: 'a@b.test', reason: 'duplicated' as const },
    { row: 6, email: 'broken', reason: 'malformed' as const },
  ];
  const detected = {
    format: 'csv' as const,
    encoding: 'utf-8',
    delimiter: ',',
    email_column: 'Mail',
    email_column_number: 1,
    email_columns: ['Mail'],
    has_header_row: true,
    skipped_rows: 2,
    broken_quotes: { rows: 0, first: [] },
    rows: 9,
  };

  const exampleOf = (at: number) => ({ row: excluded[at]?.row, text: excluded[at]?.email });

  it('leave the header row out, and count what is not shown', () => {
    expect(
      excludedGroups({ excluded, detected }, { billable: 1, duplicated: 9, non_billable: 1 }, true),
    ).toEqual([
      { title: 'Duplicated', count: 9, examples: [exampleOf(1)] },
      { title: 'Not well-formed', count: 1, examples: [exampleOf(2)] },
      { title: 'Without an email', count: 0, examples: [] },
      { title: 'Suppressed', count: 0, examples: [] },
    ]);
  });

  it('include the first row where it is no header', () => {
    const [, malformed] = excludedGroups(
      { excluded, detected },
      { billable: 1, duplicated: 1, non_billable: 2 },
      false,
    );
    expect(malformed?.examples).toEqual([exampleOf(0), exampleOf(2)]);
  });
});
