import { describe, expect, it } from 'vitest';
import { buildJob, RecordingClient } from '../../testing/jobs.ts';
import { copyOf, isLong, type JobPlace, localPartOf, MailDomain, recall, renewWitness } from './job.ts';

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
      { reason: 'connection_lost', stage: { stage: 'connect', reason: 'connection_lost' } },
      { reason: 'blocked', stage: { stage: 'rcpt', reason: 'blocked' } },
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

describe('a host of a domain', () => {
  it('that changed its answers is not believed for an hour; other hosts are', () => {
    const domain = new MailDomain('a.test');
    expect(domain.hostAt(0).hasChanged(0)).toBe(false);
    domain.hostAt(0).noteChange(5);
    expect(domain.hostAt(0).hasChanged(3_600_004)).toBe(true);
    expect(domain.hostAt(1).hasChanged(3_600_004)).toBe(false);
    expect(domain.hostAt(0).hasChanged(3_600_005)).toBe(false);
  });

  it('that is a backup is forgotten with a new route, but not the addresses that wait for it', () => {
    const domain = new MailDomain('a.test');
    const [first, backup] = [domain.hostAt(0), domain.hostAt(1)];
    for (const host of [first, backup]) {
      host.catchAll = { isCatchAll: true, provedAt: 0 };
      host.control = { askedAt: 0 };
      host.acceptedAt = 0;
      host.soleControl = { askedAt: 0, answeredBy: {} as JobPlace };
      host.acceptedWitness = { mailbox: 'jane@a.test', askedAt: 0 };
      host.refusedWitness = { mailbox: 'bob@a.test', askedAt: 0 };
      host.confirmedKinds.set('550', 0);
      host.noteChange(0);
      host.proof.waiting.push(buildJob('jane@a.test'));
    }
    const forgotten = new MailDomain('a.test').hostAt(0);
    forgotten.proof.waiting.push(...backup.proof.waiting);
    domain.forgetBackupHosts();
    expect(domain.hostAt(1)).toBe(backup);
    expect(backup).toEqual(forgotten);
    expect(backup.hasChanged(0)).toBe(true);
    expect(first.catchAll).toBeDefined();
  });
});
