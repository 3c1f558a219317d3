import { describe, expect, it } from 'vitest';
import { rulesVersion } from '../../judgement/rule-versions.ts';
import { buildJob } from '../../testing/jobs.ts';
import { MailDomain } from '../jobs/job.ts';
import { buildSyntaxVerdict, buildTryAgain, buildVerdict } from './build-finding.ts';

const noFlags = { disposable: false, role: false, free_provider: false, plus_tag: false };
const evidence = [{ stage: 'dns' as const }];

describe('findings', () => {
  it('a verdict has the item, the result of the reason and the evidence', () => {
    expect(buildVerdict(buildJob('jane@example.com'), 'no_such_mailbox', evidence)).toStrictEqual({
      kind: 'verdict',
      item: 'jane@example.com',
      email: 'jane@example.com',
      result: 'INVALID',
      reason: 'no_such_mailbox',
      flags: noFlags,
      evidence,
      basis: { rules: rulesVersion, rule: 'mail-route' },
    });
  });

  it('a verdict suggests the domain that was probably meant', () => {
    const job = buildJob('jane@gmial.com');
    job.domain.suggestion = 'gmail.com';
    expect(buildVerdict(job, 'no_such_domain', [])).toMatchObject({ didYouMean: 'jane@gmail.com' });
  });

  it('a later try has the time and the attempts so far, and no suggestion', () => {
    const job = buildJob('jane@example.com');
    job.deferralCount = 3;
    job.domain.suggestion = 'example.org';
    expect(buildTryAgain(job, 'greylisted', 5_000, evidence)).toStrictEqual({
      kind: 'try_again',
      afterMs: 5_000,
      deferralCount: 3,
      item: 'jane@example.com',
      email: 'jane@example.com',
      result: 'UNKNOWN',
      reason: 'greylisted',
      flags: noFlags,
      evidence,
      basis: { rules: rulesVersion, rule: 'mail-route' },
    });
  });

  it('a finding names the provider of the mail host', () => {
    const job = buildJob('jane@example.com');
    job.domain.mxProvider = 'google';
    expect(buildVerdict(job, 'mailbox_accepted', [])).toMatchObject({ mxProvider: 'google' });
    expect(buildTryAgain(job, 'greylisted', 5_000, [])).toMatchObject({ mxProvider: 'google' });
  });

  it('findings with the same flags share one object, which no caller can change', () => {
    const [jane, john] = ['jane@example.com', 'john@example.org'].map(
      (email) => buildVerdict(buildJob(email), 'mailbox_accepted', []).flags,
    );
    expect(john).toBe(jane);
    expect(Object.isFrozen(jane)).toBe(true);
  });

  it('bad syntax is INVALID with the reason as evidence', () => {
    const address = { ok: false, email: 'jane', reason: 'syntax_missing_part' } as const;
    expect(buildSyntaxVerdict({ row: 7 }, address)).toEqual({
      kind: 'verdict',
      item: { row: 7 },
      email: 'jane',
      result: 'INVALID',
      reason: 'syntax_missing_part',
      flags: noFlags,
      evidence: [{ stage: 'syntax', note: 'syntax_missing_part' }],
      basis: { rules: rulesVersion, rule: 'syntax' },
    });
  });

  it.each([
    ['jane@example.com', {}, {}],
    ['jane@example.com', { isDisposable: true }, { disposable: true }],
    ['jane@example.com', { isFreeProvider: true }, { free_provider: true }],
    ['info@example.com', {}, { role: true }],
    ['jane+tag@example.com', {}, { plus_tag: true }],
    [
      'info+tag@example.com',
      { isDisposable: true, isFreeProvider: true },
      { disposable: true, role: true, free_provider: true, plus_tag: true },
    ],
  ])('%s of a domain with %o has the flags %o', (email, traits, flags) => {
    const job = buildJob(email, undefined, Object.assign(new MailDomain('example.com'), traits));
    expect(buildVerdict(job, 'mailbox_accepted', []).flags).toEqual({ ...noFlags, ...flags });
  });
});
