import { describe, expect, it } from 'vitest';
import { type CatchAllFact, createMemoryFactStore, isFresh } from '../fact-store.ts';
import type { ReplyClass } from '../judgement/classify-reply.ts';
import type { Reason } from '../judgement/reasons.ts';
import { buildJob, RecordingClient } from '../testing/jobs.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { Agenda } from './agenda.ts';
import { CatchAllProver } from './catch-all-prover.ts';
import { type Job, MailDomain } from './job.ts';

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

function openProver() {
  const clock = new ManualClock();
  const saved: [string, CatchAllFact][] = [];
  const log: string[] = [];
  const asked: Job[] = [];
  const prover = new CatchAllProver({
    clock,
    agenda: new Agenda(clock),
    facts: { ...createMemoryFactStore(), saveCatchAll: (name, fact) => void saved.push([name, fact]) },
    onProved: ({ email }) => log.push(`${email} proved`),
    settle: ({ email }, reason) => log.push(`${email} ${reason}`),
    tryAgain: ({ email }, reason, afterMs) => log.push(`${email} ${reason} again in ${afterMs}`),
  });
  const pool = { name: 'mx', add: (job: Job) => void asked.push(job) };
  const domain = new MailDomain('example.com');
  const accepted = (email: string, client = new RecordingClient(), hostRank = 0) => {
    const job = buildJob(email, client, domain);
    job.answeredBy = pool;
    job.hostRank = hostRank;
    prover.prove(job);
    return job;
  };
  const proof = () => asked.at(-1) as Job;
  return { clock, prover, domain, saved, log, asked, accepted, proof };
}

describe('what we know about a domain', () => {
  it.each([
    ['nothing', undefined, 'unproved'],
    ['a yes of six days', { isCatchAll: true, ageMs: 6 * dayMs }, 'yes'],
    ['a yes of seven days', { isCatchAll: true, ageMs: 7 * dayMs }, 'unproved'],
    ['a no of 23 hours', { isCatchAll: false, ageMs: dayMs - 3_600_000 }, 'no'],
    ['a no of a day', { isCatchAll: false, ageMs: dayMs }, 'unproved'],
  ])('%s', (_, fact, knowledge) => {
    const { clock, prover, domain } = openProver();
    if (fact) domain.catchAll = { isCatchAll: fact.isCatchAll, provedAt: clock.now() - fact.ageMs };
    expect(prover.knowledgeOf(domain)).toBe(knowledge);
  });
});

describe('the proof', () => {
  it('asks the host that accepted once, with one invented name, for all that wait', () => {
    const { asked, accepted, proof, domain } = openProver();
    accepted('a', undefined, 1);
    accepted('b');
    expect(asked).toHaveLength(1);
    expect(proof()).toMatchObject({
      isProof: true,
      isRouted: true,
      hostRank: 1,
      email: '',
      needsUtf8: false,
    });
    expect(proof().mailbox).toMatch(/^[a-z]+\.[a-z]+\d\d@example\.com$/);
    expect(domain.isProofUnderWay).toBe(true);
  });

  it.each([
    [yes, true],
    [no, false],
    [reply('no_answer', 'refused_unexplained'), false],
  ])('%o ends the wait of all, and the fact is saved', (answer, isCatchAll) => {
    const { clock, prover, domain, saved, log, accepted, proof } = openProver();
    accepted('a');
    accepted('b');
    prover.onAnswer(proof(), answer, stage);
    expect(log).toEqual(['a proved', 'b proved']);
    expect(saved).toEqual([['example.com', { isCatchAll, provedAt: clock.now() }]]);
    expect(domain).toMatchObject({ proofStage: stage, isProofUnderWay: false, waitingForProof: [] });
    expect(prover.knowledgeOf(domain)).toBe(isCatchAll ? 'yes' : 'no');
  });

  it('of a backup host is used and not saved', () => {
    const { prover, domain, saved, log, accepted, proof } = openProver();
    accepted('a', undefined, 1);
    prover.onAnswer(proof(), yes, stage);
    expect(log).toEqual(['a proved']);
    expect(prover.knowledgeOf(domain)).toBe('yes');
    expect(saved).toEqual([]);
  });

  it('forgets an old fact before it asks again', () => {
    const { clock, domain, asked, accepted } = openProver();
    domain.catchAll = { isCatchAll: false, provedAt: clock.now() - 2 * dayMs };
    accepted('a');
    expect(domain.catchAll).toBeUndefined();
    expect(asked).toHaveLength(1);
  });
});

describe('a proof without an answer', () => {
  it('leaves all that wait unproved, and is not asked again for a minute', () => {
    const { clock, prover, domain, log, asked, accepted, proof } = openProver();
    accepted('a');
    prover.onAnswer(proof(), blocked, stage);
    expect(log).toEqual(['a catch_all_unproved']);
    expect(domain).toMatchObject({ proofStage: stage, waitingForProof: [] });
    clock.advance(59_999);
    accepted('b');
    expect(log).toEqual(['a catch_all_unproved', 'b catch_all_unproved']);
    expect(asked).toHaveLength(1);
    clock.advance(1);
    accepted('c');
    expect(asked).toHaveLength(2);
  });

  it('returns a later address with the time that is left, to a caller that wants it back', () => {
    const { clock, prover, log, accepted, proof } = openProver();
    const client = new RecordingClient({ deferrals: 'return' });
    accepted('a', client);
    prover.onAnswer(proof(), blocked, stage);
    clock.advance(20_000);
    accepted('b', client);
    expect(log).toEqual(['a catch_all_unproved', 'b catch_all_unproved again in 40000']);
  });
});

describe('a proof that the host defers', () => {
  it.each([later, reply('slow_down', 'throttled')])(
    'is asked again later with the same name: %o',
    (answer) => {
      const { clock, prover, domain, log, asked, accepted, proof } = openProver();
      accepted('a', undefined, 1);
      const { mailbox } = proof();
      prover.onAnswer(proof(), answer, stage);
      expect(domain.isProofUnderWay).toBe(true);
      accepted('b');
      clock.advance(4_999);
      expect(asked).toHaveLength(1);
      clock.advance(1);
      expect(asked).toHaveLength(2);
      expect(proof()).toMatchObject({ mailbox, hostRank: 1 });
      prover.onAnswer(proof(), no, stage);
      expect(log).toEqual(['a proved', 'b proved']);
    },
  );

  it('waits longer each time, and as long as the host says', () => {
    const { clock, prover, asked, accepted, proof } = openProver();
    accepted('a', new RecordingClient({ patienceMs: 3_600_000 }));
    prover.onAnswer(proof(), reply('ask_later', 'greylisted', 20_000), stage);
    clock.advance(20_249);
    expect(asked).toHaveLength(1);
    clock.advance(1);
    prover.onAnswer(proof(), later, stage);
    clock.advance(14_999);
    expect(asked).toHaveLength(2);
    clock.advance(1);
    expect(asked).toHaveLength(3);
  });

  it('starts with the first delay again after a proof', () => {
    const { clock, prover, domain, accepted, proof } = openProver();
    accepted('a');
    prover.onAnswer(proof(), later, stage);
    clock.advance(5_000);
    prover.onAnswer(proof(), no, stage);
    expect(domain.proofDeferralCount).toBe(0);
  });

  it('settles those without the patience and returns those that want to come back', () => {
    const { prover, domain, log, accepted, proof } = openProver();
    accepted('patient', new RecordingClient({ patienceMs: 5_000 }));
    accepted('hasty', new RecordingClient({ patienceMs: 4_999 }));
    accepted('returning', new RecordingClient({ deferrals: 'return' }));
    prover.onAnswer(proof(), later, stage);
    expect(log).toEqual(['hasty catch_all_unproved', 'returning catch_all_unproved again in 5000']);
    expect(domain.waitingForProof.map(({ email }) => email)).toEqual(['patient']);
  });

  it('counts patience from the first deferral', () => {
    const { clock, prover, log, accepted, proof } = openProver();
    accepted('a', new RecordingClient({ patienceMs: 19_999 }));
    prover.onAnswer(proof(), later, stage);
    clock.advance(5_000);
    prover.onAnswer(proof(), later, stage);
    expect(log).toEqual(['a catch_all_unproved']);
  });

  it('is not asked again when nobody waits', () => {
    const { clock, prover, domain, asked, accepted, proof } = openProver();
    accepted('a', new RecordingClient({ patienceMs: 0 }));
    prover.onAnswer(proof(), later, stage);
    expect(domain.isProofUnderWay).toBe(false);
    clock.advance(60_000);
    expect(asked).toHaveLength(1);
  });

  it('is not asked again for cancelled clients', () => {
    const { clock, prover, asked, accepted, proof } = openProver();
    const { client } = accepted('a');
    prover.onAnswer(proof(), later, stage);
    client.isCancelled = true;
    clock.advance(60_000);
    expect(asked).toHaveLength(1);
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
    prover.dropCancelled(domain);
    expect(domain.waitingForProof).toEqual([staying]);
    expect(domain.isProofUnderWay).toBe(true);
    staying.client.isCancelled = true;
    prover.dropCancelled(domain);
    expect(domain).toMatchObject({ waitingForProof: [], isProofUnderWay: false });
  });

  it('leaves a proof alone for which nobody waited', () => {
    const { prover, domain } = openProver();
    domain.isProofUnderWay = true;
    prover.dropCancelled(domain);
    expect(domain.isProofUnderWay).toBe(true);
  });
});

it('a fact from the future is fresh', () => {
  const clock = new ManualClock();
  expect(isFresh({ isCatchAll: true, provedAt: clock.now() + 1 }, clock)).toBe(true);
});
