import { describe, expect, it } from 'vitest';
import { createMemoryFactStore } from '../../fact-store.ts';
import { classifyReply, parseWrittenReply, type ReplyClass } from '../../judgement/classify-reply.ts';
import type { SessionOwner, SessionTarget } from '../../smtp/session-types.ts';
import { FakeSession } from '../../testing/fake-session.ts';
import { buildJob } from '../../testing/jobs.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { Agenda } from '../jobs/agenda.ts';
import { type Job, MailDomain } from '../jobs/job.ts';
import { RefusalControl } from './refusal-control.ts';

function read(reply: string): ReplyClass {
  const { code, text } = parseWrittenReply(reply) ?? { code: 0, text: '' };
  return classifyReply(code, text);
}

/** A domain whose host answers `postmaster` and every witness as `says` does; not at all if that is empty. */
function openControl(says: (mailbox: string) => string, facts = createMemoryFactStore()) {
  const clock = new ManualClock();
  const host = { says };
  const asked: string[] = [];
  const questions: Job[] = [];
  const log: string[] = [];
  const control: RefusalControl = new RefusalControl({
    clock,
    agenda: new Agenda(clock),
    facts,
    onProbed: (job) => log.push(`${job.local} ${control.knowledgeOf(job, job.answer as ReplyClass)}`),
    settle: (job, reason) => log.push(`${job.local} ${reason}`),
    tryAgain: () => {},
  });
  const pool = {
    name: 'mx',
    acceptedAt: 0,
    hasRoomForControl: () => true,
    add(job: Job) {
      asked.push(job.local);
      questions.push(job);
      job.connection = connection;
      if (host.says(job.mailbox) === '') return;
      control.probe.onAnswer(job, read(host.says(job.mailbox)), { stage: 'control' });
    },
  };
  const domain = new MailDomain('example.com');
  const connection = new FakeSession({} as SessionTarget, {} as SessionOwner<Job>);
  /** What we know of a refusal in these words, after a control if it needs one. */
  const refuse = (reply: string, name = 'jane', hostRank = 0) => {
    const job = Object.assign(buildJob(`${name}@example.com`, undefined, domain), { hostRank });
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
  return { clock, host, pool, domain, facts, control, asked, questions, log, refuse, accept };
}

const unknownUser = '550 5.1.1 User unknown';
const dayMs = 86_400_000;

describe('an ambiguous refusal', () => {
  it.each([
    ['550 Rejected', '554 5.7.1 Client host [1.2.3.4] blocked using zen.spamhaus.org'],
    ['550 5.1.0 Address rejected', '550 5.1.8 Sender address rejected: Domain not found'],
    ['550 5.1.0 Address rejected', '252 Cannot verify'],
    ['550 Rejected', '550 5.1.0 Address rejected'],
  ])('%s, and postmaster %s: unprovable', (reply, control) => {
    expect(openControl(() => control).refuse(reply)).toBe('unprovable');
  });

  it.each(['250 Ok', unknownUser, '552 5.2.2 Mailbox full'])('is confirmed by postmaster %s', (control) => {
    const { refuse, asked } = openControl(() => control);
    expect(refuse('550 Rejected')).toBe('confirmed');
    expect(refuse('550 Rejected', 'joe')).toBe('confirmed');
    expect(asked).toEqual(['postmaster']);
  });

  it('is refuted by a postmaster that is refused in the same words', () => {
    const { refuse, asked } = openControl(() => '550 Rejected');
    expect(refuse('550 Rejected')).toBe('refuted');
    expect(refuse('550 Rejected', 'joe')).toBe('refuted');
    expect(asked).toEqual(['postmaster']);
  });

  it('clear words need no such control', () => {
    expect(openControl(() => '550 5.7.1 Not from outside').refuse(unknownUser)).toBe('confirmed');
  });

  it('of a backup host needs a control there, although one bore out the same words of the first host', () => {
    const { host, refuse } = openControl(() => '250 Ok');
    expect(refuse('550 Rejected')).toBe('confirmed');
    host.says = () => '550 Rejected';
    expect(refuse('550 Rejected', 'joe', 1)).toBe('refuted');
  });
});

describe('a refusal in clear words', () => {
  it('is refuted by a postmaster that is refused in the same words', () => {
    const { refuse, asked } = openControl(() => unknownUser);
    expect(refuse(unknownUser)).toBe('refuted');
    expect(asked).toEqual(['postmaster']);
  });

  it('needs no control for a day after its domain accepted a mailbox', () => {
    const { clock, refuse, accept, asked } = openControl(() => unknownUser);
    accept('jane');
    clock.advance(dayMs - 1);
    expect(refuse(unknownUser, 'bob')).toBe('confirmed');
    expect(asked).toEqual([]);
    clock.advance(1);
    expect(refuse(unknownUser, 'joe')).toBe('refuted');
    expect(asked).toEqual(['postmaster']);
  });

  it('of a backup host needs a control there, although the first host accepted a mailbox', () => {
    const { clock, pool, refuse, accept, asked } = openControl(() => unknownUser);
    accept('jane');
    // The backup host has accepted nobody.
    pool.acceptedAt = 0;
    clock.advance(3_600_000);
    expect(refuse(unknownUser, 'bob', 1)).toBe('refuted');
    expect(asked).toEqual(['postmaster']);
  });

  it('needs no control for a day after its host accepted a mailbox of another domain', () => {
    const { clock, pool, refuse, asked } = openControl(() => unknownUser);
    pool.acceptedAt = clock.now();
    expect(refuse(unknownUser)).toBe('confirmed');
    clock.advance(dayMs);
    expect(refuse(unknownUser)).toBe('refuted');
    expect(asked).toEqual(['postmaster']);
  });

  it("needs no control at Microsoft's edge, whatever its words are", () => {
    const { domain, refuse, asked } = openControl(() => unknownUser);
    const hosts = ['a-b.mail.protection.outlook.com'];
    domain.route = { kind: 'hosts', hosts, isImplicit: false, expiresAt: Infinity };
    const reply = '550 5.4.1 Recipient address rejected: Access denied.';
    expect(refuse(reply)).toBe('confirmed');
    expect(asked).toEqual([]);
  });
});

describe('the answer of postmaster', () => {
  it('counts for a day', () => {
    const { clock, refuse, asked } = openControl(() => unknownUser);
    refuse(unknownUser);
    clock.advance(dayMs - 1);
    expect(refuse(unknownUser)).toBe('refuted');
    expect(asked).toHaveLength(1);
    clock.advance(1);
    refuse(unknownUser);
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['with the words of a refusal', unknownUser, { words: expect.stringContaining('user unknown') }],
    ['without words when it is accepted', '250 Ok', {}],
  ])('is saved %s', async (_, reply, words) => {
    const { clock, facts, refuse } = openControl(() => reply);
    refuse(unknownUser);
    expect(await facts.findControl('example.com')).toEqual({ askedAt: clock.now(), ...words });
  });

  it('is not saved when a backup host gave it', async () => {
    const { facts, domain, refuse } = openControl(() => unknownUser);
    expect(refuse(unknownUser, 'jane', 1)).toBe('refuted');
    expect(domain.hostAt(1).control).toBeDefined();
    expect(await facts.findControl('example.com')).toBeUndefined();
  });

  it('of a backup host says nothing about the first host', () => {
    const { host, refuse, asked } = openControl(() => '250 Ok');
    expect(refuse(unknownUser, 'jane', 1)).toBe('confirmed');
    host.says = () => unknownUser;
    expect(refuse(unknownUser, 'jane', 0)).toBe('refuted');
    expect(asked).toEqual(['postmaster', 'postmaster']);
  });

  it.each(['451 4.7.1 Greylisted, try again later', '450 4.7.0 slow down'])(
    'is still due after %s',
    (reply) => {
      const { clock, host, domain, refuse, asked, log } = openControl(() => reply);
      expect(refuse(unknownUser)).toBe('unproved');
      expect(domain.hostAt(0).control).toBeUndefined();
      host.says = () => '250 Ok';
      clock.advance(5_000);
      expect(asked).toEqual(['postmaster', 'postmaster']);
      expect(log).toEqual(['jane confirmed']);
    },
  );

  it('is missing when the host fails before it gives one', async () => {
    const { control, facts, domain, questions, refuse, log } = openControl(() => '');
    refuse(unknownUser);
    const [question] = questions as [Job];
    expect(question.probe?.stage).toBe('control');
    const failed: ReplyClass = { meaning: 'no_answer', reason: 'connection_lost', rule: 'host-failed' };
    control.probe.onAnswer(question, failed, { stage: 'control' });
    expect(log).toEqual(['jane refusal_unproved']);
    expect(domain.hostAt(0).control).toBeUndefined();
    expect(await facts.findControl('example.com')).toBeUndefined();
  });

  it('is no longer needed when a mailbox is accepted meanwhile', () => {
    const { refuse, accept, log } = openControl(() => '');
    refuse('550 Rejected');
    expect(log).toEqual([]);
    accept('john');
    expect(log).toEqual(['jane confirmed']);
  });
});

describe('the answer of a mailbox that was accepted before', () => {
  it.each([
    ['250 Ok', 'confirmed', []],
    ['452 4.2.2 Mailbox full', 'confirmed', []],
    [unknownUser, 'changed', []],
    ['554 5.7.1 Client host blocked using zen.spamhaus.org', 'unproved', ['bob refusal_unproved']],
  ])('%s: an ambiguous refusal is %s', (reply, knowledge, settled) => {
    const { refuse, accept, asked, log } = openControl(() => reply);
    accept('jane');
    expect(refuse('550 Rejected', 'bob')).toBe(knowledge);
    expect(asked).toEqual(['jane']);
    expect(log.filter((line) => line.endsWith('refusal_unproved'))).toEqual(settled);
  });
});

describe('the acceptance of a mailbox', () => {
  it('is saved for its host, once an hour', () => {
    const saved: [string, number][] = [];
    const saveAcceptance = (host: string, at: number) => void saved.push([host, at]);
    const { clock, accept } = openControl(() => '250 Ok', { ...createMemoryFactStore(), saveAcceptance });
    const start = clock.now();
    accept('jane');
    clock.advance(3_599_999);
    accept('jane');
    clock.advance(3_600_000);
    accept('jane');
    expect(saved).toEqual([
      ['mx', start],
      ['mx', start + 7_199_999],
    ]);
  });
});

it('remembers at most 16 kinds of ambiguous refusals', () => {
  const { domain, refuse } = openControl(() => '250 Ok');
  for (let index = 0; index < 15; index++) domain.hostAt(0).confirmedKinds.set(`kind ${index}`, 0);
  refuse('550 Rejected');
  expect(domain.hostAt(0).confirmedKinds.size).toBe(16);
  refuse('550 5.1.0 Address rejected');
  expect(domain.hostAt(0).confirmedKinds.size).toBe(1);
});

describe('a host that begins to refuse everyone', () => {
  it('in ambiguous words that no control bore out: postmaster is asked again', () => {
    const { host, refuse, asked } = openControl(() => '250 Ok');
    expect(refuse(unknownUser)).toBe('confirmed');
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
    expect(refuse(unknownUser)).toBe('confirmed');
    host.says = () => unknownUser;
    const found = ['a', 'b', 'c', 'd', 'e'].map((name) => refuse(unknownUser, name));
    expect(found.indexOf('changed')).toBeLessThanOrEqual(3);
    expect(found.at(-1)).toBe('changed');
  });
});

it('a postmaster that is still accepted confirms long streaks, with few questions', () => {
  const { refuse, asked } = openControl(() => '250 Ok');
  for (let index = 0; index < 100; index++) expect(refuse(unknownUser, `user${index}`)).toBe('confirmed');
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
    const accept = (name: string) =>
      control.onAccepted(buildJob(`${name}@example.com`, undefined, domain), pool);
    accept('living');
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
    return { clock, questions, log, newConnection, accept, refuse, answer };
  }

  it('a control on a later connection confirms all refusals before it', () => {
    const { clock, questions, log, refuse, answer } = openSingles();
    refuse('a');
    refuse('b');
    expect(questions.map(({ local }) => local)).toEqual(['living']);
    clock.advance(10);
    answer('250 Ok');
    expect(log).toEqual(['a confirmed', 'b confirmed']);
  });

  it('a refusal that arrives after the control was asked needs another one', () => {
    const { clock, questions, log, refuse, answer } = openSingles();
    refuse('a');
    clock.advance(10);
    refuse('b');
    answer('250 Ok', { agoMs: 5 });
    expect(log).toEqual(['a confirmed']);
    expect(questions).toHaveLength(2);
    clock.advance(10);
    answer('250 Ok');
    expect(log).toEqual(['a confirmed', 'b confirmed']);
  });

  it('mailboxes that are accepted meanwhile do not use up the controls of a refusal', () => {
    const { clock, questions, log, accept, refuse, answer } = openSingles();
    refuse('a');
    for (let count = 1; count <= 5; count++) accept(`other${count}`);
    expect(log).toEqual([]);
    expect(questions).toHaveLength(1);
    clock.advance(10);
    answer('250 Ok');
    expect(log).toEqual(['a confirmed']);
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
