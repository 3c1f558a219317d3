import { describe, expect, it } from 'vitest';
import type { ReplyClass } from '../../judgement/classify-reply.ts';
import type { SessionEnding } from '../../smtp/session-types.ts';
import type { JobSession } from '../jobs/job.ts';
import { type LossRemedy, readFailure, remedyFor, stageOfReply } from './session-failure.ts';

const sessionLike = (isReady: boolean) =>
  ({
    isReady,
    startedAt: 1_000,
    askedAt: 2_000,
    readAt: 2_300,
    ip: '192.0.2.1',
    target: { host: 'mx.example.com' },
  }) as JobSession;

const where = { host: 'mx.example.com', ip: '192.0.2.1' };

describe('readFailure', () => {
  it.each<[SessionEnding, string, string, string]>([
    [
      { kind: 'forbidden' },
      'mail_host_forbidden',
      'connect',
      'only private or reserved addresses, not dialled',
    ],
    [{ kind: 'refused' }, 'connection_refused', 'connect', 'connection refused'],
    [{ kind: 'connect_timeout' }, 'connection_timeout', 'connect', 'no connection in time'],
    [{ kind: 'lost' }, 'connection_lost', 'connect', 'connection closed by the host'],
    [{ kind: 'protocol' }, 'protocol_error', 'connect', 'not SMTP'],
    [{ kind: 'tls' }, 'tls_failed', 'connect', 'encryption failed'],
    [{ kind: 'tls_demanded' }, 'tls_failed', 'connect', 'encryption demanded'],
    [{ kind: 'timeout', stage: 'greeting' }, 'reply_timeout', 'greeting', 'no answer in time'],
    [{ kind: 'timeout', stage: 'quit' }, 'reply_timeout', 'connect', 'no answer in time'],
    [{ kind: 'quit' }, 'connection_lost', 'connect', 'ended by us'],
    [{ kind: 'aborted' }, 'connection_lost', 'connect', 'cancelled'],
  ])('%o before the host is ready', (ending, reason, stage, note) => {
    expect(readFailure(sessionLike(false), ending, 5_000)).toEqual({
      reason,
      stage: { stage, ...where, ms: 4_000, note, reason },
      farewell: undefined,
    });
  });

  it('is about RCPT, and counts from the question, when the host was ready', () => {
    expect(readFailure(sessionLike(true), { kind: 'lost' }, 5_000).stage).toEqual({
      stage: 'rcpt',
      ...where,
      ms: 3_000,
      note: 'connection closed by the host',
      reason: 'connection_lost',
    });
  });

  it.each([
    ['greeting', 554, 'no such user', 'sender_refused', 'greeting-5xx'],
    ['hello', 554, 'no such user', 'sender_refused', 'hello-5xx'],
    ['tls', 454, 'no', 'temporary_failure', 'hello-4xx'],
    ['sender', 554, 'no such user', 'sender_refused', 'sender-5xx'],
    ['rcpt', 421, 'bye', 'throttled', 'closing'],
  ] as const)('the last words at %s: %i %s means %s', (stage, code, text, reason, rule) => {
    const failure = readFailure(sessionLike(true), { kind: 'reply', stage, code, text }, 5_000);
    expect(failure).toMatchObject({ reason, stage: { stage, rule, reason, reply: `${code} ${text}` } });
    expect(failure.farewell).toMatchObject({ reason, rule });
  });
});

it('the last words of a host are read without the mailbox that they repeat', () => {
  const text = '4.3.2 <BLOCKED by spamhaus@a.test>: closing';
  const ending: SessionEnding = { kind: 'reply', stage: 'rcpt', code: 421, text };
  const plain = { ...ending, text: '4.3.2 <jane@a.test>: closing' };
  const found = readFailure(sessionLike(true), ending, 5_000, '"blocked by spamhaus"@a.test');
  expect(found.farewell).toEqual(readFailure(sessionLike(true), plain, 5_000).farewell);
  expect(found.stage.reply).toBe(`421 ${text}`);
});

it('stageOfReply names host, reply, time and rule, and our names if the reply holds them', () => {
  const found: ReplyClass = { meaning: 'no_answer', reason: 'refused_unexplained', rule: 'other-5xx' };
  const reply = { code: 550, text: 'no' };
  const ourNames = ['probe.example.com'];
  expect(stageOfReply(sessionLike(true), 'rcpt', { ...reply, found: { ...found, ourNames } })).toMatchObject({
    ourNames,
  });
  expect(stageOfReply(sessionLike(true), 'rcpt', { ...reply, found })).toEqual({
    stage: 'rcpt',
    ...where,
    reply: '550 no',
    ms: 300,
    rule: 'other-5xx',
  });
});

describe('remedyFor', () => {
  const saying = (meaning: ReplyClass['meaning']): ReplyClass => ({ meaning, reason: 'blocked', rule: '' });
  const sessionOf = (answeredCount: number, answeredSinceIdle: number, options: object = {}) =>
    ({
      answeredCount,
      answeredSinceIdle,
      hasPipelining: false,
      target: { pipelining: 'unproved' },
      ...options,
    }) as JobSession;
  const pipelined = { hasPipelining: true };
  const proved = { hasPipelining: true, target: { pipelining: 'proved' } };
  const nothing = sessionOf(0, 0);
  const some = sessionOf(5, 5);
  const stale = sessionOf(5, 0);

  it.each<[string, SessionEnding['kind'], ReplyClass | undefined, JobSession, LossRemedy]>([
    ['an idle connection that closed as we spoke', 'lost', undefined, stale, 'ask_again'],
    ['silence on an idle connection', 'timeout', undefined, stale, 'suspect'],
    ['a demand for encryption', 'tls_demanded', undefined, some, 'ask_again'],
    ['failed encryption', 'tls', undefined, some, 'host_is_down'],
    ['no SMTP', 'protocol', undefined, nothing, 'host_is_down'],
    ['a final refusal of us', 'reply', saying('no_answer'), some, 'host_is_down'],
    ['an end after some answers', 'lost', undefined, some, 'limit_connection'],
    ['a wish to slow down after some answers', 'reply', saying('slow_down'), some, 'limit_connection'],
    ['a wish to slow down before any answer', 'reply', saying('slow_down'), nothing, 'pause'],
    ['an end before any answer', 'lost', undefined, nothing, 'suspect'],
    ['silence before any answer', 'timeout', undefined, nothing, 'suspect'],
  ])('%s', (_, ending, farewell, session, remedy) => {
    expect(remedyFor(ending, farewell, session, 2)).toBe(remedy);
  });

  it.each<[string, SessionEnding['kind'], JobSession, number, LossRemedy]>([
    ['silence at the first question', 'timeout', sessionOf(0, 0, pipelined), 1, 'one_command_at_a_time'],
    ['no SMTP at the first question', 'protocol', sessionOf(0, 0, pipelined), 1, 'one_command_at_a_time'],
    ['silence at one of several', 'timeout', sessionOf(0, 0, proved), 2, 'one_command_at_a_time'],
    ['silence after some answers', 'timeout', sessionOf(5, 5, proved), 2, 'one_command_at_a_time'],
    ['silence at the only one left', 'timeout', sessionOf(5, 5, pipelined), 1, 'limit_connection'],
    ['silence of a proved host', 'timeout', sessionOf(0, 0, proved), 1, 'suspect'],
    ['an end after some answers', 'lost', sessionOf(5, 5, pipelined), 2, 'limit_connection'],
  ])('pipelined: %s', (_, ending, session, unansweredCount, remedy) => {
    expect(remedyFor(ending, undefined, session, unansweredCount)).toBe(remedy);
  });

  it('pipelined: the last words of a host do not blame pipelining', () => {
    const session = sessionOf(0, 0, pipelined);
    expect(remedyFor('reply', saying('slow_down'), session, 2)).toBe('pause');
  });
});
