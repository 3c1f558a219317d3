import { describe, expect, it } from 'vitest';
import { buildJob, RecordingClient } from '../../testing/jobs.ts';
import { type Job, MailDomain } from '../jobs/job.ts';
import { FairQueue } from './fair-queue.ts';

const client = new RecordingClient();
const [one, two] = [new MailDomain('one.com'), new MailDomain('two.com')];
const plain = (email: string, domain = one) => buildJob(email, client, domain);
const urgent = (email: string) => buildJob(email, new RecordingClient({ isUrgent: true }), one);
const proof = (email: string) => buildJob(email, client, one, { isProof: true });
const emails = (jobs: Job[]) => jobs.map(({ email }) => email);

function queueOf(...jobs: Job[]): FairQueue {
  const queue = new FairQueue();
  for (const job of jobs) queue.add(job);
  return queue;
}

describe('the queue of a host', () => {
  it('gives jobs in their order, as many as asked for', () => {
    const queue = queueOf(plain('a'), plain('b'), plain('c'));
    expect(queue.size).toBe(3);
    expect(emails(queue.take(2))).toEqual(['a', 'b']);
    expect(queue.size).toBe(1);
    expect(emails(queue.take(2))).toEqual(['c']);
    expect(queue.take(2)).toEqual([]);
    expect(queue.size).toBe(0);
  });

  it('gives nothing when asked for less than one', () => {
    const queue = queueOf(plain('a'));
    expect(queue.take(0)).toEqual([]);
    expect(emails(queue.take(1))).toEqual(['a']);
  });

  it('lets domains with fewer jobs than the minimum wait, unless one is urgent', () => {
    const queue = queueOf(plain('a1'), plain('b1', two), plain('b2', two));
    expect(emails(queue.take(5, { min: 3 }))).toEqual([]);
    expect(emails(queue.take(5, { min: 2 }))).toEqual(['b1', 'b2']);
    expect(queue.size).toBe(1);
    queue.add(urgent('a2'));
    expect(emails(queue.take(5, { min: 3 }))).toEqual(['a2', 'a1']);
  });

  it('stays with a domain while other connections serve all other domains', () => {
    const queue = queueOf(plain('b1', two), plain('a1'), plain('a2'), plain('b2', two));
    const stay = (...served: MailDomain[]) => ({ domain: one, served: new Set(served) });
    expect(emails(queue.take(1, { stay: stay(two) }))).toEqual(['a1']);
    expect(emails(queue.take(1, { stay: stay() }))).toEqual(['b1']);
    expect(emails(queue.take(1, { stay: stay(two) }))).toEqual(['a2']);
    expect(emails(queue.take(1, { stay: stay(two) }))).toEqual(['b2']);
  });

  it('takes no more of a customer than there is room for, and passes over one without room', () => {
    const of = (customer: string, email: string) =>
      buildJob(email, new RecordingClient({ customer, isUrgent: true }), one);
    const queue = queueOf(of('full', 'a1'), of('some', 'b1'), of('some', 'b2'), of('some', 'b3'));
    const roomOf = (customer: string) => (customer === 'full' ? 0 : 2);
    expect(emails(queue.take(5, { min: 3, roomOf }))).toEqual(['b1', 'b2']);
    expect(emails(queue.take(5, { roomOf }))).toEqual(['b3']);
    expect(queue.take(5, { roomOf })).toEqual([]);
    expect(emails(queue.take(5))).toEqual(['a1']);
  });

  it('serves customers in turn, however many jobs and domains one of them has', () => {
    const of = (customer: string, email: string, domain = one) =>
      buildJob(email, new RecordingClient({ customer, isUrgent: true }), domain);
    const queue = queueOf(of('many', 'a1'), of('many', 'a2'), of('many', 'b1', two), of('few', 'c1'));
    expect([...queue.customers()]).toEqual(['many', 'few']);
    expect(emails(queue.take(1))).toEqual(['a1']);
    expect(emails(queue.take(5))).toEqual(['c1']);
    expect([...queue.customers()]).toEqual(['many']);
    expect(emails(queue.take(5))).toEqual(['b1']);
    expect(emails(queue.take(5))).toEqual(['a2']);
    expect(queue.size).toBe(0);
  });

  it('counts only the jobs that are left for the minimum', () => {
    const queue = queueOf(plain('a1'), plain('a2'), plain('a3'), plain('a4'));
    queue.take(2);
    expect(queue.take(5, { min: 3 })).toEqual([]);
    expect(emails(queue.take(5, { min: 2 }))).toEqual(['a3', 'a4']);
  });

  it('gives a domain no second turn after a connection stayed with it', () => {
    const queue = queueOf(plain('b1', two), plain('b2', two), plain('a1'), plain('a2'), plain('a3'));
    queue.take(1, { stay: { domain: one, served: new Set([two]) } });
    expect([1, 2, 3, 4].map(() => emails(queue.take(1)))).toEqual([['b1'], ['a2'], ['b2'], ['a3']]);
  });

  it('serves the domains in turn', () => {
    const queue = queueOf(plain('a1'), plain('a2'), plain('a3'), plain('b1', two), plain('b2', two));
    const taken = [1, 2, 3, 4].map(() => emails(queue.take(2)));
    expect(taken).toEqual([['a1', 'a2'], ['b1', 'b2'], ['a3'], []]);
  });

  it('puts a domain that comes back behind the others', () => {
    const queue = queueOf(plain('a1'), plain('b1', two));
    queue.take(1);
    queue.add(plain('a2'));
    expect(emails(queue.take(2))).toEqual(['b1']);
    expect(emails(queue.take(2))).toEqual(['a2']);
  });

  it('takes urgent jobs of a domain first', () => {
    const queue = queueOf(plain('a'), urgent('b'), urgent('c'));
    expect(emails(queue.take(3))).toEqual(['b', 'c', 'a']);
  });

  it('gives the proof a transaction of its own', () => {
    const queue = queueOf(plain('a'), proof('proof'), plain('b'));
    expect(emails(queue.take(5))).toEqual(['proof']);
    expect(emails(queue.take(5))).toEqual(['a', 'b']);
    const behind = queueOf(urgent('a'), proof('proof'));
    expect(emails(behind.take(5))).toEqual(['a']);
    expect(emails(behind.take(5))).toEqual(['proof']);
  });

  it('does not mix names that need SMTPUTF8 with others', () => {
    const queue = queueOf(plain('a'), buildJob('ü', client, one, { needsUtf8: true }), plain('b'));
    const taken = [1, 2, 3].map(() => emails(queue.take(5)));
    expect(taken).toEqual([['a'], ['ü'], ['b']]);
  });

  it('skips cancelled jobs', () => {
    const cancelled = new RecordingClient({ isCancelled: true });
    const queue = queueOf(buildJob('x', cancelled, one), plain('a'), buildJob('y', cancelled, two));
    expect(emails(queue.take(5))).toEqual(['a']);
    expect(queue.take(5)).toEqual([]);
    expect(queue.size).toBe(0);
  });

  it('takes the next domain when all jobs of one are cancelled', () => {
    const cancelled = new RecordingClient({ isCancelled: true });
    const queue = queueOf(buildJob('x', cancelled, one), plain('b', two));
    expect(emails(queue.take(5))).toEqual(['b']);
  });

  it('keeps the order of a long queue', () => {
    const queue = queueOf(...Array.from({ length: 10_000 }, (_, index) => plain(String(index))));
    const taken: Job[] = [];
    while (queue.size > 0) taken.push(...queue.take(7));
    expect(emails(taken)).toEqual(Array.from({ length: 10_000 }, (_, index) => String(index)));
  });

  it('removes everything', () => {
    const queue = queueOf(plain('a'), plain('b'), plain('c', two), urgent('d'));
    queue.take(1);
    expect(emails(queue.removeAll()).toSorted()).toEqual(['a', 'b', 'c']);
    expect(queue.size).toBe(0);
    expect(queue.take(1)).toEqual([]);
  });

  it('gives away only the wanted jobs and keeps the others', () => {
    const queue = queueOf(plain('a'), plain('b'), plain('c', two), urgent('d'), urgent('e'));
    expect(emails(queue.removeWhere(({ email }) => 'ad'.includes(email)))).toEqual(['d', 'a']);
    expect(queue.size).toBe(3);
    expect([1, 2].map(() => emails(queue.take(5)))).toEqual([['e', 'b'], ['c']]);
  });
});
