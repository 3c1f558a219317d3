import { describe, expect, it } from 'vitest';
import { FakeSession } from '../../testing/fake-session.ts';
import { buildJob, RecordingClient } from '../../testing/jobs.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import type { Job, JobSession } from '../jobs/job.ts';
import { ControlQuestions, type LimitedAnswer } from './control-questions.ts';
import { HostManners } from './host-manners.ts';
import type { PoolParts } from './pool-services.ts';

/** The questions of one host, with a connection that is ready, and a log of what happens to them. */
function openQuestions() {
  const clock = new ManualClock();
  const manners = new HostManners({ recipientsPerTransaction: 100, connectionsPerHost: 8 });
  const log: string[] = [];
  const limits = { hasRoom: true, answer: undefined as LimitedAnswer | undefined };
  const nameOf = (session: JobSession) => (session as FakeSession).ip;
  const parts = {
    manners,
    gate: {
      get hasRoomForControl() {
        return limits.hasRoom;
      },
    },
    connections: {
      keep: (session: JobSession) => log.push(`keeps ${nameOf(session)}`),
      wake: (session: JobSession) => log.push(`wakes ${nameOf(session)}`),
    },
    services: {
      clock,
      owner: {
        onHostFailed: (job: Job, reason: string, stage: object) =>
          log.push(`${job.email} fails: ${reason} ${JSON.stringify(stage)}`),
      },
    },
  } as unknown as PoolParts;
  const questions = new ControlQuestions(parts, {
    ask: (session, jobs) => log.push(`asks ${nameOf(session)} about ${jobs.map(({ email }) => email)}`),
    pumpSoon: () => log.push('pumps soon'),
    limitedAnswer: () => limits.answer,
    waitForRoom: () => log.push('waits for room'),
    onLimited: ({ email }, _session, { found }) => log.push(`${email} is limited: ${found.rule}`),
  });
  const owner = new Proxy({}, { get: () => () => {} }) as ConstructorParameters<typeof FakeSession>[1];
  const openSession = (ip = '192.0.2.1') => {
    const session = new FakeSession({} as FakeSession['target'], owner);
    session.ip = ip;
    session.ready();
    return session;
  };
  /** What has happened since the last call. */
  const takeLog = () => log.splice(0);
  return { questions, clock, manners, limits, openSession, takeLog };
}

const gone = (email: string) =>
  `${email} fails: connection_lost {"stage":"connect","note":"the connection is gone"}`;
const job = buildJob('control@example.com');

describe('a control question', () => {
  it('goes to its own connection at once', () => {
    const { questions, openSession, takeLog } = openQuestions();

    questions.ask(job, openSession());

    expect(takeLog()).toEqual(['wakes 192.0.2.1', 'asks 192.0.2.1 about control@example.com']);
    expect(questions.isEmpty).toBe(true);
    questions.askAll();
    expect(takeLog()).toEqual([]);
  });

  it('waits for the next turn where that is wanted', () => {
    const { questions, openSession, takeLog } = openQuestions();

    questions.askSoon(job, openSession());

    expect(takeLog()).toEqual(['pumps soon']);
    expect(questions.isEmpty).toBe(false);
    questions.askAll();
    expect(takeLog()).toEqual(['wakes 192.0.2.1', 'asks 192.0.2.1 about control@example.com']);
  });

  it('is not tried where another one has just found no room, and is asked when there is room', () => {
    const { questions, limits, openSession, takeLog } = openQuestions();
    limits.hasRoom = false;
    questions.ask(job, openSession());
    takeLog();

    questions.ask(buildJob('other@example.com'), openSession('192.0.2.2'));

    expect(takeLog()).toEqual(['wakes 192.0.2.1', 'keeps 192.0.2.1', 'waits for room', 'keeps 192.0.2.2']);
    limits.hasRoom = true;
    questions.askAll();
    expect(takeLog()).toEqual([
      'wakes 192.0.2.1',
      'asks 192.0.2.1 about control@example.com',
      'wakes 192.0.2.2',
      'asks 192.0.2.2 about other@example.com',
    ]);
    expect(questions.isEmpty).toBe(true);
  });

  it('waits for room within our own limits, and its connection is kept for it', () => {
    const { questions, limits, openSession, takeLog } = openQuestions();
    limits.hasRoom = false;

    questions.ask(job, openSession());

    expect(takeLog()).toEqual(['wakes 192.0.2.1', 'keeps 192.0.2.1', 'waits for room']);
    expect(questions.isEmpty).toBe(false);
    limits.hasRoom = true;
    questions.askAll();
    expect(takeLog()).toEqual(['wakes 192.0.2.1', 'asks 192.0.2.1 about control@example.com']);
  });

  it('is answered by our own limits when they leave no room for long', () => {
    const { questions, limits, openSession, takeLog } = openQuestions();
    limits.hasRoom = false;
    limits.answer = {
      found: { meaning: 'ask_later', reason: 'throttled', rule: 'own-limit' },
      stage: { stage: 'connect' },
    };

    questions.ask(job, openSession());

    expect(takeLog()).toEqual(['wakes 192.0.2.1', 'control@example.com is limited: own-limit']);
    expect(questions.isEmpty).toBe(true);
  });

  it('waits for the end of a short pause, and its connection is kept for it', () => {
    const { questions, clock, manners, openSession, takeLog } = openQuestions();
    manners.pauseUntil(clock.now() + 5_000);

    questions.ask(job, openSession());

    expect(takeLog()).toEqual(['keeps 192.0.2.1']);
    expect(questions.isEmpty).toBe(false);
    clock.advance(5_000);
    questions.askAll();
    expect(takeLog()).toEqual(['wakes 192.0.2.1', 'asks 192.0.2.1 about control@example.com']);
    expect(questions.isEmpty).toBe(true);
  });

  it('is not asked when the pause is long: the connection will be gone by then', () => {
    const { questions, clock, manners, openSession, takeLog } = openQuestions();
    manners.pauseUntil(clock.now() + 5_001);

    questions.ask(job, openSession());

    expect(takeLog()).toEqual(['wakes 192.0.2.1', gone('control@example.com')]);
    expect(questions.isEmpty).toBe(true);
  });

  it.each<[string, (session: FakeSession, manners: HostManners) => void]>([
    ['is over', (session) => session.abort()],
    ['is leaving', (session) => session.quit()],
    ['is not ready', (session) => Object.assign(session, { isReady: false })],
    [
      'has had as many recipients as its host takes',
      (session, manners) => {
        manners.limitConnection(3);
        session.askedCount = 3;
      },
    ],
  ])('fails when its connection %s, since no other one may answer', (_, change) => {
    const { questions, manners, openSession, takeLog } = openQuestions();
    const session = openSession();
    change(session, manners);

    questions.ask(job, session);

    expect(takeLog()).toEqual(['wakes 192.0.2.1', gone('control@example.com')]);
  });

  it('may be the last recipient that the connection takes', () => {
    const { questions, manners, openSession, takeLog } = openQuestions();
    const session = openSession();
    manners.limitConnection(3);
    session.askedCount = 2;

    questions.ask(job, session);

    expect(takeLog()).toContain('asks 192.0.2.1 about control@example.com');
  });
});

it('several questions that wait are each asked on their own connection, without those of cancelled clients', () => {
  const { questions, openSession, takeLog } = openQuestions();
  const client = new RecordingClient();
  const jobs = ['a@example.com', 'b@example.com', 'c@example.com'].map((email, index) =>
    buildJob(email, index === 1 ? client : undefined),
  );
  for (const [index, each] of jobs.entries()) questions.askSoon(each, openSession(`192.0.2.${index}`));
  takeLog();
  client.isCancelled = true;

  questions.dropCancelled();
  questions.askAll();

  expect(takeLog().filter((line) => line.startsWith('asks'))).toEqual([
    'asks 192.0.2.0 about a@example.com',
    'asks 192.0.2.2 about c@example.com',
  ]);
});
