import { describe, expect, it } from 'vitest';
import { classifyReply, type ReplyClass } from './classify-reply.ts';
import {
  isOfLivingMailbox,
  isRefusedAsMailbox,
  judgeAccepted,
  judgeFailures,
  judgeProof,
  judgeProofs,
  judgeRefused,
} from './judge.ts';
import type { Reason } from './reasons.ts';

describe('judgeAccepted', () => {
  it.each([
    ['yes', 'catch_all'],
    ['no', 'mailbox_accepted'],
    ['unproved', 'catch_all_unproved'],
    ['changed', 'answers_change'],
  ] as const)('an accepted address of a domain that is catch-all %s: %s', (catchAll, reason) => {
    expect(judgeAccepted(catchAll)).toBe(reason);
  });
});

describe('judgeProof', () => {
  it.each<[ReplyClass['meaning'], Reason, ReturnType<typeof judgeProof>]>([
    ['accepted', 'mailbox_accepted', true],
    ['refused', 'no_such_mailbox', false],
    ['refused', 'mailbox_disabled', false],
    ['no_answer', 'refused_unexplained', 'doubtful'],
    ['no_answer', 'blocked', undefined],
    ['no_answer', 'host_will_not_say', undefined],
    ['no_answer', 'mailbox_full', undefined],
    ['no_answer', 'mailbox_busy', undefined],
    ['ask_later', 'greylisted', undefined],
    ['slow_down', 'throttled', undefined],
  ])('%s, %s: catch-all is %s', (meaning, reason, isCatchAll) => {
    expect(judgeProof({ meaning, reason, rule: 'any' })).toBe(isCatchAll);
  });

  it('an ambiguous refusal is a doubtful no', () => {
    const rejected: ReplyClass = {
      meaning: 'refused',
      reason: 'no_such_mailbox',
      rule: '',
      isAmbiguous: true,
    };
    expect(judgeProof(rejected)).toBe('doubtful');
  });
});

describe('judgeProofs', () => {
  const yes: ReplyClass = { meaning: 'accepted', reason: 'mailbox_accepted', rule: '' };
  const no: ReplyClass = { meaning: 'refused', reason: 'no_such_mailbox', rule: '' };
  const blocked: ReplyClass = { meaning: 'no_answer', reason: 'blocked', rule: '' };

  it.each([
    ['both accepted', [yes, yes], true],
    ['both refused', [no, no], false],
    ['one of each, in doubt', [no, yes], 'ask_another'],
    ['still in doubt', [no, yes, yes], 'ask_another'],
    ['one shape refused, three names of the other accepted', [no, yes, yes, yes], true],
    ['somebody has two of the names', [no, yes, yes, no], false],
    ['somebody has the plain name', [no, yes, no], false],
    ['one answer missing', [no, undefined], undefined],
    ['one answer about us', [no, blocked], undefined],
    ['one name, accepted, in doubt', [yes], 'ask_another'],
    ['one name, refused', [no], false],
  ])('%s', (_, answers, proved) => {
    expect(judgeProofs(answers, false)).toBe(proved);
  });

  const doubtful: ReplyClass = { meaning: 'no_answer', reason: 'refused_unexplained', rule: '' };

  it.each([
    ['both in doubt', [doubtful, doubtful], 'ask_real', false],
    ['one clear no is enough', [no, doubtful], false, false],
    ['a yes and a doubtful no', [yes, doubtful], 'ask_real', 'ask_another'],
    ['no further question while an answer is missing', [doubtful, undefined], undefined, undefined],
  ])('doubtful refusals, %s', (_, answers, before, afterRealWasAccepted) => {
    expect(judgeProofs(answers, false)).toBe(before);
    expect(judgeProofs(answers, true)).toBe(afterRealWasAccepted);
  });
});

describe('judgeRefused', () => {
  const refusal: ReplyClass = { meaning: 'refused', reason: 'mailbox_disabled', rule: '' };

  it.each([
    ['confirmed', 'mailbox_disabled'],
    ['refuted', 'refuses_everyone'],
    ['unproved', 'refusal_unproved'],
    ['unprovable', 'refusal_unproved'],
    ['changed', 'answers_change'],
  ] as const)('%s: %s', (knowledge, reason) => {
    expect(judgeRefused(refusal, knowledge)).toBe(reason);
  });
});

describe('judgeFailures', () => {
  const judge = (...reasons: Reason[]) => judgeFailures(reasons.map((reason) => ({ reason })));

  it.each(['no_mail_host', 'mailbox_name_not_supported'] as const)(
    '%s is not INVALID while hosts are left unasked',
    (reason) => {
      expect(judgeFailures([{ reason }], { hasUnaskedHosts: true })).toBe('connection_refused');
    },
  );

  it('the most telling reason wins, whatever the order of the hosts', () => {
    const mostTellingFirst: Reason[] = [
      'blocked',
      'throttled',
      'greylisted',
      'sender_refused',
      'temporary_failure',
      'tls_failed',
      'protocol_error',
      'reply_timeout',
      'connection_lost',
      'connection_timeout',
      'connection_refused',
      'mail_host_forbidden',
      'dns_timeout',
      'dns_failed',
      'mailbox_name_not_supported',
      'no_mail_host',
    ];
    for (const [index, reason] of mostTellingFirst.entries()) {
      const less = mostTellingFirst.slice(index + 1);
      expect(judge(reason, ...less)).toBe(reason);
      expect(judge(...less, reason)).toBe(reason);
    }
  });

  it('a reason outside the order counts when it is the only one', () => {
    expect(judge('mailbox_full', 'catch_all')).toBe('mailbox_full');
  });

  it('no host at all is no mail host', () => {
    expect(judge()).toBe('no_mail_host');
  });
});

describe('isOfLivingMailbox', () => {
  it.each<[Reason, boolean]>([
    ['mailbox_full', true],
    ['mailbox_busy', true],
    ['mailbox_restricted', true],
    ['no_such_mailbox', false],
    ['mailbox_disabled', false],
    ['blocked', false],
  ])('a mailbox that is refused as %s exists: %s', (reason, isLiving) => {
    expect(isOfLivingMailbox(reason)).toBe(isLiving);
  });
});

describe('isRefusedAsMailbox', () => {
  it.each<[number, string, boolean]>([
    [550, '5.1.1 User unknown', true],
    [552, '5.2.2 Mailbox full', true],
    [550, 'Rejected', false],
    [554, '5.7.1 Client host [1.2.3.4] blocked using zen.spamhaus.org', false],
    [252, 'Cannot verify', false],
  ])('postmaster gets %i %s: %s', (code, text, isAsMailbox) => {
    expect(isRefusedAsMailbox(classifyReply(code, text).words ?? '')).toBe(isAsMailbox);
  });

  it('false for words of a rule that no longer exists', () => {
    expect(isRefusedAsMailbox('550 5.1.1 forgotten-rule user unknown')).toBe(false);
  });
});
