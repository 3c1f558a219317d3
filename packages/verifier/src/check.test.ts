import { describe, expect, it } from 'vitest';
import { type CheckSteps, startCheck, takeNextStep } from './check.ts';
import type { MailRoute } from './dns/mail-route.ts';
import type { ReplyClass } from './judgement/classify-reply.ts';
import type { CatchAllKnowledge, RefusalKnowledge } from './judgement/judge.ts';
import type { Reason } from './judgement/reasons.ts';
import { MailDomain } from './scheduling/jobs/job.ts';
import { buildJob, RecordingClient } from './testing/jobs.ts';

const route: MailRoute = { kind: 'hosts', hosts: ['one', 'two'], isImplicit: false, expiresAt: 0 };
const reply = (meaning: ReplyClass['meaning'], reason: Reason): ReplyClass => ({ meaning, reason, rule: '' });

/** Writes down the steps instead of taking them. */
function recordSteps(catchAll: CatchAllKnowledge = 'unproved', refusal: RefusalKnowledge = 'confirmed') {
  const taken: string[] = [];
  const steps: CheckSteps = {
    domainOf: (name) => new MailDomain(name),
    refuse: (_client, item, { reason }) => taken.push(`refuse ${item} ${reason}`),
    findRoute: ({ mailbox }) => taken.push(`find route of ${mailbox}`),
    ownerRefusal: ({ domain: { door } }) =>
      door?.perDay === 0 ? { stage: 'dns', note: 'never' } : undefined,
    decline: (_, { note }) => taken.push(`decline ${note}`),
    askHost: (_, host) => taken.push(`ask ${host}`),
    askLater: (_, { reason }) => taken.push(`ask later ${reason}`),
    catchAllOf: () => catchAll,
    proveCatchAll: () => taken.push('prove catch-all'),
    refusalOf: () => refusal,
    controlRefusal: () => taken.push('control refusal'),
    settle: (_, reason) => taken.push(`settle ${reason}`),
  };
  return { taken, steps };
}

function routedJob() {
  const job = buildJob('jane@example.com');
  job.isRouted = true;
  job.domain.route = route;
  return job;
}

describe('a check', () => {
  it('asks no host of an owner who does not want it', () => {
    const { taken, steps } = recordSteps();
    const job = routedJob();
    job.domain.door = { perDay: 0, expiresAt: 0 };

    takeNextStep(job, steps);

    expect(taken).toEqual(['decline never']);
  });

  it('refuses bad syntax with the item of the caller', () => {
    const { taken, steps } = recordSteps();
    startCheck('jane', new RecordingClient(), 'row 7', steps);
    expect(taken).toEqual(['refuse row 7 syntax_missing_part']);
  });

  it('looks for the route of a good address', () => {
    const { taken, steps } = recordSteps();
    startCheck('jane@EXAMPLE.com', new RecordingClient(), 'row 7', steps);
    expect(taken).toEqual(['find route of jane@example.com']);
  });

  it('looks for the route again when the job has not seen it', () => {
    const { taken, steps } = recordSteps();
    const job = routedJob();
    job.isRouted = false;
    takeNextStep(job, steps);
    expect(taken).toEqual(['find route of jane@example.com']);
  });

  it('looks for a route that is missing', () => {
    const { taken, steps } = recordSteps();
    const job = routedJob();
    job.domain.route = undefined;
    takeNextStep(job, steps);
    expect(taken).toEqual(['find route of jane@example.com']);
  });

  it.each(['no_such_domain', 'null_mx', 'no_mail_host', 'dns_failed', 'dns_timeout'] as const)(
    'settles a domain without mail hosts: %s',
    (kind) => {
      const { taken, steps } = recordSteps();
      const job = routedJob();
      job.domain.route = { kind, expiresAt: 0 };
      takeNextStep(job, steps);
      expect(taken).toEqual([`settle ${kind}`]);
    },
  );

  it.each([
    [0, 'ask one'],
    [1, 'ask two'],
    [2, 'settle blocked'],
  ])('after %i failed hosts: %s', (hostRank, step) => {
    const { taken, steps } = recordSteps();
    const job = routedJob();
    job.hostRank = hostRank;
    job.addFailure('connection_lost', { stage: 'rcpt' });
    job.addFailure('blocked', { stage: 'rcpt' });
    takeNextStep(job, steps);
    expect(taken).toEqual([step]);
  });

  it.each([
    [reply('ask_later', 'greylisted'), 'ask later greylisted'],
    [reply('refused', 'no_such_mailbox'), 'settle no_such_mailbox'],
    [reply('no_answer', 'blocked'), 'settle blocked'],
    [reply('no_answer', 'mailbox_busy'), 'settle mailbox_busy'],
    [reply('accepted', 'mailbox_accepted'), 'prove catch-all'],
  ])('takes the next step for the answer %o', (answer, step) => {
    const { taken, steps } = recordSteps();
    const job = routedJob();
    job.answer = answer;
    takeNextStep(job, steps);
    expect(taken).toEqual([step]);
  });

  it.each([
    ['yes', 'settle catch_all'],
    ['no', 'settle mailbox_accepted'],
  ] as const)('judges an accepted address of a domain that is catch-all: %s', (catchAll, step) => {
    const { taken, steps } = recordSteps(catchAll);
    const job = routedJob();
    job.answer = reply('accepted', 'mailbox_accepted');
    takeNextStep(job, steps);
    expect(taken).toEqual([step]);
  });

  it.each([
    ['confirmed', 'settle no_such_mailbox'],
    ['refuted', 'settle refuses_everyone'],
    ['changed', 'settle answers_change'],
    ['unproved', 'control refusal'],
  ] as const)('judges a refused address whose refusal is %s: %s', (refusal, step) => {
    const { taken, steps } = recordSteps('no', refusal);
    const job = routedJob();
    job.answer = reply('refused', 'no_such_mailbox');
    takeNextStep(job, steps);
    expect(taken).toEqual([step]);
  });

  it('keeps an answer when the route of the domain disappears meanwhile', () => {
    const { taken, steps } = recordSteps('no');
    const job = routedJob();
    job.answer = reply('accepted', 'mailbox_accepted');
    job.domain.route = { kind: 'dns_failed', expiresAt: 0 };
    takeNextStep(job, steps);
    expect(taken).toEqual(['settle mailbox_accepted']);
  });

  it('takes no step for a cancelled client', () => {
    const { taken, steps } = recordSteps();
    const job = buildJob('jane@example.com', new RecordingClient({ isCancelled: true }));
    takeNextStep(job, steps);
    expect(taken).toEqual([]);
  });
});
