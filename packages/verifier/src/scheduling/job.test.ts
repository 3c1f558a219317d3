import { describe, expect, it } from 'vitest';
import { buildJob, RecordingClient } from '../testing/jobs.ts';
import { copyOf, isLong, localPartOf, MailDomain, recall, renewWitness } from './job.ts';

const tenMinutesMs = 600_000;

describe('a witness', () => {
  const witness = { mailbox: 'jane@a.test', askedAt: 1_000 };

  it('counts for ten minutes', () => {
    expect(recall(witness, 1_000 + tenMinutesMs - 1)).toBe('jane@a.test');
    expect(recall(witness, 1_000 + tenMinutesMs)).toBeUndefined();
    expect(recall(undefined, 1_000)).toBeUndefined();
  });

  it('is replaced when it is too old, and only by a name that every host takes', () => {
    const john = buildJob('john@a.test');
    const later = 1_000 + tenMinutesMs;
    expect(renewWitness(witness, john, 2_000)).toBe(witness);
    expect(renewWitness(witness, john, later)).toEqual({ mailbox: 'john@a.test', askedAt: later });
    expect(renewWitness(undefined, john, 5)).toEqual({ mailbox: 'john@a.test', askedAt: 5 });
    const inUtf8 = buildJob('jürgen@a.test', undefined, undefined, { needsUtf8: true });
    expect(renewWitness(witness, inUtf8, later)).toBe(witness);
  });
});

it('a new domain has no traits, no pools and no evidence yet', () => {
  expect(new MailDomain('a.test')).toMatchObject({
    name: 'a.test',
    isDisposable: false,
    isFreeProvider: false,
    isOrdinary: false,
    pools: [],
    dnsStage: { stage: 'dns' },
  });
});

describe('a job', () => {
  it('needs a route first, and asks for the local part of its mailbox', () => {
    expect(buildJob('jane@a.test')).toMatchObject({ isRouted: false, local: 'jane' });
  });

  it('begins with the deferrals that its caller counted', () => {
    expect(buildJob('jane@a.test', new RecordingClient({ deferralCount: 3 })).deferralCount).toBe(3);
  });

  it('remembers every failure, in order', () => {
    const job = buildJob('jane@a.test');
    job.addFailure('connection_lost', { stage: 'connect' });
    job.addFailure('blocked', { stage: 'rcpt' });
    expect(job.failures).toEqual([
      { reason: 'connection_lost', stage: { stage: 'connect' } },
      { reason: 'blocked', stage: { stage: 'rcpt' } },
    ]);
  });

  it('forgets its answer when it is asked again, and counts that', () => {
    const job = buildJob('jane@a.test');
    job.isRouted = true;
    job.answer = { meaning: 'accepted', reason: 'mailbox_accepted', rule: '' };
    job.evidence = [];
    job.repeat();
    expect(job).toMatchObject({ isRouted: false, answer: undefined, evidence: undefined, repeatCount: 1 });
  });
});

it.each([
  ['jane@a.test', 'jane'],
  ['"jane@home"@a.test', '"jane@home"'],
])('the local part of %s is %s', (mailbox, local) => {
  expect(localPartOf(mailbox)).toBe(local);
});

it('a transaction is long from eight recipients on', () => {
  const ofSize = (size: number) => ({ askedAt: 0, size, openCount: 0 });
  expect([isLong(undefined), isLong(ofSize(7)), isLong(ofSize(8))]).toEqual([false, false, true]);
});

it.each(['jane.doe@a.test', 'jürgen@a.test'])('a copy of the name %s is the same name', (name) => {
  expect(copyOf(name)).toBe(name);
});
