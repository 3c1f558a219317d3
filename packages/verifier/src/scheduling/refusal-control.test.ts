import { describe, expect, it } from 'vitest';
import { createMemoryFactStore } from '../fact-store.ts';
import { classifyReply, parseWrittenReply, type ReplyClass } from '../judgement/classify-reply.ts';
import type { SessionOwner, SessionTarget } from '../smtp/session-types.ts';
import { FakeSession } from '../testing/fake-session.ts';
import { buildJob } from '../testing/jobs.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { Agenda } from './agenda.ts';
import { type Job, MailDomain } from './job.ts';
import { RefusalControl } from './refusal-control.ts';

function read(reply: string): ReplyClass {
  const { code, text } = parseWrittenReply(reply) ?? { code: 0, text: '' };
  return classifyReply(code, text);
}

/** A domain whose host answers `postmaster` and every witness as `says` does. */
function openControl(says: (mailbox: string) => string) {
  const clock = new ManualClock();
  const host = { says };
  const asked: string[] = [];
  const control: RefusalControl = new RefusalControl({
    clock,
    agenda: new Agenda(clock),
    facts: createMemoryFactStore(),
    onProbed: () => {},
    settle: () => {},
    tryAgain: () => {},
  });
  const pool = {
    name: 'mx',
    acceptedAt: 0,
    hasRoomForControl: () => true,
    add(job: Job) {
      asked.push(job.local);
      job.connection = connection;
      control.probe.onAnswer(job, read(host.says(job.mailbox)), { stage: 'control' });
    },
  };
  const domain = new MailDomain('example.com');
  const connection = new FakeSession({} as SessionTarget, {} as SessionOwner<Job>);
  /** What we know of a refusal in these words, after a control if it needs one. */
  const refuse = (reply: string, name = 'jane') => {
    const job = buildJob(`${name}@example.com`, undefined, domain);
    const answer = read(reply);
    const streak = domain.streaks.add(connection, 'refused', clock.now());
    streak.isTransactionOver = true;
    Object.assign(job, { answer, answeredBy: pool, connection, streak });
    if (control.knowledgeOf(job, answer) === 'unproved') control.control(job);
    return control.knowledgeOf(job, answer);
  };
  const accept = (name: string) => {
    domain.streaks.add(connection, 'accepted', clock.now());
    control.onAccepted(buildJob(`${name}@example.com`, undefined, domain), pool);
  };
  return { clock, host, asked, refuse, accept };
}

const unknownUser = '550 5.1.1 User unknown';

describe('an ambiguous refusal', () => {
  it.each([
    ['550 Rejected', '554 5.7.1 Client host [1.2.3.4] blocked using zen.spamhaus.org'],
    ['550 5.1.0 Address rejected', '550 5.1.8 Sender address rejected: Domain not found'],
    ['550 5.1.0 Address rejected', '252 Cannot verify'],
    ['550 Rejected', '550 5.1.0 Address rejected'],
  ])('%s, and postmaster %s: unprovable', (reply, control) => {
    expect(openControl(() => control).refuse(reply)).toBe('unprovable');
  });

  it.each(['250 Ok', unknownUser, '552 5.2.2 Mailbox full'])('is borne out by postmaster %s', (control) => {
    const { refuse, asked } = openControl(() => control);
    expect(refuse('550 Rejected')).toBe('borne_out');
    expect(refuse('550 Rejected', 'joe')).toBe('borne_out');
    expect(asked).toEqual(['postmaster']);
  });

  it('clear words need no such control', () => {
    expect(openControl(() => '550 5.7.1 Not from outside').refuse(unknownUser)).toBe('borne_out');
  });
});

describe('a host that begins to refuse everyone', () => {
  it('in ambiguous words that no control bore out: postmaster is asked again', () => {
    const { host, refuse, asked } = openControl(() => '250 Ok');
    expect(refuse(unknownUser)).toBe('borne_out');
    host.says = () => '550 Rejected';
    expect(refuse('550 Rejected')).toBe('changed');
    expect(asked).toHaveLength(2);
  });

  it('in ambiguous words after an acceptance: the accepted name is asked again', () => {
    const { refuse, accept, asked } = openControl(() => '550 Rejected');
    accept('jane');
    expect(refuse('550 Rejected', 'bob')).toBe('changed');
    expect(asked).toEqual(['jane']);
  });

  it('in clear words: postmaster is asked again after some refusals in a row', () => {
    const { host, refuse } = openControl(() => '250 Ok');
    expect(refuse(unknownUser)).toBe('borne_out');
    host.says = () => unknownUser;
    const found = ['a', 'b', 'c', 'd', 'e'].map((name) => refuse(unknownUser, name));
    expect(found.indexOf('changed')).toBeLessThanOrEqual(3);
    expect(found.at(-1)).toBe('changed');
  });
});

it('a postmaster that is still accepted bears out long streaks, with few questions', () => {
  const { refuse, asked } = openControl(() => '250 Ok');
  for (let index = 0; index < 100; index++) expect(refuse(unknownUser, `user${index}`)).toBe('borne_out');
  expect(asked.length).toBeLessThanOrEqual(14);
});

describe('at a host that takes one recipient per connection', () => {
  /** A control whose questions wait until the test answers them, each on a connection of its own. */
  function openSingles() {
    const clock = new ManualClock();
    const questions: Job[] = [];
    const log: string[] = [];
    const newConnection = (askedCount = 1) =>
      Object.assign(new FakeSession({} as SessionTarget, {} as SessionOwner<Job>), { askedCount });
    const control: RefusalControl = new RefusalControl({
      clock,
      agenda: new Agenda(clock),
      facts: createMemoryFactStore(),
      onProbed: (job) => {
        const knowledge = control.knowledgeOf(job, job.answer as ReplyClass);
        if (knowledge === 'unproved') control.control(job);
        else log.push(`${job.local} ${knowledge}`);
      },
      settle: (job, reason) => log.push(`${job.local} ${reason}`),
      tryAgain: () => {},
    });
    const pool = {
      name: 'mx',
      acceptedAt: 0,
      hasRoomForControl: () => false,
      add: (job: Job) => void questions.push(job),
    };
    const domain = new MailDomain('example.com');
    control.onAccepted(buildJob('living@example.com', undefined, domain), pool);
    /** The host refuses a name on a new connection. */
    const refuse = (name: string, connection = newConnection()) => {
      const streak = domain.streaks.add(connection, 'refused', clock.now());
      streak.isTransactionOver = true;
      const job = buildJob(`${name}@example.com`, undefined, domain);
      Object.assign(job, { answer: read(unknownUser), answeredBy: pool, connection, streak });
      control.control(job);
    };
    /** The host answers the latest control, which was asked so long ago. */
    const answer = (reply: string, { agoMs = 0, connection = newConnection() } = {}) => {
      const question = questions.at(-1) as Job;
      const transaction = { askedAt: clock.now() - agoMs, size: 1, openCount: 0 };
      Object.assign(question, { connection, transaction });
      control.probe.onAnswer(question, read(reply), { stage: 'control' });
    };
    return { clock, questions, log, newConnection, refuse, answer };
  }

  it('a control on a later connection bears out all refusals before it', () => {
    const { clock, questions, log, refuse, answer } = openSingles();
    refuse('a');
    refuse('b');
    expect(questions.map(({ local }) => local)).toEqual(['living']);
    clock.advance(10);
    answer('250 Ok');
    expect(log).toEqual(['a borne_out', 'b borne_out']);
  });

  it('a refusal that arrives after the control was asked needs another one', () => {
    const { clock, questions, log, refuse, answer } = openSingles();
    refuse('a');
    clock.advance(10);
    refuse('b');
    answer('250 Ok', { agoMs: 5 });
    expect(log).toEqual(['a borne_out']);
    expect(questions).toHaveLength(2);
    clock.advance(10);
    answer('250 Ok');
    expect(log).toEqual(['a borne_out', 'b borne_out']);
  });

  it('the refusal of the control shows that the host changes its answers', () => {
    const { clock, log, refuse, answer } = openSingles();
    refuse('a');
    clock.advance(10);
    answer(unknownUser);
    expect(log).toEqual(['a changed']);
  });

  it('a control after other questions on its connection proves nothing, and we do not ask forever', () => {
    const { clock, questions, log, newConnection, refuse, answer } = openSingles();
    refuse('a');
    for (let count = 1; count <= 4; count++) {
      expect(questions).toHaveLength(count);
      expect(log).toEqual([]);
      clock.advance(10);
      answer('250 Ok', { connection: newConnection(2) });
    }
    expect(questions).toHaveLength(4);
    expect(log).toEqual(['a refusal_unproved']);
  });

  it('a refusal after other questions on its connection needs a control on that connection', () => {
    const { questions, newConnection, refuse } = openSingles();
    const connection = newConnection(2);
    refuse('a', connection);
    expect(questions.map(({ streak }) => streak?.connection)).toEqual([connection]);
  });
});
