import { describe, expect, it } from 'vitest';
import { quoteReply } from './evidence.ts';
import { judgeAgain, type PastFinding } from './judge-again.ts';

const email = 'jane@example.com';
const dns = { stage: 'dns' };
const asked = (reply: string, rule = 'any') => ({ stage: 'rcpt', reply, rule });
const past = (reason: string, basis: object, ...stages: PastFinding['evidence'][number][]): PastFinding => ({
  email,
  reason,
  basis: { rules: 1, rule: 'any', ...basis },
  evidence: [dns, ...stages],
});
const reasonOf = (finding: PastFinding) => judgeAgain(finding)?.reason;

describe('evidence that does not suffice', () => {
  it.each<[string, PastFinding]>([
    ['is older than the basis', { ...past('no_such_mailbox', {}, asked('550 no such user')), basis: null }],
    ['holds the beginning of a reply', past('blocked', {}, asked(quoteReply(550, 'x'.repeat(1_001))))],
    [
      'holds the beginning of what a host said last',
      {
        ...past(
          'blocked',
          {},
          { stage: 'greeting', reason: 'blocked', rule: 'any', reply: quoteReply(554, 'x'.repeat(1_001)) },
        ),
      },
    ],
    ['has a reply that is none', past('blocked', {}, asked('nonsense'))],
    ['has a reason that we do not know', past('future', {}, asked('550 no such user'))],
    ['was never asked about, and its syntax is good today', past('syntax_local_part', { rule: 'syntax' })],
  ])('that %s is not judged', (_, finding) => {
    expect(judgeAgain(finding)).toBeUndefined();
  });
});

describe('a reply', () => {
  it.each<[string, string, object, string, string]>([
    ['confirmed', 'no_such_mailbox', { control: 'confirmed' }, '550 5.1.1 User unknown', 'no_such_mailbox'],
    ['refuted', 'refuses_everyone', { control: 'refuted' }, '550 5.1.1 User unknown', 'refuses_everyone'],
    ['without a proof of catch-all', 'mailbox_accepted', { proof: 'no' }, '250 Ok', 'mailbox_accepted'],
    ['accepted by a host that takes any name', 'catch_all', { proof: 'yes' }, '250 Ok', 'catch_all'],
    [
      'of a host that changed its answers',
      'answers_change',
      { proof: 'changed' },
      '250 Ok',
      'answers_change',
    ],
    ['that puts us off', 'greylisted', {}, '450 4.2.0 Greylisted', 'greylisted'],
  ])('%s means what it meant', (_, reason, basis, reply, expected) => {
    expect(reasonOf(past(reason, basis, asked(reply)))).toBe(expected);
  });

  it('that a rule of today reads as about us is UNKNOWN, though it was a confirmed refusal', () => {
    const finding = past(
      'no_such_mailbox',
      { control: 'confirmed' },
      asked('550 blocked using zen.spamhaus.org'),
    );
    expect(judgeAgain(finding)).toEqual({ reason: 'blocked', rule: 'named-blocklist' });
  });

  it('that a rule of today reads as a refusal is unproved, because nobody asked for a control', () => {
    expect(reasonOf(past('refused_unexplained', {}, asked('550 5.1.1 User unknown')))).toBe(
      'refusal_unproved',
    );
  });

  it('that a rule of today finds ambiguous needs another control than it had', () => {
    const reply = asked('550 5.4.1 Recipient address rejected: Access denied');
    expect(reasonOf(past('no_such_mailbox', { control: 'confirmed' }, reply))).toBe('refusal_unproved');
    const ambiguous = { control: 'confirmed', isAmbiguous: true };
    expect(reasonOf(past('no_such_mailbox', ambiguous, reply))).toBe('no_such_mailbox');
  });

  it('that names us and not the recipient is about us, if the finding says which names are ours', () => {
    const reply = asked('550 probe.example.com does not exist');
    expect(reasonOf(past('sender_refused', {}, { ...reply, ourNames: ['probe.example.com'] }))).toBe(
      'sender_refused',
    );
    expect(reasonOf(past('sender_refused', {}, reply))).toBe('refusal_unproved');
  });

  it('that repeats the mailbox is read without it', () => {
    const finding = past(
      'no_such_mailbox',
      { control: 'confirmed' },
      asked('550 5.1.1 <blocked.spamhaus@example.com> User unknown'),
    );
    expect(reasonOf({ ...finding, email: 'blocked.spamhaus@example.com' })).toBe('no_such_mailbox');
  });

  it('to the sender is read as such', () => {
    const reply = { stage: 'sender', reply: '450 no such user', rule: 'sender-4xx' };
    expect(judgeAgain(past('temporary_failure', {}, reply))).toEqual({
      reason: 'temporary_failure',
      rule: 'sender-4xx',
    });
  });
});

describe('an answer to a question of our own', () => {
  const accepted = asked('250 Ok', 'accepted');
  const proof = (reply: string) => ({
    stage: 'proof',
    reply,
    rule: 'no-such-mailbox-by-wording',
    reason: 'no_such_mailbox' as const,
  });

  it('that means the same proves the same', () => {
    const finding = past('mailbox_accepted', { proof: 'no' }, accepted, proof('550 no such user'));
    expect(reasonOf(finding)).toBe('mailbox_accepted');
  });

  it('that means something else today leaves the address unproved', () => {
    const finding = past(
      'mailbox_accepted',
      { proof: 'no' },
      accepted,
      proof('550 blocked using zen.spamhaus.org'),
    );
    expect(reasonOf(finding)).toBe('catch_all_unproved');
  });

  it('that was no reply is not read', () => {
    const stage = { stage: 'proof', reason: 'connection_lost' as const, reply: '220 mx.example.com ESMTP' };
    expect(reasonOf(past('catch_all_unproved', { proof: 'unproved' }, accepted, stage))).toBe(
      'catch_all_unproved',
    );
  });
});

describe('hosts that failed', () => {
  const silent = { stage: 'connect', reason: 'connection_timeout' as const };
  const farewell = (reply: string, reason: 'sender_refused' | 'blocked' | 'throttled') => ({
    stage: 'greeting',
    reply,
    rule: 'greeting-5xx',
    reason,
  });

  it('are judged together: the one that tells most decides', () => {
    const finding = past('sender_refused', {}, silent, farewell('554 go away', 'sender_refused'));
    expect(judgeAgain(finding)).toEqual({ reason: 'sender_refused', rule: 'greeting-5xx' });
  });

  it('are read again', () => {
    const finding = past(
      'sender_refused',
      {},
      silent,
      farewell('554 blocked using zen.spamhaus.org', 'sender_refused'),
    );
    expect(judgeAgain(finding)).toEqual({ reason: 'blocked', rule: 'named-blocklist' });
  });

  it('beside one that was not asked never make an address INVALID', () => {
    const noAddress = { stage: 'dns', reason: 'no_mail_host' as const };
    expect(reasonOf(past('connection_refused', {}, noAddress))).toBe('connection_refused');
    expect(reasonOf(past('no_mail_host', {}, noAddress))).toBe('no_mail_host');
  });

  it('and the last of which held us off are judged by that one', () => {
    const finding = past('throttled', {}, farewell('554 blocked using zen.spamhaus.org', 'blocked'), {
      stage: 'rcpt',
      reply: '421 4.7.0 too many errors',
      rule: 'too-many-bad-recipients',
      reason: 'throttled',
    });
    expect(reasonOf(finding)).toBe('throttled');
  });
});

it('an address without a reply keeps its reason', () => {
  expect(judgeAgain(past('no_such_domain', { rule: 'mail-route' }))).toEqual({
    reason: 'no_such_domain',
    rule: 'mail-route',
  });
});

it('an address whose syntax is refused today is refused', () => {
  expect(judgeAgain({ ...past('no_such_mailbox', {}), email: 'jane' })).toEqual({
    reason: 'syntax_missing_part',
    rule: 'syntax',
  });
});
