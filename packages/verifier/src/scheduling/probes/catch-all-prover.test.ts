import { describe, expect, it } from 'vitest';
import { type CatchAllFact, createMemoryFactStore, isFresh } from '../../fact-store.ts';
import type { ReplyClass } from '../../judgement/classify-reply.ts';
import type { Reason } from '../../judgement/reasons.ts';
import type { SessionOwner, SessionTarget } from '../../smtp/session-types.ts';
import { FakeSession } from '../../testing/fake-session.ts';
import { buildJob, RecordingClient } from '../../testing/jobs.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { Agenda } from '../jobs/agenda.ts';
import { type Job, type JobStreak, MailDomain } from '../jobs/job.ts';
import { CatchAllProver } from './catch-all-prover.ts';

const dayMs = 86_400_000;
const reply = (meaning: ReplyClass['meaning'], reason: Reason, retryAfterMs?: number): ReplyClass => ({
  meaning,
  reason,
  rule: 'any',
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});
const yes = reply('accepted', 'mailbox_accepted');
const no = reply('refused', 'no_such_mailbox');
const later = reply('ask_later', 'greylisted');
const blocked = reply('no_answer', 'blocked');
const stage = { stage: 'proof' as const, host: 'mx' };

const newConnection = () => new FakeSession({} as SessionTarget, {} as SessionOwner<Job>);

function openProver() {
  const clock = new ManualClock();
  const saved: [string, CatchAllFact][] = [];
  const log: string[] = [];
  const asked: Job[] = [];
  const prover = new CatchAllProver({
    clock,
    agenda: new Agenda(clock),
    facts: { ...createMemoryFactStore(), saveCatchAll: (name, fact) => void saved.push([name, fact]) },
    onProbed: ({ email }) => log.push(`${email} proved`),
    settle: ({ email }, reason) => log.push(`${email} ${reason}`),
    tryAgain: ({ email }, reason, afterMs) => log.push(`${email} ${reason} again in ${afterMs}`),
  });
  const pool = {
    name: 'mx',
    acceptedAt: 0,
    add: (job: Job) => void asked.push(job),
    hasRoomForControl: () => true,
  };
  const domain = new MailDomain('example.com');
  const connection = newConnection();
  const knowledge = (hostRank = 0) =>
    prover.knowledgeOf(
      Object.assign(buildJob('x', undefined, domain), {
        hostRank,
        streak: domain.streaks.latestOn(connection),
      }),
    );
  const prove = (job: Job, on: FakeSession) => {
    job.answeredBy = pool;
    job.connection = on;
    job.streak = domain.streaks.latestOn(on);
    prover.prove(job);
    return job;
  };
  const accepted = (email: string, client = new RecordingClient(), hostRank = 0, on = connection) =>
    prove(Object.assign(buildJob(email, client, domain), { hostRank }), on);
  /** The connection accepts some, in a transaction that is over. */
  const addAccepted = (count: number, on = connection) => {
    for (let index = 0; index < count; index++)
      domain.streaks.add(on, 'accepted', 0).isTransactionOver = true;
  };
  const proof = () => Object.assign(asked.at(-1) as Job, { connection: asked.at(-1)?.streak?.connection });
  /** Answers the latest two questions alike. */
  const answerBoth = (found: ReplyClass) => {
    for (const job of asked.slice(-2)) prover.probe.onAnswer(job, found, stage);
  };
  return {
    clock,
    prover,
    domain,
    connection,
    knowledge,
    saved,
    log,
    asked,
    prove,
    accepted,
    proof,
    addAccepted,
    answerBoth,
  };
}

describe('what we know about a domain', () => {
  it.each([
    ['nothing', undefined, 'unproved'],
    ['a yes of six days', { isCatchAll: true, ageMs: 6 * dayMs }, 'yes'],
    ['a yes of seven days', { isCatchAll: true, ageMs: 7 * dayMs }, 'unproved'],
    ['a no of 23 hours', { isCatchAll: false, ageMs: dayMs - 3_600_000 }, 'no'],
    ['a no of a day', { isCatchAll: false, ageMs: dayMs }, 'unproved'],
  ])('%s', (_, fact, expected) => {
    const { clock, domain, knowledge } = openProver();
    if (fact) domain.hostAt(0).catchAll = { isCatchAll: fact.isCatchAll, provedAt: clock.now() - fact.ageMs };
    expect(knowledge()).toBe(expected);
  });
});

describe('the proof', () => {
  it('asks the host that accepted once, with two invented names, for all that wait', () => {
    const { prover, domain, asked, accepted, proof } = openProver();
    accepted('a', undefined, 1);
    accepted('b', undefined, 1);
    expect(asked).toHaveLength(2);
    expect(proof()).toMatchObject({
      probe: prover.probe,
      isRouted: true,
      hostRank: 1,
      email: '',
      needsUtf8: false,
    });
    expect(asked[0]?.mailbox).toMatch(/^[a-z]+\.[a-z]+@example\.com$/);
    expect(asked[1]?.mailbox).toMatch(/^[a-z]+\.[a-z]+\d\d@example\.com$/);
    expect(domain.hostAt(1).proof.isUnderWay).toBe(true);
  });

  it.each([
    [yes, true],
    [no, false],
  ])('%o ends the wait of all, and the fact is saved', (answer, isCatchAll) => {
    const { clock, domain, saved, log, accepted, answerBoth, knowledge } = openProver();
    accepted('a');
    accepted('b');
    answerBoth(answer);
    expect(log).toEqual(['a proved', 'b proved']);
    expect(saved).toEqual([['example.com', { isCatchAll, provedAt: clock.now() }]]);
    expect(domain.hostAt(0).proof).toMatchObject({ stage, isUnderWay: false, waiting: [] });
    expect(knowledge()).toBe(isCatchAll ? 'yes' : 'no');
  });

  it('of a backup host is used for that host only, and not saved', () => {
    const { saved, log, accepted, answerBoth, knowledge } = openProver();
    accepted('a', undefined, 1);
    answerBoth(yes);
    expect(log).toEqual(['a proved']);
    expect(knowledge(1)).toBe('yes');
    expect(knowledge(0)).toBe('unproved');
    expect(saved).toEqual([]);
  });

  it('of the first host says nothing about a backup host, which is asked for two names', () => {
    const { clock, domain, asked, accepted, answerBoth, knowledge } = openProver();
    domain.hostAt(0).catchAll = { isCatchAll: false, provedAt: clock.now() };
    expect(knowledge(1)).toBe('unproved');
    accepted('a', undefined, 1);
    expect(asked).toHaveLength(2);
    answerBoth(yes);
    expect(knowledge(1)).toBe('yes');
    expect(knowledge(0)).toBe('no');
  });

  it('forgets an old fact before it asks again', () => {
    const { clock, domain, asked, accepted } = openProver();
    domain.hostAt(0).catchAll = { isCatchAll: false, provedAt: clock.now() - 2 * dayMs };
    accepted('a');
    expect(domain.hostAt(0).catchAll).toBeUndefined();
    expect(asked).toHaveLength(2);
  });
});

describe('names of which only one is accepted', () => {
  it.each([
    [yes, true],
    [no, false],
  ])('further names decide: %o', (third, isCatchAll) => {
    const { prover, domain, log, asked, accepted } = openProver();
    accepted('a');
    const [plain, numbered] = asked as [Job, Job];
    prover.probe.onAnswer(plain, yes, stage);
    expect(log).toEqual([]);
    prover.probe.onAnswer(numbered, no, stage);
    expect(asked).toHaveLength(3);
    expect(asked[2]?.mailbox).not.toBe(plain.mailbox);
    prover.probe.onAnswer(asked[2] as Job, third, stage);
    if (isCatchAll) prover.probe.onAnswer(asked[3] as Job, yes, stage);
    expect(log).toEqual(['a proved']);
    expect(domain.hostAt(0).catchAll?.isCatchAll).toBe(isCatchAll);
  });

  it('a deferred name is asked again, and the other is not', () => {
    const { clock, prover, log, asked, accepted } = openProver();
    accepted('a');
    const [plain, numbered] = asked as [Job, Job];
    prover.probe.onAnswer(numbered, no, stage);
    prover.probe.onAnswer(plain, later, stage);
    clock.advance(5_000);
    expect(asked.slice(2).map(({ mailbox }) => mailbox)).toEqual([plain.mailbox]);
    prover.probe.onAnswer(asked[2] as Job, no, stage);
    expect(log).toEqual(['a proved']);
  });
});

describe('an answer that contradicts the proof', () => {
  it('a refusal makes the next yes prove anew, ten minutes after the last proof', () => {
    const { clock, prover, domain, knowledge } = openProver();
    domain.hostAt(0).catchAll = { isCatchAll: true, provedAt: clock.now() };
    clock.advance(599_999);
    prover.onRefused(buildJob('gone@example.com', undefined, domain));
    expect(knowledge()).toBe('yes');
    clock.advance(1);
    prover.onRefused(buildJob('gone@example.com', undefined, domain));
    expect(knowledge()).toBe('unproved');
  });

  it('a refusal agrees with a domain that does not accept any name', () => {
    const { clock, prover, domain, knowledge } = openProver();
    domain.hostAt(0).catchAll = { isCatchAll: false, provedAt: clock.now() - 3_600_000 };
    prover.onRefused(buildJob('gone@example.com', undefined, domain));
    expect(knowledge()).toBe('no');
  });

  it('two accepted in a row are confirmed with one more name, then four, then eight', () => {
    const { clock, prover, domain, asked, accepted, knowledge, addAccepted, proof } = openProver();
    domain.hostAt(0).catchAll = { isCatchAll: false, provedAt: clock.now() };
    for (const [round, count] of [2, 4, 8].entries()) {
      addAccepted(count - 1);
      expect(knowledge()).toBe('no');
      addAccepted(1);
      expect(knowledge()).toBe('unproved');
      accepted('a');
      expect(asked).toHaveLength(round + 1);
      prover.probe.onAnswer(proof(), no, stage);
      expect(knowledge()).toBe('no');
    }
  });

  it('a name that was refused today and is accepted now: the answers of the domain prove nothing for an hour', () => {
    const { clock, prover, domain, saved, accepted, proof, knowledge, addAccepted } = openProver();
    domain.hostAt(0).catchAll = { isCatchAll: false, provedAt: clock.now() };
    addAccepted(2);
    accepted('a');
    prover.probe.onAnswer(proof(), yes, stage);
    expect(knowledge()).toBe('unproved');
    prover.probe.onAnswer(proof(), yes, stage);
    expect(knowledge()).toBe('changed');
    expect(saved).toEqual([]);
    clock.advance(3_600_000);
    expect(knowledge()).toBe('unproved');
  });
});

describe('a connection whose answers are in doubt', () => {
  const gone: ReplyClass = { meaning: 'no_answer', reason: 'connection_lost', rule: 'host-failed' };

  function openDoubtful(client: RecordingClient) {
    const opened = openProver();
    const { clock, domain, addAccepted, accepted } = opened;
    domain.hostAt(0).catchAll = { isCatchAll: false, provedAt: clock.now() };
    /** Two accepted addresses in a row put a connection in doubt. */
    const doubt = (on: FakeSession) => {
      addAccepted(2, on);
      return accepted('a', client, 0, on);
    };
    return { ...opened, doubt };
  }

  it('is asked for the name that the host deferred on another one: a greylisting host defers every new name', () => {
    const { clock, prover, asked, log, connection, doubt, proof } = openDoubtful(
      new RecordingClient({ deferrals: 'return' }),
    );
    doubt(connection);
    const { mailbox } = proof();
    prover.probe.onAnswer(proof(), later, stage);
    expect(log).toEqual(['a catch_all_unproved again in 5000']);
    clock.advance(5_000);
    const lost = newConnection();
    doubt(lost);
    expect(proof()).toMatchObject({ mailbox, streak: { connection: lost } });
    prover.probe.onAnswer(proof(), gone, stage);
    const next = newConnection();
    doubt(next);
    expect(proof()).toMatchObject({ mailbox, streak: { connection: next } });
    prover.probe.onAnswer(proof(), no, stage);
    expect(log.slice(1)).toEqual(['a proved', 'a proved']);
    expect(asked).toHaveLength(3);
    doubt(newConnection());
    expect(proof().mailbox).not.toBe(mailbox);
  });

  it('several that defer the question count as one deferral', () => {
    const { clock, prover, log, connection, doubt, proof } = openDoubtful(
      new RecordingClient({ deferrals: 'return' }),
    );
    doubt(connection);
    const first = proof();
    doubt(newConnection());
    for (const probe of [first, proof()]) prover.probe.onAnswer(probe, later, stage);
    doubt(newConnection());
    expect(log).toEqual(Array(3).fill('a catch_all_unproved again in 5000'));
    clock.advance(5_000);
    doubt(newConnection());
    prover.probe.onAnswer(proof(), later, stage);
    expect(log.at(-1)).toBe('a catch_all_unproved again in 15000');
  });

  it('is asked only when its transaction is over', () => {
    const { prover, domain, asked, log, connection, doubt, accepted } = openDoubtful(new RecordingClient());
    domain.streaks.add(connection, 'accepted', 0);
    domain.streaks.add(connection, 'accepted', 0);
    accepted('b');
    expect(asked).toHaveLength(0);
    prover.probe.askConnection(domain.streaks.latestOn(connection) as JobStreak);
    expect(asked).toHaveLength(1);
    doubt(newConnection());
    expect(asked).toHaveLength(2);
    expect(log).toEqual([]);
  });

  it('is not asked for cancelled clients, and then for others all the same', () => {
    const { prover, domain, asked, connection, accepted } = openDoubtful(new RecordingClient());
    domain.streaks.add(connection, 'accepted', 0);
    const streak = domain.streaks.add(connection, 'accepted', 0);
    accepted('b').client.isCancelled = true;
    prover.probe.askConnection(streak);
    expect(asked).toHaveLength(0);
    accepted('c');
    prover.probe.askConnection(streak);
    expect(asked).toHaveLength(1);
  });

  it('has addresses wait for the end of a deferral when they are patient', () => {
    const { clock, prover, asked, log, connection, doubt, proof } = openDoubtful(new RecordingClient());
    doubt(connection);
    prover.probe.onAnswer(proof(), later, stage);
    doubt(newConnection());
    expect(asked).toHaveLength(1);
    clock.advance(5_000);
    expect(log).toEqual(['a proved', 'a proved']);
  });

  it('is not kept for the end of a deferral: its addresses are asked again', () => {
    const { clock, prover, asked, log, connection, doubt, proof } = openDoubtful(new RecordingClient());
    const job = doubt(connection);
    prover.probe.onAnswer(proof(), later, stage);
    clock.advance(5_000);
    expect(log).toEqual(['a proved']);
    expect(job).toMatchObject({ isRouted: false, connection: undefined, repeatCount: 0 });
    expect(asked).toHaveLength(1);
  });

  it('has its addresses asked again three times when it is gone, and then they are unproved', () => {
    const { prover, log, connection, doubt, proof, prove } = openDoubtful(new RecordingClient());
    const job = doubt(connection);
    for (let index = 0; index < 4; index++) {
      prover.probe.onAnswer(proof(), gone, stage);
      if (index < 3) prove(job, connection);
    }
    expect(log).toEqual(['a proved', 'a proved', 'a proved', 'a catch_all_unproved']);
  });
});

describe('a doubtful no', () => {
  const unexplained = reply('no_answer', 'refused_unexplained');

  it.each([
    ['accepted: not catch-all', yes, 'no'],
    ['refused now: the host changed its answers', no, 'changed'],
    ['refused without a reason: unproved', unexplained, 'unproved'],
  ])('asks for the accepted name again: %s', (_, again, expected) => {
    const { clock, prover, domain, asked, accepted, answerBoth, knowledge } = openProver();
    domain.hostAt(0).acceptedWitness = { mailbox: 'a@example.com', askedAt: clock.now() };
    accepted('a');
    answerBoth(unexplained);
    expect(asked.map(({ mailbox }) => mailbox).slice(2)).toEqual(['a@example.com']);
    prover.probe.onAnswer(asked[2] as Job, again, stage);
    expect(knowledge()).toBe(expected);
    expect(asked).toHaveLength(3);
  });

  it('proves nothing when no accepted name is known', () => {
    const { log, accepted, answerBoth } = openProver();
    accepted('a');
    answerBoth({ ...no, isAmbiguous: true });
    expect(log).toEqual(['a catch_all_unproved']);
  });

  it("needs no further question in the words of Microsoft's edge", () => {
    const { domain, accepted, answerBoth, knowledge } = openProver();
    domain.route = {
      kind: 'hosts',
      hosts: ['a-b.mail.protection.outlook.com'],
      isImplicit: false,
      expiresAt: Infinity,
    };
    accepted('a');
    answerBoth({ ...no, rule: 'microsoft-365-recipient', isAmbiguous: true });
    expect(knowledge()).toBe('no');
  });
});

describe('a yes after a real name was refused', () => {
  it.each([
    ['refused again: an exception', no, 'yes'],
    ['accepted now: the host changed its answers', yes, 'changed'],
    ['not answered: unproved', blocked, 'unproved'],
  ])('asks for that name again: %s', (_, again, expected) => {
    const { prover, domain, asked, accepted, answerBoth, knowledge } = openProver();
    prover.onRefused(buildJob('gone@example.com', undefined, domain));
    accepted('a');
    answerBoth(yes);
    expect(asked.map(({ mailbox }) => mailbox).slice(2)).toEqual(['gone@example.com']);
    prover.probe.onAnswer(asked[2] as Job, again, stage);
    expect(knowledge()).toBe(expected);
  });
});

it('has the shape of the accepted name, and is long at a free provider', () => {
  const { clock, domain, asked, accepted } = openProver();
  domain.hostAt(0).acceptedWitness = { mailbox: 'jdoe7@example.com', askedAt: clock.now() };
  accepted('a');
  expect(asked[0]?.mailbox).toMatch(/^[a-z]+\d\d@/);
  const other = openProver();
  other.domain.hostAt(0).acceptedWitness = { mailbox: 'jdoe@example.com', askedAt: clock.now() };
  other.domain.isFreeProvider = true;
  other.accepted('a');
  expect(other.asked[0]?.mailbox).toMatch(/^[a-z]{3,}\.[a-z]{3,}@/);
});

describe('a proof without an answer', () => {
  it('leaves all that wait unproved, and is not asked again for a minute', () => {
    const { clock, domain, log, asked, accepted, answerBoth } = openProver();
    accepted('a');
    answerBoth(blocked);
    expect(log).toEqual(['a catch_all_unproved']);
    expect(domain.hostAt(0).proof).toMatchObject({ stage, waiting: [] });
    clock.advance(59_999);
    accepted('b');
    expect(log).toEqual(['a catch_all_unproved', 'b catch_all_unproved']);
    expect(asked).toHaveLength(2);
    clock.advance(1);
    accepted('c');
    expect(asked).toHaveLength(4);
  });

  it('returns a later address with the time that is left, to a caller that wants it back', () => {
    const { clock, log, accepted, answerBoth } = openProver();
    const client = new RecordingClient({ deferrals: 'return' });
    accepted('a', client);
    answerBoth(blocked);
    clock.advance(20_000);
    accepted('b', client);
    expect(log).toEqual(['a catch_all_unproved', 'b catch_all_unproved again in 40000']);
  });
});

describe('a proof that the host defers', () => {
  it.each([later, reply('slow_down', 'throttled')])(
    'is asked again later with the same name: %o',
    (answer) => {
      const { clock, domain, log, asked, accepted, proof, answerBoth } = openProver();
      accepted('a', undefined, 1);
      const { mailbox } = proof();
      answerBoth(answer);
      expect(domain.hostAt(1).proof.isUnderWay).toBe(true);
      accepted('b', undefined, 1);
      clock.advance(4_999);
      expect(asked).toHaveLength(2);
      clock.advance(1);
      expect(asked).toHaveLength(4);
      expect(proof()).toMatchObject({ mailbox, hostRank: 1 });
      answerBoth(no);
      expect(log).toEqual(['a proved', 'b proved']);
    },
  );

  it('waits longer each time, and as long as the host says', () => {
    const { clock, asked, accepted, answerBoth } = openProver();
    accepted('a', new RecordingClient({ patienceMs: 3_600_000 }));
    answerBoth(reply('ask_later', 'greylisted', 20_000));
    clock.advance(20_249);
    expect(asked).toHaveLength(2);
    clock.advance(1);
    answerBoth(later);
    clock.advance(14_999);
    expect(asked).toHaveLength(4);
    clock.advance(1);
    expect(asked).toHaveLength(6);
  });

  it('starts with the first delay again after a proof', () => {
    const { clock, domain, accepted, answerBoth } = openProver();
    accepted('a');
    answerBoth(later);
    clock.advance(5_000);
    answerBoth(no);
    expect(domain.hostAt(0).proof.deferralCount).toBe(0);
  });

  it('settles those without the patience and returns those that want to come back', () => {
    const { domain, log, accepted, answerBoth } = openProver();
    accepted('patient', new RecordingClient({ patienceMs: 5_000 }));
    accepted('hasty', new RecordingClient({ patienceMs: 4_999 }));
    accepted('returning', new RecordingClient({ deferrals: 'return' }));
    answerBoth(later);
    expect(log).toEqual(['hasty catch_all_unproved', 'returning catch_all_unproved again in 5000']);
    expect(domain.hostAt(0).proof.waiting.map(({ email }) => email)).toEqual(['patient']);
  });

  it('counts patience from the first deferral', () => {
    const { clock, log, accepted, answerBoth } = openProver();
    accepted('a', new RecordingClient({ patienceMs: 19_999 }));
    answerBoth(later);
    clock.advance(5_000);
    answerBoth(later);
    expect(log).toEqual(['a catch_all_unproved']);
  });

  it('is not asked again when nobody waits', () => {
    const { clock, domain, asked, accepted, answerBoth } = openProver();
    accepted('a', new RecordingClient({ patienceMs: 0 }));
    answerBoth(later);
    expect(domain.hostAt(0).proof.isUnderWay).toBe(false);
    clock.advance(60_000);
    expect(asked).toHaveLength(2);
  });

  it('is not asked again for cancelled clients', () => {
    const { clock, asked, accepted, answerBoth } = openProver();
    const { client } = accepted('a');
    answerBoth(later);
    client.isCancelled = true;
    clock.advance(60_000);
    expect(asked).toHaveLength(2);
  });
});

describe('the client of the proof', () => {
  it('is cancelled when all that wait are, and as patient as the most patient', () => {
    const { accepted, proof } = openProver();
    const one = accepted('a', new RecordingClient({ patienceMs: 10 }));
    const two = accepted('b', new RecordingClient({ patienceMs: 20 }));
    const { client } = proof();
    expect(client).toMatchObject({ patienceMs: 20, deferrals: 'wait', wantsEvidence: true, isUrgent: true });
    one.client.isCancelled = true;
    expect(client.isCancelled).toBe(false);
    two.client.isCancelled = true;
    expect(client.isCancelled).toBe(true);
  });
});

describe('dropCancelled', () => {
  it('keeps the proof as long as somebody waits for it', () => {
    const { prover, domain, accepted } = openProver();
    const gone = accepted('a');
    const staying = accepted('b');
    gone.client.isCancelled = true;
    prover.probe.dropCancelled(domain.hostAt(0).proof);
    expect(domain.hostAt(0).proof.waiting).toEqual([staying]);
    expect(domain.hostAt(0).proof.isUnderWay).toBe(true);
    staying.client.isCancelled = true;
    prover.probe.dropCancelled(domain.hostAt(0).proof);
    expect(domain.hostAt(0).proof).toMatchObject({ waiting: [], isUnderWay: false });
  });

  it('leaves a proof alone for which nobody waited', () => {
    const { prover, domain } = openProver();
    domain.hostAt(0).proof.isUnderWay = true;
    prover.probe.dropCancelled(domain.hostAt(0).proof);
    expect(domain.hostAt(0).proof.isUnderWay).toBe(true);
  });
});

it('a fact from the future is fresh', () => {
  const clock = new ManualClock();
  expect(isFresh({ isCatchAll: true, provedAt: clock.now() + 1 }, clock)).toBe(true);
});
